//! The window: Bevy and egui around the editing core.
//!
//! `ui` and `panels` know egui alone; everything that names Bevy lies beside them.

pub mod panels;
pub mod ui;
