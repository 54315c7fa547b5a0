//! Weight painting: brush strokes on a surface and their effect on the rows of weights.
//!
//! A stroke is a distance field: how far each point is, along the surface, from the path of the brush. The
//! strength falls off with that distance, and rows are calculated from those at the start of the stroke. So
//! the result depends neither on how often the brush passes a position nor on how the path of the pointer is
//! divided into frames, to the bit. Smoothing and accumulating brushes work in dabs instead, at equal steps
//! along the path.
//!
//! Independent of screen and document: the caller provides the contacts with the surface ([`path`]).

pub mod brush;
pub mod canvas;
mod field;
mod heal;
pub mod mirror;
pub mod painted;
pub mod path;
mod pull;
pub mod rim;
pub mod row;
pub mod stroke;
#[cfg(test)]
mod tests;

pub use brush::{Brush, Falloff, Mode, Reach};
pub use canvas::Canvas;
pub use mirror::MirrorMap;
pub use painted::PaintedRows;
pub use path::Contact;
pub use rim::Rim;
pub use row::Rules;
pub use stroke::Stroke;
