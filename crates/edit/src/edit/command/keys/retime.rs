//! Scaling of time: what is played goes along with the keys if these are all there are.

use super::ChannelKeys;
use crate::anim::channel::Animation;
use crate::anim::clip::Clip;

/// Whether `keys` are all keys of the animation.
pub fn are_all(animation: &Animation, keys: &[ChannelKeys]) -> bool {
    let channels = animation.channels.values().flat_map(|channels| channels.values());
    let chosen = keys.iter().map(|ChannelKeys { channel, frames }| {
        let has_key = |frame: &&f32| animation.get(channel).is_some_and(|keys| keys.key(**frame).is_some());
        frames.iter().filter(has_key).count()
    });
    chosen.sum::<usize>() == channels.map(|channel| channel.key_count()).sum::<usize>()
}

/// Whether the animation has a play range or takes.
pub fn has_ranges(animation: &Animation) -> bool {
    animation.clip.range.is_some() || !animation.takes.list.is_empty()
}

/// Moves the play range and the takes to the frames given by `new_frame`, and changes the length of the clip: see
/// [`map_ranges`]. A clip that ends with its last key still does afterwards. Call it after the keys have moved.
pub fn move_ranges(animation: &mut Animation, before: &Animation, new_frame: impl Fn(f32) -> f32) {
    map_ranges(animation, before, new_frame);
    let ends_with_key = before.last_key() == Some(before.clip.last_frame() as f32);
    let used = animation.last_used_frame();
    if ends_with_key && animation.clip.range.is_none() {
        animation.clip.length = used.map_or(1, Clip::length_for);
    }
    let range = animation.clip.range.map(|[_, end]| end as f32);
    animation.clip = animation.clip.extended_to(used.into_iter().chain(range).reduce(f32::max));
}

/// Moves the play range and the takes to the frames given by `new_frame`. A range that ends right before a key, such as
/// the one that closes a loop, still does too, unless that key begins the next take.
pub fn map_ranges(animation: &mut Animation, before: &Animation, new_frame: impl Fn(f32) -> f32) {
    let last = (Clip::MAX_LENGTH - 1) as f32;
    let new_whole_frame = |frame: u32| new_frame(frame as f32).round().clamp(0.0, last) as u32;
    let moved = |range: [u32; 2]| {
        let closing = before.closing_frame(range);
        let [start, end] = range;
        let mut ends = [start, closing.unwrap_or(end)].map(new_whole_frame);
        ends.sort_unstable();
        let [first, last] = ends;
        [first, if closing.is_some() { last.saturating_sub(1).max(first) } else { last }]
    };
    for take in &mut animation.takes.list {
        let ends = take.cycle_ends();
        take.range = moved(take.range);
        take.move_contacts(ends, before.clip.rate, &new_frame);
    }
    animation.clip.range = animation.clip.range.map(moved);
}
