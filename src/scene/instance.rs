//! Instances: resources placed in the world. Members: docs/js3d.md, section 5.7.
//! References are names; `None` where the file says null.

use super::Table;
use crate::extra::Extra;

/// How a surface is drawn (kept as the file spells it).
#[derive(Clone, Debug, PartialEq)]
pub struct GeometrySettings {
    pub visible: bool,
    pub collides: bool,
    pub draw_style: String,
    pub blend_style: String,
    pub depth_style: String,
}

/// A draw style of the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DrawStyle {
    /// Edges alone.
    Wireframe,
    /// The normals of the faces as they are shown.
    Flat,
    /// The normals of the vertices as they are shown.
    Smooth,
    /// The normals of the file.
    #[default]
    Correct,
}

impl GeometrySettings {
    /// [`DrawStyle::Correct`] for a name that the format does not know.
    pub fn style(&self) -> DrawStyle {
        match self.draw_style.as_str() {
            "Wireframe" => DrawStyle::Wireframe,
            "Flat" => DrawStyle::Flat,
            "Smooth" => DrawStyle::Smooth,
            _ => DrawStyle::Correct,
        }
    }
}

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

impl Default for ParticlesInstance {
    fn default() -> Self {
        Self {
            transform: None,
            mesh: None,
            material: None,
            particles: None,
            visible: true,
            wireframe: false,
            simulate_here: false,
            extra: Extra::default(),
        }
    }
}

/// A placed delta light or environment light: `light` names an entry of the map of that kind.
#[derive(Clone, Debug, PartialEq)]
pub struct LightInstance {
    pub transform: Option<String>,
    pub light: Option<String>,
    pub visible: bool,
    pub extra: Extra,
}

impl Default for LightInstance {
    fn default() -> Self {
        Self {
            transform: None,
            light: None,
            visible: true,
            extra: Extra::default(),
        }
    }
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

/// What instances of all kinds have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InstanceView<'s> {
    pub kind: InstanceKind,
    pub name: &'s str,
    pub transform: Option<&'s str>,
    /// The resource that is placed (for particles: the particles, not the mesh drawn for each).
    pub of: Option<&'s str>,
    /// `None` for cameras, which are never drawn.
    pub visible: Option<bool>,
}

impl Instances {
    /// All instances, map by map.
    pub fn all(&self) -> Vec<InstanceView<'_>> {
        let mut all = Vec::new();
        for (name, camera) in &self.cameras {
            all.push(InstanceView {
                kind: InstanceKind::Camera,
                name,
                transform: camera.transform.as_deref(),
                of: camera.camera.as_deref(),
                visible: None,
            });
        }
        let geometry = [
            (InstanceKind::Mesh, &self.meshes),
            (InstanceKind::SkinnedMesh, &self.skinned_meshes),
            (InstanceKind::Shape, &self.shapes),
        ];
        for (kind, table) in geometry {
            all.extend(table.iter().map(|(name, instance)| InstanceView {
                kind,
                name,
                transform: instance.transform.as_deref(),
                of: instance.of.as_deref(),
                visible: Some(instance.settings.visible),
            }));
        }
        for (name, particles) in &self.particles {
            all.push(InstanceView {
                kind: InstanceKind::Particles,
                name,
                transform: particles.transform.as_deref(),
                of: particles.particles.as_deref(),
                visible: Some(particles.visible),
            });
        }
        let lights = [
            (InstanceKind::DeltaLight, &self.delta_lights),
            (InstanceKind::EnvLight, &self.env_lights),
        ];
        for (kind, table) in lights {
            all.extend(table.iter().map(|(name, light)| InstanceView {
                kind,
                name,
                transform: light.transform.as_deref(),
                of: light.light.as_deref(),
                visible: Some(light.visible),
            }));
        }
        all
    }

    pub fn get(&self, instance: &InstanceRef) -> Option<InstanceView<'_>> {
        let is_it = |i: &InstanceView<'_>| i.kind == instance.kind && i.name == instance.name;
        self.all().into_iter().find(is_it)
    }
}
