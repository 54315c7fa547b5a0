//! What the graphics card draws: triangles over render vertices.
//!
//! Corners of one vertex that share normal and uv are one render vertex, so a smooth mesh has about
//! as many render vertices as vertices. Boundary faces are skipped; polygons are fans (0, i, i + 1)
//! around the corner that the face names.

use super::halfedge::HalfedgeMesh;
use glam::{Vec2, Vec3};

/// Triangles over render vertices, with the maps that skinning uses. R render vertices, T triangles.
/// Depends on the half-edge mesh alone; equal meshes give equal numbering.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenderMesh {
    /// R: vertex of the half-edge mesh that the render vertex comes from. Never decreasing: the render
    /// vertices of one vertex lie together, in the order of the vertices. Skinning relies on it.
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
    /// E: the two vertices (of the half-edge mesh) of each edge. For wireframe drawing.
    pub edges: Vec<[u32; 2]>,
}

impl RenderMesh {
    pub fn new(mesh: &HalfedgeMesh) -> Self {
        let mut render = Self {
            corner: vec![u32::MAX; mesh.halfedge_count()],
            // Every edge has a surface face on at least one side, so every edge is drawn.
            edges: (0..mesh.edge_count() as u32).map(|e| mesh.edge_vertices(e)).collect(),
            ..Self::default()
        };
        render.merge_corners(mesh);
        render.cut_faces(mesh);
        render
    }

    fn merge_corners(&mut self, mesh: &HalfedgeMesh) {
        // Sorted by what they look like, equal corners of a vertex come to lie together.
        let mut corners: Vec<([u32; 5], u32)> = Vec::new();
        for v in 0..mesh.vertex_count() as u32 {
            let drawn = mesh.outgoing(v).filter(|&h| !mesh.is_boundary(mesh.face_of(h)));
            corners.clear();
            corners.extend(drawn.map(|h| (look(mesh, h), h)));
            corners.sort_unstable();
            for equal in corners.chunk_by(|a, b| a.0 == b.0) {
                let (_, h) = equal[0];
                let index = self.vertex.len() as u32;
                self.vertex.push(v);
                self.normal.push(unit_or_zero(mesh.corner_normal[h as usize]));
                self.uv.push(mesh.corner_uv[h as usize]);
                for &(_, h) in equal {
                    self.corner[h as usize] = index;
                }
            }
        }
    }

    fn cut_faces(&mut self, mesh: &HalfedgeMesh) {
        for face in (0..mesh.face_count() as u32).filter(|&f| !mesh.is_boundary(f)) {
            let mut corners = mesh.face_corners(face).map(|h| self.corner[h as usize]);
            let (Some(centre), Some(mut before)) = (corners.next(), corners.next()) else { continue };
            for corner in corners {
                self.indices.extend([centre, before, corner]);
                self.triangle_face.push(face);
                before = corner;
            }
        }
    }
}

/// Normal and uv of a corner, bit for bit.
fn look(mesh: &HalfedgeMesh, h: u32) -> [u32; 5] {
    let (normal, uv) = (mesh.corner_normal[h as usize], mesh.corner_uv[h as usize]);
    [normal.x, normal.y, normal.z, uv.x, uv.y].map(f32::to_bits)
}

/// In f64, so that neither very long nor very short normals are lost.
fn unit_or_zero(normal: Vec3) -> Vec3 {
    normal.as_dvec3().normalize_or_zero().as_vec3()
}
