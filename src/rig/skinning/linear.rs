//! Linear blend skinning: M_v = sum of w * P_b * inverse(B_b); positions by M_v, normals of every
//! render vertex by its inverse transpose, normalised. Vertices without weights stay in place.

use crate::mesh::render::RenderMesh;
use crate::rig::weights::VertexWeights;
use glam::{Affine3A, Vec3};

/// Skins into caller-owned buffers.
/// `bones`: P_b * inverse(B_b) per bone. `positions`: V bind positions.
/// `out_positions`: V; `out_normals`: R (render vertices).
pub fn skin(
    _bones: &[Affine3A],
    _weights: &VertexWeights,
    _positions: &[Vec3],
    _render: &RenderMesh,
    _out_positions: &mut Vec<Vec3>,
    _out_normals: &mut Vec<Vec3>,
) {
    todo!()
}
