//! Bakes keys and modes into knots for programs that only support Catmull-Rom: at whole frames, those
//! programs play what the keys and modes of a spline mean.
//!
//! The baked knots start as the keys. Wherever the curve through them differs at whole frames of a segment,
//! the frame that differs most becomes a knot too, until no frame differs. At worst every whole frame is a
//! knot.

use super::clip::Clip;
use super::spline::{Interpolate, Spline};
use std::borrow::Cow;

/// The largest frame up to which `f32` represents every whole frame.
const MAX_WHOLE_FRAME: f32 = 16_777_216.0;
/// The frames of a segment that are compared before all of them are.
const MOST_AT_ONCE: f32 = 1000.0;

impl<T: Interpolate> Spline<T> {
    /// Returns the knots to write: the keys themselves if all have Scotty3D's own mode, the knots that the
    /// file had if the keys have not changed since they were read, and otherwise newly baked knots.
    pub fn baked(&self) -> Cow<'_, [(f32, T)]> {
        match &self.authored.baked {
            _ if self.authored.is_plain() => Cow::Borrowed(&self.knots),
            Some(baked) => Cow::Borrowed(baked),
            None => Cow::Owned(bake(self)),
        }
    }
}

fn bake<T: Interpolate>(curve: &Spline<T>) -> Vec<(f32, T)> {
    let tolerance = tolerance(&curve.knots);
    let mut plain = Spline::from_knots(curve.knots.clone());
    // Whether the segment that starts at each knot may still differ from the curve.
    let mut unchecked = vec![true; plain.knots.len()];
    loop {
        let last = plain.knots.len().saturating_sub(1);
        let worst: Vec<Option<f32>> = (0..last)
            .map(|segment| unchecked[segment].then(|| worst(curve, &plain, segment, tolerance)).flatten())
            .collect();
        if worst.iter().all(Option::is_none) {
            return plain.knots;
        }
        let mut knots = Vec::with_capacity(plain.knots.len() * 2);
        // Knots whose tangents change: the new ones and their neighbours.
        let mut changed = Vec::with_capacity(plain.knots.len() * 2);
        for (segment, knot) in plain.knots.iter().enumerate() {
            let added = worst.get(segment).copied().flatten();
            let added_before = segment.checked_sub(1).and_then(|segment| worst[segment]);
            knots.push(*knot);
            changed.push(added.is_some() || added_before.is_some());
            if let Some(frame) = added
                && let Some(value) = curve.at(frame)
            {
                knots.push((frame, value));
                changed.push(true);
            }
        }
        unchecked = (0..knots.len())
            .map(|segment| changed[segment] || changed.get(segment + 1).copied().unwrap_or_default())
            .collect();
        plain = Spline::from_knots(knots);
    }
}

/// Returns the whole frame within a segment at which `plain` differs most from `curve`, if it differs by more
/// than `tolerance`.
fn worst<T: Interpolate>(
    curve: &Spline<T>,
    plain: &Spline<T>,
    segment: usize,
    tolerance: f32,
) -> Option<f32> {
    let [from, to] = [segment, segment + 1].map(|knot| plain.knots[knot].0);
    let (first, last) = (from.floor() + 1.0, to.ceil() - 1.0);
    if from.abs().max(to.abs()) > MAX_WHOLE_FRAME || last - first > Clip::MAX_LENGTH as f32 {
        return None;
    }
    // A long segment is compared at some frames first: while these differ, the others need not be looked at.
    let step = ((last - first) / MOST_AT_ONCE).floor().max(1.0);
    let found = worst_of(curve, plain, [first, last, step], tolerance);
    if found.is_some() || step == 1.0 { found } else { worst_of(curve, plain, [first, last, 1.0], tolerance) }
}

/// Returns the frame at which the difference is largest of those from the first up to the last with a step.
fn worst_of<T: Interpolate>(
    curve: &Spline<T>,
    plain: &Spline<T>,
    [first, last, step]: [f32; 3],
    tolerance: f32,
) -> Option<f32> {
    let mut worst = (tolerance, None);
    let mut hints = [0, 0];
    let mut frame = first;
    while frame <= last {
        let values = (curve.at_with_hint(frame, &mut hints[0]), plain.at_with_hint(frame, &mut hints[1]));
        if let (Some(wanted), Some(found)) = values {
            let difference = distance(wanted, found);
            if difference > worst.0 {
                worst = (difference, Some(frame));
            }
        }
        frame += step;
    }
    worst.1
}

/// Returns the largest absolute difference between corresponding components.
fn distance<T: Interpolate>(a: T, b: T) -> f32 {
    let (a, b) = (a.components(), b.components());
    let pairs = a.as_ref().iter().zip(b.as_ref());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// Returns the tolerance: a four-thousandth of the range of the keys, plus an allowance for rounding in
/// proportion to their magnitude.
fn tolerance<T: Interpolate>(knots: &[(f32, T)]) -> f32 {
    let Some((_, first)) = knots.first() else {
        return 0.0;
    };
    let (mut range, mut magnitude) = (0.0_f32, 0.0_f32);
    for (_, value) in knots {
        range = range.max(distance(*first, *value));
        magnitude = value.components().as_ref().iter().fold(magnitude, |magnitude, n| magnitude.max(n.abs()));
    }
    2.5e-4 * range + 1e-6 * magnitude
}

/// Returns a fingerprint of knots (FNV-1a over the bits of their numbers), which tells whether a file's knots
/// are the ones that were baked.
pub fn fingerprint<T: Interpolate>(knots: &[(f32, T)]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |number: f32| {
        // -0 and 0 count as equal.
        for byte in (number + 0.0).to_bits().to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    for (time, value) in knots {
        add(*time);
        value.components().as_ref().iter().for_each(|number| add(*number));
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::mode::{Mode, SideMode, Slope, Slopes};
    use crate::testing::Random;
    use glam::{Quat, Vec3};

    fn spline<T: Interpolate>(keys: &[(f32, T, Mode)]) -> Spline<T> {
        let mut spline = Spline::from_knots(keys.iter().map(|&(time, value, _)| (time, value)).collect());
        for (index, (_, _, mode)) in keys.iter().enumerate() {
            spline.set_mode(index, *mode);
        }
        spline
    }

    /// Returns the largest difference at the whole frames between the first and the last key.
    fn largest_difference<T: Interpolate>(curve: &Spline<T>) -> f32 {
        let plain = Spline::from_knots(curve.baked().to_vec());
        let [from, to] = [0, curve.knots.len() - 1].map(|index| curve.knots[index].0);
        let frames = (from.ceil() as i32..=to.floor() as i32).map(|frame| frame as f32);
        let differences = frames.map(|frame| distance(curve.at(frame).unwrap(), plain.at(frame).unwrap()));
        differences.fold(0.0, f32::max)
    }

    #[test]
    fn a_segment_between_equal_keys_is_flat() {
        use Mode::Smooth;
        let curve = spline(&[
            (0.0, 0.0_f32, Smooth),
            (10.0, 45.0, Smooth),
            (20.0, 45.0, Smooth),
            (30.0, 0.0, Smooth),
        ]);
        let plain = Spline::from_knots(curve.baked().to_vec());
        for frame in 10..=20 {
            assert_eq!(curve.at(frame as f32), Some(45.0));
            assert_eq!(curve.at(frame as f32 - 0.5).unwrap().max(45.0), 45.0, "no overshoot");
            assert!((plain.at(frame as f32).unwrap() - 45.0).abs() < 0.02);
        }
        assert!(largest_difference(&curve) < 0.02);
        // Scotty3D's own mode drifts.
        let auto = Spline::from_knots(curve.knots.clone());
        assert!(auto.at(15.0).unwrap() > 47.0);
        let (auto_count, smooth_count) = (auto.baked().len(), curve.baked().len());
        assert!(auto_count == 4 && smooth_count < 31, "{smooth_count} knots");
    }

    #[test]
    fn baked_lines_and_steps_match_at_whole_frames() {
        let curve = spline(&[
            (0.0, Vec3::ZERO, Mode::Hold),
            (8.5, Vec3::new(30.0, 0.0, -5.0), Mode::Linear),
            (20.0, Vec3::new(-60.0, 1.0, 5.0), Mode::Smooth),
            (24.0, Vec3::new(-60.0, 9.0, 5.0), Mode::Smooth),
            (40.0, Vec3::X, Mode::Hold),
        ]);
        assert_eq!(curve.at(8.4), Some(Vec3::ZERO));
        assert_eq!(curve.at(14.25), Some(Vec3::new(-15.0, 0.5, 0.0)));
        assert_eq!(curve.at(22.0).unwrap().x, -60.0, "equal components are flat");
        assert!(largest_difference(&curve) < 0.03);
        let turned = Quat::from_rotation_x(1.0);
        let stepped = spline(&[(0.0, Quat::IDENTITY, Mode::Hold), (9.0, turned, Mode::Auto)]);
        assert_eq!(stepped.at(8.9), Some(Quat::IDENTITY));
        assert_eq!(largest_difference(&stepped), 0.0);
    }

    #[test]
    fn baked_random_curves_match_at_whole_frames() {
        let mut random = Random::new(7);
        let modes: Vec<Mode> = Mode::all().collect();
        for _ in 0..1000 {
            let mut time = 0.0;
            let keys: Vec<_> = (0..2 + random.below(6))
                .map(|_| {
                    time += 1.0 + random.below(80) as f32 * 0.25;
                    let value = (random.below(7) as f32 - 3.0) * 30.0;
                    (time, value, modes[random.below(modes.len())])
                })
                .collect();
            let mut curve = spline(&keys);
            for key in 0..keys.len() {
                let mut side = || match random.below(6) {
                    0 => Some(Slope::Of(SideMode::ALL[random.below(3)])),
                    1 | 2 => Some(Slope::Set((random.below(41) as f32 - 20.0) * 0.5)),
                    _ => None,
                };
                let slopes = Slopes { arrive: side(), leave: side() };
                curve.set_slopes(key, slopes);
            }
            let difference = largest_difference(&curve);
            assert!(difference < 0.05, "{difference} for {keys:?}");
            assert_eq!(curve.baked(), curve.clone().baked());
        }
    }

    #[test]
    fn smooth_without_equal_neighbours_needs_no_more_knots() {
        let keys = [(0.0, 1.0_f32), (5.0, -20.0), (7.5, 3.0), (30.0, 4.0)];
        let curve = spline(&keys.map(|(time, value)| (time, value, Mode::Smooth)));
        assert_eq!(*curve.baked(), keys);
        let auto = Spline::from_knots(keys.to_vec());
        for frame in 0..60 {
            assert_eq!(curve.at(frame as f32 * 0.5), auto.at(frame as f32 * 0.5));
        }
    }

    #[test]
    fn baking_huge_curves_terminates() {
        let huge = spline(&[(0.0, 3e38_f32, Mode::Linear), (9.0, -3e38, Mode::Hold), (1e9, 0.0, Mode::Auto)]);
        assert!(huge.baked().len() < 20);
        let fingerprint = fingerprint(&huge.knots);
        assert_ne!(fingerprint, super::fingerprint(&huge.knots[1..]));
        assert_eq!(super::fingerprint(&[(0.0, 0.0_f32)]), super::fingerprint(&[(-0.0, -0.0_f32)]));
    }
}
