//! Copying and pasting of poses: onto the same bones, onto bones with the same names, or onto the bones of
//! the other side. Bones without a counterpart are reported.

pub mod children;
pub mod figure;
pub mod limbs;
pub mod newer_side;
pub mod pose_library;
pub mod pose_preview;

use crate::edit::command::Command;
use crate::math::axis::Axis;
use crate::rig::body::sides::other_sides;
use crate::rig::poses::BonePose;
use crate::rig::property::{POSE, SCALE, TRANSLATION};
use crate::rig::skeleton::Skeleton;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// A copied pose: angles of bones, and the base offset if all bones were copied.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PoseCopy {
    bones: Vec<CopiedBone>,
    base_offset: Option<Vec3>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct CopiedBone {
    /// The name that users see.
    label: String,
    name: Option<String>,
    channel_id: u32,
    #[serde(rename = "pose_deg")]
    pose: BonePose,
}

/// The commands that paste, and the copied bones that do not exist (or have no other side), by the names that
/// users see.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pasted {
    pub commands: Vec<Command>,
    pub unmatched: Vec<String>,
}

/// Copies the pose of the given bones of `skeleton` (driven, and solved if IK should be included); of all
/// bones and the base if none are given.
pub fn copy(skeleton: &Skeleton, bones: &[usize]) -> PoseCopy {
    let all = bones.is_empty();
    let indices: Vec<usize> = if all { (0..skeleton.bones.len()).collect() } else { bones.to_vec() };
    let bone = |&index: &usize| {
        let bone = skeleton.bones.get(index)?;
        Some(CopiedBone {
            label: skeleton.bone_name(index),
            name: bone.name.as_deref().filter(|name| !name.is_empty()).map(Into::into),
            channel_id: bone.channel_id,
            pose: BonePose::new(bone),
        })
    };
    PoseCopy {
        bones: indices.iter().filter_map(bone).collect(),
        base_offset: all.then_some(skeleton.base_offset),
    }
}

impl PoseCopy {
    pub fn bone_count(&self) -> usize {
        self.bones.len()
    }

    /// Whether any bone of the skeleton would get a pose, directly or as the other side.
    pub fn fits(&self, skeleton: &Skeleton, mirrored: bool) -> bool {
        let mut found = self.bones.iter().filter_map(|copied| find(skeleton, copied));
        if mirrored {
            let others = other_sides(skeleton, Axis::X);
            found.any(|bone| others.get(bone).copied().flatten().is_some())
        } else {
            found.next().is_some()
        }
    }

    /// Pastes the pose onto the bones of the same names; bones without a name are matched by channel id.
    pub fn paste(&self, mesh: &str, skeleton: &Skeleton) -> Pasted {
        self.paste_onto(mesh, skeleton, |bone| Some((bone, None)))
    }

    /// Pastes the mirror image of the pose (at the plane x = 0 of the bind pose) onto the bones of the other
    /// side; bones in the middle get their own.
    pub fn paste_mirrored(&self, mesh: &str, skeleton: &Skeleton) -> Pasted {
        let others = other_sides(skeleton, Axis::X);
        self.paste_onto(mesh, skeleton, |bone| Some((others.get(bone).copied().flatten()?, Some(bone))))
    }

    /// Pastes onto the bones given by `onto`: for a copied bone, the bone that gets its pose, and for mirror
    /// images, the bone that is mirrored.
    fn paste_onto(
        &self,
        mesh: &str,
        skeleton: &Skeleton,
        onto: impl Fn(usize) -> Option<(usize, Option<usize>)>,
    ) -> Pasted {
        let mut pasted = Pasted::default();
        let mut is_mirrored = false;
        for copied in &self.bones {
            let Some((bone, source)) = find(skeleton, copied).and_then(&onto) else {
                pasted.unmatched.push(copied.label.clone());
                continue;
            };
            is_mirrored |= source.is_some();
            let current = &skeleton.bones[bone];
            let pose =
                source.map_or(copied.pose, |source| copied.pose.mirrored(&skeleton.bones[source], current));
            let set = |id, value| Command::set_bone(mesh.to_owned(), bone, id, value);
            pasted.commands.push(set(POSE.info.id, pose.pose_deg));
            let is_other = |(row, old, new): (_, Vec3, Vec3)| {
                (old != new && !current.lock_transform).then(|| set(row, new))
            };
            let moved = (TRANSLATION.info.id, current.translation, pose.translation);
            let scaled = (SCALE.info.id, current.scale, pose.scale);
            pasted.commands.extend([moved, scaled].into_iter().filter_map(is_other));
        }
        if let Some(offset) = self.base_offset {
            let side = if is_mirrored { -1.0 } else { 1.0 };
            let base_offset = offset * Vec3::new(side, 1.0, 1.0);
            let mesh = mesh.to_owned();
            pasted.commands.push(Command::set_skeleton(mesh, "base_offset", base_offset));
        }
        pasted
    }
}

fn find(skeleton: &Skeleton, copied: &CopiedBone) -> Option<usize> {
    let mut bones = skeleton.bones.iter();
    match &copied.name {
        Some(name) => bones.position(|bone| bone.name.as_deref() == Some(name)),
        None => bones.position(|bone| bone.channel_id == copied.channel_id),
    }
}
