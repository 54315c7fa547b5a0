//! The command that calculates bone weights.

use super::CommandError;
use super::part::{self, skinned_mesh};
use crate::rig::weights::capsule::capsule_weights;
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use std::sync::Arc;

pub fn calculate(scene: &mut Scene, mesh: &str) -> Result<(), CommandError> {
    let old = Arc::clone(skinned_mesh(scene, mesh)?);
    let weights = capsule_weights(&old.skeleton, old.surface.positions());
    if weights != *old.weights {
        let weights = Arc::new(weights);
        part::put(
            scene,
            mesh,
            SkinnedMesh {
                weights,
                ..(*old).clone()
            },
        );
    }
    Ok(())
}
