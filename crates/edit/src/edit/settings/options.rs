//! Program options, as chosen in Edit > Preferences: not part of any document, and remembered between runs.

use crate::edit::session::history::DEFAULT_MAX_BYTES;
use crate::edit::settings::preset::Preset;
use crate::edit::settings::shortcut::Shortcut;
use crate::edit::settings::view_colors::ViewColors;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The options of the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    pub theme: Theme,
    /// The chosen colours of the view; the default stands for those of the theme.
    pub colors: ViewColors,
    /// The scale of the interface, without the scene: 1 is the desktop's own.
    pub scale: f32,
    pub keys: Keymap,
    /// The mouse buttons that move the camera, see `tool/navigate.rs`.
    pub mouse: Preset,
    /// The memory limit for undo.
    pub undo_megabytes: usize,
    /// Whether steps are journaled as they happen.
    pub journal: bool,
    pub drawing: Drawing,
}

/// How smoothly the view is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Drawing {
    /// Fast if there is no graphics card.
    #[default]
    Automatic,
    /// With smooth edges.
    Smooth,
    Fast,
}

/// The colours of the window, and of the view of the scene unless they were chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    #[default]
    Dark,
    Light,
}

impl Theme {
    /// The colours of the view of the scene, as long as none has been chosen.
    pub fn view_colors(self) -> ViewColors {
        match self {
            Self::Dark => ViewColors::DEFAULT,
            Self::Light => ViewColors::LIGHT,
        }
    }
}

/// A preset of keys, and the user's changes to it. The actions interpret them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Keymap {
    pub preset: Preset,
    /// The changed keys of actions, by the names of their rows; empty for an action without keys. Names that
    /// this version does not know are kept.
    pub(in crate::edit) changed: BTreeMap<String, Vec<Shortcut>>,
}

/// The smallest and the largest scale of the interface.
pub const SCALES: [f32; 2] = [0.5, 3.0];
/// The smallest and the largest memory limit for undo, in megabytes.
pub const UNDO_MEGABYTES: [usize; 2] = [16, 16_384];

impl Default for Options {
    fn default() -> Self {
        Self {
            theme: Theme::default(),
            colors: ViewColors::default(),
            scale: 1.0,
            keys: Keymap::default(),
            mouse: Preset::default(),
            undo_megabytes: DEFAULT_MAX_BYTES >> 20,
            journal: true,
            drawing: Drawing::default(),
        }
    }
}

impl Options {
    /// Returns the colours that the view has.
    pub fn view_colors(&self) -> ViewColors {
        match self.colors == ViewColors::DEFAULT {
            true => self.theme.view_colors(),
            false => self.colors,
        }
    }

    /// Chooses the colours of the view; those of the theme leave them to it.
    pub fn set_view_colors(&mut self, colors: ViewColors) {
        self.colors = match colors == self.theme.view_colors() {
            true => ViewColors::DEFAULT,
            false => colors,
        };
    }

    /// Returns the scale after the given number of steps of a tenth.
    pub fn scaled(&self, steps: f32) -> f32 {
        let tenths = (self.scale * 10.0).round() + steps;
        (tenths / 10.0).clamp(SCALES[0], SCALES[1])
    }

    /// Clamps numbers that a manual edit or a defect may have put out of range.
    pub fn clamped(mut self) -> Self {
        self.scale = if self.scale.is_finite() { self.scale.clamp(SCALES[0], SCALES[1]) } else { 1.0 };
        self.undo_megabytes = self.undo_megabytes.clamp(UNDO_MEGABYTES[0], UNDO_MEGABYTES[1]);
        self
    }
}
