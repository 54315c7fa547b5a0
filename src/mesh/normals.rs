//! Smooth normals: of a vertex, the mean of its faces' normals weighted by the angle of each face there.
//!
//! The weighting does not change when a face is cut into triangles (Thuermer and Wuethrich 1998).

use super::halfedge::HalfedgeMesh;
use glam::{DVec3, Vec3};

impl HalfedgeMesh {
    /// V: unit normals, outwards, in mesh space. Boundary faces do not count. A vertex whose faces have
    /// no area or cancel out gets the normal of one of them, or +y where there is none.
    pub fn vertex_normals(&self) -> Vec<Vec3> {
        // f64, so that squares of the largest f32 do not overflow.
        let position = |h: u32| self.vertex_position[self.vertex_of(h) as usize].as_dvec3();
        let mut sums = vec![DVec3::ZERO; self.vertex_count()];
        let mut fallback = vec![DVec3::Y; self.vertex_count()];
        for face in (0..self.face_count() as u32).filter(|&f| !self.is_boundary(f)) {
            let Some(normal) = self.area_vector(face).try_normalize() else {
                continue;
            };
            // The angle at a corner lies between its two edges; walk with the edge that came before.
            let corners = self.face_corners(face);
            let Some(last) = corners.clone().last() else {
                continue;
            };
            let mut before = last;
            for h in corners {
                let here = position(h);
                let v = self.vertex_of(h) as usize;
                sums[v] += normal * angle(position(before) - here, position(self.next(h)) - here);
                fallback[v] = normal;
                before = h;
            }
        }
        let unit = |(sum, fallback): (&DVec3, &DVec3)| {
            // A sum that is only the rounding of a cancellation says nothing.
            let sum = if sum.length() > 1e-9 { *sum } else { *fallback };
            sum.normalize().as_vec3()
        };
        sums.iter().zip(&fallback).map(unit).collect()
    }

    /// Normal of a polygon (Newell), its length twice the area.
    fn area_vector(&self, face: u32) -> DVec3 {
        let position = |h: u32| self.vertex_position[self.vertex_of(h) as usize].as_dvec3();
        // Relative to a corner: far from the origin the products would lose all digits.
        let origin = position(self.face_halfedge[face as usize]);
        self.face_corners(face)
            .map(|h| (position(h) - origin).cross(position(self.next(h)) - origin))
            .sum()
    }

    /// Gives every corner of a surface face the smooth normal of its vertex, those of boundary faces zero.
    pub(crate) fn set_smooth_normals(&mut self) {
        let normals = self.vertex_normals();
        for h in 0..self.next.len() {
            let boundary = self.face_boundary[self.halfedge_face[h] as usize];
            let smooth = normals[self.halfedge_vertex[h] as usize];
            self.corner_normal[h] = if boundary { Vec3::ZERO } else { smooth };
        }
    }
}

/// Angle between two vectors in radians; 0 where one is zero. Precise near 0 and pi too.
fn angle(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b))
}
