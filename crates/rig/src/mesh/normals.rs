//! Smooth vertex normals: the mean of the normals of the adjacent faces, weighted by the angle of each face
//! at the vertex.
//!
//! The weighting does not depend on how faces are divided (Thuermer and Wuethrich 1998).

use super::halfedge::HalfedgeMesh;
use glam::{DVec3, Vec3};

impl HalfedgeMesh {
    /// Returns the unit normals of the vertices (V), outwards, in mesh space. Boundary faces are ignored. If
    /// the faces of a vertex have no area or cancel out, its normal is that of one of them, or +y.
    pub fn vertex_normals(&self) -> Vec<Vec3> {
        // In f64, so that squares of the largest f32 do not overflow.
        let position = |h: u32| self.vertex_position[self.vertex_of(h) as usize].as_dvec3();
        let mut sums = vec![DVec3::ZERO; self.vertex_count()];
        let mut fallback = vec![DVec3::Y; self.vertex_count()];
        for face in (0..self.face_count() as u32).filter(|&f| !self.is_boundary(f)) {
            let Some(normal) = self.area_vector(face).try_normalize() else {
                continue;
            };
            // The angle at a corner is that between its two edges; keep the previous edge while walking.
            let corners = self.face_corners(face);
            let Some(last) = corners.clone().last() else {
                continue;
            };
            let mut previous = last;
            for h in corners {
                let point = position(h);
                let v = self.vertex_of(h) as usize;
                sums[v] += normal * angle(position(previous) - point, position(self.next(h)) - point);
                fallback[v] = normal;
                previous = h;
            }
        }
        let unit = |(sum, fallback): (&DVec3, &DVec3)| {
            // A sum that consists only of rounding errors is meaningless.
            let sum = if sum.length() > 1e-9 { *sum } else { *fallback };
            sum.normalize().as_vec3()
        };
        sums.iter().zip(&fallback).map(unit).collect()
    }

    /// Returns the normal of a polygon (Newell), with twice its area as its length.
    pub(super) fn area_vector(&self, face: u32) -> DVec3 {
        let position = |h: u32| self.vertex_position[self.vertex_of(h) as usize].as_dvec3();
        // Relative to a corner: far from the origin the products would lose all precision.
        let origin = position(self.face_halfedge[face as usize]);
        self.face_corners(face).map(|h| (position(h) - origin).cross(position(self.next(h)) - origin)).sum()
    }

    /// Gives every corner the normal of its face, so that all edges look sharp. Faces without area get +y,
    /// boundary faces zero.
    pub fn with_flat_normals(mut self) -> Self {
        for face in 0..self.face_count() as u32 {
            let normal = if self.is_boundary(face) {
                Vec3::ZERO
            } else {
                self.area_vector(face).normalize_or(DVec3::Y).as_vec3()
            };
            let mut h = self.face_halfedge[face as usize];
            for _ in 0..self.face_corners(face).count() {
                self.corner_normal[h as usize] = normal;
                h = self.next(h);
            }
        }
        self
    }

    /// Gives every corner of a surface face the smooth normal of its vertex, and corners of boundary faces
    /// zero.
    pub(crate) fn set_smooth_normals(&mut self) {
        let normals = self.vertex_normals();
        for h in 0..self.next.len() {
            let boundary = self.face_boundary[self.halfedge_face[h] as usize];
            let smooth = normals[self.halfedge_vertex[h] as usize];
            self.corner_normal[h] = if boundary { Vec3::ZERO } else { smooth };
        }
    }
}

/// Returns the angle between two vectors in radians; 0 if one is zero. Precise also near 0 and pi.
fn angle(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An open pyramid over a square, its sides divided differently, also at sizes whose squares exceed f32.
    #[test]
    fn angle_weighting_does_not_depend_on_how_faces_are_divided() {
        for size in [1.0f32, 1e-30, 1e30] {
            let corners = [[1.0, 0.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0]];
            let mut positions: Vec<Vec3> = corners.map(|c| Vec3::from(c) * size).to_vec();
            positions.push(Vec3::Y * size);
            // A point on the edge between corners 0 and 1 divides that side into two faces.
            positions.push(Vec3::X * size);
            let polygons = [vec![4, 0, 5], vec![4, 5, 1], vec![4, 1, 2], vec![4, 2, 3], vec![4, 3, 0]];
            let mesh = HalfedgeMesh::from_polygons(positions, &polygons, None).unwrap();
            let normals = mesh.vertex_normals();
            assert!((normals[4] - Vec3::Y).length() < 1e-6, "{}", normals[4]);
            // At a corner of the base, two sides meet and span the same angle.
            let expected = (Vec3::new(1.0, 1.0, 0.0) + Vec3::new(0.0, 1.0, 1.0)).normalize();
            assert!((normals[0] - expected).length() < 1e-6, "{}", normals[0]);
        }
    }

    #[test]
    fn faces_without_area_give_unit_normals() {
        let positions = vec![Vec3::ONE; 4];
        let polygons = [vec![0, 2, 1], vec![0, 1, 3], vec![1, 2, 3], vec![0, 3, 2]];
        let mesh = HalfedgeMesh::from_polygons(positions, &polygons, None).unwrap();
        assert!(mesh.corner_normals().iter().all(|n| *n == Vec3::Y));
        assert!(mesh.with_flat_normals().corner_normals().iter().all(|n| *n == Vec3::Y));
    }

    #[test]
    fn two_sides_of_a_sheet_do_not_cancel_out() {
        // A triangle and its back, with shared vertices: a closed surface without volume.
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        let mesh = HalfedgeMesh::from_polygons(positions, &[vec![0, 1, 2], vec![0, 2, 1]], None).unwrap();
        assert!(mesh.corner_normals().iter().all(|n| (n.length() - 1.0).abs() < 1e-6));
    }
}
