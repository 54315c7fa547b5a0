//! What an evaluator keeps of earlier results: their memory, and what is still right in it.

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

/// What a result is made of.
pub(super) struct CacheKey {
    pub mesh: Arc<SkinnedMesh>,
    pub ik: Option<ik::Options>,
    pub bind: bool,
}

impl CacheKey {
    /// Whether the same comes of both. Channels make a new skeleton each time that they are driven, so skeletons
    /// are compared by value; they are small.
    pub fn is_same(&self, other: &Self) -> bool {
        let (a, b) = (&self.mesh, &other.mesh);
        self.bind == other.bind
            && self.ik == other.ik
            && a.skinning == b.skinning
            && Arc::ptr_eq(&a.surface, &b.surface)
            && Arc::ptr_eq(&a.weights, &b.weights)
            && (Arc::ptr_eq(&a.skeleton, &b.skeleton) || a.skeleton == b.skeleton)
    }
}

/// A result, and what it was made of.
pub(super) struct CachedPose {
    pub of: CacheKey,
    pub posed: Arc<Posed>,
}

/// The last `N` things that were handed out. When the oldest comes back, whoever shows them has gone on; it is
/// changed by copy on write, so that one that is still held is left as it is, at the price of new memory.
#[derive(Clone, Debug)]
pub(super) struct Ring<T, const N: usize>(Vec<T>);

impl<T, const N: usize> Default for Ring<T, N> {
    fn default() -> Self {
        Self(Vec::with_capacity(N))
    }
}

impl<T, const N: usize> Ring<T, N> {
    /// The oldest, once there are `N`. Those that do not fit any more are dropped.
    pub fn take(&mut self, fits: impl FnMut(&T) -> bool) -> Option<T> {
        self.0.retain(fits);
        (self.0.len() >= N).then(|| self.0.remove(0))
    }

    pub fn push(&mut self, new: T) {
        self.0.push(new);
    }
}

/// B_b and P_b per bone.
#[derive(Default)]
pub(super) struct Matrices {
    pub bind: Vec<DAffine3>,
    pub current: Vec<DAffine3>,
}

/// Results that are out of date: their buffers are written again when nobody holds them any more.
#[derive(Default)]
pub(super) struct BufferPool {
    pub results: Vec<CachedPose>,
    pub matrices: Vec<Matrices>,
}

/// More than whoever shows a result and whoever made it hold at a time.
const MOST: usize = 3;

impl BufferPool {
    /// A result of `surface` that nobody holds any more, the latest.
    pub fn take(&mut self, surface: &Arc<HalfedgeMesh>) -> Option<CachedPose> {
        let fits = |result: &CachedPose| {
            Arc::strong_count(&result.posed) == 1 && Arc::ptr_eq(&result.of.mesh.surface, surface)
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

/// Finds which parts of a surface need not be skinned, and keeps weights laid out.
#[derive(Default)]
pub(super) struct DirtyParts {
    /// By the address of the weights, which stays taken while the weak reference lives.
    made: HashMap<usize, LaidOutWeights>,
    stale: DirtyBlocks,
}

/// What is made once for weights that are used again and again.
struct LaidOutWeights {
    weights: Weak<VertexWeights>,
    followed: BlockBones,
    rows: Option<Rows>,
}

impl LaidOutWeights {
    fn new(weights: &Arc<VertexWeights>, vertices: usize) -> Self {
        Self {
            weights: Arc::downgrade(weights),
            followed: BlockBones::new(weights, vertices),
            rows: Rows::new(weights, vertices),
        }
    }
}

impl DirtyParts {
    pub fn forget_unused(&mut self) {
        self.made.retain(|_, made| made.weights.strong_count() > 0);
    }

    /// Which blocks of `posed`, an earlier result of the same surface made of `before`, are not those of `mesh`
    /// with its bones at `now`; `None`: all. And the weights laid out, where they have been used before.
    pub fn stale_blocks(
        &mut self,
        before: &CacheKey,
        posed: &Posed,
        mesh: &SkinnedMesh,
        now: &Matrices,
    ) -> (Option<&[bool]>, Option<&Rows>) {
        let weights = &mesh.weights;
        if !Arc::ptr_eq(&before.mesh.weights, weights) {
            return (None, None);
        }
        let vertices = mesh.surface.vertex_count();
        let made = self.made.entry(Arc::as_ptr(weights).addr());
        let made = made.or_insert_with(|| LaidOutWeights::new(weights, vertices));
        // Weights that two meshes share are those of one of them only.
        let LaidOutWeights { followed, rows, .. } = made;
        if before.bind || before.mesh.skinning != mesh.skinning || !followed.is_of(vertices) {
            return (None, rows.as_ref());
        }
        let before = [&posed.bind[..], &posed.current];
        let stale = self.stale.blocks(followed, before, [&now.bind, &now.current]);
        (stale, rows.as_ref())
    }
}
