//! Surfaces: the half-edge mesh of the document and the render mesh made from it.

pub mod halfedge;
pub mod render;
