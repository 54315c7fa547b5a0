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

    /// Those in the light theme, as long as none has been chosen.
    pub const LIGHT: Self = Self {
        background: [0xdb, 0xdd, 0xe1],
        floor: [0xcb, 0xce, 0xd4],
        grid: [0xae, 0xb2, 0xba],
        bones: [0x4a, 0x60, 0xae],
        left_bones: [0x14, 0x76, 0x8e],
        right_bones: [0xa6, 0x43, 0x6a],
        selected: [0xc6, 0x5a, 0x00],
        also_selected: [0x8f, 0x3c, 0x0a],
    };

    /// Whether marks on the background must be dark.
    pub fn is_light(&self) -> bool {
        let [r, g, b] = self.background.map(f32::from);
        0.2126 * r + 0.7152 * g + 0.0722 * b > 140.0
    }

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
