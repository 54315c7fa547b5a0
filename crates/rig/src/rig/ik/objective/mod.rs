//! The function that inverse kinematics minimizes, of the pose angles and, if the root is free, the base
//! offset: half the squared residuals of all tasks (see [`super::task`]), plus half the squared deviation
//! from the pose without handles, times the prior. Includes its gradient, but no stepping or convergence.
//!
//! Only *joints* take part: bones that carry an enabled handle, and their ancestors. The energy does not
//! depend on other bones. Joints in the chains of handles rotate; every task sees every joint that rotates,
//! regardless of its chain. The others keep their angles.
//!
//! Values are slices with a vector per joint and a last one for the base offset: as *stored* (degrees;
//! skeleton units) or as *rates* (radians; multiples of the reach). A handle of weight w pulls to the
//! fraction w of the way from the initial position of its tip to its target, and is weighted by w.

mod balance;
mod knee;
mod leading;
mod limb;
mod linear;
mod nearest;
mod setup;
mod shape;
#[cfg(test)]
mod tests;

use super::REACHED;
use super::residual::{Goal, JointPose};
use super::task::{Origin, Task, TaskResult};
use super::tuning::{TOLERATED_LACK, YIELD_FACTOR};
use crate::math::rotation;
use glam::{BVec3, DMat3, DVec3, Vec3};
use std::ops::Range;

/// A bone that moves the tip of an enabled handle.
struct Joint {
    bone: usize,
    /// The index of the parent joint, which comes before this one.
    parent: Option<usize>,
    /// The bone as stretched by scales, in its frame.
    extent: DVec3,
    /// The start of the bone from its parent's tip, in the frame of the parent: how far it is moved.
    offset: DVec3,
    /// The length along the bones from the first joint that moves to the tip of this one; 0 if it does not
    /// move.
    chain_length: f64,
    /// Whether its angles are variables.
    turns: bool,
    /// Whether it or an ancestor rotates, or the base moves.
    moves: bool,
    /// The number of joints that rotate among it and its ancestors.
    turning: usize,
    /// The rotation axes of the bone as columns.
    axes: DMat3,
    link: bool,
    /// The preferred bend.
    preferred_deg: Option<Vec3>,
}

/// The energy of a skeleton as a function of its joint angles, with buffers that are reused.
#[derive(Default)]
pub(super) struct Objective {
    joints: Vec<Joint>,
    tasks: Vec<Task>,
    /// The joint of each bone; only used while the objective is set.
    joint_of_bone: Vec<Option<usize>>,
    /// The number of bones that remain in a chain at each bone, including itself; only used while the
    /// objective is set.
    turns: Vec<u32>,
    /// The start of the roots in the bind pose.
    base: DVec3,
    root_free: bool,
    reach: f64,
    /// How easily each value changes: 1 - stiffness; 0 if it is not a variable.
    gains: Vec<DVec3>,
    /// The limits of the stored values.
    bounds: Vec<[Vec3; 2]>,
    /// Whether any limit is finite.
    limited: bool,
    /// The stored values to which the prior pulls.
    rest: Vec<Vec3>,
    prior: f64,
    /// The prior at the end of the solve.
    final_prior: f64,
    poses: Vec<JointPose>,
    /// The summed force of the tasks that each joint moves, and its moment about the origin. Scratch.
    subtree: Vec<(DVec3, DVec3)>,
    /// The sums of moment moment^T, moment force^T, force force^T over the wrenches below each joint.
    /// Scratch.
    sums: Vec<[DMat3; 3]>,
    balance: balance::Balance,
    leading: leading::Leading,
    limbs: Vec<limb::Limb>,
    /// Scratch: see `nearest`.
    hinges: Vec<nearest::Hinge>,
    /// The greatest doubt about how a limb turns: see `limb`.
    doubt: f64,
    passes: usize,
    work: usize,
    /// The tasks whose weights are lowered, and the factors. Scratch.
    yielding: Vec<(usize, f64)>,
}

impl Objective {
    /// Sets the first pose, which is within the limits: places all joints, makes the handles pull from there,
    /// and returns the energy.
    pub(super) fn aim_from(&mut self, stored: &[Vec3]) -> f64 {
        self.place(stored, |_| true);
        let poses = &self.poses;
        for task in &mut self.tasks {
            task.goal = task.goal_partway(task.share, poses, self.reach);
        }
        self.move_targets_out();
        self.aim_balance();
        self.aim_leg_tasks();
        self.placed_energy(stored)
    }

    /// Sets the strength of the prior, per squared reach.
    pub(super) fn set_prior(&mut self, prior: f64) {
        self.prior = prior * self.reach * self.reach;
        self.update_balance_weights();
        self.update_leg_weights();
    }

    /// Whether a body keeps its balance.
    pub(super) fn is_balanced(&self) -> bool {
        !self.balance.supports.is_empty()
    }

    /// The greatest doubt about how a limb turns, from 0 to 1: see `limb`.
    pub(super) fn doubt(&self) -> f64 {
        self.doubt
    }

    /// The prior from [`Objective::set_prior`], in squared skeleton units.
    pub(super) fn prior(&self) -> f64 {
        self.prior
    }

    /// The factor from a rate to the stored unit.
    pub(super) fn unit(&self, value: usize) -> f64 {
        if value == self.joints.len() { self.reach } else { 1f64.to_degrees() }
    }

    /// The number of forward kinematics passes so far.
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

    /// Returns how far a value may change within its limits, as rates.
    pub(super) fn allowed_change(&self, value: usize, stored: &[Vec3]) -> [DVec3; 2] {
        let current = stored[value].as_dvec3();
        self.bounds[value].map(|bound| (bound.as_dvec3() - current) / self.unit(value))
    }

    /// Returns the components of a value that are at a limit which a step against the gradient would pass.
    pub(super) fn blocked(&self, value: usize, stored: &[Vec3], gradient: DVec3) -> BVec3 {
        let ([low, high], current) = (self.bounds[value], stored[value]);
        current.cmple(low) & gradient.cmpgt(DVec3::ZERO) | current.cmpge(high) & gradient.cmplt(DVec3::ZERO)
    }

    /// Returns the components of a value that are at a limit.
    pub(super) fn at_limit(&self, value: usize, stored: &[Vec3]) -> BVec3 {
        let ([low, high], current) = (self.bounds[value], stored[value]);
        current.cmple(low) | current.cmpge(high)
    }

    /// The bone of each joint, in ascending order.
    pub(super) fn bones(&self) -> impl Iterator<Item = usize> + '_ {
        self.joints.iter().map(|joint| joint.bone)
    }

    /// The parent of a joint, if it rotates.
    pub(super) fn parent(&self, joint: usize) -> Option<usize> {
        let parent = self.joints.get(joint)?.parent;
        parent.filter(|parent| self.turns(*parent))
    }

    /// Whether the angles of a joint are variables.
    pub(super) fn turns(&self, joint: usize) -> bool {
        self.joints.get(joint).is_some_and(|joint| joint.turns)
    }

    /// The cost of one pass over joints and tasks.
    fn size(&self) -> usize {
        self.joints.len() + self.tasks.len()
    }

    /// The total cost of all passes so far.
    pub(super) fn work(&self) -> usize {
        self.work
    }

    /// Places the joints that move and returns the energy. [`Objective::aim_from`] must have been called.
    pub(super) fn energy(&mut self, stored: &[Vec3]) -> f64 {
        self.place(stored, |joint| joint.moves);
        self.placed_energy(stored)
    }

    fn place(&mut self, stored: &[Vec3], filter: impl Fn(&Joint) -> bool) {
        self.passes += 1;
        self.work += self.size();
        let root = self.base + stored[self.joints.len()].as_dvec3();
        for (index, (joint, &angles_deg)) in self.joints.iter().zip(stored).enumerate() {
            if !filter(joint) {
                continue;
            }
            let (parent_rotation, tip) = match joint.parent {
                Some(parent) => (self.poses[parent].rotation, self.poses[parent].tip),
                None => (DMat3::IDENTITY, root),
            };
            let start = if joint.offset == DVec3::ZERO { tip } else { tip + parent_rotation * joint.offset };
            let angles_rad = angles_deg.as_dvec3().map(f64::to_radians);
            let (euler, angle_axes) = rotation::from_euler_with_axes(angles_rad);
            let frame = parent_rotation * joint.axes;
            let rotation = frame * euler * joint.axes.transpose();
            self.poses[index] = JointPose {
                rotation,
                start,
                tip: start + rotation * joint.extent,
                // Links do not rotate.
                angle_axes: if joint.link { DMat3::ZERO } else { frame * angle_axes },
                ..self.poses[index]
            };
        }
        self.place_masses();
    }

    fn placed_energy(&self, stored: &[Vec3]) -> f64 {
        let tasks = self.tasks.iter().zip(self.residuals());
        let tasks: f64 = tasks.map(|(task, r)| 0.5 * task.weight * r.length_squared()).sum();
        tasks + self.prior_change(stored, None)
    }

    /// Returns the energy of the prior, or its increase over that of the values `before`.
    fn prior_change(&self, stored: &[Vec3], before: Option<&[Vec3]>) -> f64 {
        if self.prior == 0.0 {
            return 0.0;
        }
        let change = |(value, current): (usize, &Vec3)| {
            let rest = self.rest[value].as_dvec3();
            let current = current.as_dvec3() - rest;
            let before = before.map_or(DVec3::ZERO, |before| before[value].as_dvec3() - rest);
            let weighted = (current - before) * (current + before) * self.costs(value);
            weighted.element_sum() / (self.unit(value) * self.unit(value))
        };
        0.5 * self.prior * stored.iter().enumerate().map(change).sum::<f64>()
    }

    /// The cost of a squared change of a value: greater for values that change less easily, and 0 for those
    /// that are not variables.
    pub(super) fn costs(&self, value: usize) -> DVec3 {
        let gain = self.gains[value];
        DVec3::select(gain.cmpgt(DVec3::ZERO), (gain * gain).recip(), DVec3::ZERO)
    }

    /// The deviation of a value from the prior's pose, as a rate.
    pub(super) fn deviation(&self, value: usize, stored: &[Vec3]) -> DVec3 {
        (stored[value].as_dvec3() - self.rest[value].as_dvec3()) / self.unit(value)
    }

    /// Returns the increase of the energy over that with `values_before` (see [`Objective::values`]) and
    /// `before`; exact even if targets are so far away that it is lost in the rounding of the energies.
    pub(super) fn rise(&self, stored: &[Vec3], values_before: &[DVec3], before: &[Vec3]) -> f64 {
        let tasks = self.tasks.iter().zip(self.values().zip(values_before));
        let rises = tasks.map(|(task, (current, before))| {
            let residuals = (current - task.aim()) + (*before - task.aim());
            0.5 * task.weight * (current - before).dot(residuals)
        });
        rises.sum::<f64>() + self.prior_change(stored, Some(before))
    }

    /// Iterates over the values of the tasks; see [`Task::value`].
    pub(super) fn values(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.tasks.iter().map(|task| task.value(&self.poses, self.reach))
    }

    /// Iterates over the residuals of the tasks.
    pub(super) fn residuals(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.tasks.iter().zip(self.values()).map(|(task, value)| value - task.aim())
    }

    /// Iterates over the errors of the tasks, at the current poses of the joints.
    pub(super) fn results(&self) -> impl Iterator<Item = TaskResult> + '_ {
        self.tasks.iter().zip(self.residuals()).filter(|(task, _)| !task.is_implied).filter_map(
            |(task, residual)| {
                Some(TaskResult {
                    handle: task.handle,
                    task: task.goal.kind()?,
                    error: task.error(&self.poses, self.reach),
                    reached: (residual - task.beyond).length() <= REACHED * self.reach,
                })
            },
        )
    }

    /// Lets poles of handles that are not pinned yield the more, the more they keep a limb from a position that it might
    /// reach. Returns false if there are none.
    pub(super) fn lower_pole_weights(&mut self) -> bool {
        let mut yielding = std::mem::take(&mut self.yielding);
        yielding.clear();
        let lack = |handle: usize| {
            let tasks = self.tasks[self.set_on(handle)].iter();
            let positions = tasks.filter(|task| matches!(task.goal, Goal::Position(_)));
            let residual = |task: &Task| task.value(&self.poses, self.reach) - task.aim();
            positions.map(|task| residual(task).length() / (REACHED * self.reach)).fold(0.0, f64::max)
        };
        for (index, task) in self.tasks.iter().enumerate() {
            let is_pole = matches!(task.goal, Goal::Pole(_)) && !task.is_pinned && task.weight > 0.0;
            let amount = if is_pole { lack_amount(lack(task.handle)) } else { 0.0 };
            if amount > 0.0 {
                yielding.push((index, YIELD_FACTOR.powf(amount)));
            }
        }
        for &(task, factor) in &yielding {
            let task = &mut self.tasks[task];
            task.weight *= factor;
            if task.is_implied {
                task.share *= factor;
            }
        }
        self.yielding = yielding;
        !self.yielding.is_empty()
    }

    /// Iterates over the goals at this fraction of the way from the current poses of the joints.
    pub(super) fn goals_partway(&self, part: f64) -> impl Iterator<Item = Goal> + '_ {
        self.tasks.iter().map(move |task| task.goal_partway(part, &self.poses, self.reach))
    }

    pub(super) fn set_goals(&mut self, goals: &[Goal]) {
        self.tasks.iter_mut().zip(goals).for_each(|(task, goal)| task.goal = *goal);
    }

    /// The largest coordinate to which a handle pulls; the precision of f32 depends on it.
    pub(super) fn largest_coordinate(&self) -> f64 {
        self.tasks.iter().map(|task| task.aim().abs().max_element()).fold(0.0, f64::max)
    }

    /// The largest residual at the current poses of the joints.
    pub(super) fn largest_error(&self) -> f64 {
        let tasks = self.tasks.iter().zip(self.residuals());
        let tasks = tasks.filter(|(task, _)| matches!(task.origin, Origin::Handle | Origin::Balance));
        tasks.map(|(_, residual)| residual.length()).fold(0.0, f64::max)
    }

    /// The length of what all tasks set on handles pull, as a multiple of what a position at the distance of the reach does.
    /// Weights above 1 count as 1.
    pub(super) fn handle_pull(&self) -> f64 {
        let tasks = self.tasks.iter().zip(self.residuals()).filter(|(task, _)| task.origin == Origin::Handle);
        let squares = tasks.map(|(task, residual)| (task.weight.min(1.0) * residual.length()).powi(2));
        squares.sum::<f64>().sqrt() / self.reach
    }

    /// Returns the range of the tasks that are set on a handle. They come first, in the order of the handles.
    fn set_on(&self, handle: usize) -> Range<usize> {
        let set = &self.tasks[..self.tasks.partition_point(|task| task.origin == Origin::Handle)];
        set.partition_point(|task| task.handle < handle)..set.partition_point(|task| task.handle <= handle)
    }

    /// Iterates over the tasks that are there for a reason.
    fn tasks_of(&mut self, origin: Origin) -> impl Iterator<Item = &mut Task> {
        self.tasks.iter_mut().filter(move |task| task.origin == origin)
    }

    /// Returns the index of the balance task, if the body has to keep its balance.
    fn balance_task(&self) -> Option<usize> {
        self.tasks.iter().position(|task| task.origin == Origin::Balance)
    }

    /// The largest product of a task's weight and residual.
    pub(super) fn largest_pull(&self) -> f64 {
        let pulls = self.tasks.iter().zip(self.residuals());
        pulls.map(|(task, r)| task.weight * r.length()).fold(0.0, f64::max)
    }

    /// The length of the longest chain of joints that move: the greatest distance of tips from their centres
    /// of rotation.
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }
}

/// The part, from 0 to 1, of the way to their lowest weights that tasks go for the sake of others which lack this much: the
/// unit is what is tolerated at the most.
fn lack_amount(lack: f64) -> f64 {
    ((lack - TOLERATED_LACK) / (1.0 - TOLERATED_LACK)).clamp(0.0, 1.0)
}
