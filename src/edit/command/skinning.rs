//! The command that chooses how a surface follows its bones.

use super::CommandError;
use super::part::{self, skinned_mesh};
use crate::rig::skinning::Method;
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;

pub fn set(scene: &mut Scene, mesh: &str, method: Method) -> Result<(), CommandError> {
    let old = skinned_mesh(scene, mesh)?;
    if old.skinning != method {
        let new = SkinnedMesh {
            skinning: method,
            ..(**old).clone()
        };
        part::put(scene, mesh, new);
    }
    Ok(())
}
