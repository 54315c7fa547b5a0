//! The selected handles, and their values for the property rows.

use super::Page;
use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::editor::ui::mixed_value::MixedValue;
use crate::rig::property::Property;
use crate::rig::skeleton::{Handle, Skeleton};

/// The selected handles.
pub(super) struct SelectedHandles<'a> {
    pub(super) mesh: &'a str,
    pub(super) skeleton: &'a Skeleton,
    /// The skeleton before the current drag.
    before: &'a Skeleton,
    pub(super) handles: Vec<usize>,
    /// The position of the active handle in `handles`.
    pub(super) active: usize,
}

impl<'a> SelectedHandles<'a> {
    pub(super) fn new(page: &Page<'a, '_>, active: usize) -> Self {
        let (mesh, skeleton) = (page.mesh, &*page.skinned.skeleton);
        let session = page.view.session;
        let mut handles = session.selection().handles();
        handles.retain(|handle| *handle < skeleton.handles.len());
        if !handles.contains(&active) {
            handles = vec![active];
        }
        let before = session.animated_before().skinned_meshes.get(mesh);
        let before = before.map_or(skeleton, |skinned| &*skinned.skeleton);
        Self {
            mesh,
            skeleton,
            before: if before.handles.len() == skeleton.handles.len() { before } else { skeleton },
            active: handles.iter().position(|handle| *handle == active).unwrap_or(0),
            handles,
        }
    }

    pub(super) fn values<T>(&self, value: impl Fn(&Skeleton, &Handle) -> T) -> MixedValue<T> {
        let values = |skeleton: &Skeleton| {
            self.handles.iter().map(|handle| value(skeleton, &skeleton.handles[*handle])).collect()
        };
        MixedValue { current: values(self.skeleton), before: values(self.before), active: self.active }
    }

    pub(super) fn channels(&self, row: &'static Property<Handle>) -> Vec<ChannelRef> {
        let ids = self.handles.iter().map(|handle| self.skeleton.handles[*handle].channel_id);
        ids.map(|id| ChannelRef::new(self.mesh, SkeletonChannel::Handle(id, row))).collect()
    }
}
