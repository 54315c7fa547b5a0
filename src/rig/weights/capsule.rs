//! Capsule weights: max(0, r - d)/r to each bone in the bind pose, normalised, zeros not stored.

use super::VertexWeights;
use crate::rig::skeleton::Skeleton;
use glam::Vec3;

/// Weights of all vertices. Vertices out of every bone's reach get none.
pub fn capsule_weights(_skeleton: &Skeleton, _positions: &[Vec3]) -> VertexWeights {
    todo!()
}
