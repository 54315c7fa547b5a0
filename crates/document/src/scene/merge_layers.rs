//! Merging a layer into what is below it: the keys of the layer below, or of the character, then play what both did.
//!
//! Keys that the layer does not change stay. Between the last one before and the first one behind what it changes, there is a
//! key at every whole frame, and these are simplified.

use super::layers::{base_value, key_value};
use super::{Scene, channels};
use crate::anim::channel::{Animation, Channel, ChannelRef, Value};
use crate::anim::clip::Clip;
use crate::anim::filters::Filter;
use crate::anim::layer::{Layer, LayerStack, is_weight, split_name};
use crate::anim::mode::{KeyShape, Mode, Slopes};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The tolerance of the merged curves, in degrees.
const TOLERANCE: f32 = 0.02;

/// The reason why a layer cannot be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergeError {
    NoEffect,
    BelowHasNoEffect,
    BelowHasNoWeight,
    TooLong,
}

/// Returns the animation of a scene with the effect of a layer in the keys of what is below it; the layer is still there. `place`:
/// that of the layer in the list of the character.
///
/// # Errors
/// See [`MergeError`].
pub fn merged(scene: &Scene, character: &str, place: usize) -> Result<Animation, MergeError> {
    let mut animation = (*scene.animation).clone();
    let none = LayerStack::default();
    let stack = scene.animation.layers.get(character).unwrap_or(&none);
    let Some(layer) = stack.list.get(place) else { return Ok(animation) };
    let below = place.checked_sub(1).map(|below| &stack.list[below]);
    if !stack.is_effective(layer) {
        return Err(MergeError::NoEffect);
    }
    if below.is_some_and(|below| !stack.is_effective(below)) {
        return Err(MergeError::BelowHasNoEffect);
    }
    // What is above does not count while the keys are calculated.
    let mut lower = (*scene.animation).clone();
    if let Some(stack) = lower.layers.get_mut(character) {
        stack.list.truncate(place);
    }
    if let Some(below) = below {
        widen(&mut lower, character, layer, below.id);
    }
    let names = scene.animation.channels.get(character).into_iter().flat_map(|channels| channels.keys());
    let layered = names.filter(|name| split_name(name).is_some_and(|(id, _)| id == layer.id));
    for name in layered.filter(|name| !is_weight(name)) {
        let base = split_name(name).map_or(name.as_str(), |(_, base)| base);
        let Some(unlayered) = channels::value_by_name(scene, character, base) else { continue };
        let merge = Merge { scene, character, layer, below, base, unlayered, lower: &lower };
        if let Some((target, channel)) = merge.channel()? {
            let channels = animation.channels.entry(character.to_owned()).or_default();
            channels.insert(target, Arc::new(channel));
        }
    }
    if let Some(below) = below {
        widen(&mut animation, character, layer, below.id);
    }
    Ok(animation)
}

/// Lets the layer below change all bones that the merged one changes.
fn widen(animation: &mut Animation, character: &str, merged: &Layer, below: u32) {
    let layers = animation.layers.get_mut(character).into_iter().flat_map(|stack| &mut stack.list);
    for layer in layers.filter(|layer| layer.id == below) {
        layer.bones = match (layer.bones.take(), &merged.bones) {
            (Some(mask), Some(others)) => Some(mask.union(others).copied().collect()),
            _ => None,
        };
    }
}

/// The merging of a channel.
struct Merge<'a> {
    scene: &'a Scene,
    character: &'a str,
    layer: &'a Layer,
    below: Option<&'a Layer>,
    /// The name of the character's own channel.
    base: &'a str,
    /// The value that the scene stores for it.
    unlayered: Value,
    /// The animation without the layer and those above.
    lower: &'a Animation,
}

impl Merge<'_> {
    /// Returns the name of the channel that gets the keys, and the channel with them; `None` if nothing changes.
    fn channel(&self) -> Result<Option<(String, Channel)>, MergeError> {
        let target = self.below.map_or_else(|| self.base.to_owned(), |below| below.channel(self.base));
        let target_channel = ChannelRef::new(self.character, &target);
        let Some([first, last]) = self.frames(&target)? else { return Ok(None) };
        let values: Vec<[Value; 2]> = (first..=last).map(|frame| self.values(frame as f32)).collect();
        let changed = |[before, after]: &[Value; 2]| before != after;
        let Some(from) = values.iter().position(changed) else { return Ok(None) };
        let to = values.iter().rposition(changed).unwrap_or(from);
        let is_to_end = to + 1 == values.len();
        let old = self.scene.animation.get(&target_channel);
        // The keys around what changes stay, and everything between them is made anew.
        let outer = |key: Option<f32>| key.map(|key| key as i64 - i64::from(first));
        let before = old.and_then(|old| outer(old.key_before((first + from as u32) as f32))).unwrap_or(0);
        let behind = old.and_then(|old| outer(old.key_after((first + to as u32) as f32).map(f32::ceil)));
        let from = before.clamp(0, from as i64) as usize;
        let to = behind.unwrap_or(values.len() as i64 - 1).clamp(to as i64, values.len() as i64 - 1) as usize;
        let mut channel = old.map_or_else(|| Channel::empty_for(&self.unlayered), |old| (**old).clone());
        let [start, end] = [first + from as u32, first + to as u32].map(|frame| frame as f32);
        let slopes_at = |frame: f32| old.and_then(|old| old.slopes(frame));
        let [at_start, at_end] = [start, end].map(slopes_at);
        for time in channel.times().into_iter().filter(|time| (start..=end).contains(time)) {
            channel.remove_key(time);
        }
        let mut frames = Vec::new();
        for (index, [_, wanted]) in values.iter().enumerate().take(to + 1).skip(from) {
            let frame = (first + index as u32) as f32;
            let value = key_value(self.lower, &target_channel, frame, self.unlayered, *wanted);
            let value = value.ok_or(MergeError::BelowHasNoWeight)?;
            channel.set_key(frame, channels::in_range(self.scene, &target_channel, value));
            frames.push(frame);
        }
        let channel_before = channel.clone();
        let inner = frames.get(1..frames.len().saturating_sub(1)).unwrap_or_default();
        channel = channel.filtered(Filter::Simplify(TOLERANCE), inner, target_channel.is_angles());
        // The curve outside leaves as it did.
        let mut keep = |frame: f32, slopes: Option<[Value; 2]>, outside: usize| {
            let Some((slopes, shape)) = slopes.zip(channel.key_shape(frame)) else { return };
            let inside = channel.slopes(frame).unwrap_or(slopes);
            let [arrive, leave] = if outside == 0 { [slopes[0], inside[1]] } else { [inside[0], slopes[1]] };
            let mode = if shape.mode == Mode::Auto { Mode::Smooth } else { shape.mode };
            let slopes = Slopes::fixed(Some(arrive), Some(leave));
            channel.set_key_shape(frame, KeyShape { mode, slopes });
        };
        if channel_before.key_before(start).is_some() {
            keep(start, at_start, 0);
        }
        if !is_to_end && channel_before.key_after(end).is_some() {
            keep(end, at_end, 1);
        }
        Ok(Some((target, channel)))
    }

    /// Returns the first and last whole frame between which anything moves: of the layer, its weight, and what is below it.
    fn frames(&self, target: &str) -> Result<Option<[u32; 2]>, MergeError> {
        let below = self.below.map(|below| below.weight_channel());
        let names: BTreeSet<String> = [
            self.layer.channel(self.base),
            self.layer.weight_channel(),
            self.base.to_owned(),
            target.to_owned(),
        ]
        .into_iter()
        .chain(below)
        .collect();
        let lower = self.lower.layers.get(self.character).into_iter().flat_map(|stack| &stack.list);
        let lower = lower.flat_map(|layer| [layer.channel(self.base), layer.weight_channel()]);
        let channels = &self.scene.animation.channels[self.character];
        let found = names.into_iter().chain(lower).filter_map(|name| channels.get(&name));
        let times: Vec<f32> = found.flat_map(|channel| channel.times()).collect();
        let ends = times.iter().copied().reduce(f32::min).zip(times.iter().copied().reduce(f32::max));
        let Some((first, last)) = ends else { return Ok(None) };
        // The casts saturate.
        let (first, last) = (first.floor() as u32, last.ceil() as u32);
        if last - first >= Clip::MAX_AT_ONCE {
            return Err(MergeError::TooLong);
        }
        Ok(Some([first, last]))
    }

    /// Returns the values of the character's channel at a frame without and with the layer.
    fn values(&self, frame: f32) -> [Value; 2] {
        let channel = ChannelRef::new(self.character, self.base);
        let base = base_value(self.lower, &channel, frame, self.unlayered);
        let below = self.lower.through_layers(self.character, self.base, frame, base, None);
        let above = self.scene.animation.through_layer(self.character, self.layer, self.base, frame, below);
        [below, above]
    }
}
