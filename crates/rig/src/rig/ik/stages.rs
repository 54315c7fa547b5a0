//! A complete solve by damped steps: one start, far targets in parts, and a prior that weakens.
//!
//! A limb that is straight at its limit is a dead end: it bends only after everything else is used up, and then suddenly.
//! Therefore the start has hinges bent as preferred, and bones of the trunk too if that brings targets closer; a balanced
//! body that is led somewhere starts there, and limbs start where they reach their targets (see `objective::limb`).
//! All of that changes continuously with the targets, and so does the minimum next to it. Only if tasks are nearly done then,
//! another start, the middle of the limits, is tried, and counts if all are done from there.
//!
//! A weak prior decides between poses that reach the targets equally well, but plain steps make slow progress along it. So
//! it starts strong and is weakened (continuation), and the last steps omit it. If targets are far, tips are first carried
//! there in parts, which keeps neighbouring frames similar. If a position is missed in the end, the pole of its handle
//! yields, unless it is pinned: a pole determines the side to which an elbow bends, not how far a hand reaches.

use super::damped::{self, StopCriteria};
use super::objective::Objective;
use super::residual::{Goal, TaskKind};
use super::task::TaskResult;
use super::trial::Trial;
use super::tuning::{
    COARSE_TURN, FAR, FINAL_STEPS, FINE_TURN, FIRST_MIN_GAIN, FIRST_STAGE_STEPS, LAST_STAGE_STEPS, MIN_GAIN,
    NEAR, PARTS, STEPS_PER_PART, STRENGTHS,
};
use super::{Options, tolerance};
use crate::rig::limits;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};

/// Returns [`LAST_STAGE_STEPS`] per hundred permitted steps.
fn last_stage_steps(options: &Options) -> usize {
    LAST_STAGE_STEPS * options.max_steps.div_ceil(100)
}

/// Buffers that are reused between solves.
#[derive(Default)]
pub(super) struct Buffers {
    scratch: Scratch,
    other: Trial,
    start: Vec<Vec3>,
    rates: Vec<DVec3>,
}

#[derive(Default)]
struct Scratch {
    damped: damped::Buffers,
    /// The trial on the way to far targets.
    approach: Trial,
    /// The goals for each part of the way, per task.
    goals: Vec<Goal>,
}

/// Takes steps until convergence (then returns true) or until `options.max_steps` are taken from each start. Leaves the
/// objective at the pose of the trial.
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
    if objective.lower_foot_weights() {
        Start::Bent.set(objective, &mut buffers.rates, &mut buffers.start);
        ended = solve_from(Start::Bent, objective, trial, prior, options, buffers);
        trial.jump_to(&buffers.other);
        objective.energy(&trial.pose);
    }
    if objective.lower_pole_weights() {
        trial.resume(objective);
        objective.set_prior(prior);
        let steps = trial.steps + last_stage_steps(options);
        let stop = StopCriteria { steps, max_turn: FINE_TURN, ..StopCriteria::CONVERGED };
        ended |= damped::solve(objective, trial, options, stop, &mut buffers.scratch.damped);
        objective.energy(&trial.pose);
    }
    ended
}

/// Solves from the bent start, and if tasks are not done then, from the middle of the limits. Returns whether it converged.
fn search(
    objective: &mut Objective,
    trial: &mut Trial,
    prior: f64,
    options: &Options,
    buffers: &mut Buffers,
) -> bool {
    let ended = if Start::Bent.set(objective, &mut buffers.rates, &mut buffers.start) {
        let ended = solve_from(Start::Bent, objective, trial, prior, options, buffers);
        trial.jump_to(&buffers.other);
        ended
    } else {
        let ended = descend(objective, trial, prior, options, (&mut buffers.scratch, Start::Bent));
        objective.energy(&trial.pose);
        ended
    };
    let all_done = |objective: &Objective| objective.results().all(|task| task.reached);
    // A single position that is far off is out of reach from everywhere.
    let is_far = |task: &TaskResult| task.task == TaskKind::Position && task.error > NEAR * objective.reach();
    if all_done(objective)
        || objective.results().filter(is_far).count() == 1
        || !Start::Middle.set(objective, &mut buffers.rates, &mut buffers.start)
    {
        return ended;
    }
    let other_ended = solve_from(Start::Middle, objective, trial, prior, options, buffers);
    if all_done(objective) {
        trial.jump_to(&buffers.other);
        return other_ended;
    }
    objective.energy(&trial.pose);
    ended
}

/// Solves from the pose in `buffers.start`, in `buffers.other`, and leaves the objective there. Returns whether it
/// converged.
fn solve_from(
    kind: Start,
    objective: &mut Objective,
    trial: &mut Trial,
    prior: f64,
    options: &Options,
    buffers: &mut Buffers,
) -> bool {
    let Buffers { scratch, other, start, .. } = buffers;
    other.start_at(objective, start, 0);
    let ended = descend(objective, other, prior, options, (scratch, kind));
    trial.steps += other.steps;
    objective.energy(&other.pose);
    ended
}

fn descend(
    objective: &mut Objective,
    trial: &mut Trial,
    prior: f64,
    options: &Options,
    (scratch, kind): (&mut Scratch, Start),
) -> bool {
    scratch.damped.damping = None;
    if prior == 0.0 {
        return damped::solve(objective, trial, options, StopCriteria::CONVERGED, &mut scratch.damped);
    }
    if objective.largest_error() <= tolerance(objective, options) {
        return true;
    }
    let [strong, weak] = STRENGTHS;
    objective.set_prior(strong * prior);
    // From the middle, the direct way is short.
    if kind == Start::Bent {
        carry(objective, trial, options, scratch);
    }
    let steps = trial.steps + FIRST_STAGE_STEPS;
    let stop = StopCriteria { steps, max_turn: COARSE_TURN, min_gain: FIRST_MIN_GAIN, min_damping: 0.0 };
    damped::solve(objective, trial, options, stop, &mut scratch.damped);
    objective.set_prior(weak * prior);
    let stop = StopCriteria {
        steps: trial.steps + last_stage_steps(options),
        max_turn: FINE_TURN,
        min_gain: MIN_GAIN,
        min_damping: 0.0,
    };
    let mut converged = damped::solve(objective, trial, options, stop, &mut scratch.damped);
    if objective.largest_miss() <= NEAR * objective.reach() {
        let min_damping = objective.prior();
        objective.set_prior(0.0);
        let steps = trial.steps + FINAL_STEPS;
        let stop = StopCriteria { steps, min_damping, ..StopCriteria::CONVERGED };
        converged |= damped::solve(objective, trial, options, stop, &mut scratch.damped);
    }
    objective.set_prior(prior);
    converged
}

/// Approaches far targets in parts; all these steps count as one in the energies.
fn carry(objective: &mut Objective, trial: &mut Trial, options: &Options, scratch: &mut Scratch) {
    let Scratch { damped, approach, goals } = scratch;
    if objective.largest_error() <= FAR * objective.reach() {
        return;
    }
    goals.clear();
    for part in 1..=PARTS {
        goals.extend(objective.goals_partway(part as f64 / PARTS as f64));
    }
    approach.start_at(objective, &trial.pose, trial.steps);
    for goals in goals.chunks(objective.tasks()) {
        objective.set_goals(goals);
        approach.restart(objective);
        let stop = StopCriteria { steps: approach.steps + STEPS_PER_PART, ..StopCriteria::CONVERGED };
        damped::solve(objective, approach, options, stop, damped);
    }
    trial.steps = approach.steps;
    if approach.energy() < trial.energy() {
        trial.jump_to(approach);
    }
    objective.energy(&trial.pose);
}

/// The pose from which a solve starts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// The animated pose, with hinges bent at least as preferred, and limbs where they reach their targets.
    Bent,
    /// The animated pose, with limited angles in the middle of their ranges.
    Middle,
}

impl Start {
    /// Writes the pose. Returns false if it is the animated pose.
    fn set(self, objective: &mut Objective, rates: &mut Vec<DVec3>, pose: &mut Vec<Vec3>) -> bool {
        pose.clear();
        pose.extend_from_slice(objective.rest());
        rates.clear();
        rates.resize(objective.len(), DVec3::ZERO);
        objective.gradient(pose, rates);
        let mut changed = false;
        let joints = objective.len() - 1;
        for (joint, angles) in pose.iter_mut().take(joints).enumerate() {
            if !objective.turns(joint) {
                continue;
            }
            let (bounds, current) = (&objective.bounds()[joint], *angles);
            let wanted = match self {
                Self::Bent => objective
                    .start_bend(joint, rates)
                    .map(|preferred| limits::clamp(limits::bend_at_least(current, preferred), bounds)),
                Self::Middle => Some(middle(bounds, current)),
            };
            let variable = objective.gains()[joint].cmpgt(DVec3::ZERO);
            *angles = Vec3::select(variable, wanted.unwrap_or(current), current);
            changed |= *angles != current;
        }
        if self == Self::Bent {
            if let (Some(base), Some(offset)) = (pose.last_mut(), objective.lead_offset()) {
                *base += offset.as_vec3();
                changed = true;
            }
            changed |= objective.place_limbs(pose);
        }
        changed
    }
}

/// Returns the middle of ranges with two ends, and else the current angle.
fn middle([low, high]: &[Vec3; 2], pose_deg: Vec3) -> Vec3 {
    let limited = low.is_finite_mask() & high.is_finite_mask();
    Vec3::select(limited, 0.5 * (*low + *high), pose_deg)
}
