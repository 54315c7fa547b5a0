//! What all commands share: finding the thing by name or index, checking values, changing a skeleton.

use super::effects::Edit;
use super::{CommandError, Result};
use crate::rig::rest;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::VertexWeights;
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use glam::Vec3;
use std::sync::Arc;

/// The skinned mesh called `mesh`.
pub fn skinned_mesh<'a>(scene: &'a Scene, mesh: &str) -> Result<&'a Arc<SkinnedMesh>> {
    scene
        .skinned_meshes
        .get(mesh)
        .ok_or_else(|| CommandError::NoSuch {
            what: "skinned mesh",
            name: mesh.to_owned(),
        })
}

/// Changes the mesh's skeleton with `change`, which gets a copy of it.
pub fn edit_skeleton(edit: &mut Edit, mesh: &str, change: impl FnOnce(&mut Skeleton) -> Result) -> Result {
    edit_rig(edit, mesh, |_, skeleton| change(skeleton).map(|()| None))
}

/// Like [`edit_skeleton`], where weights may change along: `change` gets the mesh as it is and a copy of its
/// skeleton, and returns new weights if there are any.
pub fn edit_rig(
    edit: &mut Edit,
    mesh: &str,
    change: impl FnOnce(&SkinnedMesh, &mut Skeleton) -> Result<Option<VertexWeights>>,
) -> Result {
    let old = Arc::clone(skinned_mesh(edit.scene, mesh)?);
    let mut skeleton = (*old.skeleton).clone();
    let weights = change(&old, &mut skeleton)?;
    all_finite(&skeleton)?;
    rest::drop_stale(&old.skeleton, &mut skeleton);
    edit.change_skinned(mesh, |mesh| {
        mesh.skeleton = Arc::new(skeleton);
        mesh.weights = weights.map_or_else(|| Arc::clone(&old.weights), Arc::new);
    });
    Ok(())
}

/// That `index` is below `count`.
pub fn index(mesh: &str, what: &'static str, index: usize, count: usize) -> Result {
    if index < count {
        return Ok(());
    }
    Err(CommandError::NoIndex {
        mesh: mesh.to_owned(),
        what,
        index,
    })
}

pub fn bone(mesh: &str, skeleton: &Skeleton, bone: usize) -> Result {
    index(mesh, "bone", bone, skeleton.bones.len())
}

/// The bones of a command: in ascending order, each once, at least one. Links are left out: they go with
/// the bones that they carry.
pub fn bones(mesh: &str, skeleton: &Skeleton, bones: &[usize]) -> Result<Vec<usize>> {
    for &b in bones {
        bone(mesh, skeleton, b)?;
    }
    let mut bones = bones.to_vec();
    bones.sort_unstable();
    bones.dedup();
    bones.retain(|&bone| !skeleton.bones[bone].link);
    if bones.is_empty() {
        return Err(NOTHING);
    }
    Ok(bones)
}

/// The error of a list with nothing on it.
pub const NOTHING: CommandError = CommandError::Value {
    what: "the list of bones",
    rule: "not empty",
};

pub fn handle(mesh: &str, skeleton: &Skeleton, handle: usize) -> Result {
    index(mesh, "handle", handle, skeleton.handles.len())
}

pub fn finite(what: &'static str, value: Vec3) -> Result {
    if value.is_finite() {
        return Ok(());
    }
    Err(CommandError::Value {
        what,
        rule: "three finite numbers",
    })
}

pub fn number(what: &'static str, value: f32) -> Result {
    let rule = "a finite number";
    value
        .is_finite()
        .then_some(())
        .ok_or(CommandError::Value { what, rule })
}

pub fn radius(value: f32) -> Result {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(CommandError::Value {
        what: "the radius",
        rule: "a finite number that is not negative",
    })
}

/// Finite arguments can still add up to infinity (tips of children, for instance).
fn all_finite(skeleton: &Skeleton) -> Result {
    let bones = skeleton.bones.iter().all(|b| {
        b.extent.is_finite() && b.pose_deg.is_finite() && b.roll_deg.is_finite() && b.radius.is_finite()
    });
    let handles = skeleton.handles.iter().all(|h| h.target.is_finite());
    if bones && handles && skeleton.base.is_finite() && skeleton.base_offset.is_finite() {
        return Ok(());
    }
    Err(CommandError::Value {
        what: "the result",
        rule: "small enough for a number to hold it",
    })
}
