//! Cameras, lights and particle emitters of the scene as line drawings in the Animate tab.

use crate::edit::view::Tab;
use crate::editor::projection::draw_list::drawn_by_mesh;
use crate::editor::projection::layers::color;
use crate::editor::state::Seen;
use crate::editor::ui::theme;
use crate::editor::viewport::lines::SceneLines;
use crate::scene::instance::{InstanceKind, InstanceRef};
use crate::scene::resource::DeltaLightKind;
use bevy::prelude::*;

/// The instance of a camera that the picture is seen by: it is not in it.
#[derive(Resource, Default)]
pub struct ActiveCamera(pub Option<String>);

pub fn draw(seen: Seen, through: Res<ActiveCamera>, mut lines: Gizmos<SceneLines>) {
    if seen.settings.tab != Tab::Animate || !seen.settings.show_things {
        return;
    }
    let evaluated = &seen.shown.evaluated;
    let scene = &evaluated.scene;
    let selected = seen.session.selection().instance.as_ref();
    let hue = |kind, name: &str| {
        let on = selected
            == Some(&InstanceRef {
                kind,
                name: name.to_owned(),
            });
        color(if on {
            theme::viewport::SELECTED
        } else {
            theme::TEXT_QUIET
        })
    };
    for (name, instance) in &scene.instances.cameras {
        let Some(camera) = instance.camera.as_deref().and_then(|c| scene.cameras.get(c)) else {
            continue;
        };
        if through.0.as_ref() == Some(name) || seen.settings.camera.as_ref() == Some(name) {
            continue;
        }
        let at = evaluated.world(instance.transform.as_deref());
        let (hue, depth) = (hue(InstanceKind::Camera, name), 0.6);
        let up = depth * (camera.vertical_fov.to_radians() * 0.5).tan().clamp(0.05, 4.0);
        let right = up * camera.aspect_ratio.clamp(0.1, 10.0);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| at.transform_point3(Vec3::new(x * right, y * up, -depth)));
        let eye = at.transform_point3(Vec3::ZERO);
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
        let at = evaluated.world(instance.transform.as_deref());
        let hue = hue(InstanceKind::DeltaLight, name);
        star(&mut lines, at, 0.18, hue);
        // Directional and spot lights shine along local +y.
        match light.kind {
            DeltaLightKind::Point => {}
            DeltaLightKind::Directional => arrow(&mut lines, at, hue),
            DeltaLightKind::Spot { outer_angle, .. } => {
                arrow(&mut lines, at, hue);
                let radius = (outer_angle.to_radians() * 0.5).tan().clamp(0.02, 4.0);
                ring(&mut lines, at, 1.0, radius, hue);
            }
        }
    }
    for (name, instance) in &scene.instances.env_lights {
        if instance.visible {
            let at = evaluated.world(instance.transform.as_deref());
            ring(&mut lines, at, 0.0, 0.4, hue(InstanceKind::EnvLight, name));
        }
    }
    for (name, instance) in &scene.instances.particles {
        if !instance.visible {
            continue;
        }
        let at = evaluated.world(instance.transform.as_deref());
        let hue = hue(InstanceKind::Particles, name);
        star(&mut lines, at, 0.12, hue);
        arrow(&mut lines, at, hue);
        // Particles are in world space already.
        let Some(particles) = instance.particles.as_deref().and_then(|p| scene.particles.get(p)) else {
            continue;
        };
        let mesh = instance.mesh.as_ref().and_then(|mesh| scene.meshes.get(mesh));
        if mesh.is_some_and(|mesh| drawn_by_mesh(mesh, particles)) {
            continue;
        }
        for particle in &particles.particles {
            star(
                &mut lines,
                Mat4::from_translation(particle.position),
                particles.radius,
                hue,
            );
        }
    }
}

fn star(lines: &mut Gizmos<SceneLines>, at: Mat4, size: f32, hue: Color) {
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        lines.line(
            at.transform_point3(-axis * size),
            at.transform_point3(axis * size),
            hue,
        );
    }
}

fn arrow(lines: &mut Gizmos<SceneLines>, at: Mat4, hue: Color) {
    lines.line(at.transform_point3(Vec3::ZERO), at.transform_point3(Vec3::Y), hue);
}

fn ring(lines: &mut Gizmos<SceneLines>, at: Mat4, y: f32, radius: f32, hue: Color) {
    let points = (0..=32).map(|i| {
        let a = i as f32 / 32.0 * std::f32::consts::TAU;
        at.transform_point3(Vec3::new(radius * a.cos(), y, radius * a.sin()))
    });
    lines.linestrip(points, hue);
}
