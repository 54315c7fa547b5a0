//! Poses that are kept with a character: saved, renamed, deleted, and taken again.

use super::effects::Edit;
use super::helpers::{self, edit_skeleton, skinned_mesh};
use super::{CommandError, Result};
use crate::io::count::counted;
use crate::rig::poses::SavedPose;
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What becomes of the poses of a skinned mesh, or of the mesh by one of them. Poses go by their names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PoseChange {
    /// Behind the others, or in place of the one that has its name.
    Save(SavedPose),
    /// Behind the others. A pose that is there already, by its name too, is left out; another one that has the name of a
    /// pose gets a number.
    Import(Vec<SavedPose>),
    /// A name that another pose has gets a number.
    Rename {
        pose: String,
        name: String,
    },
    Delete {
        pose: String,
    },
    Apply(PoseUse),
}

/// A pose, and what it is taken by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PoseUse {
    pub pose: String,
    /// All bones and the base if empty.
    pub bones: Vec<usize>,
    /// From 0 to 1.
    pub amount: f32,
    /// Its mirror image at x = 0.
    pub flipped: bool,
}

impl PoseUse {
    /// Which bones of the mesh it turns.
    pub fn turned(&self, skinned: &SkinnedMesh) -> Vec<usize> {
        let pose = skinned.poses.iter().find(|pose| pose.name == self.pose);
        let turns = pose.map_or(Vec::new(), |pose| pose.turns(&skinned.skeleton, self.flipped));
        let bones = turns.into_iter().map(|(bone, _)| bone);
        bones
            .filter(|bone| self.bones.is_empty() || self.bones.contains(bone))
            .collect()
    }
}

pub fn change(edit: &mut Edit, mesh: &str, change: &PoseChange) -> Result {
    let poses = Arc::clone(&skinned_mesh(edit.scene, mesh)?.poses);
    let find = |name: &str| {
        let found = poses.iter().position(|pose| pose.name == name);
        found.ok_or_else(|| CommandError::NoSuch {
            what: "pose",
            name: name.to_owned(),
        })
    };
    let mut changed = (*poses).clone();
    match change {
        PoseChange::Save(pose) => {
            check(pose)?;
            match find(&pose.name) {
                Ok(at) => changed[at] = pose.clone(),
                Err(_) => changed.push(pose.clone()),
            }
        }
        PoseChange::Import(imported) => {
            for pose in imported {
                check(pose)?;
                if !changed.contains(pose) {
                    let name = unique_name(&changed, &pose.name, None);
                    changed.push(SavedPose { name, ..pose.clone() });
                }
            }
        }
        PoseChange::Rename { pose, name } => {
            let at = find(pose)?;
            changed[at].name = unique_name(&poses, given(name)?, Some(at));
        }
        PoseChange::Delete { pose } => drop(changed.remove(find(pose)?)),
        PoseChange::Apply(how) => {
            let pose = &poses[find(&how.pose)?];
            if !(0.0..=1.0).contains(&how.amount) {
                return Err(CommandError::Value {
                    what: "the part of a pose",
                    rule: "a number from 0 to 1",
                });
            }
            return edit_skeleton(edit, mesh, |skeleton| {
                for &bone in &how.bones {
                    helpers::bone(mesh, skeleton, bone)?;
                }
                pose.apply(skeleton, &how.bones, how.amount, how.flipped);
                Ok(())
            });
        }
    }
    // Where all that is imported is there already.
    if changed != *poses {
        edit.change_skinned(mesh, |skinned| skinned.poses = Arc::new(changed));
    }
    Ok(())
}

fn given(name: &str) -> Result<&str> {
    let name = name.trim();
    match name.is_empty() {
        true => Err(CommandError::Value {
            what: "the name of a pose",
            rule: "not empty",
        }),
        false => Ok(name),
    }
}

fn check(pose: &SavedPose) -> Result {
    given(&pose.name)?;
    for (_, pose_deg) in &pose.bones {
        helpers::finite("the angles of a pose", *pose_deg)?;
    }
    pose.base_offset
        .map_or(Ok(()), |at| helpers::finite("the base offset", at))
}

/// `name`, or with the next free number where another pose than `except` has it.
pub fn unique_name(poses: &[SavedPose], name: &str, except: Option<usize>) -> String {
    let others = poses.iter().enumerate().filter(|(at, _)| Some(*at) != except);
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
            let at = poses.iter().position(|old| old.name == *pose);
            format!("Rename pose {pose} to {}", unique_name(poses, name.trim(), at))
        }
        PoseChange::Delete { pose } => format!("Delete pose {pose}"),
        PoseChange::Apply(how) => {
            let flipped = if how.flipped { " mirrored" } else { "" };
            match how.amount {
                1.0 => format!("Apply pose {}{flipped}", how.pose),
                amount => format!("Blend pose {}{flipped} by {:.0} %", how.pose, amount * 100.0),
            }
        }
    }
}

/// Channel ids of bones that poses speak of: no new bone may get them.
pub fn bone_ids(skinned: &SkinnedMesh) -> impl Iterator<Item = u32> + '_ {
    let bones = skinned.poses.iter().flat_map(|pose| &pose.bones);
    bones.map(|(id, _)| *id)
}
