//! Ossature: rigging and animating characters.
//!
//! The program, and what the crates below it hold. A module may only use the modules before it:
//!
//!  | module | contents |
//!  |---|---|
//!  | [`math`] | rotations, segments, rays, bounds, the viewing camera |
//!  | [`mesh`] | half-edge surfaces and the render meshes made from them |
//!  | [`rig`] | bones and their properties, what a body is, kinematics, inverse kinematics, bone weights, skinning |
//!  | [`motion`] | generated motions: gaits and others |
//!  | [`anim`] | splines and animation channels |
//!  | [`scene`] | the document and its evaluation at a frame |
//!  | [`io`] | js3d, glTF and OBJ files, findings, durable saving |
//!  | [`edit`] | session, history, commands, selection, tools |
//!  | [`cli`] | headless commands |
//!  | `editor` | the window (Bevy and egui; Cargo feature `editor`) |

// Only the headless commands may print; they allow it themselves.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod cli;
#[cfg(feature = "editor")]
pub mod editor;

pub use ossature_document::{anim, io, scene};
pub use ossature_edit::edit;
pub use ossature_motion::motion;
pub use ossature_rig::{extra, math, mesh, rig};
