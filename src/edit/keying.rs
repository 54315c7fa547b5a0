//! What is keyed: the channels of a selection, keys at a frame, and keys copied to be put elsewhere.
//! Everything here is read from the scene; commands do the rest.

use super::command::keys::{ChannelKeys, KeyCommand, KeyframeValues, Purpose};
use super::selection::{Part, Selection};
use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::anim::handle_channel::HandleChannel;
use crate::rig::edits::sides::other_sides;
use crate::rig::edits::symmetry::AXIS;
use crate::rig::skeleton::Skeleton;
use crate::scene::instance::InstanceRef;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::{Scene, channels, references};
use std::collections::BTreeSet;

/// Channels of what is selected: of the selected parts; without any, of the instance and all that it is made
/// of (transform, what is placed, material, textures); else of the skinned mesh.
pub fn of_selection(scene: &Scene, selection: &Selection) -> Vec<ChannelRef> {
    if let Some(mesh) = &selection.mesh
        && let Some(skinned) = scene.skinned_meshes.get(mesh)
        && selection.part.is_some()
    {
        let parts = selection.parts().collect::<BTreeSet<Part>>();
        let of = |part| of_part(mesh, &skinned.skeleton, part);
        return parts.into_iter().flat_map(of).collect();
    }
    match (&selection.instance, &selection.mesh) {
        (Some(instance), _) => of_instance(scene, instance),
        (None, Some(mesh)) => of_resource(scene, mesh),
        (None, None) => {
            let resource = selection.resource.as_ref();
            resource.map_or(Vec::new(), |thing| of_resource(scene, &thing.name))
        }
    }
}

/// Base offset, all bones and all handles of a skinned mesh.
pub fn of_character(scene: &Scene, mesh: &str) -> Vec<ChannelRef> {
    let Some(skinned) = scene.skinned_meshes.get(mesh) else {
        return Vec::new();
    };
    let skeleton = &skinned.skeleton;
    let is_shown = |bone: &usize| !skeleton.bones[*bone].link;
    let bones = (0..skeleton.bones.len()).filter(is_shown).map(Part::Bone);
    let handles = (0..skeleton.handles.len()).map(Part::Handle);
    let parts = [Part::Base].into_iter().chain(bones).chain(handles);
    parts.flat_map(|part| of_part(mesh, skeleton, part)).collect()
}

/// Channels of a part; none where the skeleton does not have it.
pub fn of_part(mesh: &str, skeleton: &Skeleton, part: Part) -> Vec<ChannelRef> {
    let channel = |channel: SkeletonChannel| ChannelRef::new(mesh, channel);
    match part {
        Part::Base => vec![channel(SkeletonChannel::BaseOffset)],
        Part::Bone(bone) => {
            let bone = skeleton.bones.get(bone);
            bone.map(|b| channel(SkeletonChannel::BonePose(b.channel_id)))
                .into_iter()
                .collect()
        }
        Part::Handle(handle) => skeleton.handles.get(handle).map_or(Vec::new(), |h| {
            let mut channels = HandleChannel::ALL.to_vec();
            channels.retain(|channel| channel.value(h).is_some());
            channels
                .into_iter()
                .map(|of_handle| channel(of_handle.of_handle(h.channel_id)))
                .collect()
        }),
        Part::Pole(handle) => {
            let handle = skeleton
                .handles
                .get(handle)
                .filter(|handle| handle.pole.is_some());
            handle
                .map(|h| channel(HandleChannel::Pole.of_handle(h.channel_id)))
                .into_iter()
                .collect()
        }
    }
}

/// Channels of everything called `name`.
pub fn of_resource(scene: &Scene, name: &str) -> Vec<ChannelRef> {
    let channels = channels::values(scene, name).into_keys();
    channels.map(|channel| ChannelRef::new(name, channel)).collect()
}

fn of_instance(scene: &Scene, instance: &InstanceRef) -> Vec<ChannelRef> {
    let Some(placed) = scene.instances.get(instance) else {
        return Vec::new();
    };
    let mut names = vec![placed.name.to_owned()];
    names.extend(placed.transform.map(str::to_owned));
    names.extend(placed.of.map(str::to_owned));
    let of = |thing: ObjectRef| references::all_of(scene, &thing);
    for named in of(instance.into()) {
        match named.kind {
            Kind::Material => {
                names.push(named.name.clone());
                names.extend(of(named).into_iter().map(|texture| texture.name));
            }
            Kind::EnvLight => names.extend(of(named).into_iter().map(|texture| texture.name)),
            _ => {}
        }
    }
    // Skinned meshes in the order of their bones, the rest by name.
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    let of = |name: String| match scene.skinned_meshes.contains_key(&name) {
        true => of_character(scene, &name),
        false => of_resource(scene, &name),
    };
    names.into_iter().flat_map(of).collect()
}

/// `channels`, and those of the other sides of their bones, handles and poles.
pub fn of_both_sides(scene: &Scene, channels: Vec<ChannelRef>) -> Vec<ChannelRef> {
    let mut both = channels;
    let meshes: BTreeSet<String> = both.iter().map(|channel| channel.resource.clone()).collect();
    for (mesh, skinned) in meshes
        .iter()
        .filter_map(|mesh| Some((mesh, scene.skinned_meshes.get(mesh)?)))
    {
        let skeleton = &skinned.skeleton;
        let others = other_sides(skeleton, AXIS);
        let images = both.iter().filter(|channel| channel.resource == *mesh);
        let images = images.filter_map(|channel| {
            let image = other_channel(skeleton, &others, SkeletonChannel::parse(&channel.channel)?)?;
            Some(ChannelRef::new(mesh, image))
        });
        let new: Vec<ChannelRef> = images.filter(|image| !both.contains(image)).collect();
        both.extend(new);
    }
    both
}

/// That of the other side, which may be the same one.
fn other_channel(
    skeleton: &Skeleton,
    others: &[Option<usize>],
    channel: SkeletonChannel,
) -> Option<SkeletonChannel> {
    let handle = |id: u32| {
        let this = skeleton.handles.iter().find(|handle| handle.channel_id == id)?;
        let on = |bone: usize| {
            skeleton
                .handles
                .iter()
                .filter(move |handle| handle.bone as usize == bone)
        };
        let bone = this.bone as usize;
        let nth = on(bone).position(|handle| handle.channel_id == id)?;
        Some(on((*others.get(bone)?)?).nth(nth)?.channel_id)
    };
    Some(match channel {
        SkeletonChannel::BaseOffset => channel,
        SkeletonChannel::BonePose(id) => {
            let bone = skeleton.bones.iter().position(|bone| bone.channel_id == id)?;
            SkeletonChannel::BonePose(skeleton.bones[others[bone]?].channel_id)
        }
        SkeletonChannel::Handle(id, channel) => channel.of_handle(handle(id)?),
    })
}

/// The keys that these channels have at exactly `frame`.
pub fn keys_at(scene: &Scene, channels: &[ChannelRef], frame: f32) -> Vec<ChannelKeys> {
    let has = |channel: &&ChannelRef| {
        let found = scene.animation.get(channel);
        found.is_some_and(|found| found.key(frame).is_some())
    };
    let keys = channels.iter().filter(has).map(|channel| ChannelKeys {
        channel: channel.clone(),
        frames: vec![frame],
    });
    keys.collect()
}

pub fn has_keys(scene: &Scene, channel: &ChannelRef) -> bool {
    let found = scene.animation.get(channel);
    found.is_some_and(|found| found.key_count() > 0)
}

/// Whether all these channels are muted as a whole, of one or more.
pub fn are_muted(scene: &Scene, channels: &[ChannelRef]) -> bool {
    let is = |of: &ChannelRef| scene.animation.mute(&of.resource, &of.channel).is_whole();
    !channels.is_empty() && channels.iter().all(is)
}

/// Mutes channels that have keys, or unmutes them if all are muted.
pub fn toggled_mute(scene: &Scene, channels: Vec<ChannelRef>) -> KeyCommand {
    KeyCommand::Mute {
        muted: !are_muted(scene, &channels),
        components: [true; 3],
        channels,
    }
}

/// Every channel with keys, and all its keys.
pub fn all_keys(scene: &Scene) -> Vec<ChannelKeys> {
    let all = scene.animation.channels.iter();
    let keys = all.flat_map(|(resource, of)| {
        of.iter().map(move |(name, channel)| ChannelKeys {
            channel: ChannelRef::new(resource, name),
            frames: channel.times(),
        })
    });
    keys.filter(|of| !of.frames.is_empty()).collect()
}

/// The chosen keys with their values; those that are not there are left out.
pub fn copy(scene: &Scene, keys: &[ChannelKeys]) -> Vec<KeyframeValues> {
    let copied = keys.iter().filter_map(|ChannelKeys { channel, frames }| {
        let found = scene.animation.get(channel)?;
        let keys = frames.iter();
        let keys = keys.filter_map(|&frame| Some(((frame, found.key(frame)?), found.key_mode(frame)?)));
        let (knots, modes): (Vec<_>, Vec<_>) = keys.unzip();
        let channel = channel.clone();
        (!knots.is_empty()).then_some(KeyframeValues {
            channel,
            knots,
            modes,
        })
    });
    copied.collect()
}

/// Puts copied keys so that the first stands at `frame`. Also: channels that the scene does not have any
/// more (or with another type), whose keys are left out. `None` where nothing is left.
pub fn paste(scene: &Scene, copied: &[KeyframeValues], frame: f32) -> (Option<KeyCommand>, Vec<ChannelRef>) {
    let times = copied.iter().flat_map(|of| of.knots.iter().map(|knot| knot.0));
    let first = times.reduce(f32::min).unwrap_or(0.0);
    put(scene, copied, Purpose::Paste, |time| frame + (time - first))
}

/// Puts copies of keys `by` frames later.
pub fn duplicate(scene: &Scene, keys: &[ChannelKeys], by: f32) -> Option<KeyCommand> {
    put(scene, &copy(scene, keys), Purpose::Duplicate, |time| time + by).0
}

fn put(
    scene: &Scene,
    copied: &[KeyframeValues],
    purpose: Purpose,
    to: impl Fn(f32) -> f32,
) -> (Option<KeyCommand>, Vec<ChannelRef>) {
    let fits = |of: &&KeyframeValues| {
        let stored = channels::value(scene, &of.channel);
        let mut values = of.knots.iter().map(|knot| &knot.1);
        stored.is_some_and(|stored| values.all(|value| value.type_name() == stored.type_name()))
    };
    let (good, bad): (Vec<_>, Vec<_>) = copied.iter().partition(fits);
    let knots: Vec<_> = good
        .into_iter()
        .map(|of| KeyframeValues {
            channel: of.channel.clone(),
            knots: of.knots.iter().map(|&(time, value)| (to(time), value)).collect(),
            modes: of.modes.clone(),
        })
        .collect();
    let command = (!knots.is_empty()).then_some(KeyCommand::Put { purpose, knots });
    (command, bad.into_iter().map(|of| of.channel.clone()).collect())
}
