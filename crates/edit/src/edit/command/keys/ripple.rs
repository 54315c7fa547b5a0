//! Time that is inserted, removed or stretched: all later keys, takes and the play range move along.

use super::retime::map_ranges;
use crate::anim::channel::Animation;
use crate::anim::clip::Clip;
use crate::anim::mode::{KeyShape, Slopes};
use crate::edit::command::{CommandError, Result};
use std::sync::Arc;

/// The frames of keys, ascending, each with that to which all keys at it have moved.
pub type MovedFrames = Vec<[f32; 2]>;

/// Inserts frames before frame `first`: see [`super::KeyCommand::InsertFrames`].
pub fn insert_frames(animation: &mut Animation, first: u32, count: u32) -> Result<MovedFrames> {
    insert_after(animation, first as f32 - 1.0, count)
}

/// Inserts frames after `frame`, which need not be whole: keys up to it stay.
pub fn insert_after(animation: &mut Animation, frame: f32, count: u32) -> Result<MovedFrames> {
    let length = animation.clip.length.saturating_add(count);
    if count == 0 || length > Clip::MAX_LENGTH {
        return Err(error(
            "the number of inserted frames",
            "one or more, up to a length of 1,000,000 frames",
        ));
    }
    if !(-1.0..=animation.clip.last_frame() as f32).contains(&frame) {
        return Err(error("the first inserted frame", "within the length or right after it"));
    }
    let before = animation.clone();
    let new_frame = |time: f32| if time > frame { time + count as f32 } else { time };
    let moved = move_keys(animation, new_frame)?;
    map_ranges(animation, &before, new_frame);
    animation.clip.length = length;
    Ok(moved)
}

/// Removes frames with their keys: see [`super::KeyCommand::RemoveFrames`].
pub fn remove_frames(animation: &mut Animation, first: u32, count: u32) -> Result<MovedFrames> {
    let length = animation.clip.length;
    let Some(end) = first.checked_add(count).filter(|end| *end <= length && (1..length).contains(&count))
    else {
        return Err(error("the removed frames", "within the length, and not all of it"));
    };
    if animation.takes.list.iter().any(|take| is_within(take.range, first, end)) {
        return Err(error("the removed frames", "such that something of every take remains"));
    }
    // A key between two frames is removed with the later one, as inserting frames moves it with that one.
    let removed = |time: f32| time > first as f32 - 1.0 && time <= end as f32 - 1.0;
    for channel in animation.channels.values_mut().flat_map(|channels| channels.values_mut()) {
        for time in channel.times().into_iter().filter(|time| removed(*time)) {
            Arc::make_mut(channel).remove_key(time);
        }
    }
    animation.drop_empty();
    let moved = move_keys(animation, |time| if time >= first as f32 { time - count as f32 } else { time })?;
    let remaining = |[start, last]: [u32; 2]| {
        let start = if start < end { start.min(first) } else { start - count };
        [start, if last < end { last.min(first.saturating_sub(1)) } else { last - count }]
    };
    let new_frame = |time: f32| {
        if time >= end as f32 { time - count as f32 } else { time.min(first as f32) }
    };
    for take in &mut animation.takes.list {
        let ends = take.cycle_ends();
        take.range = remaining(take.range);
        take.move_contacts(ends, animation.clip.rate, new_frame);
    }
    animation.clip.range = animation.clip.range.filter(|range| !is_within(*range, first, end)).map(remaining);
    animation.clip.length -= count;
    Ok(moved)
}

/// Whether a range lies entirely within the frames from `first` to before `end`.
fn is_within([start, last]: [u32; 2], first: u32, end: u32) -> bool {
    first <= start && last < end
}

/// Stretches a take: see [`super::KeyCommand::RetimeTake`].
pub fn retime_take(animation: &mut Animation, take: &str, frames: u32) -> Result<MovedFrames> {
    let index = animation.takes.position(take);
    let missing = || CommandError::NoSuch { kind: "take", name: take.to_owned() };
    let index = index.ok_or_else(missing)?;
    let range = animation.takes.list[index].range;
    let [first, last] = range;
    let end = animation.closing_frame(range).unwrap_or(last);
    let new_last = u64::from(first) + u64::from(frames).saturating_sub(1);
    let new_end = new_last + u64::from(end - last);
    let length = u64::from(animation.clip.length) + new_end - u64::from(end);
    if end == first || new_end <= u64::from(first) || length > u64::from(Clip::MAX_LENGTH) {
        let subject = "the number of frames of the take, before and after,";
        return Err(error(subject, "two or more, up to a length of 1,000,000 frames"));
    }
    let (first, end, new_end) = (f64::from(first), f64::from(end), new_end as f64);
    let factor = (new_end - first) / (end - first);
    let new_frame = |time: f32| match f64::from(time) {
        time if time <= first => time as f32,
        time if time < end => (first + (time - first) * factor) as f32,
        time => (time + (new_end - end)) as f32,
    };
    let before = animation.clone();
    stretch_slopes(animation, [first, end].map(|frame| frame as f32), factor as f32);
    let moved = move_keys(animation, new_frame)?;
    map_ranges(animation, &before, new_frame);
    animation.clip.length = length as u32;
    Ok(moved)
}

/// Makes the slopes of keys between two frames those of curves that take `factor` times as long.
fn stretch_slopes(animation: &mut Animation, [first, end]: [f32; 2], factor: f32) {
    for channel in animation.channels.values_mut().flat_map(|channels| channels.values_mut()) {
        for time in channel.times().into_iter().filter(|time| (first..=end).contains(time)) {
            let Some(shape) = channel.key_shape(time).filter(|shape| shape.slopes.is_free()) else {
                continue;
            };
            let stretched = shape.stretched(factor).slopes;
            let slopes = Slopes {
                arrive: if time > first { stretched.arrive } else { shape.slopes.arrive },
                leave: if time < end { stretched.leave } else { shape.slopes.leave },
            };
            Arc::make_mut(channel).set_key_shape(time, KeyShape { slopes, ..shape });
        }
    }
}

/// Moves all keys to the frames given by `new_frame`, which keeps their order.
fn move_keys(animation: &mut Animation, new_frame: impl Fn(f32) -> f32) -> Result<MovedFrames> {
    let most = Clip::MAX_LENGTH as f32;
    let mut moved = MovedFrames::new();
    for channel in animation.channels.values_mut().flat_map(|channels| channels.values_mut()) {
        let times = channel.times();
        moved.extend(times.iter().map(|time| [*time, new_frame(*time)]));
        if times.iter().all(|time| new_frame(*time) == *time) {
            continue;
        }
        if times.iter().any(|time| *time < most && new_frame(*time) >= most) {
            return Err(error("the frames of all keys", "below 1,000,000"));
        }
        if !Arc::make_mut(channel).map_times(&new_frame) {
            return Err(error("the number of frames", "one at which no keys meet"));
        }
    }
    moved.sort_by(|a, b| a[0].total_cmp(&b[0]));
    moved.dedup();
    Ok(moved)
}

fn error(subject: &'static str, rule: &'static str) -> CommandError {
    CommandError::Value { subject, rule }
}
