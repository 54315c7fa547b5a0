//! The panels without a window: every control is found by its accessible name and pressed, dragged or typed
//! into, and its requests are compared with what they should be.
#![cfg(feature = "editor")]

mod bone_actions;
mod brush;
mod buttons;
mod columns;
mod compare;
mod confirming;
mod dialogs;
mod endurance;
mod exporting;
mod facts;
mod fields;
mod graph;
mod graph_heights;
mod graph_tools;
mod handles;
mod importing;
mod joints;
mod layers;
mod layout;
mod lists;
mod menus;
mod meshes;
mod palette;
mod pose;
mod poses;
mod preferences;
mod properties;
#[path = "../random/mod.rs"]
mod random;
mod render;
mod ruler;
mod several;
mod sheet;
mod sheet_eases;
mod sheet_keys;
mod sheet_mute;
mod skinning;
mod sound;
mod support;
mod takes;
mod things;
mod time;
mod toasts;
mod tooltips;
mod transport;
mod tree;
mod vertices;
mod weights;

use glam::Vec3;
use ossature::edit::command::Command;
use ossature::edit::request::Request;

/// The skinned mesh of the test scene.
const MESH: &str = "Body";

fn mesh() -> String {
    MESH.into()
}

fn pose(bone: usize, pose_deg: Vec3) -> Request {
    Request::Apply(vec![Command::set_bone(mesh(), bone, "pose", pose_deg)])
}
