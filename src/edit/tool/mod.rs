//! Tools: what pointer gestures in the viewport mean.

pub mod gizmo;
pub mod rings;
#[cfg(test)]
mod rings_tests;
pub mod target;
pub mod translate;
