//! A surface with a skeleton inside it.

use super::table::is_same;
use crate::extra::Extra;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::poses::SavedPose;
use crate::rig::skeleton::Skeleton;
use crate::rig::skinning;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::bind_snapshot::BindSnapshot;
use crate::rig::weights::method::Method;
use std::sync::Arc;

/// Mesh, weights and skeleton are shared separately, so that moving a bone shares the mesh.
/// Mesh and skeleton live in one space.
#[derive(Clone, Debug, Default)]
pub struct SkinnedMesh {
    pub surface: Arc<HalfedgeMesh>,
    /// A row per vertex of `surface`; bones are indices into `skeleton.bones`.
    pub weights: Arc<VertexWeights>,
    pub skeleton: Arc<Skeleton>,
    /// The bones as they were when `weights` were calculated.
    pub bind_snapshot: BindSnapshot,
    /// How weights are calculated (extra member `weight_method` of the file).
    pub weight_method: Method,
    /// How the surface follows the bones (extra member `dual_quaternions` of the file).
    pub skinning: skinning::Method,
    /// Kept to be taken again, each by a name of its own (extra member `poses` of the file).
    pub poses: Arc<Vec<SavedPose>>,
    /// Unknown members of the mesh object.
    pub mesh_extra: Extra,
    /// Unknown members beside `mesh` and `skeleton`.
    pub extra: Extra,
}

/// What is shared is not looked at.
impl PartialEq for SkinnedMesh {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            surface,
            weights,
            skeleton,
            bind_snapshot,
            weight_method,
            skinning,
            poses,
            mesh_extra,
            extra,
        } = other;
        is_same(&self.surface, surface)
            && is_same(&self.weights, weights)
            && is_same(&self.skeleton, skeleton)
            && self.bind_snapshot == *bind_snapshot
            && self.weight_method == *weight_method
            && self.skinning == *skinning
            && is_same(&self.poses, poses)
            && self.mesh_extra == *mesh_extra
            && self.extra == *extra
    }
}
