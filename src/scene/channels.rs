//! The values that a scene stores for its channels: what `drive` would write, read. Which channels there are:
//! docs/js3d.md, section 9.

use super::Scene;
use super::names::{Kind, with_table};
use super::property;
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::rig::skeleton::Skeleton;
use std::collections::{BTreeMap, BTreeSet};

/// Every channel of everything called `name`, with the value that the scene stores.
pub fn values(scene: &Scene, name: &str) -> BTreeMap<String, Value> {
    let mut values = BTreeMap::new();
    for kind in Kind::ALL {
        let of_kind = with_table!(&scene, kind, table => property::channels(table, kind, name));
        values.extend(
            of_kind
                .into_iter()
                .map(|(channel, value)| (channel.to_owned(), value)),
        );
    }
    if let Some(skinned) = scene.skinned_meshes.get(name) {
        skeleton_values(&skinned.skeleton, |channel, value| {
            values.insert(channel.to_string(), value);
        });
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
        if let Some(pole) = handle.pole {
            let channel = SkeletonChannel::HandlePole(handle.channel_id);
            add(channel, Value::Vec3(pole.point));
        }
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
        SkeletonChannel::HandlePole(id) => handle(id)?.pole.map(|pole| Value::Vec3(pole.point)),
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
    let mut names = BTreeSet::new();
    for kind in Kind::ALL {
        let shared = |scene: &Scene| with_table!(&scene, kind, table => table.address());
        if shared(before) == shared(after) {
            continue;
        }
        let address = |scene: &Scene, name: &str| with_table!(&scene, kind, table => table.address_of(name));
        names.extend(after.names_of(kind).into_iter().filter(|name| {
            let old = address(before, name);
            old.is_some() && old != address(after, name)
        }));
    }
    names
}
