//! Keying: the channels of a selection, keys at a frame, and copying of keys. This module only reads the
//! scene; commands change it.

use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::edit::command::keys::{ChannelKeys, KeyCommand, KeyframeValues, Purpose};
use crate::edit::select::selection::{Part, Selection};
use crate::edit::time::layer_keys::in_active_layer;
use crate::rig::body::middle::BothSides;
use crate::rig::property::{SCALE, STRETCH, TRANSLATION};
use crate::rig::skeleton::Skeleton;
use crate::scene::instance::InstanceRef;
use crate::scene::layers::active_channel;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::{Scene, channels, references};
use std::collections::BTreeSet;

/// Returns the channels of the selection: those of the selected parts; without any, those of the instance and
/// everything that it consists of (transform, resource, material, textures); otherwise those of the skinned
/// mesh.
pub fn selection_channels(scene: &Scene, selection: &Selection) -> Vec<ChannelRef> {
    if let Some(mesh) = &selection.mesh
        && let Some(skinned) = scene.skinned_meshes.get(mesh)
        && selection.part.is_some()
    {
        let parts = selection.parts().collect::<BTreeSet<Part>>();
        let channels = |part| part_channels(mesh, &skinned.skeleton, part);
        return parts.into_iter().flat_map(channels).collect();
    }
    match (&selection.instance, &selection.mesh) {
        (Some(instance), _) => instance_channels(scene, instance),
        (None, Some(mesh)) => resource_channels(scene, mesh),
        (None, None) => {
            let resource = selection.resource.as_ref();
            resource.map_or(Vec::new(), |object| resource_channels(scene, &object.name))
        }
    }
}

/// Returns the channels of the base offset, all bones and all handles of a skinned mesh.
pub fn character_channels(scene: &Scene, mesh: &str) -> Vec<ChannelRef> {
    let Some(skinned) = scene.skinned_meshes.get(mesh) else {
        return Vec::new();
    };
    let skeleton = &skinned.skeleton;
    let is_shown = |bone: &usize| !skeleton.bones[*bone].link;
    let bones = (0..skeleton.bones.len()).filter(is_shown).map(Part::Bone);
    let handles = (0..skeleton.handles.len()).map(Part::Handle);
    let shapes = (0..skeleton.shapes.len()).map(Part::Shape);
    let parts = [Part::Base].into_iter().chain(bones).chain(handles).chain(shapes);
    parts.flat_map(|part| part_channels(mesh, skeleton, part)).collect()
}

/// Returns the channels of a part; none if the skeleton does not have it. A bone that neither moves nor is scaled, and is
/// locked so, has only that of its rotation.
pub fn part_channels(mesh: &str, skeleton: &Skeleton, part: Part) -> Vec<ChannelRef> {
    let mut channels = Vec::new();
    SkeletonChannel::of_part(skeleton, part, |channel, _| {
        if !stays(skeleton, channel) {
            channels.push(ChannelRef::new(mesh, channel));
        }
    });
    channels
}

/// Whether a channel moves or scales a bone that is locked against it, and is where it belongs, or stretches a limb that does
/// not stretch.
fn stays(skeleton: &Skeleton, channel: SkeletonChannel) -> bool {
    let id = channel.info().id;
    let moves = [TRANSLATION.info.id, SCALE.info.id].contains(&id);
    match channel.part(skeleton, 0) {
        Some(Part::Bone(bone)) if moves => {
            skeleton.bones[bone].lock_transform && skeleton.bones[bone].is_unmoved()
        }
        Some(Part::Handle(handle)) if id == STRETCH.info.id => skeleton.handles[handle].stretch == 0.0,
        _ => false,
    }
}

/// Returns the channels of the objects called `name`.
pub fn resource_channels(scene: &Scene, name: &str) -> Vec<ChannelRef> {
    let skeleton = scene.skinned_meshes.get(name).map(|mesh| &mesh.skeleton);
    let stays = |channel: &String| {
        skeleton.is_some_and(|skeleton| {
            SkeletonChannel::parse(channel).is_some_and(|found| stays(skeleton, found))
        })
    };
    let channels = channels::values(scene, name).into_keys().filter(|channel| !stays(channel));
    channels.map(|channel| ChannelRef::new(name, channel)).collect()
}

fn instance_channels(scene: &Scene, instance: &InstanceRef) -> Vec<ChannelRef> {
    let Some(placed) = scene.instances.get(instance) else {
        return Vec::new();
    };
    let mut names = vec![placed.name.to_owned()];
    names.extend(placed.transform.map(str::to_owned));
    names.extend(placed.resource.map(str::to_owned));
    let targets = |object: ObjectRef| references::targets(scene, &object);
    for target in targets(instance.into()) {
        match target.kind {
            Kind::Material => {
                names.push(target.name.clone());
                names.extend(targets(target).into_iter().map(|texture| texture.name));
            }
            Kind::EnvLight => names.extend(targets(target).into_iter().map(|texture| texture.name)),
            _ => {}
        }
    }
    // Skinned meshes in the order of their bones, the rest by name.
    let mut visited = BTreeSet::new();
    names.retain(|name| visited.insert(name.clone()));
    let channels = |name: String| {
        if scene.skinned_meshes.contains_key(&name) {
            character_channels(scene, &name)
        } else {
            resource_channels(scene, &name)
        }
    };
    names.into_iter().flat_map(channels).collect()
}

/// Returns `channels` and those of the other sides of their bones, handles and poles.
pub fn with_other_sides(scene: &Scene, channels: Vec<ChannelRef>) -> Vec<ChannelRef> {
    let mut both = channels;
    let meshes: BTreeSet<String> = both.iter().map(|channel| channel.resource.clone()).collect();
    for (mesh, skinned) in meshes.iter().filter_map(|mesh| Some((mesh, scene.skinned_meshes.get(mesh)?))) {
        let skeleton = &skinned.skeleton;
        let others = BothSides::new(skeleton).others;
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

/// Returns the channel of the other side, which may be the same one.
pub fn other_channel(
    skeleton: &Skeleton,
    others: &[Option<usize>],
    channel: SkeletonChannel,
) -> Option<SkeletonChannel> {
    Some(match (channel, channel.part(skeleton, 0)?) {
        (SkeletonChannel::Bone(_, row), Part::Bone(bone)) => {
            SkeletonChannel::Bone(skeleton.bones[others[bone]?].channel_id, row)
        }
        (SkeletonChannel::Handle(_, row), Part::Handle(handle)) => {
            let other = skeleton.other_handle(others, handle)?;
            SkeletonChannel::Handle(skeleton.handles[other].channel_id, row)
        }
        _ => channel,
    })
}

/// Returns the channels that keys of these channels belong to: those of the active layer of a character, where it has one.
pub fn in_active_layers(scene: &Scene, channels: impl IntoIterator<Item = ChannelRef>) -> Vec<ChannelRef> {
    channels.into_iter().map(|channel| active_channel(&scene.animation, &channel)).collect()
}

/// Returns the keys that these channels have at exactly `frame`.
pub fn keys_at(scene: &Scene, channels: &[ChannelRef], frame: f32) -> Vec<ChannelKeys> {
    let has = |channel: &&ChannelRef| {
        let found = scene.animation.get(channel);
        found.is_some_and(|found| found.key(frame).is_some())
    };
    let keys = channels
        .iter()
        .filter(has)
        .map(|channel| ChannelKeys { channel: channel.clone(), frames: vec![frame] });
    keys.collect()
}

pub fn has_keys(scene: &Scene, channel: &ChannelRef) -> bool {
    let found = scene.animation.get(channel);
    found.is_some_and(|found| found.key_count() > 0)
}

/// Whether all these channels are muted entirely; false if there are none.
pub fn are_muted(scene: &Scene, channels: &[ChannelRef]) -> bool {
    let is_muted = |channel: &ChannelRef| {
        let mute = scene.animation.mute(&channel.resource, &channel.channel);
        mute.is_whole()
    };
    !channels.is_empty() && channels.iter().all(is_muted)
}

/// Returns the command that mutes channels with keys, or unmutes them if all are muted.
pub fn toggled_mute(scene: &Scene, channels: Vec<ChannelRef>) -> KeyCommand {
    KeyCommand::Mute { muted: !are_muted(scene, &channels), components: [true; 3], channels }
}

/// Returns every channel with keys, and all its keys.
pub fn all_keys(scene: &Scene) -> Vec<ChannelKeys> {
    let all = scene.animation.channels.iter();
    let keys = all.flat_map(|(resource, channels)| {
        channels.iter().map(move |(name, channel)| ChannelKeys {
            channel: ChannelRef::new(resource, name),
            frames: channel.times(),
        })
    });
    keys.filter(|keys| !keys.frames.is_empty()).collect()
}

/// Returns the given keys with their values; keys that do not exist are left out.
pub fn copy(scene: &Scene, keys: &[ChannelKeys]) -> Vec<KeyframeValues> {
    let copied = keys.iter().filter_map(|ChannelKeys { channel, frames }| {
        let found = scene.animation.get(channel)?;
        let keys = frames.iter();
        let keys = keys.filter_map(|&frame| Some(((frame, found.key(frame)?), found.key_shape(frame)?)));
        let (knots, modes): (Vec<_>, Vec<_>) = keys.unzip();
        let channel = channel.clone();
        (!knots.is_empty()).then_some(KeyframeValues { channel, knots, modes })
    });
    copied.collect()
}

/// Returns the command that pastes copied keys with the first of them at `frame`, into the active layer of a character if they
/// are the character's own; `None` if no key remains.
/// Also returns the channels that the scene no longer has (or has with another type), whose keys are left
/// out.
pub fn paste(scene: &Scene, copied: &[KeyframeValues], frame: f32) -> (Option<KeyCommand>, Vec<ChannelRef>) {
    let times = copied.iter().flat_map(|curve| curve.knots.iter().map(|knot| knot.0));
    let first = times.reduce(f32::min).unwrap_or(0.0);
    let (mut command, left_out) = place(scene, copied, Purpose::Paste, |time| frame + (time - first));
    if let Some(KeyCommand::Put { knots, .. }) = &mut command {
        *knots = std::mem::take(knots).into_iter().map(|values| in_active_layer(scene, values)).collect();
    }
    (command, left_out)
}

/// Returns the command that inserts copies of keys `offset` frames later.
pub fn duplicate(scene: &Scene, keys: &[ChannelKeys], offset: f32) -> Option<KeyCommand> {
    place(scene, &copy(scene, keys), Purpose::Duplicate, |time| time + offset).0
}

fn place(
    scene: &Scene,
    copied: &[KeyframeValues],
    purpose: Purpose,
    to: impl Fn(f32) -> f32,
) -> (Option<KeyCommand>, Vec<ChannelRef>) {
    let fits = |curve: &&KeyframeValues| {
        let stored = channels::value(scene, &curve.channel);
        let mut values = curve.knots.iter().map(|knot| &knot.1);
        stored.is_some_and(|stored| values.all(|value| value.type_name() == stored.type_name()))
    };
    let (good, bad): (Vec<_>, Vec<_>) = copied.iter().partition(fits);
    let knots: Vec<_> = good
        .into_iter()
        .map(|curve| KeyframeValues {
            channel: curve.channel.clone(),
            knots: curve.knots.iter().map(|&(time, value)| (to(time), value)).collect(),
            modes: curve.modes.clone(),
        })
        .collect();
    let command = (!knots.is_empty()).then_some(KeyCommand::Put { purpose, knots });
    (command, bad.into_iter().map(|curve| curve.channel.clone()).collect())
}
