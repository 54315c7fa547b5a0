//! Converts joints to bones. A joint has a position and a frame; a bone also has a tail, and starts at the
//! tail of its parent. Tails are guessed from children and from the surface, and joints that are elsewhere
//! are attached with links.

use crate::io::unique_names::UniqueNames;
use crate::math::angles::angle;
use crate::math::segment::closest_parameter;
use crate::rig::kinematics::rotation_axes;
use crate::rig::rest;
use crate::rig::skeleton::{Bone, Skeleton};
use glam::{DMat3, DQuat, DVec3, Vec3};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A joint in the bind pose, in mesh space.
pub struct Frame {
    pub name: String,
    /// The parent, before this joint.
    pub parent: Option<usize>,
    pub start: DVec3,
    /// The axes, a rotation.
    pub axes: DMat3,
    /// The position of a child that is not a joint and marks the end.
    pub end: Option<DVec3>,
    /// The bone that the joint was written from, if the file says so.
    pub ours: Option<BoneShape>,
}

/// What a joint does not tell of a bone, as other formats keep it beside the joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoneShape {
    pub extent: Vec3,
    #[serde(rename = "roll")]
    pub roll_deg: f32,
    pub radius: Option<f32>,
    pub channel_id: Option<u32>,
    /// The rest frame, if the bone is written with one that is not along it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<DQuat>,
}

impl BoneShape {
    pub fn new(bone: &Bone) -> Self {
        Self {
            extent: bone.extent,
            roll_deg: bone.roll_deg,
            radius: Some(bone.radius),
            channel_id: Some(bone.channel_id),
            rest: rest::frame(bone),
        }
    }
}

/// A skeleton, and the bone of each joint.
pub struct Bones {
    pub skeleton: Skeleton,
    pub bone_of: Vec<usize>,
}

/// The minimum distance of children that determine the direction of a bone, as a fraction of the size.
const MIN_DISTANCE: f64 = 1e-5;
/// The maximum distance of a bone from its parent's tail at which no link is needed, as a fraction of the
/// size.
const POSITION_TOLERANCE: f64 = 1e-6;

/// Converts joints to bones. `followers` are the vertices of each joint on which it has the largest weight;
/// `size` is that of the skeleton.
pub fn bones(frames: &[Frame], base: DVec3, followers: &[Vec<DVec3>], size: f64) -> Bones {
    let mut children = vec![Vec::new(); frames.len()];
    for (joint, frame) in frames.iter().enumerate() {
        frame.parent.into_iter().for_each(|parent| children[parent].push(joint));
    }
    // The number of joints in the subtree of each joint.
    let mut subtree_sizes = vec![1usize; frames.len()];
    for (joint, frame) in frames.iter().enumerate().rev() {
        frame.parent.into_iter().for_each(|parent| subtree_sizes[parent] += subtree_sizes[joint]);
    }
    let base32 = base.as_vec3();
    let mut bones = Bones {
        skeleton: Skeleton { base: base32, ..Skeleton::default() },
        bone_of: Vec::with_capacity(frames.len()),
    };
    let mut names = UniqueNames::default();
    let mut ids = Ids::new(frames);
    // The tail of each bone, as the sum of its f32 values.
    let mut tips: Vec<DVec3> = Vec::new();
    let mut extents: Vec<DVec3> = Vec::with_capacity(frames.len());
    for (joint, frame) in frames.iter().enumerate() {
        let mut parent = frame.parent.map(|parent| bones.bone_of[parent]);
        let mut start = parent.map_or(base32.as_dvec3(), |parent| tips[parent]);
        if start.distance(frame.start) > POSITION_TOLERANCE * size {
            let extent = (frame.start - start).as_vec3();
            start += extent.as_dvec3();
            bones.skeleton.bones.push(Bone {
                extent,
                radius: 0.0,
                parent: parent.map(|parent| parent as u32),
                channel_id: ids.next(None),
                link: true,
                ..Bone::default()
            });
            tips.push(start);
            parent = Some(tips.len() - 1);
        }
        let parent_frame = frame.parent.map(|parent| (extents[parent], frames[parent].axes));
        let neighbourhood = Neighbourhood {
            frames,
            children: &children[joint],
            subtree_sizes: &subtree_sizes,
            parent_frame,
            size,
        };
        let ours = frame.ours.as_ref().filter(|ours| neighbourhood.is_valid(ours, joint));
        let extent = match ours {
            Some(ours) => ours.extent.as_dvec3(),
            None => neighbourhood.extent(joint, &followers[joint]),
        };
        // Computed such that children meet the tail exactly.
        let extent = match ours {
            Some(_) => extent.as_vec3(),
            None => (frame.start + extent - start).as_vec3(),
        };
        let tip = start + extent.as_dvec3();
        let mut bone = Bone {
            extent,
            parent: parent.map(|parent| parent as u32),
            name: (!frame.name.is_empty()).then(|| names.unique(&frame.name).into()),
            ..Bone::default()
        };
        bone.roll_deg = ours.map_or_else(|| roll(&bone, &frame.axes), |ours| ours.roll_deg);
        let radius = ours.and_then(|ours| ours.radius);
        bone.radius = radius.unwrap_or_else(|| median_distance(&followers[joint], start, tip));
        bone.channel_id = ids.next(frame.ours.as_ref().and_then(|ours| ours.channel_id));
        if angle(&axes(&bone), &frame.axes) > 0.1f64.to_radians() {
            rest::set(&mut bone, DQuat::from_mat3(&frame.axes));
        }
        bones.bone_of.push(bones.skeleton.bones.len());
        bones.skeleton.bones.push(bone);
        tips.push(tip);
        extents.push(extent.as_dvec3());
    }
    bones
}

/// Assigns channel ids: those in our own extras are reserved.
struct Ids {
    taken: BTreeSet<u32>,
    used: BTreeSet<u32>,
    next: u32,
}

impl Ids {
    fn new(frames: &[Frame]) -> Self {
        let ours = frames.iter().filter_map(|frame| frame.ours.as_ref()?.channel_id);
        Self { taken: ours.collect(), used: BTreeSet::new(), next: 0 }
    }

    fn next(&mut self, wanted: Option<u32>) -> u32 {
        if let Some(wanted) = wanted.filter(|wanted| self.used.insert(*wanted)) {
            return wanted;
        }
        while !self.taken.insert(self.next) {
            self.next += 1;
        }
        self.next
    }
}

/// The neighbours of a joint.
struct Neighbourhood<'a> {
    frames: &'a [Frame],
    children: &'a [usize],
    /// The number of joints in the subtree of each joint.
    subtree_sizes: &'a [usize],
    /// The extent and axes of the parent.
    parent_frame: Option<(DVec3, DMat3)>,
    size: f64,
}

impl Neighbourhood<'_> {
    fn extent(&self, joint: usize, followers: &[DVec3]) -> DVec3 {
        let frame = &self.frames[joint];
        let is_far = |end: &DVec3| frame.start.distance(*end) > MIN_DISTANCE * self.size;
        let candidates = self.children.iter().filter(|child| is_far(&self.frames[**child].start));
        let main_child =
            candidates.max_by(|a, b| self.rank(frame, **a).total_cmp(&self.rank(frame, **b)).then(b.cmp(a)));
        if let Some(&child) = main_child {
            return self.frames[child].start - frame.start;
        }
        if let Some(end) = frame.end.filter(is_far) {
            return end - frame.start;
        }
        let (direction, default_length) =
            match self.parent_frame.filter(|(extent, _)| extent.length() > MIN_DISTANCE * self.size) {
                Some((extent, axes)) => {
                    let carried = frame.axes * (axes.transpose() * extent);
                    (carried.normalize_or(DVec3::Y), extent.length() / 2.0)
                }
                None => (frame.axes.y_axis.normalize_or(DVec3::Y), self.size / 10.0),
            };
        // A last bone does not lead away from its skin: the axes of toes may be turned against those of the foot.
        let skin: DVec3 = followers.iter().map(|vertex| *vertex - frame.start).sum();
        let direction = if skin.dot(direction) < 0.0 { skin.normalize_or(direction) } else { direction };
        let reach = followers.iter().map(|vertex| (*vertex - frame.start).dot(direction)).fold(0.0, f64::max);
        direction * if reach > default_length / 5.0 { reach } else { default_length }
    }

    /// Rates how likely a bone ends at a child.
    fn rank(&self, frame: &Frame, child: usize) -> f64 {
        let direction = (self.frames[child].start - frame.start).normalize_or_zero();
        let straightness =
            self.parent_frame.map_or(0.0, |(extent, _)| extent.normalize_or_zero().dot(direction));
        let axes = [(frame.axes.y_axis, 1.0), (frame.axes.x_axis, 0.9), (frame.axes.z_axis, 0.8)];
        let alignment = axes.map(|(axis, score)| if axis.dot(direction).abs() > 0.999 { score } else { 0.0 });
        let is_spine = self.frames[child].name.to_lowercase().contains("spine");
        let tie_break = 1e-3 * self.subtree_sizes[child] as f64 / self.subtree_sizes.len() as f64
            + if is_spine { 1e-4 } else { 0.0 };
        straightness + alignment.into_iter().fold(0.0, f64::max) + tie_break
    }

    /// Whether our own extras of a bone are still valid.
    fn is_valid(&self, ours: &BoneShape, joint: usize) -> bool {
        let frame = &self.frames[joint];
        let bone = Bone { extent: ours.extent, roll_deg: ours.roll_deg, ..Bone::default() };
        let stored_rest = ours.rest.map(DMat3::from_quat);
        let deviation = angle(&axes(&bone), &frame.axes)
            .min(stored_rest.map_or(f64::MAX, |rest| angle(&rest, &frame.axes)));
        let extent = ours.extent.as_dvec3();
        let tip = frame.start + extent;
        let starts = || self.children.iter().map(|child| self.frames[*child].start);
        let is_met = starts().any(|start| start.distance(tip) < 1e-4 * self.size);
        // Where a child would be if the bone became longer or shorter.
        let direction = extent.normalize_or_zero();
        let is_ahead = |start: DVec3| {
            let along = (start - frame.start).dot(direction);
            along > MIN_DISTANCE * self.size
                && start.distance(frame.start + along * direction) < 1e-4 * self.size
        };
        deviation < 0.5f64.to_radians() && (is_met || !starts().any(is_ahead))
    }
}

fn axes(bone: &Bone) -> DMat3 {
    let [x, y, z] = rotation_axes(bone);
    DMat3::from_cols(x, y, z)
}

/// Returns the roll for which the z axis of the bone is the frame axis that is most perpendicular to the
/// bone; z itself if it is nearly perpendicular.
fn roll(bone: &Bone, frame: &DMat3) -> f32 {
    let [x, y, z] = rotation_axes(&Bone { roll_deg: 0.0, ..bone.clone() });
    let along = |axis: DVec3| axis.dot(y).abs();
    let mut candidates = [frame.z_axis, frame.x_axis, frame.y_axis];
    if along(candidates[0]) >= 0.1 {
        candidates.sort_by(|a, b| along(*a).total_cmp(&along(*b)));
    }
    candidates[0].dot(x).atan2(candidates[0].dot(z)).to_degrees() as f32
}

/// Returns the radius of a bone, the median distance of its vertices; without any, a tenth of its length.
fn median_distance(followers: &[DVec3], start: DVec3, tip: DVec3) -> f32 {
    let mut distances: Vec<f64> = followers
        .iter()
        .map(|vertex| start.lerp(tip, closest_parameter(start, tip, *vertex)).distance(*vertex))
        .collect();
    if distances.is_empty() {
        return (0.1 * start.distance(tip)) as f32;
    }
    let middle = distances.len() / 2;
    let (_, median, _) = distances.select_nth_unstable_by(middle, f64::total_cmp);
    *median as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Toes whose axes are turned by half a turn against those of the foot point to their skin, however the axes are.
    #[test]
    fn last_bones_point_to_their_skin() {
        let foot = DVec3::new(0.0, -0.05, 0.1);
        let skin = |tip: DVec3| vec![tip + DVec3::new(0.01, 0.0, 0.06), tip + DVec3::new(-0.01, -0.01, 0.04)];
        for turned in [DMat3::IDENTITY, DMat3::from_rotation_x(3.0), DMat3::from_rotation_y(2.5)] {
            let frame = |parent, start, axes| Frame {
                name: String::new(),
                parent,
                start,
                axes,
                end: None,
                ours: None,
            };
            let frames = [frame(None, DVec3::ZERO, DMat3::IDENTITY), frame(Some(0), foot, turned)];
            let bones = bones(&frames, DVec3::ZERO, &[Vec::new(), skin(foot)], 1.0);
            let toes = bones.skeleton.bones[bones.bone_of[1]].extent;
            assert!(toes.z > 0.03 && toes.length() < 0.1, "{toes}");
        }
    }
}
