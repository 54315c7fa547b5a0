//! Joints as bones. A joint is a place and a frame; a bone has a tip too, and starts at its parent's: tips are guessed
//! from children and from the surface, and what starts elsewhere hangs on links.

use super::super::extras::BoneExtras;
use super::names::Names;
use crate::math::segment::closest_parameter;
use crate::rig::kinematics::rotation_axes;
use crate::rig::rest;
use crate::rig::skeleton::{Bone, Skeleton};
use glam::{DMat3, DQuat, DVec3};
use std::collections::BTreeSet;

/// A joint in the bind pose, in mesh space.
pub struct Frame {
    pub name: String,
    /// Before this one.
    pub parent: Option<usize>,
    pub start: DVec3,
    /// A rotation.
    pub axes: DMat3,
    /// The place of a child that is no joint and marks the end.
    pub end: Option<DVec3>,
    /// What we wrote of the bone.
    pub ours: Option<BoneExtras>,
}

/// A skeleton, and the bone of each joint.
pub struct Bones {
    pub skeleton: Skeleton,
    pub bone_of: Vec<usize>,
}

/// Children nearer than this, as a part of the size, say nothing of a bone's direction.
const NEAR: f64 = 1e-5;
/// A bone starts at its parent's tip if it is as near as this.
const SAME_PLACE: f64 = 1e-6;

/// `followers`: for each joint the vertices that follow it most. `size`: of the skeleton.
pub fn bones(frames: &[Frame], base: DVec3, followers: &[Vec<DVec3>], size: f64) -> Bones {
    let mut children = vec![Vec::new(); frames.len()];
    for (joint, frame) in frames.iter().enumerate() {
        frame
            .parent
            .into_iter()
            .for_each(|parent| children[parent].push(joint));
    }
    // How many hang on each.
    let mut weight = vec![1usize; frames.len()];
    for (joint, frame) in frames.iter().enumerate().rev() {
        frame
            .parent
            .into_iter()
            .for_each(|parent| weight[parent] += weight[joint]);
    }
    let base32 = base.as_vec3();
    let mut bones = Bones {
        skeleton: Skeleton {
            base: base32,
            ..Skeleton::default()
        },
        bone_of: Vec::with_capacity(frames.len()),
    };
    let mut names = Names::default();
    let mut ids = Ids::new(frames);
    // Where each bone ends, as its numbers in f32 add up.
    let mut tips: Vec<DVec3> = Vec::new();
    let mut extents: Vec<DVec3> = Vec::with_capacity(frames.len());
    for (joint, frame) in frames.iter().enumerate() {
        let mut parent = frame.parent.map(|parent| bones.bone_of[parent]);
        let mut start = parent.map_or(base32.as_dvec3(), |parent| tips[parent]);
        if start.distance(frame.start) > SAME_PLACE * size {
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
        let given = frame.parent.map(|parent| (extents[parent], frames[parent].axes));
        let around = Around {
            frames,
            children: &children[joint],
            weight: &weight,
            given,
            size,
        };
        let ours = frame.ours.as_ref().filter(|ours| around.fits(ours, joint));
        let extent = match ours {
            Some(ours) => ours.extent.as_dvec3(),
            None => around.extent(joint, &followers[joint]),
        };
        // So that children meet it to the last bit.
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

/// Channel ids: those of ours are taken first.
struct Ids {
    taken: BTreeSet<u32>,
    given: BTreeSet<u32>,
    next: u32,
}

impl Ids {
    fn new(frames: &[Frame]) -> Self {
        let ours = frames.iter().filter_map(|frame| frame.ours.as_ref()?.channel_id);
        Self {
            taken: ours.collect(),
            given: BTreeSet::new(),
            next: 0,
        }
    }

    fn next(&mut self, wanted: Option<u32>) -> u32 {
        if let Some(wanted) = wanted.filter(|wanted| self.given.insert(*wanted)) {
            return wanted;
        }
        while !self.taken.insert(self.next) {
            self.next += 1;
        }
        self.next
    }
}

/// What is around a joint.
struct Around<'a> {
    frames: &'a [Frame],
    children: &'a [usize],
    /// How many joints hang on each.
    weight: &'a [usize],
    /// Extent and frame of the parent.
    given: Option<(DVec3, DMat3)>,
    size: f64,
}

impl Around<'_> {
    fn extent(&self, joint: usize, followers: &[DVec3]) -> DVec3 {
        let frame = &self.frames[joint];
        let far = |end: &DVec3| frame.start.distance(*end) > NEAR * self.size;
        let away = self
            .children
            .iter()
            .filter(|child| far(&self.frames[**child].start));
        let main = away.max_by(|a, b| {
            self.rank(frame, **a)
                .total_cmp(&self.rank(frame, **b))
                .then(b.cmp(a))
        });
        if let Some(&child) = main {
            return self.frames[child].start - frame.start;
        }
        if let Some(end) = frame.end.filter(far) {
            return end - frame.start;
        }
        let (direction, half) = match self
            .given
            .filter(|(extent, _)| extent.length() > NEAR * self.size)
        {
            Some((extent, axes)) => {
                let carried = frame.axes * (axes.transpose() * extent);
                (carried.normalize_or(DVec3::Y), extent.length() / 2.0)
            }
            None => (frame.axes.y_axis.normalize_or(DVec3::Y), self.size / 10.0),
        };
        let reach = followers
            .iter()
            .map(|vertex| (*vertex - frame.start).dot(direction))
            .fold(0.0, f64::max);
        direction * if reach > half / 5.0 { reach } else { half }
    }

    /// How much a child is the one that the bone goes on to.
    fn rank(&self, frame: &Frame, child: usize) -> f64 {
        let way = (self.frames[child].start - frame.start).normalize_or_zero();
        let on = self
            .given
            .map_or(0.0, |(extent, _)| extent.normalize_or_zero().dot(way));
        let axes = [
            (frame.axes.y_axis, 1.0),
            (frame.axes.x_axis, 0.9),
            (frame.axes.z_axis, 0.8),
        ];
        let along = axes.map(|(axis, worth)| if axis.dot(way).abs() > 0.999 { worth } else { 0.0 });
        let spine = self.frames[child].name.to_lowercase().contains("spine");
        let ties =
            1e-3 * self.weight[child] as f64 / self.weight.len() as f64 + if spine { 1e-4 } else { 0.0 };
        on + along.into_iter().fold(0.0, f64::max) + ties
    }

    /// Whether what we wrote of a bone still holds.
    fn fits(&self, ours: &BoneExtras, joint: usize) -> bool {
        let frame = &self.frames[joint];
        let bone = Bone {
            extent: ours.extent,
            roll_deg: ours.roll_deg,
            ..Bone::default()
        };
        let kept = ours.rest.map(DMat3::from_quat);
        let turned =
            angle(&axes(&bone), &frame.axes).min(kept.map_or(f64::MAX, |rest| angle(&rest, &frame.axes)));
        let extent = ours.extent.as_dvec3();
        let tip = frame.start + extent;
        let starts = || self.children.iter().map(|child| self.frames[*child].start);
        let meets = starts().any(|start| start.distance(tip) < 1e-4 * self.size);
        // Where a child would be if the bone were longer or shorter.
        let way = extent.normalize_or_zero();
        let ahead = |start: DVec3| {
            let along = (start - frame.start).dot(way);
            along > NEAR * self.size && start.distance(frame.start + along * way) < 1e-4 * self.size
        };
        turned < 0.5f64.to_radians() && (meets || !starts().any(ahead))
    }
}

fn axes(bone: &Bone) -> DMat3 {
    let [x, y, z] = rotation_axes(bone);
    DMat3::from_cols(x, y, z)
}

/// The roll with which the axis of the frame that is most across the bone is its z axis; z itself if it is across.
fn roll(bone: &Bone, frame: &DMat3) -> f32 {
    let [x, y, z] = rotation_axes(&Bone {
        roll_deg: 0.0,
        ..bone.clone()
    });
    let along = |axis: DVec3| axis.dot(y).abs();
    let mut across = [frame.z_axis, frame.x_axis, frame.y_axis];
    if along(across[0]) >= 0.1 {
        across.sort_by(|a, b| along(*a).total_cmp(&along(*b)));
    }
    across[0].dot(x).atan2(across[0].dot(z)).to_degrees() as f32
}

/// The angle between two rotations.
pub fn angle(a: &DMat3, b: &DMat3) -> f64 {
    let apart = (*a - *b)
        .to_cols_array()
        .iter()
        .map(|x| x * x)
        .sum::<f64>()
        .sqrt();
    2.0 * (apart / 8f64.sqrt()).min(1.0).asin()
}

/// How thick a bone is. Without vertices a tenth of its length.
fn median_distance(followers: &[DVec3], start: DVec3, tip: DVec3) -> f32 {
    let mut distances: Vec<f64> = followers
        .iter()
        .map(|vertex| {
            start
                .lerp(tip, closest_parameter(start, tip, *vertex))
                .distance(*vertex)
        })
        .collect();
    if distances.is_empty() {
        return (0.1 * start.distance(tip)) as f32;
    }
    let middle = distances.len() / 2;
    let (_, median, _) = distances.select_nth_unstable_by(middle, f64::total_cmp);
    *median as f32
}
