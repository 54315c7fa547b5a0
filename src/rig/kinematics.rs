//! Forward kinematics: bone matrices in the bind pose and in the current pose.
//!
//! Formulas: Scotty3D, assignment A4T2; see `docs/architecture.md`.
//! All in f64: bones are few, and inverse kinematics differentiates these.

use super::skeleton::{Bone, Skeleton};
use glam::{DAffine3, DVec3};

/// Local rotation axes x, y, z of a bone, right-handed and orthonormal, from extent and roll.
pub fn rotation_axes(_bone: &Bone) -> [DVec3; 3] {
    todo!()
}

/// B_b, `skeleton_from_bone` in the bind pose: a pure translation per bone.
pub fn bind_pose(_skeleton: &Skeleton) -> Vec<DAffine3> {
    todo!()
}

/// P_b, `skeleton_from_bone` in the current pose. One pass, parents first.
pub fn current_pose(_skeleton: &Skeleton) -> Vec<DAffine3> {
    todo!()
}

/// Tips of all bones in skeleton space under the given matrices.
pub fn tips(skeleton: &Skeleton, skeleton_from_bone: &[DAffine3]) -> Vec<DVec3> {
    skeleton
        .bones
        .iter()
        .zip(skeleton_from_bone)
        .map(|(bone, m)| m.transform_point3(bone.extent.as_dvec3()))
        .collect()
}
