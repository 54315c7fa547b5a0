//! Commands on keys, and on the frames that they play in.
//!
//! A key that is moved onto another replaces it, as in Blender; of moved keys that meet, the first in time
//! stays. How many go is in the label of the step ([`replaced`]), and undo brings them back. The clip
//! grows to hold every key.

mod change;
mod label;

use super::Result;
pub use super::channel_keys::ChannelKeys;
use super::effects::Edit;
use crate::anim::channel::{ChannelRef, Value};
use crate::anim::mode::Mode;
pub use change::replaced;
pub use label::{label, owner};
use serde::{Deserialize, Serialize};

/// Keys of one channel with their values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyframeValues {
    pub channel: ChannelRef,
    pub knots: Vec<(f32, Value)>,
    /// One for each key; none: keys that were there keep theirs, new ones are smooth.
    #[serde(default)]
    pub modes: Vec<Mode>,
}

/// Why keys are put: for the label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    Paste,
    Duplicate,
    Bake,
    /// Something is held in place.
    Lock,
}

/// Frames are finite and lie from 0 up to [`crate::anim::clip::Clip::MAX_LENGTH`], whole or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum KeyCommand {
    /// A key in each channel, with the value that the scene stores; where it is muted, with the value that
    /// the channel has there already, so that what is muted keeps its motion.
    Set {
        channels: Vec<ChannelRef>,
        frame: f32,
    },
    /// Keys with values of their own. The channels must be ones that the scene has, of their types.
    Put {
        purpose: Purpose,
        knots: Vec<KeyframeValues>,
    },
    Delete {
        keys: Vec<ChannelKeys>,
    },
    /// How the keys go on to the next. Switches have no mode, and turns hold or do not.
    SetMode {
        keys: Vec<ChannelKeys>,
        mode: Mode,
    },
    /// Mutes components of channels with keys, or unmutes them; the others stay as they are. All three, of
    /// channels whose values are not three numbers.
    Mute {
        channels: Vec<ChannelRef>,
        components: [bool; 3],
        muted: bool,
    },
    Move {
        keys: Vec<ChannelKeys>,
        by: f32,
    },
    /// A key at t goes to `about + (t - about) * factor`, to the nearest whole frame with `snap`.
    /// A negative factor plays them backwards.
    Scale {
        keys: Vec<ChannelKeys>,
        about: f32,
        factor: f32,
        snap: bool,
    },
    /// To the nearest whole frame.
    Snap {
        keys: Vec<ChannelKeys>,
    },
    /// 1 to 240.
    SetRate {
        frames_per_second: f32,
    },
    /// Not so short that keys or takes lie behind it.
    SetLength {
        frames: u32,
    },
    /// First and last frame that are played. No take is chosen then, unless they are its own.
    SetRange {
        range: Option<[u32; 2]>,
    },
    /// `frame` becomes the last; keys and takes behind it go.
    CropEnd {
        frame: u32,
    },
}

pub fn apply(edit: &mut Edit, command: &KeyCommand) -> Result {
    change::apply(edit, command)
}
