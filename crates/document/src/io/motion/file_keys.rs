//! The keys of a file, kept with the way that the curve goes from one to the next: it holds, is straight, or has slopes that
//! are fitted to the frames in between. A cubic of the file has its own slopes again; what is none here, such as the angles
//! of rotations, is within the tolerance at every frame, or the keys are not kept.

use super::keys::Samples;
use crate::anim::mode::{Mode, Slope, Slopes};
use crate::anim::spline::{Interpolate, Spline};
use glam::{DVec3, Quat, Vec3};

/// Values closer than this part of the tolerance are equal, and such lines straight.
const EXACT: f64 = 0.05;

impl Samples {
    /// Returns the curve through the values at `keys` (samples, ascending, from the first to the last) if it is within the
    /// tolerance at all samples. `error` computes the error of a value at a sample.
    pub fn curve_through(
        &self,
        values: &[Vec3],
        keys: &[usize],
        tolerance: f64,
        error: impl Fn(Vec3, usize) -> f64,
    ) -> Option<Spline<Vec3>> {
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
        self.is_within(&spline, tolerance, error).then_some(spline)
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
        let found = samples.curve_through(&values, &[0, 6, 12, 20, 29], 1e-4, error).unwrap();
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
        // A key that is missing leaves the tolerance.
        assert_eq!(samples.curve_through(&values, &[0, 12, 20, 29], 1e-4, error), None);
    }

    #[test]
    fn one_frame_in_between_has_the_smallest_slopes() {
        let values = [Vec3::ZERO, Vec3::new(0.75, 0.0, 0.0), Vec3::X];
        let error = |value: Vec3, sample: usize| f64::from(value.distance(values[sample]));
        let found = samples(3).curve_through(&values, &[0, 2], 1e-4, error).unwrap();
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
