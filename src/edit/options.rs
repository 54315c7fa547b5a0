//! How the program behaves, as chosen in Edit > Preferences: no part of any document, and remembered from run to run.

use super::history::MOST_BYTES;
use super::preset::Preset;
use super::shortcut::Shortcut;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Of everything in the window but the scene: 1 is as the desktop has it.
    pub scale: f32,
    pub keys: Keymap,
    /// Which buttons of the mouse move the camera, see `tool/navigate.rs`.
    pub mouse: Preset,
    /// Memory that undo may hold.
    pub undo_megabytes: usize,
    /// Whether what is done is written down as it is done.
    pub journal: bool,
}

/// A preset of keys, and what a person has changed of it. What they mean is known to the actions, which read it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Keymap {
    pub preset: Preset,
    /// Keys of actions, by the names of their rows; empty for an action without keys. Names that this version does not
    /// know are kept.
    pub(super) changed: BTreeMap<String, Vec<Shortcut>>,
}

/// From the smallest to the largest interface.
pub const SCALES: [f32; 2] = [0.5, 3.0];
/// Megabytes for undo.
pub const UNDO_MEGABYTES: [usize; 2] = [16, 16_384];

impl Default for Options {
    fn default() -> Self {
        Self {
            scale: 1.0,
            keys: Keymap::default(),
            mouse: Preset::default(),
            undo_megabytes: MOST_BYTES >> 20,
            journal: true,
        }
    }
}

impl Options {
    /// The next larger or smaller interface, by a tenth.
    pub fn scaled(&self, steps: f32) -> f32 {
        let tenths = (self.scale * 10.0).round() + steps;
        (tenths / 10.0).clamp(SCALES[0], SCALES[1])
    }

    /// Numbers that a hand or a defect put there.
    pub fn within_reason(mut self) -> Self {
        self.scale = match self.scale.is_finite() {
            true => self.scale.clamp(SCALES[0], SCALES[1]),
            false => 1.0,
        };
        self.undo_megabytes = self.undo_megabytes.clamp(UNDO_MEGABYTES[0], UNDO_MEGABYTES[1]);
        self
    }
}
