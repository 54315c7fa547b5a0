//! The handles that the page is about, and their values.

use super::Page;
use crate::anim::channel::ChannelRef;
use crate::anim::handle_channel::HandleChannel;
use crate::editor::ui::mixed_value::MixedValue;
use crate::rig::skeleton::{Handle, Skeleton};

/// The handles that the page is about.
pub(super) struct Chosen<'a> {
    pub(super) mesh: &'a str,
    pub(super) skeleton: &'a Skeleton,
    /// As they were before a drag under way.
    before: &'a Skeleton,
    pub(super) handles: Vec<usize>,
    /// Which of them is the active one.
    pub(super) active: usize,
}

impl<'a> Chosen<'a> {
    pub(super) fn new(page: &Page<'a, '_>, at: usize) -> Self {
        let (mesh, skeleton) = (page.mesh, &*page.skinned.skeleton);
        let session = page.view.session;
        let mut handles = session.selection().handles();
        handles.retain(|handle| *handle < skeleton.handles.len());
        if !handles.contains(&at) {
            handles = vec![at];
        }
        let before = session.animated_before().skinned_meshes.get(mesh);
        Self {
            mesh,
            skeleton,
            before: before.map_or(skeleton, |skinned| &skinned.skeleton),
            active: handles.iter().position(|handle| *handle == at).unwrap_or(0),
            handles,
        }
    }

    pub(super) fn several<T>(&self, of: impl Fn(&Skeleton, &Handle) -> T) -> MixedValue<T> {
        let values = |skeleton: &Skeleton| {
            let found = self.handles.iter().filter_map(|at| skeleton.handles.get(*at));
            found.map(|handle| of(skeleton, handle)).collect()
        };
        MixedValue {
            now: values(self.skeleton),
            before: values(self.before),
            active: self.active,
        }
    }

    pub(super) fn channels(&self, channel: HandleChannel) -> Vec<ChannelRef> {
        let ids = self
            .handles
            .iter()
            .map(|at| self.skeleton.handles[*at].channel_id);
        ids.map(|id| ChannelRef::new(self.mesh, channel.of_handle(id)))
            .collect()
    }
}
