//! How the program behaves, as chosen in Edit > Preferences: no part of any document, and remembered from run to run.

use super::action::keymap::Keymap;
use super::history::MOST_BYTES;
use serde::{Deserialize, Serialize};

/// Which buttons of the mouse move the camera.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MousePreset {
    /// The middle button or Alt and the left orbit, with Shift they pan; the right button pans.
    #[default]
    Ossature,
    /// As that, and Ctrl with the middle button zooms.
    Blender,
    /// Alt and the left button orbit, Alt and the middle button pan, Alt and the right button zoom. Without Alt the
    /// middle and the right button pan.
    Maya,
}

impl MousePreset {
    pub const ALL: [Self; 3] = [Self::Ossature, Self::Blender, Self::Maya];

    pub fn text(self) -> &'static str {
        match self {
            Self::Ossature => "Ossature",
            Self::Blender => "Blender",
            Self::Maya => "Maya",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Of everything in the window but the scene: 1 is as the desktop has it.
    pub scale: f32,
    pub keys: Keymap,
    pub mouse: MousePreset,
    /// Memory that undo may hold.
    pub undo_megabytes: usize,
    /// Whether what is done is written down as it is done.
    pub journal: bool,
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
            mouse: MousePreset::default(),
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
