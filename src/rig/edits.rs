//! Changes to a skeleton that keep it valid: order of bones, tips of children, handles, weights.

use super::skeleton::Skeleton;
use super::weights::VertexWeights;
use glam::Vec3;

/// Appends a bone that starts at the tip of `parent` (or at the base) and gives it the channel id
/// `channel_id`. Returns its index.
pub fn add_bone(
    _skeleton: &mut Skeleton,
    _parent: Option<usize>,
    _extent: Vec3,
    _radius: f32,
    _channel_id: u32,
) -> usize {
    todo!()
}

/// Deletes a bone. Its children go to its parent and gain its extent, so that their tips stay; handles
/// on it go; indices above it shift down by one. Weights are remapped with [`remove_bone_weights`].
pub fn delete_bone(_skeleton: &mut Skeleton, _bone: usize) {
    todo!()
}

/// Weights after bone `bone` is gone: its entries are dropped, the rest of the vertex renormalised,
/// higher indices shifted.
pub fn remove_bone_weights(_weights: &VertexWeights, _bone: usize) -> VertexWeights {
    todo!()
}

/// Sets the bone's extent; direct children change theirs so that their tips stay in the bind pose.
pub fn move_tip(_skeleton: &mut Skeleton, _bone: usize, _extent: Vec3) {
    todo!()
}
