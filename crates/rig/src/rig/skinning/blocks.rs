//! The loop of all skinning methods: the motions of a block of vertices are blended one after the other, then
//! applied to all at once, with the work split among threads.
//!
//! The motion is blended once per vertex, and the normals of its corners (render vertices) follow it. A
//! smooth surface has one corner per vertex, so no lookup is needed.

use super::blend::{Blend, Motion};
use super::corners::{Corners, Out, flat, flat_mut};
use super::influences::{AHEAD, Block};
use super::stale::BLOCK;
use crate::math::simd::{Kernel, MAX_LANES, Path, Simd, Spread};
use crate::mesh::render::RenderMesh;
use glam::Vec3;
use std::ops::Range;

/// The number of vertices per parallel task; fewer are not worth waking another thread.
const CHUNK: usize = 4096;

/// Larger meshes do not fit in the cache and are prefetched.
const CACHED_VERTICES: usize = 200_000;

/// The SIMD path and the blocks to skin.
#[derive(Clone, Copy)]
pub(super) struct SkinOptions<'a> {
    pub path: Path,
    /// Whether each block of [`BLOCK`] vertices is skinned; `None` for all. Other blocks keep their content.
    pub stale: Option<&'a [bool]>,
}

impl SkinOptions<'_> {
    fn is_any_stale(self, vertices: Range<usize>) -> bool {
        let blocks = vertices.start / BLOCK..vertices.end.div_ceil(BLOCK);
        self.stale.is_none_or(|stale| stale[blocks].contains(&true))
    }
}

/// Skins everything with the best SIMD path. Resizes the buffers.
pub(super) fn skin_all<B: Blend>(
    blend: &B,
    positions: &[Vec3],
    render: &RenderMesh,
    positions_out: &mut Vec<Vec3>,
    normals_out: &mut Vec<Vec3>,
) {
    let out = Out::normals(positions, render, positions_out, normals_out);
    let options = SkinOptions { path: Path::best(), stale: None };
    skin(options, blend, positions, render, positions_out, out);
}

/// Skins into `positions_out`, V, and `out`, R. Both must have these lengths.
pub(super) fn skin<B: Blend>(
    options: SkinOptions<'_>,
    blend: &B,
    positions: &[Vec3],
    render: &RenderMesh,
    positions_out: &mut [Vec3],
    out: Out<'_>,
) {
    let range = VertexRange { blend, render, first: 0, positions, positions_out, first_corner: 0, out };
    range.skin(options);
}

/// A contiguous range of vertices with their corners.
struct VertexRange<'a, B> {
    blend: &'a B,
    render: &'a RenderMesh,
    first: usize,
    positions: &'a [Vec3],
    positions_out: &'a mut [Vec3],
    /// The first render vertex.
    first_corner: usize,
    out: Out<'a>,
}

impl<B: Blend> VertexRange<'_, B> {
    fn skin(self, options: SkinOptions<'_>) {
        let length = self.positions_out.len();
        if length <= CHUNK {
            return self.skin_serially(options);
        }
        // Both halves consist of whole blocks.
        let half = (length / 2).next_multiple_of(BLOCK);
        let middle = self.first + half;
        let is_stale =
            [self.first..middle, middle..self.first + length].map(|vertices| options.is_any_stale(vertices));
        let (before, after) = self.split_at(half);
        match is_stale {
            [true, true] => {
                rayon::join(|| before.skin(options), || after.skin(options));
            }
            [true, false] => before.skin(options),
            [false, true] => after.skin(options),
            [false, false] => {}
        }
    }

    /// Skins the range on this thread.
    fn skin_serially(self, options: SkinOptions<'_>) {
        let Some(stale) = options.stale else {
            return options.path.run(self);
        };
        let mut rest = self;
        while !rest.positions_out.is_empty() {
            let stale = &stale[rest.first / BLOCK..];
            let equal = stale.iter().take_while(|other| **other == stale[0]).count();
            let vertices = (equal * BLOCK).min(rest.positions_out.len());
            let (part, after) = rest.split_at(vertices);
            if stale[0] {
                options.path.run(part);
            }
            rest = after;
        }
    }

    /// Splits the range after the first `vertices`.
    fn split_at(self, vertices: usize) -> (Self, Self) {
        let corners = &self.render.vertex[self.first_corner..][..self.out.len()];
        let first_corners = corners.partition_point(|&v| (v as usize) < self.first + vertices);
        let (positions, more_positions) = self.positions.split_at(vertices);
        let (positions_out, more_positions_out) = self.positions_out.split_at_mut(vertices);
        let (out, more_out) = self.out.split_at(first_corners);
        let before = VertexRange { positions, positions_out, out, ..self };
        let after = VertexRange {
            first: self.first + vertices,
            positions: more_positions,
            positions_out: more_positions_out,
            first_corner: self.first_corner + first_corners,
            out: more_out,
            ..self
        };
        (before, after)
    }
}

impl<B: Blend> Kernel for VertexRange<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let lanes = S::LANES;
        let length = self.positions_out.len();
        let mut scratch = Spread::EMPTY;
        let mut corners = Corners {
            blend: self.blend,
            vertex: &self.render.vertex[self.first_corner..][..self.out.len()],
            normal: &self.render.normal[self.first_corner..][..self.out.len()],
            out: self.out,
            done: 0,
        };
        let (weights, rows) = (self.blend.weights(), self.blend.rows());
        let prefetch = weights.ends.len() > CACHED_VERTICES;
        let mut i = 0;
        while i < length {
            let count = lanes.min(length - i);
            let first = self.first + i;
            let block = Block { first, count, weights, rows, prefetch };
            if prefetch {
                corners.prefetch(simd);
                simd.prefetch(self.positions, i + AHEAD, lanes);
                simd.prefetch(self.positions_out, i + AHEAD, lanes);
            }
            let blended = self.blend.blend(simd, &block, &mut scratch);
            if count == lanes && corners.are_vertices(simd, first as u32) {
                // The common case, separate from the general one so that everything stays in registers.
                let motion = self.blend.motion(simd, &block, &blended, &mut scratch);
                let normals = corners.whole_block_normals(simd, &motion);
                let points = motion.points(simd, simd.load3(flat(&self.positions[i..i + count])));
                simd.store3(flat_mut(&mut self.positions_out[i..i + count]), points);
                corners.write_whole_block(simd, first as u32, motion.stationary(), normals, points);
            } else {
                let motion = self.blend.motion(simd, &block, &blended, &mut scratch);
                let mut some = [Vec3::ZERO; MAX_LANES];
                some[..count].copy_from_slice(&self.positions[i..i + count]);
                let points = motion.points(simd, simd.load3(flat(&some)));
                simd.store3(flat_mut(&mut some), points);
                self.positions_out[i..i + count].copy_from_slice(&some[..count]);
                corners.write_block(simd, first as u32, count, &motion, points);
            }
            i += count;
        }
    }
}
