//! Legs that a handle leads by the foot, as for a step, a kick, or to raise a knee. The foot keeps its
//! orientation, or takes the one requested. When the ankle is at a limit, the foot tips: its orientation then
//! counts little, or else the leg would suddenly turn in or out, or the other knee would bend. The knee
//! points where the toes do unless there is a pole, and a pole that would bend it backwards yields.
//!
//! The side of the knee in the first pose is swung with the line from hip to ankle, and rotated about that
//! line as the foot is: by the twist that remains of the foot's rotation (swing-twist decomposition).

use super::super::REACHED;
use super::super::residual::{self, Goal};
use super::super::task::{Origin, Task};
use super::super::tuning::{ANKLE_GAIN, ASIDE_DEG, IN_FRONT, KNEE_WEIGHT, POLE_DISTANCE, TIPPED_WEIGHT};
use super::{Objective, lack_amount};
use crate::rig::body::joint::bend_bones;
use crate::rig::skeleton::Skeleton;
use glam::{DQuat, DVec3};

impl Objective {
    /// Finds the led feet, and adds an orientation task to those whose handle has none, and a pole to legs
    /// without one; [`Objective::aim_leg_tasks`] sets their goals.
    pub(super) fn add_leg_tasks(&mut self, skeleton: &Skeleton) {
        let is_standing = !self.balance.supports.is_empty();
        for index in 0..self.tasks.len() {
            let Task { origin, handle, joint, share, is_pinned, .. } = self.tasks[index];
            let is_position = matches!(self.tasks[index].goal, Goal::Position(_));
            if origin != Origin::Handle
                || !is_position
                || !self.balance.ground.carries(self.joints[joint].bone)
            {
                continue;
            }
            let joints = bend_bones(skeleton, &skeleton.handles[handle]);
            let joints = joints.map(|bones| bones.map(|bone| self.joint_of_bone[bone]));
            let Some([Some(upper), Some(lower)]) = joints else {
                continue;
            };
            if self.joints[lower].preferred_deg.is_none() {
                continue;
            }
            let add = |tasks: &mut Vec<Task>, joint: usize, goal: Goal| {
                tasks.push(Task::implied(Origin::Leg, handle, share, joint, goal));
            };
            let knee = Goal::Pole(residual::Pole { upper, point: DVec3::ZERO });
            // If feet pull at a body that stands on none of them, the use of its legs is undetermined.
            let is_determined = is_standing || skeleton.handles[handle].chain.is_some();
            if is_pinned || lower == joint {
                if is_determined && self.pole_task(handle).is_some() {
                    add(&mut self.tasks, lower, knee);
                }
                continue;
            }
            let set = self.set_on(handle);
            let is_orientation = |task: &&mut Task| matches!(task.goal, Goal::Orientation(_));
            let orientation = self.tasks[set].iter_mut().find(is_orientation);
            match orientation {
                Some(orientation) => orientation.is_led_foot = true,
                None if is_determined => {
                    add(&mut self.tasks, joint, Goal::Orientation(residual::Orientation(DQuat::IDENTITY)));
                }
                None => continue,
            }
            if is_standing {
                self.loosen_ankle(joint, 1.0);
            }
            let is_pole = |task: &Task| task.joint == lower && matches!(task.goal, Goal::Pole(_));
            if self.pole_task(handle).is_some() || !self.tasks.iter().any(is_pole) {
                add(&mut self.tasks, lower, knee);
            }
        }
    }

    /// Returns the pole task that is set on the handle itself.
    fn pole_task(&self, handle: usize) -> Option<usize> {
        self.set_on(handle).find(|task| matches!(self.tasks[*task].goal, Goal::Pole(_)))
    }

    /// Lowers the weight of the orientations of led feet the more, the more a handle that leads a foot misses a task, or its
    /// knee turns aside. Returns false if there is none.
    pub(in crate::rig::ik) fn lower_foot_weights(&mut self) -> bool {
        let leads = |handle: usize| self.tasks[self.set_on(handle)].iter().any(|task| task.is_led_foot);
        let lack = |(task, residual): (&Task, DVec3)| match task.origin {
            _ if !leads(task.handle) => 0.0,
            Origin::Handle => residual.length() / (REACHED * self.reach),
            Origin::Leg if matches!(task.goal, Goal::Pole(_)) && task.weight > 0.0 => {
                task.error(&self.poses, self.reach) / ASIDE_DEG
            }
            _ => 0.0,
        };
        let lack = self.tasks.iter().zip(self.residuals()).map(lack).fold(0.0, f64::max);
        let amount = lack_amount(lack);
        for index in (0..self.tasks.len()).filter(|_| amount > 0.0) {
            let task = &mut self.tasks[index];
            if task.is_led_foot && task.weight > 0.0 {
                task.weight *= (TIPPED_WEIGHT * task.share / task.weight).powf(amount);
                let joint = task.joint;
                self.loosen_ankle(joint, amount);
            }
        }
        amount > 0.0
    }

    /// Makes an ankle turn easily, by a part of the way from its gain.
    fn loosen_ankle(&mut self, foot: usize, amount: f64) {
        let gain = &mut self.gains[foot];
        let loose = gain.lerp(gain.max(DVec3::splat(ANKLE_GAIN)), amount);
        *gain = DVec3::select(gain.cmpgt(DVec3::ZERO), loose, *gain);
    }

    /// Sets the goals in the first pose, when handles begin to pull.
    pub(super) fn aim_leg_tasks(&mut self) {
        for index in 0..self.tasks.len() {
            let task = &self.tasks[index];
            if task.origin != Origin::Leg {
                continue;
            }
            let knee_side = self.knee_side(task);
            let rotation = self.poses[task.joint].rotation;
            let pole = self.pole_task(task.handle);
            let task = &mut self.tasks[index];
            match (&mut task.goal, knee_side) {
                (Goal::Orientation(orientation), _) => orientation.0 = DQuat::from_mat3(&rotation),
                (Goal::Pole(residual::Pole { upper, point }), Some(knee_side)) => {
                    let hip = self.poses[*upper].start;
                    *point = hip + POLE_DISTANCE * self.reach * knee_side;
                    if let Some(pole) = pole {
                        let requested = &mut self.tasks[pole];
                        let Goal::Pole(residual::Pole { point, .. }) = requested.goal else {
                            continue;
                        };
                        let sine = (point - hip).normalize_or_zero().dot(knee_side);
                        let (zero, full) = IN_FRONT;
                        let part = ((sine - zero) / (full - zero)).clamp(0.0, 1.0);
                        requested.weight *= part;
                        self.tasks[index].share *= 1.0 - part;
                    }
                }
                _ => task.share = 0.0,
            }
        }
        // Tasks without weight would still affect the damping of the steps.
        self.tasks.retain(|task| task.origin != Origin::Leg || task.share != 0.0);
        self.update_leg_weights();
    }

    /// Implied tasks count only while there is a prior: without one, tips are taken exactly to their targets. But what is
    /// left of a pole that fades would then turn the knee alone.
    pub(super) fn update_leg_weights(&mut self) {
        let prior = self.prior;
        for index in 0..self.tasks.len() {
            let task = &self.tasks[index];
            if task.origin != Origin::Leg {
                continue;
            }
            let is_pole = matches!(task.goal, Goal::Pole(_));
            let has_rest = |pole: usize| self.tasks[pole].weight > 0.0;
            let weight = match task.goal {
                _ if prior == 0.0 && !(is_pole && self.pole_task(task.handle).is_some_and(has_rest)) => 0.0,
                Goal::Orientation(_) => TIPPED_WEIGHT,
                _ => KNEE_WEIGHT,
            };
            self.tasks[index].weight = weight * self.tasks[index].share;
        }
    }

    /// Returns the unit direction in which a knee should point.
    fn knee_side(&self, knee: &Task) -> Option<DVec3> {
        let Goal::Pole(residual::Pole { upper, .. }) = knee.goal else {
            return None;
        };
        let handle_tasks = || self.tasks.iter().filter(|task| task.handle == knee.handle);
        let target = handle_tasks().find_map(|task| match task.goal {
            Goal::Position(residual::Position(target)) => Some((task.joint, target)),
            _ => None,
        });
        let orientation = handle_tasks().find_map(|task| match task.goal {
            Goal::Orientation(residual::Orientation(orientation)) => Some(orientation),
            _ => None,
        });
        let (foot, target) = target?;
        let (foot, lower, hip) = (&self.poses[foot], &self.poses[knee.joint], self.poses[upper].start);
        let turn = orientation.map_or(DQuat::IDENTITY, |orientation| {
            orientation * DQuat::from_mat3(&foot.rotation).conjugate()
        });
        let before = (lower.tip - hip).try_normalize()?;
        let after = (target - turn * (foot.tip - lower.tip) - hip).try_normalize()?;
        let swing = DQuat::from_rotation_arc(before, after);
        let rest = turn * swing.conjugate();
        let twist = DQuat::from_axis_angle(after, 2.0 * rest.xyz().dot(after).atan2(rest.w));
        // The knee moves against the shin, which rotates as preferred.
        let joint = &self.joints[knee.joint];
        let frame = lower.rotation * joint.axes;
        let rotation_axis = frame * joint.preferred_deg?.as_dvec3();
        let knee_direction = rotation_axis.cross(lower.start - lower.tip);
        let side = knee_direction - before * before.dot(knee_direction);
        (twist * swing * side).try_normalize()
    }
}
