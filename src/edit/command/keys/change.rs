//! What the commands on keys do to the animation.

use super::{ChannelKeys, KeyCommand, KeyframeValues, Purpose};
use crate::anim::channel::{Animation, Channel, ChannelRef, Value};
use crate::anim::clip::Clip;
use crate::anim::mode::Mode;
use crate::anim::mute::Mute;
use crate::edit::command::effects::Edit;
use crate::edit::command::helpers::number;
use crate::edit::command::{CommandError, Result};
use crate::scene::{Scene, channels};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The animation that the command makes, in place if it differs.
pub fn apply(edit: &mut Edit, command: &KeyCommand) -> Result {
    let (mut animation, done) = changed(edit.scene, command)?;
    // The last key may have moved out.
    animation.clip = animation.clip.holding(animation.last_used());
    animation.forget_mutes();
    edit.put_animation(animation);
    if !matches!(
        command,
        KeyCommand::Set { .. }
            | KeyCommand::Put {
                purpose: Purpose::Bake,
                ..
            }
    ) {
        edit.effects.placed = done.placed;
    }
    Ok(())
}

/// How many keys the command would put others in place of, or 0 if it cannot be applied. To set a key again
/// is what [`KeyCommand::Set`] is for, and to delete is no replacing.
pub fn replaced(scene: &Scene, command: &KeyCommand) -> usize {
    changed(scene, command).map_or(0, |(_, done)| done.replaced)
}

/// What became of keys.
#[derive(Default)]
struct Done {
    /// How many others, or of themselves, they took the place of.
    replaced: usize,
    /// Where those are that were put.
    placed: Vec<ChannelKeys>,
}

fn changed(scene: &Scene, command: &KeyCommand) -> Result<(Animation, Done)> {
    let mut animation = (*scene.animation).clone();
    let mut done = Done::default();
    match command {
        KeyCommand::Set { channels, frame } => {
            at(*frame)?;
            for channel in channels {
                let value = to_key(&animation, channel, *frame, stored(scene, channel)?);
                put(
                    &mut animation,
                    channel,
                    &value,
                    [(*frame, value, None)],
                    &mut done,
                );
            }
        }
        KeyCommand::Put { purpose, knots } => {
            for KeyframeValues {
                channel,
                knots,
                modes,
            } in knots
            {
                let kind = stored(scene, channel)?;
                for (frame, value) in knots {
                    at(*frame)?;
                    if value.type_name() != kind.type_name() || !value.is_finite() {
                        return Err(CommandError::Value {
                            what: "the value of a key",
                            rule: "finite and of the type of its channel",
                        });
                    }
                }
                // Baked keys stand at each frame, and mean what Scotty3D makes of them.
                let baked = (*purpose == Purpose::Bake).then_some(Mode::Auto);
                let mode = |at: usize| modes.get(at).copied().or(baked);
                let knots = knots.iter().enumerate();
                let knots = knots.map(|(at, &(frame, value))| (frame, value, mode(at)));
                put(&mut animation, channel, &kind, knots, &mut done);
            }
        }
        KeyCommand::Delete { keys } => {
            take(&mut animation, keys)?;
        }
        KeyCommand::SetMode { keys, mode } => set_mode(&mut animation, keys, *mode)?,
        KeyCommand::Mute {
            channels,
            components,
            muted,
        } => mute(&mut animation, channels, *components, *muted)?,
        KeyCommand::Move { keys, by } => {
            number("the number of frames", *by)?;
            to_other_frames(&mut animation, keys, &mut done, |frame| frame + by)?;
        }
        KeyCommand::Scale {
            keys,
            about,
            factor,
            snap,
        } => {
            number("the frame to scale about", *about)?;
            number("the factor", *factor)?;
            to_other_frames(&mut animation, keys, &mut done, |frame| {
                let scaled = about + (frame - about) * factor;
                if *snap { scaled.round() } else { scaled }
            })?;
        }
        KeyCommand::Snap { keys } => to_other_frames(&mut animation, keys, &mut done, f32::round)?,
        _ => change_clip(&mut animation, command)?,
    }
    Ok((animation, done))
}

fn change_clip(animation: &mut Animation, command: &KeyCommand) -> Result {
    let wrong = |what, rule| Err(CommandError::Value { what, rule });
    match command {
        KeyCommand::SetRate { frames_per_second } => {
            let [slowest, fastest] = Clip::RATES;
            if !(slowest..=fastest).contains(frames_per_second) {
                return wrong("the frame rate", "from 1 to 240 frames a second");
            }
            animation.clip.rate = *frames_per_second;
        }
        KeyCommand::SetLength { frames } => {
            if !(1..=Clip::MAX_LENGTH).contains(frames) {
                return wrong("the length", "from 1 to 1,000,000 frames");
            }
            let clip = animation.clip.with_length(*frames);
            if clip.holding(animation.last_used()) != clip {
                return wrong(
                    "the length",
                    "long enough for all keys and takes; Trim to current frame cuts them",
                );
            }
            animation.clip = clip;
        }
        KeyCommand::SetRange { range } => {
            let last = animation.clip.last_frame();
            if range.is_some_and(|[from, to]| from > to || to > last) {
                return wrong("the play range", "two frames in order, within the length");
            }
            animation.set_range(*range);
        }
        KeyCommand::CropEnd { frame } => {
            if *frame > animation.clip.last_frame() {
                return wrong("the last frame", "within the length");
            }
            let end = *frame as f32;
            let mut any = false;
            for of in animation.channels.values_mut() {
                for channel in of.values_mut() {
                    for time in channel.times().into_iter().filter(|time| *time > end) {
                        any |= Arc::make_mut(channel).remove_key(time).is_some();
                    }
                }
            }
            if any {
                drop_empty(animation);
            }
            animation.set_length(frame + 1);
        }
        _ => {}
    }
    Ok(())
}

/// Takes the keys out and puts them in again where `to` says.
fn to_other_frames(
    animation: &mut Animation,
    keys: &[ChannelKeys],
    done: &mut Done,
    to: impl Fn(f32) -> f32,
) -> Result {
    for (channel, taken) in take(animation, keys)? {
        let mut moved: Vec<(f32, Value, Option<Mode>)> = Vec::with_capacity(taken.len());
        for (frame, value, mode) in taken {
            let frame = to(frame);
            at(frame)?;
            if moved.iter().any(|(taken, ..)| *taken == frame) {
                done.replaced += 1;
            } else {
                moved.push((frame, value, Some(mode)));
            }
        }
        if let Some(&(_, kind, _)) = moved.first() {
            put(animation, &channel, &kind, moved, done);
        }
    }
    Ok(())
}

/// Keys with their frames, by channel.
type Taken = BTreeMap<ChannelRef, Vec<(f32, Value, Mode)>>;

/// Takes keys out: by channel, in order of time. A channel without keys is no more.
fn take(animation: &mut Animation, keys: &[ChannelKeys]) -> Result<Taken> {
    let mut taken = Taken::new();
    for ChannelKeys { channel, frames } in keys {
        let of = animation.channels.get_mut(&channel.resource);
        let Some(found) = of.and_then(|of| of.get_mut(&channel.channel)) else {
            return Err(no_keys(channel));
        };
        for &frame in frames {
            if let Some(mode) = found.key_mode(frame)
                && let Some(value) = Arc::make_mut(found).remove_key(frame)
            {
                let of = taken.entry(channel.clone()).or_default();
                of.push((frame, value, mode));
            }
        }
    }
    if !taken.is_empty() {
        drop_empty(animation);
    }
    for keys in taken.values_mut() {
        keys.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    Ok(taken)
}

/// Sets keys of a channel, which is made if it is not there, and made again if it is of another type than
/// `kind` (and so had no effect). A key without a mode keeps the one that was
/// there; a new one is smooth, and so is then the key before it, so that equal ones hold.
fn put(
    animation: &mut Animation,
    name: &ChannelRef,
    kind: &Value,
    knots: impl IntoIterator<Item = (f32, Value, Option<Mode>)>,
    done: &mut Done,
) {
    let mut knots = knots.into_iter().peekable();
    if knots.peek().is_none() {
        return;
    }
    let other_type = |old: &Arc<Channel>| old.type_name() != kind.type_name();
    if animation.get(name).is_some_and(other_type) {
        animation.set_mute(name, Mute::NONE);
    }
    animation.drop_unreadable(name);
    let of = animation.channels.entry(name.resource.clone()).or_default();
    let slot = of
        .entry(name.channel.clone())
        .or_insert_with(|| Arc::new(Channel::empty_for(kind)));
    if other_type(slot) {
        *slot = Arc::new(Channel::empty_for(kind));
    }
    let mut frames = Vec::new();
    for (frame, value, mode) in knots {
        // -0 and 0 are one frame.
        let frame = frame + 0.0;
        frames.push(frame);
        let old = slot.key(frame);
        done.replaced += usize::from(old.is_some());
        let old_mode = slot.key_mode(frame);
        let is_new = mode.is_none() && old_mode.is_none_or(|mode| mode == Mode::Auto);
        let mode = match is_new {
            true => Some(Mode::Smooth),
            false => mode,
        };
        let before = slot.key_before(frame).filter(|_| is_new);
        let before = before.filter(|frame| slot.key_mode(*frame) == Some(Mode::Auto));
        if old == Some(value) && before.is_none() && mode.is_none_or(|mode| old_mode == Some(mode)) {
            continue;
        }
        let keys = Arc::make_mut(slot);
        keys.put_key(frame, value);
        if let Some(mode) = mode {
            keys.set_key_mode(frame, mode);
        }
        if let Some(before) = before {
            keys.set_key_mode(before, Mode::Smooth);
        }
    }
    let channel = name.clone();
    done.placed.push(ChannelKeys { channel, frames });
}

fn set_mode(animation: &mut Animation, keys: &[ChannelKeys], mode: Mode) -> Result {
    for ChannelKeys { channel, frames } in keys {
        let of = animation.channels.get_mut(&channel.resource);
        let found = of.and_then(|of| of.get_mut(&channel.channel));
        let found = found.ok_or_else(|| no_keys(channel))?;
        for &frame in frames {
            if found.key_mode(frame).is_some_and(|old| old != mode) {
                Arc::make_mut(found).set_key_mode(frame, mode);
            }
        }
    }
    Ok(())
}

/// What a key at `frame` says if the scene stores `stored`.
fn to_key(animation: &Animation, channel: &ChannelRef, frame: f32, stored: Value) -> Value {
    let muted = animation.mute(&channel.resource, &channel.channel);
    let keys = animation.get(channel).and_then(|keys| keys.at(frame));
    keys.map_or(stored, |keys| muted.blend(stored, keys))
}

fn mute(animation: &mut Animation, channels: &[ChannelRef], components: [bool; 3], muted: bool) -> Result {
    if components == [false; 3] {
        return Err(CommandError::Value {
            what: "what is muted",
            rule: "one component or more",
        });
    }
    for channel in channels {
        let keys = animation.get(channel).ok_or_else(|| no_keys(channel))?;
        if components != [true; 3] && !keys.has_components() {
            return Err(CommandError::Value {
                what: "what is muted",
                rule: "the whole channel where its values are not three numbers",
            });
        }
        let mut mute = animation.mute(&channel.resource, &channel.channel);
        for (of, chosen) in mute.0.iter_mut().zip(components) {
            *of = if chosen { muted } else { *of };
        }
        animation.set_mute(channel, mute);
    }
    Ok(())
}

fn no_keys(channel: &ChannelRef) -> CommandError {
    CommandError::NoSuch {
        what: "channel with keys",
        name: format!("{} of {}", channel.channel, channel.resource),
    }
}

fn drop_empty(animation: &mut Animation) {
    for of in animation.channels.values_mut() {
        of.retain(|_, channel| channel.key_count() > 0);
    }
    animation.channels.retain(|_, of| !of.is_empty());
}

fn stored(scene: &Scene, channel: &ChannelRef) -> Result<Value> {
    channels::value(scene, channel).ok_or_else(|| CommandError::NoSuch {
        what: "channel",
        name: format!("{} of {}", channel.channel, channel.resource),
    })
}

/// That a key may be at `frame`.
fn at(frame: f32) -> Result {
    if (0.0..Clip::MAX_LENGTH as f32).contains(&frame) {
        return Ok(());
    }
    Err(CommandError::Value {
        what: "the frame of a key",
        rule: "from 0 to 999,999",
    })
}
