//! Poses saved with a character: they can be applied to all bones or some, mirrored, or in part.

use super::body::middle::BothSides;
use super::body::mirror_plane::MirrorPlane;
use super::edits::symmetry::mirrored_pose;
use super::handle_pose::HandlePose;
use super::skeleton::{Bone, Skeleton};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// A named pose (extra member `poses` of a skinned mesh in the file).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedPose {
    pub name: String,
    /// By the channel ids of the bones.
    pub bones: Vec<(u32, BonePose)>,
    /// By the channel ids of the handles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub handles: Vec<(u32, HandlePose)>,
    /// The base offset, if it is part of the pose.
    pub base_offset: Option<Vec3>,
}

/// The pose of one bone. In files and commands three numbers, its angles; nine for a bone that is moved or scaled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<f32>", into = "Vec<f32>")]
pub struct BonePose {
    pub pose_deg: Vec3,
    /// Against the parent, in its axes.
    pub translation: Vec3,
    pub scale: Vec3,
}

impl BonePose {
    /// Returns the pose of `bone`.
    pub fn new(bone: &Bone) -> Self {
        Self { pose_deg: bone.pose_deg, translation: bone.translation, scale: bone.scale }
    }

    /// Returns the pose that `to`, the other side of `from`, has in the mirror image.
    pub fn mirrored(self, from: &Bone, to: &Bone, plane: &MirrorPlane) -> Self {
        Self {
            pose_deg: mirrored_pose(from, to, self.pose_deg, plane),
            translation: plane.reflect_direction(self.translation.as_dvec3()).as_vec3(),
            scale: self.scale,
        }
    }

    /// Returns the three numbers of the angles, or all nine if the bone is moved or scaled.
    pub fn numbers(self) -> Vec<f32> {
        let is_unmoved = (self.translation, self.scale) == (Vec3::ZERO, Vec3::ONE);
        let values = [self.pose_deg, self.translation, self.scale];
        values[..if is_unmoved { 1 } else { 3 }].iter().flat_map(Vec3::to_array).collect()
    }

    pub fn is_finite(self) -> bool {
        self.pose_deg.is_finite() && self.translation.is_finite() && self.scale.is_finite()
    }
}

impl From<Vec3> for BonePose {
    fn from(pose_deg: Vec3) -> Self {
        Self { pose_deg, translation: Vec3::ZERO, scale: Vec3::ONE }
    }
}

impl From<BonePose> for Vec<f32> {
    fn from(pose: BonePose) -> Self {
        pose.numbers()
    }
}

impl TryFrom<Vec<f32>> for BonePose {
    type Error = &'static str;

    fn try_from(numbers: Vec<f32>) -> Result<Self, Self::Error> {
        let vector = |at: usize| Vec3::from_slice(&numbers[at..at + 3]);
        match numbers.len() {
            3 => Ok(vector(0).into()),
            9 => Ok(Self { pose_deg: vector(0), translation: vector(3), scale: vector(6) }),
            _ => Err("the pose of a bone is neither three nor nine numbers"),
        }
    }
}

impl SavedPose {
    /// Saves the current pose of `bones` and `handles`; if none are given, that of all, and the base offset.
    pub fn new(name: String, skeleton: &Skeleton, bones: &[usize], handles: &[usize]) -> Self {
        let is_whole = bones.is_empty() && handles.is_empty();
        let chosen = skeleton.shown_bones().filter(|bone| is_whole || bones.contains(bone));
        let turned = chosen.map(|bone| &skeleton.bones[bone]);
        let pulled = skeleton.handles.iter().enumerate();
        let pulled = pulled.filter(|(handle, _)| is_whole || handles.contains(handle));
        let mut pose = Self {
            name,
            bones: turned.map(|bone| (bone.channel_id, BonePose::new(bone))).collect(),
            handles: pulled.map(|(_, handle)| (handle.channel_id, HandlePose::new(handle))).collect(),
            base_offset: is_whole.then_some(skeleton.base_offset),
        };
        pose.keep_last();
        pose
    }

    /// Keeps the last state for each channel id, which bones may share, as handles may: files hold one.
    pub fn keep_last(&mut self) {
        keep_last(&mut self.bones);
        keep_last(&mut self.handles);
    }

    /// Returns the bones of the skeleton that the pose contains, with their poses; with `flipped`, those of its
    /// mirror image. Bones that are missing or have no other side are skipped.
    pub fn bone_poses(&self, skeleton: &Skeleton, flipped: bool) -> Vec<(usize, BonePose)> {
        let ids = skeleton.bones.iter().enumerate();
        let index_by_id: HashMap<u32, usize> = ids.map(|(index, bone)| (bone.channel_id, index)).collect();
        let found = self.bones.iter().filter_map(|(id, pose)| Some((*index_by_id.get(id)?, *pose)));
        if !flipped {
            return found.collect();
        }
        let sides = BothSides::new(skeleton);
        let image = |(bone, pose): (usize, BonePose)| {
            let other = sides.others[bone]?;
            Some((other, pose.mirrored(&skeleton.bones[bone], &skeleton.bones[other], &sides.plane)))
        };
        found.filter_map(image).collect()
    }

    /// Returns the handles of the skeleton that the pose contains, with their states; with `flipped`, those of its mirror
    /// image (see [`flipped_handles`]). Handles that are missing are skipped.
    pub fn handle_poses(&self, skeleton: &Skeleton, flipped: bool) -> Vec<(usize, HandlePose)> {
        let index = |id: u32| skeleton.handles.iter().position(|handle| handle.channel_id == id);
        let found = self.handles.iter().filter_map(|(id, pose)| Some((index(*id)?, pose.clone())));
        let found: Vec<(usize, HandlePose)> = found.collect();
        if !flipped {
            return found;
        }
        let is_posed = |bone: usize| {
            let id = skeleton.bones[bone].channel_id;
            self.bones.iter().any(|(posed, _)| *posed == id)
        };
        flipped_handles(skeleton, &BothSides::new(skeleton), &found, is_posed)
    }

    /// Blends `bones` into the pose, or all of its bones and the base offset if none are given, by `amount`
    /// from 0 (no change) to 1. Angles take the short way, so they can end full turns away from the saved
    /// ones. The handles of these bones are blended as well.
    pub fn apply(&self, skeleton: &mut Skeleton, bones: &[usize], amount: f32, flipped: bool) {
        for (index, pose) in self.bone_poses(skeleton, flipped) {
            if bones.is_empty() || bones.contains(&index) {
                let bone = &mut skeleton.bones[index];
                let turns = ((bone.pose_deg - pose.pose_deg) / 360.0).round();
                bone.pose_deg = blended(bone.pose_deg, pose.pose_deg + turns * 360.0, amount);
                bone.translation = blended(bone.translation, pose.translation, amount);
                bone.scale = blended(bone.scale, pose.scale, amount);
            }
        }
        for (index, pose) in self.handle_poses(skeleton, flipped) {
            let handle = &mut skeleton.handles[index];
            if bones.is_empty() || bones.contains(&(handle.bone as usize)) {
                pose.apply(handle, amount);
            }
        }
        if let Some(offset) = self.base_offset.filter(|_| bones.is_empty()) {
            let plane = flipped.then(|| BothSides::new(skeleton).plane);
            let offset = plane.map_or(offset, |plane| plane.reflect_direction(offset.as_dvec3()).as_vec3());
            skeleton.base_offset = blended(skeleton.base_offset, offset, amount);
        }
    }
}

fn keep_last<T>(by_id: &mut Vec<(u32, T)>) {
    let mut known = HashSet::new();
    by_id.reverse();
    by_id.retain(|(id, _)| known.insert(*id));
    by_id.reverse();
}

/// Returns the states of handles in the mirror image of a pose. A handle whose other side has none does not pull where the
/// pose has the bone of the other side (`is_posed`): its own bone gets the image of that one. Otherwise it stays as it is.
pub fn flipped_handles(
    skeleton: &Skeleton,
    sides: &BothSides,
    handles: &[(usize, HandlePose)],
    is_posed: impl Fn(usize) -> bool,
) -> Vec<(usize, HandlePose)> {
    let images = handles.iter().filter_map(|(handle, pose)| {
        let other = skeleton.other_handle(&sides.others, *handle)?;
        Some((other, pose.mirrored(skeleton, &sides.plane)))
    });
    let mut flipped: Vec<(usize, HandlePose)> = images.collect();
    for (handle, pose) in handles {
        let other = sides.others.get(skeleton.handles[*handle].bone as usize).copied().flatten();
        if other.is_none_or(&is_posed) && flipped.iter().all(|(image, _)| image != handle) {
            flipped.push((*handle, pose.disabled()));
        }
    }
    flipped
}

/// Interpolates linearly; returns the values themselves at 0 and at 1.
fn blended(from: Vec3, to: Vec3, amount: f32) -> Vec3 {
    match amount {
        1.0 => to,
        amount => from + (to - from) * amount,
    }
}
