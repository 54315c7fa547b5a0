//! The selected bones, and their values for the property rows.

use super::Page;
use crate::editor::ui::mixed_value::MixedValue;
use crate::editor::ui::number::MIXED;
use crate::rig::kinematics::parent_past_links;
use crate::rig::skeleton::{Bone, Skeleton};

/// The selected bones.
pub(super) struct SelectedBones<'a> {
    pub(super) bones: Vec<usize>,
    /// The position of the active bone in `bones`.
    pub(super) active: usize,
    pub(super) skeleton: &'a Skeleton,
    /// The skeleton before the current drag.
    pub(super) before: &'a Skeleton,
}

impl<'a> SelectedBones<'a> {
    pub(super) fn new(page: &Page<'a, '_>, active: usize) -> Self {
        let skeleton = &*page.skinned.skeleton;
        let session = page.view.session;
        let mut bones = session.selection().bones();
        bones.retain(|bone| *bone < skeleton.bones.len());
        if !bones.contains(&active) {
            bones = vec![active];
        }
        let before = session.animated_before().skinned_meshes.get(page.mesh);
        let before = before.map_or(skeleton, |skinned| &*skinned.skeleton);
        Self {
            active: bones.iter().position(|bone| *bone == active).unwrap_or(0),
            bones,
            skeleton,
            before: if before.bones.len() == skeleton.bones.len() { before } else { skeleton },
        }
    }

    pub(super) fn values<T>(&self, value: impl Fn(&Bone) -> T) -> MixedValue<T> {
        let values = |skeleton: &Skeleton| self.bones.iter().map(|b| value(&skeleton.bones[*b])).collect();
        MixedValue { current: values(self.skeleton), before: values(self.before), active: self.active }
    }

    pub(super) fn parent(&self) -> String {
        let parent = |bone: &usize| parent_past_links(self.skeleton, *bone);
        let first = parent(&self.bones[0]);
        match first {
            _ if self.bones.iter().any(|bone| parent(bone) != first) => MIXED.into(),
            Some(parent) => self.skeleton.bone_name(parent),
            None => "None, starts at the base".into(),
        }
    }
}
