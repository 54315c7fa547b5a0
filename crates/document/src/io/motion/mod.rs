//! Motion from other programs, whatever the format: joints become bones, rotations angles without jumps, values at every
//! frame a few keys, and animations takes.

pub mod bones;
pub mod clips;
pub mod file_keys;
pub mod keys;
pub mod surface_keys;
pub mod timeline;
