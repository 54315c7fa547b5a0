//! Geometry that is independent of meshes, bones and files.

pub mod angles;
pub mod axis;
pub mod bounds;
pub mod camera;
pub mod colormap;
pub mod decompose;
pub mod dual;
pub mod navigate;
pub mod nested_dissection;
pub mod outline;
pub mod ray;
pub mod reserve;
pub mod rotation;
pub mod segment;
pub mod simd;
pub mod sparse;
