//! Descriptions of primitives: a shape and its parameters as data. They are checked, and built with the
//! texture coordinates and normals that suit the shape.

use super::grid::{bar, plane, torus};
use super::{capsule, tube, uv_sphere};
use crate::mesh::halfedge::{HalfedgeMesh, MeshError};
use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// A shape. Lengths are in mesh units and positive; for the divisions see [`Primitive::build`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "shape", rename_all = "snake_case")]
pub enum Primitive {
    /// A box around the origin with six faces.
    Box { size: Vec3 },
    /// A sphere around the origin with its poles on the y axis; meridians and bands.
    Sphere { radius: f32, around: u32, along: u32 },
    /// A cylinder that stands on the origin, along +y; its ends are triangle fans.
    Cylinder { radius: f32, height: f32, around: u32, along: u32 },
    /// A box divided into cells, standing on the origin.
    Bar { size: Vec3, divisions: [u32; 3] },
    /// A cylinder between two hemispheres that stands on the origin, along +y; `height` is the total height,
    /// `along` divides the cylinder, and `cap` is the number of bands of each hemisphere.
    Capsule { radius: f32, height: f32, around: u32, along: u32, cap: u32 },
    /// A horizontal sheet around the origin, facing up, with sizes along x and z. Not closed.
    Plane { size: Vec2, divisions: [u32; 2] },
    /// A ring around the y axis: `radius` is the distance from the axis to the centre of the ring,
    /// `thickness` the radius of its cross-section, and `across` the number of divisions around the
    /// cross-section.
    Torus { radius: f32, thickness: f32, around: u32, across: u32 },
}

/// The greatest number of divisions in one direction.
pub const MAX_DIVISIONS: u32 = 1000;
/// The greatest number of faces.
pub const MAX_FACES: u64 = 1_000_000;

impl Primitive {
    /// One of each shape, with reasonable sizes and divisions.
    pub const DEFAULTS: [Primitive; 7] = [
        Primitive::Box { size: Vec3::ONE },
        Primitive::Sphere { radius: 0.5, around: 32, along: 16 },
        Primitive::Cylinder { radius: 0.25, height: 2.0, around: 24, along: 16 },
        Primitive::Bar { size: Vec3::new(0.4, 2.0, 0.4), divisions: [4, 20, 4] },
        Primitive::Capsule { radius: 0.25, height: 2.0, around: 24, along: 16, cap: 6 },
        Primitive::Plane { size: Vec2::splat(2.0), divisions: [10, 10] },
        Primitive::Torus { radius: 0.75, thickness: 0.25, around: 48, across: 16 },
    ];

    /// The name of the shape, such as `Box`.
    pub fn name(&self) -> &'static str {
        match self {
            Primitive::Box { .. } => "Box",
            Primitive::Sphere { .. } => "Sphere",
            Primitive::Cylinder { .. } => "Cylinder",
            Primitive::Bar { .. } => "Bar",
            Primitive::Capsule { .. } => "Capsule",
            Primitive::Plane { .. } => "Plane",
            Primitive::Torus { .. } => "Torus",
        }
    }

    /// Builds the surface: closed except for the plane, counter-clockwise from outside, with unit normals
    /// that are smooth where the shape is round and flat where it is flat.
    ///
    /// # Errors
    ///
    /// Lengths that are not finite and positive; a torus thicker than its radius; a capsule lower than its
    /// hemispheres; fewer divisions than a solid needs (3 around, 2 along a sphere, 1 elsewhere); more than
    /// [`MAX_DIVISIONS`] or [`MAX_FACES`].
    pub fn build(&self) -> Result<HalfedgeMesh, MeshError> {
        self.check()?;
        match *self {
            Primitive::Box { size } => super::cuboid(size),
            Primitive::Sphere { radius, around, along } => {
                let mesh = uv_sphere(radius, around, along)?;
                Ok(with_normals(mesh, |_, p| p))
            }
            Primitive::Cylinder { radius, height, around, along } => {
                let mesh = tube(radius, height, around, along)?;
                let end = [Vec3::NEG_Y, Vec3::Y];
                Ok(with_normals(mesh, |end_of_face, p| {
                    if end_of_face { end[usize::from(p.y > height / 2.0)] } else { Vec3::new(p.x, 0.0, p.z) }
                }))
            }
            Primitive::Bar { size, divisions } => bar(size, divisions),
            Primitive::Capsule { radius, height, around, along, cap } => {
                let mesh = capsule(radius, height, around, along, cap)?;
                let [low, high] = [radius, (height - radius).max(radius)];
                Ok(with_normals(mesh, |_, p| p - Vec3::Y * p.y.clamp(low, high)))
            }
            Primitive::Plane { size, divisions } => plane(size, divisions),
            Primitive::Torus { radius, thickness, around, across } => {
                let mesh = torus(radius, thickness, around, across)?;
                Ok(with_normals(mesh, |_, p| p - Vec3::new(p.x, 0.0, p.z).normalize_or_zero() * radius))
            }
        }
    }

    /// Checks the parameters without building the surface.
    ///
    /// # Errors
    ///
    /// The same as [`Primitive::build`].
    pub fn check(&self) -> Result<(), MeshError> {
        self.check_parameters().map_err(MeshError::Invalid)
    }

    fn check_parameters(&self) -> Result<(), String> {
        for (name, value) in self.lengths() {
            if !value.is_finite() || value <= 0.0 {
                return Err(format!("{name} must be a positive number, not {value}"));
            }
            // Beyond these limits, products of lengths would leave the range of f32.
            if !(1e-9..=1e9).contains(&value) {
                return Err(format!("{name} must be between 1e-9 and 1e9, not {value}"));
            }
        }
        match *self {
            Primitive::Capsule { radius, height, .. } if height <= 2.0 * radius => {
                let least = 2.0 * radius;
                return Err(format!("the height must be more than twice the radius, {least}"));
            }
            Primitive::Torus { radius, thickness, .. } if thickness >= radius => {
                return Err(format!("the thickness must be less than the radius, {radius}"));
            }
            _ => {}
        }
        for (name, value, least) in self.divisions() {
            if !(least..=MAX_DIVISIONS).contains(&value) {
                return Err(format!("{name} must be between {least} and {MAX_DIVISIONS}, not {value}"));
            }
        }
        match self.face_count() {
            faces if faces > MAX_FACES => {
                Err(format!("{faces} faces are too many; at most {MAX_FACES} are made"))
            }
            _ => Ok(()),
        }
    }

    /// The lengths, with their names.
    fn lengths(&self) -> Vec<(&'static str, f32)> {
        match *self {
            Primitive::Box { size } | Primitive::Bar { size, .. } => {
                vec![("size x", size.x), ("size y", size.y), ("size z", size.z)]
            }
            Primitive::Sphere { radius, .. } => vec![("the radius", radius)],
            Primitive::Cylinder { radius, height, .. } | Primitive::Capsule { radius, height, .. } => {
                vec![("the radius", radius), ("the height", height)]
            }
            Primitive::Plane { size, .. } => vec![("size x", size.x), ("size z", size.y)],
            Primitive::Torus { radius, thickness, .. } => {
                vec![("the radius", radius), ("the thickness", thickness)]
            }
        }
    }

    /// The divisions, with their names and their least values.
    fn divisions(&self) -> Vec<(&'static str, u32, u32)> {
        match *self {
            Primitive::Box { .. } => Vec::new(),
            Primitive::Sphere { around, along, .. } => {
                vec![("divisions around", around, 3), ("divisions along", along, 2)]
            }
            Primitive::Cylinder { around, along, .. } => {
                vec![("divisions around", around, 3), ("divisions along", along, 1)]
            }
            Primitive::Bar { divisions: [x, y, z], .. } => {
                vec![("divisions x", x, 1), ("divisions y", y, 1), ("divisions z", z, 1)]
            }
            Primitive::Capsule { around, along, cap, .. } => vec![
                ("divisions around", around, 3),
                ("divisions along", along, 1),
                ("divisions of a cap", cap, 1),
            ],
            Primitive::Plane { divisions: [x, z], .. } => vec![("divisions x", x, 1), ("divisions z", z, 1)],
            Primitive::Torus { around, across, .. } => {
                vec![("divisions around", around, 3), ("divisions across", across, 3)]
            }
        }
    }

    /// The number of faces of the surface built by [`Primitive::build`].
    pub fn face_count(&self) -> u64 {
        let product = |a: u32, b: u32| u64::from(a) * u64::from(b);
        match *self {
            Primitive::Box { .. } => 6,
            Primitive::Sphere { around, along, .. } => product(around, along),
            Primitive::Cylinder { around, along, .. } => product(around, along) + 2 * u64::from(around),
            Primitive::Bar { divisions: [x, y, z], .. } => {
                2 * (product(x, y) + product(y, z) + product(x, z))
            }
            Primitive::Capsule { around, along, cap, .. } => {
                product(around, along) + 2 * product(around, cap)
            }
            Primitive::Plane { divisions: [x, z], .. } => product(x, z),
            Primitive::Torus { around, across, .. } => product(around, across),
        }
    }
}

/// Sets the corner normals to the direction of `normal_at(is_triangle, position)`.
fn with_normals(mut mesh: HalfedgeMesh, normal_at: impl Fn(bool, Vec3) -> Vec3) -> HalfedgeMesh {
    for face in 0..mesh.face_count() as u32 {
        let corners: Vec<u32> = mesh.face_corners(face).collect();
        for &h in &corners {
            let p = mesh.vertex_position[mesh.vertex_of(h) as usize];
            let normal = normal_at(corners.len() == 3, p).as_dvec3();
            mesh.corner_normal[h as usize] = normal.normalize_or(glam::DVec3::Y).as_vec3();
        }
    }
    mesh
}
