//! Rotations as angles: without jumps from frame to frame, and compared.

use crate::math::rotation::{from_euler, to_euler};
use glam::{DMat3, DVec3, Vec3};
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

/// Returns the angle between two rotations.
pub fn angle(a: &DMat3, b: &DMat3) -> f64 {
    let distance = (*a - *b).to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
    2.0 * (distance / 8f64.sqrt()).min(1.0).asin()
}

/// Converts angles from radians to degrees, as in channels and bones.
pub fn degrees(angles: DVec3) -> Vec3 {
    angles.map(f64::to_degrees).as_vec3()
}

/// Whether two triples of angles (radians) represent nearly the same rotation.
pub fn is_same_rotation(a: DVec3, b: DVec3) -> bool {
    angle(&from_euler(a), &from_euler(b)) < 0.001f64.to_radians()
}

#[cfg(test)]
mod tests {
    use super::*;

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
                assert!(angle(&from_euler(*found), &from_euler(*angles)) < 1e-6);
            }
            let steps = found[1..].windows(2).map(|pair| pair[1].distance(pair[0]));
            assert!(steps.fold(0.0, f64::max) < 0.2, "{found:?}");
        }
    }
}
