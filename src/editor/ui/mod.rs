//! Widgets and the theme. Knows egui and the vocabulary of requests, nothing of Bevy or files.

pub mod action;
pub mod digits;
pub mod fields;
pub mod heat;
pub mod icons;
pub mod list;
pub mod number;
pub mod row;
pub mod slider;
pub mod theme;
