//! Index-based half-edge surface.
//!
//! Half-edges `2k` and `2k + 1` are the two sides of edge `k`: the twin of `h` is `h ^ 1`.
//! Every half-edge belongs to a face; holes are surrounded by faces that carry the boundary flag.
//! Validity rules: `docs/js3d.md`, section "Meshes".

use glam::{Vec2, Vec3};

/// A polygon surface with corners. Lengths: H half-edges (even), V vertices, E = H/2 edges, F faces.
///
/// Immutable once built; made by [`HalfedgeMesh::new`] (checked) or from polygons.
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
}

/// What makes given arrays no valid half-edge mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    #[error("{0}")]
    Invalid(String),
}

/// The arrays of a half-edge mesh as a file states them, before they are checked.
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

impl HalfedgeMesh {
    /// Checks every validity rule of the format and derives what is not stored.
    pub fn new(_raw: RawMesh) -> Result<Self, MeshError> {
        todo!()
    }

    /// Builds a surface from polygons (vertex indices, counter-clockwise from outside).
    /// Holes get boundary faces. `corner_uv`: one uv per polygon corner, in the order of `polygons`.
    /// Corner normals are smooth (angle weighted).
    pub fn from_polygons(
        _positions: Vec<Vec3>,
        _polygons: &[Vec<u32>],
        _corner_uv: Option<&[Vec<Vec2>]>,
    ) -> Result<Self, MeshError> {
        todo!()
    }

    pub fn twin(halfedge: u32) -> u32 {
        halfedge ^ 1
    }
    pub fn positions(&self) -> &[Vec3] {
        &self.vertex_position
    }
    pub fn vertex_count(&self) -> usize {
        self.vertex_position.len()
    }
    pub fn edge_count(&self) -> usize {
        self.edge_sharp.len()
    }
    pub fn face_count(&self) -> usize {
        self.face_halfedge.len()
    }
}
