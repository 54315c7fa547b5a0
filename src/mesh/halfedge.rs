//! Index-based half-edge surface.
//!
//! Half-edges `2k` and `2k + 1` are the two sides of edge `k`: the twin of `h` is `h ^ 1`.
//! Every half-edge belongs to a face; holes are surrounded by faces that carry the boundary flag.
//! Validity rules: `docs/js3d.md`, section "Meshes"; they are checked in `validate.rs`, once, so that
//! everything here can walk the surface without looking out for broken arrays.

use glam::{DVec3, Vec2, Vec3};

/// A polygon surface with corners. Lengths: H half-edges (even), V vertices, E = H/2 edges, F faces
/// (boundary faces included).
///
/// Immutable once built; made by [`HalfedgeMesh::new`] (checked) or
/// [`HalfedgeMesh::from_polygons`]. The default is the empty surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HalfedgeMesh {
    /// H: next half-edge around the same face.
    pub(crate) next: Vec<u32>,
    /// H: uv of the corner where the half-edge starts.
    pub(crate) corner_uv: Vec<Vec2>,
    /// H: shading normal of that corner.
    pub(crate) corner_normal: Vec<Vec3>,
    /// V: one half-edge leaving the vertex.
    pub(crate) vertex_halfedge: Vec<u32>,
    /// V: position in mesh space.
    pub(crate) vertex_position: Vec<Vec3>,
    /// E: crease flag.
    pub(crate) edge_sharp: Vec<bool>,
    /// F: one half-edge of the face; the centre of the fan that draws it.
    pub(crate) face_halfedge: Vec<u32>,
    /// F: true where the loop surrounds a hole.
    pub(crate) face_boundary: Vec<bool>,
    /// H (derived): vertex where the half-edge starts.
    pub(crate) halfedge_vertex: Vec<u32>,
    /// H (derived): face that the half-edge belongs to.
    pub(crate) halfedge_face: Vec<u32>,
}

/// What makes given arrays or polygons no valid half-edge mesh: the rule that is broken and the first
/// place, by index, where it is.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    #[error("{0}")]
    Invalid(String),
}

/// The arrays of a half-edge mesh as a file states them, before they are checked.
/// For their meaning see the members of the same names of [`HalfedgeMesh`]: H `next`, `corner_uv` and
/// `corner_normal`; V `vertex_halfedge` and `vertex_position`; H/2 `edge_sharp`; F `face_halfedge` and
/// `face_boundary`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawMesh {
    pub next: Vec<u32>,
    pub corner_uv: Vec<Vec2>,
    pub corner_normal: Vec<Vec3>,
    pub vertex_halfedge: Vec<u32>,
    pub vertex_position: Vec<Vec3>,
    pub edge_sharp: Vec<bool>,
    pub face_halfedge: Vec<u32>,
    pub face_boundary: Vec<bool>,
}

/// Counts and stored arrays. No function here panics.
impl HalfedgeMesh {
    /// The other side of the same edge.
    pub fn twin(halfedge: u32) -> u32 {
        halfedge ^ 1
    }
    pub fn halfedge_count(&self) -> usize {
        self.next.len()
    }
    pub fn vertex_count(&self) -> usize {
        self.vertex_position.len()
    }
    pub fn edge_count(&self) -> usize {
        self.edge_sharp.len()
    }
    /// Boundary faces included.
    pub fn face_count(&self) -> usize {
        self.face_halfedge.len()
    }

    /// V: positions in mesh space.
    pub fn positions(&self) -> &[Vec3] {
        &self.vertex_position
    }
    /// H: uv of the corner where each half-edge starts.
    pub fn corner_uvs(&self) -> &[Vec2] {
        &self.corner_uv
    }
    /// H: shading normal of the corner where each half-edge starts; as stored, so not always unit length.
    pub fn corner_normals(&self) -> &[Vec3] {
        &self.corner_normal
    }
    /// V: one half-edge leaving each vertex.
    pub fn vertex_halfedges(&self) -> &[u32] {
        &self.vertex_halfedge
    }
    /// E: crease flags.
    pub fn edge_sharps(&self) -> &[bool] {
        &self.edge_sharp
    }
    /// F: one half-edge of each face; the centre of the fan that draws it.
    pub fn face_halfedges(&self) -> &[u32] {
        &self.face_halfedge
    }
    /// F: true where the face surrounds a hole.
    pub fn face_boundaries(&self) -> &[bool] {
        &self.face_boundary
    }

    /// The stored arrays again, for writing or for building a changed surface.
    pub fn raw(&self) -> RawMesh {
        self.clone().into_raw()
    }

    /// As [`HalfedgeMesh::raw`], without copying.
    pub fn into_raw(self) -> RawMesh {
        RawMesh {
            next: self.next,
            corner_uv: self.corner_uv,
            corner_normal: self.corner_normal,
            vertex_halfedge: self.vertex_halfedge,
            vertex_position: self.vertex_position,
            edge_sharp: self.edge_sharp,
            face_halfedge: self.face_halfedge,
            face_boundary: self.face_boundary,
        }
    }
}

/// Walking the surface. All of these panic, like slices, on an index that is not of this surface.
impl HalfedgeMesh {
    /// Next half-edge around the same face.
    pub fn next(&self, halfedge: u32) -> u32 {
        self.next[halfedge as usize]
    }
    /// Vertex where the half-edge starts.
    pub fn vertex_of(&self, halfedge: u32) -> u32 {
        self.halfedge_vertex[halfedge as usize]
    }
    /// Face that the half-edge belongs to.
    pub fn face_of(&self, halfedge: u32) -> u32 {
        self.halfedge_face[halfedge as usize]
    }
    /// Whether the face surrounds a hole.
    pub fn is_boundary(&self, face: u32) -> bool {
        self.face_boundary[face as usize]
    }
    /// Vertices at the two ends of an edge: where its half-edges `2k` and `2k + 1` start.
    pub fn edge_vertices(&self, edge: u32) -> [u32; 2] {
        [self.vertex_of(2 * edge), self.vertex_of(2 * edge + 1)]
    }
    /// Half-edges around a face, starting with the one that the face names. Each is also a corner: the
    /// one where it starts. At least three.
    pub fn face_corners(&self, face: u32) -> Cycle<'_> {
        self.cycle(self.face_halfedge[face as usize], 0)
    }
    /// Half-edges that leave a vertex, starting with the one that the vertex names; clockwise seen from
    /// outside. At least two.
    pub fn outgoing(&self, vertex: u32) -> Cycle<'_> {
        self.cycle(self.vertex_halfedge[vertex as usize], 1)
    }

    /// Puts each of these vertices in the middle of those of its neighbours that are none of them; where it
    /// has no such neighbour, it stays.
    pub(crate) fn place_amid_neighbours(&mut self, vertices: &[usize]) {
        let count = self.vertex_count();
        for &vertex in vertices.iter().filter(|vertex| **vertex < count) {
            let neighbours = self.outgoing(vertex as u32);
            let neighbours = neighbours.map(|h| self.vertex_of(Self::twin(h)) as usize);
            let sound = neighbours.filter(|neighbour| !vertices.contains(neighbour));
            let (mut sum, mut count) = (DVec3::ZERO, 0.0);
            for neighbour in sound {
                sum += self.vertex_position[neighbour].as_dvec3();
                count += 1.0;
            }
            if count > 0.0 {
                self.vertex_position[vertex] = (sum / count).as_vec3();
            }
        }
    }

    fn cycle(&self, start: u32, twin: u32) -> Cycle<'_> {
        Cycle {
            next: &self.next,
            start,
            upcoming: Some(start),
            twin,
        }
    }
}

/// Half-edges of one cycle, each once: around a face or around a vertex.
#[derive(Clone, Debug)]
pub struct Cycle<'a> {
    next: &'a [u32],
    start: u32,
    upcoming: Option<u32>,
    /// 0: next(h), around a face. 1: next(twin(h)), around a vertex.
    twin: u32,
}

impl Iterator for Cycle<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let current = self.upcoming?;
        let after = self.next[(current ^ self.twin) as usize];
        self.upcoming = (after != self.start).then_some(after);
        Some(current)
    }
}
