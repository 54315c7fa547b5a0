//! The slopes of a curve, of a layer too, some of whose keys a spread change moves: what is beyond the first keys that stay must not bend, and slopes
//! that were set follow the change.

use super::{KeySlopes, KeyframeValues};
use crate::anim::channel::{Animation, Channel, Value};
use crate::anim::mode::{Slope, Slopes};

/// Returns the slopes to set with the keys in `changed`, which are in order of time, except those that get a shape of their own.
/// `animation`: before.
pub(super) fn slopes(animation: &Animation, changed: &KeyframeValues) -> Vec<KeySlopes> {
    let has_type = |keys: &Channel| {
        let first = changed.knots.first();
        first.is_some_and(|(_, value)| value.type_name() == keys.type_name())
    };
    let keys = animation.get(&changed.channel).filter(|keys| changed.modes.is_empty() && has_type(keys));
    let Some(keys) = keys else { return Vec::new() };
    let change = |time: f32| {
        let index = changed.knots.binary_search_by(|(other, _)| other.total_cmp(&time)).ok()?;
        Some(changed.knots[index].1.combined(keys.at(time)?, |after, before| after - before))
    };
    let mut after = (**keys).clone();
    for (time, value) in &changed.knots {
        after.set_key(*time, *value);
    }
    let times = after.times();
    let course: Vec<_> = times.into_iter().map(|time| (time, change(time))).collect();
    let slopes_at = |index: usize| {
        let (frame, change) = course[index];
        let shape = keys.key_shape(frame)?;
        let neighbors = [index.checked_sub(1), Some(index + 1)].map(|index| course.get(index?).copied());
        match change {
            Some(change) if shape.slopes.is_free() => {
                let bend = slope_of_change((frame, change), neighbors);
                Some(shape.slopes.map(|slope| slope.combined(bend, |slope, bend| slope + bend)))
            }
            Some(_) => None,
            None => {
                let stays = neighbors.map(|neighbor| neighbor.map(|(_, change)| change.is_none()));
                let outward = match stays {
                    [Some(true), Some(false)] => 0,
                    [Some(false), Some(true)] => 1,
                    _ => return None,
                };
                let [arrives, leaves] = after.cubic_sides(frame);
                let (before, after) = (keys.slopes(frame)?, after.slopes(frame)?);
                let slopes = Slopes {
                    arrive: if arrives { Some(Slope::Set(before[0])) } else { shape.slopes.arrive },
                    leave: if leaves { Some(Slope::Set(before[1])) } else { shape.slopes.leave },
                };
                (before[outward] != after[outward]).then_some(slopes)
            }
        }
    };
    let set = (0..course.len()).filter_map(|index| {
        let (channel, frame) = (changed.channel.clone(), course[index].0);
        Some(KeySlopes { channel, frame, slopes: slopes_at(index)? })
    });
    set.collect()
}

/// Returns the slope of the change at a key, in value per frame, from its neighbours: 0 at those that stay.
fn slope_of_change(key: (f32, Value), neighbors: [Option<(f32, Option<Value>)>; 2]) -> Value {
    let zero = key.1.scaled(0.0);
    let [(t0, before), (t1, after)] =
        neighbors.map(|neighbor| neighbor.map_or(key, |(time, change)| (time, change.unwrap_or(zero))));
    if t1 > t0 { after.combined(before, |after, before| (after - before) / (t1 - t0)) } else { zero }
}
