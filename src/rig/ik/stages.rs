//! The whole of a solve by damped steps: far targets in parts, a prior that weakens, and up to two restarts.
//!
//! A weak prior decides between poses that reach the targets equally well, but plain steps creep along it. So it starts
//! strong and is weakened (continuation). Where targets are far, tips are first carried there in parts, which keeps
//! neighbouring frames alike. A pose at a limit can be a dead end that bends the wrong way: if tasks are not done and
//! bones have preferred bends, it starts again from these, and then from the middle of the limits; the best end counts.

use super::damped::{self, Until};
use super::objective::Objective;
use super::task::Goal;
use super::trial::Trial;
use super::{Options, tolerance};
use crate::rig::limits;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};

/// The prior begins so many times as strong, goes on so, and ends as it is given.
const STRONG: f64 = 1000.0;
const MIDDLE: f64 = 30.0;
/// So many steps at most by each of the stronger ones.
const STEPS_OF_STAGE: usize = 6;
/// A stage ends where no angle turns by more (radians): the stronger ones, and the last.
const ROUGH: f64 = 2e-3;
const FINE: f64 = 1.7e-5;
/// Or where a step wins no more than this part of the energy.
const LITTLE: f64 = 1e-4;
/// A second start counts where it ends below this part of the first one's energy: not where both stretch towards what
/// is out of reach, and rounding would say which.
const CLEARLY: f64 = 0.9;
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
    let converged = descend(objective, trial, prior, options, (damped, Some(carried)));
    if !trial.energy().is_finite() || objective.results().all(|task| task.reached) {
        return converged;
    }
    let mut converged = converged;
    for restart in [Restart::Bent, Restart::Middle] {
        start.clear();
        start.extend_from_slice(objective.rest());
        if !restart.turn(objective, skeleton, start) {
            continue;
        }
        again.start_at(objective, start, trial.steps);
        // From the middle the way there is the short one.
        let carried = matches!(restart, Restart::Bent).then_some(&mut *carried);
        let second = descend(objective, again, prior, options, (damped, carried));
        trial.steps = again.steps;
        if again.energy() < CLEARLY * trial.energy() {
            trial.jump_to(again);
            converged = second;
        }
        objective.energy(&trial.pose);
        if objective.results().all(|task| task.reached) {
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
        turned: FINE,
        won: LITTLE,
        ..Until::CONVERGED
    };
    damped::solve(objective, trial, options, until, damped)
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

/// Where a solve starts once more.
#[derive(Clone, Copy)]
enum Restart {
    /// With the preferred bends.
    Bent,
    /// With limited angles in the middle of their ranges.
    Middle,
}

impl Restart {
    /// Turns the joints of a pose that may turn. False where none does.
    fn turn(self, objective: &Objective, skeleton: &Skeleton, pose: &mut [Vec3]) -> bool {
        let mut turned = false;
        for (joint, bone) in objective.bones().enumerate() {
            if !objective.turns(joint) {
                continue;
            }
            let bounds = &objective.bounds()[joint];
            let wanted = match self {
                Self::Bent => skeleton.bones[bone]
                    .preferred_deg
                    .map(|preferred| limits::clamp(preferred, bounds)),
                Self::Middle => Some(middle(bounds, pose[joint])),
            };
            let variable = objective.gains()[joint].cmpgt(DVec3::ZERO);
            let wanted = Vec3::select(variable, wanted.unwrap_or(pose[joint]), pose[joint]);
            turned |= wanted != pose[joint];
            pose[joint] = wanted;
        }
        turned
    }
}

/// Of ranges that have two ends the middle; else the angle that is there.
fn middle([low, high]: &[Vec3; 2], pose_deg: Vec3) -> Vec3 {
    let limited = low.is_finite_mask() & high.is_finite_mask();
    Vec3::select(limited, 0.5 * (*low + *high), pose_deg)
}
