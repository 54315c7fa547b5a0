//! Leading: the upright bones (trunk, neck and head), and the weights that apply when a handle leads them.
//!
//! A handle on the trunk or head leads by the offset of its target: the legs lower the body, the trunk leans
//! as a whole from the pelvis on, and neck and head follow. A hand leads the body by the distance that its
//! arm is too short: back and legs follow, bent from the start in the direction that their joints prefer,
//! because a body that stands straight could lean back as well as forwards, and would first do the one and
//! then suddenly the other.

use super::super::REACHED;
use super::super::residual::{self, Goal};
use super::super::task::{Origin, Task};
use super::super::tuning::{
    BY_ARMS, BY_TRUNK, FULL_BEND, FULL_EFFECT, HEEL_WEIGHT, LeadStyle, NEAR_DAMPING, NECK_FACTOR, ROOT_GAIN,
    TILT, TRUNK_MASS,
};
use super::Objective;
use crate::rig::body::joint::bend_bones;
use crate::rig::limits;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, FloatExt, Vec3};

/// Data that are reused between solves.
#[derive(Default)]
pub(super) struct Leading {
    /// The weight of a tilt.
    pub(super) tilt: f64,
    /// See [`NEAR_DAMPING`].
    near_damping: f64,
    /// How far the trunk starts bent as preferred wherever the targets are, from 0 to 1.
    pub(super) start_bend: f64,
    /// The mass carried by each joint.
    carried: Vec<f64>,
    /// Whether each joint belongs to the trunk, or to neck and head.
    upright: Vec<bool>,
    arms: Vec<Arm>,
}

/// An arm with a handle that is not pinned.
struct Arm {
    /// The position task of its handle.
    task: usize,
    /// The upper joint, and the length from there to the tip.
    upper: usize,
    length: f64,
}

impl Objective {
    /// Returns the offset in skeleton units by which a standing body is led away, at the current poses of the
    /// joints. A solve that starts with this offset makes the legs follow; otherwise a trunk pulled down on
    /// standing legs would fold.
    pub(in crate::rig::ik) fn lead_offset(&self) -> Option<DVec3> {
        self.lead().map(|(offset, _)| offset * self.within_reach(offset))
    }

    /// The effect of leading, which decreases from one reach away, and ends at two: nothing gets there, and a body that
    /// bent for it would tip over.
    fn within_reach(&self, offset: DVec3) -> f64 {
        1.0 - (offset.length() / self.reach - 1.0).clamp(0.0, 1.0)
    }

    /// The damping of a body in balance in proportion to the distance of the targets: see [`NEAR_DAMPING`]. Limbs in
    /// closed form need none.
    pub(in crate::rig::ik) fn near_damping(&self) -> f64 {
        if self.is_balanced() && self.limbs.is_empty() { self.leading.near_damping } else { 0.0 }
    }

    fn lead(&self) -> Option<(DVec3, &'static LeadStyle)> {
        if self.balance.supports.is_empty() {
            return None;
        }
        let mean = |offsets: &mut dyn Iterator<Item = DVec3>| {
            // Pinned points that are in place do not lead.
            let offsets = offsets.filter(|offset| offset.length() > REACHED * self.reach);
            let (sum, count) =
                offsets.fold((DVec3::ZERO, 0.0), |(sum, count), offset| (sum + offset, count + 1.0));
            (count > 0.0).then(|| sum / count)
        };
        let by_trunk = mean(&mut self.leading_tasks().map(|task| task.aim() - self.poses[task.joint].tip));
        let beyond = |arm: &Arm| {
            let offset = self.tasks[arm.task].aim() - self.poses[arm.upper].start;
            offset - offset.clamp_length_max(arm.length)
        };
        let by_arms = || mean(&mut self.leading.arms.iter().map(beyond));
        let by_trunk = by_trunk.map(|offset| (offset, &BY_TRUNK));
        by_trunk.or_else(|| by_arms().map(|offset| (offset, &BY_ARMS)))
    }

    /// Iterates over the position tasks of upright joints.
    fn leading_tasks(&self) -> impl Iterator<Item = &Task> {
        let upright = |task: &Task| self.leading.upright.get(task.joint) == Some(&true);
        let is_position = |task: &&Task| matches!(task.goal, Goal::Position(_));
        self.tasks.iter().filter(is_position).filter(move |task| upright(task))
    }

    /// Finds the upright joints, once masses are set: from the root on, joints that carry much, or that point
    /// up in the middle.
    pub(super) fn set_upright(&mut self) {
        let axes = self.balance.ground.axes;
        let Leading { carried, upright, .. } = &mut self.leading;
        carried.clear();
        carried.extend(self.balance.masses.iter().map(|own| own.mass));
        for (joint, this) in self.joints.iter().enumerate().rev() {
            if let Some(parent) = this.parent {
                carried[parent] += carried[joint];
            }
        }
        upright.clear();
        for (joint, this) in self.joints.iter().enumerate() {
            let leads_up = this.extent.dot(axes.up) > 0.0 && !axes.leads_aside(this.extent);
            let is_upright = carried[joint] > TRUNK_MASS || carried[joint] > 0.0 && leads_up;
            upright.push(is_upright && this.parent.is_none_or(|parent| upright[parent]));
        }
    }

    /// Lets heels lift if hips with a fixed orientation are led, because ankles then soon reach their limits.
    pub(super) fn lower_heel_weights(&mut self) {
        let upright = |task: &Task| self.leading.upright.get(task.joint) == Some(&true);
        let is_free_orientation = |task: &Task| matches!(task.goal, Goal::Orientation(_)) && !task.is_pinned;
        if self.balance.supports.is_empty()
            || !self.tasks.iter().any(|task| is_free_orientation(task) && upright(task))
        {
            return;
        }
        for task in &mut self.tasks {
            if task.is_pinned && matches!(task.goal, Goal::Orientation(_)) {
                task.weight = HEEL_WEIGHT * task.share;
            }
        }
    }

    /// Finds the arms that could lead the body: limbs that lead aside from the trunk, from other bones than
    /// the supporting legs do. The tasks of handles must be set.
    pub(super) fn set_arms(&mut self, skeleton: &Skeleton) {
        self.leading.arms.clear();
        let upright = &self.leading.upright;
        let upwards =
            |joint: usize| std::iter::successors(Some(joint), |ancestor| self.joints[*ancestor].parent);
        let from_trunk = |joint: usize| upwards(joint).find(|ancestor| upright[*ancestor]);
        let supports = &self.balance.supports;
        let is_leg = |trunk| supports.iter().any(|&task| from_trunk(self.tasks[task].joint) == trunk);
        for (index, task) in self.tasks.iter().enumerate() {
            if task.is_pinned || !matches!(task.goal, Goal::Position(_)) {
                continue;
            }
            let limb = || upwards(task.joint).take_while(|joint| !upright[*joint]);
            let aside = limb().any(|joint| self.balance.ground.axes.leads_aside(self.joints[joint].extent));
            if !aside || is_leg(from_trunk(task.joint)) {
                continue;
            }
            let upper = bend_bones(skeleton, &skeleton.handles[task.handle]);
            let Some(upper) = upper.and_then(|[upper, _]| self.joint_of_bone[upper]) else {
                continue;
            };
            let below = limb().take_while(|joint| *joint > upper).chain([upper]);
            let length = below.map(|joint| self.joints[joint].extent.length()).sum();
            self.leading.arms.push(Arm { task: index, upper, length });
        }
    }

    /// Sets the weights of tilts, the gains and the prior's pose according to how far the body is led away.
    pub(super) fn set_weights_by_lead(&mut self, root: usize) {
        let (offset, style) = self.lead().unwrap_or((DVec3::ZERO, &BY_TRUNK));
        let amount = (offset.length() / (FULL_EFFECT * self.reach)).min(1.0);
        let amount = amount * self.within_reach(offset);
        self.leading.tilt = TILT.lerp(style.tilt, amount);
        let leads = self.leading_tasks().next().is_some();
        self.leading.near_damping = if leads { 0.0 } else { NEAR_DAMPING * (1.0 - amount) };
        self.leading.start_bend = if style.starts_bent { amount } else { 0.0 };
        let border = style.border * amount * self.reach;
        for task in self.tasks_of(Origin::Balance) {
            if let Goal::Balance(balance) = &mut task.goal {
                balance.border = border;
            }
        }
        let (up, steeper) = (self.balance.ground.axes.up, style.steeper * amount);
        for task in self.tasks.iter_mut().filter(|task| task.origin == Origin::Tilt) {
            let axis = self.poses[task.joint].rotation.transpose() * up;
            task.goal = Goal::Tilt(residual::Tilt { axis, direction: up, steeper });
        }
        for joint in (0..self.joints.len()).filter(|&joint| self.leading.upright[joint]) {
            let gain = &mut self.gains[joint];
            if joint == root {
                let loose = DVec3::select(gain.cmpgt(DVec3::ZERO), gain.max(DVec3::splat(ROOT_GAIN)), *gain);
                *gain = gain.lerp(loose, amount);
                continue;
            }
            let factor = if self.leading.is_trunk(joint) { style.trunk } else { NECK_FACTOR };
            *gain *= 1.0.lerp(factor, amount);
        }
        self.bend_rest(style.bent * amount as f32);
        self.update_balance_weights();
    }

    /// Bends the pose to which the prior pulls by this fraction of the way to the preferred pose, except arms
    /// that are pulled.
    fn bend_rest(&mut self, fraction: f32) {
        if fraction == 0.0 {
            return;
        }
        for (joint, this) in self.joints.iter().enumerate() {
            let is_pulled = |upper: usize| {
                let mut ancestors =
                    std::iter::successors(Some(joint), |ancestor| self.joints[*ancestor].parent);
                ancestors.any(|joint| joint == upper)
            };
            let preferred = this.preferred_deg.filter(|_| this.turns);
            let pulled = self.leading.arms.iter().any(|arm| is_pulled(arm.upper));
            if let Some(preferred) = preferred.filter(|_| !pulled) {
                let rest = &mut self.rest[joint];
                let bent = limits::bend_at_least(*rest, preferred);
                *rest = limits::clamp(rest.lerp(bent, fraction), &self.bounds[joint]);
            }
        }
    }

    /// Returns the preferred bend of a joint for the start of a solve, and how far on the way to it the solve starts, from 0
    /// to 1. Bones of the trunk are bent only as far as that brings targets closer, since otherwise a body that raises both
    /// hands would bend down first. `gradient` is that of the pose without handles.
    pub(in crate::rig::ik) fn start_bend(&self, joint: usize, gradient: &[DVec3]) -> Option<(Vec3, f32)> {
        let preferred = self.joints[joint].preferred_deg?;
        if !self.leading.is_trunk(joint) {
            return Some((preferred, 1.0));
        }
        let fall = -gradient[joint].dot(preferred.as_dvec3().normalize_or_zero());
        let amount = (fall / (FULL_BEND * self.reach * self.reach)).max(self.leading.start_bend);
        (amount > 0.0).then_some((preferred, amount.min(1.0) as f32))
    }
}

impl Leading {
    pub(super) fn is_trunk(&self, joint: usize) -> bool {
        self.upright[joint] && self.carried[joint] > TRUNK_MASS
    }
}
