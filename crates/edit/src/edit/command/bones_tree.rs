//! Commands that change the set of bones and their hierarchy, each for several bones at once.

use super::channels::{self, Owner};
use super::effects::Edit;
use super::helpers::{self, edit_rig, skinned_mesh};
use super::{CommandError, Result, poses};
use crate::math::axis::Axis;
use crate::rig::body::middle::mirror_plane;
use crate::rig::body::mirror_plane::MirrorPlane;
use crate::rig::body::sides;
use crate::rig::edits::{self, links, mirror, order, tree, weights};
use crate::rig::kinematics::with_descendants;
use crate::rig::kinematics::{bind_pose, parent_past_links};
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::VertexWeights;
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use glam::Vec3;

/// The maximum number of bones: vertex weights store bones in 16 bits.
pub const MAX_BONES: usize = u16::MAX as usize;

/// The maximum number of pieces into which a bone is cut.
pub const MAX_PIECES: usize = 64;

pub fn reparent(edit: &mut Edit, mesh: &str, bones: &[usize], parent: Option<usize>) -> Result {
    let skeleton = &skinned_mesh(edit.scene, mesh)?.skeleton;
    let mut bones = helpers::checked_bones(mesh, skeleton, bones)?;
    if let Some(parent) = parent {
        helpers::check_bone(mesh, skeleton, parent)?;
    }
    bones.retain(|&bone| parent_past_links(skeleton, bone) != parent);
    let ids = new_bone_ids(edit.scene, mesh, links::shared_count(skeleton, &bones))?;
    edit_rig(edit, mesh, |skinned, skeleton| {
        let parted = links::split_shared(skeleton, &bones, &ids).ok_or(CYCLE)?;
        let bones: Vec<usize> = bones.iter().map(|&bone| parted[bone]).collect();
        let parent = parent.map(|parent| parted[parent]);
        let new_indices = tree::reparent(skeleton, &bones, parent).ok_or(CYCLE)?;
        let new_indices: Vec<usize> = parted.iter().map(|&bone| new_indices[bone]).collect();
        Ok(reindexed(&skinned.weights, &new_indices))
    })?;
    prune_links(edit, mesh)
}

/// Moves head and tail of a bone. Other bones that start at the same link stay in place.
pub fn move_bone(edit: &mut Edit, mesh: &str, bone: usize, start: Vec3, tip: Vec3) -> Result {
    helpers::check_finite("the start", start)?;
    helpers::check_finite("the tail", tip)?;
    let skeleton = &skinned_mesh(edit.scene, mesh)?.skeleton;
    helpers::check_bone(mesh, skeleton, bone)?;
    let head_stays = bind_pose(skeleton)[bone].translation.as_vec3() == start;
    let ids = if head_stays {
        Vec::new()
    } else {
        new_bone_ids(edit.scene, mesh, links::shared_count(skeleton, &[bone]))?
    };
    edit_rig(edit, mesh, |skinned, skeleton| {
        if ids.is_empty() {
            edits::move_bone(skeleton, bone, start, tip);
            return Ok(None);
        }
        let new_indices = links::split_shared(skeleton, &[bone], &ids).ok_or(TOO_MANY)?;
        edits::move_bone(skeleton, new_indices[bone], start, tip);
        Ok(reindexed(&skinned.weights, &new_indices))
    })
}

/// Removes unused links, as the last step of a command. It cannot fail if the previous steps did not.
pub fn prune_links(edit: &mut Edit, mesh: &str) -> Result {
    let mut removed = Vec::new();
    edit_rig(edit, mesh, |skinned, skeleton| {
        let new_indices = links::prune(skeleton);
        if new_indices.iter().all(Option::is_some) {
            return Ok(None);
        }
        let pruned = new_indices.iter().enumerate().filter(|(_, index)| index.is_none());
        removed.extend(pruned.flat_map(|(bone, _)| ids_on(&skinned.skeleton, bone)));
        Ok(Some(weights::remap(&skinned.weights, &new_indices)))
    })?;
    remove_channels(edit, mesh, removed)
}

const CYCLE: CommandError = CommandError::Value {
    subject: "the new parent",
    rule: "a bone that is not moved itself and is not a descendant of one that is",
};

/// Returns the weights with new bone indices; `None` if all indices are unchanged.
fn reindexed(weights: &VertexWeights, new_indices: &[usize]) -> Option<VertexWeights> {
    let is_unchanged = new_indices.iter().enumerate().all(|(old, &new)| old == new);
    let new_indices: Vec<_> = new_indices.iter().copied().map(Some).collect();
    (!is_unchanged).then(|| weights::remap(weights, &new_indices))
}

pub fn split(edit: &mut Edit, mesh: &str, bones: &[usize], pieces: usize) -> Result {
    if !(2..=MAX_PIECES).contains(&pieces) {
        return Err(CommandError::Value { subject: "the number of pieces", rule: "from 2 to 64" });
    }
    let bones = helpers::checked_bones(mesh, &skinned_mesh(edit.scene, mesh)?.skeleton, bones)?;
    let ids = new_bone_ids(edit.scene, mesh, bones.len().saturating_mul(pieces - 1))?;
    edit_rig(edit, mesh, |skinned, skeleton| {
        let mut weights = (*skinned.weights).clone();
        // In descending order: pieces are inserted after their bone, so that earlier bones keep their
        // indices. The ids are assigned to bones in ascending order.
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
    let mut removed = Vec::new();
    edit_rig(edit, mesh, |skinned, skeleton| {
        let mut weights = (*skinned.weights).clone();
        for bone in helpers::checked_bones(mesh, skeleton, bones)?.into_iter().rev() {
            removed.push((Owner::Bone, skeleton.bones[bone].channel_id));
            let new_indices = tree::merge_into_parent(skeleton, bone)
                .ok_or(CommandError::Value { subject: "a bone to merge", rule: "one with a parent" })?;
            weights = weights::remap(&weights, &new_indices);
        }
        Ok(Some(weights))
    })?;
    remove_channels(edit, mesh, removed)?;
    prune_links(edit, mesh)
}

pub fn duplicate(edit: &mut Edit, mesh: &str, bones: &[usize]) -> Result {
    let skeleton = &skinned_mesh(edit.scene, mesh)?.skeleton;
    let bones = links::with_links(skeleton, &helpers::checked_bones(mesh, skeleton, bones)?);
    let ids = new_bone_ids(edit.scene, mesh, bones.len())?;
    edit_rig(edit, mesh, |_, skeleton| {
        tree::duplicate(skeleton, &bones, &ids);
        Ok(None)
    })
}

pub fn mirror_across(edit: &mut Edit, mesh: &str, bones: &[usize], axis: Option<Axis>) -> Result {
    let plane = mirror_plane(&skinned_mesh(edit.scene, mesh)?.skeleton, axis);
    mirror(edit, mesh, bones, &plane)
}

pub fn mirror(edit: &mut Edit, mesh: &str, bones: &[usize], plane: &MirrorPlane) -> Result {
    let skeleton = &skinned_mesh(edit.scene, mesh)?.skeleton;
    let bones = helpers::checked_bones(mesh, skeleton, bones)?;
    if !sides::can_mirror(skeleton, &bones, plane) {
        return Err(CommandError::Value {
            subject: "a bone to mirror",
            rule: "one that does not lie in the plane of symmetry",
        });
    }
    let handles = skeleton.handles.iter().filter(|h| bones.contains(&(h.bone as usize)));
    let handle_ids = new_handle_ids(edit.scene, mesh, handles.count())?;
    // An upper bound: bones whose counterparts exist already need no ids.
    let max_count = links::with_links(skeleton, &bones).len();
    let bone_ids = new_ids(edit.scene, mesh, Owner::Bone, max_count)?;
    edit_rig(edit, mesh, |skinned, skeleton| {
        let new_indices =
            mirror::mirror(skeleton, &bones, plane, &bone_ids, &handle_ids).ok_or(CommandError::Value {
                subject: "the mirrored bones",
                rule: "bones without a cycle of parents",
            })?;
        check_bone_count(skeleton.bones.len())?;
        Ok(reindexed(&skinned.weights, &new_indices))
    })?;
    prune_links(edit, mesh)
}

/// Deletes bones with all their descendants.
pub fn delete(edit: &mut Edit, mesh: &str, bones: &[usize]) -> Result {
    let mut removed = Vec::new();
    edit_rig(edit, mesh, |skinned, skeleton| {
        let bones = helpers::checked_bones(mesh, skeleton, bones)?;
        let flags = with_descendants(skeleton, &bones);
        let new_indices = order::remove(skeleton, &flags);
        let deleted = flags.iter().enumerate().filter(|(_, is_deleted)| **is_deleted);
        removed.extend(deleted.flat_map(|(bone, _)| ids_on(&skinned.skeleton, bone)));
        Ok(Some(weights::remap(&skinned.weights, &new_indices)))
    })?;
    remove_channels(edit, mesh, removed)?;
    prune_links(edit, mesh)
}

/// Removes the channels of removed bones and handles, except those with ids that are still in use.
pub fn remove_channels(edit: &mut Edit, mesh: &str, mut removed: Vec<(Owner, u32)>) -> Result {
    let skinned: &SkinnedMesh = skinned_mesh(edit.scene, mesh)?;
    removed.retain(|id| !uses(&skinned.skeleton, *id));
    channels::remove(edit, mesh, &removed);
    Ok(())
}

/// Returns channel ids for `count` new bones, if the skeleton may have that many.
pub fn new_bone_ids(scene: &Scene, mesh: &str, count: usize) -> Result<Vec<u32>> {
    let skeleton: &Skeleton = &skinned_mesh(scene, mesh)?.skeleton;
    check_bone_count(skeleton.bones.len().saturating_add(count))?;
    new_ids(scene, mesh, Owner::Bone, count)
}

/// Returns the channel ids that the next `count` new handles will get, in order.
///
/// # Errors
/// If there is no such mesh, or no ids are left.
pub fn new_handle_ids(scene: &Scene, mesh: &str, count: usize) -> Result<Vec<u32>> {
    new_ids(scene, mesh, Owner::Handle, count)
}

fn new_ids(scene: &Scene, mesh: &str, owner: Owner, count: usize) -> Result<Vec<u32>> {
    let skinned = skinned_mesh(scene, mesh)?;
    let reserved: Vec<u32> = match owner {
        Owner::Bone => poses::bone_ids(skinned).collect(),
        Owner::Handle => poses::handle_ids(skinned).collect(),
    };
    channels::unused_ids(owner, mesh, &skinned.skeleton, &scene.animation, reserved, count).ok_or(TOO_MANY)
}

fn check_bone_count(bones: usize) -> Result {
    if bones <= MAX_BONES { Ok(()) } else { Err(TOO_MANY) }
}

const TOO_MANY: CommandError = CommandError::Value { subject: "the number of bones", rule: "at most 65,535" };

/// Returns the channel ids of a bone and of the handles on it.
pub fn ids_on(skeleton: &Skeleton, bone: usize) -> Vec<(Owner, u32)> {
    let is_on_bone = |h: &&crate::rig::skeleton::Handle| h.bone as usize == bone;
    let handles = skeleton.handles.iter().filter(is_on_bone);
    let mut ids: Vec<_> = handles.map(|h| (Owner::Handle, h.channel_id)).collect();
    ids.extend(skeleton.bones.get(bone).map(|b| (Owner::Bone, b.channel_id)));
    ids
}

/// Whether a bone or handle has the given channel id. In some files two bones share an id; the channels then
/// belong to the remaining one.
pub fn uses(skeleton: &Skeleton, (owner, id): (Owner, u32)) -> bool {
    match owner {
        Owner::Bone => skeleton.bones.iter().any(|b| b.channel_id == id),
        Owner::Handle => skeleton.handles.iter().any(|h| h.channel_id == id),
    }
}
