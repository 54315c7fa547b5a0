//! Moving a surface with its bones.

pub mod linear;
