//! Normals that are smooth across shallow edges and sharp across steep ones.

use super::halfedge::HalfedgeMesh;
use glam::{DVec3, Vec3};

/// The rounding error of the angle between coplanar faces, in degrees.
const ROUNDING_DEG: f64 = 1e-4;

impl HalfedgeMesh {
    /// Computes the normals: at each vertex, faces joined by edges that bend by at most `angle_deg` (0 to
    /// 180; the angle between the face normals) share the mean of their normals, weighted by the angle of
    /// each face. 0 is flat, 180 smooth everywhere. Corners of boundary faces get zero; corners of faces
    /// without area and without joined neighbours get +y.
    pub fn with_smooth_normals(mut self, angle_deg: f32) -> Self {
        let limit_deg = f64::from(angle_deg) + ROUNDING_DEG;
        let normals: Vec<Option<DVec3>> = (0..self.face_count() as u32)
            .map(|f| self.area_vector(f).try_normalize().filter(|_| !self.is_boundary(f)))
            .collect();
        let mut previous = vec![0u32; self.next.len()];
        for (h, &next) in self.next.iter().enumerate() {
            previous[next as usize] = h as u32;
        }
        let mut corners: Vec<u32> = Vec::new();
        for v in 0..self.vertex_count() as u32 {
            corners.clear();
            corners.extend(self.outgoing(v));
            let count = corners.len();
            // Corner i and the next one are on the two sides of the edge that begins at corner i.
            let joined = |i: usize| {
                let (a, b) = (self.face_of(corners[i]), self.face_of(corners[(i + 1) % count]));
                if self.is_boundary(a) || self.is_boundary(b) {
                    return false;
                }
                match (normals[a as usize], normals[b as usize]) {
                    (Some(a), Some(b)) => a.cross(b).length().atan2(a.dot(b)).to_degrees() <= limit_deg,
                    // A face without area does not bend.
                    _ => true,
                }
            };
            let start = (0..count).find(|&i| !joined(i)).map_or(0, |i| (i + 1) % count);
            let mut groups: Vec<(Vec<u32>, DVec3)> = Vec::new();
            for k in 0..count {
                let i = (start + k) % count;
                let h = corners[i];
                if k == 0 || !joined((i + count - 1) % count) {
                    groups.push((Vec::new(), DVec3::ZERO));
                }
                if let Some((members, sum)) = groups.last_mut() {
                    members.push(h);
                    let normal = normals[self.face_of(h) as usize].unwrap_or(DVec3::ZERO);
                    *sum += normal * self.corner_angle(previous[h as usize], h);
                }
            }
            for (members, sum) in groups {
                for h in members {
                    let face_normal = normals[self.face_of(h) as usize];
                    // A sum that consists only of rounding errors is meaningless.
                    let normal = match (sum.length() > 1e-9, face_normal) {
                        (true, _) => sum.normalize(),
                        (false, face_normal) => face_normal.unwrap_or(DVec3::Y),
                    };
                    let boundary = self.is_boundary(self.face_of(h));
                    self.corner_normal[h as usize] = if boundary { Vec3::ZERO } else { normal.as_vec3() };
                }
            }
        }
        self
    }

    /// Returns the angle in radians between the edges that end and start at the corner.
    fn corner_angle(&self, previous: u32, h: u32) -> f64 {
        let position = |h: u32| self.vertex_position[self.vertex_of(h) as usize].as_dvec3();
        let point = position(h);
        let (a, b) = (position(previous) - point, position(self.next(h)) - point);
        a.cross(b).length().atan2(a.dot(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;

    fn near(a: &HalfedgeMesh, b: &HalfedgeMesh) -> bool {
        let pairs = a.corner_normals().iter().zip(b.corner_normals());
        pairs.into_iter().all(|(a, b)| a.distance(*b) < 1e-5)
    }

    #[test]
    fn the_extremes_are_flat_and_smooth() {
        for mesh in [primitives::tube(1.0, 2.0, 9, 3).unwrap(), primitives::uv_sphere(1.0, 7, 5).unwrap()] {
            let flat = mesh.clone().with_flat_normals();
            assert!(near(&mesh.clone().with_smooth_normals(0.0), &flat));
            // Surfaces built from polygons are smooth.
            assert!(near(&flat.clone().with_smooth_normals(180.0), &mesh));
            assert!(!near(&flat, &mesh));
        }
    }

    /// A prism with 9 sides: its sides bend by 40 degrees, its rims by 90.
    #[test]
    fn edges_above_the_angle_stay_sharp() {
        let mesh = primitives::tube(1.0, 2.0, 9, 3).unwrap();
        let smooth_by = |angle| mesh.clone().with_smooth_normals(angle);
        assert!(near(&smooth_by(39.0), &smooth_by(0.0)));
        assert!(near(&smooth_by(89.0), &smooth_by(41.0)));
        assert!(near(&smooth_by(91.0), &smooth_by(180.0)));
        let between = smooth_by(60.0);
        for h in 0..between.halfedge_count() as u32 {
            let p = between.positions()[between.vertex_of(h) as usize];
            let side = between.face_corners(between.face_of(h)).count() == 4;
            let expected = match side {
                true => Vec3::new(p.x, 0.0, p.z).normalize(),
                false if p.y < 1.0 => Vec3::NEG_Y,
                false => Vec3::Y,
            };
            assert!(between.corner_normals()[h as usize].distance(expected) < 1e-5);
        }
    }

    #[test]
    fn boundaries_and_faces_without_area_are_fine() {
        let open = HalfedgeMesh::from_polygons(
            vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE],
            &[vec![0, 1, 2], vec![2, 1, 3]],
            None,
        )
        .unwrap();
        assert!(near(&open.clone().with_smooth_normals(180.0), &open));
        let point = HalfedgeMesh::from_polygons(
            vec![Vec3::ONE; 4],
            &[vec![0, 2, 1], vec![0, 1, 3], vec![1, 2, 3], vec![0, 3, 2]],
            None,
        )
        .unwrap();
        let smooth = point.with_smooth_normals(30.0);
        assert!(smooth.corner_normals().iter().all(|n| *n == Vec3::Y));
    }
}
