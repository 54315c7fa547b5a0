//! Copying and pasting of poses: onto the same bones and handles, onto bones with the same names, or onto the bones and
//! handles of the other side. Those without a counterpart are reported.

pub mod children;
pub mod figure;
pub mod limbs;
pub mod newer_side;
pub mod path_pull;
pub mod pose_library;
pub mod pose_preview;
pub mod pull;
mod raised_feet;
pub mod spaces;

use crate::edit::command::Command;
use crate::rig::body::middle::BothSides;
use crate::rig::handle_pose::HandlePose;
use crate::rig::handle_space::space_bone;
use crate::rig::poses::{BonePose, flipped_handles};
use crate::rig::property::{ENABLED, POSE, SCALE, TRANSLATION};
use crate::rig::skeleton::{Handle, Skeleton};
use crate::scene::Scene;
use crate::scene::spaces::{Space, check};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A copied pose: states of bones and handles, and the base offset if all bones were copied.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PoseCopy {
    bones: Vec<CopiedBone>,
    handles: Vec<CopiedHandle>,
    base_offset: Option<Vec3>,
}

/// A bone as it is found again: by its name or, without one, by its channel id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct BoneRef {
    /// The name that users see.
    label: String,
    name: Option<String>,
    channel_id: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct CopiedBone {
    #[serde(flatten)]
    bone: BoneRef,
    #[serde(rename = "pose_deg")]
    pose: BonePose,
}

/// The n-th handle of a bone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct CopiedHandle {
    bone: BoneRef,
    nth: usize,
    chain: Option<u32>,
    /// The bone in whose space it is.
    space: Option<BoneRef>,
    /// The name that users see.
    label: String,
    pose: HandlePose,
}

/// The commands that paste, and the copied bones and handles that do not exist (or have no other side), by the names that
/// users see.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pasted {
    pub commands: Vec<Command>,
    pub unmatched: Vec<String>,
    /// The handles that the commands add, without names and channel ids, in order.
    pub new_handles: Vec<Handle>,
}

/// Whether a copy takes the whole pose: no bones and handles are given, or all bones that are not hidden.
pub fn is_whole(skeleton: &Skeleton, bones: &[usize], handles: &[usize]) -> bool {
    let mut needed = skeleton.shown_bones().filter(|&bone| !skeleton.bones[bone].hidden);
    bones.is_empty() && handles.is_empty() || needed.all(|bone| bones.contains(&bone))
}

/// Copies the pose of the given bones and handles of `skeleton` (driven, and solved if IK should be included), and of
/// the handles of these bones; of all of them and the base if none or all bones are given.
pub fn copy(skeleton: &Skeleton, bones: &[usize], handles: &[usize]) -> PoseCopy {
    let all = is_whole(skeleton, bones, handles);
    let indices: Vec<usize> = if all { (0..skeleton.bones.len()).collect() } else { bones.to_vec() };
    let bone = |&index: &usize| {
        let bone = skeleton.bones.get(index)?;
        Some(CopiedBone { bone: BoneRef::new(skeleton, index)?, pose: BonePose::new(bone) })
    };
    let handle = |(index, handle): (usize, &Handle)| {
        let pulled_bone = handle.bone as usize;
        let chosen = all || handles.contains(&index) || bones.contains(&pulled_bone);
        Some(CopiedHandle {
            bone: BoneRef::new(skeleton, pulled_bone).filter(|_| chosen)?,
            nth: skeleton.handles_on(pulled_bone).position(|other| other == index)?,
            chain: handle.chain,
            space: space_bone(skeleton, handle).and_then(|bone| BoneRef::new(skeleton, bone)),
            label: skeleton.handle_name(index),
            pose: HandlePose::new(handle),
        })
    };
    PoseCopy {
        bones: indices.iter().filter_map(bone).collect(),
        handles: skeleton.handles.iter().enumerate().filter_map(handle).collect(),
        base_offset: all.then_some(skeleton.base_offset),
    }
}

/// Returns the commands that add a handle to a bone in a given state. It will have the index `index`.
pub fn add_handle(
    mesh: &str,
    index: usize,
    bone: usize,
    chain: Option<u32>,
    pose: &HandlePose,
) -> Vec<Command> {
    let set = |id, value| Command::set_handle(mesh.to_owned(), index, id, value);
    // A new handle has its target at the tail.
    let new = Handle { target: Vec3::INFINITY, ..Handle::default() };
    let added = [Command::AddHandle { mesh: mesh.to_owned(), bone }, set("chain", chain.into())];
    added.into_iter().chain(pose.changes(&new).map(|(id, value)| set(id, value))).collect()
}

impl BoneRef {
    fn new(skeleton: &Skeleton, index: usize) -> Option<Self> {
        let bone = skeleton.bones.get(index)?;
        let name = bone.name.as_deref().filter(|name| !name.is_empty()).map(Into::into);
        Some(Self { label: skeleton.bone_name(index), name, channel_id: bone.channel_id })
    }

    fn find(&self, skeleton: &Skeleton) -> Option<usize> {
        let mut bones = skeleton.bones.iter();
        match &self.name {
            Some(name) => bones.position(|bone| bone.name.as_deref() == Some(name)),
            None => bones.position(|bone| bone.channel_id == self.channel_id),
        }
    }
}

impl CopiedHandle {
    fn find(&self, skeleton: &Skeleton) -> Option<usize> {
        skeleton.handles_on(self.bone.find(skeleton)?).nth(self.nth)
    }
}

impl PoseCopy {
    /// Returns the copy without handles that cannot be in their space in this scene, and their names.
    pub fn within(&self, scene: &Scene, mesh: &str) -> (Self, Vec<String>) {
        let (mut copy, mut others) = (self.clone(), Vec::new());
        copy.handles.retain(|copied| {
            let fits = check(scene, mesh, &Space::from_handle(copied.pose.handle())).is_ok();
            others.extend((!fits).then(|| copied.label.clone()));
            fits
        });
        (copy, others)
    }

    pub fn bone_count(&self) -> usize {
        self.bones.len()
    }

    pub fn handle_count(&self) -> usize {
        self.handles.len()
    }

    /// Whether any bone or handle of the skeleton would get a pose, directly or as the other side.
    pub fn fits(&self, skeleton: &Skeleton, mirrored: bool) -> bool {
        let others = if mirrored { BothSides::new(skeleton).others } else { Vec::new() };
        let mut bones = self.bones.iter().filter_map(|copied| copied.bone.find(skeleton));
        // A handle whose other side has none gets one there.
        let has_other = |copied: &CopiedHandle| {
            let bone = copied.bone.find(skeleton).and_then(|bone| others[bone]);
            bone.is_some_and(|bone| {
                copied.pose.handle().enabled || skeleton.handles_on(bone).nth(copied.nth).is_some()
            })
        };
        bones.any(|bone| !mirrored || others[bone].is_some())
            || self.handles.iter().any(|copied| match mirrored {
                true => has_other(copied),
                false => copied.find(skeleton).is_some(),
            })
    }

    /// Pastes the pose onto the bones of the same names; bones without a name are matched by channel id. Handles are
    /// matched by their bones.
    pub fn paste(&self, mesh: &str, skeleton: &Skeleton) -> Pasted {
        self.paste_onto(mesh, skeleton, None)
    }

    /// Pastes the mirror image of the pose (about the plane of symmetry of the bind pose) onto the bones and handles of the other
    /// side; those in the middle get their own. A handle whose other side was not copied does not pull then, and a bone
    /// whose other side is pulled gets a handle if it has none.
    pub fn paste_mirrored(&self, mesh: &str, skeleton: &Skeleton) -> Pasted {
        self.paste_onto(mesh, skeleton, Some(&BothSides::new(skeleton)))
    }

    /// Pastes the pose, or its mirror image if the sides are given.
    fn paste_onto(&self, mesh: &str, skeleton: &Skeleton, sides: Option<&BothSides>) -> Pasted {
        let mut pasted = Pasted::default();
        for copied in &self.bones {
            let source = copied.bone.find(skeleton);
            let bone = source.and_then(|bone| sides.map_or(Some(bone), |sides| sides.others[bone]));
            let (Some(source), Some(bone)) = (source, bone) else {
                pasted.unmatched.push(copied.bone.label.clone());
                continue;
            };
            let current = &skeleton.bones[bone];
            let pose = match sides {
                Some(sides) => copied.pose.mirrored(&skeleton.bones[source], current, &sides.plane),
                None => copied.pose,
            };
            let set = |id, value| Command::set_bone(mesh.to_owned(), bone, id, value);
            pasted.commands.push(set(POSE.info.id, pose.pose_deg));
            let is_other = |(row, old, new): (_, Vec3, Vec3)| {
                (old != new && !current.lock_transform).then(|| set(row, new))
            };
            let moved = (TRANSLATION.info.id, current.translation, pose.translation);
            let scaled = (SCALE.info.id, current.scale, pose.scale);
            pasted.commands.extend([moved, scaled].into_iter().filter_map(is_other));
        }
        self.paste_handles(mesh, skeleton, sides, &mut pasted);
        if let Some(offset) = self.base_offset {
            let image = |sides: &BothSides| sides.plane.reflect_direction(offset.as_dvec3()).as_vec3();
            let base_offset = sides.map_or(offset, image);
            let mesh = mesh.to_owned();
            pasted.commands.push(Command::set_skeleton(mesh, "base_offset", base_offset));
        }
        pasted
    }

    fn paste_handles(&self, mesh: &str, skeleton: &Skeleton, sides: Option<&BothSides>, pasted: &mut Pasted) {
        let mut found = Vec::new();
        for copied in &self.handles {
            let source = copied.bone.find(skeleton);
            let bone = source.and_then(|bone| sides.map_or(Some(bone), |sides| sides.others[bone]));
            let Some(bone) = bone else {
                pasted.unmatched.push(copied.label.clone());
                continue;
            };
            let handle = copied.find(skeleton);
            let mut pose = copied.pose.clone();
            if pose.handle().space_instance.is_none() {
                let space = copied.space.as_ref().and_then(|bone| bone.find(skeleton));
                pose.handle_mut().space = space.map(|bone| skeleton.bones[bone].channel_id);
            }
            found.extend(handle.map(|handle| (handle, pose.clone())));
            let has_target = skeleton.handles_on(bone).nth(copied.nth).is_some();
            if !has_target && pose.handle().enabled {
                let pose = sides.map_or_else(|| pose.clone(), |sides| pose.mirrored(skeleton, &sides.plane));
                let index = skeleton.handles.len() + pasted.new_handles.len();
                let chain = copied.chain;
                pasted.commands.extend(add_handle(mesh, index, bone, chain, &pose));
                pasted.new_handles.push(Handle { bone: bone as u32, chain, ..pose.handle().clone() });
            }
        }
        let posed: BTreeSet<usize> =
            self.bones.iter().filter_map(|copied| copied.bone.find(skeleton)).collect();
        let states = match sides {
            Some(sides) => flipped_handles(skeleton, sides, &found, |bone| posed.contains(&bone)),
            None => found,
        };
        for (handle, pose) in states {
            // Set even if it is equal, so that it is keyed.
            let set = |(id, value)| Command::set_handle(mesh.to_owned(), handle, id, value);
            let enabled = ENABLED.get(pose.handle()).map(|value| (ENABLED.info.id, value));
            let changes = pose.changes(&skeleton.handles[handle]).filter(|(id, _)| *id != ENABLED.info.id);
            pasted.commands.extend(changes.chain(enabled).map(set));
        }
    }
}
