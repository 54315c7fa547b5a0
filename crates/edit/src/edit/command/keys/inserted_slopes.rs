//! The slopes of a curve on which keys are inserted: those that it has, so that it stays as it is.

use super::{KeySlopes, KeyframeValues};
use crate::anim::channel::{Animation, Channel, Value};
use crate::anim::mode::{Mode, Slope, Slopes};

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
    let (before, after) = (keys.key_before(frame)?, keys.key_after(frame)?);
    if keys.key(frame).is_some() || !keys.key_mode(before).is_some_and(Mode::is_cubic) {
        return None;
    }
    let slopes = |time: f32| {
        let set = keys.key_shape(time).unwrap_or_default().slopes;
        let [arrive, leave] = keys.slopes(time)?.map(|slope| Some(Slope::Set(slope)));
        let [arrives, leaves] = keys.cubic_sides(time);
        let arrive = if arrives { arrive } else { set.arrive };
        Some((time, Slopes { arrive, leave: if leaves { leave } else { set.leave } }))
    };
    Some([slopes(before)?, slopes(frame)?, slopes(after)?])
}
