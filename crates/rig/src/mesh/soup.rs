//! A surface as a list of polygons, exchanged between importers, primitives and commands.
//!
//! Nothing is checked before it is built, and nothing is repaired; for repairs see [`super::repair`].

use super::halfedge::{HalfedgeMesh, MeshError};
use super::triangulate::Triangulator;
use glam::{Mat3, Mat4, Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// The angle below which edges are smooth where normals are computed, in degrees; sharper edges look sharp.
/// Boxes stay angular, and coarse round bodies look round.
pub const COMPUTED_SMOOTH_DEG: f32 = 60.0;

/// Polygons over V vertices (vertex indices, counter-clockwise from outside), with C corners in total.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Polygons {
    /// The positions in mesh space (V).
    pub positions: Vec<Vec3>,
    pub faces: Vec<Vec<u32>>,
    /// The texture coordinates of the corners (C), polygon after polygon; empty if there are none.
    #[serde(default)]
    pub uvs: Vec<Vec2>,
    /// The shading normals of the corners (C); zero to have one computed; empty to have all computed.
    #[serde(default)]
    pub normals: Vec<Vec3>,
}

impl Polygons {
    /// Converts a surface; boundary faces are skipped, and each polygon begins with the first corner of its
    /// face. Texture coordinates that are all zero count as none.
    pub fn new(surface: &HalfedgeMesh) -> Self {
        let mut polygons = Self { positions: surface.positions().to_vec(), ..Self::default() };
        for face in (0..surface.face_count() as u32).filter(|&f| !surface.is_boundary(f)) {
            let corners: Vec<u32> = surface.face_corners(face).collect();
            let vertices = corners.iter().map(|&h| surface.vertex_of(h));
            polygons.faces.push(vertices.collect());
            let (uvs, normals) = (surface.corner_uvs(), surface.corner_normals());
            polygons.uvs.extend(corners.iter().map(|&h| uvs[h as usize]));
            polygons.normals.extend(corners.iter().map(|&h| normals[h as usize]));
        }
        if polygons.uvs.iter().all(|uv| *uv == Vec2::ZERO) {
            polygons.uvs.clear();
        }
        polygons
    }

    /// Returns the triangles of all polygons, in their order.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let mut triangulator = Triangulator::default();
        let mut triangles = Vec::with_capacity(self.corner_count());
        for face in &self.faces {
            let points = face.iter().map(|&vertex| self.positions[vertex as usize].as_dvec3());
            let corners = triangulator.triangles(points).iter();
            triangles.extend(corners.map(|triangle| triangle.map(|corner| face[corner])));
        }
        triangles
    }

    /// The number of corners of all polygons, C.
    pub fn corner_count(&self) -> usize {
        self.faces.iter().map(Vec::len).sum()
    }

    /// Applies a matrix to positions and normals; a reflection also reverses the faces, so that they still
    /// face outwards.
    pub fn transformed(mut self, matrix: Mat4) -> Self {
        // Scaled so that products neither overflow nor underflow.
        let linear = Mat3::from_mat4(matrix);
        let size = linear.to_cols_array().iter().fold(0.0, |size: f32, x| size.max(x.abs()));
        let linear = if size > 0.0 { linear / size } else { linear };
        let mirrored = linear.determinant() < 0.0;
        // The inverse transpose up to scale, but defined also if a scale is 0.
        let normal_matrix = Mat3::from_cols(
            linear.y_axis.cross(linear.z_axis),
            linear.z_axis.cross(linear.x_axis),
            linear.x_axis.cross(linear.y_axis),
        ) * if mirrored { -1.0 } else { 1.0 };
        for position in &mut self.positions {
            *position = matrix.transform_point3(*position);
        }
        for normal in &mut self.normals {
            *normal = (normal_matrix * *normal).normalize_or_zero();
        }
        if mirrored {
            let mut first = 0;
            for face in &mut self.faces {
                let end = first + face.len();
                // The first corner stays the first.
                if let Some(vertices) = face.get_mut(1..) {
                    vertices.reverse();
                }
                if let Some(uvs) = self.uvs.get_mut(first + 1..end) {
                    uvs.reverse();
                }
                if let Some(normals) = self.normals.get_mut(first + 1..end) {
                    normals.reverse();
                }
                first = end;
            }
        }
        self
    }

    /// Builds the half-edge surface, numbered as in [`HalfedgeMesh::from_polygons`].
    ///
    /// # Errors
    ///
    /// The same as [`HalfedgeMesh::from_polygons`]; also if the number of uvs or normals does not match the
    /// corners.
    pub fn build(&self) -> Result<HalfedgeMesh, MeshError> {
        let corners = self.corner_count();
        for (attribute, count) in [("uvs", self.uvs.len()), ("normals", self.normals.len())] {
            if count != 0 && count != corners {
                return Err(MeshError::Invalid(format!(
                    "there are {count} {attribute} for {corners} corners; the numbers must match"
                )));
            }
        }
        let mut rest = &self.uvs[..];
        let uvs: Vec<Vec<Vec2>> = if self.uvs.is_empty() {
            Vec::new()
        } else {
            self.faces
                .iter()
                .map(|face| {
                    let (face_uvs, remaining) = rest.split_at(face.len());
                    rest = remaining;
                    face_uvs.to_vec()
                })
                .collect()
        };
        let uvs = (!self.uvs.is_empty()).then_some(&uvs[..]);
        let mut mesh = HalfedgeMesh::from_polygons(self.positions.clone(), &self.faces, uvs)?;
        let given = |normal: &Vec3| normal.is_finite() && *normal != Vec3::ZERO;
        if self.normals.is_empty() || !self.normals.iter().all(given) {
            mesh = mesh.with_smooth_normals(COMPUTED_SMOOTH_DEG);
        }
        let mut normals = self.normals.iter();
        for face in 0..self.faces.len() as u32 {
            let mut h = mesh.face_halfedge[face as usize];
            for _ in 0..self.faces[face as usize].len() {
                if let Some(normal) = normals.next().filter(|n| given(n)) {
                    mesh.corner_normal[h as usize] = *normal;
                }
                h = mesh.next(h);
            }
        }
        Ok(mesh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;

    #[test]
    fn a_surface_round_trips() {
        for mesh in
            [primitives::cuboid(Vec3::new(1.0, 2.0, 3.0)).unwrap(), primitives::tube(1.0, 2.0, 7, 3).unwrap()]
        {
            assert_eq!(Polygons::new(&mesh).build().unwrap(), mesh);
        }
    }

    #[test]
    fn missing_normals_are_computed_and_given_ones_stay() {
        let cuboid = primitives::cuboid(Vec3::ONE).unwrap();
        let mut polygons = Polygons::new(&cuboid);
        polygons.normals.clear();
        let built = polygons.build().unwrap();
        for (computed, flat) in built.corner_normals().iter().zip(cuboid.corner_normals()) {
            assert!(computed.distance(*flat) < 1e-6, "edges of a box are sharp");
        }
        polygons.normals = vec![Vec3::ZERO; 24];
        polygons.normals[5] = Vec3::new(0.0, 3.0, 4.0);
        let built = polygons.build().unwrap();
        let given = built.face_corners(1).nth(1).unwrap();
        assert_eq!(built.corner_normals()[given as usize], Vec3::new(0.0, 3.0, 4.0));
        let unit = |n: &&Vec3| (n.length() - 1.0).abs() < 1e-6;
        assert_eq!(built.corner_normals().iter().filter(unit).count(), 23);
    }

    #[test]
    fn wrong_numbers_of_corners_are_rejected() {
        let mut polygons = Polygons::new(&primitives::cuboid(Vec3::ONE).unwrap());
        polygons.uvs.pop();
        let MeshError::Invalid(text) = polygons.build().unwrap_err();
        assert!(text.contains("23 uvs for 24 corners"), "{text}");
        polygons.uvs.clear();
        polygons.normals.push(Vec3::X);
        assert!(polygons.build().is_err());
    }
}
