//! The colours of the view of the scene that are chosen in Edit > Preferences.

use serde::{Deserialize, Serialize};

/// Red, green and blue in sRGB.
pub type Rgb = [u8; 3];

/// The colours of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewColors {
    pub background: Rgb,
    pub floor: Rgb,
    pub grid: Rgb,
    /// Bones in the middle, on the left and on the right.
    pub bones: Rgb,
    pub left_bones: Rgb,
    pub right_bones: Rgb,
    /// The active part of the selection, and the others.
    pub selected: Rgb,
    pub also_selected: Rgb,
}

impl ViewColors {
    pub const DEFAULT: Self = Self {
        background: [0x2b, 0x2d, 0x31],
        floor: [0x3f, 0x42, 0x48],
        grid: [0x54, 0x58, 0x5f],
        bones: [0x86, 0x9a, 0xd6],
        left_bones: [0x62, 0xb4, 0xc8],
        right_bones: [0xcc, 0x8d, 0xa6],
        selected: [0xf2, 0xa3, 0x3c],
        also_selected: [0xd2, 0x6e, 0x2a],
    };

    /// The name of each, and where it is stored.
    pub fn rows(&mut self) -> [(&'static str, &mut Rgb); 8] {
        [
            ("Background", &mut self.background),
            ("Floor", &mut self.floor),
            ("Grid", &mut self.grid),
            ("Bones", &mut self.bones),
            ("Left bones", &mut self.left_bones),
            ("Right bones", &mut self.right_bones),
            ("Selected", &mut self.selected),
            ("Also selected", &mut self.also_selected),
        ]
    }
}

impl Default for ViewColors {
    fn default() -> Self {
        Self::DEFAULT
    }
}
