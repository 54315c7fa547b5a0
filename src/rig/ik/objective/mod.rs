//! What inverse kinematics minimises, as a function of the pose angles and, where the root is free, of the base
//! offset: half the squared residuals of all tasks (see [`super::task`]), and half the squared way from the pose
//! without handles, times the prior. With its gradient. Knows nothing of steps and convergence.
//!
//! Only *joints* take part: bones that carry an enabled handle and their ancestors. The energy does not depend on
//! the others. Joints of the handles' chains turn; every task sees every joint that turns, whosever chain it is
//! of. The others keep their angles.
//!
//! Values come in slices with a vector per joint and, last, one for the base offset: as *stored* (degrees; skeleton
//! units) or as *rates* (radians; parts of the reach). A handle of weight w pulls to w of the way from where its tip
//! is at first to its target, and counts w times.

mod balance;
mod knee;
mod led;
mod linear;
mod setup;
#[cfg(test)]
mod tests;

use super::REACHED;
use super::task::{Goal, JointPose, Task, TaskResult};
use crate::math::rotation;
use glam::{BVec3, DMat3, DVec3, Vec3};

/// A bone that moves an enabled handle's tip.
struct Joint {
    bone: usize,
    /// Index of a joint before this one.
    parent: Option<usize>,
    extent: DVec3,
    /// From the first joint that moves to its tip along the bones; 0 where it does not move.
    chain_length: f64,
    /// Whether its angles are variables.
    turns: bool,
    /// Whether it or an ancestor turns, or the base moves.
    moves: bool,
    /// How many of its ancestors turn, itself included.
    turning: usize,
    /// Rotation axes of the bone as columns.
    axes: DMat3,
    link: bool,
    /// How it would rather be bent.
    preferred_deg: Option<Vec3>,
}

/// The energy of a skeleton as a function of the angles of its joints, with buffers that are reused.
#[derive(Default)]
pub(super) struct Objective {
    joints: Vec<Joint>,
    tasks: Vec<Task>,
    /// So many of them handles ask for; then come balance and tilts, and knees, if any.
    asked: usize,
    /// `asked`, and balance.
    counted: usize,
    tilts: usize,
    /// Only while it is set.
    joint_of_bone: Vec<Option<usize>>,
    /// How many bones of a chain are left at each bone, itself included; only while it is set.
    turns: Vec<u32>,
    /// Where roots start in the bind pose.
    base: DVec3,
    root_free: bool,
    reach: f64,
    /// Per value, how readily it changes: 1 - stiffness; 0 for what is no variable.
    gains: Vec<DVec3>,
    /// Stored values lie within; per value.
    bounds: Vec<[Vec3; 2]>,
    /// Whether any of them are finite.
    limited: bool,
    /// The stored values that the prior pulls to.
    rest: Vec<Vec3>,
    prior: f64,
    /// What the prior is in the end.
    weakest: f64,
    poses: Vec<JointPose>,
    /// Per joint, of the tasks that it moves: summed force, and its moment about the origin. Scratch.
    subtree: Vec<(DVec3, DVec3)>,
    /// Per joint, over the wrenches below: sums of moment moment^T, moment force^T, force force^T. Scratch.
    sums: Vec<[DMat3; 3]>,
    balance: balance::Balance,
    led: led::Leading,
    passes: usize,
    work: usize,
    /// Scratch: tasks whose weight is lowered.
    yielding: Vec<usize>,
}

/// What a pole counts that gives way.
const YIELDING: f64 = 1e-4;

impl Objective {
    /// The first pose, which is within the limits: places all joints, from which handles pull, and returns the energy.
    pub(super) fn begin(&mut self, stored: &[Vec3]) -> f64 {
        self.place(stored, |_| true);
        let poses = &self.poses;
        for task in &mut self.tasks {
            task.goal = task.goal_at(task.share, poses);
        }
        self.set_support();
        self.aim_knees();
        self.placed_energy(stored)
    }

    /// How much the way from the pose without handles counts, per squared reach.
    pub(super) fn set_prior(&mut self, prior: f64) {
        self.prior = prior * self.reach * self.reach;
        self.weigh_balance();
        self.weigh_knees();
    }

    /// What [`Objective::set_prior`] set, in squared skeleton units.
    pub(super) fn prior(&self) -> f64 {
        self.prior
    }

    /// What turns a rate into the stored unit.
    pub(super) fn unit(&self, value: usize) -> f64 {
        match value == self.joints.len() {
            true => self.reach,
            false => 1f64.to_degrees(),
        }
    }

    /// How often the joints were placed.
    pub(super) fn passes(&self) -> usize {
        self.passes
    }

    /// The length of all slices: the joints and the base offset.
    pub(super) fn len(&self) -> usize {
        self.joints.len() + 1
    }

    /// The stored values of the pose without handles, within the limits.
    pub(super) fn rest(&self) -> &[Vec3] {
        &self.rest
    }

    pub(super) fn gains(&self) -> &[DVec3] {
        &self.gains
    }

    pub(super) fn bounds(&self) -> &[[Vec3; 2]] {
        &self.bounds
    }

    pub(super) fn is_limited(&self) -> bool {
        self.limited
    }

    /// How far a value may change within its limits, as rates.
    pub(super) fn room(&self, value: usize, stored: &[Vec3]) -> [DVec3; 2] {
        let now = stored[value].as_dvec3();
        self.bounds[value].map(|bound| (bound.as_dvec3() - now) / self.unit(value))
    }

    /// Which of a value's components are at a limit that going against the gradient would pass.
    pub(super) fn outward(&self, value: usize, stored: &[Vec3], gradient: DVec3) -> BVec3 {
        let ([low, high], now) = (self.bounds[value], stored[value]);
        now.cmple(low) & gradient.cmpgt(DVec3::ZERO) | now.cmpge(high) & gradient.cmplt(DVec3::ZERO)
    }

    /// The bone of each joint, ascending.
    pub(super) fn bones(&self) -> impl Iterator<Item = usize> + '_ {
        self.joints.iter().map(|joint| joint.bone)
    }

    /// The parent of a joint, if it turns.
    pub(super) fn parent(&self, joint: usize) -> Option<usize> {
        let parent = self.joints.get(joint)?.parent;
        parent.filter(|parent| self.turns(*parent))
    }

    /// Whether the angles of a joint are variables.
    pub(super) fn turns(&self, joint: usize) -> bool {
        self.joints.get(joint).is_some_and(|joint| joint.turns)
    }

    /// What one pass over joints and tasks costs.
    fn size(&self) -> usize {
        self.joints.len() + self.tasks.len()
    }

    /// The cost of all passes so far.
    pub(super) fn work(&self) -> usize {
        self.work
    }

    /// Places the joints that move and returns the energy; [`Objective::begin`] comes before.
    pub(super) fn energy(&mut self, stored: &[Vec3]) -> f64 {
        self.place(stored, |joint| joint.moves);
        self.placed_energy(stored)
    }

    fn place(&mut self, stored: &[Vec3], which: impl Fn(&Joint) -> bool) {
        self.passes += 1;
        self.work += self.size();
        let root = self.base + stored[self.joints.len()].as_dvec3();
        for (index, (joint, &angles_deg)) in self.joints.iter().zip(stored).enumerate() {
            if !which(joint) {
                continue;
            }
            let (parent_rotation, start) = match joint.parent {
                Some(parent) => (self.poses[parent].rotation, self.poses[parent].tip),
                None => (DMat3::IDENTITY, root),
            };
            let angles_rad = angles_deg.as_dvec3().map(f64::to_radians);
            let (euler, angle_axes) = rotation::from_euler_with_axes(angles_rad);
            let frame = parent_rotation * joint.axes;
            let rotation = frame * euler * joint.axes.transpose();
            self.poses[index] = JointPose {
                rotation,
                start,
                tip: start + rotation * joint.extent,
                // Links are not turned.
                angle_axes: if joint.link {
                    DMat3::ZERO
                } else {
                    frame * angle_axes
                },
                ..self.poses[index]
            };
        }
        self.place_masses();
    }

    fn placed_energy(&self, stored: &[Vec3]) -> f64 {
        let tasks = self.tasks.iter().zip(self.residuals());
        let tasks: f64 = tasks
            .map(|(task, r)| 0.5 * task.weight * r.length_squared())
            .sum();
        tasks + self.prior_change(stored, None)
    }

    /// The prior's energy, or by how much it is above that of the values `before`.
    fn prior_change(&self, stored: &[Vec3], before: Option<&[Vec3]>) -> f64 {
        if self.prior == 0.0 {
            return 0.0;
        }
        let change = |(value, now): (usize, &Vec3)| {
            let rest = self.rest[value].as_dvec3();
            let now = now.as_dvec3() - rest;
            let before = before.map_or(DVec3::ZERO, |before| before[value].as_dvec3() - rest);
            let weighted = (now - before) * (now + before) * self.costs(value);
            weighted.element_sum() / (self.unit(value) * self.unit(value))
        };
        0.5 * self.prior * stored.iter().enumerate().map(change).sum::<f64>()
    }

    /// What a squared change of a value costs: the less readily it changes, the more; 0 for what is no variable.
    pub(super) fn costs(&self, value: usize) -> DVec3 {
        let gain = self.gains[value];
        DVec3::select(gain.cmpgt(DVec3::ZERO), (gain * gain).recip(), DVec3::ZERO)
    }

    /// How far a value is from where the prior pulls it, as a rate.
    pub(super) fn deviation(&self, value: usize, stored: &[Vec3]) -> DVec3 {
        (stored[value].as_dvec3() - self.rest[value].as_dvec3()) / self.unit(value)
    }

    /// By how much the energy is above that with `values_before` (as of [`Objective::values`]) and `before`: exact also
    /// where targets are so far away that it is lost in the energies.
    pub(super) fn rise(&self, stored: &[Vec3], values_before: &[DVec3], before: &[Vec3]) -> f64 {
        let tasks = self.tasks.iter().zip(self.values().zip(values_before));
        let rises = tasks.map(|(task, (now, before))| {
            let residuals = (now - task.aim()) + (*before - task.aim());
            0.5 * task.weight * (now - before).dot(residuals)
        });
        rises.sum::<f64>() + self.prior_change(stored, Some(before))
    }

    /// See [`Task::value`].
    pub(super) fn values(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.tasks.iter().map(|task| task.value(&self.poses, self.reach))
    }

    /// Per task.
    pub(super) fn residuals(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.tasks
            .iter()
            .zip(self.values())
            .map(|(task, value)| value - task.aim())
    }

    /// How near each task is, where the joints were last placed.
    pub(super) fn results(&self) -> impl Iterator<Item = TaskResult> + '_ {
        self.tasks
            .iter()
            .zip(self.residuals())
            .filter(|(task, _)| !task.is_implied)
            .filter_map(|(task, residual)| {
                Some(TaskResult {
                    handle: task.handle,
                    task: task.kind()?,
                    error: task.error(&self.poses, self.reach),
                    reached: residual.length() <= REACHED * self.reach,
                })
            })
    }

    /// Lets poles of handles that are not pinned give way where they keep a limb from a place that it could reach. False
    /// where none does.
    pub(super) fn yield_poles(&mut self) -> bool {
        let mut yielding = std::mem::take(&mut self.yielding);
        yielding.clear();
        let is_off = |residual: DVec3| residual.length() > REACHED * self.reach;
        let misses = |handle: usize| {
            let mut tasks = self.tasks.iter().zip(self.residuals());
            tasks.any(|(task, residual)| {
                task.handle == handle && matches!(task.goal, Goal::Position(_)) && is_off(residual)
            })
        };
        for (index, task) in self.tasks.iter().enumerate() {
            let is_pole = matches!(task.goal, Goal::Pole { .. }) && !task.is_pinned;
            if is_pole && misses(task.handle) {
                yielding.push(index);
            }
        }
        for &task in &yielding {
            let task = &mut self.tasks[task];
            task.weight *= YIELDING;
            if task.is_implied {
                task.share *= YIELDING;
            }
        }
        self.yielding = yielding;
        !self.yielding.is_empty()
    }

    /// Per task, the goal that is this part of the way from where the joints were last placed.
    pub(super) fn goals_at(&self, part: f64) -> impl Iterator<Item = Goal> + '_ {
        self.tasks.iter().map(move |task| task.goal_at(part, &self.poses))
    }

    pub(super) fn set_goals(&mut self, goals: &[Goal]) {
        self.tasks
            .iter_mut()
            .zip(goals)
            .for_each(|(task, goal)| task.goal = *goal);
    }

    /// The largest coordinate of what handles pull to: 32 bits place it no finer than a part of that.
    pub(super) fn far(&self) -> f64 {
        self.tasks
            .iter()
            .map(|task| task.aim().abs().max_element())
            .fold(0.0, f64::max)
    }

    /// The largest residual where the joints were last placed.
    pub(super) fn largest_error(&self) -> f64 {
        let counted = self.residuals().take(self.counted);
        counted.map(|r| r.length()).fold(0.0, f64::max)
    }

    /// The largest residual of what handles ask for: how near they are, in balance or not.
    pub(super) fn largest_miss(&self) -> f64 {
        let asked = self.residuals().take(self.asked);
        asked.map(|r| r.length()).fold(0.0, f64::max)
    }

    /// The largest product of a task's weight and residual: nothing pulls harder.
    pub(super) fn largest_pull(&self) -> f64 {
        let pulls = self.tasks.iter().zip(self.residuals());
        pulls
            .map(|(task, r)| task.weight * r.length())
            .fold(0.0, f64::max)
    }

    /// The length of the longest chain of joints that move: how far tips can be from what they turn about.
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }
}
