//! Curves with fewer keys.

use super::hermite::{Number, cubic, slopes};
use super::mode::{Mode, Slope, Slopes};
use super::spline::{Interpolate, Spline};

/// The greatest number of frames between two keys that are left.
const LONGEST: usize = 10_000;

impl<T: Number + Interpolate> Spline<T> {
    /// Returns the curve with as few keys as possible, the same at every key and whole frame to within `tolerance` in each
    /// component. Keys that remain keep their values and get slopes of their own, the same on both sides where that is within
    /// the tolerance. Keys that `may_go` keeps remain, and those at a hold or an ease. Straight lines, with which clips tell a
    /// motion frame by frame, become cubic where keys between them go.
    ///
    /// From the first key on, the next one that remains is the farthest to which a cubic segment fits. Since parts of a cubic are
    /// cubics, a curve that was baked gets no more keys than it had. Then each key goes where the larger error of its two
    /// segments is least.
    pub fn simplified(&self, tolerance: f32, may_go: impl Fn(f32) -> bool) -> Self {
        let count = self.knots.len();
        let fit = Fit::new(self);
        let can_go = |knot: &usize| {
            let is_inner = 0 < *knot && *knot + 1 < count;
            is_inner && fit.can_span(*knot) && fit.can_span(*knot - 1) && may_go(self.knots[*knot].0)
        };
        let fixed: Vec<usize> = (0..count).filter(|knot| !can_go(knot)).collect();
        let between = fixed.windows(2).flat_map(|ends| fit.keys([ends[0], ends[1]], tolerance));
        let left: Vec<usize> = fixed.first().copied().into_iter().chain(between).collect();
        if left.len() == count { self.clone() } else { fit.curve(&left, tolerance) }
    }

    /// Returns the curve without the keys at which `goes` holds. Those beside them get slopes with which the curve stays as it is,
    /// as far as it can.
    pub fn dissolved(&self, goes: impl Fn(f32) -> bool) -> Self {
        let fit = Fit::new(self);
        let left: Vec<usize> = (0..self.knots.len()).filter(|knot| !goes(self.knots[*knot].0)).collect();
        let mut curve = self.clone();
        for (frame, _) in self.knots.iter().filter(|(frame, _)| goes(*frame)) {
            curve.remove(*frame);
        }
        for (index, pair) in left.windows(2).enumerate().filter(|(_, pair)| pair[1] - pair[0] > 1) {
            let [leave, arrive] = fit.slopes([pair[0], pair[1]]);
            let [mut start, mut end] = [index, index + 1].map(|knot| curve.authored.slopes(knot));
            // The other sides keep theirs, whose modes had the keys that go as neighbours.
            let other =
                |slope: Option<Slope<T>>, measured: T| slope.and_then(Slope::fixed).or(Some(measured));
            start = Slopes::fixed(other(start.arrive, fit.slopes[pair[0]][0]), Some(leave));
            end = Slopes::fixed(Some(arrive), other(end.leave, fit.slopes[pair[1]][1]));
            curve.set_mode(index, Mode::Clamped);
            curve.set_slopes(index, start);
            curve.set_slopes(index + 1, end);
        }
        curve
    }

    /// The value at every whole frame and every key.
    fn samples(&self) -> Vec<(f32, T)> {
        let mut samples = Vec::new();
        let mut hint = 0;
        for pair in self.knots.windows(2) {
            samples.push(pair[0]);
            let (first, last) = (pair[0].0.floor() + 1.0, pair[1].0.ceil() - 1.0);
            // Frames beyond those that count are not visited one by one.
            let frames = Some(last - first + 1.0).filter(|count| (0.0..1e6).contains(count));
            samples.extend((0..frames.unwrap_or(0.0) as u32).filter_map(|frame| {
                let frame = first + frame as f32;
                Some((frame, self.at_with_hint(frame, &mut hint)?))
            }));
        }
        samples.extend(self.knots.last());
        samples
    }
}

/// The fit of cubic segments to a curve.
struct Fit<'a, T> {
    curve: &'a Spline<T>,
    samples: Vec<(f32, T)>,
    /// The slopes that the curve has before and behind each knot.
    slopes: Vec<[T; 2]>,
}

impl<'a, T: Number + Interpolate> Fit<'a, T> {
    fn new(curve: &'a Spline<T>) -> Self {
        let slopes =
            (0..curve.knots.len()).map(|knot| slopes((&curve.knots, &curve.authored), knot)).collect();
        Self { curve, samples: curve.samples(), slopes }
    }

    /// Whether the curve behind a knot is cubic, or a straight line, which a cubic segment can follow.
    fn can_span(&self, knot: usize) -> bool {
        !matches!(self.curve.authored.mode(knot), Mode::Hold | Mode::Ease(_))
    }

    /// The mode of a segment between knots that remain: a straight line that spans others becomes cubic.
    fn mode(&self, [start, end]: [usize; 2]) -> Mode {
        match self.curve.authored.mode(start) {
            Mode::Linear if end - start > 1 => Mode::Clamped,
            mode => mode,
        }
    }

    /// The samples strictly between two knots.
    fn between(&self, segment: [usize; 2]) -> &[(f32, T)] {
        let [start, end] = segment.map(|knot| self.curve.knots[knot].0);
        let [from, to] = [start, end].map(|frame| self.samples.partition_point(|(at, _)| *at < frame));
        &self.samples[(from + 1).min(to)..to]
    }

    /// Returns the slopes at the two ends of a segment with which it fits the curve best: least squares, with a weak pull to
    /// the slopes that the curve has there, which decides where there are few samples.
    fn slopes(&self, segment: [usize; 2]) -> [T; 2] {
        const PULL: f32 = 1e-3;
        let [(start, a), (end, b)] = segment.map(|knot| self.curve.knots[knot]);
        let measured = [self.slopes[segment[0]][1], self.slopes[segment[1]][0]];
        let between = self.between(segment);
        if between.len() > LONGEST {
            return measured;
        }
        let width = end - start;
        let measured = measured.map(|slope| slope * width);
        let (mut square, mut right) = ([PULL, 0.0, PULL], measured.map(|tangent| tangent * PULL));
        for &(frame, value) in between {
            let u = (frame - start) / width;
            let [leave, arrive] = [u * (1.0 - u).powi(2), u * u * (u - 1.0)];
            let rest = value - cubic([(start, a), (end, b)], [a * 0.0; 2], frame);
            square = [square[0] + leave * leave, square[1] + leave * arrive, square[2] + arrive * arrive];
            right = [right[0] + rest * leave, right[1] + rest * arrive];
        }
        let [xx, xy, yy] = square;
        let scale = 1.0 / (xx * yy - xy * xy) / width;
        [(right[0] * yy - right[1] * xy) * scale, (right[1] * xx - right[0] * xy) * scale]
    }

    /// Returns the largest error of a segment with given slopes.
    fn error(&self, segment: [usize; 2], slopes: [T; 2]) -> f32 {
        let between = self.between(segment);
        if between.len() > LONGEST {
            return f32::INFINITY;
        }
        let knots = segment.map(|knot| self.curve.knots[knot]);
        let tangents = slopes.map(|slope| slope * (knots[1].0 - knots[0].0));
        let errors = between.iter().map(|(frame, value)| largest(cubic(knots, tangents, *frame) - *value));
        errors.fold(0.0, f32::max)
    }

    /// Returns the error of a segment with the slopes with which it fits best.
    fn least_error(&self, segment: [usize; 2]) -> f32 {
        self.error(segment, self.slopes(segment))
    }

    /// Returns the knots that remain behind the first up to the last one, if everything between them may go.
    fn keys(&self, [first, last]: [usize; 2], tolerance: f32) -> Vec<usize> {
        /// Every pass brings keys closer to their places; the first ones do most.
        const PASSES: usize = 4;
        let mut keys = vec![first];
        let mut from = first;
        while from < last {
            // Twice as far until it does not fit, then halfway between what fits and what does not.
            let (mut fitting, mut too_far) = (from + 1, last + 1);
            while too_far - fitting > 1 {
                let to = if too_far > last {
                    (2 * fitting - from).min(last)
                } else {
                    usize::midpoint(fitting, too_far)
                };
                let fits = self.least_error([from, to]) <= tolerance;
                *if fits { &mut fitting } else { &mut too_far } = to;
            }
            keys.push(fitting);
            from = fitting;
        }
        for _ in 0..PASSES {
            for at in 1..keys.len().saturating_sub(1) {
                keys[at] = self.placed([keys[at - 1], keys[at], keys[at + 1]], tolerance);
            }
        }
        keys.split_off(1)
    }

    /// Returns the knot between two others at which the errors of the segments to both are least: that in the middle, or
    /// one that is found in ever smaller steps from it.
    fn placed(&self, [before, mut knot, after]: [usize; 3], tolerance: f32) -> usize {
        let error = |knot| self.least_error([before, knot]).max(self.least_error([knot, after]));
        let mut least = error(knot);
        let mut step = (after - before) / 4;
        while step > 0 && (f32::MIN_POSITIVE..=tolerance).contains(&least) {
            let both = [knot.saturating_sub(step), knot + step];
            for other in both.into_iter().filter(|other| (before + 1..after).contains(other)) {
                let found = error(other);
                if found < least {
                    (least, knot) = (found, other);
                }
            }
            step /= 2;
        }
        knot
    }

    /// Returns the curve through some of the knots.
    fn curve(&self, left: &[usize], tolerance: f32) -> Spline<T> {
        let mut simple = Spline::from_knots(left.iter().map(|knot| self.curve.knots[*knot]).collect());
        let segments: Vec<[usize; 2]> = left.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        let modes: Vec<Mode> = segments.iter().map(|segment| self.mode(*segment)).collect();
        let mut slopes: Vec<[T; 2]> = segments.iter().map(|segment| self.slopes(*segment)).collect();
        for at in 1..segments.len() {
            if ![at - 1, at].iter().all(|segment| modes[*segment].is_cubic()) {
                continue;
            }
            let both = (slopes[at - 1][1] + slopes[at][0]) * 0.5;
            let joined = [[slopes[at - 1][0], both], [both, slopes[at][1]]];
            let fits = (0..2).all(|i| self.error(segments[at - 1 + i], joined[i]) <= tolerance);
            if fits {
                slopes[at - 1..=at].copy_from_slice(&joined);
            }
        }
        for (index, &knot) in left.iter().enumerate() {
            simple
                .set_mode(index, modes.get(index).copied().unwrap_or_else(|| self.curve.authored.mode(knot)));
            let slope = |segment: Option<usize>, end: usize| {
                let segment =
                    segment.filter(|segment| modes.get(*segment).is_some_and(|mode| mode.is_cubic()));
                segment.map(|segment| slopes[segment][end])
            };
            let arrive = slope(index.checked_sub(1), 1);
            simple.set_slopes(index, Slopes::fixed(arrive, slope(Some(index), 0)));
        }
        simple
    }
}

fn largest<T: Interpolate>(difference: T) -> f32 {
    difference.components().as_ref().iter().map(|component| component.abs()).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use glam::Vec3;
    use std::f32::consts::TAU;

    fn worst(a: &Spline<Vec3>, b: &Spline<Vec3>) -> f32 {
        let [from, to] = [a.knots[0].0, a.knots[a.knots.len() - 1].0];
        let frames = (from.ceil() as i32..=to.floor() as i32).map(|frame| frame as f32);
        frames.map(|frame| largest(a.at(frame).unwrap() - b.at(frame).unwrap())).fold(0.0, f32::max)
    }

    #[test]
    fn baked_curves_get_no_more_keys_than_they_had() {
        let mut random = Random::new(11);
        for mode in [Mode::Auto, Mode::Clamped] {
            let mut left = 0;
            for _ in 0..100 {
                let mut time = 0.0;
                let knots = (0..8).map(|_| {
                    let angles = std::array::from_fn(|_| random.below(90) as f32 - 45.0);
                    time += 4.0 + random.below(12) as f32;
                    (time, Vec3::from_array(angles))
                });
                let mut curve = Spline::from_knots(knots.collect());
                (0..8).for_each(|key| curve.set_mode(key, mode));
                let dense = Spline::from_knots(curve.samples());
                let simple = dense.simplified(0.5, |_| true);
                assert!(worst(&simple, &dense) <= 0.5);
                left += simple.knots.len();
            }
            assert!(left <= 800, "{mode:?}: {left} of 800");
        }
    }

    #[test]
    fn a_recorded_wave_keeps_few_keys() {
        // Ten swings with a key at each of 241 frames.
        let knots = (0..=240).map(|frame| (frame as f32, Vec3::X * 30.0 * (frame as f32 / 24.0 * TAU).sin()));
        let dense = Spline::from_knots(knots.collect());
        let simple = dense.simplified(0.1, |_| true);
        assert!(simple.knots.len() <= 36 && worst(&simple, &dense) <= 0.1, "{}", simple.knots.len());
        // Nothing is left to remove, and what does not move needs its two ends only.
        assert!(simple.simplified(0.01, |_| true).knots.len() >= simple.knots.len() - 1);
        let still = Spline::from_knots((0..5000).map(|frame| (frame as f32, Vec3::ONE)).collect());
        assert_eq!(still.simplified(0.01, |_| true).knots.len(), 2);
    }

    /// Noise needs nearly every key, and stillness none: neither takes long.
    #[test]
    fn a_hundred_thousand_keys_are_simplified() {
        let mut random = Random::new(3);
        let noise = (0..100_000).map(|frame| (frame as f32, Vec3::X * random.below(90) as f32));
        let noise = Spline::from_knots(noise.collect());
        let simple = noise.simplified(0.5, |_| true);
        assert!(worst(&simple, &noise) <= 0.5 && simple.knots.len() < 100_000, "{}", simple.knots.len());
        let still = Spline::from_knots((0..100_000).map(|frame| (frame as f32, Vec3::ONE)).collect());
        assert!(still.simplified(0.5, |_| true).knots.len() < 20);
    }

    /// As clips of other programs come in: linear keys at every frame, which become few cubic ones.
    #[test]
    fn linear_keys_at_every_frame_are_simplified() {
        let knots = (0..=240).map(|frame| (frame as f32, Vec3::X * 30.0 * (frame as f32 / 24.0 * TAU).sin()));
        let mut dense = Spline::from_knots(knots.collect());
        (0..241).for_each(|key| dense.set_mode(key, Mode::Linear));
        let simple = dense.simplified(0.1, |_| true);
        assert!(simple.knots.len() <= 45 && worst(&simple, &dense) <= 0.1, "{}", simple.knots.len());
        // A zigzag needs each of its corners: it stays as it is.
        let mut zigzag =
            Spline::from_knots((0..20).map(|key| (key as f32 * 5.0, (key % 2) as f32)).collect());
        (0..20).for_each(|key| zigzag.set_mode(key, Mode::Linear));
        assert_eq!(zigzag.simplified(0.01, |_| true), zigzag);
    }

    #[test]
    fn steps_remain() {
        let mut curve =
            Spline::from_knots((0..20).map(|key| (key as f32, Vec3::X * (key % 5) as f32)).collect());
        (0..20).for_each(|key| curve.set_mode(key, if key < 10 { Mode::Hold } else { Mode::Clamped }));
        let simple = curve.simplified(0.001, |_| true);
        assert_eq!(simple.knots[..11], curve.knots[..11]);
        assert_eq!((simple.at(3.9), worst(&simple, &curve)), (curve.at(3.9), 0.0));
        let one = Spline::from_knots(vec![(3.0, Vec3::ONE)]);
        assert_eq!(one.simplified(1.0, |_| true), one);
        assert_eq!(Spline::<Vec3>::default().simplified(1.0, |_| true), Spline::default());
        let half = Spline::from_knots((0..99).map(|frame| (frame as f32, Vec3::ONE)).collect());
        assert_eq!(half.simplified(1.0, |frame| frame > 49.5).knots.len(), 51);
        // Keys far apart and huge values do not take long or spin.
        let far = Spline::from_knots(vec![(0.0, 0.0_f32), (1e9, 3e38), (2e9, -3e38), (3e9, 0.0)]);
        assert!(far.simplified(0.1, |_| true).knots.len() >= 2);
    }
}
