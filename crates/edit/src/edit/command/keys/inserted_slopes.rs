//! The slopes of a curve on which keys are inserted: those that it has, so that it stays as it is.

use super::{KeySlopes, KeyframeValues};
use crate::anim::channel::{Animation, Channel, Value};
use crate::anim::mode::{Mode, Slopes};

/// Returns the slopes to set with the keys in `changed` and those beside them; none where the curve is not cubic. `animation`: before.
pub(super) fn slopes(animation: &Animation, changed: &KeyframeValues) -> Vec<KeySlopes> {
    let Some(keys) = animation.get(&changed.channel) else { return Vec::new() };
    let around = changed.knots.iter().filter_map(|(frame, _)| around(keys, *frame));
    let slopes = around.flatten().map(|(frame, slopes)| {
        let channel = changed.channel.clone();
        KeySlopes { channel, frame, slopes }
    });
    slopes.collect()
}

/// Returns the slopes at a frame between two keys, and at these.
fn around(keys: &Channel, frame: f32) -> Option<[(f32, Slopes<Value>); 3]> {
    let is_cubic = |time: f32| keys.key_mode(time).is_some_and(Mode::is_cubic);
    let (before, after) = (keys.key_before(frame)?, keys.key_after(frame)?);
    if keys.key(frame).is_some() || !is_cubic(before) {
        return None;
    }
    let slopes = |time: f32| {
        let set = keys.key_shape(time).unwrap_or_default().slopes;
        let [arrive, leave] = keys.slopes(time)?.map(Some);
        let arrives = time > before || keys.key_before(time).is_some_and(is_cubic);
        let leaves = time < after || keys.key_after(time).is_some() && is_cubic(time);
        let arrive = if arrives { arrive } else { set.arrive };
        Some((time, Slopes { arrive, leave: if leaves { leave } else { set.leave } }))
    };
    Some([slopes(before)?, slopes(frame)?, slopes(after)?])
}
