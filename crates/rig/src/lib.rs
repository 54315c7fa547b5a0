//! Skeletons and surfaces: kinematics, inverse kinematics, bone weights and skinning, without a window, a scene
//! or a file format.
//!
//!  | module | contents |
//!  |---|---|
//!  | [`math`] | rotations, segments, rays, bounds, the viewing camera |
//!  | [`mesh`] | half-edge surfaces and the render meshes made from them |
//!  | [`rig`] | bones, kinematics, inverse kinematics, bone weights, skinning |
//!  | [`extra`] | unknown members of a file, which must be preserved |

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod extra;
pub mod math;
pub mod mesh;
pub mod rig;
#[cfg(test)]
mod testing;
