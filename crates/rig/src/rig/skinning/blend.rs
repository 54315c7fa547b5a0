//! The interface of a skinning method: how the motions of a block of vertices are blended and applied.

use super::influences::Block;
use super::rows::Rows;
use crate::math::simd::{Lanes, MAX_LANES, Simd, Spread};
use crate::rig::weights::VertexWeights;
use glam::Vec3;

/// A skinning method.
pub(super) trait Blend: Sync {
    type Blended<S: Simd>: Copy;
    type Motion<S: Simd>: Motion<S>;

    fn weights(&self) -> &VertexWeights;

    /// The weights in SIMD layout, if available.
    fn rows(&self) -> Option<&Rows>;

    /// Blends the motions of a block, row by row; vertices without weights stay in place. Implementations
    /// must be `#[inline(always)]`.
    fn blend<S: Simd>(&self, simd: S, block: &Block<'_>, scratch: &mut Spread) -> Self::Blended<S>;

    /// Converts a blended block to a motion that can be applied. Implementations must be `#[inline(always)]`.
    fn motion<S: Simd>(
        &self,
        simd: S,
        block: &Block<'_>,
        blended: &Self::Blended<S>,
        scratch: &mut Spread,
    ) -> Self::Motion<S>;

    /// Calculates the normal of a corner of `vertex` in f64, for normals too short or too long for f32.
    /// `bind`: the normal in the bind pose.
    fn normal_in_f64(&self, vertex: usize, bind: Vec3) -> Vec3;
}

/// The motion of a block of vertices. Implementations must be `#[inline(always)]`.
pub(super) trait Motion<S: Simd>: Copy {
    /// Moves the points of a block.
    fn points(&self, simd: S, points: [S::F; 3]) -> [S::F; 3];

    /// Rotates unit normals to unit normals. Also returns a mask of lanes with invalid results, which
    /// [`Blend::normal_in_f64`] must calculate instead.
    fn normals(&self, simd: S, normals: [S::F; 3]) -> ([S::F; 3], u32);

    /// Returns a mask of lanes whose vertex stays in place, so that its normals are preserved bit for bit.
    #[inline(always)]
    fn stationary(&self) -> u32 {
        0
    }

    /// Gathers from the given lanes what [`Self::normals`] needs.
    fn gather(&self, simd: S, lanes: S::LaneIndices) -> Self;
}

/// Gathers vectors from the given lanes.
#[inline(always)]
pub(super) fn gather_lanes<S: Simd, const N: usize>(
    simd: S,
    a: [S::F; N],
    lanes: S::LaneIndices,
) -> [S::F; N] {
    let mut gathered = a;
    for i in 0..N {
        gathered[i] = simd.permute(a[i], lanes);
    }
    gathered
}

/// Weighted sums of a block, vertex by vertex.
pub(super) trait Sums<S: Simd> {
    type Sum: Copy;
    /// Sums the motions of a lane's vertex. Implementations must be `#[inline(always)]`.
    fn sum(&self, simd: S, lane: usize) -> Self::Sum;
}

/// Calculates the sums of all lanes. Unrolled, because arrays indexed in a loop would have to be in memory.
#[inline(always)]
pub(super) fn all_sums<S: Simd, T: Sums<S>>(simd: S, sums: &T) -> Lanes<T::Sum> {
    let mut all = [four_sums(simd, sums, 0); MAX_LANES / 4];
    if S::LANES > 4 {
        all[1] = four_sums(simd, sums, 4);
    }
    if S::LANES > 8 {
        all[2] = four_sums(simd, sums, 8);
        all[3] = four_sums(simd, sums, 12);
    }
    all
}

#[inline(always)]
fn four_sums<S: Simd, T: Sums<S>>(simd: S, sums: &T, lane: usize) -> [T::Sum; 4] {
    [sums.sum(simd, lane), sums.sum(simd, lane + 1), sums.sum(simd, lane + 2), sums.sum(simd, lane + 3)]
}

/// Clears the lowest set bit and returns its index.
#[inline(always)]
pub(super) fn pop_lowest(bits: &mut u32) -> Option<usize> {
    if *bits == 0 {
        return None;
    }
    let lane = bits.trailing_zeros() as usize;
    *bits &= *bits - 1;
    Some(lane)
}
