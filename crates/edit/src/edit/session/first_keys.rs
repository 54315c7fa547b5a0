//! First keys: before a value gets its first key at a frame, it was the same at every frame. Its old value is
//! keyed at the neighbouring keyed frames of the same character, so that the other poses stay. Transforms go by their
//! own keys alone: a character that is moved in a clip with dense keys of bones does not jump back at the next of them.

use crate::anim::channel::{Channel, ChannelRef};
use crate::anim::clip::Clip;
use crate::anim::mode::Mode;
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::edit::time::keying::has_keys;
use crate::scene::{Scene, channels};
use std::collections::BTreeMap;

/// Returns keys with the values of `before` for those of `changed` whose first key in `after` is at `frame`.
/// If the object has no key before `frame`, the first frame that is played is used instead.
pub fn keys_of_old_values(
    before: &Scene,
    after: &Scene,
    changed: &[ChannelRef],
    frame: f32,
) -> Option<KeyCommand> {
    let mut frames = BTreeMap::new();
    let keys = changed.iter().filter_map(|channel| {
        let value = channels::value(before, channel)?;
        let fits = |keys: &Channel| keys.type_name() == value.type_name();
        let had_keys = has_keys(before, channel) && fits(before.animation.get(channel)?);
        let keys = after.animation.get(channel)?;
        let is_first = !had_keys && fits(keys) && keys.times() == [frame];
        let frames = frames
            .entry(&channel.resource)
            .or_insert_with(|| neighbour_frames(before, &channel.resource, frame));
        let knots: Vec<_> = frames.iter().map(|frame| (*frame, value)).collect();
        let channel = channel.clone();
        let modes = vec![Mode::Clamped.into(); knots.len()];
        (is_first && !knots.is_empty()).then_some(KeyframeValues { channel, knots, modes })
    });
    let knots: Vec<_> = keys.collect();
    let purpose = Purpose::Paste;
    (!knots.is_empty()).then_some(KeyCommand::Put { purpose, knots })
}

/// Returns the nearest keyed frames before and after `frame` of a character or of another resource.
pub fn neighbour_frames(scene: &Scene, resource: &str, frame: f32) -> Vec<f32> {
    let channels = scene.animation.channels.get(resource);
    let times = channels.into_iter().flat_map(|by_name| by_name.values()).flat_map(|keys| keys.times());
    let (mut before, mut behind) = (None::<f32>, None::<f32>);
    let frames = 0.0..Clip::MAX_LENGTH as f32;
    for time in times.filter(|time| frames.contains(time)) {
        if time < frame {
            before = Some(before.map_or(time, |other| other.max(time)));
        } else if time > frame {
            behind = Some(behind.map_or(time, |other| other.min(time)));
        }
    }
    let [first, _] = scene.animation.clip.play_range();
    let first = [first as f32, 0.0].into_iter().find(|first| *first < frame);
    before.or(first).into_iter().chain(behind).collect()
}
