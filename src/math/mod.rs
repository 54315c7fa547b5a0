//! Geometry that knows nothing of meshes, bones or files.

pub mod camera;
pub mod rotation;
pub mod segment;
