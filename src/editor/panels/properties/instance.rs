//! Facts about an instance: what it is, what it refers to, where it stands. Read only.

use super::heading;
use crate::edit::view::View;
use crate::editor::panels::outliner::kind_name;
use crate::editor::panels::status::counted;
use crate::editor::ui::digits::shown;
use crate::editor::ui::row::fact_row;
use crate::editor::ui::{icons, theme};
use crate::scene::Scene;
use crate::scene::instance::{GeometryInstance, InstanceKind, InstanceRef};
use crate::scene::resource::{DeltaLightKind, EnvLightKind};
use egui::Ui;
use glam::{EulerRot, Vec3};

type Facts = Vec<(&'static str, String)>;

pub fn instance_ui(ui: &mut Ui, view: &View, instance: &InstanceRef) {
    heading(
        ui,
        icons::of_kind(instance.kind),
        &instance.name,
        kind_name(instance.kind),
    );
    let scene = view.session.seen();
    let mut facts: Facts = vec![("Kind", kind_name(instance.kind).into())];
    let transform = describe(scene, instance, &mut facts);
    facts.push(("Transform", reference(&transform)));
    let world = view.evaluated.world(transform.as_deref());
    let (scale, rotation, position) = world.to_scale_rotation_translation();
    let (z, y, x) = rotation.to_euler(EulerRot::ZYX);
    facts.push(("Position", vector(position)));
    facts.push((
        "Rotation",
        vector(Vec3::new(x, y, z) * (180.0 / std::f32::consts::PI)),
    ));
    facts.push(("Scale", vector(scale)));
    for (name, value) in facts {
        fact_row(ui, name, theme::FACT_WIDTH, value);
    }
}

/// Adds what the instance's kind has to say; its transform.
fn describe(scene: &Scene, instance: &InstanceRef, facts: &mut Facts) -> Option<String> {
    let (i, name) = (&scene.instances, &instance.name);
    match instance.kind {
        InstanceKind::Mesh => geometry(i.meshes.get(name)?, "Mesh", facts),
        InstanceKind::SkinnedMesh => geometry(i.skinned_meshes.get(name)?, "Skinned mesh", facts),
        InstanceKind::Shape => geometry(i.shapes.get(name)?, "Shape", facts),
        InstanceKind::Camera => {
            let placed = i.cameras.get(name)?;
            facts.push(("Camera", reference(&placed.camera)));
            camera(scene, placed.camera.as_ref(), facts);
            placed.transform.clone()
        }
        InstanceKind::Particles => {
            let placed = i.particles.get(name)?;
            facts.push(("Particles", reference(&placed.particles)));
            facts.push(("Mesh", reference(&placed.mesh)));
            facts.push(("Material", reference(&placed.material)));
            if let Some(particles) = placed.particles.as_ref().and_then(|n| scene.particles.get(n)) {
                facts.push(("Rate", format!("{} per second", short(particles.rate))));
                facts.push((
                    "Alive",
                    counted(particles.particles.len(), "particle", "particles"),
                ));
            }
            placed.transform.clone()
        }
        InstanceKind::DeltaLight => {
            let placed = i.delta_lights.get(name)?;
            facts.push(("Light", reference(&placed.light)));
            if let Some(light) = placed.light.as_ref().and_then(|n| scene.delta_lights.get(n)) {
                let kind = match light.kind {
                    DeltaLightKind::Point => "Point".into(),
                    DeltaLightKind::Directional => "Directional".into(),
                    DeltaLightKind::Spot { outer_angle, .. } => format!("Spot, {}°", short(outer_angle)),
                };
                facts.push(("Type", kind));
                facts.push(("Colour", vector(light.color)));
                facts.push(("Intensity", short(light.intensity)));
            }
            placed.transform.clone()
        }
        InstanceKind::EnvLight => {
            let placed = i.env_lights.get(name)?;
            facts.push(("Light", reference(&placed.light)));
            if let Some(light) = placed.light.as_ref().and_then(|n| scene.env_lights.get(n)) {
                let kind = match light.kind {
                    EnvLightKind::Hemisphere => "Hemisphere",
                    EnvLightKind::Sphere => "Sphere",
                };
                facts.push(("Type", kind.into()));
                facts.push(("Intensity", short(light.intensity)));
                facts.push(("Radiance", reference(&light.radiance)));
            }
            placed.transform.clone()
        }
    }
}

fn geometry(placed: &GeometryInstance, what: &'static str, facts: &mut Facts) -> Option<String> {
    facts.push((what, reference(&placed.of)));
    facts.push(("Material", reference(&placed.material)));
    facts.push(("Drawn as", placed.settings.draw_style.clone()));
    placed.transform.clone()
}

fn camera(scene: &Scene, camera: Option<&String>, facts: &mut Facts) {
    if let Some(camera) = camera.and_then(|name| scene.cameras.get(name)) {
        facts.push(("Field of view", format!("{}° high", short(camera.vertical_fov))));
        facts.push(("Aspect", short(camera.aspect_ratio)));
        facts.push(("Film", format!("{} x {}", camera.film.width, camera.film.height)));
    }
}

fn reference(name: &Option<String>) -> String {
    name.clone().unwrap_or_else(|| "None".into())
}

fn short(value: f32) -> String {
    shown(f64::from(value), 3)
}

fn vector(v: Vec3) -> String {
    v.to_array().map(short).join(", ")
}
