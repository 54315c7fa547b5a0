//! The implementation of commands on keys.

use super::hold::hold;
use super::retime::{are_all, move_ranges};
use super::reverse::reverse;
use super::ripple::{MovedFrames, insert_frames, remove_frames, retime_take};
use super::{ChannelKeys, KeyCommand, KeySlopes, KeyframeValues, Purpose};
use super::{inserted_slopes, spread_slopes};
use crate::anim::channel::{Animation, Channel, ChannelRef, Value};
use crate::anim::clip::Clip;
use crate::anim::filters::Filter;
use crate::anim::mode::{KeyShape, Mode, Slope};
use crate::anim::mute::Mute;
use crate::edit::command::effects::Edit;
use crate::edit::command::helpers::{check_number, no_keys};
use crate::edit::command::{CommandError, Result};
use crate::scene::{Scene, channels};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The greatest tolerance of a filter, in degrees.
const MOST_DEGREES: f32 = 360.0;

/// Applies a command on keys.
pub fn apply(edit: &mut Edit, command: &KeyCommand) -> Result {
    let (mut animation, outcome) = evaluate(edit.scene, command)?;
    // The last key may have moved past the end.
    animation.clip = animation.clip.extended_to(animation.last_used_frame());
    animation.prune_mutes();
    edit.replace_animation(animation);
    if !matches!(
        command,
        KeyCommand::Set { .. }
            | KeyCommand::Put {
                purpose: Purpose::Bake | Purpose::Attach | Purpose::Filter | Purpose::Value | Purpose::Layer,
                ..
            }
    ) {
        edit.effects.placed = outcome.placed;
        edit.effects.moved_frames = outcome.moved_frames;
    }
    Ok(())
}

/// Counts the keys that the command would replace; 0 if it cannot be applied. Keys deleted by
/// [`KeyCommand::Delete`] do not count, nor do keys that get other values.
pub fn replaced(scene: &Scene, command: &KeyCommand) -> usize {
    if matches!(command, KeyCommand::Put { purpose: Purpose::Value, .. }) {
        return 0;
    }
    evaluate(scene, command).map_or(0, |(_, outcome)| outcome.replaced)
}

/// The effect of a command on keys.
#[derive(Default)]
struct Outcome {
    /// The number of keys that were replaced, including moved keys that met.
    replaced: usize,
    /// The positions of inserted and moved keys.
    placed: Vec<ChannelKeys>,
    /// Where keys went with the frames that they were at.
    moved_frames: MovedFrames,
}

/// Evaluates a command on a copy of the animation.
fn evaluate(scene: &Scene, command: &KeyCommand) -> Result<(Animation, Outcome)> {
    let mut animation = (*scene.animation).clone();
    let mut outcome = Outcome::default();
    match command {
        KeyCommand::Set { channels, frame, new_mode } => {
            check_frame(*frame)?;
            for channel in channels {
                let value = value_to_key(&animation, channel, *frame, stored_value(scene, channel)?);
                insert_keys(
                    &mut animation,
                    channel,
                    &value,
                    [(*frame, value, None)],
                    *new_mode,
                    &mut outcome,
                );
            }
        }
        KeyCommand::Put { purpose, knots } => {
            let slopes = knots.iter().flat_map(|changed| match purpose {
                Purpose::Spread => spread_slopes::slopes(&animation, changed),
                Purpose::Insert => inserted_slopes::slopes(&animation, changed),
                _ => Vec::new(),
            });
            let slopes: Vec<KeySlopes> = slopes.collect();
            for KeyframeValues { channel, knots, modes } in knots {
                let kind = stored_value(scene, channel)?;
                for (frame, value) in knots {
                    check_frame(*frame)?;
                    if value.type_name() != kind.type_name() || !value.is_finite() {
                        return Err(CommandError::Value {
                            subject: "the value of a key",
                            rule: "finite and of the type of its channel",
                        });
                    }
                }
                // Baked keys are at every frame, interpolated as in Scotty3D.
                let baked = matches!(purpose, Purpose::Bake | Purpose::Attach).then_some(Mode::Auto);
                let shape = |index: usize| modes.get(index).copied().or(baked.map(KeyShape::from));
                let knots = knots.iter().enumerate();
                let in_range = |value: Value| channels::in_range(scene, channel, value);
                let knots = knots.map(|(index, &(frame, value))| (frame, in_range(value), shape(index)));
                insert_keys(&mut animation, channel, &kind, knots, Mode::Clamped, &mut outcome);
            }
            set_slopes(&mut animation, &slopes)?;
        }
        KeyCommand::Delete { keys } => {
            remove_keys(&mut animation, keys)?;
        }
        KeyCommand::SetMode { keys, mode } => set_mode(&mut animation, keys, *mode)?,
        KeyCommand::SetSlopes { keys } => set_slopes(&mut animation, keys)?,
        KeyCommand::Filter { keys, filter } => filter_keys(scene, &mut animation, keys, *filter)?,
        KeyCommand::Mute { channels, components, muted } => {
            mute(&mut animation, channels, *components, *muted)?
        }
        KeyCommand::Move { keys, offset } => {
            check_number("the number of frames", *offset)?;
            move_keys(&mut animation, keys, &mut outcome, 1.0, |frame| frame + offset)?;
        }
        KeyCommand::Scale { keys, about, factor, snap } => {
            check_number("the frame to scale about", *about)?;
            check_number("the factor", *factor)?;
            let new_frame = |frame: f32| {
                let scaled = about + (frame - about) * factor;
                if *snap { scaled.round() } else { scaled }
            };
            move_keys(&mut animation, keys, &mut outcome, *factor, new_frame)?;
            if are_all(&scene.animation, keys) {
                move_ranges(&mut animation, &scene.animation, new_frame);
            }
        }
        KeyCommand::Snap { keys } => move_keys(&mut animation, keys, &mut outcome, 1.0, f32::round)?,
        KeyCommand::Reverse { keys } => {
            (outcome.placed, outcome.replaced) = reverse(&mut animation, keys)?;
        }
        KeyCommand::InsertFrames { first, count } => {
            outcome.moved_frames = insert_frames(&mut animation, *first, *count)?;
        }
        KeyCommand::RemoveFrames { first, count } => {
            outcome.moved_frames = remove_frames(&mut animation, *first, *count)?;
        }
        KeyCommand::Hold { frame, count, channels } => {
            outcome.moved_frames = hold(&mut animation, *frame, *count, channels.as_deref())?;
        }
        KeyCommand::RetimeTake { take, frames } => {
            outcome.moved_frames = retime_take(&mut animation, take, *frames)?;
        }
        _ => change_clip(&mut animation, command)?,
    }
    Ok((animation, outcome))
}

fn change_clip(animation: &mut Animation, command: &KeyCommand) -> Result {
    let error = |subject, rule| Err(CommandError::Value { subject, rule });
    match command {
        KeyCommand::SetRate { frames_per_second } => {
            let [slowest, fastest] = Clip::RATES;
            if !(slowest..=fastest).contains(frames_per_second) {
                return error("the frame rate", "from 1 to 240 frames a second");
            }
            let factor = f64::from(*frames_per_second) / f64::from(animation.clip.rate);
            animation.takes.list.iter_mut().for_each(|take| take.hasten_contacts(factor));
            animation.clip.rate = *frames_per_second;
        }
        KeyCommand::SetLength { frames } => {
            if !(1..=Clip::MAX_LENGTH).contains(frames) {
                return error("the length", "from 1 to 1,000,000 frames");
            }
            let clip = animation.clip.with_length(*frames);
            if clip.extended_to(animation.last_used_frame()) != clip {
                return error(
                    "the length",
                    "long enough for all keys and takes; Trim to current frame cuts them",
                );
            }
            animation.clip = clip;
        }
        KeyCommand::SetRange { range } => {
            let last = animation.clip.last_frame();
            if range.is_some_and(|[from, to]| from > to || to > last) {
                return error("the play range", "two frames in order, within the length");
            }
            animation.set_range(*range);
        }
        KeyCommand::CropEnd { frame } => {
            if *frame > animation.clip.last_frame() {
                return error("the last frame", "within the length");
            }
            let end = *frame as f32;
            let mut any_removed = false;
            for channels in animation.channels.values_mut() {
                for channel in channels.values_mut() {
                    for time in channel.times().into_iter().filter(|time| *time > end) {
                        any_removed |= Arc::make_mut(channel).remove_key(time).is_some();
                    }
                }
            }
            if any_removed {
                animation.drop_empty();
            }
            animation.set_length(frame + 1);
        }
        _ => {}
    }
    Ok(())
}

/// Moves keys to the frames given by `new_frame`.
fn move_keys(
    animation: &mut Animation,
    keys: &[ChannelKeys],
    outcome: &mut Outcome,
    factor: f32,
    new_frame: impl Fn(f32) -> f32,
) -> Result {
    for (channel, taken) in remove_keys(animation, keys)? {
        let mut moved: Vec<(f32, Value, Option<KeyShape>)> = Vec::with_capacity(taken.len());
        for (frame, value, shape) in taken {
            let frame = new_frame(frame);
            check_frame(frame)?;
            if moved.iter().any(|(taken, ..)| *taken == frame) {
                outcome.replaced += 1;
            } else {
                moved.push((frame, value, Some(shape.stretched(factor))));
            }
        }
        if let Some(&(_, kind, _)) = moved.first() {
            insert_keys(animation, &channel, &kind, moved, Mode::Clamped, outcome);
        }
    }
    Ok(())
}

/// Removed keys with their frames, by channel.
type RemovedKeys = BTreeMap<ChannelRef, Vec<(f32, Value, KeyShape)>>;

/// Removes keys and returns them by channel, in order of time. Channels without remaining keys are dropped.
fn remove_keys(animation: &mut Animation, keys: &[ChannelKeys]) -> Result<RemovedKeys> {
    let mut removed = RemovedKeys::new();
    for ChannelKeys { channel, frames } in keys {
        let channels = animation.channels.get_mut(&channel.resource);
        let Some(found) = channels.and_then(|channels| channels.get_mut(&channel.channel)) else {
            return Err(no_keys(channel));
        };
        for &frame in frames {
            if let Some(shape) = found.key_shape(frame)
                && let Some(value) = Arc::make_mut(found).remove_key(frame)
            {
                let removed = removed.entry(channel.clone()).or_default();
                removed.push((frame, value, shape));
            }
        }
    }
    if !removed.is_empty() {
        animation.drop_empty();
    }
    for keys in removed.values_mut() {
        keys.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    Ok(removed)
}

/// Inserts keys into a channel, which is created if missing, and recreated if its type differs from that of
/// `kind` (so that it had no effect). A key without a mode keeps the mode of the key it replaces. A new one
/// has the mode `smooth`, and then so does a key of Scotty3D's own before it, as the way from there now ends at the
/// new key, so that equal values hold.
fn insert_keys(
    animation: &mut Animation,
    name: &ChannelRef,
    kind: &Value,
    knots: impl IntoIterator<Item = (f32, Value, Option<KeyShape>)>,
    smooth: Mode,
    outcome: &mut Outcome,
) {
    let mut knots = knots.into_iter().peekable();
    if knots.peek().is_none() {
        return;
    }
    let has_other_type = |old: &Arc<Channel>| old.type_name() != kind.type_name();
    if animation.get(name).is_some_and(has_other_type) {
        animation.set_mute(name, Mute::NONE);
    }
    animation.drop_unreadable(name);
    let channels = animation.channels.entry(name.resource.clone()).or_default();
    let slot = channels.entry(name.channel.clone()).or_insert_with(|| Arc::new(Channel::empty_for(kind)));
    if has_other_type(slot) {
        *slot = Arc::new(Channel::empty_for(kind));
    }
    let mut frames = Vec::new();
    for (frame, value, shape) in knots {
        // Turns -0 into 0.
        let frame = frame + 0.0;
        frames.push(frame);
        let old = slot.key(frame);
        outcome.replaced += usize::from(old.is_some());
        let old_shape = slot.key_shape(frame);
        let is_new = shape.is_none() && old.is_none();
        let before = slot.key_before(frame).filter(|_| is_new);
        let before = before.and_then(|frame| Some((frame, slot.key_shape(frame)?)));
        // A value that holds goes on holding.
        let holds = before.is_some_and(|(_, shape)| shape.mode == Mode::Hold);
        let new_mode = if holds { Mode::Hold } else { smooth };
        let shape = if is_new { Some(new_mode.into()) } else { shape };
        let before = before.filter(|(_, shape)| shape.mode == Mode::Auto);
        if old == Some(value) && shape.is_none_or(|shape| old_shape == Some(shape)) {
            continue;
        }
        let keys = Arc::make_mut(slot);
        keys.set_key(frame, value);
        if let Some(shape) = shape {
            keys.set_key_shape(frame, shape);
        }
        if let Some((before, shape)) = before {
            keys.set_key_shape(before, KeyShape { mode: smooth, ..shape });
        }
    }
    let channel = name.clone();
    outcome.placed.push(ChannelKeys { channel, frames });
}

fn filter_keys(scene: &Scene, animation: &mut Animation, keys: &[ChannelKeys], filter: Filter) -> Result {
    let error = |subject, rule| Err(CommandError::Value { subject, rule });
    match filter {
        Filter::Simplify(degrees) if !(0.0..=MOST_DEGREES).contains(&degrees) => {
            return error("the tolerance", "from 0 to 360 degrees");
        }
        Filter::Every(step) if !(1..=Clip::MAX_AT_ONCE).contains(&step) => {
            return error("the distance of keys", "from 1 to 10,000 frames");
        }
        Filter::Blend { amount, .. } if !(-1.0..=1.0).contains(&amount) => {
            return error("the amount of a blend", "from -1 to 1");
        }
        _ => {}
    }
    for ChannelKeys { channel, frames } in keys {
        let channels = animation.channels.get_mut(&channel.resource);
        let found = channels.and_then(|channels| channels.get_mut(&channel.channel));
        let found = found.ok_or_else(|| no_keys(channel))?;
        let mut frames: Vec<f32> =
            frames.iter().copied().filter(|frame| found.key(*frame).is_some()).collect();
        frames.sort_by(f32::total_cmp);
        let span = frames.last().zip(frames.first()).map_or(0.0, |(last, first)| last - first);
        if matches!(filter, Filter::Every(step) if span / step as f32 > Clip::MAX_AT_ONCE as f32) {
            return error("the distance of keys", "at most 10,000 keys in a channel");
        }
        if filter == Filter::Dissolve && frames.len() == found.key_count() {
            remove_keys(animation, &[ChannelKeys { channel: channel.clone(), frames }])?;
            continue;
        }
        let mut filtered = found.filtered(filter, &frames, channel.is_angles());
        for (frame, value) in
            filtered.keys().into_iter().filter(|(frame, value)| found.key(*frame) != Some(*value))
        {
            filtered.set_key(frame, channels::in_range(scene, channel, value));
        }
        if filtered != **found {
            *found = Arc::new(filtered);
        }
    }
    Ok(())
}

/// Sets slopes of keys; `None` leaves that side to the key's mode.
fn set_slopes(animation: &mut Animation, keys: &[KeySlopes]) -> Result {
    for KeySlopes { channel, frame, slopes } in keys {
        let channels = animation.channels.get_mut(&channel.resource);
        let found = channels.and_then(|channels| channels.get_mut(&channel.channel));
        let found = found.ok_or_else(|| no_keys(channel))?;
        let fits = |slope: &Value| slope.is_finite() && slope.type_name() == found.type_name();
        let mut set = [slopes.arrive, slopes.leave].into_iter().flatten().filter_map(Slope::fixed);
        let (Some(shape), Some(_), true) =
            (found.key_shape(*frame), found.slopes(*frame), set.all(|slope| fits(&slope)))
        else {
            return Err(CommandError::Value {
                subject: "the slope of a key",
                rule: "finite, of the type of its channel, and at a key that is no rotation or switch",
            });
        };
        Arc::make_mut(found).set_key_shape(*frame, KeyShape { slopes: *slopes, ..shape });
    }
    Ok(())
}

fn set_mode(animation: &mut Animation, keys: &[ChannelKeys], mode: Mode) -> Result {
    for ChannelKeys { channel, frames } in keys {
        let channels = animation.channels.get_mut(&channel.resource);
        let found = channels.and_then(|channels| channels.get_mut(&channel.channel));
        let found = found.ok_or_else(|| no_keys(channel))?;
        for &frame in frames {
            if found.key_mode(frame).is_some_and(|old| old != mode) {
                Arc::make_mut(found).set_key_mode(frame, mode);
            }
        }
    }
    Ok(())
}

/// Returns the value of a new key at `frame` if the scene stores `stored`: muted components keep their keyed
/// value.
fn value_to_key(animation: &Animation, channel: &ChannelRef, frame: f32, stored: Value) -> Value {
    let muted = animation.mute(&channel.resource, &channel.channel);
    let keys = animation.get(channel).and_then(|keys| keys.at(frame));
    keys.map_or(stored, |keys| muted.blend(stored, keys))
}

fn mute(animation: &mut Animation, channels: &[ChannelRef], components: [bool; 3], muted: bool) -> Result {
    if components == [false; 3] {
        return Err(CommandError::Value { subject: "the muted components", rule: "one or more" });
    }
    for channel in channels {
        let keys = animation.get(channel).ok_or_else(|| no_keys(channel))?;
        if components != [true; 3] && !keys.has_components() {
            return Err(CommandError::Value {
                subject: "the muted components",
                rule: "all of them in a channel whose values are not three numbers",
            });
        }
        let mut mute = animation.mute(&channel.resource, &channel.channel);
        for (component, chosen) in mute.0.iter_mut().zip(components) {
            *component = if chosen { muted } else { *component };
        }
        animation.set_mute(channel, mute);
    }
    Ok(())
}

fn stored_value(scene: &Scene, channel: &ChannelRef) -> Result<Value> {
    channels::value(scene, channel).ok_or_else(|| CommandError::NoSuch {
        kind: "channel",
        name: format!("{} of {}", channel.channel, channel.resource),
    })
}

/// Checks that a key may be at `frame`.
fn check_frame(frame: f32) -> Result {
    if (0.0..Clip::MAX_LENGTH as f32).contains(&frame) {
        return Ok(());
    }
    Err(CommandError::Value { subject: "the frame of a key", rule: "from 0 to 999,999" })
}
