//! Converts rotations at every frame to keys: angles without jumps, and as few keys as the tolerance allows.

use crate::anim::mode::Mode;
use crate::anim::spline::Interpolate;
use crate::math::rotation::to_euler;
use glam::{DMat3, DVec3};
use std::f64::consts::{PI, TAU};

/// Returns the angles (radians) of a rotation that are closest to the previous ones, of both solutions and
/// modulo whole turns. In gimbal lock, where x and z rotate about one axis, z is unchanged.
pub fn next_euler(previous: DVec3, rotation: DMat3) -> DVec3 {
    let closest = |angles: DVec3| angles - TAU * ((angles - previous) / TAU).round();
    let cos_y = rotation.x_axis.x.hypot(rotation.x_axis.y);
    if cos_y < 1e-6 {
        let y = (-rotation.x_axis.z).atan2(cos_y);
        // With z unchanged, x is the remainder.
        let remainder =
            DMat3::from_rotation_y(y).transpose() * DMat3::from_rotation_z(previous.z).transpose() * rotation;
        return closest(DVec3::new(remainder.y_axis.z.atan2(remainder.y_axis.y), y, previous.z));
    }
    let first = to_euler(rotation);
    let other = DVec3::new(first.x + PI, PI - first.y, first.z + PI);
    let (first, other) = (closest(first), closest(other));
    if first.distance_squared(previous) <= other.distance_squared(previous) { first } else { other }
}

/// Returns the knots of a spline that differs from the samples (times ascending) by at most `tolerance`.
/// `fixed` are indices of samples that always become knots, ascending, including the first and the last.
/// `error` computes the error of a value at the sample of an index.
pub fn reduce_keys<T: Interpolate>(
    samples: &[(f32, T)],
    fixed: &[usize],
    tolerance: f64,
    error: impl Fn(T, usize) -> f64,
) -> Vec<(f32, T)> {
    let mut knots: Vec<usize> = fixed.to_vec();
    let mut values: Vec<(f32, T)> = knots.iter().map(|index| samples[*index]).collect();
    let worst = |knots: &[usize], values: &[(f32, T)], interval: usize| {
        let mut worst = (tolerance, None);
        let first = knots[interval] + 1;
        let between = samples[first..knots[interval + 1].max(first)].iter();
        for (index, &(time, _)) in (first..).zip(between) {
            let deviation = error(T::interpolate(values, interval, time, Mode::Auto), index);
            if deviation > worst.0 {
                worst = (deviation, Some(index));
            }
        }
        worst.1
    };
    let intervals = knots.len().saturating_sub(1);
    let mut new_knots: Vec<Option<usize>> = (0..intervals).map(|i| worst(&knots, &values, i)).collect();
    while new_knots.iter().any(Option::is_some) {
        let mut merged: Vec<(usize, bool)> = Vec::with_capacity(2 * knots.len());
        for (i, &knot) in knots.iter().enumerate() {
            merged.push((knot, false));
            merged.extend(new_knots.get(i).copied().flatten().map(|new| (new, true)));
        }
        knots = merged.iter().map(|(knot, _)| *knot).collect();
        values = knots.iter().map(|index| samples[*index]).collect();
        new_knots = (0..knots.len() - 1)
            .map(|i| {
                // One more knot on each side affects the shape of an interval.
                let is_affected =
                    merged[i.saturating_sub(1)..(i + 3).min(merged.len())].iter().any(|(_, is_new)| *is_new);
                // Unaffected intervals were within the tolerance.
                is_affected.then(|| worst(&knots, &values, i)).flatten()
            })
            .collect();
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation::from_euler;
    use glam::Vec3;

    fn unwrapped(rotations: impl Iterator<Item = DMat3>) -> Vec<DVec3> {
        let mut angles: Vec<DVec3> = Vec::new();
        for rotation in rotations {
            let previous = angles.last().copied().unwrap_or_default();
            angles.push(next_euler(previous, rotation));
        }
        angles
    }

    #[test]
    fn two_whole_turns_are_two_whole_turns() {
        for axis in 0..3 {
            let angle = |i: u32| f64::from(i) * 20f64.to_radians();
            let turn = |i| {
                let mut angles = DVec3::ZERO;
                angles[axis] = angle(i);
                from_euler(angles)
            };
            let angles = unwrapped((0..=36).map(turn));
            assert!((angles[36].length() - 2.0 * TAU).abs() < 1e-9, "{axis}: {}", angles[36]);
            for pair in angles.windows(2) {
                assert!(pair[1].distance(pair[0]) < 20.001f64.to_radians(), "{pair:?}");
            }
        }
    }

    #[test]
    fn at_a_quarter_turn_nothing_jumps() {
        // Straight through the singularity, and inside it while x rotates.
        let over = (0..=40).map(|i| DVec3::new(0.3, f64::from(i) * PI / 40.0, -0.2));
        let within = (0..=20).map(|i| DVec3::new(0.3 + f64::from(i) * 0.05, PI / 2.0, -0.2));
        for angles in [over.collect::<Vec<_>>(), within.collect()] {
            let found = unwrapped(angles.iter().map(|angles| from_euler(*angles)));
            for (found, angles) in found.iter().zip(&angles) {
                assert!(super::super::bones::angle(&from_euler(*found), &from_euler(*angles)) < 1e-6);
            }
            let steps = found[1..].windows(2).map(|pair| pair[1].distance(pair[0]));
            assert!(steps.fold(0.0, f64::max) < 0.2, "{found:?}");
        }
    }

    #[test]
    fn few_knots_keep_within_the_tolerance() {
        let wave =
            |i: u32| Vec3::new((i as f32 * 0.1).sin() * 40.0, i as f32, (i as f32 * 0.03).cos() * 10.0);
        let samples: Vec<(f32, Vec3)> = (0..200).map(|i| (i as f32, wave(i))).collect();
        let error_deg = |a: Vec3, b: Vec3| {
            let [a, b] = [a, b].map(|angles| from_euler(angles.as_dvec3().map(f64::to_radians)));
            super::super::bones::angle(&a, &b).to_degrees()
        };
        let knots =
            reduce_keys(&samples, &[0, 99, 100, 199], 0.25, |a, index| error_deg(a, samples[index].1));
        let spline = crate::anim::spline::Spline::from_knots(knots.clone());
        for (time, value) in &samples {
            assert!(error_deg(spline.at(*time).unwrap(), *value) <= 0.25, "{time}");
        }
        assert!(knots.len() < 80, "{}", knots.len());
        assert!([0, 99, 100, 199].iter().all(|index| knots.contains(&samples[*index])));
        // A jump needs two adjacent frames.
        let step: Vec<(f32, Vec3)> =
            (0..40).map(|i| (i as f32, if i < 20 { Vec3::ZERO } else { Vec3::X * 50.0 })).collect();
        let knots = reduce_keys(&step, &[0, 39], 0.25, |a, index| error_deg(a, step[index].1));
        assert!(knots.contains(&step[19]) && knots.contains(&step[20]) && knots.len() < 12, "{knots:?}");
        assert_eq!(reduce_keys(&step[..1], &[0], 0.25, |_, _| 0.0).len(), 1);
    }
}
