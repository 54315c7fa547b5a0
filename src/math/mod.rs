//! Geometry that knows nothing of meshes, bones or files.

pub mod bounds;
pub mod camera;
pub mod colormap;
pub mod navigate;
pub mod ray;
pub mod rotation;
pub mod segment;
#[cfg(test)]
pub(crate) mod testing;
