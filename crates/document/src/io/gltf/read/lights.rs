//! Imports the cameras and lights of nodes.

use super::build::Build;
use crate::io::gltf::extras::CameraExtras;
use crate::io::gltf::schema::LightKind;
use crate::io::report::Severity;
use crate::scene::instance::{CameraInstance, LightInstance};
use crate::scene::resource::{Camera, DeltaLight, DeltaLightKind};
use glam::{DAffine3, Vec3};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use std::sync::Arc;

/// Adds the cameras and lights of all nodes.
pub fn add_cameras_and_lights(build: &mut Build) {
    let nodes = build.nodes;
    for node in nodes.visible() {
        let data = &nodes.all[node];
        if let Some(camera) = data.camera {
            add_camera(build, node, camera);
        }
        let extensions = data.extensions.as_ref();
        if let Some(light) = extensions.and_then(|extensions| extensions.lights_punctual.as_ref()) {
            add_light(build, node, light.light);
        }
    }
}

fn add_camera(build: &mut Build, node: usize, index: usize) {
    let imported = build.document().cameras[index].clone();
    let Some(perspective) = imported.perspective else {
        let text = "an orthographic camera is left out: cameras of js3d see in perspective";
        build.report.add(Severity::Warning, "left-out", format!("/cameras/{index}"), text);
        return;
    };
    let wanted = imported.name.filter(|name| !name.is_empty());
    let name = build.names.unique(&wanted.unwrap_or_else(|| "Camera".into()));
    let default = Camera::default();
    let camera = Camera {
        vertical_fov: perspective.yfov.to_degrees().clamp(1.0, 179.0) as f32,
        aspect_ratio: positive(perspective.aspect_ratio).unwrap_or(default.aspect_ratio),
        near_plane: positive(Some(perspective.znear)).unwrap_or(default.near_plane),
        ..default
    };
    let camera = CameraExtras::read(imported.extras.as_ref(), camera);
    build.scene.cameras.insert(name.clone(), Arc::new(camera));
    let transform = Some(build.add_transform(node));
    let instance = build.name_instance(Some(node), &name);
    let camera = CameraInstance { transform, camera: Some(name), ..CameraInstance::default() };
    build.scene.instances.cameras.insert(instance, Arc::new(camera));
}

fn add_light(build: &mut Build, node: usize, index: usize) {
    let lights =
        build.document().extensions.as_ref().and_then(|extension| extension.lights_punctual.as_ref());
    let Some(imported) = lights.and_then(|extension| extension.lights.get(index)).cloned() else {
        return;
    };
    let name = imported.name.filter(|name| !name.is_empty()).unwrap_or_else(|| "Light".into());
    let name = build.names.unique(&name);
    let kind = match imported.kind {
        LightKind::Point => DeltaLightKind::Point,
        LightKind::Directional => DeltaLightKind::Directional,
        LightKind::Spot => {
            let spot = imported.spot.unwrap_or_default();
            let full_angle_deg = |angle: f64| (2.0 * angle.to_degrees()).clamp(0.0, 180.0) as f32;
            let outer_angle = full_angle_deg(spot.outer_cone_angle.unwrap_or(FRAC_PI_4));
            DeltaLightKind::Spot {
                inner_angle: full_angle_deg(spot.inner_cone_angle.unwrap_or(0.0)).min(outer_angle),
                outer_angle,
            }
        }
    };
    let light = DeltaLight {
        kind,
        color: imported.color.map_or(Vec3::ONE, |color| color.as_vec3()),
        intensity: imported.intensity.unwrap_or(1.0).max(0.0) as f32,
        ..DeltaLight::default()
    };
    build.scene.delta_lights.insert(name.clone(), Arc::new(light));
    // Lights shine along -z in glTF, along +y in js3d.
    let transform = build.add_placement(Some(node), DAffine3::from_rotation_x(-FRAC_PI_2), &name);
    let instance = build.name_instance(Some(node), &name);
    let light = LightInstance {
        transform,
        light: Some(name),
        visible: !build.nodes.hidden[node],
        ..LightInstance::default()
    };
    build.scene.instances.delta_lights.insert(instance, Arc::new(light));
}

fn positive(number: Option<f64>) -> Option<f32> {
    number.map(|number| number as f32).filter(|number| *number > 0.0 && number.is_finite())
}
