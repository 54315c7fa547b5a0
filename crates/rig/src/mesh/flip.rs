//! Inversion of a surface.

use super::halfedge::HalfedgeMesh;

impl HalfedgeMesh {
    /// Returns the surface turned inside out: every face winds the other way and every normal points the
    /// other way. Vertices, edges, faces, the first corner of every face and the texture coordinates stay;
    /// flipping twice restores the surface.
    pub fn flipped(&self) -> Self {
        let mut previous = vec![0u32; self.next.len()];
        for (h, &next) in self.next.iter().enumerate() {
            previous[next as usize] = h as u32;
        }
        // A half-edge keeps its index and its edge; it starts where it used to end.
        let start = |h: u32| previous[h as usize];
        let (mut corner_uv, mut corner_normal) = (self.corner_uv.clone(), self.corner_normal.clone());
        let mut halfedge_vertex = self.halfedge_vertex.clone();
        for (h, &next) in self.next.iter().enumerate() {
            let next = next as usize;
            corner_uv[h] = self.corner_uv[next];
            corner_normal[h] = -self.corner_normal[next];
            halfedge_vertex[h] = self.halfedge_vertex[next];
        }
        Self {
            corner_uv,
            corner_normal,
            vertex_halfedge: self.vertex_halfedge.iter().map(|&h| start(h)).collect(),
            vertex_position: self.vertex_position.clone(),
            edge_sharp: self.edge_sharp.clone(),
            face_halfedge: self.face_halfedge.iter().map(|&h| start(h)).collect(),
            face_boundary: self.face_boundary.clone(),
            halfedge_vertex,
            halfedge_face: self.halfedge_face.clone(),
            next: previous,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;
    use crate::mesh::soup::Polygons;
    use glam::Vec3;

    #[test]
    fn flipping_turns_inside_out_and_back() {
        let mut open = Polygons::new(&primitives::tube(1.0, 2.0, 6, 2).unwrap());
        open.faces.pop();
        (open.uvs, open.normals) = (Vec::new(), Vec::new());
        for mesh in [
            primitives::cuboid(Vec3::new(1.0, 2.0, 3.0)).unwrap(),
            primitives::uv_sphere(1.0, 5, 4).unwrap(),
            open.build().unwrap(),
        ] {
            let flipped = mesh.flipped();
            // The derived data agree with the stored data.
            assert_eq!(HalfedgeMesh::new(flipped.raw()).as_ref(), Ok(&flipped));
            assert_eq!(flipped.flipped(), mesh);
            for face in 0..mesh.face_count() as u32 {
                let mut original: Vec<_> = mesh.face_corners(face).collect();
                let reversed: Vec<_> = flipped.face_corners(face).collect();
                original[1..].reverse();
                for (&a, &b) in original.iter().zip(&reversed) {
                    assert_eq!(mesh.vertex_of(a), flipped.vertex_of(b));
                    assert_eq!(mesh.corner_uvs()[a as usize], flipped.corner_uvs()[b as usize]);
                    assert_eq!(mesh.corner_normals()[a as usize], -flipped.corner_normals()[b as usize]);
                }
            }
        }
    }
}
