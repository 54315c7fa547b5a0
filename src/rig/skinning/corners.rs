//! Corners (render vertices) of the vertices that a part skins: their normals follow the motion of their vertex, and go
//! where the result goes, alone or as they lie on the graphics card.

use super::blend::{Blend, Moves, at_places};
use super::influences::AHEAD;
use crate::math::simd::{MOST_LANES, Simd};
use crate::mesh::render::{RenderMesh, RenderVertex};
use glam::Vec3;

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

    pub fn len(&self) -> usize {
        match self {
            Out::Normals(normals) => normals.len(),
            Out::Vertices(vertices) => vertices.len(),
        }
    }

    pub fn split_at(self, at: usize) -> (Self, Self) {
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

/// The corners of a part, and how many are done.
pub(super) struct Corners<'a, B> {
    pub blend: &'a B,
    pub vertex: &'a [u32],
    pub normal: &'a [Vec3],
    pub out: Out<'a>,
    pub done: usize,
}

impl<B: Blend> Corners<'_, B> {
    /// What comes some blocks later.
    #[inline(always)]
    pub fn prefetch<S: Simd>(&self, simd: S) {
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
    pub fn are_vertices<S: Simd>(&self, simd: S, first: u32) -> bool {
        let (at, end) = (self.done, self.done + S::LANES);
        end <= self.vertex.len()
            && simd.in_steps(&self.vertex[at..end], first, 1)
            && (end == self.vertex.len() || self.vertex[end] >= first + S::LANES as u32)
    }

    /// The normals of such a block.
    #[inline(always)]
    pub fn normals_of_vertices<S: Simd>(&self, simd: S, moves: &B::Moves<S>) -> ([S::F; 3], u32) {
        let bind = &self.normal[self.done..self.done + S::LANES];
        moves.normals(simd, simd.load3(flat(bind)))
    }

    /// As [`Corners::of_block`], of such a block.
    #[inline(always)]
    pub fn of_vertices<S: Simd>(
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
    pub fn of_block<S: Simd>(
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
pub(super) fn flat(points: &[Vec3]) -> &[f32] {
    bytemuck::cast_slice(points)
}

#[inline(always)]
pub(super) fn flat_mut(points: &mut [Vec3]) -> &mut [f32] {
    bytemuck::cast_slice_mut(points)
}
