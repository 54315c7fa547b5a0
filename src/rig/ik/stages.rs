//! The whole of a solve by damped steps: up to three starts, far targets in parts, and a prior that weakens.
//!
//! A limb that is straight at its limit is a dead end: it does not bend before all else is used up, and then at once. So
//! the first start has hinges bent as they prefer, bones of the trunk where that brings targets nearer, and who stands in
//! balance and is led somewhere is there already. If tasks are not done then, the next is from the animated pose, and the
//! last from the middle of the limits; the one from the animated pose counts, unless another ends clearly better.
//!
//! A weak prior decides between poses that reach the targets equally well, but plain steps creep along it. So it starts
//! strong and is weakened (continuation), and the last steps go without it. Where targets are far, tips are first carried
//! there in parts, which keeps neighbouring frames alike. Where a place is missed in the end, the pole of its handle gives
//! way, unless it is pinned: a pole says which way an elbow bends, not how far a hand gets.

use super::damped::{self, Until};
use super::objective::Objective;
use super::task::{Goal, TaskKind, TaskResult};
use super::trial::Trial;
use super::{Options, tolerance};
use crate::rig::limits;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};

/// The prior begins so many times as strong, goes on so, and ends as it is given. Less so where limbs start bent: it would
/// straighten them again.
const STRENGTHS: [f64; 2] = [1000.0, 30.0];
const STRENGTHS_BENT: [f64; 2] = [100.0, 10.0];
/// So many at most by the last one, so that some are left for another start.
const STEPS_OF_LAST: usize = 40;
/// For each hundred that may be taken in all.
fn steps_of_last(options: &Options) -> usize {
    STEPS_OF_LAST * options.max_steps.div_ceil(100)
}

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
const STEPS_TO_FINISH: usize = 9;
/// Targets farther than this part of the reach are approached in so many parts, of so many steps.
const FAR: f64 = 0.1;
const PARTS: usize = 4;
const STEPS_OF_PART: usize = 3;

/// Kept from solve to solve.
#[derive(Default)]
pub(super) struct Buffers {
    tools: Tools,
    bent: Trial,
    again: Trial,
    start: Vec<Vec3>,
    rates: Vec<DVec3>,
}

#[derive(Default)]
struct Tools {
    damped: damped::Buffers,
    /// On the way to far targets.
    way: Trial,
    /// Of each part of that way, per task.
    goals: Vec<Goal>,
}

/// Steps until it converges (then true) or `options.max_steps` are taken, and as many again where a led foot cannot be
/// turned as it is asked. The objective ends where the trial does.
pub(super) fn solve(
    objective: &mut Objective,
    trial: &mut Trial,
    skeleton: &Skeleton,
    options: &Options,
    buffers: &mut Buffers,
) -> bool {
    if !trial.energy().is_finite() {
        return false;
    }
    if objective.largest_error() <= tolerance(objective, options) {
        return true;
    }
    let prior = f64::from(skeleton.ik_prior);
    let mut ended = search(objective, trial, prior, options, buffers);
    let Buffers {
        tools,
        bent,
        start,
        rates,
        ..
    } = buffers;
    if objective.soften_feet() {
        Start::Bent.set(objective, rates, start);
        bent.start_at(objective, start, 0);
        ended = descend(objective, bent, prior, options, (tools, Start::Bent));
        trial.steps += bent.steps;
        trial.jump_to(bent);
        objective.energy(&trial.pose);
    }
    if objective.yield_poles() {
        trial.go_on(objective);
        objective.set_prior(prior);
        let until = Until {
            steps: trial.steps + steps_of_last(options),
            turned: FINE,
            won: 0.0,
        };
        ended |= damped::solve(objective, trial, options, until, &mut tools.damped);
        objective.energy(&trial.pose);
        // With the pole it may have gone a way that leads nowhere.
        let misses = |task: TaskResult| task.task == TaskKind::Position && !task.reached;
        if objective.results().any(misses) && Start::Bent.set(objective, rates, start) {
            bent.start_at(objective, start, trial.steps);
            descend(objective, bent, prior, options, (tools, Start::Bent));
            trial.steps = bent.steps;
            if bent.energy() < CLEARLY * trial.energy() {
                trial.jump_to(bent);
            }
            objective.energy(&trial.pose);
        }
    }
    ended
}

/// From up to three starts: the one from the animated pose counts, unless another ends clearly better. Whether it
/// converged.
fn search(
    objective: &mut Objective,
    trial: &mut Trial,
    prior: f64,
    options: &Options,
    buffers: &mut Buffers,
) -> bool {
    let Buffers {
        tools,
        bent,
        again,
        start,
        rates,
    } = buffers;
    let mut descend = |objective: &mut Objective, trial: &mut Trial, from: Start| {
        let converged = descend(objective, trial, prior, options, (tools, from));
        objective.energy(&trial.pose);
        (converged, objective.results().all(|task| task.reached))
    };
    let mut bent_end = None;
    if Start::Bent.set(objective, rates, start) {
        bent.start_at(objective, start, trial.steps);
        let (converged, reached) = descend(objective, bent, Start::Bent);
        trial.steps = bent.steps;
        if reached && bent.energy() <= trial.energy() {
            trial.jump_to(bent);
            return true;
        }
        bent_end = Some(converged);
        objective.energy(&trial.pose);
    }
    // Who is led down as far as legs fold would stand up again from another start.
    let led = objective.led_by().is_some() && bent_end.is_some() && bent.energy() <= trial.energy();
    let (mut ended, mut reached) = match led {
        true => (false, true),
        false => descend(objective, trial, Start::Animated),
    };
    let better = |bent: &Trial, trial: &Trial| led || bent.energy() < CLEARLY * trial.energy();
    if let Some(converged) = bent_end.filter(|_| better(bent, trial)) {
        trial.jump_to(bent);
        (ended, reached) = (converged, led);
    }
    if !reached && Start::Middle.set(objective, rates, start) {
        again.start_at(objective, start, trial.steps);
        let (converged, _) = descend(objective, again, Start::Middle);
        trial.steps = again.steps;
        if again.energy() < CLEARLY * trial.energy() {
            trial.jump_to(again);
            ended = converged;
        }
    }
    objective.energy(&trial.pose);
    ended
}

fn descend(
    objective: &mut Objective,
    trial: &mut Trial,
    prior: f64,
    options: &Options,
    (tools, from): (&mut Tools, Start),
) -> bool {
    if prior == 0.0 {
        return damped::solve(objective, trial, options, Until::CONVERGED, &mut tools.damped);
    }
    if objective.largest_error() <= tolerance(objective, options) {
        return true;
    }
    let strengths = match from {
        Start::Bent => STRENGTHS_BENT,
        Start::Animated | Start::Middle => STRENGTHS,
    };
    objective.set_prior(strengths[0] * prior);
    // From the middle the way there is the short one.
    if from != Start::Middle {
        carry(objective, trial, options, tools);
    }
    for strength in strengths {
        objective.set_prior(strength * prior);
        let until = Until {
            steps: trial.steps + objective.steps_of_stage(),
            turned: ROUGH,
            won: LITTLE,
        };
        damped::solve(objective, trial, options, until, &mut tools.damped);
    }
    objective.set_prior(prior);
    let until = Until {
        steps: trial.steps + steps_of_last(options),
        turned: FINE,
        won: LITTLE,
    };
    let converged = damped::solve(objective, trial, options, until, &mut tools.damped);
    if objective.largest_miss() <= NEAR * objective.reach() {
        objective.set_prior(0.0);
        let until = Until {
            steps: trial.steps + STEPS_TO_FINISH,
            ..Until::CONVERGED
        };
        damped::solve(objective, trial, options, until, &mut tools.damped);
        objective.set_prior(prior);
    }
    converged
}

/// Comes near targets that are far, in parts; all the steps count as one in the energies.
fn carry(objective: &mut Objective, trial: &mut Trial, options: &Options, tools: &mut Tools) {
    let Tools { damped, way, goals } = tools;
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

/// Where a solve starts: at the animated pose, and there
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// with hinges bent at least as they prefer,
    Bent,
    /// as it is,
    Animated,
    /// with limited angles in the middle of their ranges.
    Middle,
}

impl Start {
    /// Writes the pose. False where it is the animated pose.
    fn set(self, objective: &mut Objective, rates: &mut Vec<DVec3>, pose: &mut Vec<Vec3>) -> bool {
        pose.clear();
        pose.extend_from_slice(objective.rest());
        rates.clear();
        rates.resize(objective.len(), DVec3::ZERO);
        objective.gradient(pose, rates);
        let mut turned = false;
        let joints = objective.len() - 1;
        for (joint, angles) in pose.iter_mut().take(joints).enumerate() {
            if !objective.turns(joint) {
                continue;
            }
            let (bounds, now) = (&objective.bounds()[joint], *angles);
            let wanted = match self {
                Self::Bent => objective
                    .preferred_at_first(joint, rates)
                    .map(|preferred| limits::clamp(limits::at_least(now, preferred), bounds)),
                Self::Animated => None,
                Self::Middle => Some(middle(bounds, now)),
            };
            let variable = objective.gains()[joint].cmpgt(DVec3::ZERO);
            *angles = Vec3::select(variable, wanted.unwrap_or(now), now);
            turned |= *angles != now;
        }
        if let (Self::Bent, Some(base), Some(by)) = (self, pose.last_mut(), objective.led_by()) {
            *base += by.as_vec3();
            turned = true;
        }
        turned
    }
}

/// Of ranges that have two ends the middle; else the angle that is there.
fn middle([low, high]: &[Vec3; 2], pose_deg: Vec3) -> Vec3 {
    let limited = low.is_finite_mask() & high.is_finite_mask();
    Vec3::select(limited, 0.5 * (*low + *high), pose_deg)
}
