//! What all skinning methods share: blocks of vertices whose motions are blended one after the other, then
//! applied to all at once, with the work split among threads.
//!
//! The motion is blended once a vertex. Its corners (render vertices) take their normals from it; on a
//! smooth surface there is one of them a vertex, and nothing is looked up.

use super::influences::{AHEAD, Block};
use super::rows::Rows;
use super::stale::BLOCK;
use crate::math::simd::{Kernel, Lanes, MOST_LANES, Path, Simd, Spread};
use crate::mesh::render::{RenderMesh, RenderVertex};
use crate::rig::weights::VertexWeights;
use glam::Vec3;
use std::ops::Range;

/// Vertices that one thread takes at a time: fewer are not worth waking another.
const CHUNK: usize = 4096;

/// Larger meshes do not stay in a cache.
const NEAR: usize = 200_000;

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

/// Where the result goes.
pub(super) enum Out<'a> {
    /// R: unit normals.
    Normals(&'a mut [Vec3]),
    /// R: positions and unit normals.
    Vertices(&'a mut [RenderVertex]),
}

impl<'a> Out<'a> {
    /// Makes the buffers as long as the result, which has a normal per corner of `render`.
    pub fn normals(
        positions: &[Vec3],
        render: &RenderMesh,
        out_positions: &mut Vec<Vec3>,
        out_normals: &'a mut Vec<Vec3>,
    ) -> Self {
        out_positions.resize(positions.len(), Vec3::ZERO);
        out_normals.resize(render.vertex.len(), Vec3::ZERO);
        Out::Normals(out_normals)
    }

    fn len(&self) -> usize {
        match self {
            Out::Normals(normals) => normals.len(),
            Out::Vertices(vertices) => vertices.len(),
        }
    }

    fn split_at(self, at: usize) -> (Self, Self) {
        match self {
            Out::Normals(normals) => {
                let (a, b) = normals.split_at_mut(at);
                (Out::Normals(a), Out::Normals(b))
            }
            Out::Vertices(vertices) => {
                let (a, b) = vertices.split_at_mut(at);
                (Out::Vertices(a), Out::Vertices(b))
            }
        }
    }
}

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

/// The corners of a part, and how many are done.
struct Corners<'a, B> {
    blend: &'a B,
    vertex: &'a [u32],
    normal: &'a [Vec3],
    out: Out<'a>,
    done: usize,
}

impl<B: Blend> Corners<'_, B> {
    /// What comes some blocks later.
    #[inline(always)]
    fn prefetch<S: Simd>(&self, simd: S) {
        let at = self.done + AHEAD;
        simd.prefetch(self.normal, at, S::LANES);
        simd.prefetch(self.vertex, at, S::LANES);
        match &self.out {
            Out::Normals(out) => simd.prefetch(out, at, S::LANES),
            Out::Vertices(out) => simd.prefetch(out, at, S::LANES),
        }
    }

    /// Whether the next ones are one of each vertex of a whole block.
    #[inline(always)]
    fn are_vertices<S: Simd>(&self, simd: S, first: u32) -> bool {
        let (at, end) = (self.done, self.done + S::LANES);
        end <= self.vertex.len()
            && simd.in_steps(&self.vertex[at..end], first, 1)
            && (end == self.vertex.len() || self.vertex[end] >= first + S::LANES as u32)
    }

    /// The normals of such a block.
    #[inline(always)]
    fn normals_of_vertices<S: Simd>(&self, simd: S, moves: &B::Moves<S>) -> ([S::F; 3], u32) {
        let bind = &self.normal[self.done..self.done + S::LANES];
        moves.normals(simd, simd.load3(flat(bind)))
    }

    /// As [`Corners::of_block`], of such a block.
    #[inline(always)]
    fn of_vertices<S: Simd>(
        &mut self,
        simd: S,
        first: u32,
        still: u32,
        normals: ([S::F; 3], u32),
        points: [S::F; 3],
    ) {
        self.put(simd, self.done, normals, points, S::LANES);
        self.done += S::LANES;
        if still != 0 {
            self.keep(first, still);
        }
    }

    /// Those of `count` vertices from `first` on, which lie next to each other.
    #[inline(always)]
    fn of_block<S: Simd>(
        &mut self,
        simd: S,
        first: u32,
        count: usize,
        moves: &B::Moves<S>,
        points: [S::F; 3],
    ) {
        let lanes = S::LANES;
        let end = first + count as u32;
        while self.done < self.vertex.len() && self.vertex[self.done] < end {
            let at = self.done;
            if at + lanes <= self.vertex.len() && self.vertex[at + lanes - 1] < end {
                let vertices = &self.vertex[at..at + lanes];
                let bind = simd.load3(flat(&self.normal[at..at + lanes]));
                let places = simd.places(vertices, first);
                let moved = moves.at(simd, places).normals(simd, bind);
                self.put(simd, at, moved, at_places(simd, points, places), lanes);
                self.done += lanes;
            } else {
                let (mut vertices, mut bind) = ([first; MOST_LANES], [Vec3::ZERO; MOST_LANES]);
                let mut some = 0;
                while some < lanes && at + some < self.vertex.len() && self.vertex[at + some] < end {
                    vertices[some] = self.vertex[at + some];
                    bind[some] = self.normal[at + some];
                    some += 1;
                }
                let places = simd.places(&vertices, first);
                let moved = moves.at(simd, places).normals(simd, simd.load3(flat(&bind)));
                self.put(simd, at, moved, at_places(simd, points, places), some);
                self.done += some;
            }
        }
        if moves.still() != 0 {
            self.keep(first, moves.still());
        }
    }

    /// The corners of the vertices that stay in place, among those done of a block that begins at `first`.
    #[cold]
    #[inline(never)]
    fn keep(&mut self, first: u32, still: u32) {
        let start = self.vertex[..self.done].partition_point(|&v| v < first);
        for corner in start..self.done {
            if still >> (self.vertex[corner] - first) & 1 == 1 {
                self.set(corner, self.normal[corner]);
            }
        }
    }

    fn set(&mut self, corner: usize, normal: Vec3) {
        match &mut self.out {
            Out::Normals(out) => out[corner] = normal,
            Out::Vertices(out) => out[corner].normal = normal,
        }
    }

    /// The first `count` lanes, which are the corners from `at` on.
    #[inline(always)]
    fn put<S: Simd>(
        &mut self,
        simd: S,
        at: usize,
        (normals, not): ([S::F; 3], u32),
        points: [S::F; 3],
        count: usize,
    ) {
        match &mut self.out {
            Out::Normals(out) if count == S::LANES => {
                simd.store3(flat_mut(&mut out[at..at + count]), normals);
            }
            Out::Normals(out) => {
                let mut some = [Vec3::ZERO; MOST_LANES];
                simd.store3(flat_mut(&mut some), normals);
                out[at..at + count].copy_from_slice(&some[..count]);
            }
            Out::Vertices(out) => {
                let (mut from, mut unit) = ([Vec3::ZERO; MOST_LANES], [Vec3::ZERO; MOST_LANES]);
                simd.store3(flat_mut(&mut from), points);
                simd.store3(flat_mut(&mut unit), normals);
                interleave(&mut out[at..at + count], &from, &unit);
            }
        }
        if not != 0 {
            self.in_f64(at, not, count);
        }
    }

    #[cold]
    #[inline(never)]
    fn in_f64(&mut self, at: usize, not: u32, count: usize) {
        for corner in (at..at + count).filter(|corner| not >> (corner - at) & 1 == 1) {
            let normal = self
                .blend
                .normal_in_f64(self.vertex[corner] as usize, self.normal[corner]);
            self.set(corner, normal);
        }
    }
}

/// Apart, so that the kernel does not prepare for it where nothing is interleaved.
#[inline(never)]
fn interleave(out: &mut [RenderVertex], positions: &[Vec3; MOST_LANES], normals: &[Vec3; MOST_LANES]) {
    for (i, vertex) in out.iter_mut().enumerate().take(MOST_LANES) {
        (vertex.position, vertex.normal) = (positions[i], normals[i]);
    }
}

#[inline(always)]
pub(super) fn at_places<S: Simd, const N: usize>(simd: S, a: [S::F; N], places: S::LaneIndices) -> [S::F; N] {
    let mut at = a;
    for i in 0..N {
        at[i] = simd.permuted(a[i], places);
    }
    at
}

#[inline(always)]
fn flat(points: &[Vec3]) -> &[f32] {
    bytemuck::cast_slice(points)
}

#[inline(always)]
fn flat_mut(points: &mut [Vec3]) -> &mut [f32] {
    bytemuck::cast_slice_mut(points)
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
