//! The command that chooses how a surface follows its bones.

use super::CommandError;
use super::effects::Edit;
use super::part::skinned_mesh;
use crate::rig::skinning::Method;

pub fn set(edit: &mut Edit<'_>, mesh: &str, method: Method) -> Result<(), CommandError> {
    skinned_mesh(edit.scene, mesh)?;
    edit.change_skinned(mesh, |mesh| mesh.skinning = method);
    Ok(())
}
