//! Surfaces: the half-edge mesh of the document and the render mesh made from it.

pub mod bvh;
pub mod halfedge;
mod normals;
mod polygons;
pub mod primitives;
pub mod render;
mod validate;
