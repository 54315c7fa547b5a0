//! The evaluator's cache: earlier results that are still valid, and the memory of those that are not.

use super::posed::Posed;
use super::skinned::SkinnedMesh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::ik;
use crate::rig::skinning::Rows;
use crate::rig::skinning::stale::{BlockBones, DirtyBlocks};
use crate::rig::weights::VertexWeights;
use glam::DAffine3;
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// The input that a result was made from.
pub(super) struct CacheKey {
    pub mesh: Arc<SkinnedMesh>,
    pub ik: Option<ik::Options>,
    pub bind: bool,
}

impl CacheKey {
    /// Whether both give the same result. Channels make a new skeleton whenever they are applied, so
    /// skeletons are compared by value; they are small.
    pub fn is_same(&self, other: &Self) -> bool {
        let (a, b) = (&self.mesh, &other.mesh);
        self.bind == other.bind
            && self.ik == other.ik
            && a.skinning == b.skinning
            && Arc::ptr_eq(&a.surface, &b.surface)
            && Arc::ptr_eq(&a.weights, &b.weights)
            && Arc::ptr_eq(&a.shapes, &b.shapes)
            && (Arc::ptr_eq(&a.skeleton, &b.skeleton) || a.skeleton == b.skeleton)
    }
}

/// A result, and the input that it was made from.
pub(super) struct CachedPose {
    pub key: CacheKey,
    pub posed: Arc<Posed>,
}

/// The last `N` values that were handed out. By the time the oldest is taken again, its viewer has usually
/// moved on. It is changed by copy on write: if something still refers to it, that copy does not change, at
/// the price of new memory.
#[derive(Clone, Debug)]
pub(super) struct Ring<T, const N: usize>(Vec<T>);

impl<T, const N: usize> Default for Ring<T, N> {
    fn default() -> Self {
        Self(Vec::with_capacity(N))
    }
}

impl<T, const N: usize> Ring<T, N> {
    /// Returns the oldest value, once there are `N`. Values that do not fit any more are dropped.
    pub fn take(&mut self, fits: impl FnMut(&T) -> bool) -> Option<T> {
        self.0.retain(fits);
        (self.0.len() >= N).then(|| self.0.remove(0))
    }

    pub fn push(&mut self, new: T) {
        self.0.push(new);
    }
}

/// The matrices B_b and P_b of each bone.
#[derive(Default)]
pub(super) struct Matrices {
    pub bind: Vec<DAffine3>,
    pub current: Vec<DAffine3>,
}

/// Outdated results, whose buffers are reused once nothing else refers to them.
#[derive(Default)]
pub(super) struct BufferPool {
    pub results: Vec<CachedPose>,
    pub matrices: Vec<Matrices>,
}

/// The minimum number of outdated results to store: more than the viewer and the producer of results hold at
/// a time.
const MIN_CAPACITY: usize = 3;

impl BufferPool {
    /// Removes and returns the latest result of `surface` that nothing else refers to.
    pub fn take(&mut self, surface: &Arc<HalfedgeMesh>) -> Option<CachedPose> {
        let fits = |result: &CachedPose| {
            Arc::strong_count(&result.posed) == 1 && Arc::ptr_eq(&result.key.mesh.surface, surface)
        };
        let index = self.results.iter().rposition(fits)?;
        Some(self.results.remove(index))
    }

    /// Drops the oldest results, as far as there are more than so many meshes can use.
    pub fn limit(&mut self, meshes: usize) {
        let surplus = self.results.len().saturating_sub(MIN_CAPACITY.max(meshes));
        self.results.drain(..surplus);
        self.matrices.truncate(meshes);
    }
}

/// Finds the parts of a surface that need not be skinned again, and caches weights in a form suited to
/// skinning.
#[derive(Default)]
pub(super) struct DirtyParts {
    /// Keyed by the address of the weights, which is not reused while the weak reference exists.
    weights: HashMap<usize, LaidOutWeights>,
    stale: DirtyBlocks,
}

/// Data derived once from weights that are used repeatedly.
struct LaidOutWeights {
    weights: Weak<VertexWeights>,
    block_bones: BlockBones,
    rows: Option<Rows>,
}

impl LaidOutWeights {
    fn new(weights: &Arc<VertexWeights>, vertices: usize) -> Self {
        Self {
            weights: Arc::downgrade(weights),
            block_bones: BlockBones::new(weights, vertices),
            rows: Rows::new(weights, vertices),
        }
    }
}

impl DirtyParts {
    pub fn drop_unused(&mut self) {
        self.weights.retain(|_, laid_out| laid_out.weights.strong_count() > 0);
    }

    /// Returns which blocks of `posed` (an earlier result of the same surface, made from `before`) differ
    /// from those of `mesh` with its bones at `matrices`; `None` means all. Also returns the rows of the
    /// weights, if they have been used before.
    pub fn stale_blocks(
        &mut self,
        before: &CacheKey,
        posed: &Posed,
        mesh: &SkinnedMesh,
        matrices: &Matrices,
    ) -> (Option<&[bool]>, Option<&Rows>) {
        let weights = &mesh.weights;
        if !Arc::ptr_eq(&before.mesh.weights, weights) {
            return (None, None);
        }
        let vertices = mesh.surface.vertex_count();
        let entry = self.weights.entry(Arc::as_ptr(weights).addr());
        let laid_out = entry.or_insert_with(|| LaidOutWeights::new(weights, vertices));
        // If two meshes share weights, the cached data fits only one of them.
        let LaidOutWeights { block_bones, rows, .. } = laid_out;
        let is_reshaped = before.mesh.skeleton.shapes != mesh.skeleton.shapes
            || !Arc::ptr_eq(&before.mesh.shapes, &mesh.shapes);
        if is_reshaped
            || before.bind
            || before.mesh.skinning != mesh.skinning
            || !block_bones.matches(vertices)
        {
            return (None, rows.as_ref());
        }
        let before = [&posed.bind[..], &posed.current];
        let stale = self.stale.blocks(block_bones, before, [&matrices.bind, &matrices.current]);
        (stale, rows.as_ref())
    }
}
