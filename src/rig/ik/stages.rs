//! The whole of a solve by damped steps: far targets in parts, a prior that weakens, and one restart.
//!
//! A weak prior decides between poses that reach the targets equally well, but plain steps creep along it. So it starts
//! strong and is weakened (continuation). Where targets are far, tips are first carried there in parts, which keeps
//! neighbouring frames alike. A pose at a limit can be a dead end that bends the wrong way: if tasks are not done and
//! bones have preferred bends, it starts again from these, and the better end counts.

use super::damped::{self, Until};
use super::objective::Objective;
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
    bent: Vec<Vec3>,
}

/// Tips on the way to far targets.
#[derive(Default)]
struct Carried {
    trial: Trial,
    from: Vec<DVec3>,
    goals: Vec<DVec3>,
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
        bent,
    } = buffers;
    let prior = f64::from(skeleton.ik_prior);
    let converged = descend(objective, trial, prior, options, (damped, carried));
    if !trial.energy().is_finite() || objective.results().all(|task| task.reached) {
        return converged;
    }
    bent.clone_from(&trial.pose);
    if !bend(objective, skeleton, bent) {
        return converged;
    }
    again.start_at(objective, bent, trial.steps);
    let second = descend(objective, again, prior, options, (damped, carried));
    trial.steps = again.steps;
    let better = again.energy() < trial.energy();
    if better {
        trial.jump_to(again);
    }
    objective.energy(&trial.pose);
    if better { second } else { converged }
}

fn descend(
    objective: &mut Objective,
    trial: &mut Trial,
    prior: f64,
    options: &Options,
    (damped, carried): (&mut damped::Buffers, &mut Carried),
) -> bool {
    if prior == 0.0 {
        return damped::solve(objective, trial, options, Until::CONVERGED, damped);
    }
    if objective.largest_error() <= tolerance(objective, options) {
        return true;
    }
    objective.set_prior(STRONG * prior);
    carry(objective, trial, options, damped, carried);
    for strength in [STRONG, MIDDLE] {
        objective.set_prior(strength * prior);
        let until = Until {
            steps: trial.steps + STEPS_OF_STAGE,
            turned: ROUGH,
        };
        damped::solve(objective, trial, options, until, damped);
    }
    objective.set_prior(prior);
    let until = Until {
        turned: FINE,
        ..Until::CONVERGED
    };
    damped::solve(objective, trial, options, until, damped)
}

/// Takes tips whose targets are far to near these, in parts; all the steps count as one in the energies.
fn carry(
    objective: &mut Objective,
    trial: &mut Trial,
    options: &Options,
    damped: &mut damped::Buffers,
    carried: &mut Carried,
) {
    let Carried {
        trial: way,
        from,
        goals,
    } = carried;
    if objective.largest_distance() <= FAR * objective.reach() {
        return;
    }
    from.clear();
    from.extend(objective.values());
    goals.clear();
    goals.extend(objective.aims());
    way.start_at(objective, &trial.pose, trial.steps);
    for part in 1..=PARTS {
        objective.set_positions(part as f64 / PARTS as f64, from, goals);
        let pose = std::mem::take(&mut way.pose);
        way.start_at(objective, &pose, way.steps);
        let until = Until {
            steps: way.steps + STEPS_OF_PART,
            turned: 0.0,
        };
        damped::solve(objective, way, options, until, damped);
    }
    trial.steps = way.steps;
    if way.energy() < trial.energy() {
        trial.jump_to(way);
    }
    objective.energy(&trial.pose);
}

/// Puts preferred bends into a pose. False where there are none to turn.
fn bend(objective: &Objective, skeleton: &Skeleton, pose: &mut [Vec3]) -> bool {
    let mut bends = false;
    for (joint, bone) in objective.bones().enumerate() {
        let Some(preferred) = skeleton.bones[bone]
            .preferred_deg
            .filter(|_| objective.turns(joint))
        else {
            continue;
        };
        let bent = limits::clamp(preferred, &objective.bounds()[joint]);
        let variable = objective.gains()[joint].cmpgt(DVec3::ZERO);
        let bent = Vec3::select(variable, bent, pose[joint]);
        bends |= bent != pose[joint];
        pose[joint] = bent;
    }
    bends
}
