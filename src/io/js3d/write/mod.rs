//! The scene as text, straight into one buffer, in Scotty3D's order and layout (js3d format, section 11):
//! tabs, one member per line, names sorted, unknown members after the known ones.

mod animator;
mod instances;
mod mesh;
mod object;
mod resources;

use super::WriteError;
use super::document::FORMAT;
use crate::scene::{Scene, Table};
use object::{Object, Writer};
use std::sync::Arc;

pub fn document(scene: &Scene) -> Result<Vec<u8>, WriteError> {
    let mut w = Writer::default();
    w.raw("{\"scene\":");
    w.within("scene", |w| w.object(|o| scene_members(o, scene)))?;
    w.raw(",\"animator\":");
    w.within("animator", |w| animator::write(w, &scene.animation))?;
    for (name, value) in &scene.extra.document.0 {
        if name != "scene" && name != "animator" {
            w.raw(",\n");
            w.text(name);
            w.raw(":");
            w.value(value);
        }
    }
    w.raw("}");
    Ok(w.out)
}

fn scene_members(o: &mut Object<'_>, scene: &Scene) -> Result<(), WriteError> {
    o.text("FORMAT", FORMAT);
    table(o, "transforms", &scene.transforms, resources::transform)?;
    table(o, "cameras", &scene.cameras, resources::camera)?;
    o.member("meshes", |w| {
        w.object(|o| {
            scene.meshes.iter().try_for_each(|(name, mesh)| {
                o.entry(name, |w| {
                    mesh::write(w, &mesh.surface, &mesh.weights, &mesh.extra)
                })
            })
        })
    })?;
    table(
        o,
        "skinned_meshes",
        &scene.skinned_meshes,
        resources::skinned_mesh,
    )?;
    table(o, "shapes", &scene.shapes, resources::shape)?;
    table(o, "particles", &scene.particles, resources::particles)?;
    table(o, "textures", &scene.textures, resources::texture)?;
    table(o, "materials", &scene.materials, resources::material)?;
    table(o, "delta_lights", &scene.delta_lights, resources::delta_light)?;
    table(o, "env_lights", &scene.env_lights, resources::env_light)?;
    o.member("instances", |w| {
        w.object(|o| instances::write(o, &scene.instances, &scene.extra.instances))
    })?;
    o.extra(&scene.extra.scene);
    Ok(())
}

/// A section: one object per resource.
fn table<T>(
    o: &mut Object<'_>,
    name: &'static str,
    table: &Table<T>,
    write: fn(&mut Object<'_>, &T) -> Result<(), WriteError>,
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
