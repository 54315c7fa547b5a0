//! Keying sets: the channels that Insert keyframe and auto-key write.

use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::anim::channel_set::ChannelSet;
use crate::edit::select::selection::{Part, Selection};
use crate::edit::time::keying::{character_channels, part_channels, selection_channels};
use crate::rig::body::parts::body_parts;
use crate::rig::property::POSE;
use crate::scene::Scene;
use std::collections::{BTreeMap, BTreeSet};

/// A set of channels to key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyingSet {
    /// The selection and unkeyed changes; auto-key writes the channels that changed.
    #[default]
    Selection,
    /// The base, all bones and all handles of the selected or changed character.
    Character,
    /// All bones and handles of the selected or changed limbs, or of the trunk.
    BodyPart,
    /// Only rotations of bones.
    Rotations,
    /// The unkeyed changes of the selection, or all of them if nothing is selected.
    Changed,
}

impl KeyingSet {
    pub const ALL: [KeyingSet; 5] = [
        KeyingSet::Selection,
        KeyingSet::Character,
        KeyingSet::BodyPart,
        KeyingSet::Rotations,
        KeyingSet::Changed,
    ];

    /// Returns the label of its chip.
    pub fn text(self) -> &'static str {
        match self {
            KeyingSet::Selection => "Selection",
            KeyingSet::Character => "Character",
            KeyingSet::BodyPart => "Body part",
            KeyingSet::Rotations => "Rotations",
            KeyingSet::Changed => "Changed",
        }
    }

    /// Returns the channels that Insert keyframe writes in an animated scene: those of the selection, and those that auto-key
    /// would have written when the `changes` were made.
    pub fn channels_to_insert(
        self,
        scene: &Scene,
        selection: &Selection,
        changes: &ChannelSet,
    ) -> Vec<ChannelRef> {
        let mut selected = selection_channels(scene, selection);
        match self {
            KeyingSet::Selection => {}
            KeyingSet::Character => {
                if let Some(mesh) = &selection.mesh {
                    selected = character_channels(scene, mesh);
                }
            }
            KeyingSet::BodyPart => add_body_parts(scene, &mut selected),
            KeyingSet::Rotations => selected.retain(|channel| is_rotation(scene, channel)),
            KeyingSet::Changed => {
                if selection.is_empty() {
                    selected = changes.iter().collect()
                } else {
                    selected.retain(|channel| changes.contains(&channel.resource, &channel.channel))
                }
                return selected;
            }
        }
        let mut changed = self.channels_to_auto_key(scene, changes.iter().collect());
        changed.retain(|channel| !selected.contains(channel));
        selected.extend(changed);
        selected
    }

    /// Returns the channels that auto-key writes after these channels changed.
    pub(in crate::edit) fn channels_to_auto_key(
        self,
        scene: &Scene,
        mut changed: Vec<ChannelRef>,
    ) -> Vec<ChannelRef> {
        match self {
            KeyingSet::Selection | KeyingSet::Changed => {}
            KeyingSet::Character => {
                let characters: BTreeSet<String> =
                    changed.iter().map(|channel| channel.resource.clone()).collect();
                let whole = characters.iter().flat_map(|name| character_channels(scene, name));
                let mut whole: Vec<ChannelRef> = whole
                    .filter(|channel| !scene.animation.mute(&channel.resource, &channel.channel).is_whole())
                    .collect();
                changed.retain(|channel| !whole.contains(channel));
                changed.append(&mut whole);
            }
            KeyingSet::BodyPart => add_body_parts(scene, &mut changed),
            KeyingSet::Rotations => changed.retain(|channel| is_rotation(scene, channel)),
        }
        changed
    }
}

/// Adds all channels of the body parts that `channels` belong to, except muted ones.
fn add_body_parts(scene: &Scene, channels: &mut Vec<ChannelRef>) {
    let mut bones: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for channel in channels.iter() {
        let Some((mesh, skinned)) = scene.skinned_meshes.get_key_value(&channel.resource) else {
            continue;
        };
        let skeleton = &skinned.skeleton;
        let part = SkeletonChannel::parse(&channel.channel).and_then(|channel| channel.part(skeleton, 0));
        let bone = match part {
            Some(Part::Bone(bone)) => Some(bone),
            Some(Part::Handle(handle) | Part::Pole(handle)) => Some(skeleton.handles[handle].bone as usize),
            Some(Part::Base | Part::Shape(_)) | None => None,
        };
        bones.entry(mesh).or_default().extend(bone);
    }
    let mut whole = Vec::new();
    for (mesh, bones) in bones {
        let skeleton = &scene.skinned_meshes[mesh].skeleton;
        let inside = body_parts(skeleton, &bones);
        let is_inside = |bone: usize| inside.get(bone) == Some(&true);
        let bones = skeleton.shown_bones().filter(|&bone| is_inside(bone)).map(Part::Bone);
        let handles = skeleton.handles.iter().enumerate();
        let handles = handles.filter(|(_, handle)| is_inside(handle.bone as usize));
        let parts = bones.chain(handles.map(|(handle, _)| Part::Handle(handle)));
        whole.extend(parts.flat_map(|part| part_channels(mesh, skeleton, part)));
    }
    let is_new = |channel: &ChannelRef| {
        let mute = scene.animation.mute(&channel.resource, &channel.channel);
        !channels.contains(channel) && !mute.is_whole()
    };
    whole.retain(is_new);
    channels.append(&mut whole);
}

fn is_rotation(scene: &Scene, channel: &ChannelRef) -> bool {
    let parsed = SkeletonChannel::parse(&channel.channel);
    let is_pose = matches!(parsed, Some(SkeletonChannel::Bone(_, row)) if row.info.id == POSE.info.id);
    is_pose && scene.skinned_meshes.contains_key(&channel.resource)
}
