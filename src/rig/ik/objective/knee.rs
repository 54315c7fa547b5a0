//! Legs that a handle leads by the foot, as in a step, a kick or to raise a knee. The foot stays as it is turned, or turns as
//! it is asked; where the ankle is at a limit it tips: its orientation counts little then, or the leg would turn in or out
//! at once, or the other knee bend. The knee points where the toes do, unless a pole says otherwise; and where the pole
//! would have it bend backwards, the pole gives way.
//!
//! The knee's side of the first pose is swung with the line from hip to ankle, and turned about that line as the foot is:
//! by the twist of what is left of the foot's turn, in the sense of a swing-twist decomposition.

use super::super::REACHED;
use super::super::chain::bend;
use super::super::feet::heights_into;
use super::super::task::{Goal, Task};
use super::Objective;
use crate::rig::skeleton::Skeleton;
use glam::{DQuat, DVec3};

/// What the orientation of a led foot that tips counts beside a position.
const ORIENTATION: f64 = 5e-4;
/// The least gain of its ankle then, and on a body that stands on the other foot: or hips would move to spare the ankle.
const ANKLE: f64 = 0.5;
/// What it counts that the knee points where the toes do.
const KNEE: f64 = 1.0;
/// It tips rather than turn the knee aside by more than this (degrees).
const ASIDE_DEG: f64 = 5.0;
/// How far in front of the line from hip to ankle a pole is, as the sine of the angle, where it counts nothing, and where
/// it counts wholly: the knee of a foot that is raised above its pole would else bend backwards.
const IN_FRONT: (f64, f64) = (0.1, 0.4);
/// So many reaches away it says a direction, wherever the hip goes.
const FAR: f64 = 100.0;

impl Objective {
    /// Finds the led feet, and adds what keeps one as it is turned where its handle does not say, and a pole to legs without
    /// one; [`Objective::aim_knees`] aims them.
    pub(super) fn add_knees(&mut self, skeleton: &Skeleton) {
        let floor = heights_into(skeleton, &mut self.balance.heights);
        let stands = !self.balance.supports.is_empty();
        for index in 0..self.asked {
            let Task {
                handle,
                joint,
                share,
                is_pinned,
                ..
            } = self.tasks[index];
            let places = matches!(self.tasks[index].goal, Goal::Position(_));
            if !places || self.balance.heights[self.joints[joint].bone] > floor {
                continue;
            }
            let joints = bend(skeleton, &skeleton.handles[handle]);
            let joints = joints.map(|bones| bones.map(|bone| self.joint_of_bone[bone]));
            let Some([Some(upper), Some(lower)]) = joints else {
                continue;
            };
            if self.joints[lower].preferred_deg.is_none() {
                continue;
            }
            let add = |tasks: &mut Vec<Task>, joint: usize, goal: Goal| {
                tasks.push(Task::implied(handle, share, joint, goal));
            };
            let knee = Goal::Pole {
                upper,
                point: DVec3::ZERO,
            };
            // Where feet pull at a body that stands on none of them, what it does with its legs is open.
            let settled = stands || skeleton.handles[handle].chain.is_some();
            if is_pinned || lower == joint {
                if settled && self.own_pole(handle).is_some() {
                    add(&mut self.tasks, lower, knee);
                }
                continue;
            }
            let keeps = |task: &&mut Task| task.handle == handle && matches!(task.goal, Goal::Orientation(_));
            match self.tasks.iter_mut().take(self.asked).find(keeps) {
                Some(kept) => kept.is_led_foot = true,
                None if settled => {
                    add(&mut self.tasks, joint, Goal::Orientation(DQuat::IDENTITY));
                }
                None => continue,
            }
            if stands {
                self.loosen_ankle(joint);
            }
            let is_pole = |task: &Task| task.joint == lower && matches!(task.goal, Goal::Pole { .. });
            if self.own_pole(handle).is_some() || !self.tasks.iter().any(is_pole) {
                add(&mut self.tasks, lower, knee);
            }
        }
    }

    /// The pole that a handle has of its own.
    fn own_pole(&self, handle: usize) -> Option<usize> {
        let is_pole = |task: &Task| task.handle == handle && matches!(task.goal, Goal::Pole { .. });
        self.tasks.iter().take(self.asked).position(is_pole)
    }

    /// Where a handle misses anything that leads a foot, or its knee goes aside for it, lets orientations of led feet count
    /// little. False where none does, or they do already.
    pub(in crate::rig::ik) fn soften_feet(&mut self) -> bool {
        let is_firm = |task: &Task| task.is_led_foot && task.weight > ORIENTATION * task.share;
        let leads = |handle: usize| {
            self.tasks
                .iter()
                .any(|task| task.handle == handle && is_firm(task))
        };
        let is_off = |(at, (task, residual)): (usize, (&Task, DVec3))| match at {
            at if at < self.asked => residual.length() > REACHED * self.reach,
            at if at < self.counted + self.tilts => false,
            _ => {
                let is_knee = matches!(task.goal, Goal::Pole { .. }) && task.weight > 0.0;
                is_knee && task.error(&self.poses, self.reach) > ASIDE_DEG
            }
        };
        let soften = {
            let mut tasks = self.tasks.iter().zip(self.residuals()).enumerate();
            tasks.any(|at| leads(at.1.0.handle) && is_off(at))
        };
        for index in (0..self.asked).filter(|_| soften) {
            if self.tasks[index].is_led_foot {
                self.tasks[index].weight = ORIENTATION * self.tasks[index].share;
                self.loosen_ankle(self.tasks[index].joint);
            }
        }
        soften
    }

    fn loosen_ankle(&mut self, foot: usize) {
        let gain = &mut self.gains[foot];
        let readily = gain.max(DVec3::splat(ANKLE));
        *gain = DVec3::select(gain.cmpgt(DVec3::ZERO), readily, *gain);
    }

    /// In the first pose, when handles have begun to pull.
    pub(super) fn aim_knees(&mut self) {
        for index in self.counted + self.tilts..self.tasks.len() {
            let task = &self.tasks[index];
            let toward = self.knee_side(task);
            let rotation = self.poses[task.joint].rotation;
            let pole = self.own_pole(task.handle);
            let task = &mut self.tasks[index];
            match (&mut task.goal, toward) {
                (Goal::Orientation(kept), _) => *kept = DQuat::from_mat3(&rotation),
                (Goal::Pole { upper, point }, Some(toward)) => {
                    let hip = self.poses[*upper].start;
                    *point = hip + FAR * self.reach * toward;
                    if let Some(pole) = pole {
                        let asked = &mut self.tasks[pole];
                        let Goal::Pole { point, .. } = asked.goal else {
                            continue;
                        };
                        let side = (point - hip).normalize_or_zero().dot(toward);
                        let (none, all) = IN_FRONT;
                        let part = ((side - none) / (all - none)).clamp(0.0, 1.0);
                        asked.weight *= part;
                        self.tasks[index].share *= 1.0 - part;
                    }
                }
                _ => task.share = 0.0,
            }
        }
        // Tasks that count nothing would still change how steps are damped.
        for index in (self.counted + self.tilts..self.tasks.len()).rev() {
            if self.tasks[index].share == 0.0 {
                self.tasks.remove(index);
            }
        }
        self.weigh_knees();
    }

    /// What nobody asked for counts while there is a prior: without one, tips are taken to where they are asked.
    pub(super) fn weigh_knees(&mut self) {
        for task in self.tasks.iter_mut().skip(self.counted + self.tilts) {
            let weight = match task.goal {
                _ if self.prior == 0.0 => 0.0,
                Goal::Orientation(_) => ORIENTATION,
                _ => KNEE,
            };
            task.weight = weight * task.share;
        }
    }

    /// Which way a knee is to point; unit.
    fn knee_side(&self, knee: &Task) -> Option<DVec3> {
        let Goal::Pole { upper, .. } = knee.goal else {
            return None;
        };
        let own = || self.tasks.iter().filter(|task| task.handle == knee.handle);
        let target = own().find_map(|task| match task.goal {
            Goal::Position(target) => Some((task.joint, target)),
            _ => None,
        });
        let kept = own().find_map(|task| match task.goal {
            Goal::Orientation(kept) => Some(kept),
            _ => None,
        });
        let (foot, target) = target?;
        let (foot, lower, hip) = (
            &self.poses[foot],
            &self.poses[knee.joint],
            self.poses[upper].start,
        );
        let turn = kept.map_or(DQuat::IDENTITY, |kept| {
            kept * DQuat::from_mat3(&foot.rotation).conjugate()
        });
        let before = (lower.tip - hip).try_normalize()?;
        let after = (target - turn * (foot.tip - lower.tip) - hip).try_normalize()?;
        let swing = DQuat::from_rotation_arc(before, after);
        let rest = turn * swing.conjugate();
        let twist = DQuat::from_axis_angle(after, 2.0 * rest.xyz().dot(after).atan2(rest.w));
        // The knee goes against the shin, which turns as it prefers.
        let joint = &self.joints[knee.joint];
        let frame = lower.rotation * joint.axes;
        let turned = frame * joint.preferred_deg?.as_dvec3();
        let against = turned.cross(lower.start - lower.tip);
        let side = against - before * before.dot(against);
        (twist * swing * side).try_normalize()
    }
}
