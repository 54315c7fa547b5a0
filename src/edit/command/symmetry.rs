//! Live symmetry of commands: what they do to one side of a skeleton they do to the other side too, in the same step.
//!
//! Commands that change which bones there are get an image, a command of the same kind on the other side; of all others
//! what they did is looked at (`rig::edits::symmetry`). Keys are not bones: commands on keys have no image.

use super::bones_tree::new_handle_ids;
use super::effects::{Edit, Effects};
use super::helpers::edit_skeleton;
use super::poses::PoseChange;
use super::{Command, Result};
use crate::rig::edits::sides::{can_mirror, other_sides};
use crate::rig::edits::symmetry::{AXIS, SymmetryOptions, follow, new_and_alone, orphaned_handles};
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use std::collections::BTreeMap;
use std::slice;
use std::sync::Arc;

/// What several commands, one after the other, do to the other side of the skeletons of a scene.
pub struct Images<'a> {
    before: &'a Scene,
    images: Vec<Image>,
    /// By mesh.
    posed: BTreeMap<String, Posed>,
}

/// Bones that got a pose, by their places before, also if it is the one that they had.
#[derive(Default)]
struct Posed {
    bones: Vec<usize>,
    /// From the library: not even in a drag does a bone follow that the pose speaks of.
    as_given: bool,
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
        let (images, posed) = Default::default();
        Self {
            before,
            images,
            posed,
        }
    }

    /// Takes note of a command that is about to be applied to `scene`.
    pub fn note(&mut self, command: &Command, scene: &Scene) {
        match command {
            Command::SetPose { mesh, bone, .. } => self.note_pose(mesh, scene, false, |_| vec![*bone]),
            Command::Poses {
                mesh,
                change: PoseChange::Apply(how),
            } => self.note_pose(mesh, scene, true, |skinned| how.turned(skinned)),
            _ => self.note_image(command, scene),
        }
    }

    fn note_pose(
        &mut self,
        mesh: &str,
        scene: &Scene,
        as_given: bool,
        bones: impl Fn(&SkinnedMesh) -> Vec<usize>,
    ) {
        let [Some(before), Some(now)] = [self.before, scene].map(|scene| scene.skinned_meshes.get(mesh))
        else {
            return;
        };
        let posed = self.posed.entry(mesh.to_owned()).or_default();
        posed.as_given |= as_given;
        let ids = bones(now).into_iter();
        let ids = ids.filter_map(|bone| Some(now.skeleton.bones.get(bone)?.channel_id));
        posed
            .bones
            .extend(ids.filter_map(|id| place(&before.skeleton, id)));
    }

    fn note_image(&mut self, command: &Command, scene: &Scene) {
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
            let none = Posed::default();
            let posed = self.posed.get(mesh).unwrap_or(&none);
            let lead = lead(mesh);
            let lead = SymmetryOptions {
                posed: &posed.bones,
                poses: lead.poses && !posed.as_given,
                ..lead
            };
            follow_mesh(mesh, &before.skeleton, scene, &lead, &mut done)?;
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
