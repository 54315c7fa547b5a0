//! Moving a surface with its bones.

use glam::{Affine3A, DAffine3};

pub mod linear;

/// P_b * inverse(B_b) per bone: from the bind pose to the current pose, both in skeleton space.
/// `bind` and `current`: `skeleton_from_bone` per bone. Worked out in f64: far from the origin the two
/// translations nearly cancel.
pub fn skinning_matrices(bind: &[DAffine3], current: &[DAffine3]) -> Vec<Affine3A> {
    bind.iter()
        .zip(current)
        .map(|(bind, current)| (*current * bind.inverse()).as_affine3a())
        .collect()
}
