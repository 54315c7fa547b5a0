//! The unit and up axis of a file, which OBJ does not state, and the conversion of its mesh to the scene,
//! where y is up.

use crate::mesh::halfedge::HalfedgeMesh;
use glam::{Mat4, Quat, Vec3};
use std::f32::consts::FRAC_PI_2;
use std::ops::RangeInclusive;

/// The axis of the file that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    #[default]
    Y,
    /// Z, as in Blender and 3ds Max: z becomes y, y becomes -z.
    Z,
}

/// The conversion of an imported mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placing {
    /// Units of the scene per unit of the file, within [`Placing::SCALES`].
    pub scale: f32,
    pub up: UpAxis,
}

impl Default for Placing {
    fn default() -> Self {
        Self {
            scale: 1.0,
            up: UpAxis::default(),
        }
    }
}

impl Placing {
    pub const SCALES: RangeInclusive<f32> = 1e-6..=1e6;

    /// Converts a mesh to the unit and axes of the scene; the default leaves it unchanged, bit for bit.
    pub fn place(&self, mut surface: HalfedgeMesh) -> HalfedgeMesh {
        if *self == Self::default() {
            return surface;
        }
        let rotation = match self.up {
            UpAxis::Y => Quat::IDENTITY,
            UpAxis::Z => Quat::from_rotation_x(-FRAC_PI_2),
        };
        let matrix = Mat4::from_scale_rotation_translation(Vec3::splat(self.scale), rotation, Vec3::ZERO);
        for position in &mut surface.vertex_position {
            *position = matrix.transform_point3(*position);
        }
        for normal in &mut surface.corner_normal {
            *normal = rotation * *normal;
        }
        surface
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::soup::Polygons;

    #[test]
    fn z_becomes_up_and_normals_turn_along() {
        let polygons = Polygons {
            positions: vec![Vec3::X, Vec3::Y, Vec3::Z],
            faces: vec![vec![0, 1, 2]],
            normals: vec![Vec3::Z; 3],
            ..Polygons::default()
        };
        let surface = polygons.build().unwrap();
        assert_eq!(Placing::default().place(surface.clone()), surface);
        let placed = Placing {
            scale: 100.0,
            up: UpAxis::Z,
        };
        let placed = placed.place(surface);
        for (found, expected) in placed.positions().iter().zip([Vec3::X, Vec3::NEG_Z, Vec3::Y]) {
            assert!(found.distance(100.0 * expected) < 1e-4, "{found}");
        }
        let normals = placed
            .face_corners(0)
            .map(|corner| placed.corner_normals()[corner as usize]);
        assert!(normals.into_iter().all(|normal| normal.distance(Vec3::Y) < 1e-6));
    }
}
