//! Who is led away: what is upright (trunk, neck and head), and what counts where a handle leads it.
//!
//! A handle of its own leads trunk or head by the way to its target: then the body comes down by the legs, the trunk leans
//! as one from the pelvis on, and neck and head go with it. A hand leads the body by as much as its arm is too short: then
//! back and legs go along, bent from the first on the way that their joints prefer: a body that stands straight could else
//! lean back as well as forwards, and would do the one first and then, at once, the other.

use super::super::REACHED;
use super::super::chain::{bend, leads_aside};
use super::super::task::{Goal, Task};
use super::Objective;
use crate::rig::limits;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, FloatExt, Vec3};

/// What the tilt of a bone of the trunk counts beside the prior of an angle that turns freely, where nothing is led.
const TILT: f64 = 1.5;

/// Kept from solve to solve.
#[derive(Default)]
pub(super) struct Leading {
    /// What a tilt counts.
    pub(super) tilt: f64,
    /// Per joint: the mass that hangs on it.
    carried: Vec<f64>,
    /// Per joint: whether it is of the trunk, or of neck and head.
    upright: Vec<bool>,
    arms: Vec<Arm>,
    /// Where something leads the body.
    pub(super) how: Option<&'static Led>,
}

/// What counts where the body is led.
pub(super) struct Led {
    /// As `TILT`. Large tilts count more than small ones, by this much times their sine: the trunk shares them out, and
    /// does not buckle.
    tilt: f64,
    steeper: f64,
    /// The bones of the trunk bend and twist so much less readily: it leans from the hips.
    trunk: f64,
    /// The prior pulls by this part of the way to the bend that joints prefer.
    bent: f32,
    /// Whether the trunk starts bent as it prefers wherever targets lie.
    starts_bent: bool,
    /// So many steps at most with each of the stronger priors.
    steps: usize,
}

/// An arm that a handle pulls that is not pinned.
struct Arm {
    /// Of its handle.
    task: usize,
    /// Its upper joint, and how long it is from there to the tip.
    upper: usize,
    length: f64,
}

/// Stiffer bones of the trunk would push the body off its feet in a full squat, and so would the prior if it bent them;
/// with more steps minima are found that change at once where legs can fold no further.
const BY_TRUNK: Led = Led {
    tilt: 8.0,
    steeper: 5.0,
    trunk: 0.13,
    bent: 0.0,
    starts_bent: true,
    steps: STEPS,
};
/// Who reaches for the floor bends hips, back and knees. With tilts that count more it is all done by the knees, with
/// those that count less by hips and back. With fewer steps some frames would stop short of where their neighbours end.
const BY_ARMS: Led = Led {
    tilt: 0.09,
    steeper: 2.0,
    trunk: 0.32,
    bent: 0.3,
    starts_bent: false,
    steps: 20,
};
/// The root turns at least so readily then, and neck and head so much less readily: their part comes last.
const ROOT: f64 = 1.0;
const NECK: f64 = 0.1;
/// All of it counts from this part of the reach on that the body is led away.
const WHOLLY: f64 = 0.02;
/// So many steps with each of the stronger priors else.
const STEPS: usize = 6;
/// What the orientations of pinned feet count then.
const HEELS: f64 = 2e-3;
/// Where this part of the mass hangs on a joint, it is of the trunk whichever way it leads.
const MUCH: f64 = 1.0 / 3.0;

impl Objective {
    /// By how much a body that stands is led away, where the joints were last placed; in skeleton units. Solved from there
    /// its legs follow, where a trunk that is pulled down on legs that stand would fold.
    pub(in crate::rig::ik) fn led_by(&self) -> Option<DVec3> {
        self.lead().map(|(by, _)| by)
    }

    fn lead(&self) -> Option<(DVec3, &'static Led)> {
        if self.balance.supports.is_empty() {
            return None;
        }
        let mean = |ways: &mut dyn Iterator<Item = DVec3>| {
            // What is pinned where it is leads nowhere.
            let ways = ways.filter(|way| way.length() > REACHED * self.reach);
            let (sum, count) = ways.fold((DVec3::ZERO, 0.0), |(sum, count), way| (sum + way, count + 1.0));
            (count > 0.0).then(|| sum / count)
        };
        let by_trunk = mean(&mut self.leading().map(|task| task.aim() - self.poses[task.joint].tip));
        let beyond = |arm: &Arm| {
            let way = self.tasks[arm.task].aim() - self.poses[arm.upper].start;
            way - way.clamp_length_max(arm.length)
        };
        let by_arms = || mean(&mut self.led.arms.iter().map(beyond));
        let by_trunk = by_trunk.map(|by| (by, &BY_TRUNK));
        by_trunk.or_else(|| by_arms().map(|by| (by, &BY_ARMS)))
    }

    /// The tasks that lead what is upright to a place.
    fn leading(&self) -> impl Iterator<Item = &Task> {
        let upright = |task: &Task| self.led.upright.get(task.joint) == Some(&true);
        let places = |task: &&Task| matches!(task.goal, Goal::Position(_));
        self.tasks.iter().filter(places).filter(move |task| upright(task))
    }

    /// Finds what is upright, where masses are set: from the root on what carries much, or leads up in the middle.
    pub(super) fn set_upright(&mut self) {
        let Leading { carried, upright, .. } = &mut self.led;
        carried.clear();
        carried.extend(self.balance.own.iter().map(|own| own.mass));
        for (joint, at) in self.joints.iter().enumerate().rev() {
            if let Some(parent) = at.parent {
                carried[parent] += carried[joint];
            }
        }
        upright.clear();
        for (joint, at) in self.joints.iter().enumerate() {
            let leads_up = at.extent.y > 0.0 && !leads_aside(at.extent);
            let is_upright = carried[joint] > MUCH || carried[joint] > 0.0 && leads_up;
            upright.push(is_upright && at.parent.is_none_or(|parent| upright[parent]));
        }
    }

    /// Where hips are led that keep their orientation, ankles soon are at their limits: then heels lift.
    pub(super) fn let_heels_lift(&mut self) {
        let upright = |task: &Task| self.led.upright.get(task.joint) == Some(&true);
        let keeps = |task: &Task| matches!(task.goal, Goal::Orientation(_)) && !task.is_pinned;
        if self.balance.supports.is_empty() || !self.tasks.iter().any(|task| keeps(task) && upright(task)) {
            return;
        }
        for task in &mut self.tasks {
            if task.is_pinned && matches!(task.goal, Goal::Orientation(_)) {
                task.weight = HEELS * task.share;
            }
        }
    }

    /// Finds the arms that could lead the body: what leads aside from the trunk, elsewhere than the legs do that it stands
    /// on. The tasks of handles are there.
    pub(super) fn set_arms(&mut self, skeleton: &Skeleton) {
        self.led.arms.clear();
        let upright = &self.led.upright;
        let upwards = |joint: usize| std::iter::successors(Some(joint), |at| self.joints[*at].parent);
        let from_trunk = |joint: usize| upwards(joint).find(|at| upright[*at]);
        let supports = &self.balance.supports;
        let is_leg = |trunk| {
            supports
                .iter()
                .any(|&task| from_trunk(self.tasks[task].joint) == trunk)
        };
        for (index, task) in self.tasks.iter().enumerate() {
            if task.is_pinned || !matches!(task.goal, Goal::Position(_)) {
                continue;
            }
            let limb = || upwards(task.joint).take_while(|at| !upright[*at]);
            let aside = limb().any(|joint| leads_aside(self.joints[joint].extent));
            if !aside || is_leg(from_trunk(task.joint)) {
                continue;
            }
            let upper = bend(skeleton, &skeleton.handles[task.handle]);
            let Some(upper) = upper.and_then(|[upper, _]| self.joint_of_bone[upper]) else {
                continue;
            };
            let below = limb().take_while(|joint| *joint > upper).chain([upper]);
            let length = below.map(|joint| self.joints[joint].extent.length()).sum();
            self.led.arms.push(Arm {
                task: index,
                upper,
                length,
            });
        }
    }

    /// As far as the body is led away: what tilts count, how readily bones turn, and where the prior bends them. From one
    /// reach away on less and less, from two on not at all: nothing gets there, and a body that bent for it would tip over.
    pub(super) fn set_led(&mut self) {
        let lead = self.lead();
        self.led.how = lead.map(|(_, how)| how);
        let (by, how) = lead.unwrap_or((DVec3::ZERO, &BY_TRUNK));
        let led = (by.length() / (WHOLLY * self.reach)).min(1.0);
        let out_of_reach = (by.length() / self.reach - 1.0).clamp(0.0, 1.0);
        let led = led * (1.0 - out_of_reach);
        self.led.tilt = TILT.lerp(how.tilt, led);
        let steeper = how.steeper * led;
        for task in self.tasks.iter_mut().skip(self.counted).take(self.tilts) {
            let axis = self.poses[task.joint].rotation.transpose() * DVec3::Y;
            let direction = DVec3::Y;
            task.goal = Goal::Tilt {
                axis,
                direction,
                steeper,
            };
        }
        let root = self.tasks[self.asked].joint;
        for joint in (0..self.joints.len()).filter(|&joint| self.led.upright[joint]) {
            let gain = &mut self.gains[joint];
            if joint == root {
                let readily = DVec3::select(gain.cmpgt(DVec3::ZERO), gain.max(DVec3::splat(ROOT)), *gain);
                *gain = gain.lerp(readily, led);
                continue;
            }
            let less = if self.led.is_trunk(joint) { how.trunk } else { NECK };
            *gain *= 1.0.lerp(less, led);
        }
        self.bend_rest(how.bent * led as f32);
        self.weigh_balance();
    }

    /// So many steps are taken at most with each of the stronger priors.
    pub(in crate::rig::ik) fn steps_of_stage(&self) -> usize {
        self.led.how.map_or(STEPS, |how| how.steps)
    }

    /// Bends what the prior pulls to, by this part of the way that joints prefer; but not the arms that are pulled.
    fn bend_rest(&mut self, part: f32) {
        if part == 0.0 {
            return;
        }
        for (joint, at) in self.joints.iter().enumerate() {
            let is_pulled = |upper: usize| {
                let mut above = std::iter::successors(Some(joint), |at| self.joints[*at].parent);
                above.any(|joint| joint == upper)
            };
            let preferred = at.preferred_deg.filter(|_| at.turns);
            let pulled = self.led.arms.iter().any(|arm| is_pulled(arm.upper));
            if let Some(preferred) = preferred.filter(|_| !pulled) {
                let rest = &mut self.rest[joint];
                let bent = limits::at_least(*rest, preferred);
                *rest = limits::clamp(rest.lerp(bent, part), &self.bounds[joint]);
            }
        }
    }

    /// How a joint is bent where a solve starts: as it prefers, but bones of the trunk only where that brings targets
    /// nearer, or who raises both hands bends down first. `gradient`: in the pose without handles.
    pub(in crate::rig::ik) fn preferred_at_first(&self, joint: usize, gradient: &[DVec3]) -> Option<Vec3> {
        let nearer = |preferred: &Vec3| {
            !self.led.is_trunk(joint)
                || self.led.how.is_some_and(|how| how.starts_bent)
                || gradient[joint].dot(preferred.as_dvec3()) < 0.0
        };
        self.joints[joint].preferred_deg.filter(nearer)
    }
}

impl Leading {
    pub(super) fn is_trunk(&self, joint: usize) -> bool {
        self.upright[joint] && self.carried[joint] > MUCH
    }
}
