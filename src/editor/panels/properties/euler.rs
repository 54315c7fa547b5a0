//! Euler angles of rotations, as typed.

use crate::math::rotation::{from_euler, to_euler};
use glam::{DMat3, DQuat, Quat, Vec3};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Typed Euler angles, by the rotation that was made from them. A rotation alone does not distinguish (180,
/// 0, 0) from (0, 180, 180), and repeatedly deriving angles from it would let them drift.
#[derive(Default)]
pub struct Euler {
    typed_deg: Mutex<HashMap<[u32; 4], Vec3>>,
}

/// The number of rotations after which the map is cleared.
const MOST_TYPED: usize = 10_000;

impl Euler {
    fn key(rotation: Quat) -> [u32; 4] {
        rotation.to_array().map(f32::to_bits)
    }

    /// Returns the rotation of x, y, z angles in degrees, x first, and remembers the angles.
    pub fn rotation(&self, angles_deg: Vec3) -> Quat {
        let radians = angles_deg.as_dvec3() * (std::f64::consts::PI / 180.0);
        let rotation = DQuat::from_mat3(&from_euler(radians)).normalize().as_quat();
        let mut typed = self.typed_deg.lock().unwrap_or_else(PoisonError::into_inner);
        if typed.len() >= MOST_TYPED {
            typed.clear();
        }
        typed.insert(Self::key(rotation), angles_deg);
        rotation
    }

    /// Returns the angles in degrees that the rotation was made from, otherwise those with the smallest sum.
    pub fn angles_deg(&self, rotation: Quat) -> Vec3 {
        let typed = self.typed_deg.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(typed) = typed.get(&Self::key(rotation)) {
            return *typed;
        }
        let unit = rotation.as_dquat();
        if !(unit.length() > 0.0 && unit.is_finite()) {
            return Vec3::ZERO;
        }
        let degrees = to_euler(DMat3::from_quat(unit.normalize())) * (180.0 / std::f64::consts::PI);
        // In single precision, a rotation determines its angles to about 1e-5 degrees.
        ((degrees * 1e4).round() / 1e4).as_vec3()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_angles_are_preserved() {
        let euler = Euler::default();
        for angles in [Vec3::new(180.0, 0.0, 0.0), Vec3::new(0.0, 90.0, 33.0), Vec3::new(-270.0, 700.0, 0.1)]
        {
            let rotation = euler.rotation(angles);
            assert_eq!(euler.angles_deg(rotation), angles);
            let expected = Quat::from_rotation_z(angles.z.to_radians())
                * Quat::from_rotation_y(angles.y.to_radians())
                * Quat::from_rotation_x(angles.x.to_radians());
            assert!(rotation.dot(expected).abs() > 1.0 - 1e-5);
            // Another session derives angles from the rotation that are equivalent.
            let read = Euler::default().angles_deg(rotation);
            assert!(Euler::default().rotation(read).dot(rotation).abs() > 1.0 - 1e-6);
        }
        let half = Euler::default().rotation(Vec3::new(180.0, 0.0, 0.0));
        assert_eq!(Euler::default().angles_deg(half), Vec3::new(180.0, 0.0, 0.0));
        assert_eq!(Euler::default().angles_deg(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)), Vec3::ZERO);
    }
}
