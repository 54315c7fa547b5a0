//! Reads the values that a scene stores for its channels: the members that `apply_animation` writes.
//! docs/js3d.md, section 9, lists the channels.

use super::Scene;
use super::names::{Kind, ObjectRef, with_table};
use super::property;
use super::skinned::SkinnedMesh;
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::anim::layer::{LayerKind, is_weight, split_name};
use crate::rig::property::Info;
use crate::rig::skeleton::{Part, Skeleton};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Returns every channel of the objects called `name`, with the value that the scene stores.
pub fn values(scene: &Scene, name: &str) -> BTreeMap<String, Value> {
    let mut values = BTreeMap::new();
    for kind in Kind::ALL {
        let channels = with_table!(&scene, kind, table => property::channels(table, kind, name));
        values.extend(channels.into_iter().map(|(channel, value)| (channel.to_owned(), value)));
    }
    if let Some(skinned) = scene.skinned_meshes.get(name) {
        skeleton_values(&skinned.skeleton, |_, channel, value| {
            values.insert(channel.to_string(), value);
        });
    }
    values
}

/// Passes every channel of a skeleton to `add`, with its value and the index of its bone or handle. If
/// several bones or handles of a file have the same id, the last call, for the first of them, counts.
fn skeleton_values(skeleton: &Skeleton, mut add: impl FnMut(usize, SkeletonChannel, Value)) {
    let mut add_part = |part, index| {
        SkeletonChannel::of_part(skeleton, part, |channel, value| add(index, channel, value));
    };
    add_part(Part::Base, 0);
    (0..skeleton.bones.len()).rev().for_each(|bone| add_part(Part::Bone(bone), bone));
    (0..skeleton.handles.len()).rev().for_each(|handle| add_part(Part::Handle(handle), handle));
    (0..skeleton.shapes.len()).rev().for_each(|shape| add_part(Part::Shape(shape), shape));
}

/// Returns the value that the scene stores for a channel; `None` if the channel drives nothing.
pub fn value(scene: &Scene, channel: &ChannelRef) -> Option<Value> {
    value_by_name(scene, &channel.resource, &channel.channel)
}

/// Returns the same as [`value`], by the names of resource and channel. For a channel of a layer, it is the weight of the layer, or
/// the value of the channel that it changes.
pub fn value_by_name(scene: &Scene, resource: &str, channel: &str) -> Option<Value> {
    if let Some((id, base)) = split_name(channel) {
        let layer = scene.animation.layers.get(resource)?.get(id)?;
        if is_weight(channel) {
            return Some(Value::Float(layer.weight));
        }
        let skeleton = &scene.skinned_meshes.get(resource)?.skeleton;
        return skeleton_value(skeleton, SkeletonChannel::parse(base)?, 0);
    }
    let skinned = scene.skinned_meshes.get(resource);
    let value_in_skeleton =
        |skinned: &Arc<SkinnedMesh>| skeleton_value(&skinned.skeleton, SkeletonChannel::parse(channel)?, 0);
    skinned.and_then(value_in_skeleton).or_else(|| {
        // If several kinds have the name, the last counts.
        let mut kinds = Kind::ALL.into_iter().rev();
        kinds.find_map(
            |kind| with_table!(&scene, kind, table => property::channel(table, kind, resource, channel)),
        )
    })
}

/// Returns the row of what a channel drives, or a channel of a layer changes; `None` if it is nothing, and for weights
/// of layers.
pub fn info(scene: &Scene, channel: &ChannelRef) -> Option<&'static Info> {
    let layered = scene.animation.layer_of(channel);
    let name = layered.map_or(channel.channel.as_str(), |(_, base)| base);
    let driven = || SkeletonChannel::parse(name).map(SkeletonChannel::info);
    let is_skeleton = scene.skinned_meshes.contains_key(&channel.resource);
    is_skeleton.then(driven).flatten().or_else(|| {
        // If several kinds have the name, the last counts.
        let mut kinds = Kind::ALL.into_iter().rev();
        kinds.find_map(|kind| {
            let is_listed = scene.contains(&ObjectRef::new(kind, &channel.resource));
            is_listed.then(|| property::info(kind, name)).flatten()
        })
    })
}

/// Returns the nearest value that a key of a channel may have: in the range of what it drives, which blends and pastes
/// may leave. Keys of additive layers are differences, which have no range.
pub fn in_range(scene: &Scene, channel: &ChannelRef, value: Value) -> Value {
    if is_weight(&channel.channel) {
        return value.combined(value, |weight, _| weight.clamp(0.0, 1.0));
    }
    let layer = scene.animation.layer_of(channel);
    let is_difference = layer.is_some_and(|(layer, _)| layer.kind == LayerKind::Additive);
    info(scene, channel).filter(|_| !is_difference).map_or(value, |info| value.clamped(info))
}

/// Returns the value that a skeleton has for a channel; `None` if it has no such bone, handle or constraint.
/// `hint`: the probable index of the bone or handle.
pub fn skeleton_value(skeleton: &Skeleton, channel: SkeletonChannel, hint: usize) -> Option<Value> {
    let index = match channel.part(skeleton, hint)? {
        Part::Base => 0,
        Part::Bone(index) | Part::Handle(index) | Part::Pole(index) | Part::Shape(index) => index,
    };
    channel.value(skeleton, index)
}

/// Returns the channels that both skeletons have and store different values for.
pub fn changed(before: &Skeleton, after: &Skeleton) -> Vec<SkeletonChannel> {
    let mut changed = Vec::new();
    skeleton_values(after, |hint, channel, value| {
        if skeleton_value(before, channel, hint).is_some_and(|old| old != value) {
            changed.push(channel);
        }
    });
    changed
}

/// Returns every channel of the scene, with or without keys, in order of names.
pub fn all(scene: &Scene) -> Vec<ChannelRef> {
    let names: BTreeSet<&str> = scene.names().into_iter().map(|(_, name)| name).collect();
    let channels_of = |name: &str| {
        let channels = values(scene, name).into_keys();
        channels.map(|channel| ChannelRef::new(name, channel)).collect::<Vec<_>>()
    };
    names.into_iter().flat_map(channels_of).collect()
}
