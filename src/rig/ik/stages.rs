//! The whole of a solve by damped steps: up to three starts, far targets in parts, and a prior that weakens.
//!
//! A limb that is straight at its limit is a dead end: it does not bend before all else is used up, and then at once. So
//! the first start has hinges bent as they prefer; if tasks are not done, the next is from the animated pose, and the last
//! from the middle of the limits; the best end counts.
//!
//! A weak prior decides between poses that reach the targets equally well, but plain steps creep along it. So it starts
//! strong and is weakened (continuation), and the last steps go without it. Where targets are far, tips are first carried
//! there in parts, which keeps neighbouring frames alike.

use super::damped::{self, Until};
use super::objective::Objective;
use super::task::Goal;
use super::trial::Trial;
use super::{Options, tolerance};
use crate::rig::limits;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};

/// The prior begins so many times as strong, goes on so, and ends as it is given.
const STRONG: f64 = 100.0;
const MIDDLE: f64 = 10.0;
/// So many steps at most by each of the stronger ones.
const STEPS_OF_STAGE: usize = 6;
/// So many at most by the last one, so that some are left for another start.
const STEPS_OF_LAST: usize = 30;
/// A stage ends where no angle turns by more (radians): the stronger ones, and the last.
const ROUGH: f64 = 2e-3;
const FINE: f64 = 1.7e-5;
/// Or where a step wins no more than this part of the energy.
const LITTLE: f64 = 1e-4;
/// Another start counts where it ends below this part of the energy of those before: not where both stretch towards what is out of
/// reach, and rounding would say which.
const CLEARLY: f64 = 0.9;
/// Where residuals end below this part of the reach, what the prior keeps from the targets is made up for without it, in so
/// many steps.
const NEAR: f64 = 5e-3;
const STEPS_TO_FINISH: usize = 3;
/// Targets farther than this part of the reach are approached in so many parts, of so many steps.
const FAR: f64 = 0.1;
const PARTS: usize = 4;
const STEPS_OF_PART: usize = 3;

/// Kept from solve to solve.
#[derive(Default)]
pub(super) struct Buffers {
    damped: damped::Buffers,
    carried: Carried,
    again: Trial,
    start: Vec<Vec3>,
}

/// On the way to far targets.
#[derive(Default)]
struct Carried {
    trial: Trial,
    /// Of each part, per task.
    goals: Vec<Goal>,
}

/// Steps until it converges (then true) or `options.max_steps` are taken. The objective ends where the trial does.
pub(super) fn solve(
    objective: &mut Objective,
    trial: &mut Trial,
    skeleton: &Skeleton,
    options: &Options,
    buffers: &mut Buffers,
) -> bool {
    let Buffers {
        damped,
        carried,
        again,
        start,
    } = buffers;
    let prior = f64::from(skeleton.ik_prior);
    if objective.largest_error() <= tolerance(objective, options) {
        return true;
    }
    let (mut converged, mut enough) = (false, 1.0);
    for from in [Start::Bent, Start::Rest, Start::Middle] {
        start.clear();
        start.extend_from_slice(objective.rest());
        if !from.turn(objective, skeleton, start) {
            continue;
        }
        again.start_at(objective, start, trial.steps);
        // From the middle the way there is the short one.
        let carried = (from != Start::Middle).then_some(&mut *carried);
        let ended = descend(objective, again, prior, options, (damped, carried));
        trial.steps = again.steps;
        if again.energy() < enough * trial.energy() {
            trial.jump_to(again);
            converged = ended;
        }
        enough = CLEARLY;
        objective.energy(&trial.pose);
        if !trial.energy().is_finite() || objective.results().all(|task| task.reached) {
            break;
        }
    }
    converged
}

fn descend(
    objective: &mut Objective,
    trial: &mut Trial,
    prior: f64,
    options: &Options,
    (damped, carried): (&mut damped::Buffers, Option<&mut Carried>),
) -> bool {
    if prior == 0.0 {
        return damped::solve(objective, trial, options, Until::CONVERGED, damped);
    }
    if objective.largest_error() <= tolerance(objective, options) {
        return true;
    }
    objective.set_prior(STRONG * prior);
    if let Some(carried) = carried {
        carry(objective, trial, options, damped, carried);
    }
    for strength in [STRONG, MIDDLE] {
        objective.set_prior(strength * prior);
        let until = Until {
            steps: trial.steps + STEPS_OF_STAGE,
            turned: ROUGH,
            won: LITTLE,
        };
        damped::solve(objective, trial, options, until, damped);
    }
    objective.set_prior(prior);
    let until = Until {
        steps: trial.steps + STEPS_OF_LAST,
        turned: FINE,
        won: LITTLE,
    };
    let converged = damped::solve(objective, trial, options, until, damped);
    if objective.largest_error() <= NEAR * objective.reach() {
        objective.set_prior(0.0);
        let until = Until {
            steps: trial.steps + STEPS_TO_FINISH,
            ..Until::CONVERGED
        };
        damped::solve(objective, trial, options, until, damped);
        objective.set_prior(prior);
    }
    converged
}

/// Comes near targets that are far, in parts; all the steps count as one in the energies.
fn carry(
    objective: &mut Objective,
    trial: &mut Trial,
    options: &Options,
    damped: &mut damped::Buffers,
    carried: &mut Carried,
) {
    let Carried { trial: way, goals } = carried;
    if objective.largest_error() <= FAR * objective.reach() {
        return;
    }
    goals.clear();
    for part in 1..=PARTS {
        goals.extend(objective.goals_at(part as f64 / PARTS as f64));
    }
    way.start_at(objective, &trial.pose, trial.steps);
    for goals in goals.chunks(objective.tasks()) {
        objective.set_goals(goals);
        way.start_again(objective);
        let until = Until {
            steps: way.steps + STEPS_OF_PART,
            ..Until::CONVERGED
        };
        damped::solve(objective, way, options, until, damped);
    }
    trial.steps = way.steps;
    if way.energy() < trial.energy() {
        trial.jump_to(way);
    }
    objective.energy(&trial.pose);
}

/// Where a solve starts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// At the animated pose, hinges bent at least as they prefer.
    Bent,
    /// At the animated pose.
    Rest,
    /// At the animated pose, limited angles in the middle of their ranges.
    Middle,
}

impl Start {
    /// Turns the joints of the animated pose that may turn. False where a start is like another.
    fn turn(self, objective: &Objective, skeleton: &Skeleton, pose: &mut [Vec3]) -> bool {
        let mut turned = false;
        for (joint, bone) in objective.bones().enumerate() {
            if !objective.turns(joint) {
                continue;
            }
            let (bounds, now) = (&objective.bounds()[joint], pose[joint]);
            let wanted = match self {
                Self::Bent => skeleton.bones[bone]
                    .preferred_deg
                    .map(|preferred| limits::clamp(at_least(now, preferred), bounds)),
                Self::Rest => None,
                Self::Middle => Some(middle(bounds, now)),
            };
            let variable = objective.gains()[joint].cmpgt(DVec3::ZERO);
            pose[joint] = Vec3::select(variable, wanted.unwrap_or(now), now);
            turned |= pose[joint] != now;
        }
        turned || self == Self::Rest
    }
}

/// Each angle as far as preferred, or further that way.
fn at_least(pose_deg: Vec3, preferred_deg: Vec3) -> Vec3 {
    let further = Vec3::select(
        preferred_deg.cmpgt(Vec3::ZERO),
        pose_deg.max(preferred_deg),
        pose_deg.min(preferred_deg),
    );
    Vec3::select(preferred_deg.cmpeq(Vec3::ZERO), pose_deg, further)
}

/// Of ranges that have two ends the middle; else the angle that is there.
fn middle([low, high]: &[Vec3; 2], pose_deg: Vec3) -> Vec3 {
    let limited = low.is_finite_mask() & high.is_finite_mask();
    Vec3::select(limited, 0.5 * (*low + *high), pose_deg)
}
