//! Habits from other programs: keys and buttons of the mouse as they have them.

use serde::{Deserialize, Serialize};

/// Whose keys or buttons count.
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
