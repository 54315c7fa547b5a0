//! Motions that are generated for a skeleton of any proportions: skeletons in, poses at every frame out.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod motion;
#[cfg(test)]
mod testing;

use ossature_rig::{math, rig};
