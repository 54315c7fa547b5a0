//! Balance: if feet are pinned and the root is free, the centre of mass should be over the feet, so that a
//! body that reaches for the floor does not fall over. Balance counts little compared with the tasks of
//! handles, and nothing while the centre is over the feet, or no farther from them than in the pose without
//! handles.
//!
//! It is accompanied by tasks for the tilts of the trunk's bones, which keep their tilt as far as legs and
//! handles permit: this bends knees rather than backs. Tilts count like the prior, and nothing without one.
//! The ankles of the supporting feet bend easily, because otherwise the body could not get down far. The
//! weights change where the body is led away: see `leading`.
//!
//! A bone has the mass of its capsule. Bones that are not joints are rigidly attached to the joint above
//! them. A point is over the feet if it is in the inner half, across the vertical, of the box around the start and
//! the tip of each pinned bone that ends near the floor in the bind pose.

use super::super::residual::{self, Goal, Mass};
use super::super::task::{Origin, Task};
use super::super::tuning::{BALANCE_WEIGHT, MAX_EARLY_FACTOR, RAISED_HEIGHT, SUPPORT_ANKLE};
use super::Objective;
use crate::math::rotation::from_euler;
use crate::rig::body::feet::Ground;
use crate::rig::kinematics::{axes_matrix, parent_of, pose_rad};
use crate::rig::skeleton::{Bone, Skeleton};
use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// Data that are reused between solves.
#[derive(Default)]
pub(super) struct Balance {
    /// The position tasks of pinned feet; empty if there is no balance to keep.
    pub(super) supports: Vec<usize>,
    /// The mass of each joint without its descendants, as a fraction of the total, in the frame of the joint.
    pub(super) masses: Vec<Mass>,
    /// The rotation and tip of each bone in the frame of its joint.
    frames: Vec<(DMat3, DVec3)>,
    joints: Vec<usize>,
    pub(super) ground: Ground,
}

impl Objective {
    /// Adds balance and tilts if the skeleton has feet to stand on. The other tasks must be set.
    pub(super) fn set_balance(&mut self, skeleton: &Skeleton) {
        self.balance.ground.set(skeleton);
        self.set_supports(skeleton);
        self.leading.start_bend = 0.0;
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
            let axes = (self.joints[support].axes.transpose() * self.balance.ground.axes.left).abs();
            let bends = axes.cmpgt(DVec3::splat(SUPPORT_ANKLE.1)) & gain.cmpgt(DVec3::ZERO);
            *gain = DVec3::select(bends, gain.max(DVec3::splat(SUPPORT_ANKLE.0)), *gain);
        }
        self.set_arms(skeleton);
        let handle = self.tasks[self.balance.supports[0]].handle;
        let shares = self.balance.supports.iter().map(|&index| self.tasks[index].share);
        let share = shares.fold(0.0, f64::max);
        // The actual goals are set from the first pose.
        let (low, high) = (DVec3::NEG_INFINITY, DVec3::INFINITY);
        let up = self.balance.ground.axes.up;
        let (axis, direction, steeper) = (up, up, 0.0);
        let mut add = |origin: Origin, joint: usize, goal: Goal| {
            self.tasks.push(Task::implied(origin, handle, share, joint, goal));
        };
        add(Origin::Balance, root, Goal::Balance(residual::Balance { low, high, border: 0.0 }));
        let leading = &self.leading;
        let tilts = |joint: &usize| leading.is_trunk(*joint) && !self.joints[*joint].link;
        for joint in (0..self.joints.len()).filter(tilts) {
            add(Origin::Tilt, joint, Goal::Tilt(residual::Tilt { axis, direction, steeper }));
        }
    }

    /// Finds the pinned feet, all under one root.
    fn set_supports(&mut self, skeleton: &Skeleton) {
        self.balance.supports.clear();
        if !(self.root_free && skeleton.balance) || self.tasks.iter().all(|task| !task.is_pinned) {
            return;
        }
        let mut root = None;
        for (index, task) in self.tasks.iter().enumerate() {
            let is_pinned_position = task.is_pinned && matches!(task.goal, Goal::Position(_));
            if !is_pinned_position || !self.balance.ground.carries(self.joints[task.joint].bone) {
                continue;
            }
            let ancestor = self.root_of(task.joint);
            if *root.get_or_insert(ancestor) == ancestor {
                self.balance.supports.push(index);
            }
        }
    }

    /// Updates the weights of balance and tilts to the current prior: without this, hips would be pushed out
    /// to keep the back upright.
    pub(super) fn update_balance_weights(&mut self) {
        let early = (self.prior / f64::MIN_POSITIVE.max(self.final_prior)).clamp(1.0, MAX_EARLY_FACTOR);
        let tilt = self.leading.tilt * self.prior / (self.reach * self.reach);
        self.tasks_of(Origin::Balance).for_each(|task| task.weight = BALANCE_WEIGHT * task.share * early);
        self.tasks_of(Origin::Tilt).for_each(|task| task.weight = tilt * task.share);
    }

    pub(super) fn root_of(&self, joint: usize) -> usize {
        std::iter::successors(Some(joint), |ancestor| self.joints[*ancestor].parent)
            .fold(joint, |_, ancestor| ancestor)
    }

    pub(super) fn set_masses(&mut self, skeleton: &Skeleton, root: usize) {
        let Balance { masses, frames, joints, .. } = &mut self.balance;
        masses.clear();
        masses.resize(self.joints.len(), Mass::default());
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
            let extent_in_joint = rotation * extent;
            frames.push((rotation, start + extent_in_joint));
            joints.push(joint);
            if let Some(joint_mass) = masses.get_mut(joint) {
                let mass = capsule(bone);
                *joint_mass += Mass { mass, moment: mass * (start + 0.5 * extent_in_joint) };
            }
        }
        for joint in 0..none {
            if self.root_of(joint) != root {
                self.balance.masses[joint] = Mass::default();
            }
        }
        let total: f64 = self.balance.masses.iter().map(|joint| joint.mass).sum();
        let part = if total > 0.0 { total.recip() } else { 0.0 };
        for joint in &mut self.balance.masses {
            joint.mass *= part;
            joint.moment *= part;
        }
    }

    /// Computes the mass carried by each joint, at the current poses of the joints.
    pub(super) fn place_masses(&mut self) {
        if self.balance.supports.is_empty() {
            return;
        }
        for (pose, own) in self.poses.iter_mut().zip(&self.balance.masses) {
            pose.carried =
                Mass { mass: own.mass, moment: own.mass * pose.start + pose.rotation * own.moment };
        }
        for index in (0..self.joints.len()).rev() {
            if let Some(parent) = self.joints[index].parent {
                let carried = self.poses[index].carried;
                self.poses[parent].carried += carried;
            }
        }
    }

    /// Sets the box for the centre of mass, in the first pose, when handles begin to pull. A foot whose pin
    /// fades in proportion loses its part of the ground.
    pub(super) fn aim_balance(&mut self) {
        let Some(balance) = self.balance_task() else {
            return;
        };
        let center = self.poses[self.tasks[balance].joint].carried.moment;
        let up = self.balance.ground.axes.up;
        let (mut low, mut high) = (center, center);
        for &support in &self.balance.supports {
            let task = &self.tasks[support];
            let pose = &self.poses[task.joint];
            let is_same_foot = |other: &&Task| other.handle == task.handle && other.joint == task.joint;
            let oriented = self.tasks.iter().filter(is_same_foot).find_map(|task| match task.goal {
                Goal::Orientation(residual::Orientation(goal)) => Some(DMat3::from_quat(goal)),
                _ => None,
            });
            let extent = oriented.unwrap_or(pose.rotation) * self.joints[task.joint].extent;
            let raised = task.aim().dot(up) - self.balance.ground.heights[self.joints[task.joint].bone];
            let carries = 1.0 - (raised / (RAISED_HEIGHT * self.reach)).clamp(0.0, 1.0);
            for point in [task.aim(), task.aim() - extent] {
                let point = center.lerp(point, task.share * carries);
                (low, high) = (low.min(point), high.max(point));
            }
        }
        // Half as wide, about the same centre.
        let quarter = 0.25 * (high - low);
        (low, high) = ((low + quarter).min(center), (high - quarter).max(center));
        let vertical = up.abs().cmpgt(DVec3::ZERO);
        (low, high) = (
            DVec3::select(vertical, DVec3::NEG_INFINITY, low),
            DVec3::select(vertical, DVec3::INFINITY, high),
        );
        self.tasks[balance].goal = Goal::Balance(residual::Balance { low, high, border: 0.0 });
        self.set_weights_by_lead(self.tasks[balance].joint);
    }
}

/// Returns the volume of a bone's capsule.
fn capsule(bone: &Bone) -> f64 {
    if bone.link {
        return 0.0;
    }
    let (radius, length) = (f64::from(bone.radius), bone.extent.as_dvec3().length());
    PI * radius * radius * (length + 4.0 / 3.0 * radius)
}
