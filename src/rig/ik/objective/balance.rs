//! Balance: where feet are pinned and the root is free, the centre of mass is wanted over the feet, so that who reaches
//! for the floor does not fall over. It counts little beside what handles ask for, and nothing while the centre is over
//! the feet, or no further from them than in the pose without handles. With it go the tilts of the trunk's bones, which
//! stay as they are as far as legs and handles let them: that bends knees rather than backs. They count as the prior
//! does, and nothing without one. Ankles of the feet that it stands on bend readily: otherwise nobody gets far down. How
//! much they count changes where the body is led away: see `led`.
//!
//! A bone has the mass of its capsule. What is no joint hangs rigidly on the joint above it. Over the feet is within the
//! inner half of the box, along x and z, around the start and the tip of each pinned bone that ends near the floor in
//! the bind pose.

use super::super::feet::heights_into;
use super::super::task::{Goal, Mass, Task};
use super::Objective;
use crate::math::rotation::from_euler;
use crate::rig::kinematics::{axes_matrix, parent_of, pose_rad};
use crate::rig::skeleton::{Bone, Skeleton};
use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// What the centre of mass counts beside a position: so little that tips are reached out of balance where they cannot be
/// reached in balance.
const WEIGHT: f64 = 1e-2;
/// It counts up to so many times as much while the prior is stronger than in the end.
const AT_FIRST: f64 = 10.0;
/// The gain of an ankle that carries the body, about axes that lead across it by this much.
const ANKLE: (f64, f64) = (0.5, 0.7);

/// A foot that is raised by this part of the reach carries nothing.
const RAISED: f64 = 0.05;

/// Kept from solve to solve.
#[derive(Default)]
pub(super) struct Balance {
    /// The position tasks of pinned feet; empty where there is no balance to keep.
    pub(super) supports: Vec<usize>,
    /// Per joint, as parts of the whole: what moves with it alone, in its frame.
    pub(super) own: Vec<Mass>,
    /// Per bone, in the frame of its joint: rotation, and tip.
    frames: Vec<(DMat3, DVec3)>,
    joints: Vec<usize>,
    /// Per bone: how high its tip is in the bind pose.
    pub(super) heights: Vec<f64>,
}

impl Objective {
    /// Adds balance and tilts where the skeleton has feet to stand on. The other tasks are there.
    pub(super) fn set_balance(&mut self, skeleton: &Skeleton) {
        self.set_supports(skeleton);
        self.led.how = None;
        let balanced = self.balance.supports.first().copied();
        let Some(first) = balanced.or((!self.tasks.is_empty()).then_some(0)) else {
            return;
        };
        let root = self.root_of(self.tasks[first].joint);
        self.set_masses(skeleton, root);
        self.set_upright();
        if balanced.is_none() {
            return;
        }
        for support in self.balance.supports.iter().map(|&task| self.tasks[task].joint) {
            let gain = &mut self.gains[support];
            let axes = self.joints[support].axes.row(0).abs();
            let bends = axes.cmpgt(DVec3::splat(ANKLE.1)) & gain.cmpgt(DVec3::ZERO);
            *gain = DVec3::select(bends, gain.max(DVec3::splat(ANKLE.0)), *gain);
        }
        self.set_arms(skeleton);
        let handle = self.tasks[self.balance.supports[0]].handle;
        let shares = self.balance.supports.iter().map(|&at| self.tasks[at].share);
        let share = shares.fold(0.0, f64::max);
        // Their goals are those of the first pose.
        let (low, high) = (DVec3::NEG_INFINITY, DVec3::INFINITY);
        let (axis, direction, steeper) = (DVec3::Y, DVec3::Y, 0.0);
        let mut add = |joint: usize, weight: f64, goal: Goal| {
            let implied = Task::implied(handle, share, joint, goal);
            self.tasks.push(Task { weight, ..implied });
        };
        add(root, 0.0, Goal::Balance { low, high });
        let led = &self.led;
        let tilts = |joint: &usize| led.is_trunk(*joint) && !self.joints[*joint].link;
        for joint in (0..self.joints.len()).filter(tilts) {
            add(
                joint,
                0.0,
                Goal::Tilt {
                    axis,
                    direction,
                    steeper,
                },
            );
        }
    }

    /// Finds the pinned feet, all of one root.
    fn set_supports(&mut self, skeleton: &Skeleton) {
        self.balance.supports.clear();
        if !(self.root_free && skeleton.balance) || self.tasks.iter().all(|task| !task.is_pinned) {
            return;
        }
        let floor = heights_into(skeleton, &mut self.balance.heights);
        let mut root = None;
        for (index, task) in self.tasks.iter().enumerate() {
            let stands = task.is_pinned && matches!(task.goal, Goal::Position(_));
            if !stands || self.balance.heights[self.joints[task.joint].bone] > floor {
                continue;
            }
            let at = self.root_of(task.joint);
            if *root.get_or_insert(at) == at {
                self.balance.supports.push(index);
            }
        }
    }

    /// Tilts count beside the prior, as strong as that is now; so does balance, or hips would be pushed out to keep the
    /// back upright.
    pub(super) fn weigh_balance(&mut self) {
        if self.balance.supports.is_empty() {
            return;
        }
        let weakest = f64::MIN_POSITIVE.max(self.weakest);
        let balance = &mut self.tasks[self.asked];
        balance.weight = WEIGHT * balance.share * (self.prior / weakest).clamp(1.0, AT_FIRST);
        let tilt = self.led.tilt * self.prior / (self.reach * self.reach);
        for task in self.tasks.iter_mut().skip(self.counted).take(self.tilts) {
            task.weight = tilt * task.share;
        }
    }

    pub(super) fn root_of(&self, joint: usize) -> usize {
        std::iter::successors(Some(joint), |at| self.joints[*at].parent).fold(joint, |_, at| at)
    }

    pub(super) fn set_masses(&mut self, skeleton: &Skeleton, root: usize) {
        let Balance {
            own, frames, joints, ..
        } = &mut self.balance;
        own.clear();
        own.resize(self.joints.len(), Mass::default());
        frames.clear();
        joints.clear();
        let none = self.joints.len();
        let mut next = 0;
        for (index, bone) in skeleton.bones.iter().enumerate() {
            let extent = bone.extent.as_dvec3();
            let is_joint = self.joints.get(next).is_some_and(|joint| joint.bone == index);
            let (joint, rotation, start) = match parent_of(skeleton, index) {
                _ if is_joint => (next, DMat3::IDENTITY, DVec3::ZERO),
                Some(parent) => {
                    let (rotation, tip) = frames[parent];
                    let axes = axes_matrix(bone);
                    let turned = axes * from_euler(pose_rad(bone)) * axes.transpose();
                    (joints[parent], rotation * turned, tip)
                }
                None => (none, DMat3::IDENTITY, DVec3::ZERO),
            };
            next += usize::from(is_joint);
            let along = rotation * extent;
            frames.push((rotation, start + along));
            joints.push(joint);
            if let Some(own) = own.get_mut(joint) {
                let mass = capsule(bone);
                *own += Mass {
                    mass,
                    moment: mass * (start + 0.5 * along),
                };
            }
        }
        for joint in 0..none {
            if self.root_of(joint) != root {
                self.balance.own[joint] = Mass::default();
            }
        }
        let total: f64 = self.balance.own.iter().map(|own| own.mass).sum();
        let part = if total > 0.0 { total.recip() } else { 0.0 };
        for own in &mut self.balance.own {
            own.mass *= part;
            own.moment *= part;
        }
    }

    /// What hangs on each joint, where the joints were just placed.
    pub(super) fn place_masses(&mut self) {
        if self.balance.supports.is_empty() {
            return;
        }
        for (at, own) in self.poses.iter_mut().zip(&self.balance.own) {
            at.carried = Mass {
                mass: own.mass,
                moment: own.mass * at.start + at.rotation * own.moment,
            };
        }
        for index in (0..self.joints.len()).rev() {
            if let Some(parent) = self.joints[index].parent {
                let carried = self.poses[index].carried;
                self.poses[parent].carried += carried;
            }
        }
    }

    /// In the first pose, when handles have begun to pull: where the centre of mass may be. A foot whose pin fades
    /// takes its part of the ground with it.
    pub(super) fn set_support(&mut self) {
        if self.balance.supports.is_empty() {
            return;
        }
        let center = self.poses[self.tasks[self.asked].joint].carried.moment;
        let (mut low, mut high) = (center, center);
        for &support in &self.balance.supports {
            let task = &self.tasks[support];
            let at = &self.poses[task.joint];
            let own = |other: &&Task| other.handle == task.handle && other.joint == task.joint;
            let oriented = self.tasks.iter().filter(own).find_map(|task| match task.goal {
                Goal::Orientation(goal) => Some(DMat3::from_quat(goal)),
                _ => None,
            });
            let along = oriented.unwrap_or(at.rotation) * self.joints[task.joint].extent;
            let raised = task.aim().y - self.balance.heights[self.joints[task.joint].bone];
            let carries = 1.0 - (raised / (RAISED * self.reach)).clamp(0.0, 1.0);
            for point in [task.aim(), task.aim() - along] {
                let point = center.lerp(point, task.share * carries);
                (low, high) = (low.min(point), high.max(point));
            }
        }
        // Half as wide, about the middle.
        let quarter = 0.25 * (high - low);
        (low, high) = ((low + quarter).min(center), (high - quarter).max(center));
        (low.y, high.y) = (f64::NEG_INFINITY, f64::INFINITY);
        self.tasks[self.asked].goal = Goal::Balance { low, high };
        self.set_led();
    }
}

/// The volume of a bone's capsule.
fn capsule(bone: &Bone) -> f64 {
    if bone.link {
        return 0.0;
    }
    let (radius, length) = (f64::from(bone.radius), bone.extent.as_dvec3().length());
    PI * radius * radius * (length + 4.0 / 3.0 * radius)
}
