//! The keys of a file, kept with the way that the curve goes from one to the next: it holds, is straight, or has slopes that
//! are fitted to the frames in between. A cubic of the file has its own slopes again; what is none here, such as the angles
//! of rotations, has as many more keys as keep it within the tolerance.

use super::keys::Samples;
use crate::anim::mode::{Mode, Slope, Slopes};
use crate::anim::spline::{Interpolate, Spline};
use glam::{DVec3, Quat, Vec3};
use std::collections::BTreeSet;

/// Values closer than this part of the tolerance are equal, and such lines straight.
const EXACT: f64 = 0.05;

impl Samples {
    /// Returns the curve through the values at `keys`, and at those of `fixed` that are no ends of takes (samples,
    /// ascending), if it is within the tolerance at all samples. Where no cubic from key to key is, whole frames
    /// halfway get keys too. `error` computes the error of a value at a sample.
    pub fn curve_through(
        &self,
        values: &[Vec3],
        [keys, fixed]: [&[usize]; 2],
        tolerance: f64,
        error: impl Fn(Vec3, usize) -> f64,
    ) -> Option<Spline<Vec3>> {
        let inner = fixed.iter().filter(|sample| !self.ends.contains(sample));
        let mut keys: BTreeSet<usize> = keys.iter().chain(inner).copied().collect();
        loop {
            let all: Vec<usize> = keys.iter().copied().collect();
            let spline = self.curve(values, &all, tolerance)?;
            let is_off = |sample: &usize| {
                let value = spline.at(self.frames[*sample]);
                value.is_none_or(|value| error(value, *sample) > tolerance)
            };
            let more: Vec<usize> = all
                .windows(2)
                .filter(|pair| (pair[0] + 1..pair[1]).any(|sample| is_off(&sample)))
                .filter_map(|pair| self.halfway([pair[0], pair[1]]))
                .collect();
            if more.is_empty() {
                return (!(0..values.len()).any(|sample| is_off(&sample))).then_some(spline);
            }
            keys.extend(more);
        }
    }

    /// Returns the sample at a whole frame between two others that is halfway, if there is one.
    fn halfway(&self, [a, b]: [usize; 2]) -> Option<usize> {
        let whole: Vec<usize> = (a + 1..b).filter(|sample| self.is_whole(*sample)).collect();
        whole.get(whole.len() / 2).copied()
    }

    /// Returns the curve through the values at `keys` that is closest to those between them.
    fn curve(&self, values: &[Vec3], keys: &[usize], tolerance: f64) -> Option<Spline<Vec3>> {
        let (mut spline, intervals) = self.knots_through(values, keys)?;
        let mut mode = Mode::Linear;
        let mut slopes = vec![Slopes::default(); keys.len()];
        for (index, [a, b]) in intervals.into_iter().enumerate() {
            let between = (a + 1..b).map(|sample| (self.fraction([a, b], sample), values[sample].as_dvec3()));
            let between: Vec<(f64, DVec3)> = between.collect();
            let [from, to] = [values[a].as_dvec3(), values[b].as_dvec3()];
            mode = match plain_mode([from, to], &between, EXACT * tolerance, mode) {
                Some(mode) => mode,
                None => {
                    let width = f64::from(self.frames[b] - self.frames[a]);
                    let [leave, arrive] =
                        fitted([from, to], &between).map(|tangent| (tangent / width).as_vec3());
                    slopes[index].leave = Some(Slope::Set(leave));
                    slopes[index + 1].arrive = Some(Slope::Set(arrive));
                    Mode::Clamped
                }
            };
            spline.set_mode(index, mode);
        }
        spline.set_mode(keys.len() - 1, mode);
        for (index, slopes) in slopes.into_iter().enumerate().filter(|(_, slopes)| slopes.is_free()) {
            spline.set_slopes(index, slopes);
        }
        Some(spline)
    }

    /// The same for rotations, which hold or turn evenly.
    pub fn rotations_through(
        &self,
        values: &[Quat],
        keys: &[usize],
        tolerance: f64,
        error: impl Fn(Quat, usize) -> f64,
    ) -> Option<Spline<Quat>> {
        let (mut spline, intervals) = self.knots_through(values, keys)?;
        for (index, [a, b]) in intervals.into_iter().enumerate() {
            let stays = |sample: usize| error(values[a], sample) <= EXACT * tolerance;
            if b - a > 1 && !stays(b) && (a + 1..b).all(stays) {
                spline.set_mode(index, Mode::Hold);
            }
        }
        self.is_within(&spline, tolerance, error).then_some(spline)
    }

    /// Returns the curve through values at keys, and the intervals between them.
    fn knots_through<T: Copy>(&self, values: &[T], keys: &[usize]) -> Option<(Spline<T>, Vec<[usize; 2]>)> {
        let is_valid = keys.len() > 1 && keys.is_sorted_by(|a, b| a < b) && *keys.last()? < values.len();
        let knots = || keys.iter().map(|key| (self.frames[*key], values[*key])).collect();
        let intervals = || keys.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        (is_valid && !self.all_frames).then(|| (Spline::from_knots(knots()), intervals()))
    }

    fn fraction(&self, [a, b]: [usize; 2], sample: usize) -> f64 {
        let [from, to, frame] = [a, b, sample].map(|sample| f64::from(self.frames[sample]));
        (frame - from) / (to - from)
    }

    fn is_within<T: Interpolate>(
        &self,
        spline: &Spline<T>,
        tolerance: f64,
        error: impl Fn(T, usize) -> f64,
    ) -> bool {
        let off = |(sample, frame): (usize, &f32)| spline.at(*frame).map(|value| error(value, sample));
        self.frames.iter().enumerate().all(|place| off(place).is_some_and(|error| error <= tolerance))
    }
}

/// Returns the mode without slopes that values between two keys follow, at their fractions of the way: they hold, or lie on
/// the straight line; `None` if they do neither. Without values in between, it goes on as `before`, which may hold.
fn plain_mode([from, to]: [DVec3; 2], between: &[(f64, DVec3)], exact: f64, before: Mode) -> Option<Mode> {
    let holds = between.iter().all(|(_, value)| value.distance(from) <= exact);
    let is_straight = between.iter().all(|(part, value)| value.distance(from.lerp(to, *part)) <= exact);
    match (holds, is_straight) {
        (true, true) if before == Mode::Hold => Some(Mode::Hold),
        (_, true) => Some(Mode::Linear),
        (true, false) => Some(Mode::Hold),
        (false, false) => None,
    }
}

/// Returns the tangents at both ends, times the width, of the cubic between two keys that is closest to the values in between,
/// by least squares.
fn fitted([from, to]: [DVec3; 2], between: &[(f64, DVec3)]) -> [DVec3; 2] {
    // The tangents are those of the straight line, and what is missing.
    let (mut aa, mut ab, mut bb) = (0.0, 0.0, 0.0);
    let (mut ar, mut br) = (DVec3::ZERO, DVec3::ZERO);
    for (u, value) in between {
        let [a, b] = [u * (u - 1.0) * (u - 1.0), u * u * (u - 1.0)];
        let rest = *value - from.lerp(to, *u);
        (aa, ab, bb) = (aa + a * a, ab + a * b, bb + b * b);
        (ar, br) = (ar + rest * a, br + rest * b);
    }
    // One value alone does not say both: then the smallest ones do.
    let least = 1e-10 * (aa + bb);
    let [aa, bb] = [aa + least, bb + least];
    let divisor = aa * bb - ab * ab;
    let rise = to - from;
    [(ar * bb - br * ab) / divisor, (br * aa - ar * ab) / divisor].map(|missing| rise + missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(count: usize) -> Samples {
        Samples { frames: (0..count).map(|frame| frame as f32).collect(), ..Samples::default() }
    }

    /// The values of a curve at all samples.
    fn values(curve: &Spline<Vec3>, count: usize) -> Vec<Vec3> {
        (0..count).map(|frame| curve.at(frame as f32).unwrap()).collect()
    }

    #[test]
    fn holds_lines_and_cubics_are_found_again() {
        let knots = [(0.0, Vec3::ZERO), (6.0, Vec3::X), (12.0, Vec3::Y), (20.0, Vec3::Z), (29.0, Vec3::ONE)];
        let mut curve = Spline::from_knots(knots.to_vec());
        for (key, mode) in
            [Mode::Clamped, Mode::Hold, Mode::Linear, Mode::Clamped, Mode::Clamped].into_iter().enumerate()
        {
            curve.set_mode(key, mode);
        }
        let [leave, arrive] =
            [Vec3::new(0.5, -0.25, 0.1), Vec3::new(0.0, 1.0, -0.2)].map(|slope| Some(Slope::Set(slope)));
        curve.set_slopes(0, Slopes { leave, ..Slopes::default() });
        curve.set_slopes(1, Slopes { arrive, ..Slopes::default() });
        curve.set_slopes(3, Slopes { leave: arrive, ..Slopes::default() });
        curve.set_slopes(4, Slopes { arrive: leave, ..Slopes::default() });
        let (samples, values) = (samples(30), values(&curve, 30));
        let error = |value: Vec3, sample: usize| f64::from(value.distance(values[sample]));
        let found = samples.curve_through(&values, [&[0, 6, 12, 20, 29], &[]], 1e-4, error).unwrap();
        let modes: Vec<Mode> = (0..4).map(|key| found.authored.mode(key)).collect();
        assert_eq!(modes, [Mode::Clamped, Mode::Hold, Mode::Linear, Mode::Clamped]);
        for (key, was) in curve.authored.slopes.iter().enumerate() {
            let is = found.authored.slopes(key);
            for sides in [(was.arrive, is.arrive), (was.leave, is.leave)] {
                let [was, is] = <[_; 2]>::from(sides).map(|side| side.and_then(Slope::fixed));
                assert_eq!(was.is_some(), is.is_some(), "key {key}");
                assert!(
                    was.zip(is).is_none_or(|(was, is)| was.distance(is) < 1e-4),
                    "key {key}: {was:?} {is:?}"
                );
            }
        }
        // A key that is missing, or that is needed anyway, is one more.
        assert_eq!(samples.curve_through(&values, [&[0, 12, 20, 29], &[]], 1e-4, error), Some(found.clone()));
        let more = samples.curve_through(&values, [&[0, 6, 12, 20, 29], &[3]], 1e-4, error).unwrap();
        let frames: Vec<f32> = more.knots.iter().map(|knot| knot.0).collect();
        assert_eq!(frames, [0.0, 3.0, 6.0, 12.0, 20.0, 29.0]);
    }

    #[test]
    fn keys_between_frames_keep_their_cubics() {
        let knots = [(0.0, Vec3::ZERO), (5.37, Vec3::X), (11.81, Vec3::Y), (24.0, Vec3::ONE)];
        let mut curve = Spline::from_knots(knots.to_vec());
        for key in 0..4 {
            curve.set_mode(key, Mode::Clamped);
            let slope = Vec3::new(0.2, -0.1, 0.05) * key as f32;
            curve.set_slopes(key, Slopes::fixed(Some(slope), Some(slope * 0.5)));
        }
        let mut frames: Vec<f32> = (0..25).map(|frame| frame as f32).chain([5.37, 11.81]).collect();
        frames.sort_by(f32::total_cmp);
        let samples = Samples { frames, ends: vec![0, 26], ..Samples::default() };
        let values: Vec<Vec3> = samples.frames.iter().map(|frame| curve.at(*frame).unwrap()).collect();
        let keys = [0.0, 5.37, 11.81, 24.0].map(|frame| samples.near(frame).unwrap());
        let found = samples.points(&values, 1e-4, &[0, 26], Some(&keys));
        assert_eq!(found.knots, curve.knots);
        for step in 0..=2400 {
            let frame = step as f32 * 0.01;
            let (is, was) = (found.at(frame).unwrap(), curve.at(frame).unwrap());
            assert!(is.distance(was) < 1e-4, "frame {frame}: {is} is not {was}");
        }
        // Without keys of the file, all are at whole frames.
        let reduced = samples.points(&values, 1e-4, &[0, 26], None);
        assert!(reduced.knots.iter().all(|knot| knot.0.fract() == 0.0) && reduced.knots.len() > 8);
    }

    /// A pendulum told by three keys is no cubic: it gets a few more keys, as few as halving needs.
    #[test]
    fn what_is_no_cubic_gets_a_few_more_keys() {
        let values: Vec<Vec3> = (0..49).map(|frame| Vec3::X * 40.0 * (frame as f32 / 12.0).sin()).collect();
        let error = |value: Vec3, sample: usize| f64::from(value.distance(values[sample]));
        let found = samples(49).curve_through(&values, [&[0, 24, 48], &[]], 0.01, error).unwrap();
        let frames: Vec<f32> = found.knots.iter().map(|knot| knot.0).collect();
        assert!(
            [0.0, 24.0, 48.0].iter().all(|frame| frames.contains(frame)) && frames.len() <= 9,
            "{frames:?}"
        );
        assert!((0..49).all(|frame| error(found.at(frame as f32).unwrap(), frame) <= 0.01));
    }

    #[test]
    fn one_frame_in_between_has_the_smallest_slopes() {
        let values = [Vec3::ZERO, Vec3::new(0.75, 0.0, 0.0), Vec3::X];
        let error = |value: Vec3, sample: usize| f64::from(value.distance(values[sample]));
        let found = samples(3).curve_through(&values, [&[0, 2], &[]], 1e-4, error).unwrap();
        let [leave, arrive] = [found.authored.slopes(0).leave, found.authored.slopes(1).arrive]
            .map(|side| side.unwrap().fixed().unwrap());
        assert!(leave.distance(Vec3::X) < 1e-4 && arrive.distance(Vec3::ZERO) < 1e-4, "{leave} {arrive}");
    }

    #[test]
    fn rotations_hold_or_turn_evenly() {
        let turn = |angle: f32| Quat::from_rotation_y(angle);
        let values: Vec<Quat> = [0.0, 0.0, 0.0, 1.0, 1.25, 1.5, 1.75, 2.0].map(turn).to_vec();
        let error = |value: Quat, sample: usize| f64::from(value.angle_between(values[sample])).to_degrees();
        let found = samples(8).rotations_through(&values, &[0, 3, 7], 0.1, error).unwrap();
        assert_eq!((found.authored.mode(0), found.authored.mode(1)), (Mode::Hold, Mode::Auto));
        assert_eq!(samples(8).rotations_through(&values, &[0, 7], 0.1, error), None);
    }
}
