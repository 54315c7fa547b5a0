//! Presets: keys and mouse buttons as in other programs.

use serde::{Deserialize, Serialize};

/// The program whose keys or mouse buttons apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    #[default]
    Ossature,
    Blender,
    Maya,
}

impl Preset {
    pub const ALL: [Self; 3] = [Self::Ossature, Self::Blender, Self::Maya];

    pub fn text(self) -> &'static str {
        match self {
            Self::Ossature => "Ossature",
            Self::Blender => "Blender",
            Self::Maya => "Maya",
        }
    }
}
