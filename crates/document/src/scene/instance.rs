//! Instances: resources placed in the world. For their members, see docs/js3d.md, section 5.7. References are
//! names; `None` where the file has null.

use super::Table;
use crate::extra::Extra;

/// The way a surface is drawn (styles as spelled in the file).
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
    /// Edges only.
    Wireframe,
    /// The normals of the displayed faces.
    Flat,
    /// The normals of the displayed vertices.
    Smooth,
    /// The normals of the file.
    #[default]
    Correct,
}

impl GeometrySettings {
    /// Returns the draw style; [`DrawStyle::Correct`] for a name that the format does not define.
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

/// A placed mesh, skinned mesh or shape; `resource` is a name in the map of that kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GeometryInstance {
    pub transform: Option<String>,
    pub resource: Option<String>,
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

/// A placed delta light or environment light; `light` is a name in the map of that kind.
#[derive(Clone, Debug, PartialEq)]
pub struct LightInstance {
    pub transform: Option<String>,
    pub light: Option<String>,
    pub visible: bool,
    pub extra: Extra,
}

impl Default for LightInstance {
    fn default() -> Self {
        Self { transform: None, light: None, visible: true, extra: Extra::default() }
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

/// The kind of an instance, which determines its map.
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

/// The members that instances of all kinds have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InstanceView<'s> {
    pub kind: InstanceKind,
    pub name: &'s str,
    pub transform: Option<&'s str>,
    /// The resource that is placed (for particles: the particles, not the mesh drawn for each).
    pub resource: Option<&'s str>,
    /// `None` for cameras, which are never drawn.
    pub visible: Option<bool>,
}

impl Instances {
    /// Returns all instances, map by map.
    pub fn all(&self) -> Vec<InstanceView<'_>> {
        let mut all = Vec::new();
        for (name, camera) in &self.cameras {
            all.push(InstanceView {
                kind: InstanceKind::Camera,
                name,
                transform: camera.transform.as_deref(),
                resource: camera.camera.as_deref(),
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
                resource: instance.resource.as_deref(),
                visible: Some(instance.settings.visible),
            }));
        }
        for (name, particles) in &self.particles {
            all.push(InstanceView {
                kind: InstanceKind::Particles,
                name,
                transform: particles.transform.as_deref(),
                resource: particles.particles.as_deref(),
                visible: Some(particles.visible),
            });
        }
        let lights =
            [(InstanceKind::DeltaLight, &self.delta_lights), (InstanceKind::EnvLight, &self.env_lights)];
        for (kind, table) in lights {
            all.extend(table.iter().map(|(name, light)| InstanceView {
                kind,
                name,
                transform: light.transform.as_deref(),
                resource: light.light.as_deref(),
                visible: Some(light.visible),
            }));
        }
        all
    }

    pub fn get(&self, instance: &InstanceRef) -> Option<InstanceView<'_>> {
        let matches = |i: &InstanceView<'_>| i.kind == instance.kind && i.name == instance.name;
        self.all().into_iter().find(matches)
    }
}
