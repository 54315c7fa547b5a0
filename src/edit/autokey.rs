//! Edits at a frame: what happens to values that keys drive.
//!
//! What is seen at a frame is the scene with its channels driven there: the animated scene. A change of a value that
//! has keys would be driven away at the next frame. So such a channel is *unkeyed*: the scene's own value counts at
//! every frame, until it is keyed or dismissed. With auto-key on it is keyed at the frame instead, in the same
//! undo step; where that is its first key, other frames stay as they were (see `first_keys`). Which values were
//! changed is said by the effects of the commands, which know nothing of this.
//!
//! What is muted counts as if it had no keys: the scene's own value is changed, and nothing is keyed or unkeyed.
//! The scene's own values are otherwise not touched by what keys drive, so that they are there when keys are
//! muted.

use super::command::Command;
use super::command::effects::Effects;
use super::command::keys::KeyCommand;
use super::first_keys::old_values;
use super::keying::{has_keys, of_part};
use super::keying_set::KeyingSet;
use super::selection::Part;
use crate::anim::channel::{Channel, ChannelRef, Value};
use crate::anim::channel_set::ChannelSet;
use crate::scene::apply_animation::{self, Driver};
use crate::scene::{Scene, channels};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The frame that is shown, and the channels that do not count at it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeState {
    pub frame: f32,
    /// Channels with keys whose values in the scene were changed and not keyed.
    pub unkeyed: Arc<ChannelSet>,
    /// What the scene stored for them before: it is stored again once they are keyed or dismissed.
    stored: Arc<Stored>,
}

/// Values by channel.
type Stored = BTreeMap<ChannelRef, Value>;

impl TimeState {
    /// Nothing is unkeyed.
    pub fn at(frame: f32) -> Self {
        Self {
            frame,
            ..Self::default()
        }
    }

    /// The scene as it is seen: channels driven at the frame, except for those that are unkeyed. Commands are
    /// applied to this, so that they start from what the user saw.
    pub fn animated(&self, scene: &Scene, driver: &mut Driver) -> Scene {
        match scene.animation.channels.is_empty() {
            true => scene.clone(),
            false => driver.driven(scene, self.frame, &self.unkeyed),
        }
    }

    /// After commands with `effects` made `after` of what was `animated` of `before`: the scene, with keys for what
    /// changed if `auto_key` is on, of its channels, and what is unkeyed now. Adds the keys to the effects.
    pub fn after(
        &self,
        before: &Scene,
        animated: &Scene,
        mut after: Scene,
        effects: &mut Effects,
        auto_key: Option<KeyingSet>,
    ) -> (Scene, TimeState) {
        let changed = effects.changed_values(animated, &after);
        let frame = after.animation.clip.clamp(self.frame);
        let pins = auto_key.map_or(Vec::new(), |_| of_new_pins(animated, &after, effects));
        let mut put = |keys: KeyCommand, after: &mut Scene| {
            // The channels are there and the frame is within the clip: it cannot fail.
            if let Ok(done) = Command::Keys(keys).apply(after) {
                effects.keys.extend(done.keys.iter());
            }
        };
        let to_key = changed.iter().filter(|channel| drives(animated, &after, channel));
        let mut channels = match (auto_key, to_key.cloned().collect::<Vec<_>>()) {
            (Some(set), channels) if !channels.is_empty() => set.auto_keyed(&after, channels),
            _ => Vec::new(),
        };
        channels.extend(pins);
        if !channels.is_empty() {
            put(KeyCommand::Set { channels, frame }, &mut after);
        }
        if let Some(keys) = old_values(animated, &after, &changed, frame) {
            put(keys, &mut after);
        }
        let now_called = |channel: ChannelRef| match after.animation.get(&channel) {
            Some(_) => channel,
            None => ChannelRef::new(effects.new_name(&channel.resource), channel.channel),
        };
        let was_stored = self.stored.iter();
        let was_stored: Stored = was_stored
            .map(|(channel, value)| (now_called(channel.clone()), *value))
            .collect();
        let settled = |channel: &ChannelRef| {
            let touched =
                effects.keys.contains(&channel.resource, &channel.channel) || changed.contains(channel);
            !counts(&after, channel) || touched && !differs(&after, channel, frame)
        };
        let unkeyed = self.unkeyed.iter().map(now_called);
        let mut unkeyed: ChannelSet = unkeyed.filter(|channel| !settled(channel)).collect();
        let new = changed.iter().filter(|channel| differs(&after, channel, frame));
        unkeyed.extend(new.cloned());
        restore(before, &mut after, &unkeyed, &changed, &was_stored, effects);
        let stored = unkeyed.iter().filter_map(|channel| {
            let was = was_stored.get(&channel).copied();
            let value = was.or_else(|| channels::value(before, &channel))?;
            Some((channel, value))
        });
        let time = TimeState {
            frame,
            stored: shared(&self.stored, stored.collect()),
            unkeyed: shared(&self.unkeyed, unkeyed),
        };
        (after, time)
    }

    /// The scene without what is unkeyed: it stores again what it did before.
    pub fn dismissed(&self, scene: &Scene) -> Scene {
        let mut dismissed = scene.clone();
        for (channel, was) in &*self.stored {
            if let Some(now) = channels::value(scene, channel) {
                // What is muted was not driven, and so not unkeyed.
                let mute = scene.animation.mute(&channel.resource, &channel.channel);
                let value = (channel.channel.as_str(), mute.blend(*was, now));
                apply_animation::set(&mut dismissed, &channel.resource, &[value]);
            }
        }
        dismissed
    }
}

/// Channels of the pins that were made, where none of them has keys: a pin is part of the pose.
fn of_new_pins(before: &Scene, after: &Scene, effects: &Effects) -> Vec<ChannelRef> {
    let meshes: BTreeSet<&String> = effects.parts.iter().map(|parts| &parts.mesh).collect();
    let mut found = Vec::new();
    for (mesh, skinned) in meshes
        .iter()
        .filter_map(|mesh| Some((*mesh, after.skinned_meshes.get(*mesh)?)))
    {
        let skeleton = &skinned.skeleton;
        let old = before.skinned_meshes.get(effects.old_name(mesh));
        let was_there = |id: u32| {
            let mut old = old.iter().flat_map(|old| &old.skeleton.handles);
            old.any(|handle| handle.channel_id == id)
        };
        for (at, handle) in skeleton.handles.iter().enumerate() {
            if handle.pinned && !was_there(handle.channel_id) {
                let channels = of_part(mesh, skeleton, Part::Handle(at));
                if !channels.iter().any(|channel| has_keys(after, channel)) {
                    found.extend(channels);
                }
            }
        }
    }
    found
}

/// `new`, or the old value where it is the same.
fn shared<T: PartialEq>(old: &Arc<T>, new: T) -> Arc<T> {
    match **old == new {
        true => Arc::clone(old),
        false => Arc::new(new),
    }
}

/// Whether of a value that was changed something is changed that its channel is not muted for.
fn drives(animated: &Scene, after: &Scene, channel: &ChannelRef) -> bool {
    let mute = after.animation.mute(&channel.resource, &channel.channel);
    let [old, new] = [animated, after].map(|scene| channels::value(scene, channel));
    mute.is_none() || old.zip(new).is_some_and(|(old, new)| mute.blend(new, old) != old)
}

/// Gives values that keys drive in both scenes back what `before` stored for them: `after` was made of what
/// was animated. But for those that are `unkeyed`, and for what was changed while it was muted. What was unkeyed until
/// now gets back what was stored before that.
fn restore(
    before: &Scene,
    after: &mut Scene,
    unkeyed: &ChannelSet,
    changed: &[ChannelRef],
    was_stored: &Stored,
    effects: &Effects,
) {
    let animation = Arc::clone(&after.animation);
    let has_keys = |keys: Option<&Arc<Channel>>| keys.is_some_and(|keys| keys.key_count() > 0);
    for (name, of) in &animation.channels {
        let old_name = effects.old_name(name);
        let Some(old_keys) = before.animation.channels.get(old_name) else {
            continue;
        };
        let driven = of
            .keys()
            .filter(|channel| has_keys(old_keys.get(*channel)) && !unkeyed.contains(name, channel));
        let values: Vec<_> = driven
            .filter_map(|channel| {
                let mut value = channels::value_of(before, old_name, channel)?;
                let this = || ChannelRef::new(name, channel);
                let was = (!was_stored.is_empty())
                    .then(|| was_stored.get(&this()))
                    .flatten();
                if let Some(was) = was.filter(|_| has_keys(of.get(channel))) {
                    value = animation.mute(name, channel).blend(*was, value);
                }
                if changed
                    .iter()
                    .any(|of| of.resource == *name && of.channel == *channel)
                {
                    let mute = animation.mute(name, channel);
                    value = mute.blend(value, channels::value(after, &this())?);
                }
                Some((channel.as_str(), value))
            })
            .collect();
        apply_animation::set(after, name, &values);
    }
}

/// Whether a channel has keys, and is not muted as a whole.
fn counts(scene: &Scene, channel: &ChannelRef) -> bool {
    let keys = scene.animation.get(channel);
    let mute = scene.animation.mute(&channel.resource, &channel.channel);
    keys.is_some_and(|keys| keys.key_count() > 0) && !mute.is_whole()
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
