//! The corners (render vertices) of skinned vertices: their normals follow the motion of their vertex and are
//! written separately or interleaved with positions for the GPU.

use super::blend::{Blend, Motion, gather_lanes};
use super::influences::AHEAD;
use crate::math::simd::{MAX_LANES, Simd};
use crate::mesh::render::{RenderMesh, RenderVertex};
use glam::Vec3;

/// The output buffer of skinning.
pub(super) enum Out<'a> {
    /// R: unit normals.
    Normals(&'a mut [Vec3]),
    /// R: positions and unit normals.
    Vertices(&'a mut [RenderVertex]),
}

impl<'a> Out<'a> {
    /// Resizes the buffers to a position per vertex and a normal per corner of `render`.
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

/// The corners of a vertex range, and how many are done.
pub(super) struct Corners<'a, B> {
    pub blend: &'a B,
    pub vertex: &'a [u32],
    pub normal: &'a [Vec3],
    pub out: Out<'a>,
    pub done: usize,
}

impl<B: Blend> Corners<'_, B> {
    /// Prefetches the corners of a later block.
    #[inline(always)]
    pub fn prefetch<S: Simd>(&self, simd: S) {
        let index = self.done + AHEAD;
        simd.prefetch(self.normal, index, S::LANES);
        simd.prefetch(self.vertex, index, S::LANES);
        match &self.out {
            Out::Normals(out) => simd.prefetch(out, index, S::LANES),
            Out::Vertices(out) => simd.prefetch(out, index, S::LANES),
        }
    }

    /// Whether the next corners are exactly one for each vertex of a whole block.
    #[inline(always)]
    pub fn are_vertices<S: Simd>(&self, simd: S, first: u32) -> bool {
        let (start, end) = (self.done, self.done + S::LANES);
        end <= self.vertex.len()
            && simd.is_arithmetic_sequence(&self.vertex[start..end], first, 1)
            && (end == self.vertex.len() || self.vertex[end] >= first + S::LANES as u32)
    }

    /// Returns the normals of a block with one corner per vertex.
    #[inline(always)]
    pub fn whole_block_normals<S: Simd>(&self, simd: S, motion: &B::Motion<S>) -> ([S::F; 3], u32) {
        let bind = &self.normal[self.done..self.done + S::LANES];
        motion.normals(simd, simd.load3(flat(bind)))
    }

    /// Writes a block with one corner per vertex.
    #[inline(always)]
    pub fn write_whole_block<S: Simd>(
        &mut self,
        simd: S,
        first: u32,
        stationary: u32,
        normals: ([S::F; 3], u32),
        points: [S::F; 3],
    ) {
        self.write(simd, self.done, normals, points, S::LANES);
        self.done += S::LANES;
        if stationary != 0 {
            self.restore(first, stationary);
        }
    }

    /// Writes the corners of `count` vertices from `first` on.
    #[inline(always)]
    pub fn write_block<S: Simd>(
        &mut self,
        simd: S,
        first: u32,
        count: usize,
        motion: &B::Motion<S>,
        points: [S::F; 3],
    ) {
        let lanes = S::LANES;
        let end = first + count as u32;
        while self.done < self.vertex.len() && self.vertex[self.done] < end {
            let start = self.done;
            if start + lanes <= self.vertex.len() && self.vertex[start + lanes - 1] < end {
                let vertices = &self.vertex[start..start + lanes];
                let bind = simd.load3(flat(&self.normal[start..start + lanes]));
                let indices = simd.lane_indices(vertices, first);
                let normals = motion.gather(simd, indices).normals(simd, bind);
                self.write(simd, start, normals, gather_lanes(simd, points, indices), lanes);
                self.done += lanes;
            } else {
                let (mut vertices, mut bind) = ([first; MAX_LANES], [Vec3::ZERO; MAX_LANES]);
                let mut count = 0;
                while count < lanes && start + count < self.vertex.len() && self.vertex[start + count] < end {
                    vertices[count] = self.vertex[start + count];
                    bind[count] = self.normal[start + count];
                    count += 1;
                }
                let indices = simd.lane_indices(&vertices, first);
                let normals = motion.gather(simd, indices).normals(simd, simd.load3(flat(&bind)));
                self.write(simd, start, normals, gather_lanes(simd, points, indices), count);
                self.done += count;
            }
        }
        if motion.stationary() != 0 {
            self.restore(first, motion.stationary());
        }
    }

    /// Restores the bind normals of stationary vertices in a finished block that starts at `first`.
    #[cold]
    #[inline(never)]
    fn restore(&mut self, first: u32, stationary: u32) {
        let start = self.vertex[..self.done].partition_point(|&v| v < first);
        for corner in start..self.done {
            if stationary >> (self.vertex[corner] - first) & 1 == 1 {
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

    /// Writes the first `count` lanes to the corners from `start` on.
    #[inline(always)]
    fn write<S: Simd>(
        &mut self,
        simd: S,
        start: usize,
        (normals, invalid): ([S::F; 3], u32),
        points: [S::F; 3],
        count: usize,
    ) {
        match &mut self.out {
            Out::Normals(out) if count == S::LANES => {
                simd.store3(flat_mut(&mut out[start..start + count]), normals);
            }
            Out::Normals(out) => {
                let mut some = [Vec3::ZERO; MAX_LANES];
                simd.store3(flat_mut(&mut some), normals);
                out[start..start + count].copy_from_slice(&some[..count]);
            }
            Out::Vertices(out) => {
                let (mut moved, mut unit) = ([Vec3::ZERO; MAX_LANES], [Vec3::ZERO; MAX_LANES]);
                simd.store3(flat_mut(&mut moved), points);
                simd.store3(flat_mut(&mut unit), normals);
                interleave(&mut out[start..start + count], &moved, &unit);
            }
        }
        if invalid != 0 {
            self.recalculate_in_f64(start, invalid, count);
        }
    }

    #[cold]
    #[inline(never)]
    fn recalculate_in_f64(&mut self, start: usize, invalid: u32, count: usize) {
        for corner in (start..start + count).filter(|corner| invalid >> (corner - start) & 1 == 1) {
            let normal = self.blend.normal_in_f64(self.vertex[corner] as usize, self.normal[corner]);
            self.set(corner, normal);
        }
    }
}

/// Writes interleaved vertices. Not inlined, to spare the kernel any setup where nothing is interleaved.
#[inline(never)]
fn interleave(out: &mut [RenderVertex], positions: &[Vec3; MAX_LANES], normals: &[Vec3; MAX_LANES]) {
    for (i, vertex) in out.iter_mut().enumerate().take(MAX_LANES) {
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
