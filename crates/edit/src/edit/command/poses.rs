//! Commands on the saved poses of a character: save, import, rename, delete and apply.

use super::effects::Edit;
use super::helpers::{self, edit_skeleton, skinned_mesh};
use super::{CommandError, Result};
use crate::io::count::counted;
use crate::rig::poses::SavedPose;
use crate::rig::skeleton::Part;
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A change to the saved poses of a skinned mesh, or the application of one. Poses are identified by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PoseChange {
    /// Appends a pose, or replaces the one with the same name.
    Save(SavedPose),
    /// Appends poses. A pose that exists already with the same name and values is skipped; a number is
    /// appended to a name that is taken.
    Import(Vec<SavedPose>),
    /// Renames a pose. A number is appended to a name that is taken.
    Rename {
        pose: String,
        name: String,
    },
    Delete {
        pose: String,
    },
    Apply(PoseUse),
}

/// A pose to apply, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PoseUse {
    pub pose: String,
    /// The bones that take the pose; if empty, all bones and the base.
    pub bones: Vec<usize>,
    /// The blend factor, from 0 to 1.
    pub amount: f32,
    /// Whether the pose is mirrored.
    pub flipped: bool,
}

impl PoseUse {
    /// Returns the bones and handles of the mesh that the pose contains.
    pub fn posed_parts(&self, skinned: &SkinnedMesh) -> Vec<Part> {
        let Some(pose) = skinned.poses.iter().find(|pose| pose.name == self.pose) else {
            return Vec::new();
        };
        let skeleton = &skinned.skeleton;
        let takes = |bone: usize| self.bones.is_empty() || self.bones.contains(&bone);
        let bones = pose.bone_poses(skeleton, self.flipped).into_iter().map(|(bone, _)| bone);
        let handles = pose.handle_poses(skeleton, self.flipped).into_iter().map(|(handle, _)| handle);
        let handles = handles.filter(|&handle| takes(skeleton.handles[handle].bone as usize));
        let bones = bones.filter(|&bone| takes(bone)).map(Part::Bone);
        bones.chain(handles.map(Part::Handle)).collect()
    }
}

pub fn change(edit: &mut Edit, mesh: &str, change: &PoseChange) -> Result {
    let poses = Arc::clone(&skinned_mesh(edit.scene, mesh)?.poses);
    let find = |name: &str| {
        let found = poses.iter().position(|pose| pose.name == name);
        found.ok_or_else(|| CommandError::NoSuch { kind: "pose", name: name.to_owned() })
    };
    let mut changed = (*poses).clone();
    match change {
        PoseChange::Save(pose) => {
            let pose = checked_pose(pose)?;
            match find(&pose.name) {
                Ok(index) => changed[index] = pose,
                Err(_) => changed.push(pose),
            }
        }
        PoseChange::Import(imported) => {
            for pose in imported {
                let pose = checked_pose(pose)?;
                if !changed.contains(&pose) {
                    let name = unique_name(&changed, &pose.name, None);
                    changed.push(SavedPose { name, ..pose });
                }
            }
        }
        PoseChange::Rename { pose, name } => {
            let index = find(pose)?;
            changed[index].name = unique_name(&poses, checked_name(name)?, Some(index));
        }
        PoseChange::Delete { pose } => drop(changed.remove(find(pose)?)),
        PoseChange::Apply(usage) => {
            let pose = &poses[find(&usage.pose)?];
            if !(0.0..=1.0).contains(&usage.amount) {
                return Err(CommandError::Value {
                    subject: "the amount of a pose",
                    rule: "a number from 0 to 1",
                });
            }
            return edit_skeleton(edit, mesh, |skeleton| {
                for &bone in &usage.bones {
                    helpers::check_bone(mesh, skeleton, bone)?;
                }
                pose.apply(skeleton, &usage.bones, usage.amount, usage.flipped);
                Ok(())
            });
        }
    }
    // Unchanged if all imported poses exist already.
    if changed != *poses {
        edit.change_skinned(mesh, |skinned| skinned.poses = Arc::new(changed));
    }
    Ok(())
}

fn checked_name(name: &str) -> Result<&str> {
    let name = name.trim();
    if name.is_empty() {
        Err(CommandError::Value { subject: "the name of a pose", rule: "not empty" })
    } else {
        Ok(name)
    }
}

/// Returns a pose with one value for each channel id.
fn checked_pose(pose: &SavedPose) -> Result<SavedPose> {
    checked_name(&pose.name)?;
    if !pose.bones.iter().all(|(_, pose)| pose.is_finite()) {
        return Err(CommandError::Value { subject: "the pose of a bone", rule: "finite numbers" });
    }
    pose.base_offset.map_or(Ok(()), |offset| helpers::check_finite("the base offset", offset))?;
    let mut pose = pose.clone();
    pose.keep_last();
    Ok(pose)
}

/// Returns `name`, with the next free number if another pose than `except` has that name.
pub fn unique_name(poses: &[SavedPose], name: &str, except: Option<usize>) -> String {
    let others = poses.iter().enumerate().filter(|(index, _)| Some(*index) != except);
    let taken: Vec<&str> = others.map(|(_, pose)| pose.name.as_str()).collect();
    if !taken.contains(&name) {
        return name.to_owned();
    }
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    let mut numbered = (2..=taken.len() + 2).map(|n| format!("{stem} {n}"));
    let free = numbered.find(|name| !taken.contains(&name.as_str()));
    free.unwrap_or_default()
}

pub fn label(change: &PoseChange, scene: &Scene, mesh: &str) -> String {
    let skinned = scene.skinned_meshes.get(mesh);
    let poses = skinned.map_or(&[][..], |skinned| &skinned.poses);
    match change {
        PoseChange::Save(pose) if poses.iter().any(|old| old.name == pose.name) => {
            format!("Replace pose {}", pose.name)
        }
        PoseChange::Save(pose) => format!("Save pose {}", pose.name),
        PoseChange::Import(poses) => format!("Import {}", counted(poses.len(), "pose", "poses")),
        PoseChange::Rename { pose, name } => {
            let index = poses.iter().position(|old| old.name == *pose);
            format!("Rename pose {pose} to {}", unique_name(poses, name.trim(), index))
        }
        PoseChange::Delete { pose } => format!("Delete pose {pose}"),
        PoseChange::Apply(usage) => {
            let flipped = if usage.flipped { " mirrored" } else { "" };
            match usage.amount {
                1.0 => format!("Apply pose {}{flipped}", usage.pose),
                amount => format!("Blend pose {}{flipped} by {:.0} %", usage.pose, amount * 100.0),
            }
        }
    }
}

/// Iterates over the channel ids of bones in saved poses, and of those in whose space handles are: no new bone may get them.
pub fn bone_ids(skinned: &SkinnedMesh) -> impl Iterator<Item = u32> + '_ {
    let bones = skinned.poses.iter().flat_map(|pose| &pose.bones).map(|(id, _)| *id);
    let posed = skinned.poses.iter().flat_map(|pose| &pose.handles).map(|(_, pose)| pose.handle());
    bones.chain(posed.chain(&skinned.skeleton.handles).filter_map(|handle| handle.space))
}

/// Iterates over the channel ids of handles in saved poses: no new handle may get them.
pub fn handle_ids(skinned: &SkinnedMesh) -> impl Iterator<Item = u32> + '_ {
    let handles = skinned.poses.iter().flat_map(|pose| &pose.handles);
    handles.map(|(id, _)| *id)
}
