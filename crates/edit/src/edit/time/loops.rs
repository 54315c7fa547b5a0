//! Where clips loop, as their keys tell. Only reads keys.

use crate::anim::channel::{Animation, Channel};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns the loop that a frame belongs to: in the range of its take, or else in the play range, most channels of the
/// resource that move have a key at the first frame, and an equal one at the last frame or at the one after it: the first and the
/// closing frame.
pub fn loop_at(animation: &Animation, resource: &str, frame: f32) -> Option<[f32; 2]> {
    let takes = animation.takes.chosen().into_iter().chain(&animation.takes.list).map(|take| take.range);
    let ranges = takes
        .chain([animation.clip.play_range()])
        .map(|range| range.map(|frame| frame as f32))
        .filter(|[first, last]| (*first..=last + 1.0).contains(&frame));
    let channels = animation.channels.get(resource)?;
    let closes = |channels: &BTreeMap<String, Arc<Channel>>, [first, end]: [f32; 2]| {
        let (mut closed, mut open) = (0, 0);
        for channel in channels.values() {
            let keys = channel.times().into_iter().filter(|time| (first..=end).contains(time));
            let start = channel.key(first);
            if keys.into_iter().any(|time| channel.key(time) != start) {
                let is_closed = start.is_some() && channel.key(end) == start;
                *if is_closed { &mut closed } else { &mut open } += 1;
            }
        }
        end > first && end >= frame && closed > open
    };
    let mut ends = ranges.flat_map(|[first, last]| [[first, last + 1.0], [first, last]]);
    ends.find(|ends| closes(channels, *ends))
}
