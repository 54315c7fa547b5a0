//! Live symmetry: changes to one side of a skeleton are repeated on the other side in the same step.
//!
//! Commands that add, remove or reparent bones get a mirror image, which is a command of the same kind on the
//! other side. For all other commands, the changes of the skeleton are compared and mirrored
//! (`rig::edits::symmetry`). Commands on keys are not mirrored.

use super::bones_tree::{self, new_handle_ids};
use super::effects::{Edit, Effects};
use super::helpers::edit_skeleton;
use super::poses::PoseChange;
use super::{Command, Result};
use crate::rig::body::middle::BothSides;
use crate::rig::body::sides::can_mirror;
use crate::rig::edits::symmetry::{SymmetryOptions, mirror_edit, new_unpaired_bones, orphaned_handles};
use crate::rig::skeleton::{Part, Skeleton};
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use std::collections::BTreeMap;
use std::slice;
use std::sync::Arc;

/// Records a sequence of commands in order to mirror their effect.
pub struct SymmetryRecorder<'a> {
    before: &'a Scene,
    images: Vec<MirrorImage>,
    /// Posed bones and handles, by mesh.
    posed: BTreeMap<String, PosedParts>,
}

/// Bones and handles that were posed, even if their pose did not change.
#[derive(Default)]
struct PosedParts {
    /// Indices in the original skeleton.
    bones: Vec<usize>,
    handles: Vec<usize>,
    /// Whether a saved pose was applied: its bones are never overwritten by mirrored ones, not even during a
    /// drag.
    from_saved_pose: bool,
}

/// A command to repeat on other bones, which are identified by channel ids since indices may change.
struct MirrorImage {
    command: Command,
    bones: Vec<u32>,
    parent: Option<u32>,
}

impl<'a> SymmetryRecorder<'a> {
    /// Creates a recorder for commands that are applied to `before`.
    pub fn new(before: &'a Scene) -> Self {
        let (images, posed) = Default::default();
        Self { before, images, posed }
    }

    /// Records a command that is about to be applied to `scene`.
    pub fn record(&mut self, command: &Command, scene: &Scene) {
        if let Some((mesh, parts, property, _)) = command.part_property() {
            let is_pose = |part: &&Part| property == "pose" || matches!(part, Part::Handle(_));
            return self.record_pose(mesh, scene, false, |_| parts.iter().filter(is_pose).copied().collect());
        }
        match command {
            Command::Poses { mesh, change: PoseChange::Apply(usage) } => {
                self.record_pose(mesh, scene, true, |skinned| usage.posed_parts(skinned))
            }
            _ => self.record_image(command, scene),
        }
    }

    fn record_pose(
        &mut self,
        mesh: &str,
        scene: &Scene,
        from_saved_pose: bool,
        parts: impl Fn(&SkinnedMesh) -> Vec<Part>,
    ) {
        let [Some(before), Some(current)] = [self.before, scene].map(|scene| scene.skinned_meshes.get(mesh))
        else {
            return;
        };
        let posed = self.posed.entry(mesh.to_owned()).or_default();
        posed.from_saved_pose |= from_saved_pose;
        for part in parts(current) {
            match part {
                Part::Bone(bone) => {
                    let id = current.skeleton.bones.get(bone).map(|bone| bone.channel_id);
                    posed.bones.extend(id.and_then(|id| bone_with_id(&before.skeleton, id)));
                }
                Part::Handle(handle) => {
                    let id = current.skeleton.handles.get(handle).map(|handle| handle.channel_id);
                    let mut old = before.skeleton.handles.iter();
                    posed.handles.extend(old.position(|handle| Some(handle.channel_id) == id));
                }
                _ => {}
            }
        }
    }

    fn record_image(&mut self, command: &Command, scene: &Scene) {
        let (mesh, bones) = match command {
            Command::DeleteBone { mesh, bone } => (mesh, slice::from_ref(bone)),
            Command::DeleteSubtrees { mesh, bones }
            | Command::MergeBones { mesh, bones }
            | Command::SplitBones { mesh, bones, .. }
            | Command::DuplicateBones { mesh, bones }
            | Command::Reparent { mesh, bones, .. } => (mesh, &bones[..]),
            _ => return,
        };
        let [Some(before), Some(current)] =
            [self.before, scene].map(|scene| scene.skinned_meshes.get(mesh).map(|mesh| &mesh.skeleton))
        else {
            return;
        };
        let others = BothSides::new(before).others;
        let other = |bone: usize| {
            let id = current.bones.get(bone)?.channel_id;
            let other = others[bone_with_id(before, id)?]?;
            Some((id, before.bones[other].channel_id))
        };
        let pairs = bones.iter().filter_map(|&bone| other(bone));
        let bones: Vec<u32> = pairs.filter(|(id, other)| id != other).map(|(_, id)| id).collect();
        let parent = match command {
            // A parent without a counterpart is the parent on both sides.
            Command::Reparent { parent: Some(parent), .. } => match other(*parent) {
                Some((_, other)) => Some(other),
                None => current.bones.get(*parent).map(|bone| bone.channel_id),
            },
            _ => None,
        };
        if !bones.is_empty() {
            let command = command.clone();
            self.images.push(MirrorImage { command, bones, parent });
        }
    }

    /// Repeats the recorded commands, which resulted in `scene`, on the other side. New bones and handles are
    /// not reported as created, so that the selection stays with what the user created.
    ///
    /// # Errors
    /// If a command cannot be applied to the other side.
    pub fn apply(
        self,
        scene: &mut Scene,
        options: impl Fn(&str) -> SymmetryOptions<'a>,
    ) -> Result<Vec<Effects>> {
        let mut effects = Vec::new();
        for image in &self.images {
            if let Some(command) = image.command(scene) {
                effects.push(command.apply(scene)?);
            }
        }
        for (mesh, before) in &self.before.skinned_meshes {
            let none = PosedParts::default();
            let posed = self.posed.get(mesh).unwrap_or(&none);
            let options = options(mesh);
            let options = SymmetryOptions {
                posed: &posed.bones,
                posed_handles: &posed.handles,
                poses: options.poses && !posed.from_saved_pose,
                ..options
            };
            mirror_changes(mesh, &before.skeleton, scene, &options, &mut effects)?;
        }
        for parts in effects.iter_mut().flat_map(|effects| &mut effects.parts) {
            parts.created.clear();
        }
        Ok(effects)
    }
}

impl MirrorImage {
    /// Returns the command for the bones that still exist.
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
        let found: Vec<usize> = self.bones.iter().filter_map(|&id| bone_with_id(skeleton, id)).collect();
        let first = *found.first()?;
        match bones {
            Ok(bones) => *bones = found,
            Err(bone) => *bone = first,
        }
        if let Command::Reparent { parent, .. } = &mut command {
            *parent = self.parent.and_then(|id| bone_with_id(skeleton, id));
        }
        Some(command)
    }
}

fn bone_with_id(skeleton: &Skeleton, id: u32) -> Option<usize> {
    skeleton.bones.iter().position(|bone| bone.channel_id == id)
}

/// Mirrors the changes to a skeleton that were not repeated as commands.
fn mirror_changes(
    mesh: &str,
    before: &Arc<Skeleton>,
    scene: &mut Scene,
    options: &SymmetryOptions,
    effects: &mut Vec<Effects>,
) -> Result {
    let skeleton = |scene: &Scene| scene.skinned_meshes.get(mesh).map(|mesh| mesh.skeleton.clone());
    let Some(after) = skeleton(scene).filter(|after| !Arc::ptr_eq(after, before)) else {
        return Ok(());
    };
    for handle in orphaned_handles(before, &after).into_iter().rev() {
        let mesh = mesh.to_owned();
        effects.push(Command::DeleteHandle { mesh, handle }.apply(scene)?);
    }
    let ids = new_handle_ids(scene, mesh, after.handles.len().saturating_sub(before.handles.len()))?;
    let mut edit = Edit::new(scene);
    edit_skeleton(&mut edit, mesh, |skeleton| {
        mirror_edit(before, skeleton, options, &ids);
        Ok(())
    })?;
    effects.push(edit.finish());
    let Some(after) = skeleton(scene) else {
        return Ok(());
    };
    let (bones, plane) = new_unpaired_bones(before, &after);
    if !bones.is_empty() && can_mirror(&after, &bones, &plane) {
        let mut edit = Edit::new(scene);
        bones_tree::mirror(&mut edit, mesh, &bones, &plane)?;
        effects.push(edit.finish());
    }
    Ok(())
}
