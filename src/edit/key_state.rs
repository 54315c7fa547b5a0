//! What keys say of a value at the frame that is shown, and where the nearest keys are.

use super::keying;
use super::playback::{next_key, previous_key};
use super::session::Session;
use crate::anim::channel::ChannelRef;

/// How a value stands to its keys at the frame that is shown. Fields are coloured by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyState {
    /// It has no keys: the same at every frame.
    #[default]
    Static,
    /// It has keys, at other frames.
    Animated,
    /// It has a key at this frame.
    Keyed,
    /// It has keys and was changed without a key.
    Held,
    /// It has keys that are muted: the same at every frame.
    Muted,
}

impl KeyState {
    /// A sentence for the tooltip; nothing where there is nothing to say.
    pub fn text(self) -> Option<&'static str> {
        match self {
            KeyState::Static => None,
            KeyState::Animated => Some("Animated, without a key at this frame."),
            KeyState::Keyed => Some("Keyed at this frame."),
            KeyState::Held => Some("Changed but not keyed."),
            KeyState::Muted => Some("Its keys are muted."),
        }
    }

    /// The state of a component of the value, which may be `muted`.
    pub fn of_component(self, muted: bool) -> Self {
        match self {
            KeyState::Static => self,
            _ if muted => KeyState::Muted,
            _ => self,
        }
    }
}

/// Which components of several channels are muted in all of them that have keys.
pub fn muted(session: &Session, channels: &[ChannelRef]) -> [bool; 3] {
    let animation = &session.scene().animation;
    let keyed = channels.iter().filter(|channel| animation.get(channel).is_some());
    let mutes = keyed.map(|channel| animation.mute(&channel.resource, &channel.channel).0);
    let both = |a: [bool; 3], b: [bool; 3]| std::array::from_fn(|i| a[i] && b[i]);
    mutes.reduce(both).unwrap_or_default()
}

/// The state of several channels together: held if one is, keyed if all are, animated if one is. Those that are muted as
/// a whole count only where all are.
pub fn state(session: &Session, channels: &[ChannelRef]) -> KeyState {
    let held = session.unkeyed();
    let is_held = |channel: &ChannelRef| held.contains(&channel.resource, &channel.channel);
    if channels.iter().any(is_held) {
        return KeyState::Held;
    }
    let animation = &session.scene().animation;
    let keys = |channel: &ChannelRef| animation.get(channel).filter(|found| found.key_count() > 0);
    let is_muted = |of: &&ChannelRef| animation.mute(&of.resource, &of.channel).is_whole();
    let (muted, channels): (Vec<_>, Vec<_>) = channels.iter().partition(is_muted);
    let frame = session.frame();
    let is_keyed = |channel: &ChannelRef| keys(channel).is_some_and(|keys| keys.key(frame).is_some());
    if !channels.is_empty() && channels.iter().all(|channel| is_keyed(channel)) {
        KeyState::Keyed
    } else if channels.iter().any(|channel| keys(channel).is_some()) {
        KeyState::Animated
    } else if muted.iter().any(|channel| keys(channel).is_some()) {
        KeyState::Muted
    } else {
        KeyState::Static
    }
}

/// Frame of the nearest key behind the frame that is shown, or before it: of what is selected, or of
/// everything where nothing selected has keys.
pub fn nearest_key(session: &Session, forwards: bool) -> Option<f32> {
    let animation = &session.scene().animation;
    let selected = keying::of_selection(session.animated(), session.selection());
    let mut times: Vec<Vec<f32>> = Vec::new();
    times.extend(
        selected
            .iter()
            .filter_map(|channel| Some(animation.get(channel)?.times())),
    );
    times.retain(|times| !times.is_empty());
    if times.is_empty() {
        let all = animation.channels.values().flat_map(|of| of.values());
        times.extend(all.map(|channel| channel.times()));
    }
    let frame = session.frame();
    let near = times.iter().filter_map(|times| match forwards {
        true => next_key(times, frame),
        false => previous_key(times, frame),
    });
    near.reduce(if forwards { f32::min } else { f32::max })
}
