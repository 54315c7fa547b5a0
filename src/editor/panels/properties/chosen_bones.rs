//! The bones that the page is about, and their values.

use super::Page;
use crate::editor::ui::mixed_value::MixedValue;
use crate::editor::ui::number::MIXED;
use crate::rig::kinematics::parent_past_links;
use crate::rig::skeleton::{Bone, Skeleton};

/// The selected bones, the active one known by its place among them.
pub(super) struct Chosen<'a> {
    pub(super) bones: Vec<usize>,
    pub(super) active: usize,
    pub(super) now: &'a Skeleton,
    /// Before the drag under way.
    pub(super) before: &'a Skeleton,
}

impl<'a> Chosen<'a> {
    pub(super) fn new(page: &Page<'a, '_>, at: usize) -> Self {
        let now = &*page.skinned.skeleton;
        let session = page.view.session;
        let mut bones = session.selection().bones();
        bones.retain(|bone| *bone < now.bones.len());
        if !bones.contains(&at) {
            bones = vec![at];
        }
        let before = session.animated_before().skinned_meshes.get(page.mesh);
        let before = before.map_or(now, |skinned| &*skinned.skeleton);
        Self {
            active: bones.iter().position(|bone| *bone == at).unwrap_or(0),
            bones,
            now,
            before: if before.bones.len() == now.bones.len() {
                before
            } else {
                now
            },
        }
    }

    pub(super) fn values<T>(&self, of: impl Fn(&Bone) -> T) -> MixedValue<T> {
        let values = |skeleton: &Skeleton| self.bones.iter().map(|b| of(&skeleton.bones[*b])).collect();
        MixedValue {
            now: values(self.now),
            before: values(self.before),
            active: self.active,
        }
    }

    pub(super) fn parent(&self) -> String {
        let parent = |bone: &usize| parent_past_links(self.now, *bone);
        let first = parent(&self.bones[0]);
        match first {
            _ if self.bones.iter().any(|bone| parent(bone) != first) => MIXED.into(),
            Some(parent) => self.now.bone_name(parent),
            None => "None, starts at the base".into(),
        }
    }
}
