//! What a person does to a scene, without a window: session, history, commands, actions, selection, tools, journal.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod edit;
#[cfg(test)]
mod testing;

use ossature_document::{anim, io, scene};
use ossature_motion::motion;
use ossature_rig::{extra, math, mesh, rig};
