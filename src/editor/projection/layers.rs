//! The render layers, and the conversion of colours to Bevy.

use bevy::prelude::Color;

/// The layer of the scene itself.
pub const SCENE_LAYER: usize = 0;
/// The layer of overlays.
pub const OVERLAY_LAYER: usize = 1;
/// The layers of the compared skins, on the left and on the right.
pub const SIDE_LAYERS: [usize; 2] = [2, 3];

pub fn color(c: egui::Color32) -> Color {
    let [r, g, b, a] = c.to_srgba_unmultiplied();
    Color::srgba_u8(r, g, b, a)
}
