//! An index-based half-edge surface.
//!
//! Half-edges `2k` and `2k + 1` are the two sides of edge `k`: the twin of `h` is `h ^ 1`. Every half-edge
//! belongs to a face; holes are enclosed by faces with the boundary flag. The validity rules are in
//! `docs/js3d.md`, section "Meshes". `validate.rs` checks them once, so that the functions here can walk the
//! surface without checking the arrays.

use glam::{DVec3, Mat3, Vec2, Vec3};

/// A polygon surface with corner attributes. Lengths: H half-edges (even), V vertices, E = H/2 edges, F faces
/// (including boundary faces).
///
/// Immutable once built. Created by [`HalfedgeMesh::new`] (checked) or [`HalfedgeMesh::from_polygons`]. The
/// default is the empty surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HalfedgeMesh {
    /// The next half-edge around the same face (H).
    pub(crate) next: Vec<u32>,
    /// The uv of the corner where the half-edge starts (H).
    pub(crate) corner_uv: Vec<Vec2>,
    /// The shading normal of that corner (H).
    pub(crate) corner_normal: Vec<Vec3>,
    /// A half-edge that leaves the vertex (V).
    pub(crate) vertex_halfedge: Vec<u32>,
    /// The position in mesh space (V).
    pub(crate) vertex_position: Vec<Vec3>,
    /// The crease flag (E).
    pub(crate) edge_sharp: Vec<bool>,
    /// A half-edge of the face; its corner is the centre of the triangle fan (F).
    pub(crate) face_halfedge: Vec<u32>,
    /// Whether the face encloses a hole (F).
    pub(crate) face_boundary: Vec<bool>,
    /// The vertex where the half-edge starts (H, derived).
    pub(crate) halfedge_vertex: Vec<u32>,
    /// The face that the half-edge belongs to (H, derived).
    pub(crate) halfedge_face: Vec<u32>,
}

/// The reason why arrays or polygons are not a valid half-edge mesh: the rule that is broken, and the index
/// of the first element that breaks it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    #[error("{0}")]
    Invalid(String),
}

/// The unchecked arrays of a half-edge mesh, as read from a file. See the fields of the same names in
/// [`HalfedgeMesh`]: H `next`, `corner_uv` and `corner_normal`; V `vertex_halfedge` and `vertex_position`;
/// H/2 `edge_sharp`; F `face_halfedge` and `face_boundary`.
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
    /// Returns the other side of the same edge.
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
    /// The number of faces, including boundary faces.
    pub fn face_count(&self) -> usize {
        self.face_halfedge.len()
    }

    /// The next half-edges around the same faces (H).
    pub fn next_halfedges(&self) -> &[u32] {
        &self.next
    }
    /// The positions in mesh space (V).
    pub fn positions(&self) -> &[Vec3] {
        &self.vertex_position
    }
    /// The uvs of the corners where the half-edges start (H).
    pub fn corner_uvs(&self) -> &[Vec2] {
        &self.corner_uv
    }
    /// The shading normals of the corners where the half-edges start (H), as stored: not always of unit
    /// length.
    pub fn corner_normals(&self) -> &[Vec3] {
        &self.corner_normal
    }
    /// One half-edge that leaves each vertex (V).
    pub fn vertex_halfedges(&self) -> &[u32] {
        &self.vertex_halfedge
    }
    /// The crease flags (E).
    pub fn edge_sharps(&self) -> &[bool] {
        &self.edge_sharp
    }
    /// One half-edge of each face (F); its corner is the centre of the triangle fan.
    pub fn face_halfedges(&self) -> &[u32] {
        &self.face_halfedge
    }
    /// Whether each face encloses a hole (F).
    pub fn face_boundaries(&self) -> &[bool] {
        &self.face_boundary
    }

    /// Returns a copy of the stored arrays, for writing or for building a modified surface.
    pub fn raw(&self) -> RawMesh {
        self.clone().into_raw()
    }

    /// Like [`HalfedgeMesh::raw`], but without copying.
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

/// Traversal. These functions panic, like slices, if an index is out of range.
impl HalfedgeMesh {
    /// Returns the next half-edge around the same face.
    pub fn next(&self, halfedge: u32) -> u32 {
        self.next[halfedge as usize]
    }
    /// Returns the vertex where the half-edge starts.
    pub fn vertex_of(&self, halfedge: u32) -> u32 {
        self.halfedge_vertex[halfedge as usize]
    }
    /// Returns the face that the half-edge belongs to.
    pub fn face_of(&self, halfedge: u32) -> u32 {
        self.halfedge_face[halfedge as usize]
    }
    /// Whether the face encloses a hole.
    pub fn is_boundary(&self, face: u32) -> bool {
        self.face_boundary[face as usize]
    }
    /// Returns the vertices at the two ends of an edge: the starts of its half-edges `2k` and `2k + 1`.
    pub fn edge_vertices(&self, edge: u32) -> [u32; 2] {
        [self.vertex_of(2 * edge), self.vertex_of(2 * edge + 1)]
    }
    /// Iterates over the half-edges around a face, starting with its stored half-edge. Each also identifies a
    /// corner: the one where it starts. At least three.
    pub fn face_corners(&self, face: u32) -> Cycle<'_> {
        self.cycle(self.face_halfedge[face as usize], 0)
    }
    /// Iterates over the half-edges that leave a vertex, starting with its stored half-edge; clockwise as
    /// seen from outside. At least two.
    pub fn outgoing(&self, vertex: u32) -> Cycle<'_> {
        self.cycle(self.vertex_halfedge[vertex as usize], 1)
    }

    /// Scales about the origin, then rotates: positions, and the normals, which keep their lengths.
    pub fn scale_and_rotate(&mut self, scale: f32, rotation: Mat3) {
        for position in &mut self.vertex_position {
            *position = rotation * (*position * scale);
        }
        for normal in &mut self.corner_normal {
            *normal = rotation * *normal;
        }
    }

    /// Adds `offset` to all positions.
    pub fn translate(&mut self, offset: Vec3) {
        for position in &mut self.vertex_position {
            *position += offset;
        }
    }

    /// Moves each of these vertices to the mean of its neighbours that are not in `vertices`; a vertex
    /// without such neighbours stays.
    pub fn move_to_neighbour_mean(&mut self, vertices: &[usize]) {
        let count = self.vertex_count();
        for &vertex in vertices.iter().filter(|vertex| **vertex < count) {
            let neighbours = self.outgoing(vertex as u32);
            let neighbours = neighbours.map(|h| self.vertex_of(Self::twin(h)) as usize);
            let others = neighbours.filter(|neighbour| !vertices.contains(neighbour));
            let (mut sum, mut count) = (DVec3::ZERO, 0.0);
            for neighbour in others {
                sum += self.vertex_position[neighbour].as_dvec3();
                count += 1.0;
            }
            if count > 0.0 {
                self.vertex_position[vertex] = (sum / count).as_vec3();
            }
        }
    }

    fn cycle(&self, start: u32, twin: u32) -> Cycle<'_> {
        Cycle { next: &self.next, start, upcoming: Some(start), twin }
    }
}

/// The half-edges around a face or around a vertex, each once.
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
