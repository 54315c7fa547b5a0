//! Commands on keys and on the frame range of the animation.
//!
//! A key that is moved onto another replaces it, as in Blender; if moved keys meet, the first in time is
//! kept. The label of the step contains the number of replaced keys ([`replaced`]), and undo restores them.
//! The clip is extended to contain all keys.

mod change;
mod hold;
mod inserted_slopes;
mod label;
mod retime;
mod reverse;
mod ripple;
mod spread_slopes;

use super::Result;
pub use super::channel_keys::ChannelKeys;
use super::effects::Edit;
use crate::anim::channel::{ChannelRef, Value};
use crate::anim::filters::Filter;
use crate::anim::mode::{KeyShape, Mode, Slopes};
pub use change::replaced;
pub use label::{label, owner};
pub use retime::{are_all, has_ranges};
use serde::{Deserialize, Serialize};

/// Keys of one channel with their values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyframeValues {
    pub channel: ChannelRef,
    pub knots: Vec<(f32, Value)>,
    /// One mode per key. If empty, replaced keys pass on their modes, and new ones are clamped.
    #[serde(default)]
    pub modes: Vec<KeyShape>,
}

/// The purpose of inserting keys, for the label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    Paste,
    Duplicate,
    Bake,
    /// Locking something in place.
    Lock,
    /// A change at a frame, and its share of the keys nearby. Curves beyond the first keys that stay do so too.
    Spread,
    /// Moving a point of a motion path; the first key of the first channel is at its frame, and is that of what was
    /// dragged.
    Path,
    /// Moving an instance with a bone, at every frame.
    Attach,
    /// Other Euler angles of the same rotations.
    Filter,
    /// Other values of existing keys.
    Value,
    /// A new key on a curve.
    Insert,
    /// The second half of a cycle from the first.
    Cycle,
    /// The keys with which a character with layers has the values that are shown.
    Layer,
}

/// The slopes to set at a key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeySlopes {
    pub channel: ChannelRef,
    pub frame: f32,
    /// In value per frame, of the channel's type.
    #[serde(flatten)]
    pub slopes: Slopes<Value>,
}

fn smooth() -> Mode {
    Mode::Smooth
}

/// A command on keys. Frames are finite, need not be whole, and are from 0 to below
/// [`crate::anim::clip::Clip::MAX_LENGTH`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum KeyCommand {
    /// Inserts a key in each channel with the value stored in the scene; muted components get the value that
    /// the channel already has at the frame, so that their motion is preserved.
    Set {
        channels: Vec<ChannelRef>,
        frame: f32,
        /// The mode of new keys, unless the value holds there; in scripts that do not say: smooth.
        #[serde(default = "smooth", rename = "mode")]
        new_mode: Mode,
    },
    /// Inserts keys with given values. The channels must exist in the scene, with values of the same type.
    Put {
        purpose: Purpose,
        knots: Vec<KeyframeValues>,
    },
    Delete {
        keys: Vec<ChannelKeys>,
    },
    /// Sets the interpolation from these keys to the next. Boolean channels have no mode, and rotations hold,
    /// ease, or turn evenly.
    SetMode {
        keys: Vec<ChannelKeys>,
        mode: Mode,
    },
    /// Sets the slopes with which curves arrive at keys and leave them; `None` leaves that side to the mode.
    SetSlopes {
        keys: Vec<KeySlopes>,
    },
    /// Filters keys: see [`Filter`].
    Filter {
        keys: Vec<ChannelKeys>,
        filter: Filter,
    },
    /// Mutes or unmutes components of channels with keys; other components are unchanged. For channels whose
    /// values are not three numbers, all three must be chosen.
    Mute {
        channels: Vec<ChannelRef>,
        components: [bool; 3],
        muted: bool,
    },
    Move {
        keys: Vec<ChannelKeys>,
        #[serde(rename = "by")]
        offset: f32,
    },
    /// Moves a key at frame t to `about + (t - about) * factor`, with `snap` to the nearest whole frame. A
    /// negative factor reverses the motion. If the keys are all there are, play range and takes move along.
    Scale {
        keys: Vec<ChannelKeys>,
        about: f32,
        factor: f32,
        snap: bool,
    },
    /// Reverses the order of keys between the first and the last of them. Between two reversed keys, the motion is that
    /// of before, backwards. If the keys are all there are, play range and takes move along.
    Reverse {
        keys: Vec<ChannelKeys>,
    },
    /// Inserts frames before frame `first`: keys after the frame before it move later, with takes and the play
    /// range. Takes and a play range around them get longer, as does the animation.
    InsertFrames {
        first: u32,
        count: u32,
    },
    /// Removes frames from `first` on with their keys: later keys move earlier, with takes and the play range, and the
    /// animation gets shorter. No take may lie entirely within them.
    RemoveFrames {
        first: u32,
        count: u32,
    },
    /// Inserts frames after `frame` in which channels keep their value, by a key at both ends. Others move through
    /// them; without `channels`, all keep their value.
    Hold {
        frame: f32,
        count: u32,
        #[serde(default)]
        channels: Option<Vec<ChannelRef>>,
    },
    /// Stretches a take to a number of frames, with all keys in it; later keys and takes move along. A key right
    /// after the take that closes a loop still is there afterwards.
    RetimeTake {
        take: String,
        frames: u32,
    },
    /// Moves keys to the nearest whole frames.
    Snap {
        keys: Vec<ChannelKeys>,
    },
    /// The frame rate is from 1 to 240.
    SetRate {
        frames_per_second: f32,
    },
    /// The length must include all keys and takes.
    SetLength {
        frames: u32,
    },
    /// Sets the first and last frame of the play range. This deselects a take with another range.
    SetRange {
        range: Option<[u32; 2]>,
    },
    /// Makes `frame` the last one; keys and takes after it are removed.
    CropEnd {
        frame: u32,
    },
}

pub fn apply(edit: &mut Edit, command: &KeyCommand) -> Result {
    change::apply(edit, command)
}
