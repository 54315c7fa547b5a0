//! Commands on single bones and on the base of a skeleton.

use super::bones_tree::{self, ids_on};
use super::effects::Edit;
use super::helpers::{self, edit_rig, edit_skeleton, skinned_mesh};
use super::{CommandError, Result};
use crate::rig::edits;
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use glam::Vec3;

pub fn add(edit: &mut Edit, mesh: &str, parent: Option<usize>, extent: Vec3, radius: f32) -> Result {
    let ids = checked_new_ids(edit.scene, mesh, parent, extent, radius, 1)?;
    edit_skeleton(edit, mesh, |skeleton| {
        edits::add_bone(skeleton, parent, extent, radius, ids[0]);
        Ok(())
    })
}

/// Adds a bone with its head at `start`, with a link if that is not its parent's tail.
pub fn add_linked(
    edit: &mut Edit,
    mesh: &str,
    parent: Option<usize>,
    start: Vec3,
    extent: Vec3,
    radius: f32,
) -> Result {
    helpers::check_finite("the start", start)?;
    let ids = checked_new_ids(edit.scene, mesh, parent, extent, radius, 2)?;
    edit_skeleton(edit, mesh, |skeleton| {
        edits::links::add_linked_bone(skeleton, parent, start, (extent, radius), [ids[0], ids[1]]);
        Ok(())
    })
}

/// Checks the values of a new bone and returns `count` new channel ids.
fn checked_new_ids(
    scene: &Scene,
    mesh: &str,
    parent: Option<usize>,
    extent: Vec3,
    radius: f32,
    count: usize,
) -> Result<Vec<u32>> {
    if let Some(parent) = parent {
        helpers::check_bone(mesh, &skinned_mesh(scene, mesh)?.skeleton, parent)?;
    }
    helpers::check_finite("the extent", extent)?;
    helpers::check_radius(radius)?;
    bones_tree::new_bone_ids(scene, mesh, count)
}

pub fn delete(edit: &mut Edit, mesh: &str, bone: usize) -> Result {
    let mut removed = Vec::new();
    edit_rig(edit, mesh, |skinned, skeleton| {
        helpers::check_bone(mesh, skeleton, bone)?;
        removed = ids_on(skeleton, bone);
        edits::delete_bone(skeleton, bone);
        Ok(Some(edits::remove_bone_weights(&skinned.weights, bone)))
    })?;
    bones_tree::remove_channels(edit, mesh, removed)?;
    bones_tree::prune_links(edit, mesh)
}

pub fn move_tip(edit: &mut Edit, mesh: &str, bone: usize, extent: Vec3) -> Result {
    helpers::check_finite("the extent", extent)?;
    edit_skeleton(edit, mesh, |skeleton| {
        helpers::check_bone(mesh, skeleton, bone)?;
        edits::move_tip(skeleton, bone, extent);
        Ok(())
    })
}

pub fn set_poses(edit: &mut Edit, mesh: &str, poses_deg: &[Vec3]) -> Result {
    for &pose in poses_deg {
        helpers::check_finite("each pose", pose)?;
    }
    edit_skeleton(edit, mesh, |skeleton| {
        if poses_deg.len() != skeleton.bones.len() {
            return Err(CommandError::Value {
                subject: "the list of poses",
                rule: "as long as the list of bones",
            });
        }
        for (bone, &pose) in skeleton.bones.iter_mut().zip(poses_deg) {
            bone.pose_deg = pose;
        }
        Ok(())
    })
}

pub fn set_name(edit: &mut Edit, mesh: &str, bone: usize, name: &str) -> Result {
    edit_skeleton(edit, mesh, |skeleton| {
        helpers::check_bone(mesh, skeleton, bone)?;
        skeleton.bones[bone].name = unique_name(skeleton, bone, name).map(Into::into);
        Ok(())
    })
}

pub fn set_names(edit: &mut Edit, mesh: &str, names: &[(usize, String)]) -> Result {
    edit_skeleton(edit, mesh, |skeleton| {
        names.iter().try_for_each(|(bone, _)| helpers::check_bone(mesh, skeleton, *bone))?;
        let mut bones: Vec<usize> = names.iter().map(|(bone, _)| *bone).collect();
        bones.sort_unstable();
        if names.is_empty() || bones.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(CommandError::Value {
                subject: "the list of names",
                rule: "a name for each of some bones, once",
            });
        }
        let names: Vec<_> = names.iter().map(|(bone, name)| (*bone, clean_name(name))).collect();
        let unique = edits::names::unique_together(skeleton, &names);
        for ((bone, _), name) in names.iter().zip(unique) {
            skeleton.bones[*bone].name = (!name.is_empty()).then(|| name.into());
        }
        Ok(())
    })
}

/// Returns the actual name of a bone that is renamed to `name`: cleaned, and with a number if another bone
/// has the name. `None` if nothing remains of it.
pub fn unique_name(skeleton: &Skeleton, bone: usize, name: &str) -> Option<String> {
    let name = clean_name(name);
    (!name.is_empty()).then(|| edits::names::unique(skeleton, &name, Some(bone)))
}

/// Trims a name and removes control characters, not all of which js3d can represent.
pub fn clean_name(name: &str) -> String {
    let printable: String = name.chars().filter(|c| !c.is_control()).collect();
    printable.trim().to_owned()
}
