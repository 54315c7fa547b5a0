//! Which frames have ghosts, and what these look like: switches of the view, no part of the document.

use serde::{Deserialize, Serialize};

/// The most before, after, and pinned.
pub const MOST_GHOSTS: u32 = 12;

/// Why a ghost is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Before,
    After,
    /// Its frame was chosen; it stays whichever frame is shown.
    Pinned,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OnionSettings {
    pub on: bool,
    /// At keys of the character; else every so many frames.
    pub by_keys: bool,
    pub before: u32,
    pub after: u32,
    /// From ghost to ghost, in frames.
    pub step: u32,
    /// The opacity of the nearest ghosts, from 0 to 1; others fade.
    pub opacity: f32,
    /// Only the surface that follows the selected bones, or those that the selected handles turn.
    pub limb: bool,
    /// sRGB colours of ghosts before, after and pinned.
    pub colors: [[u8; 3]; 3],
    /// Frames whose ghosts stay, ascending.
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

    /// Pins the ghost of a frame, or lets it go. Of more than [`MOST_GHOSTS`] the earliest is let go.
    pub fn toggle_pin(&mut self, frame: f32) {
        match self.pinned.iter().position(|at| *at == frame) {
            Some(at) => drop(self.pinned.remove(at)),
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
