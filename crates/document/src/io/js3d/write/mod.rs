//! Writes the scene as text, directly into one buffer, in Scotty3D's order and layout (docs/js3d.md, section
//! 11): tabs, one member per line, names sorted, unknown members after the known ones.

mod animator;
mod layers;
mod mesh;
pub(super) mod object;
pub mod poses;
pub mod posing;
mod resources;
mod spline;

use super::WriteError;
use super::properties;
use super::values::FORMAT;
use crate::scene::instance::InstanceKind;
use crate::scene::names::Kind;
use crate::scene::property::Resource;
use crate::scene::{Scene, Table};
use object::Object;
use object::Writer;
use std::sync::Arc;

pub fn document(scene: &Scene) -> Result<Vec<u8>, WriteError> {
    let mut w = Writer::default();
    w.raw("{\"scene\":");
    w.within("scene", |w| w.object(|o| scene_members(o, scene)))?;
    w.raw(",\"animator\":");
    w.within("animator", |w| animator::write(w, scene))?;
    for (name, value) in &scene.extra.document.0 {
        if name != "scene" && name != "animator" {
            w.member(",\n", name, value);
        }
    }
    w.raw("}");
    Ok(w.out)
}

fn scene_members(o: &mut Object<'_>, scene: &Scene) -> Result<(), WriteError> {
    o.text("FORMAT", FORMAT);
    resource_table(o, Kind::Transform, &scene.transforms)?;
    resource_table(o, Kind::Camera, &scene.cameras)?;
    o.member("meshes", |w| {
        w.object(|o| {
            scene.meshes.iter().try_for_each(|(name, mesh)| {
                o.entry(name, |w| mesh::write(w, &mesh.surface, &mesh.weights, &mesh.extra))
            })
        })
    })?;
    table(o, "skinned_meshes", &scene.skinned_meshes, resources::skinned_mesh)?;
    resource_table(o, Kind::Shape, &scene.shapes)?;
    table(o, "particles", &scene.particles, resources::particles)?;
    table(o, "textures", &scene.textures, resources::texture)?;
    resource_table(o, Kind::Material, &scene.materials)?;
    resource_table(o, Kind::DeltaLight, &scene.delta_lights)?;
    resource_table(o, Kind::EnvLight, &scene.env_lights)?;
    o.member("instances", |w| w.object(|o| instances(o, scene)))?;
    o.extra(&scene.extra.scene);
    Ok(())
}

fn instances(o: &mut Object<'_>, scene: &Scene) -> Result<(), WriteError> {
    let instances = &scene.instances;
    resource_table(o, Kind::Instance(InstanceKind::Camera), &instances.cameras)?;
    resource_table(o, Kind::Instance(InstanceKind::Mesh), &instances.meshes)?;
    resource_table(o, Kind::Instance(InstanceKind::SkinnedMesh), &instances.skinned_meshes)?;
    resource_table(o, Kind::Instance(InstanceKind::Shape), &instances.shapes)?;
    resource_table(o, Kind::Instance(InstanceKind::Particles), &instances.particles)?;
    resource_table(o, Kind::Instance(InstanceKind::DeltaLight), &instances.delta_lights)?;
    resource_table(o, Kind::Instance(InstanceKind::EnvLight), &instances.env_lights)?;
    o.extra(&scene.extra.instances);
    Ok(())
}

/// Writes a section of resources that are completely described by property rows.
fn resource_table<T: Resource>(
    o: &mut Object<'_>,
    kind: Kind,
    resources: &Table<T>,
) -> Result<(), WriteError> {
    table(o, kind.map(), resources, |o, resource| {
        properties::write(o, kind, resource)?;
        o.extra(resource.extra());
        Ok(())
    })
}

/// Writes a section: one object per resource.
fn table<T>(
    o: &mut Object<'_>,
    name: &'static str,
    table: &Table<T>,
    write: impl Fn(&mut Object<'_>, &T) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    o.member(name, |w| {
        w.object(|o| {
            let mut entries = table.iter();
            entries.try_for_each(|(name, item): (&String, &Arc<T>)| {
                o.entry(name, |w| w.object(|o| write(o, item)))
            })
        })
    })
}
