//! Surfaces: the half-edge mesh of the document, and the render mesh made from it.

pub mod bvh;
mod flip;
pub mod halfedge;
pub mod interior;
pub mod measure;
mod normals;
pub mod orientation;
mod polygons;
pub mod primitives;
pub mod regions;
pub mod render;
pub mod repair;
pub mod shading;
mod shells;
mod smooth;
pub mod soup;
pub mod statistics;
pub mod triangulate;
mod validate;
pub mod weld;
