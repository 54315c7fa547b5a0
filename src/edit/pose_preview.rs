//! A saved pose that is shown while the pointer rests on its picture. The document knows nothing of it.

use super::command::{Command, PoseChange, PoseUse};
use crate::scene::Scene;

#[derive(Clone, Debug, PartialEq)]
pub struct PosePreview {
    /// Name of the skinned mesh.
    pub mesh: String,
    pub how: PoseUse,
}

impl PosePreview {
    /// The scene with the pose taken. `None` where it cannot be.
    pub fn on(&self, scene: &Scene) -> Option<Scene> {
        let (mesh, change) = (self.mesh.clone(), PoseChange::Apply(self.how.clone()));
        let mut posed = scene.clone();
        Command::Poses { mesh, change }.apply(&mut posed).ok()?;
        Some(posed)
    }
}
