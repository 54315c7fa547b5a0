//! Which channels Insert keyframe and auto-key write.

use super::keying::{of_character, of_selection};
use super::selection::Selection;
use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::anim::channel_set::ChannelSet;
use crate::scene::Scene;
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyingSet {
    /// What is selected; auto-key writes what was changed.
    #[default]
    Selection,
    /// The base, all bones and all handles of the character that is selected or changed.
    Character,
    /// Rotations of bones alone.
    Rotations,
    /// The unkeyed changes of the selection, or all of them if nothing is selected.
    Changed,
}

impl KeyingSet {
    pub const ALL: [KeyingSet; 4] = [
        KeyingSet::Selection,
        KeyingSet::Character,
        KeyingSet::Rotations,
        KeyingSet::Changed,
    ];

    /// A word for its chip.
    pub fn text(self) -> &'static str {
        match self {
            KeyingSet::Selection => "Selection",
            KeyingSet::Character => "Character",
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
            KeyingSet::Rotations => changed.retain(|channel| is_rotation(scene, channel)),
        }
        changed
    }
}

fn is_rotation(scene: &Scene, channel: &ChannelRef) -> bool {
    let of_bone = matches!(
        SkeletonChannel::parse(&channel.channel),
        Some(SkeletonChannel::BonePose(_))
    );
    of_bone && scene.skinned_meshes.contains_key(&channel.resource)
}
