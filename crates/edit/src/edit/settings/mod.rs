//! How the window shows and does things: the settings of the view, and what the user prefers.

pub mod options;
pub mod preferences;
pub mod preset;
pub(super) mod shortcut;
pub mod tab;
pub mod view;
pub mod view_colors;
