//! Which keys of a channel something is about.

use crate::anim::channel::ChannelRef;
use serde::{Deserialize, Serialize};

/// Keys of one channel, by their exact frames. Frames without a key mean nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChannelKeys {
    pub channel: ChannelRef,
    pub frames: Vec<f32>,
}
