//! Editing: the session with its scene, selection and history; commands; actions; tools.
//! Knows nothing of windows, egui or Bevy.

pub mod action;
pub mod command;
mod follow;
pub mod history;
pub mod pick;
#[cfg(test)]
mod pick_tests;
pub mod probe;
pub mod request;
pub mod same;
pub mod selection;
pub mod session;
pub mod stage;
pub mod tool;
pub mod view;
