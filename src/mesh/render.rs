//! What the graphics card draws: triangles over render vertices.
//!
//! Corners of one vertex that share normal and uv are one render vertex, so a smooth mesh has about
//! as many render vertices as vertices. Boundary faces are skipped; polygons are fans (0, i, i + 1)
//! around the corner that the face names.

use super::halfedge::HalfedgeMesh;
use glam::{Vec2, Vec3};

/// Triangles over render vertices, with the maps that skinning uses. R render vertices, T triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenderMesh {
    /// R: vertex of the half-edge mesh that the render vertex comes from.
    pub vertex: Vec<u32>,
    /// R: normal in the bind pose, mesh space, unit length (or zero where the file has zero).
    pub normal: Vec<Vec3>,
    /// R: texture coordinate.
    pub uv: Vec<Vec2>,
    /// 3 T: render vertices, counter-clockwise from outside.
    pub indices: Vec<u32>,
    /// T: face of the half-edge mesh.
    pub triangle_face: Vec<u32>,
    /// H: render vertex of each corner; `u32::MAX` at corners of boundary faces.
    pub corner: Vec<u32>,
    /// 2 per drawn edge: vertices (of the half-edge mesh), each edge once. For wireframe drawing.
    pub edges: Vec<[u32; 2]>,
}

impl RenderMesh {
    pub fn new(_mesh: &HalfedgeMesh) -> Self {
        todo!()
    }
}
