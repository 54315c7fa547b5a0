//! Editing: the session with its scene, selection and history; commands; actions; tools. Independent of
//! windows, egui and Bevy.

pub mod action;
pub mod command;
pub mod compare;
pub mod fitting;
pub mod generate;
pub mod journal;
pub mod motions;
pub mod paint;
pub mod pose;
pub mod render;
pub mod request;
pub mod select;
pub mod session;
pub mod settings;
pub mod skin_check;
pub mod standing;
#[cfg(test)]
mod testing;
pub mod time;
pub mod tool;
