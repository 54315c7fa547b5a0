//! Cubic Hermite segments between two knots: the slopes that modes and people give them.

use super::mode::{AuthoredCurve, Mode, Slope};
use glam::{Mat4, Vec2, Vec3, Vec4};
use std::ops::{Add, Mul, Sub};

/// The keys of a curve: frames and values, and what was authored besides.
pub type Keys<'a, T> = (&'a [(f32, T)], &'a AuthoredCurve<T>);

/// A value with components.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<f32, Output = Self> + Components
{
}

impl<T> Number for T where T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f32, Output = T> + Components {}

/// Component by component.
pub trait Components: Sized {
    /// Returns the result of a function of the same component of three values, for each component.
    fn combined(self, a: Self, b: Self, component: impl Fn(f32, f32, f32) -> f32) -> Self;
}

impl Components for f32 {
    fn combined(self, a: Self, b: Self, component: impl Fn(f32, f32, f32) -> f32) -> Self {
        component(self, a, b)
    }
}

macro_rules! components {
    ($($type:ty, $to:ident, $from:ident;)*) => {$(
        impl Components for $type {
            fn combined(self, a: Self, b: Self, component: impl Fn(f32, f32, f32) -> f32) -> Self {
                let (mut values, a, b) = (self.$to(), a.$to(), b.$to());
                values.iter_mut().zip(a.iter().zip(&b)).for_each(|(value, (a, b))| *value = component(*value, *a, *b));
                Self::$from(&values)
            }
        }
    )*};
}
components! {
    Vec2, to_array, from_slice;
    Vec3, to_array, from_slice;
    Vec4, to_array, from_slice;
    Mat4, to_cols_array, from_cols_array;
}

/// Returns a tangent, or 0 between equal values.
fn flattened(tangent: f32, a: f32, b: f32) -> f32 {
    if a == b { 0.0 } else { tangent }
}

/// Returns the tangent at a key between two chords such that the curve is monotonous on both sides: 0 where they change direction,
/// otherwise at most three times the flatter one (Fritsch and Carlson 1980, "Monotone piecewise cubic interpolation").
fn limited(tangent: f32, before: f32, after: f32) -> f32 {
    if before * after <= 0.0 {
        return 0.0;
    }
    let most = 3.0 * before.abs().min(after.abs());
    tangent.clamp(-most, most)
}

/// Returns the value at `frame` within the segment after knot `before`.
pub fn at<T: Number>(curve: Keys<'_, T>, before: usize, frame: f32) -> T {
    let ((t1, v1), (t2, v2)) = (curve.0[before], curve.0[before + 1]);
    let part = || fraction(t1, t2, frame) as f32;
    match curve.1.mode(before) {
        Mode::Hold => return v1,
        Mode::Linear => return v1 + (v2 - v1) * part(),
        Mode::Ease(ease) => return v1 + (v2 - v1) * ease.at(part()),
        Mode::Auto | Mode::Smooth | Mode::Clamped => {}
    }
    cubic([(t1, v1), (t2, v2)], tangents(curve, before), frame)
}

/// Returns the value at `frame` of the cubic curve between two knots that leaves the first and arrives at the second with
/// given tangents, which are slopes times the width.
pub fn cubic<T: Number>([(t1, v1), (t2, v2)]: [(f32, T); 2], [leave, arrive]: [T; 2], frame: f32) -> T {
    let rise = v2 - v1;
    let u = fraction(t1, t2, frame);
    let (u2, u3) = (u * u, u * u * u);
    v1 + rise * (3.0 * u2 - 2.0 * u3) as f32 + leave * (u3 - 2.0 * u2 + u) as f32 + arrive * (u3 - u2) as f32
}

/// Returns the slopes in value per frame before and behind a frame between the first and the last knot.
pub fn slopes_at<T: Number>(curve: Keys<'_, T>, frame: f32) -> [T; 2] {
    match curve.0.binary_search_by(|(time, _)| time.total_cmp(&frame)) {
        Ok(knot) => slopes(curve, knot),
        Err(_) => [slope_between(curve, frame); 2],
    }
}

/// Returns the slope at a frame between two knots; 0 outside.
fn slope_between<T: Number>(curve: Keys<'_, T>, frame: f32) -> T {
    let next = curve.0.partition_point(|&(time, _)| time < frame);
    let zero = || curve.0[next.saturating_sub(1)].1 * 0.0;
    let (Some(before), true) = (next.checked_sub(1), next < curve.0.len()) else {
        return curve.0.first().map_or_else(zero, |(_, value)| *value * 0.0);
    };
    let ((t1, v1), (t2, v2)) = (curve.0[before], curve.0[next]);
    let per_frame = (1.0 / (f64::from(t2) - f64::from(t1))) as f32;
    let u = fraction(t1, t2, frame) as f32;
    match curve.1.mode(before) {
        Mode::Hold => zero(),
        Mode::Linear => (v2 - v1) * per_frame,
        Mode::Ease(ease) => {
            let (from, to) = ((u - 1e-3).max(0.0), (u + 1e-3).min(1.0));
            (v2 - v1) * ((ease.at(to) - ease.at(from)) / (to - from) * per_frame)
        }
        Mode::Auto | Mode::Smooth | Mode::Clamped => {
            let [leave, arrive] = tangents(curve, before);
            let slope = (v2 - v1) * (6.0 * u * (1.0 - u)) + leave * (3.0 * u * u - 4.0 * u + 1.0);
            (slope + arrive * (3.0 * u * u - 2.0 * u)) * per_frame
        }
    }
}

/// Returns the slopes in value per frame with which the curve arrives at a knot and leaves it. Beyond the first and the last
/// knot, they are those of the other side.
pub fn slopes<T: Number>(curve: Keys<'_, T>, knot: usize) -> [T; 2] {
    let last = curve.0.len().saturating_sub(1);
    let arrive = knot.checked_sub(1).map(|before| ends(curve, before)[1]);
    let leave = (knot < last).then(|| ends(curve, knot)[0]);
    [arrive.or(leave), leave.or(arrive)].map(|slope| slope.unwrap_or(curve.0[knot].1 * 0.0))
}

/// Returns the slopes at the two ends of the segment after knot `before`.
fn ends<T: Number>(curve: Keys<'_, T>, before: usize) -> [T; 2] {
    let ((t1, v1), (t2, v2)) = (curve.0[before], curve.0[before + 1]);
    let per_frame = (1.0 / (f64::from(t2) - f64::from(t1))) as f32;
    match curve.1.mode(before) {
        Mode::Hold => [v1 * 0.0; 2],
        Mode::Linear => [(v2 - v1) * per_frame; 2],
        Mode::Ease(ease) => ease.end_slopes().map(|slope| (v2 - v1) * (slope * per_frame)),
        Mode::Auto | Mode::Smooth | Mode::Clamped => {
            tangents(curve, before).map(|tangent| tangent * per_frame)
        }
    }
}

/// Returns the tangents at both ends of a cubic segment, times its width.
fn tangents<T: Number>(curve: Keys<'_, T>, before: usize) -> [T; 2] {
    let knots = curve.0;
    let ((t1, v1), (t2, v2)) = (knots[before], knots[before + 1]);
    let rise = v2 - v1;
    let width = f64::from(t2) - f64::from(t1);
    // Mirroring makes the tangent at an end equal to the chord's.
    let tangent =
        |(t0, v0): (f32, T), (t3, v3): (f32, T)| (v3 - v0) * (width / (f64::from(t3) - f64::from(t0))) as f32;
    let (mode, chosen) = (curve.1.mode(before), [before, before + 1].map(|knot| curve.1.slopes(knot)));
    let end = |knot: (f32, T), far: (f32, T), outer: Option<usize>, slope: Option<Slope<T>>| {
        let mode = match slope {
            Some(Slope::Set(slope)) => return slope * width as f32,
            Some(Slope::Of(side)) => side.into(),
            None => mode,
        };
        let outer = outer.and_then(|outer| knots.get(outer).copied());
        let through = outer.map_or(rise, |outer| tangent(far, outer));
        match mode {
            Mode::Linear => rise,
            Mode::Smooth => outer
                .map_or(through, |outer| through.combined(knot.1, outer.1, flattened))
                .combined(v1, v2, flattened),
            // Nothing moves before the first key and behind the last, so that the curve is level there, as in Blender and Maya.
            Mode::Clamped => {
                outer.map_or(rise * 0.0, |outer| through.combined(tangent(knot, outer), rise, limited))
            }
            _ => through,
        }
    };
    [
        end((t1, v1), (t2, v2), before.checked_sub(1), chosen[0].leave),
        end((t2, v2), (t1, v1), Some(before + 2), chosen[1].arrive),
    ]
}

/// Returns the position of `frame` between two times: 0 to 1.
pub fn fraction(from: f32, to: f32, frame: f32) -> f64 {
    (f64::from(frame) - f64::from(from)) / (f64::from(to) - f64::from(from))
}
