//! What the graphics card draws: triangles over render vertices.
//!
//! Corners of one vertex that share normal and uv are one render vertex, so a smooth mesh has about
//! as many render vertices as vertices. Boundary faces are skipped; polygons are fans (0, i, i + 1)
//! around the corner that the face names.

use super::halfedge::HalfedgeMesh;
use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};

/// A render vertex where it is now, as the graphics card takes it: six numbers in a row, which are Bevy's
/// attributes 0 and 1. Mesh space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct RenderVertex {
    pub position: Vec3,
    /// Unit length, or zero where the file has zero.
    pub normal: Vec3,
}

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
    /// R: the render vertices with their normals of the bind pose. `positions`: V.
    ///
    /// Panics if there are fewer positions than vertices.
    pub fn at<'a>(&'a self, positions: &'a [Vec3]) -> impl ExactSizeIterator<Item = RenderVertex> + 'a {
        let vertex = |(&v, &normal): (&u32, &Vec3)| RenderVertex {
            position: positions[v as usize],
            normal,
        };
        self.vertex.iter().zip(&self.normal).map(vertex)
    }

    pub fn new(mesh: &HalfedgeMesh) -> Self {
        let mut render = Self {
            corner: vec![u32::MAX; mesh.halfedge_count()],
            // Every edge has a surface face on at least one side, so every edge is drawn.
            edges: (0..mesh.edge_count() as u32)
                .map(|e| mesh.edge_vertices(e))
                .collect(),
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

    fn cut_faces(&mut self, mesh: &HalfedgeMesh) {
        for face in (0..mesh.face_count() as u32).filter(|&f| !mesh.is_boundary(f)) {
            let mut corners = mesh.face_corners(face).map(|h| self.corner[h as usize]);
            let (Some(centre), Some(mut before)) = (corners.next(), corners.next()) else {
                continue;
            };
            for corner in corners {
                self.indices.extend([centre, before, corner]);
                self.triangle_face.push(face);
                before = corner;
            }
        }
    }
}

/// Normal and uv of a corner, bit for bit.
fn attributes(mesh: &HalfedgeMesh, h: u32) -> [u32; 5] {
    let (normal, uv) = (mesh.corner_normal[h as usize], mesh.corner_uv[h as usize]);
    [normal.x, normal.y, normal.z, uv.x, uv.y].map(f32::to_bits)
}

/// In f64, so that neither very long nor very short normals are lost.
fn unit_or_zero(normal: Vec3) -> Vec3 {
    normal.as_dvec3().normalize_or_zero().as_vec3()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;

    /// What the maps promise, corner by corner.
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
            // Merged exactly with the corners of the same vertex that look the same.
            for other in mesh.outgoing(mesh.vertex_of(h)).filter(|&other| drawn(other)) {
                let same = attributes(mesh, h) == attributes(mesh, other);
                assert_eq!(render.corner[other as usize] as usize == r, same);
            }
        }
        assert!(used.iter().all(|&used| used));
        let triangles: usize = (0..mesh.face_count() as u32)
            .filter(|&f| !mesh.is_boundary(f))
            .map(|f| mesh.face_corners(f).count() - 2)
            .sum();
        assert_eq!(
            (render.indices.len(), render.triangle_face.len()),
            (3 * triangles, triangles)
        );
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
        // One more for each of the 4 vertices on the seam, and 7 for each end's middle.
        assert_eq!(render.vertex.len(), tube.vertex_count() + 4 + 14);
    }

    #[test]
    fn polygons_are_fans_around_the_corner_that_the_face_names() {
        let positions = (0..5)
            .map(|i| Vec3::new((i as f32).cos(), (i as f32).sin(), 0.0))
            .collect();
        let mut raw = HalfedgeMesh::from_polygons(positions, &[vec![0, 1, 2, 3, 4]], None)
            .unwrap()
            .raw();
        raw.face_halfedge[0] = 4; // starts at vertex 2
        let mesh = HalfedgeMesh::new(raw).unwrap();
        let render = RenderMesh::new(&mesh);
        assert_consistent(&mesh, &render);
        let vertices: Vec<u32> = render
            .indices
            .iter()
            .map(|&r| render.vertex[r as usize])
            .collect();
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
        let unit = render
            .normal
            .iter()
            .filter(|n| (n.length() - 1.0).abs() < 1e-6)
            .count();
        assert!(zero > 0 && unit > 0);
        assert_eq!(zero + unit, render.normal.len());
    }
}
