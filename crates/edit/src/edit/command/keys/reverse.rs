//! Keys in reverse order, so that the motion between them runs backwards.

use super::ChannelKeys;
use super::retime::{are_all, move_ranges};
use crate::anim::channel::{Animation, ChannelRef, Value};
use crate::anim::mode::{KeyShape, Slopes};
use crate::anim::take::Take;
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
        let shapes: Vec<KeyShape> = frames.iter().filter_map(|frame| channel.key_shape(*frame)).collect();
        let values: Vec<Value> = frames.iter().filter_map(|frame| channel.remove_key(*frame)).collect();
        let new_frames: Vec<f32> = frames.iter().rev().map(|frame| new_frame(*frame)).collect();
        let new_keys = values.into_iter().rev().zip(reversed_shapes(&shapes));
        for (frame, (value, shape)) in new_frames.iter().zip(new_keys) {
            replaced += usize::from(channel.key(*frame).is_some());
            channel.set_key(*frame, value);
            channel.set_key_shape(*frame, shape);
        }
        placed.push(ChannelKeys { channel: name.clone(), frames: new_frames });
    }
    if are_all(&before, &keys) {
        move_ranges(animation, &before, new_frame);
    } else {
        let rate = animation.clip.rate;
        let is_reversed = |take: &&mut Take| {
            let [start, end] = take.cycle_ends();
            start == first && (end == last || end - 1.0 == last)
        };
        for take in animation.takes.list.iter_mut().filter(is_reversed) {
            take.move_contacts(take.cycle_ends(), rate, new_frame);
        }
    }
    Ok((placed, replaced))
}

/// Returns the shapes of keys in reverse order. The mode of a key is that of the interval behind it, which is then the one
/// before it. The intervals before the first key and behind the last are not reversed.
fn reversed_shapes(shapes: &[KeyShape]) -> Vec<KeyShape> {
    let last = shapes.len() - 1;
    let reversed = (0..=last).map(|key| {
        let Slopes { arrive, leave } = shapes[last - key].stretched(-1.0).slopes;
        let is_first = key == 0;
        let arrive = if is_first { shapes[0].slopes.arrive } else { arrive };
        if key == last {
            return KeyShape {
                mode: shapes[last].mode,
                slopes: Slopes { arrive, leave: shapes[last].slopes.leave },
            };
        }
        KeyShape { mode: shapes[last - key - 1].mode.reversed(), slopes: Slopes { arrive, leave } }
    });
    reversed.collect()
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
