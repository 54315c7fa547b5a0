//! Which channels a resource has, and of which type: js3d format, section 9. For findings only; what a
//! channel does is the business of `scene::drive`.

use crate::scene::Scene;
use crate::scene::resource::{DeltaLightKind, MaterialKind, TextureKind};
use std::collections::BTreeMap;

/// Channel name to type, of everything called `name`.
pub fn channels_of(scene: &Scene, name: &str) -> BTreeMap<String, &'static str> {
    let mut channels = BTreeMap::new();
    let mut add = |names: &[&str], kind: &'static str| {
        channels.extend(names.iter().map(|name| ((*name).to_owned(), kind)));
    };
    if scene.transforms.contains_key(name) {
        add(&["translation", "scale"], "Vec3");
        add(&["rotation"], "Quat");
    }
    if scene.cameras.contains_key(name) {
        add(&["vertical_fov", "aspect_ratio", "near_plane"], "float");
    }
    if let Some(skinned) = scene.skinned_meshes.get(name) {
        add(&["base_offset"], "Vec3");
        for bone in &skinned.skeleton.bones {
            add(&[&format!("bone.{}.pose", bone.channel_id)], "Vec3");
        }
        for handle in &skinned.skeleton.handles {
            add(&[&format!("handle.{}.target", handle.channel_id)], "Vec3");
            add(&[&format!("handle.{}.enabled", handle.channel_id)], "bool");
        }
    }
    if scene.shapes.contains_key(name) {
        add(&["radius"], "float");
    }
    if scene.particles.contains_key(name) {
        add(&["gravity"], "Vec3");
        add(
            &["radius", "initial_velocity", "spread_angle", "lifetime", "rate"],
            "float",
        );
    }
    if let Some(TextureKind::Constant { .. }) = scene.textures.get(name).map(|texture| &texture.kind) {
        add(&["color"], "Spectrum");
        add(&["scale"], "float");
    }
    let material = scene.materials.get(name).map(|material| &material.kind);
    if let Some(MaterialKind::Refract { .. } | MaterialKind::Glass { .. }) = material {
        add(&["ior"], "float");
    }
    if let Some(light) = scene.delta_lights.get(name) {
        add(&["color"], "Spectrum");
        add(&["intensity"], "float");
        if let DeltaLightKind::Spot { .. } = light.kind {
            add(&["inner_angle", "outer_angle"], "float");
        }
    }
    let instances = &scene.instances;
    if instances.meshes.contains_key(name)
        || instances.skinned_meshes.contains_key(name)
        || instances.shapes.contains_key(name)
        || instances.delta_lights.contains_key(name)
        || instances.env_lights.contains_key(name)
    {
        add(&["visible"], "bool");
    }
    if instances.particles.contains_key(name) {
        add(&["visible", "wireframe", "simulate_here"], "bool");
    }
    channels
}
