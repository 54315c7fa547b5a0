//! Edits at a frame, and their effect on values that keys drive.
//!
//! At a frame, users see the animated scene: the scene with its channels applied. At the next frame, keys
//! would override any change of a keyed value. The channel of such a value is therefore *unkeyed*: the
//! scene's own value applies at every frame, until it is keyed or dismissed. With auto-key on, it is keyed at
//! the frame instead, in the same undo step; if that is its first key, other frames stay the same (see
//! `first_keys`). The effects of the commands report which values changed; the commands themselves know
//! nothing about keys.
//!
//! A muted channel counts as having no keys: the scene's own value is changed, and nothing is keyed or
//! unkeyed. Apart from that, keys do not affect the scene's own values, so that they are available when keys
//! are muted.

use crate::anim::channel::{Animation, Channel, ChannelRef, Value};
use crate::anim::channel_set::ChannelSet;
use crate::anim::layer::base_name;
use crate::anim::layer_blend::is_near;
use crate::anim::mode::Mode;
use crate::edit::command::Command;
use crate::edit::command::effects::Effects;
use crate::edit::command::keys::KeyCommand;
use crate::edit::select::selection::Part;
use crate::edit::session::first_keys::keys_of_old_values;
use crate::edit::time::keying::{has_keys, part_channels};
use crate::edit::time::keying_set::KeyingSet;
use crate::edit::time::layer_keys;
use crate::scene::apply_animation::{self, Animator};
use crate::scene::layers::writable_channel;
use crate::scene::{Scene, channels, layers};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The current frame, and the channels that are ignored at it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeState {
    pub frame: f32,
    /// Channels with keys whose values in the scene were changed but not keyed.
    pub unkeyed: Arc<ChannelSet>,
    /// The values that the scene stored for them before, which are restored once they are keyed or dismissed.
    stored: Arc<Stored>,
}

/// Values by channel.
type Stored = BTreeMap<ChannelRef, Value>;

impl TimeState {
    /// Returns the state at a frame without unkeyed changes.
    pub fn new(frame: f32) -> Self {
        Self { frame, ..Self::default() }
    }

    /// Returns the animated scene: channels applied at the frame, except unkeyed ones. Commands are applied
    /// to this scene, so that they start from what the user sees.
    pub fn animated(&self, scene: &Scene, animator: &mut Animator) -> Scene {
        if scene.animation.channels.is_empty() {
            scene.clone()
        } else {
            animator.animate(scene, self.frame, &self.unkeyed)
        }
    }

    /// Returns the scene and the time state after commands: commands with `effects` turned `animated` (the
    /// animated scene of `before`) into `after`. The returned scene has keys for the changes if `auto_key` is
    /// on. Adds these keys to the effects.
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
        let pins = auto_key.map_or(Vec::new(), |_| channels_of_new_pins(animated, &after, effects));
        // What the scene stores for channels with keys or layers; without layers, no other value counts.
        let unlayered =
            if after.animation.layers.is_empty() { animated.clone() } else { self.dismissed(before) };
        let mut apply_keys = |keys: KeyCommand, after: &mut Scene| {
            let command = Command::Keys(keys);
            for command in layer_keys::resolved(&command, &unlayered, after).iter() {
                // This cannot fail: the channels exist and the frame is within the clip.
                if let Ok(done) = command.apply(after) {
                    effects.keys.extend(done.keys.iter());
                }
            }
        };
        let to_key = changed.iter().filter(|channel| drives(animated, &after, channel));
        let mut channels = match (auto_key, to_key.cloned().collect::<Vec<_>>()) {
            (Some(set), channels) if !channels.is_empty() => set.channels_to_auto_key(&after, channels),
            _ => Vec::new(),
        };
        channels.extend(pins);
        if !channels.is_empty() {
            apply_keys(KeyCommand::Set { channels, frame, new_mode: Mode::Clamped }, &mut after);
        }
        if let Some(keys) = keys_of_old_values(&unlayered, &after, &changed, frame) {
            apply_keys(keys, &mut after);
        }
        let renamed = |channel: ChannelRef| match after.animation.get(&channel) {
            Some(_) => channel,
            None => ChannelRef::new(effects.new_name(&channel.resource), channel.channel),
        };
        let stored_before = self.stored.iter();
        let stored_before: Stored =
            stored_before.map(|(channel, value)| (renamed(channel.clone()), *value)).collect();
        // Keys in layers count for the channel that the layers change.
        let keyed = effects.keys.iter();
        let keyed: ChannelSet =
            keyed.map(|key| ChannelRef::new(&key.resource, base_name(&key.channel))).collect();
        let own_value = |channel: &ChannelRef| {
            let old = || ChannelRef::new(effects.old_name(&channel.resource), &channel.channel);
            stored_before.get(channel).copied().or_else(|| channels::value(before, &old()))
        };
        let differs = |channel: &ChannelRef| differs(&after, channel, frame, own_value(channel));
        let is_resolved = |channel: &ChannelRef| {
            let touched = keyed.contains(&channel.resource, &channel.channel) || changed.contains(channel);
            !is_effective(&after, channel) || touched && !differs(channel)
        };
        let unkeyed = self.unkeyed.iter().map(renamed);
        let mut unkeyed: ChannelSet = unkeyed.filter(|channel| !is_resolved(channel)).collect();
        let new = changed.iter().filter(|channel| differs(channel));
        unkeyed.extend(new.cloned());
        restore(before, &mut after, &unkeyed, &changed, &stored_before, effects);
        restore_layered(before, &mut after, &unkeyed, &stored_before, effects);
        let stored = unkeyed.iter().filter_map(|channel| {
            let stored = stored_before.get(&channel).copied();
            let value = stored.or_else(|| channels::value(before, &channel))?;
            Some((channel, value))
        });
        let time = TimeState {
            frame,
            stored: reuse_if_equal(&self.stored, stored.collect()),
            unkeyed: reuse_if_equal(&self.unkeyed, unkeyed),
        };
        (after, time)
    }

    /// Returns the scene with unkeyed changes dismissed: it stores the earlier values again.
    pub fn dismissed(&self, scene: &Scene) -> Scene {
        let mut dismissed = scene.clone();
        for (channel, stored) in &*self.stored {
            if let Some(current) = channels::value(scene, channel) {
                // Muted components were not driven, and are therefore not unkeyed.
                let mute = scene.animation.mute(&channel.resource, &channel.channel);
                let value = (channel.channel.as_str(), mute.blend(*stored, current));
                apply_animation::set(&mut dismissed, &channel.resource, &[value]);
            }
        }
        dismissed
    }
}

/// Returns the channels of newly created pins that have no keys: a pin is part of the pose.
fn channels_of_new_pins(before: &Scene, after: &Scene, effects: &Effects) -> Vec<ChannelRef> {
    let meshes: BTreeSet<&String> = effects.parts.iter().map(|parts| &parts.mesh).collect();
    let mut found = Vec::new();
    for (mesh, skinned) in meshes.iter().filter_map(|mesh| Some((*mesh, after.skinned_meshes.get(*mesh)?))) {
        let skeleton = &skinned.skeleton;
        let old = before.skinned_meshes.get(effects.old_name(mesh));
        let existed = |id: u32| {
            let mut old = old.iter().flat_map(|old| &old.skeleton.handles);
            old.any(|handle| handle.channel_id == id)
        };
        for (index, handle) in skeleton.handles.iter().enumerate() {
            if handle.pinned && !existed(handle.channel_id) {
                let channels = part_channels(mesh, skeleton, Part::Handle(index));
                if !channels.iter().any(|channel| has_keys(after, channel)) {
                    found.extend(channels);
                }
            }
        }
    }
    found
}

/// Returns `new`, or the old allocation if its value is equal.
fn reuse_if_equal<T: PartialEq>(old: &Arc<T>, new: T) -> Arc<T> {
    if **old == new { Arc::clone(old) } else { Arc::new(new) }
}

/// Whether any changed component of a value is driven by its channel, that is, not muted.
fn drives(animated: &Scene, after: &Scene, channel: &ChannelRef) -> bool {
    let mute = after.animation.mute(&channel.resource, &channel.channel);
    let [old, new] = [animated, after].map(|scene| channels::value(scene, channel));
    mute.is_none() || old.zip(new).is_some_and(|(old, new)| mute.blend(new, old) != old)
}

/// Restores the values that `before` stored for keyed channels of both scenes, because `after` was made from
/// the animated scene. Exceptions are channels in `unkeyed`, and components that were changed while muted.
/// Channels that are no longer unkeyed get the value in `stored_before`.
fn restore(
    before: &Scene,
    after: &mut Scene,
    unkeyed: &ChannelSet,
    changed: &[ChannelRef],
    stored_before: &Stored,
    effects: &Effects,
) {
    let animation = Arc::clone(&after.animation);
    let has_keys = |keys: Option<&Arc<Channel>>| keys.is_some_and(|keys| keys.key_count() > 0);
    for (name, channels_of_name) in &animation.channels {
        let old_name = effects.old_name(name);
        let Some(old_keys) = before.animation.channels.get(old_name) else {
            continue;
        };
        let driven = channels_of_name
            .keys()
            .filter(|channel| has_keys(old_keys.get(*channel)) && !unkeyed.contains(name, channel));
        let values: Vec<_> = driven
            .filter_map(|channel| {
                let mut value = channels::value_by_name(before, old_name, channel)?;
                let channel_ref = || ChannelRef::new(name, channel);
                let stored = (!stored_before.is_empty()).then(|| stored_before.get(&channel_ref())).flatten();
                if let Some(stored) = stored.filter(|_| has_keys(channels_of_name.get(channel))) {
                    value = animation.mute(name, channel).blend(*stored, value);
                }
                if changed.iter().any(|changed| changed.resource == *name && changed.channel == *channel) {
                    let mute = animation.mute(name, channel);
                    value = mute.blend(value, channels::value(after, &channel_ref())?);
                }
                Some((channel.as_str(), value))
            })
            .collect();
        apply_animation::set(after, name, &values);
    }
}

/// Restores the values that `before` stored for channels that layers change before or after, because `after` was made from the
/// animated scene; those in `stored_before` count. Exceptions are channels in `unkeyed`.
fn restore_layered(
    before: &Scene,
    after: &mut Scene,
    unkeyed: &ChannelSet,
    stored_before: &Stored,
    effects: &Effects,
) {
    let animation = Arc::clone(&after.animation);
    let names = before.animation.layers.keys().map(|name| effects.new_name(name));
    let names: BTreeSet<&str> = names.chain(animation.layers.keys().map(String::as_str)).collect();
    for name in names {
        let old_name = effects.old_name(name);
        let layered = before.animation.layered_channels(old_name).into_iter();
        let layered: BTreeSet<&str> = layered.chain(animation.layered_channels(name)).collect();
        let restored = layered.into_iter().filter(|channel| !unkeyed.contains(name, channel));
        let values: Vec<_> = restored
            .filter_map(|channel| {
                let stored = stored_before.get(&ChannelRef::new(name, channel)).copied();
                let value = stored.or_else(|| channels::value_by_name(before, old_name, channel))?;
                Some((channel, value))
            })
            .collect();
        apply_animation::set(after, name, &values);
    }
}

/// Whether keys of a channel belong to a layer that has an effect and changes it.
fn is_in_active_layer(animation: &Animation, channel: &ChannelRef) -> bool {
    writable_channel(animation, channel) != *channel
}

/// Whether a channel has keys, and is not muted entirely, or layers change it, or the active layer is to.
fn is_effective(scene: &Scene, channel: &ChannelRef) -> bool {
    let animation = &scene.animation;
    if animation.is_layered(&channel.resource, &channel.channel) || is_in_active_layer(animation, channel) {
        return true;
    }
    let keys = scene.animation.get(channel);
    let mute = scene.animation.mute(&channel.resource, &channel.channel);
    keys.is_some_and(|keys| keys.key_count() > 0) && !mute.is_whole()
}

/// Whether a channel drives its value at the frame to a value other than that of the scene. `unlayered`: the value that counts below
/// layers if the channel has no keys.
fn differs(scene: &Scene, channel: &ChannelRef, frame: f32, unlayered: Option<Value>) -> bool {
    let animation = &scene.animation;
    if animation.is_layered(&channel.resource, &channel.channel) || is_in_active_layer(animation, channel) {
        let driven = unlayered.map(|unlayered| layers::driven_value(animation, channel, frame, unlayered));
        let values = channels::value(scene, channel).zip(driven);
        return values.is_some_and(|(shown, driven)| !is_near(channel.is_angles(), shown, driven));
    }
    let (Some(stored), Some(keys)) = (channels::value(scene, channel), scene.animation.get(channel)) else {
        return false;
    };
    let mute = scene.animation.mute(&channel.resource, &channel.channel);
    let driven = keys.at(frame).map(|driven| mute.blend(driven, stored));
    driven.is_some_and(|driven| driven.type_name() == stored.type_name() && driven != stored)
}
