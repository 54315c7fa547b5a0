//! Keys that guard the frames around a change: a new value at a frame bends the curve as far as the second key before and
//! after it.

use crate::anim::channel::{Channel, ChannelRef};
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::edit::session::Session;
use crate::edit::settings::view::View;
use crate::scene::Scene;

/// The greatest number of keys that a channel gets. Where keys are far apart, more would be needed, and they would be in the
/// way of whoever animates on.
const MOST_KEYS: usize = 8;

/// Returns keys for the channels of a character that `commands` change at the current frame: with them, all whole frames
/// keep their values to the bit, except from this frame to the one before the channel's next key.
pub fn guarding_keys(view: &View, mesh: &str, commands: &[Command]) -> Option<Command> {
    // Not a clone, whose steps would be recorded.
    let mut session = Session::new(view.session.scene().clone(), None);
    session.set_frame(view.session.frame());
    session.set_auto_key(view.session.auto_key());
    session.apply(commands).ok()?;
    let (before, mut after) = (view.session.scene(), session.scene().clone());
    let frame = view.session.frame();
    let channels = before.animation.channels.get(mesh)?;
    let guarded = channels.iter().filter_map(|(name, keys)| {
        let channel = ChannelRef::new(mesh, name);
        (keys.key_count() > 0).then(|| guard(&channel, keys, &mut after, frame)).flatten()
    });
    let knots: Vec<KeyframeValues> = guarded.collect();
    (!knots.is_empty()).then(|| put(knots))
}

fn put(knots: Vec<KeyframeValues>) -> Command {
    Command::Keys(KeyCommand::Put { purpose: Purpose::Paste, knots })
}

/// Returns the keys for a channel; none if it has not changed, or would need too many. Adds them to `after`.
fn guard(channel: &ChannelRef, before: &Channel, after: &mut Scene, frame: f32) -> Option<KeyframeValues> {
    let times = before.times();
    let next = times.iter().copied().filter(|time| *time > frame).fold(f32::INFINITY, f32::min);
    let last = after.animation.clip.last_frame();
    let others = (0..=last).map(|other| other as f32).filter(|other| !(frame..next).contains(other));
    let mut values = KeyframeValues { channel: channel.clone(), knots: Vec::new(), modes: Vec::new() };
    loop {
        let now = after.animation.get(channel)?;
        let changed = others.clone().find(|other| before.at(*other) != now.at(*other));
        let Some(other) = changed else { break };
        // The curve after the new key is as it was before it.
        let key = times.iter().copied().filter(|time| *time <= other).fold(times[0], f32::max);
        values.modes.push(before.key_mode(key)?.into());
        values.knots.push((other, before.at(other)?));
        if values.knots.len() > MOST_KEYS || put(vec![values.clone()]).apply(after).is_err() {
            return None;
        }
    }
    (!values.knots.is_empty()).then_some(values)
}
