//! Faces under repair. Their corners lie in a row, and what a corner looks like is an index into what the file
//! states: faces that are repaired take little more memory than their text.

use crate::math::frugal::frugal;
use glam::{DVec3, Vec2, Vec3};
use std::ops::Range;

/// No texture coordinate, no normal.
pub const NONE: u32 = u32::MAX;
/// A bit of the index of a normal: it points the other way. Files of a size that is read state fewer.
const TURNED: u32 = 1 << 31;

#[derive(Clone, Copy, Debug)]
pub struct Face {
    /// As the file counts.
    pub number: u32,
    /// Where the file states it.
    pub place: u32,
    end: u32,
}

/// Indices; those of texture coordinate and normal may be [`NONE`].
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
    /// The uv of each corner; empty while none has any.
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

    /// Adds a corner to the face that is not ended yet.
    pub fn push(&mut self, corner: Corner) {
        push(&mut self.uv, self.vertex.len(), corner.uv);
        push(&mut self.normal, self.vertex.len(), corner.normal);
        frugal(&mut self.vertex, 1);
        self.vertex.push(corner.vertex);
    }

    /// Ends the face.
    pub fn end(&mut self, number: u32, place: u32) {
        frugal(&mut self.faces, 1);
        self.faces.push(Face {
            number,
            place,
            end: self.vertex.len() as u32,
        });
    }

    /// The corners of the face that is not ended yet.
    pub fn open(&self) -> Range<usize> {
        self.faces.last().map_or(0, |last| last.end as usize)..self.vertex.len()
    }

    /// As [`Faces::open`]; they are taken out.
    pub fn take_open(&mut self) -> Vec<Corner> {
        let open = self.open();
        let corners = open.clone().map(|corner| self.corner(corner)).collect();
        for of_corners in self.of_corners() {
            of_corners.truncate(open.start);
        }
        corners
    }

    pub fn corner(&self, corner: usize) -> Corner {
        let of = |of_corners: &[u32]| of_corners.get(corner).copied().unwrap_or(NONE);
        Corner {
            vertex: of(&self.vertex),
            uv: of(&self.uv),
            normal: of(&self.normal),
        }
    }

    pub fn get(&self, face: usize) -> Face {
        self.faces[face]
    }

    /// The corners of a face.
    pub fn corners(&self, face: usize) -> Range<usize> {
        let first = face.checked_sub(1).map_or(0, |before| self.faces[before].end);
        first as usize..self.faces[face].end as usize
    }

    /// Faces with their corners, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Face, Range<usize>)> + '_ {
        (0..self.len()).map(|face| (self.faces[face], self.corners(face)))
    }

    /// Zero where there is none.
    pub fn uv(&self, uvs: &[Vec2], corner: usize) -> Vec2 {
        match self.uv.get(corner) {
            None | Some(&NONE) => Vec2::ZERO,
            Some(&index) => uvs[index as usize],
        }
    }

    /// Zero where there is none.
    pub fn normal(&self, normals: &[Vec3], corner: usize) -> Vec3 {
        match self.normal.get(corner) {
            None | Some(&NONE) => Vec3::ZERO,
            Some(&index) if index & TURNED != 0 => -normals[(index & !TURNED) as usize],
            Some(&index) => normals[index as usize],
        }
    }

    pub fn has_uvs(&self) -> bool {
        !self.uv.is_empty()
    }

    pub fn has_normals(&self) -> bool {
        !self.normal.is_empty()
    }

    /// Makes a face run the other way around; its first corner stays the first. Normals that were turned with the
    /// face turn back with it; others were right.
    pub fn turn(&mut self, positions: &[Vec3], normals: &[Vec3], face: usize) {
        let range = self.corners(face);
        let rest = range.start + 1..range.end;
        for of_corners in self.of_corners() {
            of_corners[rest.clone()].reverse();
        }
        let at = |corner: usize| positions[self.vertex[corner] as usize].as_dvec3();
        let origin = at(range.start);
        let pairs = range.clone().zip(rest);
        let outwards: DVec3 = pairs.map(|(a, b)| (at(a) - origin).cross(at(b) - origin)).sum();
        for corner in range {
            if self.normal(normals, corner).as_dvec3().dot(outwards) < 0.0 {
                self.normal[corner] ^= TURNED;
            }
        }
    }

    /// Keeps the faces for which `keep` holds.
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let (mut faces, mut corners, mut first) = (0, 0, 0);
        for face in 0..self.len() {
            let range = first..self.faces[face].end as usize;
            first = range.end;
            if !keep(face) {
                continue;
            }
            let kept = corners + range.len();
            for of_corners in self.of_corners() {
                of_corners.copy_within(range.clone(), corners);
            }
            self.faces[faces] = Face {
                end: kept as u32,
                ..self.faces[face]
            };
            (faces, corners) = (faces + 1, kept);
        }
        self.faces.truncate(faces);
        for of_corners in self.of_corners() {
            of_corners.truncate(corners);
        }
    }

    /// What there is of each corner.
    fn of_corners(&mut self) -> impl Iterator<Item = &mut Vec<u32>> {
        let all = [&mut self.vertex, &mut self.uv, &mut self.normal];
        all.into_iter().filter(|of_corners| !of_corners.is_empty())
    }
}

/// Adds the entry of the next corner, unless all until then are [`NONE`].
fn push(of_corners: &mut Vec<u32>, corner: usize, index: u32) {
    if index != NONE || !of_corners.is_empty() {
        frugal(of_corners, corner + 1 - of_corners.len());
        of_corners.resize(corner, NONE);
        of_corners.push(index);
    }
}
