//! Instances: what is placed where. Read last, when all that they refer to is known.

use super::ReadError;
use super::document::table;
use super::reader::{Members, Reader};
use crate::scene::Scene;
use crate::scene::instance::{
    BLEND_STYLES, CameraInstance, DEPTH_STYLES, DRAW_STYLES, GeometryInstance, GeometrySettings, Instances,
    LightInstance, ParticlesInstance,
};

/// The seven maps; `scene` holds the resources. What is left of `m` is for the caller.
pub fn read(r: &mut Reader<'_>, m: &mut Members<'_>, scene: &Scene) -> Result<Instances, ReadError> {
    Ok(Instances {
        cameras: table(r, m, "cameras", |r, mut m| {
            Ok(CameraInstance {
                transform: transform(r, &mut m, scene)?,
                camera: m.reference(r, "camera", "cameras", |name| scene.cameras.contains_key(name))?,
                extra: r.rest(m),
            })
        })?,
        meshes: table(r, m, "meshes", |r, m| {
            geometry(r, m, scene, "mesh", "meshes", |name| {
                scene.meshes.contains_key(name)
            })
        })?,
        skinned_meshes: table(r, m, "skinned_meshes", |r, m| {
            geometry(r, m, scene, "mesh", "skinned_meshes", |name| {
                scene.skinned_meshes.contains_key(name)
            })
        })?,
        shapes: table(r, m, "shapes", |r, m| {
            geometry(r, m, scene, "shape", "shapes", |name| {
                scene.shapes.contains_key(name)
            })
        })?,
        particles: table(r, m, "particles", |r, m| particles(r, m, scene))?,
        delta_lights: table(r, m, "delta_lights", |r, m| {
            light(r, m, scene, "delta_lights", |name| {
                scene.delta_lights.contains_key(name)
            })
        })?,
        env_lights: table(r, m, "env_lights", |r, m| {
            light(r, m, scene, "env_lights", |name| {
                scene.env_lights.contains_key(name)
            })
        })?,
    })
}

fn transform(r: &mut Reader<'_>, m: &mut Members<'_>, scene: &Scene) -> Result<Option<String>, ReadError> {
    m.reference(r, "transform", "transforms", |name| {
        scene.transforms.contains_key(name)
    })
}

fn material(r: &mut Reader<'_>, m: &mut Members<'_>, scene: &Scene) -> Result<Option<String>, ReadError> {
    m.reference(r, "material", "materials", |name| {
        scene.materials.contains_key(name)
    })
}

/// `of` is the member that names an entry of `map`, which `exists` knows.
fn geometry(
    r: &mut Reader<'_>,
    mut m: Members<'_>,
    scene: &Scene,
    of: &str,
    map: &str,
    exists: impl Fn(&str) -> bool,
) -> Result<GeometryInstance, ReadError> {
    Ok(GeometryInstance {
        transform: transform(r, &mut m, scene)?,
        of: m.reference(r, of, map, exists)?,
        material: material(r, &mut m, scene)?,
        settings: GeometrySettings {
            visible: m.boolean(r, "visible", true)?,
            collides: m.boolean(r, "collides", true)?,
            draw_style: m.choice(r, "draw style", &DRAW_STYLES, "Correct")?.to_owned(),
            blend_style: m
                .choice(r, "blend style", &BLEND_STYLES, "Blend Replace")?
                .to_owned(),
            depth_style: m
                .choice(r, "depth style", &DEPTH_STYLES, "Depth Less")?
                .to_owned(),
        },
        extra: r.rest(m),
    })
}

fn particles(r: &mut Reader<'_>, mut m: Members<'_>, scene: &Scene) -> Result<ParticlesInstance, ReadError> {
    Ok(ParticlesInstance {
        transform: transform(r, &mut m, scene)?,
        mesh: m.reference(r, "mesh", "meshes", |name| scene.meshes.contains_key(name))?,
        material: material(r, &mut m, scene)?,
        particles: m.reference(r, "particles", "particles", |name| {
            scene.particles.contains_key(name)
        })?,
        visible: m.boolean(r, "visible", true)?,
        wireframe: m.boolean(r, "wireframe", false)?,
        simulate_here: m.boolean(r, "simulate_here", false)?,
        extra: r.rest(m),
    })
}

fn light(
    r: &mut Reader<'_>,
    mut m: Members<'_>,
    scene: &Scene,
    map: &str,
    exists: impl Fn(&str) -> bool,
) -> Result<LightInstance, ReadError> {
    Ok(LightInstance {
        transform: transform(r, &mut m, scene)?,
        light: m.reference(r, "light", map, exists)?,
        visible: m.boolean(r, "visible", true)?,
        extra: r.rest(m),
    })
}
