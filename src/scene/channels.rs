//! The values that a scene stores for its channels: what `drive` would write, read. Which channels there are:
//! docs/js3d.md, section 9.

use super::Scene;
use super::names::{Kind, with_table};
use super::property;
use super::skinned::SkinnedMesh;
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::anim::handle_channel::HandleChannel;
use crate::rig::skeleton::Skeleton;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

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
        skeleton_values(&skinned.skeleton, |_, channel, value| {
            values.insert(channel.to_string(), value);
        });
    }
    values
}

/// Where files give several bones or handles one id, the first counts.
/// `add` gets the place of the bone or handle too.
fn skeleton_values(skeleton: &Skeleton, mut add: impl FnMut(usize, SkeletonChannel, Value)) {
    add(0, SkeletonChannel::BaseOffset, Value::Vec3(skeleton.base_offset));
    for (at, bone) in skeleton.bones.iter().enumerate().rev() {
        add(
            at,
            SkeletonChannel::BonePose(bone.channel_id),
            Value::Vec3(bone.pose_deg),
        );
    }
    for (at, handle) in skeleton.handles.iter().enumerate().rev() {
        for channel in HandleChannel::ALL {
            if let Some(value) = channel.value(handle) {
                add(at, channel.of_handle(handle.channel_id), value);
            }
        }
    }
}

/// The value that the scene stores for a channel; `None` where there is nothing that it drives.
pub fn value(scene: &Scene, channel: &ChannelRef) -> Option<Value> {
    value_of(scene, &channel.resource, &channel.channel)
}

/// As [`value`], by the names of resource and channel.
pub fn value_of(scene: &Scene, resource: &str, channel: &str) -> Option<Value> {
    let skinned = scene.skinned_meshes.get(resource);
    let of_skeleton =
        |skinned: &Arc<SkinnedMesh>| skeleton_value(&skinned.skeleton, SkeletonChannel::parse(channel)?, 0);
    skinned.and_then(of_skeleton).or_else(|| {
        // Where several kinds have the name, the last counts.
        let mut kinds = Kind::ALL.into_iter().rev();
        kinds.find_map(
            |kind| with_table!(&scene, kind, table => property::channel(table, kind, resource, channel)),
        )
    })
}

/// The value that a skeleton has for a channel, if it has what that drives. `near`: where in the lists the bone or handle
/// probably is.
pub fn skeleton_value(skeleton: &Skeleton, channel: SkeletonChannel, near: usize) -> Option<Value> {
    let bone = |id| found(&skeleton.bones, near, |bone| bone.channel_id == id);
    let handle = |id| found(&skeleton.handles, near, |handle| handle.channel_id == id);
    Some(match channel {
        SkeletonChannel::BaseOffset => Value::Vec3(skeleton.base_offset),
        SkeletonChannel::BonePose(id) => Value::Vec3(bone(id)?.pose_deg),
        SkeletonChannel::Handle(id, channel) => channel.value(handle(id)?)?,
    })
}

fn found<T>(list: &[T], near: usize, is_it: impl Fn(&T) -> bool) -> Option<&T> {
    let here = list.get(near).filter(|it| is_it(it));
    here.or_else(|| list.iter().find(|it| is_it(it)))
}

/// Channels that both skeletons have and store another value for.
pub fn changed(before: &Skeleton, after: &Skeleton) -> Vec<SkeletonChannel> {
    let mut changed = Vec::new();
    skeleton_values(after, |near, channel, value| {
        if skeleton_value(before, channel, near).is_some_and(|old| old != value) {
            changed.push(channel);
        }
    });
    changed
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
