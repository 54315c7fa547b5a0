//! Scenes: animation, the document and its evaluation at a frame, and the files that hold it.
//!
//!  | module | contents |
//!  |---|---|
//!  | [`anim`] | splines and animation channels |
//!  | [`scene`] | the document and its evaluation at a frame |
//!  | [`io`] | js3d, glTF and OBJ files, findings, durable saving |
//!
//! The layers below are [`ossature_rig`].

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod anim;
pub mod io;
pub mod scene;
#[cfg(test)]
mod testing;

use ossature_rig::{extra, math, mesh, rig};
