//! Widgets and the theme. Depends on egui and on requests, not on Bevy or files.

pub mod action;
pub mod choice;
pub mod color;
pub mod curve;
pub mod dialog;
pub mod digits;
pub mod dock;
pub mod drag_keys;
pub mod expression;
pub mod fields;
pub mod icons;
pub mod keyed;
pub mod list;
pub mod mixed_value;
pub mod number;
pub mod plot;
pub mod row;
pub mod segments;
pub mod setting;
pub mod share;
pub mod slider;
pub mod text;
pub mod theme;
pub mod tooltip;
pub mod tree;
pub mod weight_colors;
