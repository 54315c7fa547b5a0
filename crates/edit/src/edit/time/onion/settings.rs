//! View settings that determine which frames have ghosts and how these look; they are not part of the
//! document.

use serde::{Deserialize, Serialize};

/// The maximum number of ghosts before, after, and pinned, each.
pub const MOST_GHOSTS: u32 = 12;

/// The reason why a ghost is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Before,
    After,
    /// The user pinned its frame; it is shown whatever the current frame is.
    Pinned,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OnionSettings {
    pub on: bool,
    /// Whether ghosts are at keys of the character; otherwise every `step` frames.
    pub by_keys: bool,
    pub before: u32,
    pub after: u32,
    /// The distance between ghosts, in frames.
    pub step: u32,
    /// The opacity of the nearest ghosts, from 0 to 1; farther ones fade.
    pub opacity: f32,
    /// Whether only the surface that follows the selected bones, or the bones of the selected handles, is
    /// shown.
    pub limb: bool,
    /// The sRGB colours of ghosts before, after and pinned.
    pub colors: [[u8; 3]; 3],
    /// The pinned frames, in ascending order.
    #[serde(skip)]
    pub pinned: Vec<f32>,
}

impl Default for OnionSettings {
    fn default() -> Self {
        Self {
            on: false,
            by_keys: true,
            before: 2,
            after: 2,
            step: 4,
            opacity: 0.8,
            limb: false,
            colors: [[0xff, 0x4d, 0x88], [0x4d, 0xa6, 0xff], [0x8b, 0xd6, 0x5c]],
            pinned: Vec::new(),
        }
    }
}

impl OnionSettings {
    pub fn color(&self, side: Side) -> [u8; 3] {
        self.colors[side as usize]
    }

    pub fn is_pinned(&self, frame: f32) -> bool {
        self.pinned.contains(&frame)
    }

    /// Pins or unpins the ghost of a frame. Pinning more than [`MOST_GHOSTS`] unpins the earliest.
    pub fn toggle_pin(&mut self, frame: f32) {
        match self.pinned.iter().position(|pinned| *pinned == frame) {
            Some(index) => drop(self.pinned.remove(index)),
            None => {
                self.pinned.push(frame);
                self.pinned.sort_by(f32::total_cmp);
                if self.pinned.len() > MOST_GHOSTS as usize {
                    self.pinned.remove(0);
                }
            }
        }
    }
}
