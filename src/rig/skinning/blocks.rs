//! What all skinning methods share: blocks of vertices whose motions are blended one after the other, then
//! applied to all at once, with the work split among threads.
//!
//! The motion is blended once a vertex. Its corners (render vertices) take their normals from it; on a
//! smooth surface there is one of them a vertex, and nothing is looked up.

use super::blend::{Blend, Moves};
use super::corners::{Corners, Out, flat, flat_mut};
use super::influences::{AHEAD, Block};
use super::stale::BLOCK;
use crate::math::simd::{Kernel, MOST_LANES, Path, Simd, Spread};
use crate::mesh::render::RenderMesh;
use glam::Vec3;
use std::ops::Range;

/// Vertices that one thread takes at a time: fewer are not worth waking another.
const CHUNK: usize = 4096;

/// Larger meshes do not stay in a cache.
const NEAR: usize = 200_000;

/// By which instructions, and which blocks of [`BLOCK`] vertices: `None` for all. Others keep what they hold.
#[derive(Clone, Copy)]
pub(super) struct How<'a> {
    pub path: Path,
    pub stale: Option<&'a [bool]>,
}

impl How<'_> {
    fn any(self, vertices: Range<usize>) -> bool {
        let blocks = vertices.start / BLOCK..vertices.end.div_ceil(BLOCK);
        self.stale.is_none_or(|stale| stale[blocks].contains(&true))
    }
}

/// Skins everything by the best path, into buffers that are resized.
pub(super) fn skin_all<B: Blend>(
    blend: &B,
    positions: &[Vec3],
    render: &RenderMesh,
    positions_out: &mut Vec<Vec3>,
    normals_out: &mut Vec<Vec3>,
) {
    let out = Out::normals(positions, render, positions_out, normals_out);
    let how = How {
        path: Path::best(),
        stale: None,
    };
    skin(how, blend, positions, render, positions_out, out);
}

/// Skins into `positions_out`, V, and `out`, R. Both must have these lengths.
pub(super) fn skin<B: Blend>(
    how: How<'_>,
    blend: &B,
    positions: &[Vec3],
    render: &RenderMesh,
    positions_out: &mut [Vec3],
    out: Out<'_>,
) {
    let part = Part {
        blend,
        render,
        first: 0,
        positions,
        positions_out,
        first_corner: 0,
        out,
    };
    part.skin(how);
}

/// Vertices in a row, with their corners.
struct Part<'a, B> {
    blend: &'a B,
    render: &'a RenderMesh,
    first: usize,
    positions: &'a [Vec3],
    positions_out: &'a mut [Vec3],
    /// The first render vertex.
    first_corner: usize,
    out: Out<'a>,
}

impl<B: Blend> Part<'_, B> {
    fn skin(self, how: How<'_>) {
        let length = self.positions_out.len();
        if length <= CHUNK {
            return self.skin_here(how);
        }
        // Whole blocks on both sides.
        let half = (length / 2).next_multiple_of(BLOCK);
        let middle = self.first + half;
        let any = [self.first..middle, middle..self.first + length].map(|of| how.any(of));
        let (here, there) = self.split_at(half);
        match any {
            [true, true] => {
                rayon::join(|| here.skin(how), || there.skin(how));
            }
            [true, false] => here.skin(how),
            [false, true] => there.skin(how),
            [false, false] => {}
        }
    }

    /// Without other threads.
    fn skin_here(self, how: How<'_>) {
        let Some(stale) = how.stale else {
            return how.path.run(self);
        };
        let mut rest = self;
        while !rest.positions_out.is_empty() {
            let stale = &stale[rest.first / BLOCK..];
            let alike = stale.iter().take_while(|other| **other == stale[0]).count();
            let vertices = (alike * BLOCK).min(rest.positions_out.len());
            let (part, after) = rest.split_at(vertices);
            if stale[0] {
                how.path.run(part);
            }
            rest = after;
        }
    }

    /// The first `vertices`, and the others.
    fn split_at(self, vertices: usize) -> (Self, Self) {
        let corners = &self.render.vertex[self.first_corner..][..self.out.len()];
        let first_corners = corners.partition_point(|&v| (v as usize) < self.first + vertices);
        let (positions, more_positions) = self.positions.split_at(vertices);
        let (positions_out, more_positions_out) = self.positions_out.split_at_mut(vertices);
        let (out, more_out) = self.out.split_at(first_corners);
        let before = Part {
            positions,
            positions_out,
            out,
            ..self
        };
        let after = Part {
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

impl<B: Blend> Kernel for Part<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let lanes = S::LANES;
        let length = self.positions_out.len();
        let mut room = Spread::NONE;
        let mut corners = Corners {
            blend: self.blend,
            vertex: &self.render.vertex[self.first_corner..][..self.out.len()],
            normal: &self.render.normal[self.first_corner..][..self.out.len()],
            out: self.out,
            done: 0,
        };
        let (weights, rows) = (self.blend.weights(), self.blend.rows());
        let far = weights.ends.len() > NEAR;
        let mut at = 0;
        while at < length {
            let count = lanes.min(length - at);
            let first = self.first + at;
            let block = Block {
                first,
                count,
                weights,
                rows,
                far,
            };
            if far {
                corners.prefetch(simd);
                simd.prefetch(self.positions, at + AHEAD, lanes);
                simd.prefetch(self.positions_out, at + AHEAD, lanes);
            }
            let blended = self.blend.blend(simd, &block, &mut room);
            if count == lanes && corners.are_vertices(simd, first as u32) {
                // The usual surface, apart from the others, so that all of it stays in registers.
                let moves = self.blend.moves(simd, &block, &blended, &mut room);
                let normals = corners.normals_of_vertices(simd, &moves);
                let points = moves.points(simd, simd.load3(flat(&self.positions[at..at + count])));
                simd.store3(flat_mut(&mut self.positions_out[at..at + count]), points);
                corners.of_vertices(simd, first as u32, moves.still(), normals, points);
            } else {
                let moves = self.blend.moves(simd, &block, &blended, &mut room);
                let mut some = [Vec3::ZERO; MOST_LANES];
                some[..count].copy_from_slice(&self.positions[at..at + count]);
                let points = moves.points(simd, simd.load3(flat(&some)));
                simd.store3(flat_mut(&mut some), points);
                self.positions_out[at..at + count].copy_from_slice(&some[..count]);
                corners.of_block(simd, first as u32, count, &moves, points);
            }
            at += count;
        }
    }
}
