//! Live symmetry of commands: what they do to one side of a skeleton they do to the other side too, in the same step.
//!
//! Commands that change which bones there are get an image, a command of the same kind on the other side; of all others
//! what they did is looked at (`rig::edits::symmetry`). Keys are not bones: commands on keys have no image.

use super::bones_tree::new_handle_ids;
use super::effects::{Edit, Effects};
use super::helpers::edit_skeleton;
use super::{Command, Result};
use crate::rig::edits::mirror::{can_mirror, other_sides};
use crate::rig::edits::symmetry::{AXIS, SymmetryOptions, follow, new_and_alone, orphaned_handles};
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use std::slice;
use std::sync::Arc;

/// What several commands, one after the other, do to the other side of the skeletons of a scene.
pub struct Images<'a> {
    before: &'a Scene,
    images: Vec<Image>,
}

/// A command for other bones, by channel ids: their places change.
struct Image {
    command: Command,
    bones: Vec<u32>,
    parent: Option<u32>,
}

impl<'a> Images<'a> {
    /// For commands that are applied to `before`.
    pub fn new(before: &'a Scene) -> Self {
        let images = Vec::new();
        Self { before, images }
    }

    /// Takes note of a command that is about to be applied to `scene`.
    pub fn note(&mut self, command: &Command, scene: &Scene) {
        let (mesh, bones) = match command {
            Command::DeleteBone { mesh, bone } => (mesh, slice::from_ref(bone)),
            Command::DeleteSubtrees { mesh, bones }
            | Command::MergeBones { mesh, bones }
            | Command::SplitBones { mesh, bones, .. }
            | Command::DuplicateBones { mesh, bones }
            | Command::Reparent { mesh, bones, .. } => (mesh, &bones[..]),
            _ => return,
        };
        let [Some(before), Some(now)] =
            [self.before, scene].map(|scene| scene.skinned_meshes.get(mesh).map(|mesh| &mesh.skeleton))
        else {
            return;
        };
        let others = other_sides(before, AXIS);
        let other = |bone: usize| {
            let id = now.bones.get(bone)?.channel_id;
            let other = others[place(before, id)?]?;
            Some((id, before.bones[other].channel_id))
        };
        let of_bones = bones.iter().filter_map(|&bone| other(bone));
        let bones: Vec<u32> = of_bones
            .filter(|(id, other)| id != other)
            .map(|(_, id)| id)
            .collect();
        let parent = match command {
            // One without another side is parent of both.
            Command::Reparent {
                parent: Some(parent), ..
            } => match other(*parent) {
                Some((_, other)) => Some(other),
                None => now.bones.get(*parent).map(|bone| bone.channel_id),
            },
            _ => None,
        };
        if !bones.is_empty() {
            let command = command.clone();
            self.images.push(Image {
                command,
                bones,
                parent,
            });
        }
    }

    /// Does to the other side what the commands did, which came to `scene`. Nothing of it counts as created: the
    /// selection stays with what the user made.
    ///
    /// # Errors
    /// What the other side cannot do.
    pub fn apply(
        self,
        scene: &mut Scene,
        lead: impl Fn(&str) -> SymmetryOptions<'a>,
    ) -> Result<Vec<Effects>> {
        let mut done = Vec::new();
        for image in &self.images {
            if let Some(command) = image.command(scene) {
                done.push(command.apply(scene)?);
            }
        }
        for (mesh, before) in &self.before.skinned_meshes {
            follow_mesh(mesh, &before.skeleton, scene, &lead(mesh), &mut done)?;
        }
        for part in done.iter_mut().flat_map(|effects| &mut effects.parts) {
            part.created.clear();
        }
        Ok(done)
    }
}

impl Image {
    /// On the bones that are still there.
    fn command(&self, scene: &Scene) -> Option<Command> {
        let mut command = self.command.clone();
        let (mesh, bones) = match &mut command {
            Command::DeleteBone { mesh, bone } => (mesh, Err(bone)),
            Command::DeleteSubtrees { mesh, bones }
            | Command::MergeBones { mesh, bones }
            | Command::SplitBones { mesh, bones, .. }
            | Command::DuplicateBones { mesh, bones }
            | Command::Reparent { mesh, bones, .. } => (mesh, Ok(bones)),
            _ => return None,
        };
        let skeleton = &scene.skinned_meshes.get(mesh)?.skeleton;
        let found: Vec<usize> = self.bones.iter().filter_map(|&id| place(skeleton, id)).collect();
        let first = *found.first()?;
        match bones {
            Ok(bones) => *bones = found,
            Err(bone) => *bone = first,
        }
        if let Command::Reparent { parent, .. } = &mut command {
            *parent = self.parent.and_then(|id| place(skeleton, id));
        }
        Some(command)
    }
}

fn place(skeleton: &Skeleton, id: u32) -> Option<usize> {
    skeleton.bones.iter().position(|bone| bone.channel_id == id)
}

fn follow_mesh(
    mesh: &str,
    before: &Arc<Skeleton>,
    scene: &mut Scene,
    lead: &SymmetryOptions,
    done: &mut Vec<Effects>,
) -> Result {
    let skeleton = |scene: &Scene| scene.skinned_meshes.get(mesh).map(|mesh| mesh.skeleton.clone());
    let Some(now) = skeleton(scene).filter(|now| !Arc::ptr_eq(now, before)) else {
        return Ok(());
    };
    for handle in orphaned_handles(before, &now).into_iter().rev() {
        let mesh = mesh.to_owned();
        done.push(Command::DeleteHandle { mesh, handle }.apply(scene)?);
    }
    let ids = new_handle_ids(
        scene,
        mesh,
        now.handles.len().saturating_sub(before.handles.len()),
    )?;
    let mut edit = Edit::new(scene);
    edit_skeleton(&mut edit, mesh, |skeleton| {
        follow(before, skeleton, lead, &ids);
        Ok(())
    })?;
    done.push(edit.finish());
    let Some(now) = skeleton(scene) else {
        return Ok(());
    };
    let bones = new_and_alone(before, &now);
    if !bones.is_empty() && can_mirror(&now, &bones, AXIS) {
        let (mesh, axis) = (mesh.to_owned(), AXIS);
        done.push(Command::MirrorBones { mesh, bones, axis }.apply(scene)?);
    }
    Ok(())
}
