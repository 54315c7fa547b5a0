//! Keys in reverse order, so that the motion between them runs backwards.

use super::ChannelKeys;
use super::retime::{are_all, move_ranges};
use crate::anim::channel::{Animation, ChannelRef, Value};
use crate::anim::mode::Mode;
use crate::edit::command::Result;
use crate::edit::command::helpers::no_keys;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Reverses keys: see [`super::KeyCommand::Reverse`]. Returns their new positions, and the number of other keys that
/// they replace.
///
/// # Errors
/// If a channel has no keys.
pub fn reverse(animation: &mut Animation, keys: &[ChannelKeys]) -> Result<(Vec<ChannelKeys>, usize)> {
    let before = animation.clone();
    let keys = existing(&before, keys)?;
    let firsts = keys.iter().filter_map(|keys| keys.frames.first()).copied();
    let lasts = keys.iter().filter_map(|keys| keys.frames.last()).copied();
    let (Some(first), Some(last)) = (firsts.reduce(f32::min), lasts.reduce(f32::max)) else {
        return Ok((Vec::new(), 0));
    };
    let new_frame = |frame: f32| (f64::from(first) + f64::from(last) - f64::from(frame)) as f32;
    let (mut placed, mut replaced) = (Vec::new(), 0);
    for ChannelKeys { channel: name, frames } in &keys {
        let found =
            animation.channels.get_mut(&name.resource).and_then(|channels| channels.get_mut(&name.channel));
        let Some(channel) = found.map(Arc::make_mut) else { continue };
        let modes: Vec<Mode> = frames.iter().filter_map(|frame| channel.key_mode(*frame)).collect();
        let values: Vec<Value> = frames.iter().filter_map(|frame| channel.remove_key(*frame)).collect();
        // The mode of a key is that of the interval behind it, which is then the one before it. The last key has an
        // interval that is not reversed, which stays behind the last key.
        let intervals = modes.iter().take(modes.len() - 1).rev().map(|mode| mode.reversed());
        let new_modes = intervals.chain(modes.last().copied());
        let new_frames: Vec<f32> = frames.iter().rev().map(|frame| new_frame(*frame)).collect();
        for ((frame, value), mode) in new_frames.iter().zip(values.into_iter().rev()).zip(new_modes) {
            replaced += usize::from(channel.key(*frame).is_some());
            channel.set_key(*frame, value);
            channel.set_key_mode(*frame, mode);
        }
        placed.push(ChannelKeys { channel: name.clone(), frames: new_frames });
    }
    if are_all(&before, &keys) {
        move_ranges(animation, &before, new_frame);
    }
    Ok((placed, replaced))
}

/// Returns the keys that exist, those of each channel once and in order.
fn existing(animation: &Animation, keys: &[ChannelKeys]) -> Result<Vec<ChannelKeys>> {
    let mut frames_by_channel: BTreeMap<&ChannelRef, Vec<f32>> = BTreeMap::new();
    for ChannelKeys { channel: name, frames } in keys {
        let channel = animation.get(name).ok_or_else(|| no_keys(name))?;
        let existing = frames.iter().copied().filter(|frame| channel.key(*frame).is_some());
        frames_by_channel.entry(name).or_default().extend(existing);
    }
    let keys = frames_by_channel.into_iter().filter(|(_, frames)| !frames.is_empty());
    let ordered = keys.map(|(channel, mut frames)| {
        frames.sort_by(f32::total_cmp);
        frames.dedup();
        ChannelKeys { channel: channel.clone(), frames }
    });
    Ok(ordered.collect())
}
