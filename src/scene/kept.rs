//! What an evaluator keeps of earlier results: their memory, and what is still right in it.

use super::evaluate::Posed;
use super::skinned::SkinnedMesh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::ik;
use crate::rig::skinning::stale::{Followed, Stale};
use crate::rig::weights::VertexWeights;
use glam::DAffine3;
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// A result, and what it was made of.
pub(super) struct CachedPose {
    pub mesh: Arc<SkinnedMesh>,
    pub ik: Option<ik::Options>,
    pub bind: bool,
    pub posed: Arc<Posed>,
}

/// B_b and P_b per bone.
#[derive(Default)]
pub(super) struct Matrices {
    pub bind: Vec<DAffine3>,
    pub current: Vec<DAffine3>,
}

/// Results that are out of date: their buffers are written again when nobody holds them any more.
#[derive(Default)]
pub(super) struct Spare {
    pub results: Vec<CachedPose>,
    pub matrices: Vec<Matrices>,
}

/// More than whoever shows a result and whoever made it hold at a time.
const MOST: usize = 3;

impl Spare {
    /// A result of `surface` that nobody holds any more, the latest.
    pub fn take(&mut self, surface: &Arc<HalfedgeMesh>) -> Option<CachedPose> {
        let fits = |result: &CachedPose| {
            Arc::strong_count(&result.posed) == 1 && Arc::ptr_eq(&result.mesh.surface, surface)
        };
        let at = self.results.iter().rposition(fits)?;
        Some(self.results.remove(at))
    }

    /// Drops the oldest where there are more than so many meshes can use.
    pub fn limit(&mut self, meshes: usize) {
        let surplus = self.results.len().saturating_sub(MOST.max(meshes));
        self.results.drain(..surplus);
        self.matrices.truncate(meshes);
    }
}

/// Finds which parts of a surface need not be skinned.
#[derive(Default)]
pub(super) struct Skips {
    /// By the address of the weights, which stays taken while the weak reference lives.
    followed: HashMap<usize, (Weak<VertexWeights>, Followed)>,
    stale: Stale,
}

impl Skips {
    pub fn forget_unused(&mut self) {
        self.followed.retain(|_, (weights, _)| weights.strong_count() > 0);
    }

    /// Which blocks of `spare`, an earlier result of the same surface, are not those of `mesh` with its bones
    /// at `now`; `None`: all.
    pub fn stale_blocks(
        &mut self,
        spare: &CachedPose,
        mesh: &SkinnedMesh,
        now: &Matrices,
    ) -> Option<&[bool]> {
        let weights = &mesh.weights;
        let alike =
            !spare.bind && spare.mesh.skinning == mesh.skinning && Arc::ptr_eq(&spare.mesh.weights, weights);
        if !alike {
            return None;
        }
        let vertices = mesh.surface.vertex_count();
        let make = || (Arc::downgrade(weights), Followed::of(weights, vertices));
        let followed = self.followed.entry(Arc::as_ptr(weights).addr());
        let (_, followed) = followed.or_insert_with(make);
        let before = [&spare.posed.bind[..], &spare.posed.current];
        self.stale.blocks(followed, before, [&now.bind, &now.current])
    }
}
