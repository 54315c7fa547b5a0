//! What is drawn on which layer, and colours as Bevy states them.

use bevy::prelude::Color;

/// Layer of the scene itself.
pub const SCENE_LAYER: usize = 0;
/// Layer of what is drawn over it.
pub const OVERLAY_LAYER: usize = 1;
/// Layers of the skins that are compared, at the left and at the right.
pub const SIDE_LAYERS: [usize; 2] = [2, 3];

pub fn color(c: egui::Color32) -> Color {
    let [r, g, b, a] = c.to_srgba_unmultiplied();
    Color::srgba_u8(r, g, b, a)
}
