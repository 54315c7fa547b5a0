//! Resources that this program shows and keeps but does not (yet) edit.
//! Members, defaults and units: js3d format, sections 5.1 to 5.6.

use crate::extra::Extra;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::weights::VertexWeights;
use glam::{Quat, Vec3};
use std::sync::Arc;

/// A node of the hierarchy: parent * translate * rotate * scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Transform {
    /// Name of another transform.
    pub parent: Option<String>,
    pub translation: Vec3,
    /// x, y, z, w; unit length (not enforced by files).
    pub rotation: Quat,
    pub scale: Vec3,
    pub extra: Extra,
}

/// Where its parent is.
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

/// Looks along local -z, y up.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Degrees.
    pub vertical_fov: f32,
    /// Width / height.
    pub aspect_ratio: f32,
    pub near_plane: f32,
    /// 1 rectangle, 2 circle.
    pub aperture_shape: u32,
    pub aperture_size: f32,
    pub focal_dist: f32,
    pub film: Film,
    pub extra: Extra,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// Pixels.
    pub width: u32,
    pub height: u32,
    pub samples: u32,
    pub max_ray_depth: u32,
    pub sample_pattern: String,
}

/// A plain mesh; its weights are normally empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    pub surface: Arc<HalfedgeMesh>,
    pub weights: Arc<VertexWeights>,
    pub extra: Extra,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Of a sphere, the only type.
    pub radius: f32,
    pub extra: Extra,
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
    /// Momentary state of the simulation.
    pub particles: Vec<Particle>,
    pub extra: Extra,
}

/// World space; `age` is the seconds left to live.
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

#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    pub kind: TextureKind,
    pub extra: Extra,
}

/// Texture references are names in `textures`.
#[derive(Clone, Debug, PartialEq)]
pub enum MaterialKind {
    Lambertian {
        albedo: Option<String>,
    },
    Mirror {
        reflectance: Option<String>,
    },
    Refract {
        transmittance: Option<String>,
        ior: f32,
    },
    Glass {
        transmittance: Option<String>,
        reflectance: Option<String>,
        ior: f32,
    },
    Emissive {
        emissive: Option<String>,
    },
}

#[derive(Clone, Debug, PartialEq)]
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

#[derive(Clone, Debug, PartialEq)]
pub enum DeltaLightKind {
    Point,
    Directional,
    /// Degrees, full cone.
    Spot {
        inner_angle: f32,
        outer_angle: f32,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct DeltaLight {
    pub kind: DeltaLightKind,
    pub color: Vec3,
    pub intensity: f32,
    pub extra: Extra,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EnvLightKind {
    Hemisphere,
    Sphere,
}

#[derive(Clone, Debug, PartialEq)]
pub struct EnvLight {
    pub kind: EnvLightKind,
    pub intensity: f32,
    /// Name in `textures`.
    pub radiance: Option<String>,
    pub extra: Extra,
}
