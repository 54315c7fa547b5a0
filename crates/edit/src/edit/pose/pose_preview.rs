//! Previews a saved pose while the pointer rests on its picture. The document does not change.

use crate::edit::command::{Command, PoseChange, PoseUse};
use crate::scene::Scene;

/// The preview of a saved pose.
#[derive(Clone, Debug, PartialEq)]
pub struct PosePreview {
    /// The name of the skinned mesh.
    pub mesh: String,
    pub pose_use: PoseUse,
}

impl PosePreview {
    /// Returns the scene with the pose applied; `None` if that fails.
    pub fn apply_to(&self, scene: &Scene) -> Option<Scene> {
        let (mesh, change) = (self.mesh.clone(), PoseChange::Apply(self.pose_use.clone()));
        let mut posed = scene.clone();
        Command::Poses { mesh, change }.apply(&mut posed).ok()?;
        Some(posed)
    }
}
