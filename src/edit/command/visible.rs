//! The command that shows and hides instances.

use super::CommandError;
use crate::scene::instance::{GeometryInstance, InstanceKind, InstanceRef, LightInstance, ParticlesInstance};
use crate::scene::{Scene, Table};
use std::sync::Arc;

/// What an instance of each kind is called in messages.
pub fn kind_name(kind: InstanceKind) -> &'static str {
    match kind {
        InstanceKind::Camera => "camera instance",
        InstanceKind::Mesh => "mesh instance",
        InstanceKind::SkinnedMesh => "skinned mesh instance",
        InstanceKind::Shape => "shape instance",
        InstanceKind::Particles => "particles instance",
        InstanceKind::DeltaLight => "delta light instance",
        InstanceKind::EnvLight => "environment light instance",
    }
}

pub fn set(scene: &mut Scene, instance: &InstanceRef, visible: bool) -> Result<(), CommandError> {
    let geometry: fn(&mut GeometryInstance) -> &mut bool = |i| &mut i.settings.visible;
    let particles: fn(&mut ParticlesInstance) -> &mut bool = |i| &mut i.visible;
    let light: fn(&mut LightInstance) -> &mut bool = |i| &mut i.visible;
    let instances = &mut scene.instances;
    match instance.kind {
        InstanceKind::Camera => Err(CommandError::Value {
            what: "the instance to show or hide",
            rule: "something that is drawn; a camera never is",
        }),
        InstanceKind::Mesh => set_in(&mut instances.meshes, instance, geometry, visible),
        InstanceKind::SkinnedMesh => set_in(&mut instances.skinned_meshes, instance, geometry, visible),
        InstanceKind::Shape => set_in(&mut instances.shapes, instance, geometry, visible),
        InstanceKind::Particles => set_in(&mut instances.particles, instance, particles, visible),
        InstanceKind::DeltaLight => set_in(&mut instances.delta_lights, instance, light, visible),
        InstanceKind::EnvLight => set_in(&mut instances.env_lights, instance, light, visible),
    }
}

fn set_in<T: Clone>(
    table: &mut Table<T>,
    instance: &InstanceRef,
    flag: fn(&mut T) -> &mut bool,
    visible: bool,
) -> Result<(), CommandError> {
    let slot = table
        .get_mut(&instance.name)
        .ok_or_else(|| CommandError::NoSuch {
            what: kind_name(instance.kind),
            name: instance.name.clone(),
        })?;
    let mut changed = (**slot).clone();
    if *flag(&mut changed) != visible {
        *flag(&mut changed) = visible;
        *slot = Arc::new(changed);
    }
    Ok(())
}
