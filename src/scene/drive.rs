//! Channels at a frame, written into a copy of the scene.
//!
//! Which channels exist: js3d format, section 9. A channel finds its targets by name alone; where several
//! maps hold that name, it drives each of them that has such a member.

use super::instance::{GeometryInstance, InstanceKind, LightInstance, ParticlesInstance};
use super::names::Kind;
use super::resource::{
    Camera, DeltaLight, DeltaLightKind, Material, MaterialKind, Particles, Shape, Texture, TextureKind,
    Transform,
};
use super::skinned::SkinnedMesh;
use super::{Scene, Table};
use crate::anim::channel::{SkeletonChannel, Value};
use std::sync::Arc;

/// The scene with every channel's value at `frame` in place. Channels without a target, or of another
/// type than their target, have no effect. Resources that no channel changes stay shared.
pub fn driven(scene: &Scene, frame: f32) -> Scene {
    let mut out = scene.clone();
    for (name, channels) in &scene.animation.channels {
        let values: Vec<(&str, Value)> = channels
            .iter()
            .filter_map(|(channel, spline)| Some((channel.as_str(), spline.at(frame)?)))
            .collect();
        drive(&mut out.transforms, name, &values, transform);
        drive(&mut out.cameras, name, &values, camera);
        drive(&mut out.skinned_meshes, name, &values, skinned_mesh);
        drive(&mut out.shapes, name, &values, shape);
        drive(&mut out.particles, name, &values, particles);
        drive(&mut out.textures, name, &values, texture);
        drive(&mut out.materials, name, &values, material);
        drive(&mut out.delta_lights, name, &values, delta_light);
        let instances = &mut out.instances;
        drive(&mut instances.meshes, name, &values, geometry_instance);
        drive(&mut instances.skinned_meshes, name, &values, geometry_instance);
        drive(&mut instances.shapes, name, &values, geometry_instance);
        drive(&mut instances.particles, name, &values, particles_instance);
        drive(&mut instances.delta_lights, name, &values, light_instance);
        drive(&mut instances.env_lights, name, &values, light_instance);
    }
    out
}

/// Whether things of a kind have a member that the channel called `channel` drives.
pub fn is_driven(kind: Kind, channel: &str) -> bool {
    match kind {
        Kind::Transform => matches!(channel, "translation" | "rotation" | "scale"),
        Kind::Camera => matches!(channel, "vertical_fov" | "aspect_ratio" | "near_plane"),
        Kind::SkinnedMesh => SkeletonChannel::parse(channel).is_some(),
        Kind::Shape => channel == "radius",
        Kind::Particles => matches!(
            channel,
            "gravity" | "radius" | "initial_velocity" | "spread_angle" | "lifetime" | "rate"
        ),
        Kind::Texture => matches!(channel, "color" | "scale"),
        Kind::Material => channel == "ior",
        Kind::DeltaLight => matches!(channel, "color" | "intensity" | "inner_angle" | "outer_angle"),
        Kind::Mesh | Kind::EnvLight | Kind::Instance(InstanceKind::Camera) => false,
        Kind::Instance(InstanceKind::Particles) => {
            matches!(channel, "visible" | "wireframe" | "simulate_here")
        }
        Kind::Instance(_) => channel == "visible",
    }
}

fn drive<T>(
    table: &mut Table<T>,
    name: &str,
    values: &[(&str, Value)],
    set: fn(&mut Arc<T>, channel: &str, value: Value),
) {
    if let Some(resource) = table.get_mut(name) {
        for &(channel, value) in values {
            set(resource, channel, value);
        }
    }
}

/// Sets a member of a shared resource; one that has the value already stays shared.
macro_rules! put {
    ($shared:expr, $($member:ident).+, $value:expr) => {
        if $shared.$($member).+ != $value {
            Arc::make_mut($shared).$($member).+ = $value;
        }
    };
}

fn transform(t: &mut Arc<Transform>, channel: &str, value: Value) {
    match (channel, value) {
        ("translation", Value::Vec3(v)) => put!(t, translation, v),
        ("rotation", Value::Quat(v)) => put!(t, rotation, v),
        ("scale", Value::Vec3(v)) => put!(t, scale, v),
        _ => {}
    }
}

fn camera(c: &mut Arc<Camera>, channel: &str, value: Value) {
    match (channel, value) {
        ("vertical_fov", Value::Float(v)) => put!(c, vertical_fov, v),
        ("aspect_ratio", Value::Float(v)) => put!(c, aspect_ratio, v),
        ("near_plane", Value::Float(v)) => put!(c, near_plane, v),
        _ => {}
    }
}

fn skinned_mesh(mesh: &mut Arc<SkinnedMesh>, channel: &str, value: Value) {
    let Some(channel) = SkeletonChannel::parse(channel) else {
        return;
    };
    let mut skeleton = mesh.skeleton.clone();
    match (channel, value) {
        (SkeletonChannel::BaseOffset, Value::Vec3(v)) => put!(&mut skeleton, base_offset, v),
        (SkeletonChannel::BonePose(id), Value::Vec3(v)) => {
            for bone in 0..skeleton.bones.len() {
                if skeleton.bones[bone].channel_id == id && skeleton.bones[bone].pose_deg != v {
                    Arc::make_mut(&mut skeleton).bones[bone].pose_deg = v;
                }
            }
        }
        (SkeletonChannel::HandleTarget(id), Value::Vec3(v)) => {
            for handle in 0..skeleton.handles.len() {
                if skeleton.handles[handle].channel_id == id && skeleton.handles[handle].target != v {
                    Arc::make_mut(&mut skeleton).handles[handle].target = v;
                }
            }
        }
        (SkeletonChannel::HandleEnabled(id), Value::Bool(v)) => {
            for handle in 0..skeleton.handles.len() {
                if skeleton.handles[handle].channel_id == id && skeleton.handles[handle].enabled != v {
                    Arc::make_mut(&mut skeleton).handles[handle].enabled = v;
                }
            }
        }
        _ => {}
    }
    if !Arc::ptr_eq(&skeleton, &mesh.skeleton) {
        Arc::make_mut(mesh).skeleton = skeleton;
    }
}

fn shape(s: &mut Arc<Shape>, channel: &str, value: Value) {
    if let ("radius", Value::Float(v)) = (channel, value) {
        put!(s, radius, v);
    }
}

fn particles(p: &mut Arc<Particles>, channel: &str, value: Value) {
    match (channel, value) {
        ("gravity", Value::Vec3(v)) => put!(p, gravity, v),
        ("radius", Value::Float(v)) => put!(p, radius, v),
        ("initial_velocity", Value::Float(v)) => put!(p, initial_velocity, v),
        ("spread_angle", Value::Float(v)) => put!(p, spread_angle, v),
        ("lifetime", Value::Float(v)) => put!(p, lifetime, v),
        ("rate", Value::Float(v)) => put!(p, rate, v),
        _ => {}
    }
}

fn texture(t: &mut Arc<Texture>, channel: &str, value: Value) {
    let TextureKind::Constant { mut color, mut scale } = t.kind else {
        return;
    };
    match (channel, value) {
        ("color", Value::Spectrum(v)) => color = v,
        ("scale", Value::Float(v)) => scale = v,
        _ => {}
    }
    put!(t, kind, TextureKind::Constant { color, scale });
}

fn material(m: &mut Arc<Material>, channel: &str, value: Value) {
    let ("ior", Value::Float(v)) = (channel, value) else {
        return;
    };
    let mut kind = m.kind.clone();
    if let MaterialKind::Refract { ior, .. } | MaterialKind::Glass { ior, .. } = &mut kind {
        *ior = v;
        put!(m, kind, kind);
    }
}

fn delta_light(light: &mut Arc<DeltaLight>, channel: &str, value: Value) {
    let mut kind = light.kind.clone();
    match (channel, value) {
        ("color", Value::Spectrum(v)) => put!(light, color, v),
        ("intensity", Value::Float(v)) => put!(light, intensity, v),
        (_, Value::Float(v)) => {
            if let DeltaLightKind::Spot {
                inner_angle,
                outer_angle,
            } = &mut kind
            {
                match channel {
                    "inner_angle" => *inner_angle = v,
                    "outer_angle" => *outer_angle = v,
                    _ => {}
                }
                put!(light, kind, kind);
            }
        }
        _ => {}
    }
}

fn geometry_instance(i: &mut Arc<GeometryInstance>, channel: &str, value: Value) {
    if let ("visible", Value::Bool(v)) = (channel, value) {
        put!(i, settings.visible, v);
    }
}

fn particles_instance(i: &mut Arc<ParticlesInstance>, channel: &str, value: Value) {
    match (channel, value) {
        ("visible", Value::Bool(v)) => put!(i, visible, v),
        ("wireframe", Value::Bool(v)) => put!(i, wireframe, v),
        ("simulate_here", Value::Bool(v)) => put!(i, simulate_here, v),
        _ => {}
    }
}

fn light_instance(i: &mut Arc<LightInstance>, channel: &str, value: Value) {
    if let ("visible", Value::Bool(v)) = (channel, value) {
        put!(i, visible, v);
    }
}
