//! Faces under repair. Corners are stored consecutively, as indices into the attributes of the file, so faces
//! take little more memory than their text.

use crate::math::reserve::reserve_frugally;
use glam::{DVec3, Vec2, Vec3};
use std::ops::Range;

/// Marks a missing texture coordinate or normal.
pub const NONE: u32 = u32::MAX;
/// The bit of a normal index that negates the normal. No readable file has enough normals to need it.
const FLIPPED: u32 = 1 << 31;

#[derive(Clone, Copy, Debug)]
pub struct Face {
    /// The number of the face in the file.
    pub number: u32,
    /// The location of the face in the file.
    pub location: u32,
    end: u32,
}

/// The indices of a corner; `uv` and `normal` may be [`NONE`].
#[derive(Clone, Copy, Debug)]
pub struct Corner {
    pub vertex: u32,
    pub uv: u32,
    pub normal: u32,
}

#[derive(Debug, Default)]
pub struct Faces {
    faces: Vec<Face>,
    /// The vertex of each corner.
    pub vertex: Vec<u32>,
    /// The uv of each corner; empty if no corner has one.
    uv: Vec<u32>,
    normal: Vec<u32>,
}

impl Faces {
    pub fn len(&self) -> usize {
        self.faces.len()
    }

    pub fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }

    pub fn corner_count(&self) -> usize {
        self.vertex.len()
    }

    /// Adds a corner to the open face.
    pub fn push(&mut self, corner: Corner) {
        push(&mut self.uv, self.vertex.len(), corner.uv);
        push(&mut self.normal, self.vertex.len(), corner.normal);
        reserve_frugally(&mut self.vertex, 1);
        self.vertex.push(corner.vertex);
    }

    /// Closes the open face.
    pub fn end(&mut self, number: u32, location: u32) {
        reserve_frugally(&mut self.faces, 1);
        self.faces.push(Face { number, location, end: self.vertex.len() as u32 });
    }

    /// The corners of the open face.
    pub fn open(&self) -> Range<usize> {
        self.faces.last().map_or(0, |last| last.end as usize)..self.vertex.len()
    }

    /// Removes and returns the corners of the open face; see [`Faces::open`].
    pub fn take_open(&mut self) -> Vec<Corner> {
        let open = self.open();
        let corners = open.clone().map(|corner| self.corner(corner)).collect();
        for attribute in self.corner_attributes() {
            attribute.truncate(open.start);
        }
        corners
    }

    pub fn corner(&self, corner: usize) -> Corner {
        let entry = |attribute: &[u32]| attribute.get(corner).copied().unwrap_or(NONE);
        Corner { vertex: entry(&self.vertex), uv: entry(&self.uv), normal: entry(&self.normal) }
    }

    pub fn get(&self, face: usize) -> Face {
        self.faces[face]
    }

    /// The corners of a face.
    pub fn corners(&self, face: usize) -> Range<usize> {
        let first = face.checked_sub(1).map_or(0, |before| self.faces[before].end);
        first as usize..self.faces[face].end as usize
    }

    /// Iterates over the faces and their corners in order.
    pub fn iter(&self) -> impl Iterator<Item = (Face, Range<usize>)> + '_ {
        (0..self.len()).map(|face| (self.faces[face], self.corners(face)))
    }

    /// The uv of a corner; zero if it has none.
    pub fn uv(&self, uvs: &[Vec2], corner: usize) -> Vec2 {
        match self.uv.get(corner) {
            None | Some(&NONE) => Vec2::ZERO,
            Some(&index) => uvs[index as usize],
        }
    }

    /// The normal of a corner; zero if it has none.
    pub fn normal(&self, normals: &[Vec3], corner: usize) -> Vec3 {
        match self.normal.get(corner) {
            None | Some(&NONE) => Vec3::ZERO,
            Some(&index) if index & FLIPPED != 0 => -normals[(index & !FLIPPED) as usize],
            Some(&index) => normals[index as usize],
        }
    }

    pub fn has_uvs(&self) -> bool {
        !self.uv.is_empty()
    }

    pub fn has_normals(&self) -> bool {
        !self.normal.is_empty()
    }

    /// Reverses a face, keeping its first corner. Normals that point against the reversed face are negated;
    /// the others were right already.
    pub fn flip(&mut self, positions: &[Vec3], normals: &[Vec3], face: usize) {
        let range = self.corners(face);
        let rest = range.start + 1..range.end;
        for attribute in self.corner_attributes() {
            attribute[rest.clone()].reverse();
        }
        let outwards = self.outwards(positions, face);
        for corner in range {
            if self.normal(normals, corner).as_dvec3().dot(outwards) < 0.0 {
                self.normal[corner] ^= FLIPPED;
            }
        }
    }

    /// Whether every corner has a normal on the side that the face is wound for.
    pub fn is_wound_as_stated(&self, positions: &[Vec3], normals: &[Vec3], face: usize) -> bool {
        let outwards = self.outwards(positions, face);
        self.corners(face).all(|corner| self.normal(normals, corner).as_dvec3().dot(outwards) > 0.0)
    }

    /// Returns twice the area of a face along its normal, by its winding (Newell's method).
    fn outwards(&self, positions: &[Vec3], face: usize) -> DVec3 {
        let range = self.corners(face);
        let position = |corner: usize| positions[self.vertex[corner] as usize].as_dvec3();
        let origin = position(range.start);
        let pairs = range.clone().zip(range.skip(1));
        pairs.map(|(a, b)| (position(a) - origin).cross(position(b) - origin)).sum()
    }

    /// Keeps the faces for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let (mut faces, mut corners, mut first) = (0, 0, 0);
        for face in 0..self.len() {
            let range = first..self.faces[face].end as usize;
            first = range.end;
            if !keep(face) {
                continue;
            }
            let corner_end = corners + range.len();
            for attribute in self.corner_attributes() {
                attribute.copy_within(range.clone(), corners);
            }
            self.faces[faces] = Face { end: corner_end as u32, ..self.faces[face] };
            (faces, corners) = (faces + 1, corner_end);
        }
        self.faces.truncate(faces);
        for attribute in self.corner_attributes() {
            attribute.truncate(corners);
        }
    }

    /// The attribute lists of the corners that are not empty.
    fn corner_attributes(&mut self) -> impl Iterator<Item = &mut Vec<u32>> {
        let all = [&mut self.vertex, &mut self.uv, &mut self.normal];
        all.into_iter().filter(|attribute| !attribute.is_empty())
    }
}

/// Adds the entry of the next corner; does nothing while all entries so far are [`NONE`].
fn push(attribute: &mut Vec<u32>, corner: usize, index: u32) {
    if index != NONE || !attribute.is_empty() {
        reserve_frugally(attribute, corner + 1 - attribute.len());
        attribute.resize(corner, NONE);
        attribute.push(index);
    }
}
