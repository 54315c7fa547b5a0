//! Commands that change which bones there are and what their parents are, each on several bones at once.

use super::channels::{self, Owner};
use super::effects::Edit;
use super::helpers::{self, edit_rig, skinned_mesh};
use super::{CommandError, Result, poses};
use crate::rig::edits::names::Axis;
use crate::rig::edits::{self, links, mirror, order, sides, tree, weights};
use crate::rig::kinematics::{bind_pose, parent_past_links};
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::VertexWeights;
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use glam::Vec3;

/// Vertex weights name bones with 16 bits.
pub const MOST_BONES: usize = u16::MAX as usize;

/// The most pieces that one bone is cut into.
pub const MOST_PIECES: usize = 64;

pub fn reparent(edit: &mut Edit, mesh: &str, bones: &[usize], parent: Option<usize>) -> Result {
    let skeleton = &skinned_mesh(edit.scene, mesh)?.skeleton;
    let mut bones = helpers::bones(mesh, skeleton, bones)?;
    if let Some(parent) = parent {
        helpers::bone(mesh, skeleton, parent)?;
    }
    bones.retain(|&bone| parent_past_links(skeleton, bone) != parent);
    let ids = new_bone_ids(edit.scene, mesh, links::shared_count(skeleton, &bones))?;
    edit_rig(edit, mesh, |skinned, skeleton| {
        let parted = links::part(skeleton, &bones, &ids).ok_or(CIRCLE)?;
        let bones: Vec<usize> = bones.iter().map(|&bone| parted[bone]).collect();
        let parent = parent.map(|parent| parted[parent]);
        let places = tree::reparent(skeleton, &bones, parent).ok_or(CIRCLE)?;
        let places: Vec<usize> = parted.iter().map(|&bone| places[bone]).collect();
        Ok(moved(&skinned.weights, &places))
    })?;
    prune_links(edit, mesh)
}

/// Moves start and tip of a bone. Others that start at the same link stay where they are.
pub fn move_bone(edit: &mut Edit, mesh: &str, bone: usize, start: Vec3, tip: Vec3) -> Result {
    helpers::finite("the start", start)?;
    helpers::finite("the tail", tip)?;
    let skeleton = &skinned_mesh(edit.scene, mesh)?.skeleton;
    helpers::bone(mesh, skeleton, bone)?;
    let stays = bind_pose(skeleton)[bone].translation.as_vec3() == start;
    let ids = match stays {
        true => Vec::new(),
        false => new_bone_ids(edit.scene, mesh, links::shared_count(skeleton, &[bone]))?,
    };
    edit_rig(edit, mesh, |skinned, skeleton| {
        if ids.is_empty() {
            edits::move_bone(skeleton, bone, start, tip);
            return Ok(None);
        }
        let places = links::part(skeleton, &[bone], &ids).ok_or(TOO_MANY)?;
        edits::move_bone(skeleton, places[bone], start, tip);
        Ok(moved(&skinned.weights, &places))
    })
}

/// Removes links that carry nothing, as the last step of a command. It cannot fail where the steps before it
/// did not.
pub fn prune_links(edit: &mut Edit, mesh: &str) -> Result {
    let mut gone = Vec::new();
    edit_rig(edit, mesh, |skinned, skeleton| {
        let places = links::prune(skeleton);
        if places.iter().all(Option::is_some) {
            return Ok(None);
        }
        let bones = places.iter().enumerate().filter(|(_, place)| place.is_none());
        gone.extend(bones.flat_map(|(bone, _)| ids_on(&skinned.skeleton, bone)));
        Ok(Some(weights::remap(&skinned.weights, &places)))
    })?;
    remove_channels(edit, mesh, gone)
}

const CIRCLE: CommandError = CommandError::Value {
    what: "the new parent",
    rule: "a bone that is not moved itself and is not a descendant of one that is",
};

/// Weights under new indices; `None` where all indices are the old ones.
fn moved(weights: &VertexWeights, places: &[usize]) -> Option<VertexWeights> {
    let same = places.iter().enumerate().all(|(old, &new)| old == new);
    let places: Vec<_> = places.iter().copied().map(Some).collect();
    (!same).then(|| weights::remap(weights, &places))
}

pub fn split(edit: &mut Edit, mesh: &str, bones: &[usize], pieces: usize) -> Result {
    if !(2..=MOST_PIECES).contains(&pieces) {
        return Err(CommandError::Value {
            what: "the number of pieces",
            rule: "from 2 to 64",
        });
    }
    let bones = helpers::bones(mesh, &skinned_mesh(edit.scene, mesh)?.skeleton, bones)?;
    let ids = new_bone_ids(edit.scene, mesh, bones.len().saturating_mul(pieces - 1))?;
    edit_rig(edit, mesh, |skinned, skeleton| {
        let mut weights = (*skinned.weights).clone();
        // From the last one on: pieces come behind their bone, so that the others keep their indices. The
        // ids go to the bones in ascending order.
        for (&bone, ids) in bones.iter().zip(ids.chunks(pieces - 1)).rev() {
            let before = skeleton.clone();
            let Some(split) = tree::split(skeleton, bone, pieces, ids) else {
                continue;
            };
            let positions = skinned.surface.positions();
            weights = tree::split_weights(&weights, positions, &before, bone, &split);
        }
        Ok(Some(weights))
    })
}

pub fn merge(edit: &mut Edit, mesh: &str, bones: &[usize]) -> Result {
    let mut gone = Vec::new();
    edit_rig(edit, mesh, |skinned, skeleton| {
        let mut weights = (*skinned.weights).clone();
        for bone in helpers::bones(mesh, skeleton, bones)?.into_iter().rev() {
            gone.push((Owner::Bone, skeleton.bones[bone].channel_id));
            let places = tree::merge_into_parent(skeleton, bone).ok_or(CommandError::Value {
                what: "a bone to merge",
                rule: "one with a parent",
            })?;
            weights = weights::remap(&weights, &places);
        }
        Ok(Some(weights))
    })?;
    remove_channels(edit, mesh, gone)?;
    prune_links(edit, mesh)
}

pub fn duplicate(edit: &mut Edit, mesh: &str, bones: &[usize]) -> Result {
    let skeleton = &skinned_mesh(edit.scene, mesh)?.skeleton;
    let bones = links::with_links(skeleton, &helpers::bones(mesh, skeleton, bones)?);
    let ids = new_bone_ids(edit.scene, mesh, bones.len())?;
    edit_rig(edit, mesh, |_, skeleton| {
        tree::duplicate(skeleton, &bones, &ids);
        Ok(None)
    })
}

pub fn mirror(edit: &mut Edit, mesh: &str, bones: &[usize], axis: Axis) -> Result {
    let skeleton = &skinned_mesh(edit.scene, mesh)?.skeleton;
    let bones = helpers::bones(mesh, skeleton, bones)?;
    if !sides::can_mirror(skeleton, &bones, axis) {
        return Err(CommandError::Value {
            what: "a bone to mirror",
            rule: "one that does not lie in the plane of symmetry",
        });
    }
    let on_bones = skeleton
        .handles
        .iter()
        .filter(|h| bones.contains(&(h.bone as usize)));
    let handle_ids = new_handle_ids(edit.scene, mesh, on_bones.count())?;
    // Some bones may have their other side already; then there are ids left over.
    let most = links::with_links(skeleton, &bones).len();
    let bone_ids = new_ids(edit.scene, mesh, Owner::Bone, most)?;
    edit_rig(edit, mesh, |skinned, skeleton| {
        let places =
            mirror::mirror(skeleton, &bones, axis, &bone_ids, &handle_ids).ok_or(CommandError::Value {
                what: "the mirrored bones",
                rule: "bones without a cycle of parents",
            })?;
        too_many(skeleton.bones.len())?;
        Ok(moved(&skinned.weights, &places))
    })?;
    prune_links(edit, mesh)
}

/// Deletes bones with all their descendants.
pub fn delete(edit: &mut Edit, mesh: &str, bones: &[usize]) -> Result {
    let mut gone = Vec::new();
    edit_rig(edit, mesh, |skinned, skeleton| {
        let bones = helpers::bones(mesh, skeleton, bones)?;
        let flags = order::with_descendants(skeleton, &bones);
        let places = order::remove(skeleton, &flags);
        let left_out = flags.iter().enumerate().filter(|(_, gone)| **gone);
        gone.extend(left_out.flat_map(|(bone, _)| ids_on(&skinned.skeleton, bone)));
        Ok(Some(weights::remap(&skinned.weights, &places)))
    })?;
    remove_channels(edit, mesh, gone)?;
    prune_links(edit, mesh)
}

/// Removes the channels of what is gone, except of ids that something else shares.
pub fn remove_channels(edit: &mut Edit, mesh: &str, mut gone: Vec<(Owner, u32)>) -> Result {
    let left: &SkinnedMesh = skinned_mesh(edit.scene, mesh)?;
    gone.retain(|id| !uses(&left.skeleton, *id));
    channels::remove(edit, mesh, &gone);
    Ok(())
}

/// Channel ids for `count` more bones, if the skeleton may have them.
pub fn new_bone_ids(scene: &Scene, mesh: &str, count: usize) -> Result<Vec<u32>> {
    let skeleton: &Skeleton = &skinned_mesh(scene, mesh)?.skeleton;
    too_many(skeleton.bones.len().saturating_add(count))?;
    new_ids(scene, mesh, Owner::Bone, count)
}

/// Channel ids for `count` more handles, as they get them one after the other.
///
/// # Errors
/// If there is no such mesh, or no number is left.
pub fn new_handle_ids(scene: &Scene, mesh: &str, count: usize) -> Result<Vec<u32>> {
    new_ids(scene, mesh, Owner::Handle, count)
}

fn new_ids(scene: &Scene, mesh: &str, owner: Owner, count: usize) -> Result<Vec<u32>> {
    let skinned = skinned_mesh(scene, mesh)?;
    let kept = poses::bone_ids(skinned).filter(|_| owner == Owner::Bone);
    channels::unused_ids(owner, mesh, &skinned.skeleton, &scene.animation, kept, count).ok_or(TOO_MANY)
}

fn too_many(bones: usize) -> Result {
    if bones <= MOST_BONES {
        Ok(())
    } else {
        Err(TOO_MANY)
    }
}

const TOO_MANY: CommandError = CommandError::Value {
    what: "the number of bones",
    rule: "at most 65,535",
};

/// Channel ids of the bone and of the handles on it.
pub fn ids_on(skeleton: &Skeleton, bone: usize) -> Vec<(Owner, u32)> {
    let on_bone = |h: &&crate::rig::skeleton::Handle| h.bone as usize == bone;
    let handles = skeleton.handles.iter().filter(on_bone);
    let mut ids: Vec<_> = handles.map(|h| (Owner::Handle, h.channel_id)).collect();
    ids.extend(skeleton.bones.get(bone).map(|b| (Owner::Bone, b.channel_id)));
    ids
}

/// Files may give two bones one id; the channels then belong to the one that stays.
pub fn uses(skeleton: &Skeleton, (owner, id): (Owner, u32)) -> bool {
    match owner {
        Owner::Bone => skeleton.bones.iter().any(|b| b.channel_id == id),
        Owner::Handle => skeleton.handles.iter().any(|h| h.channel_id == id),
    }
}
