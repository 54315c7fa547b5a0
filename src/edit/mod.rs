//! Editing: the session with its scene, selection and history; commands; actions; tools. Independent of
//! windows, egui and Bevy.

pub mod action;
pub mod active_rig;
pub mod autokey;
pub mod bake;
pub mod bone_shape;
pub mod box_select;
#[cfg(test)]
mod box_select_tests;
pub mod children;
pub mod command;
pub mod compare;
pub mod figure;
mod first_keys;
pub mod history;
pub mod hover;
pub mod journal;
mod json_error;
pub mod key_state;
pub mod keying;
pub mod keying_set;
pub mod limbs;
mod memory;
pub mod motion_paths;
pub mod newer_side;
pub mod onion;
pub mod options;
pub mod packed_weights;
pub mod paint;
pub mod pick;
#[cfg(test)]
mod pick_tests;
pub mod playback;
pub mod pose;
pub mod pose_library;
pub mod pose_preview;
pub mod preferences;
pub mod preset;
pub mod probe;
mod recording;
pub mod render;
pub mod replay;
pub mod request;
pub mod selection;
pub mod session;
mod shared;
mod shortcut;
mod similar_names;
pub mod snapshot;
pub mod step;
mod step_label;
mod stroke_preview;
pub mod tab;
#[cfg(test)]
mod testing;
pub mod timeline;
pub mod tool;
pub mod tween;
pub mod view;
pub mod view_colors;
