//! Poses that are kept with a character, to be taken again: by all bones or some, mirrored, or part of the way.

use super::edits::sides::other_sides;
use super::edits::symmetry::{AXIS, mirrored_pose};
use super::skeleton::Skeleton;
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A pose by its name (extra member `poses` of a skinned mesh in the file).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedPose {
    pub name: String,
    /// Angles in degrees, by the channel ids of bones.
    pub bones: Vec<(u32, Vec3)>,
    /// Where the base stands, if that is part of the pose.
    pub base_offset: Option<Vec3>,
}

impl SavedPose {
    /// As `bones` of the skeleton are turned; all bones and the base if none is given.
    pub fn new(name: String, skeleton: &Skeleton, bones: &[usize]) -> Self {
        let is_chosen = |bone: &usize| bones.is_empty() || bones.contains(bone);
        let chosen = skeleton.shown_bones().filter(is_chosen);
        let turned = chosen.map(|bone| &skeleton.bones[bone]);
        Self {
            name,
            bones: turned.map(|bone| (bone.channel_id, bone.pose_deg)).collect(),
            base_offset: bones.is_empty().then_some(skeleton.base_offset),
        }
    }

    /// Which bones of the skeleton the pose turns, and how, in degrees; `flipped`: its mirror image at x = 0. Bones that
    /// are not there, or have no other side, are left out.
    pub fn turns(&self, skeleton: &Skeleton, flipped: bool) -> Vec<(usize, Vec3)> {
        let ids = skeleton.bones.iter().enumerate();
        let places: HashMap<u32, usize> = ids.map(|(at, bone)| (bone.channel_id, at)).collect();
        let turns = self.bones.iter();
        let turns = turns.filter_map(|(id, pose_deg)| Some((*places.get(id)?, *pose_deg)));
        if !flipped {
            return turns.collect();
        }
        let others = other_sides(skeleton, AXIS);
        let image = |(bone, pose_deg): (usize, Vec3)| {
            let other = others[bone]?;
            let [from, to] = [bone, other].map(|bone| &skeleton.bones[bone]);
            Some((other, mirrored_pose(from, to, pose_deg)))
        };
        turns.filter_map(image).collect()
    }

    /// Turns `bones` towards the pose, all of its bones if none is given, and moves the base with these: by `amount` from
    /// 0, where nothing moves, to 1. Angles go the short way, so that they may come to the pose's with full turns added.
    pub fn apply(&self, skeleton: &mut Skeleton, bones: &[usize], amount: f32, flipped: bool) {
        for (bone, pose_deg) in self.turns(skeleton, flipped) {
            if bones.is_empty() || bones.contains(&bone) {
                let now = &mut skeleton.bones[bone].pose_deg;
                let turns = ((*now - pose_deg) / 360.0).round();
                *now = blended(*now, pose_deg + turns * 360.0, amount);
            }
        }
        if let Some(offset) = self.base_offset.filter(|_| bones.is_empty()) {
            let side = if flipped { -1.0 } else { 1.0 };
            let offset = offset * Vec3::new(side, 1.0, 1.0);
            skeleton.base_offset = blended(skeleton.base_offset, offset, amount);
        }
    }
}

/// At 0 and at 1 the values themselves.
fn blended(from: Vec3, to: Vec3, amount: f32) -> Vec3 {
    match amount {
        1.0 => to,
        amount => from + (to - from) * amount,
    }
}
