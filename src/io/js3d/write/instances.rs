//! Members of all instances, in the order of the format's section 5.7.

use super::super::WriteError;
use super::object::Object;
use super::table;
use crate::extra::Extra;
use crate::scene::instance::{CameraInstance, GeometryInstance, Instances, LightInstance, ParticlesInstance};

pub fn write(o: &mut Object<'_>, instances: &Instances, extra: &Extra) -> Result<(), WriteError> {
    table(o, "cameras", &instances.cameras, camera)?;
    table(o, "meshes", &instances.meshes, |o, it| geometry(o, "mesh", it))?;
    table(o, "skinned_meshes", &instances.skinned_meshes, |o, it| {
        geometry(o, "mesh", it)
    })?;
    table(o, "shapes", &instances.shapes, |o, it| geometry(o, "shape", it))?;
    table(o, "particles", &instances.particles, particles)?;
    table(o, "delta_lights", &instances.delta_lights, light)?;
    table(o, "env_lights", &instances.env_lights, light)?;
    o.extra(extra);
    Ok(())
}

fn camera(o: &mut Object<'_>, camera: &CameraInstance) -> Result<(), WriteError> {
    o.reference("transform", camera.transform.as_deref());
    o.reference("camera", camera.camera.as_deref());
    o.extra(&camera.extra);
    Ok(())
}

fn geometry(o: &mut Object<'_>, of: &'static str, instance: &GeometryInstance) -> Result<(), WriteError> {
    let settings = &instance.settings;
    o.reference("transform", instance.transform.as_deref());
    o.reference(of, instance.of.as_deref());
    o.reference("material", instance.material.as_deref());
    o.boolean("visible", settings.visible);
    o.boolean("collides", settings.collides);
    o.text("draw style", &settings.draw_style);
    o.text("blend style", &settings.blend_style);
    o.text("depth style", &settings.depth_style);
    o.extra(&instance.extra);
    Ok(())
}

fn particles(o: &mut Object<'_>, instance: &ParticlesInstance) -> Result<(), WriteError> {
    o.reference("transform", instance.transform.as_deref());
    o.reference("mesh", instance.mesh.as_deref());
    o.reference("material", instance.material.as_deref());
    o.reference("particles", instance.particles.as_deref());
    o.boolean("visible", instance.visible);
    o.boolean("wireframe", instance.wireframe);
    o.boolean("simulate_here", instance.simulate_here);
    o.extra(&instance.extra);
    Ok(())
}

fn light(o: &mut Object<'_>, light: &LightInstance) -> Result<(), WriteError> {
    o.reference("transform", light.transform.as_deref());
    o.reference("light", light.light.as_deref());
    o.boolean("visible", light.visible);
    o.extra(&light.extra);
    Ok(())
}
