//! The values that a scene stores for its channels: what `drive` would write, read. Which channels there are:
//! js3d format, section 9.

use super::resource::{DeltaLightKind, MaterialKind, TextureKind};
use super::{Scene, Table};
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::rig::skeleton::Skeleton;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Every channel of everything called `name`, with the value that the scene stores.
pub fn values(scene: &Scene, name: &str) -> BTreeMap<String, Value> {
    let mut values = BTreeMap::new();
    let mut add = |channel: &str, value: Value| {
        values.insert(channel.to_owned(), value);
    };
    if let Some(t) = scene.transforms.get(name) {
        add("translation", Value::Vec3(t.translation));
        add("rotation", Value::Quat(t.rotation));
        add("scale", Value::Vec3(t.scale));
    }
    if let Some(c) = scene.cameras.get(name) {
        add("vertical_fov", Value::Float(c.vertical_fov));
        add("aspect_ratio", Value::Float(c.aspect_ratio));
        add("near_plane", Value::Float(c.near_plane));
    }
    if let Some(skinned) = scene.skinned_meshes.get(name) {
        skeleton_values(&skinned.skeleton, |channel, value| {
            add(&channel.to_string(), value)
        });
    }
    if let Some(s) = scene.shapes.get(name) {
        add("radius", Value::Float(s.radius));
    }
    if let Some(p) = scene.particles.get(name) {
        add("gravity", Value::Vec3(p.gravity));
        add("radius", Value::Float(p.radius));
        add("initial_velocity", Value::Float(p.initial_velocity));
        add("spread_angle", Value::Float(p.spread_angle));
        add("lifetime", Value::Float(p.lifetime));
        add("rate", Value::Float(p.rate));
    }
    if let Some(TextureKind::Constant { color, scale }) = scene.textures.get(name).map(|t| &t.kind) {
        add("color", Value::Spectrum(*color));
        add("scale", Value::Float(*scale));
    }
    let material = scene.materials.get(name).map(|m| &m.kind);
    if let Some(MaterialKind::Refract { ior, .. } | MaterialKind::Glass { ior, .. }) = material {
        add("ior", Value::Float(*ior));
    }
    if let Some(light) = scene.delta_lights.get(name) {
        add("color", Value::Spectrum(light.color));
        add("intensity", Value::Float(light.intensity));
        if let DeltaLightKind::Spot {
            inner_angle,
            outer_angle,
        } = light.kind
        {
            add("inner_angle", Value::Float(inner_angle));
            add("outer_angle", Value::Float(outer_angle));
        }
    }
    let instances = &scene.instances;
    for table in [&instances.meshes, &instances.skinned_meshes, &instances.shapes] {
        if let Some(instance) = table.get(name) {
            add("visible", Value::Bool(instance.settings.visible));
        }
    }
    for table in [&instances.delta_lights, &instances.env_lights] {
        if let Some(instance) = table.get(name) {
            add("visible", Value::Bool(instance.visible));
        }
    }
    if let Some(instance) = instances.particles.get(name) {
        add("visible", Value::Bool(instance.visible));
        add("wireframe", Value::Bool(instance.wireframe));
        add("simulate_here", Value::Bool(instance.simulate_here));
    }
    values
}

/// Where files give several bones or handles one id, the first counts.
fn skeleton_values(skeleton: &Skeleton, mut add: impl FnMut(SkeletonChannel, Value)) {
    add(SkeletonChannel::BaseOffset, Value::Vec3(skeleton.base_offset));
    for bone in skeleton.bones.iter().rev() {
        add(
            SkeletonChannel::BonePose(bone.channel_id),
            Value::Vec3(bone.pose_deg),
        );
    }
    for handle in skeleton.handles.iter().rev() {
        add(
            SkeletonChannel::HandleTarget(handle.channel_id),
            Value::Vec3(handle.target),
        );
        add(
            SkeletonChannel::HandleEnabled(handle.channel_id),
            Value::Bool(handle.enabled),
        );
        add(
            SkeletonChannel::HandleWeight(handle.channel_id),
            Value::Float(handle.weight),
        );
    }
}

/// The value that the scene stores for a channel; `None` where there is nothing that it drives.
pub fn value(scene: &Scene, channel: &ChannelRef) -> Option<Value> {
    if let Some(skinned) = scene.skinned_meshes.get(&channel.resource)
        && let Some(found) = skeleton_value(&skinned.skeleton, &channel.channel)
    {
        return Some(found);
    }
    values(scene, &channel.resource).remove(&channel.channel)
}

fn skeleton_value(skeleton: &Skeleton, channel: &str) -> Option<Value> {
    let handle = |id| skeleton.handles.iter().find(|h| h.channel_id == id);
    match SkeletonChannel::parse(channel)? {
        SkeletonChannel::BaseOffset => Some(Value::Vec3(skeleton.base_offset)),
        SkeletonChannel::BonePose(id) => {
            let bone = skeleton.bones.iter().find(|b| b.channel_id == id);
            bone.map(|b| Value::Vec3(b.pose_deg))
        }
        SkeletonChannel::HandleTarget(id) => handle(id).map(|h| Value::Vec3(h.target)),
        SkeletonChannel::HandleEnabled(id) => handle(id).map(|h| Value::Bool(h.enabled)),
        SkeletonChannel::HandleWeight(id) => handle(id).map(|h| Value::Float(h.weight)),
    }
}

/// Every channel that the scene has, whether it has keys or not, in order of names.
pub fn all(scene: &Scene) -> Vec<ChannelRef> {
    let names: BTreeSet<&str> = scene.names().into_iter().map(|(_, name)| name).collect();
    let of = |name: &str| {
        let channels = values(scene, name).into_keys();
        channels
            .map(|channel| ChannelRef::new(name, channel))
            .collect::<Vec<_>>()
    };
    names.into_iter().flat_map(of).collect()
}

/// Channels that both scenes have and store another value for; the value is that of `after`. What the
/// scenes share is not looked at.
pub fn changed(before: &Scene, after: &Scene) -> Vec<(ChannelRef, Value)> {
    let mut changed = Vec::new();
    for name in touched(before, after) {
        let old = values(before, name);
        let new = values(after, name).into_iter();
        let differs = new.filter(|(channel, value)| old.get(channel).is_some_and(|old| old != value));
        changed.extend(differs.map(|(channel, value)| (ChannelRef::new(name, channel), value)));
    }
    changed
}

/// Names in both scenes behind which something is not shared.
fn touched<'s>(before: &Scene, after: &'s Scene) -> BTreeSet<&'s str> {
    fn add<'s, T>(names: &mut BTreeSet<&'s str>, before: &Table<T>, after: &'s Table<T>) {
        let new = after.iter();
        names.extend(
            new.filter(|(name, new)| before.get(*name).is_some_and(|old| !Arc::ptr_eq(old, new)))
                .map(|(name, _)| name.as_str()),
        );
    }
    let mut names = BTreeSet::new();
    let (a, b, all) = (before, after, &mut names);
    add(all, &a.transforms, &b.transforms);
    add(all, &a.cameras, &b.cameras);
    add(all, &a.skinned_meshes, &b.skinned_meshes);
    add(all, &a.shapes, &b.shapes);
    add(all, &a.particles, &b.particles);
    add(all, &a.textures, &b.textures);
    add(all, &a.materials, &b.materials);
    add(all, &a.delta_lights, &b.delta_lights);
    let (a, b) = (&a.instances, &b.instances);
    add(all, &a.meshes, &b.meshes);
    add(all, &a.skinned_meshes, &b.skinned_meshes);
    add(all, &a.shapes, &b.shapes);
    add(all, &a.particles, &b.particles);
    add(all, &a.delta_lights, &b.delta_lights);
    add(all, &a.env_lights, &b.env_lights);
    names
}
