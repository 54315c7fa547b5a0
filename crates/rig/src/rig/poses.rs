//! Poses saved with a character: they can be applied to all bones or some, mirrored, or in part.

use super::body::AXIS;
use super::body::sides::other_sides;
use super::edits::symmetry::mirrored_pose;
use super::skeleton::Skeleton;
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// A named pose (extra member `poses` of a skinned mesh in the file).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedPose {
    pub name: String,
    /// The pose angles in degrees, by the channel ids of the bones.
    pub bones: Vec<(u32, Vec3)>,
    /// The base offset, if it is part of the pose.
    pub base_offset: Option<Vec3>,
}

impl SavedPose {
    /// Saves the current pose of `bones`; if none are given, that of all bones and the base offset.
    pub fn new(name: String, skeleton: &Skeleton, bones: &[usize]) -> Self {
        let is_chosen = |bone: &usize| bones.is_empty() || bones.contains(bone);
        let chosen = skeleton.shown_bones().filter(is_chosen);
        let turned = chosen.map(|bone| &skeleton.bones[bone]);
        let mut pose = Self {
            name,
            bones: turned.map(|bone| (bone.channel_id, bone.pose_deg)).collect(),
            base_offset: bones.is_empty().then_some(skeleton.base_offset),
        };
        pose.keep_last();
        pose
    }

    /// Keeps the last angles for each channel id, which bones may share: files hold one.
    pub fn keep_last(&mut self) {
        let mut known = HashSet::new();
        self.bones.reverse();
        self.bones.retain(|(id, _)| known.insert(*id));
        self.bones.reverse();
    }

    /// Returns the bones of the skeleton that the pose rotates, with their angles in degrees; with `flipped`,
    /// those of its mirror image at x = 0. Bones that are missing or have no other side are skipped.
    pub fn rotations(&self, skeleton: &Skeleton, flipped: bool) -> Vec<(usize, Vec3)> {
        let ids = skeleton.bones.iter().enumerate();
        let index_by_id: HashMap<u32, usize> = ids.map(|(index, bone)| (bone.channel_id, index)).collect();
        let rotations = self.bones.iter();
        let rotations = rotations.filter_map(|(id, pose_deg)| Some((*index_by_id.get(id)?, *pose_deg)));
        if !flipped {
            return rotations.collect();
        }
        let others = other_sides(skeleton, AXIS);
        let image = |(bone, pose_deg): (usize, Vec3)| {
            let other = others[bone]?;
            let [from, to] = [bone, other].map(|bone| &skeleton.bones[bone]);
            Some((other, mirrored_pose(from, to, pose_deg)))
        };
        rotations.filter_map(image).collect()
    }

    /// Blends `bones` into the pose, or all of its bones and the base offset if none are given, by `amount`
    /// from 0 (no change) to 1. Angles take the short way, so they can end full turns away from the saved
    /// ones.
    pub fn apply(&self, skeleton: &mut Skeleton, bones: &[usize], amount: f32, flipped: bool) {
        for (bone, pose_deg) in self.rotations(skeleton, flipped) {
            if bones.is_empty() || bones.contains(&bone) {
                let current = &mut skeleton.bones[bone].pose_deg;
                let turns = ((*current - pose_deg) / 360.0).round();
                *current = blended(*current, pose_deg + turns * 360.0, amount);
            }
        }
        if let Some(offset) = self.base_offset.filter(|_| bones.is_empty()) {
            let side = if flipped { -1.0 } else { 1.0 };
            let offset = offset * Vec3::new(side, 1.0, 1.0);
            skeleton.base_offset = blended(skeleton.base_offset, offset, amount);
        }
    }
}

/// Interpolates linearly; returns the values themselves at 0 and at 1.
fn blended(from: Vec3, to: Vec3, amount: f32) -> Vec3 {
    match amount {
        1.0 => to,
        amount => from + (to - from) * amount,
    }
}
