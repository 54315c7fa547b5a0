//! What a skinning method is to the code that goes over the vertices: how motions of a block are blended, and what they do.

use super::influences::Block;
use super::rows::Rows;
use crate::math::simd::{Lanes, MOST_LANES, Simd, Spread};
use crate::rig::weights::VertexWeights;
use glam::Vec3;

/// A method: the motions of a block of vertices.
pub(super) trait Blend: Sync {
    type Blended<S: Simd>: Copy;
    type Moves<S: Simd>: Moves<S>;

    fn weights(&self) -> &VertexWeights;

    /// The weights laid out, if they are.
    fn rows(&self) -> Option<&Rows>;

    /// Blends the motions of a block, row by row; vertices without weights stay in place. `room`: scratch.
    /// `#[inline(always)]`.
    fn blend<S: Simd>(&self, simd: S, block: &Block<'_>, room: &mut Spread) -> Self::Blended<S>;

    /// What was blended. `#[inline(always)]`.
    fn moves<S: Simd>(
        &self,
        simd: S,
        block: &Block<'_>,
        blended: &Self::Blended<S>,
        room: &mut Spread,
    ) -> Self::Moves<S>;

    /// The normal of a corner of `vertex` where it is too short or too long for f32; `bind`: in the bind pose.
    fn normal_in_f64(&self, vertex: usize, bind: Vec3) -> Vec3;
}

/// What is done to a block of vertices. Functions: `#[inline(always)]`.
pub(super) trait Moves<S: Simd>: Copy {
    fn points(&self, simd: S, points: [S::F; 3]) -> [S::F; 3];

    /// Unit normals stay unit normals. Also a bit per lane where the result does not count and has to be
    /// worked out by [`Blend::normal_in_f64`].
    fn normals(&self, simd: S, normals: [S::F; 3]) -> ([S::F; 3], u32);

    /// A bit per lane of a vertex that stays in place, so that its normals keep their bits.
    #[inline(always)]
    fn still(&self) -> u32 {
        0
    }

    /// Those of the lanes at `places`.
    fn at(&self, simd: S, places: S::LaneIndices) -> Self;
}

#[inline(always)]
pub(super) fn at_places<S: Simd, const N: usize>(simd: S, a: [S::F; N], places: S::LaneIndices) -> [S::F; N] {
    let mut at = a;
    for i in 0..N {
        at[i] = simd.permuted(a[i], places);
    }
    at
}

/// Sums of a block, vertex by vertex.
pub(super) trait Sums<S: Simd> {
    type Sum: Copy;
    /// `#[inline(always)]`.
    fn sum(&self, simd: S, lane: usize) -> Self::Sum;
}

/// All of them, without a loop: what is indexed in a loop has to lie in memory.
#[inline(always)]
pub(super) fn all<S: Simd, T: Sums<S>>(simd: S, sums: &T) -> Lanes<T::Sum> {
    let mut all = [four_sums(simd, sums, 0); MOST_LANES / 4];
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
fn four_sums<S: Simd, T: Sums<S>>(simd: S, sums: &T, at: usize) -> [T::Sum; 4] {
    [
        sums.sum(simd, at),
        sums.sum(simd, at + 1),
        sums.sum(simd, at + 2),
        sums.sum(simd, at + 3),
    ]
}

/// The lowest bit that is set, which is then taken away.
#[inline(always)]
pub(super) fn next(bits: &mut u32) -> Option<usize> {
    if *bits == 0 {
        return None;
    }
    let lane = bits.trailing_zeros() as usize;
    *bits &= *bits - 1;
    Some(lane)
}
