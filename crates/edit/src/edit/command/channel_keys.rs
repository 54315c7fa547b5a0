//! A selection of keys of one channel.

use crate::anim::channel::ChannelRef;
use serde::{Deserialize, Serialize};

/// Keys of one channel, identified by their exact frames. Frames without a key are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChannelKeys {
    pub channel: ChannelRef,
    pub frames: Vec<f32>,
}
