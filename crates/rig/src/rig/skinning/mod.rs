//! Skinning: moves a surface with its bones.

use glam::{Affine3A, DAffine3};

mod blend;
mod blocks;
mod corners;
pub mod dual;
mod dual_sums;
mod influences;
pub mod linear;
mod method;
mod mixed;
mod rows;
mod scaled;
pub mod stale;

pub use method::{Method, Motions};
pub use rows::Rows;

/// Returns the skinning matrix P_b * inverse(B_b) of each bone, from the bind pose to the current pose, both
/// in skeleton space. `bind` and `current`: `skeleton_from_bone` per bone. Calculated in f64, because the two
/// translations nearly cancel far from the origin.
pub fn skinning_matrices(bind: &[DAffine3], current: &[DAffine3]) -> Vec<Affine3A> {
    bind.iter().zip(current).map(skinning_matrix).collect()
}

fn skinning_matrix((bind, current): (&DAffine3, &DAffine3)) -> Affine3A {
    (*current * bind.inverse()).as_affine3a()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3, Vec3};

    #[test]
    fn points_move_with_their_bone() {
        let bind = DAffine3::from_translation(DVec3::new(1.0, 2.0, 3.0));
        let rotation = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
        let current = DAffine3::from_rotation_translation(rotation, DVec3::new(5.0, 0.0, 0.0));
        let matrices = skinning_matrices(&[DAffine3::IDENTITY, bind], &[DAffine3::IDENTITY, current]);
        assert_eq!(matrices[0], Affine3A::IDENTITY);
        // One unit along x from the bone's start is rotated to one along y.
        let moved = matrices[1].transform_point3(Vec3::new(2.0, 2.0, 3.0));
        assert!((moved - Vec3::new(5.0, 1.0, 0.0)).length() < 1e-6, "{moved}");
    }
}
