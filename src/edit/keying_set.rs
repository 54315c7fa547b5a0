//! Which channels Insert keyframe and auto-key write.

use super::keying::{of_character, of_part, of_selection};
use super::selection::{Part, Selection};
use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::anim::channel_set::ChannelSet;
use crate::rig::edits::body_part::body_parts;
use crate::scene::Scene;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyingSet {
    /// What is selected; auto-key writes what was changed.
    #[default]
    Selection,
    /// The base, all bones and all handles of the character that is selected or changed.
    Character,
    /// All bones and handles of the limbs, or of the trunk, that is selected or changed.
    BodyPart,
    /// Rotations of bones alone.
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

    /// A word for its chip.
    pub fn text(self) -> &'static str {
        match self {
            KeyingSet::Selection => "Selection",
            KeyingSet::Character => "Character",
            KeyingSet::BodyPart => "Body part",
            KeyingSet::Rotations => "Rotations",
            KeyingSet::Changed => "Changed",
        }
    }

    /// What Insert keyframe writes of a scene as it is seen.
    pub fn inserted(self, scene: &Scene, selection: &Selection, unkeyed: &ChannelSet) -> Vec<ChannelRef> {
        let mut selected = of_selection(scene, selection);
        match self {
            KeyingSet::Selection => {}
            KeyingSet::Character => {
                if let Some(mesh) = &selection.mesh {
                    selected = of_character(scene, mesh);
                }
            }
            KeyingSet::BodyPart => add_body_parts(scene, &mut selected),
            KeyingSet::Rotations => selected.retain(|channel| is_rotation(scene, channel)),
            KeyingSet::Changed => match selection.is_empty() {
                true => selected = unkeyed.iter().collect(),
                false => selected.retain(|of| unkeyed.contains(&of.resource, &of.channel)),
            },
        }
        selected
    }

    /// What auto-key writes where these channels were changed.
    pub(super) fn auto_keyed(self, scene: &Scene, mut changed: Vec<ChannelRef>) -> Vec<ChannelRef> {
        match self {
            KeyingSet::Selection | KeyingSet::Changed => {}
            KeyingSet::Character => {
                let characters: BTreeSet<String> =
                    changed.iter().map(|channel| channel.resource.clone()).collect();
                let whole = characters.iter().flat_map(|name| of_character(scene, name));
                let mut whole: Vec<ChannelRef> = whole
                    .filter(|of| !scene.animation.mute(&of.resource, &of.channel).is_whole())
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

/// Adds all channels of the body parts that `channels` speak of, but those that are muted.
fn add_body_parts(scene: &Scene, channels: &mut Vec<ChannelRef>) {
    let mut bones: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for of in channels.iter() {
        let Some((mesh, skinned)) = scene.skinned_meshes.get_key_value(&of.resource) else {
            continue;
        };
        let skeleton = &skinned.skeleton;
        let bone = match SkeletonChannel::parse(&of.channel) {
            Some(SkeletonChannel::BonePose(id)) => skeleton.bones.iter().position(|b| b.channel_id == id),
            Some(SkeletonChannel::Handle(id, _)) => {
                let handle = skeleton.handles.iter().find(|handle| handle.channel_id == id);
                handle.map(|handle| handle.bone as usize)
            }
            Some(SkeletonChannel::BaseOffset) | None => None,
        };
        bones.entry(mesh).or_default().extend(bone);
    }
    let mut whole = Vec::new();
    for (mesh, bones) in bones {
        let skeleton = &scene.skinned_meshes[mesh].skeleton;
        let inside = body_parts(skeleton, &bones);
        let is_inside = |bone: usize| inside.get(bone) == Some(&true);
        let bones = skeleton
            .shown_bones()
            .filter(|&bone| is_inside(bone))
            .map(Part::Bone);
        let handles = skeleton.handles.iter().enumerate();
        let handles = handles.filter(|(_, handle)| is_inside(handle.bone as usize));
        let parts = bones.chain(handles.map(|(handle, _)| Part::Handle(handle)));
        whole.extend(parts.flat_map(|part| of_part(mesh, skeleton, part)));
    }
    let is_new = |of: &ChannelRef| {
        !channels.contains(of) && !scene.animation.mute(&of.resource, &of.channel).is_whole()
    };
    whole.retain(is_new);
    channels.append(&mut whole);
}

fn is_rotation(scene: &Scene, channel: &ChannelRef) -> bool {
    let of_bone = matches!(
        SkeletonChannel::parse(&channel.channel),
        Some(SkeletonChannel::BonePose(_))
    );
    of_bone && scene.skinned_meshes.contains_key(&channel.resource)
}
