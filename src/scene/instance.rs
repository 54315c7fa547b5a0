//! Instances: resources placed in the world. Members: js3d format, section 5.7.
//! References are names; `None` where the file says null.

use super::Table;
use crate::extra::Extra;

/// How a surface is drawn (kept as the file spells it; see [`DRAW_STYLES`] and its siblings).
#[derive(Clone, Debug, PartialEq)]
pub struct GeometrySettings {
    pub visible: bool,
    pub collides: bool,
    pub draw_style: String,
    pub blend_style: String,
    pub depth_style: String,
}

pub const DRAW_STYLES: [&str; 4] = ["Wireframe", "Flat", "Smooth", "Correct"];
pub const BLEND_STYLES: [&str; 3] = ["Blend Replace", "Blend Over", "Blend Add"];
pub const DEPTH_STYLES: [&str; 3] = ["Depth Always", "Depth Never", "Depth Less"];

impl Default for GeometrySettings {
    fn default() -> Self {
        Self {
            visible: true,
            collides: true,
            draw_style: "Correct".into(),
            blend_style: "Blend Replace".into(),
            depth_style: "Depth Less".into(),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct CameraInstance {
    pub transform: Option<String>,
    pub camera: Option<String>,
    pub extra: Extra,
}

/// A placed mesh, skinned mesh or shape: `of` names an entry of the map of that kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GeometryInstance {
    pub transform: Option<String>,
    pub of: Option<String>,
    pub material: Option<String>,
    pub settings: GeometrySettings,
    pub extra: Extra,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ParticlesInstance {
    pub transform: Option<String>,
    pub mesh: Option<String>,
    pub material: Option<String>,
    pub particles: Option<String>,
    pub visible: bool,
    pub wireframe: bool,
    pub simulate_here: bool,
    pub extra: Extra,
}

/// A placed delta light or environment light: `light` names an entry of the map of that kind.
#[derive(Clone, Debug, PartialEq)]
pub struct LightInstance {
    pub transform: Option<String>,
    pub light: Option<String>,
    pub visible: bool,
    pub extra: Extra,
}

/// The seven maps of instances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instances {
    pub cameras: Table<CameraInstance>,
    pub meshes: Table<GeometryInstance>,
    pub skinned_meshes: Table<GeometryInstance>,
    pub shapes: Table<GeometryInstance>,
    pub particles: Table<ParticlesInstance>,
    pub delta_lights: Table<LightInstance>,
    pub env_lights: Table<LightInstance>,
}

/// Which map an instance is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstanceKind {
    Camera,
    Mesh,
    SkinnedMesh,
    Shape,
    Particles,
    DeltaLight,
    EnvLight,
}

/// An instance by kind and name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct InstanceRef {
    pub kind: InstanceKind,
    pub name: String,
}
