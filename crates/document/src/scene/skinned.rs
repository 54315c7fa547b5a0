//! Skinned meshes: surfaces with a skeleton inside.

use super::table::is_same;
use crate::extra::Extra;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::poses::SavedPose;
use crate::rig::shapes::ShapeKey;
use crate::rig::skeleton::{Handle, Skeleton};
use crate::rig::skinning;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::bind_snapshot::BindSnapshot;
use crate::rig::weights::method::Method;
use std::sync::Arc;

/// A surface with a skeleton. Mesh, weights and skeleton are shared separately, so that moving a bone does
/// not copy the mesh. Mesh and skeleton are in the same space.
#[derive(Clone, Debug, Default)]
pub struct SkinnedMesh {
    pub surface: Arc<HalfedgeMesh>,
    /// A row per vertex of `surface`; bones are indices into `skeleton.bones`.
    pub weights: Arc<VertexWeights>,
    pub skeleton: Arc<Skeleton>,
    /// The bones at the time when `weights` were calculated.
    pub bind_snapshot: BindSnapshot,
    /// The method that calculates weights (extra member `weight_method` of the file).
    pub weight_method: Method,
    /// The method by which the surface follows the bones (extra member `dual_quaternions` of the file).
    pub skinning: skinning::Method,
    /// The shapes of the surface, whose weights are those of `skeleton.shapes`, in the same order (extra member `shapes` of
    /// the file).
    pub shapes: Arc<Vec<ShapeKey>>,
    /// Saved poses with unique names (extra member `poses` of the file).
    pub poses: Arc<Vec<SavedPose>>,
    /// Unknown members of the mesh object.
    pub mesh_extra: Extra,
    /// Unknown members next to `mesh` and `skeleton`.
    pub extra: Extra,
}

/// Shared data is not compared.
impl PartialEq for SkinnedMesh {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            surface,
            weights,
            skeleton,
            bind_snapshot,
            weight_method,
            skinning,
            shapes,
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
            && is_same(&self.shapes, shapes)
            && is_same(&self.poses, poses)
            && self.mesh_extra == *mesh_extra
            && self.extra == *extra
    }
}

impl SkinnedMesh {
    /// Returns, for each bone, whether nothing depends on it: neither it nor a descendant has weights or a handle.
    pub fn unused_bones(&self) -> Vec<bool> {
        unused_bones(&self.skeleton, &self.weights)
    }
}

/// Replaces each name of an instance in whose space a handle, or one in a saved pose, is by the result of `to`; without one,
/// it is in the space of its mesh. What does not change stays shared.
pub fn map_spaces(shared: &mut Arc<SkinnedMesh>, to: &dyn Fn(&str) -> Option<String>) {
    let is_renamed =
        |handle: &Handle| handle.space_instance.as_ref().is_some_and(|name| to(name).as_ref() != Some(name));
    let rename = |handle: &mut Handle| {
        if let Some(name) = handle.space_instance.take() {
            handle.space_instance = to(&name);
            handle.space = handle.space.filter(|_| handle.space_instance.is_some());
        }
    };
    if shared.skeleton.handles.iter().any(is_renamed) {
        let skeleton = Arc::make_mut(&mut Arc::make_mut(shared).skeleton);
        skeleton.handles.iter_mut().for_each(rename);
    }
    if shared.poses.iter().flat_map(|pose| &pose.handles).any(|(_, pose)| is_renamed(pose.handle())) {
        let poses = Arc::make_mut(&mut Arc::make_mut(shared).poses);
        let handles = poses.iter_mut().flat_map(|pose| &mut pose.handles);
        handles.for_each(|(_, pose)| rename(pose.handle_mut()));
    }
}

/// See [`SkinnedMesh::unused_bones`].
pub fn unused_bones(skeleton: &Skeleton, weights: &VertexWeights) -> Vec<bool> {
    let mut is_unused = vec![true; skeleton.bones.len()];
    let influences = (0..weights.vertex_count()).flat_map(|vertex| weights.influences(vertex));
    let weighted = influences.filter(|(_, weight)| *weight > 0.0).map(|(bone, _)| usize::from(bone));
    for bone in weighted.chain(skeleton.handles.iter().map(|handle| handle.bone as usize)) {
        if let Some(is_unused) = is_unused.get_mut(bone) {
            *is_unused = false;
        }
    }
    // Parents come before their children.
    for (bone, this) in skeleton.bones.iter().enumerate().rev() {
        if let Some(parent) = this.parent.filter(|_| !is_unused[bone]) {
            is_unused[parent as usize] = false;
        }
    }
    is_unused
}
