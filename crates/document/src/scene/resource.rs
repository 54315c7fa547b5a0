//! Resources except skinned meshes. For members and defaults, see docs/js3d.md, sections 5.1 to 5.6; for
//! units, ranges and other details of a member, its row in `super::property`.

use super::table::is_same;
use crate::extra::{Extra, Value};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::weights::VertexWeights;
use glam::{Quat, Vec3};
use std::sync::Arc;

/// A node of the hierarchy: parent * translate * rotate * scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Transform {
    /// The name of another transform.
    pub parent: Option<String>,
    pub translation: Vec3,
    /// x, y, z, w; of unit length (files may violate this).
    pub rotation: Quat,
    pub scale: Vec3,
    pub extra: Extra,
}

/// The identity, without a parent.
impl Default for Transform {
    fn default() -> Self {
        Self {
            parent: None,
            translation: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            scale: Vec3::ONE,
            extra: Extra::default(),
        }
    }
}

/// A camera that looks along local -z, with y up.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Degrees.
    pub vertical_fov: f32,
    /// Width / height.
    pub aspect_ratio: f32,
    pub near_plane: f32,
    /// 1: rectangle, 2: circle.
    pub aperture_shape: u32,
    pub aperture_size: f32,
    pub focal_dist: f32,
    pub film: Film,
    pub extra: Extra,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            vertical_fov: 60.0,
            aspect_ratio: 1.77778,
            near_plane: 0.1,
            aperture_shape: 1,
            aperture_size: 0.0,
            focal_dist: 1.0,
            film: Film::default(),
            extra: Extra::default(),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// Pixels.
    pub width: u32,
    pub height: u32,
    pub samples: u32,
    pub max_ray_depth: u32,
    /// One of [`Film::SAMPLE_PATTERNS`].
    pub sample_pattern: String,
}

impl Film {
    /// As Scotty3D names them.
    pub const SAMPLE_PATTERNS: &[&str] =
        &["Center", "Grid (2x2)", "Grid (4x4)", "Grid (8x8)", "Custom Sample Pattern"];
}

impl Default for Film {
    fn default() -> Self {
        Self { width: 1280, height: 720, samples: 256, max_ray_depth: 8, sample_pattern: "Center".into() }
    }
}

/// A mesh without a skeleton; its weights are normally empty.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    pub surface: Arc<HalfedgeMesh>,
    pub weights: Arc<VertexWeights>,
    pub extra: Extra,
}

/// Shared data is not compared.
impl PartialEq for Mesh {
    fn eq(&self, Self { surface, weights, extra }: &Self) -> bool {
        is_same(&self.surface, surface) && is_same(&self.weights, weights) && self.extra == *extra
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The radius of a sphere, the only type.
    pub radius: f32,
    pub extra: Extra,
}

impl Default for Shape {
    fn default() -> Self {
        let extra = Extra::default();
        Self { radius: 1.0, extra }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Particles {
    /// World space.
    pub gravity: Vec3,
    pub radius: f32,
    pub initial_velocity: f32,
    /// Degrees, full cone.
    pub spread_angle: f32,
    /// Seconds.
    pub lifetime: f32,
    /// Per second.
    pub rate: f32,
    pub step_size: f32,
    pub seed: u32,
    /// The current state of the simulation.
    pub particles: Vec<Particle>,
    pub extra: Extra,
}

impl Default for Particles {
    fn default() -> Self {
        Self {
            gravity: Vec3::new(0.0, -9.8, 0.0),
            radius: 0.1,
            initial_velocity: 5.0,
            spread_angle: 0.0,
            lifetime: 2.5,
            rate: 10.0,
            step_size: 0.01,
            seed: 0x3141_5926,
            particles: Vec::new(),
            extra: Extra::default(),
        }
    }
}

/// A particle, in world space; `age` is the remaining lifetime in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particle {
    pub position: Vec3,
    pub velocity: Vec3,
    pub age: f32,
    pub extra: Extra,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TextureKind {
    /// `image` is the string of the file: `hdr64:` and base64, or a path.
    Image {
        sampler: String,
        image: Arc<str>,
    },
    Constant {
        color: Vec3,
        scale: f32,
    },
}

impl Default for TextureKind {
    fn default() -> Self {
        Self::Constant { color: Vec3::splat(0.75), scale: 1.0 }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texture {
    pub kind: TextureKind,
    pub extra: Extra,
}

impl Texture {
    /// Returns the linear factor by which the colours of the image are multiplied: the extra member `factor`,
    /// as in glTF.
    pub fn factor(&self) -> Vec3 {
        let Some(Value::Array(items)) = self.extra.get("factor").filter(|_| self.is_image()) else {
            return Vec3::ONE;
        };
        let number = |item: &Value| match *item {
            Value::Float(value) => Some(value as f32),
            Value::Unsigned(value) => Some(value as f32),
            _ => None,
        };
        let numbers: Option<Vec<f32>> = items.iter().map(|item| number(&item)).collect();
        let factor = numbers.and_then(|numbers| <[f32; 3]>::try_from(numbers).ok());
        let factor = factor.map(Vec3::from).filter(|factor| factor.is_finite());
        factor.map_or(Vec3::ONE, |factor| factor.max(Vec3::ZERO))
    }

    pub fn is_image(&self) -> bool {
        matches!(self.kind, TextureKind::Image { .. })
    }
}

/// The type of a material. Texture references are names in `textures`.
#[derive(Clone, Debug, PartialEq)]
pub enum MaterialKind {
    Lambertian { albedo: Option<String> },
    Mirror { reflectance: Option<String> },
    Refract { transmittance: Option<String>, ior: f32 },
    Glass { transmittance: Option<String>, reflectance: Option<String>, ior: f32 },
    Emissive { emissive: Option<String> },
}

impl MaterialKind {
    /// The index of refraction of glass.
    pub const IOR: f32 = 1.5;
}

impl Default for MaterialKind {
    fn default() -> Self {
        Self::Lambertian { albedo: None }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    pub kind: MaterialKind,
    pub extra: Extra,
}

impl From<TextureKind> for Texture {
    fn from(kind: TextureKind) -> Self {
        let extra = Extra::default();
        Self { kind, extra }
    }
}

impl From<MaterialKind> for Material {
    fn from(kind: MaterialKind) -> Self {
        let extra = Extra::default();
        Self { kind, extra }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub enum DeltaLightKind {
    #[default]
    Point,
    Directional,
    /// Degrees, full cone.
    Spot {
        inner_angle: f32,
        outer_angle: f32,
    },
}

impl DeltaLightKind {
    pub const SPOT: Self = Self::Spot { inner_angle: 30.0, outer_angle: 45.0 };
}

#[derive(Clone, Debug, PartialEq)]
pub struct DeltaLight {
    pub kind: DeltaLightKind,
    pub color: Vec3,
    pub intensity: f32,
    pub extra: Extra,
}

impl Default for DeltaLight {
    fn default() -> Self {
        Self { kind: DeltaLightKind::default(), color: Vec3::ONE, intensity: 1.0, extra: Extra::default() }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum EnvLightKind {
    #[default]
    Hemisphere,
    Sphere,
}

#[derive(Clone, Debug, PartialEq)]
pub struct EnvLight {
    pub kind: EnvLightKind,
    pub intensity: f32,
    /// A name in `textures`.
    pub radiance: Option<String>,
    pub extra: Extra,
}

impl Default for EnvLight {
    fn default() -> Self {
        Self { kind: EnvLightKind::default(), intensity: 1.0, radiance: None, extra: Extra::default() }
    }
}
