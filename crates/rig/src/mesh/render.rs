//! The triangles and render vertices that the GPU draws.
//!
//! Corners of a vertex with the same normal and uv share a render vertex, so a smooth mesh has about as many
//! render vertices as vertices. Boundary faces are skipped; polygons become triangles
//! ([`super::triangulate`]).

use super::halfedge::HalfedgeMesh;
use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};

/// A render vertex in the GPU's vertex format: six consecutive numbers in mesh space, Bevy's attributes 0 and
/// 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct RenderVertex {
    pub position: Vec3,
    /// The normal, of unit length, or zero if it is zero in the file.
    pub normal: Vec3,
}

/// A mesh of T triangles over R render vertices, with the maps used by skinning. Depends only on the
/// half-edge mesh; equal meshes give the same numbering.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenderMesh {
    /// The vertex of the half-edge mesh for each render vertex (R). Non-decreasing: the render vertices of a
    /// vertex are adjacent, in the order of the vertices. Skinning relies on this.
    pub vertex: Vec<u32>,
    /// The bind pose normal in mesh space (R), of unit length, or zero if it is zero in the file.
    pub normal: Vec<Vec3>,
    /// The texture coordinate (R).
    pub uv: Vec<Vec2>,
    /// The render vertices of the triangles (3 T), counter-clockwise from outside.
    pub indices: Vec<u32>,
    /// The face of the half-edge mesh for each triangle (T).
    pub triangle_face: Vec<u32>,
    /// The render vertex of each corner (H); `u32::MAX` at corners of boundary faces.
    pub corner: Vec<u32>,
    /// The two vertices of each edge of the half-edge mesh (E), for wireframes.
    pub edges: Vec<[u32; 2]>,
}

impl RenderMesh {
    /// Returns the render vertices (R) at `positions` (V), with their bind pose normals.
    ///
    /// Panics if there are fewer positions than vertices.
    pub fn vertices_at<'a>(
        &'a self,
        positions: &'a [Vec3],
    ) -> impl ExactSizeIterator<Item = RenderVertex> + 'a {
        let vertex = |(&v, &normal): (&u32, &Vec3)| RenderVertex { position: positions[v as usize], normal };
        self.vertex.iter().zip(&self.normal).map(vertex)
    }

    pub fn new(mesh: &HalfedgeMesh) -> Self {
        let mut render = Self {
            corner: vec![u32::MAX; mesh.halfedge_count()],
            // Every edge has a surface face on at least one side, so every edge is drawn.
            edges: (0..mesh.edge_count() as u32).map(|e| mesh.edge_vertices(e)).collect(),
            ..Self::default()
        };
        render.merge_corners(mesh);
        render.triangulate(mesh);
        render
    }

    fn merge_corners(&mut self, mesh: &HalfedgeMesh) {
        // Sort by attributes, so that equal corners of a vertex become adjacent.
        let mut corners: Vec<([u32; 5], u32)> = Vec::new();
        for v in 0..mesh.vertex_count() as u32 {
            let drawn = mesh.outgoing(v).filter(|&h| !mesh.is_boundary(mesh.face_of(h)));
            corners.clear();
            corners.extend(drawn.map(|h| (attributes(mesh, h), h)));
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

    fn triangulate(&mut self, mesh: &HalfedgeMesh) {
        let Self { indices, triangle_face, corner, .. } = self;
        mesh.for_each_triangle(|face, corners| {
            indices.extend(corners.map(|h| corner[h as usize]));
            triangle_face.push(face);
        });
    }
}

/// The bits of the normal and uv of a corner.
fn attributes(mesh: &HalfedgeMesh, h: u32) -> [u32; 5] {
    let (normal, uv) = (mesh.corner_normal[h as usize], mesh.corner_uv[h as usize]);
    [normal.x, normal.y, normal.z, uv.x, uv.y].map(f32::to_bits)
}

/// Normalizes in f64, so that neither very long nor very short normals are lost.
fn unit_or_zero(normal: Vec3) -> Vec3 {
    normal.as_dvec3().normalize_or_zero().as_vec3()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;

    /// Checks the invariants of the maps, corner by corner.
    fn assert_consistent(mesh: &HalfedgeMesh, render: &RenderMesh) {
        let drawn = |h: u32| !mesh.is_boundary(mesh.face_of(h));
        assert_eq!(render.corner.len(), mesh.halfedge_count());
        assert!(render.vertex.is_sorted());
        let mut used = vec![false; render.vertex.len()];
        for h in 0..mesh.halfedge_count() as u32 {
            let r = render.corner[h as usize] as usize;
            if !drawn(h) {
                assert_eq!(r, u32::MAX as usize);
                continue;
            }
            used[r] = true;
            assert_eq!(render.vertex[r], mesh.vertex_of(h));
            assert_eq!(render.uv[r], mesh.corner_uvs()[h as usize]);
            assert!(render.normal[r].dot(mesh.corner_normals()[h as usize]) > 0.0);
            // Merged exactly with the corners of the same vertex that have the same attributes.
            for other in mesh.outgoing(mesh.vertex_of(h)).filter(|&other| drawn(other)) {
                let is_equal = attributes(mesh, h) == attributes(mesh, other);
                assert_eq!(render.corner[other as usize] as usize == r, is_equal);
            }
        }
        assert!(used.iter().all(|&used| used));
        let triangles: usize = (0..mesh.face_count() as u32)
            .filter(|&f| !mesh.is_boundary(f))
            .map(|f| mesh.face_corners(f).count() - 2)
            .sum();
        assert_eq!((render.indices.len(), render.triangle_face.len()), (3 * triangles, triangles));
        assert_eq!(render.edges.len(), mesh.edge_count());
    }

    #[test]
    fn equal_corners_are_merged_and_others_are_not() {
        let flat = primitives::cuboid(Vec3::ONE).unwrap();
        let render = RenderMesh::new(&flat);
        assert_consistent(&flat, &render);
        assert_eq!(render.vertex.len(), 24);

        let mut raw = flat.raw();
        raw.corner_uv.fill(Vec2::ZERO);
        raw.corner_normal.fill(Vec3::Y * 2.0);
        let plain = HalfedgeMesh::new(raw).unwrap();
        let render = RenderMesh::new(&plain);
        assert_consistent(&plain, &render);
        assert_eq!(render.vertex, [0, 1, 2, 3, 4, 5, 6, 7]);
        assert!(render.normal.iter().all(|n| *n == Vec3::Y));

        let tube = primitives::tube(1.0, 2.0, 8, 3).unwrap();
        let render = RenderMesh::new(&tube);
        assert_consistent(&tube, &render);
        // One more for each of the 4 vertices on the seam, and 7 for the centre of each end.
        assert_eq!(render.vertex.len(), tube.vertex_count() + 4 + 14);
    }

    #[test]
    fn polygons_are_fans_around_the_first_corner() {
        let positions = (0..5).map(|i| Vec3::new((i as f32).cos(), (i as f32).sin(), 0.0)).collect();
        let mut raw = HalfedgeMesh::from_polygons(positions, &[vec![0, 1, 2, 3, 4]], None).unwrap().raw();
        raw.face_halfedge[0] = 4; // starts at vertex 2
        let mesh = HalfedgeMesh::new(raw).unwrap();
        let render = RenderMesh::new(&mesh);
        assert_consistent(&mesh, &render);
        let vertices: Vec<u32> = render.indices.iter().map(|&r| render.vertex[r as usize]).collect();
        assert_eq!(vertices, [2, 3, 4, 2, 4, 0, 2, 0, 1]);
        assert_eq!(render.triangle_face, [0, 0, 0]);
        assert_eq!(render.edges, [[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]]);
    }

    #[test]
    fn normals_are_unit_or_zero() {
        let mut raw = primitives::uv_sphere(1.0, 8, 4).unwrap().raw();
        for (i, normal) in raw.corner_normal.iter_mut().enumerate() {
            *normal *= [0.0, 1e-30, 1e30][i % 3];
        }
        let render = RenderMesh::new(&HalfedgeMesh::new(raw).unwrap());
        let zero = render.normal.iter().filter(|n| **n == Vec3::ZERO).count();
        let unit = render.normal.iter().filter(|n| (n.length() - 1.0).abs() < 1e-6).count();
        assert!(zero > 0 && unit > 0);
        assert_eq!(zero + unit, render.normal.len());
    }
}
