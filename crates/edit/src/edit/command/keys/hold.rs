//! A hold: frames are inserted in which values stay as they are.

use super::ripple::{MovedFrames, insert_after};
use crate::anim::channel::{Animation, Channel, ChannelRef, Value};
use crate::anim::mode::{KeyShape, Mode, Slopes};
use crate::edit::command::{CommandError, Result};
use std::sync::Arc;

/// Inserts frames after `frame` in which channels keep their value: see [`super::KeyCommand::Hold`].
pub fn hold(
    animation: &mut Animation,
    frame: f32,
    count: u32,
    chosen: Option<&[ChannelRef]>,
) -> Result<MovedFrames> {
    if frame < 0.0 {
        return Err(CommandError::Value { subject: "the frame to hold", rule: "0 or later" });
    }
    let before = animation.clone();
    let moved = insert_after(animation, frame, count)?;
    let end = frame + count as f32;
    for (resource, channels) in &mut animation.channels {
        for (name, channel) in channels {
            let name = ChannelRef::new(resource, name);
            let is_chosen = chosen.is_none_or(|chosen| chosen.contains(&name));
            let key = before.get(&name).filter(|_| is_chosen).and_then(|keys| held_key(keys, frame));
            let Some((value, KeyShape { mode, slopes })) = key else { continue };
            let channel = Arc::make_mut(channel);
            let sides = [Slopes { leave: None, ..slopes }, Slopes { arrive: None, ..slopes }];
            for (time, slopes) in [frame, end].into_iter().zip(sides) {
                channel.set_key(time, value);
                channel.set_key_shape(time, KeyShape { mode, slopes });
            }
        }
    }
    Ok(moved)
}

/// Returns the value at `frame` and the shape of the keys that hold it; `None` if it holds without them: before the first
/// key and after the last. All modes are flat between equal keys except Scotty3D's own.
fn held_key(channel: &Channel, frame: f32) -> Option<(Value, KeyShape)> {
    let times = channel.times();
    let is_between = *times.first()? <= frame && frame <= *times.last()?;
    let slopes = channel.key_shape(frame).unwrap_or_default().slopes;
    let key = if channel.key(frame).is_some() { Some(frame) } else { channel.key_before(frame) };
    let mode = match channel.key_mode(key.filter(|_| is_between)?)? {
        Mode::Auto => Mode::Clamped,
        mode => mode,
    };
    Some((channel.at(frame)?, KeyShape { mode, slopes }))
}
