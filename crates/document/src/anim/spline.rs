//! Splines over time, in frames. This module only evaluates them; what a spline drives is the channel's
//! concern.
//!
//! Numbers, vectors and matrices use Catmull-Rom: a cubic Hermite segment between the two knots around the
//! time, with tangents (v2 - v0)/(t2 - t0) and (v3 - v1)/(t3 - t1); a missing outer neighbour is mirrored in
//! time and value (k0 = 2 k1 - k2, k3 = 2 k2 - k1). Rotations use spherical interpolation along the shorter
//! arc. Booleans take the last knot at or before the time. Times outside the knots take the nearest knot.
//! Authored keys may have other modes, and slopes that somebody set: see `mode` and `hermite`.

use super::hermite::{at, fraction, slopes_at};
use super::mode::{AuthoredCurve, Mode, Slopes};
use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

/// Knots in strictly increasing order of time (frames). If they have modes, the knots are the authored keys,
/// and other programs get [`Spline::baked`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spline<T> {
    pub knots: Vec<(f32, T)>,
    pub authored: AuthoredCurve<T>,
}

impl<T: Interpolate> Spline<T> {
    /// Returns the value at `frame`; `None` without knots. O(log n).
    pub fn at(&self, frame: f32) -> Option<T> {
        self.value(self.next_knot(frame), frame)
    }

    /// Returns the same as [`Spline::at`], but in O(1) if `hint` is that of a frame at or shortly before this
    /// one, as in playback. `hint` may be any number, and is updated to that of `frame`.
    pub fn at_with_hint(&self, frame: f32, hint: &mut usize) -> Option<T> {
        let next = self.next_knot_near(frame, *hint).unwrap_or_else(|| self.next_knot(frame));
        *hint = next;
        self.value(next, frame)
    }

    /// Returns the index of the first knot after `frame`.
    fn next_knot(&self, frame: f32) -> usize {
        self.knots.partition_point(|&(time, _)| time <= frame)
    }

    /// Returns the index of the first knot after `frame` if it is `hint` or one of the next two.
    fn next_knot_near(&self, frame: f32, hint: usize) -> Option<usize> {
        let passed = |knot: usize| self.knots.get(knot).is_some_and(|&(time, _)| time <= frame);
        (hint..=self.knots.len())
            .take(3)
            .find(|&next| !passed(next))
            .filter(|&next| next == 0 || passed(next - 1))
    }

    fn value(&self, next: usize, frame: f32) -> Option<T> {
        match (next.checked_sub(1), self.knots.get(next)) {
            (None, first) => first.map(|&(_, value)| value),
            (Some(last), None) => Some(self.knots[last].1),
            (Some(before), Some(_)) => Some(T::interpolate(self, before, frame)),
        }
    }
}

impl<T> Spline<T> {
    /// Returns a spline with these knots, all of Scotty3D's own mode.
    pub fn from_knots(knots: Vec<(f32, T)>) -> Self {
        Self { knots, authored: AuthoredCurve::default() }
    }
}

impl<T: Copy> Spline<T> {
    /// Returns the spline of the results of a linear function of values and slopes.
    pub fn map<U>(&self, to: impl Fn(T) -> U) -> Spline<U> {
        let AuthoredCurve { modes, slopes, .. } = &self.authored;
        let slopes = slopes.iter().map(|slopes| slopes.map(&to)).collect();
        let authored = AuthoredCurve { modes: modes.clone(), slopes, baked: None };
        Spline { knots: self.knots.iter().map(|(frame, value)| (*frame, to(*value))).collect(), authored }
    }

    /// Sets the mode of the knot at an index.
    pub fn set_mode(&mut self, knot: usize, mode: Mode) {
        self.authored.set(knot, self.knots.len(), mode);
    }

    /// Sets the slopes of the knot at an index.
    pub fn set_slopes(&mut self, knot: usize, slopes: Slopes<T>) {
        self.authored.set_slopes(knot, self.knots.len(), slopes);
    }

    /// Inserts a knot at `frame`, which must be finite, and returns the value that it replaces, if any.
    pub fn insert(&mut self, frame: f32, value: T) -> Option<T> {
        let index = self.knots.partition_point(|&(time, _)| time < frame);
        match self.knots.get_mut(index) {
            Some(knot) if knot.0 == frame => {
                self.authored.baked = None;
                Some(std::mem::replace(&mut knot.1, value))
            }
            _ => {
                self.knots.insert(index, (frame, value));
                self.authored.key_inserted(index);
                None
            }
        }
    }

    /// Removes the knot at exactly `frame` and returns its value.
    pub fn remove(&mut self, frame: f32) -> Option<T> {
        let index = self.index_of(frame)?;
        self.authored.key_removed(index);
        Some(self.knots.remove(index).1)
    }

    /// Returns the index of the knot at exactly `frame`.
    pub fn index_of(&self, frame: f32) -> Option<usize> {
        let index = self.knots.partition_point(|&(time, _)| time < frame);
        (self.knots.get(index)?.0 == frame).then_some(index)
    }
}

/// A type of value that splines interpolate.
pub trait Interpolate: Copy + PartialEq {
    /// Returns the value at `frame`, which is at or after knot `before` and before the next knot.
    fn interpolate(curve: &Spline<Self>, before: usize, frame: f32) -> Self;
    /// Returns the slopes in value per frame before and behind a frame of a curve with knots; `None` for types without.
    fn slopes(curve: &Spline<Self>, frame: f32) -> Option<[Self; 2]>;
    /// Returns the components of the value.
    fn components(self) -> impl AsRef<[f32]>;
}

impl Interpolate for bool {
    fn interpolate(curve: &Spline<Self>, before: usize, _frame: f32) -> Self {
        curve.knots[before].1
    }
    fn slopes(_curve: &Spline<Self>, _frame: f32) -> Option<[Self; 2]> {
        None
    }
    fn components(self) -> impl AsRef<[f32]> {
        [f32::from(u8::from(self))]
    }
}

impl Interpolate for Quat {
    fn interpolate(curve: &Spline<Self>, before: usize, frame: f32) -> Self {
        let ((t1, v1), (t2, v2)) = (curve.knots[before], curve.knots[before + 1]);
        match curve.authored.mode(before) {
            Mode::Hold => v1,
            Mode::Ease(ease) => v1.slerp(v2, ease.at(fraction(t1, t2, frame) as f32)),
            _ => v1.slerp(v2, fraction(t1, t2, frame) as f32),
        }
    }
    fn slopes(_curve: &Spline<Self>, _frame: f32) -> Option<[Self; 2]> {
        None
    }
    fn components(self) -> impl AsRef<[f32]> {
        self.to_array()
    }
}

macro_rules! hermite {
    ($($type:ty, $value:ident => $components:expr;)*) => {$(
        impl Interpolate for $type {
            fn interpolate(curve: &Spline<Self>, before: usize, frame: f32) -> Self {
                at((&curve.knots, &curve.authored), before, frame)
            }
            fn slopes(curve: &Spline<Self>, frame: f32) -> Option<[Self; 2]> {
                (!curve.knots.is_empty()).then(|| slopes_at((&curve.knots, &curve.authored), frame))
            }
            fn components(self) -> impl AsRef<[f32]> {
                let $value = self;
                $components
            }
        }
    )*};
}
hermite! {
    f32, value => [value];
    Vec2, value => value.to_array();
    Vec3, value => value.to_array();
    Vec4, value => value.to_array();
    Mat4, value => value.to_cols_array();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spline<T: Copy>(knots: &[(f32, T)]) -> Spline<T> {
        Spline::from_knots(knots.to_vec())
    }

    #[test]
    fn no_knots_give_no_value_and_one_is_constant() {
        assert_eq!(Spline::<f32>::default().at(3.0), None);
        let one = spline(&[(5.0, Vec3::ONE)]);
        for frame in [-1.0, 5.0, 99.0, f32::NAN, f32::INFINITY] {
            assert_eq!(one.at(frame), Some(Vec3::ONE));
        }
    }

    #[test]
    fn knots_are_interpolated_and_the_ends_held() {
        let s = spline(&[(1.0, 0.1f32), (2.5, -7.3), (10.0, 4.0)]);
        for (time, value) in &s.knots {
            assert_eq!(s.at(*time), Some(*value));
        }
        assert_eq!(s.at(0.0), Some(0.1));
        assert_eq!(s.at(11.0), Some(4.0));
    }

    #[test]
    fn two_knots_make_a_straight_line() {
        let s = spline(&[(10.0, 2.0f32), (20.0, 6.0)]);
        for i in 0..=10 {
            let frame = 10.0 + i as f32;
            assert!((s.at(frame).unwrap() - (2.0 + 0.4 * i as f32)).abs() < 1e-6);
        }
    }

    /// Compares with the formula of docs/js3d.md, section 9, with a mirrored knot on each side, written out
    /// in f64.
    #[test]
    fn uneven_knots_follow_the_hermite_formula() {
        let knots = [(0.0, 1.0), (1.0, 3.0), (4.0, -2.0), (6.0, 0.5)];
        let s = spline(&knots.map(|(t, v)| (t as f32, v as f32)));
        let mirror = |a: (f64, f64), b: (f64, f64)| (2.0 * a.0 - b.0, 2.0 * a.1 - b.1);
        let mut all = vec![mirror(knots[0], knots[1])];
        all.extend(knots);
        all.push(mirror(knots[3], knots[2]));
        for k in all.windows(4) {
            for i in 0..8 {
                let u = f64::from(i) / 8.0;
                let (t1, t2) = (k[1].0, k[2].0);
                let m1 = (k[2].1 - k[0].1) / (k[2].0 - k[0].0) * (t2 - t1);
                let m2 = (k[3].1 - k[1].1) / (k[3].0 - k[1].0) * (t2 - t1);
                let expected = (2.0 * u.powi(3) - 3.0 * u.powi(2) + 1.0) * k[1].1
                    + (u.powi(3) - 2.0 * u.powi(2) + u) * m1
                    + (-2.0 * u.powi(3) + 3.0 * u.powi(2)) * k[2].1
                    + (u.powi(3) - u.powi(2)) * m2;
                let found = s.at((t1 + u * (t2 - t1)) as f32).unwrap();
                assert!((f64::from(found) - expected).abs() < 1e-5, "{found} is not {expected}");
            }
        }
    }

    /// Four knots, the middle segment at a quarter: v1 = 2, v2 = 5, tangents times width (5 - 0)/(6 - 1) * 2
    /// = 2 and (1 - 2)/(7 - 4) * 2 = -2/3. Hermite at 1/4: 27/32 * 2 + 9/64 * 2 + 5/32 * 5 - 3/64 * (-2/3).
    #[test]
    fn a_value_calculated_by_hand() {
        let s = spline(&[(1.0, 0.0f32), (4.0, 2.0), (6.0, 5.0), (7.0, 1.0)]);
        let expected = 27.0 / 32.0 * 2.0 + 9.0 / 64.0 * 2.0 + 5.0 / 32.0 * 5.0 + 3.0 / 64.0 * 2.0 / 3.0;
        assert!((s.at(4.5).unwrap() - expected).abs() < 1e-6);
        // The first segment leaves along its chord, 2, and arrives with (5 - 0)/(6 - 1) * 3 = 3. At a half:
        // (0 + 2)/2 + (2 - 3)/8.
        assert!((s.at(2.5).unwrap() - 0.875).abs() < 1e-6);
    }

    /// Files never contain such knots, but a spline constructed from them still gives finite numbers.
    #[test]
    fn knots_of_equal_time_do_not_divide_by_zero() {
        let s = spline(&[(0.0, 0.0f32), (2.0, 1.0), (2.0, 3.0), (2.0, 4.0), (5.0, 6.0), (5.0, 7.0)]);
        for i in -2..14 {
            assert!(s.at(i as f32 * 0.5).unwrap().is_finite());
        }
    }

    #[test]
    fn hints_never_change_the_value() {
        let knots: Vec<(f32, f32)> = (0..40).map(|i| ((i * i) as f32, (i % 7) as f32)).collect();
        for count in [0, 1, 2, 3, 40] {
            let s = spline(&knots[..count]);
            for hint in [0, 1, 2, 5, 39, 40, 41, usize::MAX] {
                for i in -3..400 {
                    let (frame, mut hint) = (i as f32 * 4.3, hint);
                    assert_eq!(s.at_with_hint(frame, &mut hint), s.at(frame));
                    assert_eq!(hint, s.next_knot(frame));
                }
                let mut hint = hint;
                assert_eq!(s.at_with_hint(f32::NAN, &mut hint), s.at(f32::NAN));
            }
        }
    }

    /// In playback the knot is always found near the last one, without a search.
    #[test]
    fn playback_looks_at_three_knots_at_most() {
        let s = spline(&(0..5000).map(|i| (i as f32 * 0.75, i as f32)).collect::<Vec<_>>());
        let mut hint = 0;
        for frame in 0..3750 {
            assert!(s.next_knot_near(frame as f32, hint).is_some(), "frame {frame}");
            s.at_with_hint(frame as f32, &mut hint);
        }
        assert_eq!(s.next_knot_near(0.0, hint), None);
    }

    #[test]
    fn knots_are_inserted_in_order_and_removed() {
        let mut s = Spline::default();
        for frame in [5.0, 1.0, 3.0] {
            assert_eq!(s.insert(frame, frame), None);
        }
        assert_eq!(s.insert(3.0, 9.0), Some(3.0));
        assert_eq!(s.knots, [(1.0, 1.0), (3.0, 9.0), (5.0, 5.0)]);
        assert_eq!((s.remove(2.0), s.remove(3.0), s.remove(3.0)), (None, Some(9.0), None));
        assert_eq!(s.knots, [(1.0, 1.0), (5.0, 5.0)]);
    }

    /// A moving hold: -40 to -41 in 16 frames after a fast turn, which Catmull-Rom leaves by 6.
    #[test]
    fn clamped_curves_stay_within_their_keys() {
        let hold = [(0.0, 0.0f32), (8.0, -40.0), (24.0, -41.0), (32.0, 0.0)];
        let values = |mode: Mode| {
            let mut curve = spline(&hold);
            (0..4).for_each(|key| curve.set_mode(key, mode));
            (16..=48).map(|half| curve.at(half as f32 * 0.5).unwrap()).collect::<Vec<f32>>()
        };
        let least = |values: &[f32]| values.iter().copied().fold(f32::INFINITY, f32::min);
        assert!(least(&values(Mode::Auto)) < -45.0);
        let clamped = values(Mode::Clamped);
        assert!(least(&clamped) >= -41.0 && clamped.windows(2).all(|pair| pair[1] <= pair[0]), "{clamped:?}");
        let mut random = crate::testing::Random::new(3);
        for _ in 0..1000 {
            let mut time = 0.0;
            let knots: Vec<(f32, Vec3)> = (0..6)
                .map(|_| {
                    time += 0.5 + random.below(40) as f32 * 0.25;
                    (time, Vec3::from_array(std::array::from_fn(|_| random.below(9) as f32 * 20.0 - 80.0)))
                })
                .collect();
            let mut curve = spline(&knots);
            (0..6).for_each(|key| curve.set_mode(key, Mode::Clamped));
            for pair in knots.windows(2) {
                let (low, high) = (pair[0].1.min(pair[1].1) - 1e-4, pair[0].1.max(pair[1].1) + 1e-4);
                for step in 0..16 {
                    let value = curve.at(pair[0].0 + (pair[1].0 - pair[0].0) * step as f32 / 16.0).unwrap();
                    assert!(low.cmple(value).all() && value.cmple(high).all(), "{value} in {knots:?}");
                }
            }
        }
    }

    #[test]
    fn equal_values_stay_exactly_equal() {
        let s = spline(&[(0.0, 0.3f32), (1.0, 0.3), (2.5, 0.3)]);
        for i in 0..100 {
            assert_eq!(s.at(i as f32 * 0.03), Some(0.3));
        }
    }

    #[test]
    fn booleans_hold_the_last_knot() {
        let s = spline(&[(1.0, true), (3.0, false), (5.0, true)]);
        let values = [0.0, 1.0, 2.9, 3.0, 4.0, 5.0, 9.0].map(|t| s.at(t));
        assert_eq!(values, [true, true, true, false, false, true, true].map(Some));
    }

    #[test]
    fn rotations_take_the_shorter_arc_at_constant_speed() {
        let to = Quat::from_rotation_z(1.2);
        for end in [to, -to] {
            let s = spline(&[(0.0, Quat::IDENTITY), (4.0, end)]);
            let found = s.at(1.0).unwrap();
            let expected = Quat::from_rotation_z(0.3);
            assert!(found.dot(expected).abs() > 1.0 - 1e-6, "{found} is not {expected}");
        }
    }
}
