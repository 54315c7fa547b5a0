//! Draws cameras, lights and particle emitters of the scene as lines in the Animate tab.

use crate::edit::settings::view::Tab;
use crate::editor::projection::draw_list::is_drawn_by_mesh;
use crate::editor::projection::layers::color;
use crate::editor::state::ViewParams;
use crate::editor::ui::theme;
use crate::editor::viewport::lines::SceneLines;
use crate::scene::instance::{InstanceKind, InstanceRef};
use crate::scene::resource::DeltaLightKind;
use bevy::prelude::*;

/// The instance of the camera that a picture is rendered from: it is not drawn.
#[derive(Resource, Default)]
pub struct ActiveCamera(pub Option<String>);

pub fn draw(params: ViewParams, active_camera: Res<ActiveCamera>, mut lines: Gizmos<SceneLines>) {
    if params.settings.tab != Tab::Animate || !params.settings.display.show_objects {
        return;
    }
    let evaluated = &params.shown.evaluated;
    let scene = &evaluated.scene;
    let selected = params.session.selection().instance.as_ref();
    let colors = params.settings.options.view_colors();
    let hue = |kind, name: &str| {
        let is_selected = selected == Some(&InstanceRef { kind, name: name.to_owned() });
        color(if is_selected {
            theme::viewport::rgb(colors.selected)
        } else {
            theme::viewport::mark(theme::viewport::QUIET_SIGN, &colors)
        })
    };
    for (name, instance) in &scene.instances.cameras {
        let Some(camera) = instance.camera.as_deref().and_then(|c| scene.cameras.get(c)) else {
            continue;
        };
        if active_camera.0.as_ref() == Some(name) || params.settings.display.camera.as_ref() == Some(name) {
            continue;
        }
        let world_from_local = evaluated.world(instance.transform.as_deref());
        let (hue, depth) = (hue(InstanceKind::Camera, name), 0.6);
        let up = depth * (camera.vertical_fov.to_radians() * 0.5).tan().clamp(0.05, 4.0);
        let right = up * camera.aspect_ratio.clamp(0.1, 10.0);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| world_from_local.transform_point3(Vec3::new(x * right, y * up, -depth)));
        let eye = world_from_local.transform_point3(Vec3::ZERO);
        for i in 0..4 {
            lines.line(eye, corners[i], hue);
            lines.line(corners[i], corners[(i + 1) % 4], hue);
        }
    }
    for (name, instance) in &scene.instances.delta_lights {
        let Some(light) = instance.light.as_deref().and_then(|l| scene.delta_lights.get(l)) else {
            continue;
        };
        if !instance.visible {
            continue;
        }
        let world_from_local = evaluated.world(instance.transform.as_deref());
        let hue = hue(InstanceKind::DeltaLight, name);
        star(&mut lines, world_from_local, 0.18, hue);
        // Directional and spot lights shine along local +y.
        match light.kind {
            DeltaLightKind::Point => {}
            DeltaLightKind::Directional => arrow(&mut lines, world_from_local, hue),
            DeltaLightKind::Spot { outer_angle, .. } => {
                arrow(&mut lines, world_from_local, hue);
                let radius = (outer_angle.to_radians() * 0.5).tan().clamp(0.02, 4.0);
                ring(&mut lines, world_from_local, 1.0, radius, hue);
            }
        }
    }
    for (name, instance) in &scene.instances.env_lights {
        if instance.visible {
            let world_from_local = evaluated.world(instance.transform.as_deref());
            ring(&mut lines, world_from_local, 0.0, 0.4, hue(InstanceKind::EnvLight, name));
        }
    }
    for (name, instance) in &scene.instances.particles {
        if !instance.visible {
            continue;
        }
        let world_from_local = evaluated.world(instance.transform.as_deref());
        let hue = hue(InstanceKind::Particles, name);
        star(&mut lines, world_from_local, 0.12, hue);
        arrow(&mut lines, world_from_local, hue);
        // Particles are in world space already.
        let Some(particles) = instance.particles.as_deref().and_then(|p| scene.particles.get(p)) else {
            continue;
        };
        let mesh = instance.mesh.as_ref().and_then(|mesh| scene.meshes.get(mesh));
        if mesh.is_some_and(|mesh| is_drawn_by_mesh(mesh, particles)) {
            continue;
        }
        for particle in &particles.particles {
            star(&mut lines, Mat4::from_translation(particle.position), particles.radius, hue);
        }
    }
}

fn star(lines: &mut Gizmos<SceneLines>, world_from_local: Mat4, size: f32, hue: Color) {
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        lines.line(
            world_from_local.transform_point3(-axis * size),
            world_from_local.transform_point3(axis * size),
            hue,
        );
    }
}

fn arrow(lines: &mut Gizmos<SceneLines>, world_from_local: Mat4, hue: Color) {
    lines.line(
        world_from_local.transform_point3(Vec3::ZERO),
        world_from_local.transform_point3(Vec3::Y),
        hue,
    );
}

fn ring(lines: &mut Gizmos<SceneLines>, world_from_local: Mat4, y: f32, radius: f32, hue: Color) {
    let points = (0..=32).map(|i| {
        let a = i as f32 / 32.0 * std::f32::consts::TAU;
        world_from_local.transform_point3(Vec3::new(radius * a.cos(), y, radius * a.sin()))
    });
    lines.linestrip(points, hue);
}
