//! What all skinning methods share: blocks of vertices whose motions are blended one after the other, then
//! applied to all at once, with the work split among threads.
//!
//! The motion is blended once a vertex. Its corners (render vertices) take their normals from it; on a
//! smooth surface there is one of them a vertex, and nothing is looked up.

use super::stale::BLOCK;
use crate::math::simd::{Kernel, MOST_LANES, Path, Rows, Simd};
use crate::mesh::render::{RenderMesh, RenderVertex};
use crate::rig::weights::VertexWeights;
use glam::Vec3;
use std::ops::Range;

/// Vertices that one thread takes at a time: fewer are not worth waking another.
const CHUNK: usize = 4096;

/// A method: the motions of a block of vertices.
pub(super) trait Blend: Sync {
    type Moves<S: Simd>: Moves<S>;

    /// Of the vertices `first..first + count`; the lanes after them stay in place, as do vertices without
    /// weights. `rows`: scratch. `#[inline(always)]`.
    fn block<S: Simd>(&self, simd: S, first: usize, count: usize, rows: &mut Rows) -> Self::Moves<S>;

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
    fn at(&self, simd: S, places: S::Places) -> Self;
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
        let mut rows = Rows::ZERO;
        let mut corners = Corners {
            blend: self.blend,
            vertex: &self.render.vertex[self.first_corner..][..self.out.len()],
            normal: &self.render.normal[self.first_corner..][..self.out.len()],
            out: self.out,
            done: 0,
        };
        let mut at = 0;
        while at < length {
            let count = lanes.min(length - at);
            let moves = self.blend.block(simd, self.first + at, count, &mut rows);
            let points;
            if count == lanes {
                points = moves.points(simd, simd.load3(flat(&self.positions[at..at + count])));
                simd.store3(flat_mut(&mut self.positions_out[at..at + count]), points);
            } else {
                let mut some = [Vec3::ZERO; MOST_LANES];
                some[..count].copy_from_slice(&self.positions[at..at + count]);
                points = moves.points(simd, simd.load3(flat(&some)));
                simd.store3(flat_mut(&mut some), points);
                self.positions_out[at..at + count].copy_from_slice(&some[..count]);
            }
            corners.of_block(simd, (self.first + at) as u32, count, &moves, points);
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
                if simd.in_steps(vertices, first, 1) {
                    self.put(simd, at, moves.normals(simd, bind), points, lanes);
                } else {
                    let places = simd.places(vertices, first);
                    let moved = moves.at(simd, places).normals(simd, bind);
                    self.put(simd, at, moved, at_places(simd, points, places), lanes);
                }
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
                for (i, vertex) in out[at..at + count].iter_mut().enumerate() {
                    (vertex.position, vertex.normal) = (from[i], unit[i]);
                }
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

#[inline(always)]
pub(super) fn at_places<S: Simd, const N: usize>(simd: S, a: [S::F; N], places: S::Places) -> [S::F; N] {
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

/// Skeletons of fewer bones have tables of a fixed size, so that finding a bone in them needs no check.
pub(super) const TABLE: usize = 256;

/// Place of a bone in a table of [`TABLE`]: bones that are not there are the last, which is at rest.
#[inline(always)]
pub(super) fn place(bone: u16, bones: u16) -> u8 {
    if bone < bones { bone as u8 } else { u8::MAX }
}

/// Entries of vertices that have four each, as skeletons for games have it: places of bones, and weights.
pub(super) struct Fours<'a> {
    pub bones: [[u8; 4]; MOST_LANES],
    pub weights: &'a [[f32; 4]],
    /// The bones of every vertex are in ascending order.
    pub ascending: bool,
}

impl<'a> Fours<'a> {
    /// Of `count` vertices from `first` on; `None` if one of them has more or less. `bones`: how many there
    /// are, fewer than [`TABLE`].
    #[inline(always)]
    pub fn of<S: Simd>(
        simd: S,
        weights: &'a VertexWeights,
        first: usize,
        count: usize,
        bones: u16,
    ) -> Option<Self> {
        let VertexWeights {
            ends,
            bones: indices,
            weights,
        } = weights;
        let start = if first == 0 { 0 } else { *ends.get(first - 1)? };
        let ends = ends.get(first..first + count)?;
        // The last few vertices may as well go the way of all the others.
        if count < S::LANES || !simd.in_steps(ends, start.wrapping_add(4), 4) {
            return None;
        }
        let range = start as usize..start as usize + 4 * count;
        let (indices, _) = indices.get(range.clone())?.as_chunks::<4>();
        let (weights, _) = weights.get(range)?.as_chunks::<4>();
        let (mut places, indices) = ([[0; 4]; MOST_LANES], indices.as_flattened());
        for (to, index) in places.as_flattened_mut().iter_mut().zip(indices) {
            *to = place(*index, bones);
        }
        // Where the next index is that of the next vertex, it may be what it likes.
        let mut falls = 0;
        for i in 0..indices.len() - 1 {
            falls |= u32::from(indices[i] >= indices[i + 1]) & u32::from(i % 4 != 3);
        }
        Some(Self {
            bones: places,
            weights,
            ascending: falls == 0,
        })
    }
}

/// The entries of vertices one after the other, checked as [`VertexWeights::row`] does it.
pub(super) struct Walk<'a> {
    ends: &'a [u32],
    bones: &'a [u16],
    weights: &'a [f32],
    start: u32,
}

impl<'a> Walk<'a> {
    /// The vertices from `first` on.
    #[inline(always)]
    pub fn new(weights: &'a VertexWeights, first: usize) -> Self {
        let VertexWeights { ends, bones, weights } = weights;
        let before = first.checked_sub(1).and_then(|before| ends.get(before));
        Self {
            ends: ends.get(first..).unwrap_or_default(),
            bones,
            weights,
            start: before.copied().unwrap_or(0),
        }
    }

    /// The entries of the block's vertex `lane`, the one after that of the last call.
    #[inline(always)]
    pub fn row(&mut self, lane: usize) -> (&'a [u16], &'a [f32]) {
        let Some(&end) = self.ends.get(lane) else {
            return (&[], &[]);
        };
        let range = self.start as usize..end as usize;
        self.start = end;
        match (self.bones.get(range.clone()), self.weights.get(range)) {
            (Some(bones), Some(weights)) => (bones, weights),
            _ => (&[], &[]),
        }
    }
}
