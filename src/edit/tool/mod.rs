//! Tools: what pointer gestures in the viewport mean.

pub mod gizmo;
pub mod translate;
