//! The key state of values at the current frame, and the nearest keys.

use crate::anim::channel::ChannelRef;
use crate::edit::session::Session;
use crate::edit::time::keying;
use crate::edit::time::playback::{next_key, previous_key};

/// The relation of a value to its keys at the current frame, which determines the colour of its field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyState {
    /// No keys: the value is the same at every frame.
    #[default]
    Static,
    /// Keys, but only at other frames.
    Animated,
    /// A key at this frame.
    Keyed,
    /// Keys, and a change that was not keyed.
    Unkeyed,
    /// Muted keys: the value is the same at every frame.
    Muted,
}

impl KeyState {
    /// Returns a sentence for the tooltip, if there is anything to report.
    pub fn text(self) -> Option<&'static str> {
        match self {
            KeyState::Static => None,
            KeyState::Animated => Some("Animated, without a key at this frame."),
            KeyState::Keyed => Some("Keyed at this frame."),
            KeyState::Unkeyed => Some("Changed but not keyed."),
            KeyState::Muted => Some("Its keys are muted."),
        }
    }

    /// Returns the state of a component of the value, which may be `muted`.
    pub fn for_component(self, muted: bool) -> Self {
        match self {
            KeyState::Static => self,
            _ if muted => KeyState::Muted,
            _ => self,
        }
    }
}

/// Returns which components are muted in all of the channels that have keys.
pub fn muted_components(session: &Session, channels: &[ChannelRef]) -> [bool; 3] {
    let animation = &session.scene().animation;
    let channels = keying::in_active_layers(session.scene(), channels.iter().cloned());
    let keyed = channels.iter().filter(|channel| animation.get(channel).is_some());
    let mutes = keyed.map(|channel| animation.mute(&channel.resource, &channel.channel).0);
    let both = |a: [bool; 3], b: [bool; 3]| std::array::from_fn(|i| a[i] && b[i]);
    mutes.reduce(both).unwrap_or_default()
}

/// Returns the combined state of several channels: unkeyed if one is, keyed if all are, animated if one is.
/// Channels that are muted entirely only count if all are. In a character with an active layer, the keys are those of the layer.
pub fn state(session: &Session, channels: &[ChannelRef]) -> KeyState {
    let unkeyed = session.unkeyed();
    let is_unkeyed = |channel: &ChannelRef| unkeyed.contains(&channel.resource, &channel.channel);
    if channels.iter().any(is_unkeyed) {
        return KeyState::Unkeyed;
    }
    let animation = &session.scene().animation;
    let channels = &keying::in_active_layers(session.scene(), channels.iter().cloned())[..];
    let keys = |channel: &ChannelRef| animation.get(channel).filter(|found| found.key_count() > 0);
    let is_muted = |channel: &&ChannelRef| animation.mute(&channel.resource, &channel.channel).is_whole();
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

/// Returns the frame of the nearest key after or before the current frame: a key of the selection, or any key
/// if the selection has none.
pub fn nearest_key(session: &Session, forwards: bool) -> Option<f32> {
    let animation = &session.scene().animation;
    let selected = keying::selection_channels(session.animated(), session.selection());
    let selected = keying::in_active_layers(session.scene(), selected);
    let mut times: Vec<Vec<f32>> = Vec::new();
    times.extend(selected.iter().filter_map(|channel| Some(animation.get(channel)?.times())));
    times.retain(|times| !times.is_empty());
    if times.is_empty() {
        let all = animation.channels.values().flat_map(|by_name| by_name.values());
        times.extend(all.map(|channel| channel.times()));
    }
    let frame = session.frame();
    let nearest = times
        .iter()
        .filter_map(|times| if forwards { next_key(times, frame) } else { previous_key(times, frame) });
    nearest.reduce(if forwards { f32::min } else { f32::max })
}
