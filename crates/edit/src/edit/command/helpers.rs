//! Helpers for all commands: looking up objects by name or index, checking values, changing a skeleton.

use super::effects::Edit;
use super::{CommandError, Result};
use crate::anim::channel::ChannelRef;
use crate::rig::rest;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::VertexWeights;
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use glam::Vec3;
use std::sync::Arc;

/// Returns the skinned mesh named `mesh`.
pub fn skinned_mesh<'a>(scene: &'a Scene, mesh: &str) -> Result<&'a Arc<SkinnedMesh>> {
    scene
        .skinned_meshes
        .get(mesh)
        .ok_or_else(|| CommandError::NoSuch { kind: "skinned mesh", name: mesh.to_owned() })
}

/// The error that a channel has no keys.
pub fn no_keys(channel: &ChannelRef) -> CommandError {
    CommandError::NoSuch {
        kind: "channel with keys",
        name: format!("{} of {}", channel.channel, channel.resource),
    }
}

/// Replaces the skeleton of a mesh with a copy that was modified by `change`.
pub fn edit_skeleton(edit: &mut Edit, mesh: &str, change: impl FnOnce(&mut Skeleton) -> Result) -> Result {
    edit_rig(edit, mesh, |_, skeleton| change(skeleton).map(|()| None))
}

/// Like [`edit_skeleton`], but for changes that may affect weights: `change` gets the current mesh and a copy
/// of its skeleton, and returns new weights if any.
pub fn edit_rig(
    edit: &mut Edit,
    mesh: &str,
    change: impl FnOnce(&SkinnedMesh, &mut Skeleton) -> Result<Option<VertexWeights>>,
) -> Result {
    let old = Arc::clone(skinned_mesh(edit.scene, mesh)?);
    let mut skeleton = (*old.skeleton).clone();
    let weights = change(&old, &mut skeleton)?;
    check_all_finite(&skeleton)?;
    rest::drop_stale(&old.skeleton, &mut skeleton);
    edit.change_skinned(mesh, |mesh| {
        mesh.skeleton = Arc::new(skeleton);
        mesh.weights = weights.map_or_else(|| Arc::clone(&old.weights), Arc::new);
    });
    Ok(())
}

/// Checks that `index` is below `count`.
pub fn check_index(mesh: &str, part: &'static str, index: usize, count: usize) -> Result {
    if index < count {
        return Ok(());
    }
    Err(CommandError::NoIndex { mesh: mesh.to_owned(), part, index })
}

pub fn check_bone(mesh: &str, skeleton: &Skeleton, bone: usize) -> Result {
    check_index(mesh, "bone", bone, skeleton.bones.len())
}

/// Checks the bones of a command and returns them in ascending order without duplicates, at least one. Links
/// are left out: they follow the bones that they carry.
pub fn checked_bones(mesh: &str, skeleton: &Skeleton, bones: &[usize]) -> Result<Vec<usize>> {
    for &b in bones {
        check_bone(mesh, skeleton, b)?;
    }
    let mut bones = bones.to_vec();
    bones.sort_unstable();
    bones.dedup();
    bones.retain(|&bone| !skeleton.bones[bone].link);
    if bones.is_empty() {
        return Err(NO_BONES);
    }
    Ok(bones)
}

/// The error for an empty list of bones.
pub const NO_BONES: CommandError = CommandError::Value { subject: "the list of bones", rule: "not empty" };

pub fn check_handle(mesh: &str, skeleton: &Skeleton, handle: usize) -> Result {
    check_index(mesh, "handle", handle, skeleton.handles.len())
}

pub fn check_finite(subject: &'static str, value: Vec3) -> Result {
    if value.is_finite() {
        return Ok(());
    }
    Err(CommandError::Value { subject, rule: "three finite numbers" })
}

pub fn check_number(subject: &'static str, value: f32) -> Result {
    let rule = "a finite number";
    value.is_finite().then_some(()).ok_or(CommandError::Value { subject, rule })
}

pub fn check_radius(value: f32) -> Result {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(CommandError::Value { subject: "the radius", rule: "a finite number that is not negative" })
}

/// Checks that a skeleton is finite: finite arguments can still add up to infinity, for example in the tails
/// of children.
fn check_all_finite(skeleton: &Skeleton) -> Result {
    let bones = skeleton.bones.iter().all(|b| {
        b.extent.is_finite() && b.pose_deg.is_finite() && b.roll_deg.is_finite() && b.radius.is_finite()
    });
    let handles = skeleton.handles.iter().all(|h| h.target.is_finite());
    if bones && handles && skeleton.base.is_finite() && skeleton.base_offset.is_finite() {
        return Ok(());
    }
    Err(CommandError::Value { subject: "the result", rule: "within the range of 32-bit numbers" })
}
