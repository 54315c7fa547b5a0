//! The terms of the energy: what handles ask for (a position, an orientation, a direction to look in, a side to bend
//! to), and what a body does by itself. See [`super::residual`] for their formulas.

use super::residual::{Goal, JointPose, Place, TaskKind, Wrenches};
use glam::DVec3;
use serde::Serialize;

/// How close a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TaskResult {
    /// The index of the handle.
    pub handle: usize,
    pub task: TaskKind,
    /// For a position, the distance from the tip to where it is pulled, in skeleton units; otherwise an angle
    /// in degrees, 0 for the pole of a straight limb.
    pub error: f64,
    pub reached: bool,
}

/// Why a task is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A handle asks for it.
    Handle,
    /// A body that stands keeps its balance.
    Balance,
    /// The trunk of such a body stays upright.
    Tilt,
    /// A foot is led, and its leg follows: see `objective::knee`.
    Leg,
}

/// A term of the energy: half its weight times its squared residual.
pub(super) struct Task {
    pub(super) origin: Origin,
    /// The index of the handle.
    pub(super) handle: usize,
    pub(super) joint: usize,
    /// The weight; 0 if the solver does not support the task.
    pub(super) weight: f64,
    /// The fraction of the way from the first pose to the user's goal at which `goal` is: above 0, at most 1.
    pub(super) share: f64,
    pub(super) goal: Goal,
    /// The offset from the goal to the target, if that is too far away to be pulled to.
    pub(super) beyond: DVec3,
    /// Whether the handle is pinned.
    pub(super) is_pinned: bool,
    /// Whether the task only accompanies another one of the handle, and is not reported.
    pub(super) is_implied: bool,
    /// Whether this is the orientation of a led foot: see `objective::knee`.
    pub(super) is_led_foot: bool,
}

impl Task {
    /// Creates a task that accompanies others of a handle with this share; its weight is still 0.
    pub(super) fn implied(origin: Origin, handle: usize, share: f64, joint: usize, goal: Goal) -> Self {
        Self {
            origin,
            handle,
            joint,
            weight: 0.0,
            share,
            goal,
            beyond: DVec3::ZERO,
            is_pinned: false,
            is_implied: true,
            is_led_foot: false,
        }
    }

    fn place<'a>(&self, poses: &'a [JointPose], reach: f64) -> Place<'a> {
        Place { joint: self.joint, poses, reach }
    }

    /// See [`Goal::value`].
    pub(super) fn value(&self, poses: &[JointPose], reach: f64) -> DVec3 {
        self.goal.value(self.place(poses, reach))
    }

    /// See [`Goal::aim`].
    pub(super) fn aim(&self) -> DVec3 {
        self.goal.aim()
    }

    /// See [`Goal::carried_wrenches`].
    pub(super) fn carried_wrenches(&self, poses: &[JointPose], joint: usize) -> Option<Wrenches> {
        self.goal.carried_wrenches(self.place(poses, 0.0), joint)
    }

    /// See [`Goal::wrenches`].
    pub(super) fn wrenches(&self, poses: &[JointPose], reach: f64) -> (Wrenches, Option<(usize, Wrenches)>) {
        self.goal.wrenches(self.place(poses, reach))
    }

    /// See [`Goal::partway`].
    pub(super) fn goal_partway(&self, part: f64, poses: &[JointPose], reach: f64) -> Goal {
        self.goal.partway(part, self.place(poses, reach))
    }

    /// Returns the error for [`TaskResult`].
    pub(super) fn error(&self, poses: &[JointPose], reach: f64) -> f64 {
        let residual = (self.value(poses, reach) - self.aim() - self.beyond).length();
        self.goal.error(residual, self.place(poses, reach))
    }
}
