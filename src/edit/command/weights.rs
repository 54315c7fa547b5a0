//! The command that calculates bone weights.

use super::CommandError;
use super::part::{self, skinned_mesh};
use crate::rig::weights::method::{Method, Progress};
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use std::sync::Arc;

/// Replaces the weights of `mesh`. Gives the findings of the method, as sentences.
///
/// # Errors
/// If there is no such mesh, or the method cannot weigh it.
pub fn calculate(
    scene: &mut Scene,
    mesh: &str,
    method: &Method,
    progress: &Progress<'_>,
) -> Result<Vec<String>, CommandError> {
    let old = Arc::clone(skinned_mesh(scene, mesh)?);
    let calculated = method.calculate(&old.skeleton, &old.surface, progress)?;
    if calculated.weights != *old.weights {
        let weights = Arc::new(calculated.weights);
        part::put(
            scene,
            mesh,
            SkinnedMesh {
                weights,
                ..(*old).clone()
            },
        );
    }
    Ok(calculated.findings)
}
