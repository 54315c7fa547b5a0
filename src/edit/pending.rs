//! Edits at a frame: what happens to values that keys drive.
//!
//! What is seen at a frame is the scene with its channels driven there. A change of a value that has keys
//! would be driven away at the next look. So such a channel is *held*: the scene's own value counts at every
//! frame, until it is keyed or dismissed. With auto-key on it is keyed at the frame instead, in the same
//! undo step. Which values a command changed is found by comparing scenes: commands know nothing of this.

use super::command::Command;
use super::command::keys::KeyCommand;
use crate::anim::channel::{Animation, ChannelRef};
use crate::anim::channel_set::ChannelSet;
use crate::scene::drive::Driver;
use crate::scene::{Scene, channels};
use std::sync::Arc;

/// The frame that is shown, and the channels that do not count at it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    pub frame: f32,
    /// Channels with keys whose values in the scene were changed and not keyed.
    pub held: Arc<ChannelSet>,
}

impl Moment {
    /// The scene as it is seen: channels driven at the frame, but for those that are held. Commands are
    /// applied to this, so that they start from what the user saw.
    pub fn seen(&self, scene: &Scene) -> Scene {
        if scene.animation.channels.is_empty() {
            return scene.clone();
        }
        Driver::default().driven(scene, self.frame, &self.held)
    }

    /// After commands made `after` of [`Moment::seen`]: the scene, with keys for what changed if `auto_key`
    /// is on, and what is held now.
    pub fn after(&self, seen: &Scene, mut after: Scene, auto_key: bool) -> (Scene, Moment) {
        let changed: Vec<ChannelRef> = channels::changed(seen, &after)
            .into_iter()
            .map(|(channel, _)| channel)
            .collect();
        let frame = after.animation.clip.clamp(self.frame);
        if auto_key && !changed.is_empty() {
            let channels = changed.clone();
            // The channels are there and the frame is within the clip: it cannot fail.
            let _ = Command::Keys(KeyCommand::Set { channels, frame }).apply(&mut after);
        }
        let mut held = Arc::clone(&self.held);
        let renamed = only_new_name(&seen.animation, &after.animation);
        let was_held = self.held.iter().map(|mut channel| {
            let gone = !after.animation.channels.contains_key(&channel.resource);
            if let (true, Some(name)) = (gone, renamed) {
                channel.resource = name.clone();
            }
            channel
        });
        let now: ChannelSet = was_held
            .filter(|channel| !is_settled(seen, &after, channel, frame, &changed))
            .chain(
                changed
                    .iter()
                    .filter(|channel| differs(&after, channel, frame))
                    .cloned(),
            )
            .collect();
        if now != *held {
            held = Arc::new(now);
        }
        (after, Moment { frame, held })
    }
}

/// Whether what was held is held no more: its channel has no keys, or value or keys were changed and agree.
fn is_settled(seen: &Scene, after: &Scene, channel: &ChannelRef, frame: f32, changed: &[ChannelRef]) -> bool {
    let keys = after.animation.get(channel);
    let same_keys = match (seen.animation.get(channel), keys) {
        (Some(old), Some(new)) => Arc::ptr_eq(old, new),
        _ => false,
    };
    keys.is_none_or(|keys| keys.key_count() == 0)
        || (!same_keys || changed.contains(channel)) && !differs(after, channel, frame)
}

/// Whether a channel drives its value at the frame to another than the scene's own.
fn differs(scene: &Scene, channel: &ChannelRef, frame: f32) -> bool {
    let (Some(stored), Some(keys)) = (channels::value(scene, channel), scene.animation.get(channel)) else {
        return false;
    };
    let driven = keys.at(frame);
    driven.is_some_and(|driven| driven.type_name() == stored.type_name() && driven != stored)
}

/// The name that has channels in `new` and had none in `old`, if it is one: after a rename.
fn only_new_name<'a>(old: &Animation, new: &'a Animation) -> Option<&'a String> {
    let mut names = new
        .channels
        .keys()
        .filter(|name| !old.channels.contains_key(*name));
    let first = names.next();
    first.filter(|_| names.next().is_none())
}
