//! Edits at a frame: what happens to values that keys drive.
//!
//! What is seen at a frame is the scene with its channels driven there. A change of a value that has keys
//! would be driven away at the next look. So such a channel is *held*: the scene's own value counts at every
//! frame, until it is keyed or dismissed. With auto-key on it is keyed at the frame instead, in the same
//! undo step; where that is its first key, other frames stay as they were (see `first_keys`). Which values a
//! command changed is found by comparing scenes: commands know nothing of this.
//!
//! What is muted counts as if it had no keys: the scene's own value is changed, and nothing is keyed or held.
//! The scene's own values are otherwise not touched by what keys drive, so that they are there when keys are
//! muted.

use super::command::Command;
use super::command::keys::KeyCommand;
use super::first_keys::old_values;
use crate::anim::channel::{Animation, ChannelRef, Value};
use crate::anim::channel_set::ChannelSet;
use crate::scene::drive::{self, Driver};
use crate::scene::{Scene, channels};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The frame that is shown, and the channels that do not count at it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    pub frame: f32,
    /// Channels with keys whose values in the scene were changed and not keyed.
    pub held: Arc<ChannelSet>,
    /// What the scene stored for them before: it is stored again once they are keyed or dismissed.
    stored: Arc<Stored>,
}

/// Values by channel.
type Stored = BTreeMap<ChannelRef, Value>;

impl Moment {
    /// Nothing is held.
    pub fn at(frame: f32) -> Self {
        Self {
            frame,
            ..Self::default()
        }
    }

    /// The scene as it is seen: channels driven at the frame, but for those that are held. Commands are
    /// applied to this, so that they start from what the user saw.
    pub fn seen(&self, scene: &Scene) -> Scene {
        if scene.animation.channels.is_empty() {
            return scene.clone();
        }
        Driver::default().driven(scene, self.frame, &self.held)
    }

    /// After commands made `after` of what was `seen` of `before`: the scene, with keys for what changed if
    /// `auto_key` is on, and what is held now.
    pub fn after(&self, before: &Scene, seen: &Scene, mut after: Scene, auto_key: bool) -> (Scene, Moment) {
        let changed: Vec<ChannelRef> = channels::changed(seen, &after)
            .into_iter()
            .map(|(channel, _)| channel)
            .collect();
        let frame = after.animation.clip.clamp(self.frame);
        let to_key = changed.iter().filter(|channel| drives(seen, &after, channel));
        let channels: Vec<ChannelRef> = to_key.filter(|_| auto_key).cloned().collect();
        if !channels.is_empty() {
            // The channels are there and the frame is within the clip: it cannot fail.
            let _ = Command::Keys(KeyCommand::Set { channels, frame }).apply(&mut after);
        }
        if let Some(keys) = old_values(seen, &after, &changed, frame) {
            // The values were those of the same channels, which have keys.
            let _ = Command::Keys(keys).apply(&mut after);
        }
        let mut held = Arc::clone(&self.held);
        let renamed = only_new_name(&seen.animation, &after.animation).cloned();
        let now_called = |mut channel: ChannelRef| {
            let gone = !after.animation.channels.contains_key(&channel.resource);
            if let (true, Some(name)) = (gone, &renamed) {
                channel.resource = name.clone();
            }
            channel
        };
        let was_stored = self.stored.iter();
        let was_stored: Stored = was_stored
            .map(|(channel, value)| (now_called(channel.clone()), *value))
            .collect();
        let was_held = self.held.iter().map(now_called);
        let now: ChannelSet = was_held
            .filter(|channel| !is_settled(seen, &after, channel, frame, &changed))
            .chain(
                changed
                    .iter()
                    .filter(|channel| differs(&after, channel, frame))
                    .cloned(),
            )
            .collect();
        restore(before, &mut after, &now, &changed, &was_stored);
        let stored = now.iter().filter_map(|channel| {
            let was = was_stored.get(&channel).copied();
            let value = was.or_else(|| channels::value(before, &channel))?;
            Some((channel, value))
        });
        let stored: Stored = stored.collect();
        let stored = match stored == *self.stored {
            true => Arc::clone(&self.stored),
            false => Arc::new(stored),
        };
        if now != *held {
            held = Arc::new(now);
        }
        let moment = Moment { frame, held, stored };
        (after, moment)
    }

    /// The scene without what is held: it stores again what it did before.
    pub fn dismissed(&self, scene: &Scene) -> Scene {
        let mut dismissed = scene.clone();
        for (channel, was) in &*self.stored {
            if let Some(now) = channels::value(scene, channel) {
                // What is muted was not driven, and so not held.
                let mute = scene.animation.mute(&channel.resource, &channel.channel);
                let value = (channel.channel.as_str(), mute.blend(*was, now));
                drive::set(&mut dismissed, &channel.resource, &[value]);
            }
        }
        dismissed
    }
}

/// Whether of a value that was changed something is changed that its channel is not muted for.
fn drives(seen: &Scene, after: &Scene, channel: &ChannelRef) -> bool {
    let mute = after.animation.mute(&channel.resource, &channel.channel);
    let [old, new] = [seen, after].map(|scene| channels::value(scene, channel));
    mute.is_none() || old.zip(new).is_some_and(|(old, new)| mute.blend(new, old) != old)
}

/// Gives values that keys drive in both scenes back what `before` stored for them: `after` was made of what
/// was seen. But for those in `held`, and for what was changed while it was muted. What was held until now gets
/// back what was stored before that.
fn restore(
    before: &Scene,
    after: &mut Scene,
    held: &ChannelSet,
    changed: &[ChannelRef],
    was_stored: &Stored,
) {
    let animation = Arc::clone(&after.animation);
    let new_name = only_new_name(&before.animation, &animation);
    for (name, of) in &animation.channels {
        let old_name = match new_name == Some(name) {
            true => only_new_name(&animation, &before.animation),
            false => Some(name),
        };
        let Some((old_name, old_keys)) =
            old_name.and_then(|old| before.animation.channels.get_key_value(old))
        else {
            continue;
        };
        let stored = channels::values(before, old_name);
        let driven = of.keys().filter(|channel| {
            let had_keys = old_keys.get(*channel).is_some_and(|keys| keys.key_count() > 0);
            had_keys && !held.contains(name, channel)
        });
        let values: Vec<_> = driven
            .filter_map(|channel| {
                let mut value = *stored.get(channel)?;
                let this = ChannelRef::new(name, channel);
                let has_keys = of.get(channel).is_some_and(|keys| keys.key_count() > 0);
                if let Some(was) = was_stored.get(&this).filter(|_| has_keys) {
                    value = animation.mute(name, channel).blend(*was, value);
                }
                if changed.contains(&this) {
                    let mute = animation.mute(name, channel);
                    value = mute.blend(value, channels::value(after, &this)?);
                }
                Some((channel.as_str(), value))
            })
            .collect();
        drive::set(after, name, &values);
    }
}

/// Whether what was held is held no more: its channel has no keys or is muted, or value or keys were changed
/// and agree.
fn is_settled(seen: &Scene, after: &Scene, channel: &ChannelRef, frame: f32, changed: &[ChannelRef]) -> bool {
    let keys = after.animation.get(channel);
    let same_keys = match (seen.animation.get(channel), keys) {
        (Some(old), Some(new)) => Arc::ptr_eq(old, new),
        _ => false,
    };
    keys.is_none_or(|keys| keys.key_count() == 0)
        || after
            .animation
            .mute(&channel.resource, &channel.channel)
            .is_whole()
        || (!same_keys || changed.contains(channel)) && !differs(after, channel, frame)
}

/// Whether a channel drives its value at the frame to another than the scene's own.
fn differs(scene: &Scene, channel: &ChannelRef, frame: f32) -> bool {
    let (Some(stored), Some(keys)) = (channels::value(scene, channel), scene.animation.get(channel)) else {
        return false;
    };
    let mute = scene.animation.mute(&channel.resource, &channel.channel);
    let driven = keys.at(frame).map(|driven| mute.blend(driven, stored));
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
