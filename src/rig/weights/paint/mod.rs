//! Weights painted by hand: the stroke of a brush on a surface, and what it makes of the rows of weights.
//!
//! A stroke is a field of distances: how far each point is, along the surface, from where the brush has been. Its
//! strength falls off with that distance, and rows are worked out from those that were there when the stroke began. So
//! neither how often a place is passed nor how the way of the pointer is cut into frames makes any difference, to the
//! bit. Smoothing and brushes that accumulate go by dabs, at equal steps along the way.
//!
//! Knows no screen and no document: those who paint say where the surface is touched ([`path`]).

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
