//! Channels at a frame, written into a copy of the scene.

use super::Scene;

/// The scene with every channel's value at `frame` in place. Channels without a target, or of another
/// type than their target, have no effect. Resources that no channel touches stay shared.
pub fn driven(_scene: &Scene, _frame: f32) -> Scene {
    todo!()
}
