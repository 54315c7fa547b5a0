//! A complete solve by damped steps: one start, far targets in parts, and a prior that weakens.
//!
//! A limb that is straight at its limit is a dead end: it bends only after everything else is used up, and then suddenly.
//! Therefore the start has hinges bent as preferred, and bones of the trunk too if that brings targets closer; a balanced
//! body that is led somewhere starts there, and limbs start where they reach their targets (see `objective::limb`).
//! All of that changes continuously with the targets, and so do a few steps from there, whereas of two neighbouring solves
//! that went on until nothing improves, one may end in this valley and one in that. Only if tasks are not done then, and no
//! body keeps its balance, another start, the middle of the limits, is tried, and counts if all are done from there.
//!
//! A weak prior decides between poses that reach the targets equally well, but plain steps make slow progress along it. So
//! it starts strong and is weakened (continuation), and the last steps omit it. If targets are far, tips are first carried
//! there in parts, which keeps neighbouring frames similar. If a position is missed in the end, the pole of its handle
//! yields, unless it is pinned: a pole determines the side to which an elbow bends, not how far a hand reaches.
//!
//! Where a limb in closed form could turn to one side as well as to the other, it turns to the mean of both, and a strong
//! prior keeps it there, although the hand then misses its target: within a fraction of a percent of the reach, it swings
//! from one side to the other.

use super::damped::{self, StopCriteria};
use super::objective::Objective;
use super::residual::{Goal, TaskKind};
use super::task::TaskResult;
use super::trial::Trial;
use super::tuning::{
    DOUBT_POWER, FAR, FAR_MISS, FINAL_STEPS, FIRST_STAGE_STEPS, LAST_STAGE_STEPS, PARTS, STEPS_PER_PART,
    STRENGTHS, TURNS,
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
    let mut ended = solve_from_start(objective, trial, prior, options, buffers);
    if objective.lower_foot_weights() {
        ended = solve_from_start(objective, trial, prior, options, buffers);
    }
    if objective.lower_pole_weights() {
        trial.resume(objective);
        objective.set_prior(prior);
        let steps = trial.steps + last_stage_steps(options);
        let stop = StopCriteria { steps, max_turn: TURNS[1], ..StopCriteria::CONVERGED };
        ended |= damped::solve(objective, trial, options, stop, &mut buffers.scratch.damped);
        objective.energy(&trial.pose);
    }
    ended
}

/// Solves from the start, in `buffers.other`, and moves the trial and the objective to the end. Returns whether it
/// converged.
fn solve_from_start(
    objective: &mut Objective,
    trial: &mut Trial,
    prior: f64,
    options: &Options,
    buffers: &mut Buffers,
) -> bool {
    let Buffers { scratch, other, start, rates } = buffers;
    let converged = if set_start(objective, rates, start) {
        other.start_at(objective, start, 0);
        let converged = descend(objective, other, prior, options, scratch);
        trial.steps += other.steps;
        trial.jump_to(other);
        converged
    } else {
        descend(objective, trial, prior, options, scratch)
    };
    objective.energy(&trial.pose);
    let all_done = |objective: &Objective| objective.results().all(|task| task.reached);
    // A single position that is far off is out of reach from everywhere.
    let is_far =
        |task: &TaskResult| task.task == TaskKind::Position && task.error > FAR_MISS * objective.reach();
    if all_done(objective)
        || objective.is_balanced()
        || objective.results().filter(is_far).count() == 1
        || !set_middle(objective, start)
    {
        return converged;
    }
    other.start_at(objective, start, 0);
    let other_converged = descend(objective, other, prior, options, scratch);
    trial.steps += other.steps;
    objective.energy(&other.pose);
    if all_done(objective) {
        trial.jump_to(other);
        return other_converged;
    }
    objective.energy(&trial.pose);
    converged
}

/// Writes the animated pose with limited angles in the middle of their ranges. Returns false if it is the animated pose.
fn set_middle(objective: &Objective, pose: &mut Vec<Vec3>) -> bool {
    pose.clear();
    pose.extend_from_slice(objective.rest());
    let mut has_changed = false;
    let joints = objective.len() - 1;
    for (joint, angles) in
        pose.iter_mut().take(joints).enumerate().filter(|(joint, _)| objective.turns(*joint))
    {
        let [low, high] = objective.bounds()[joint];
        let is_limited = low.is_finite_mask() & high.is_finite_mask();
        let is_variable = objective.gains()[joint].cmpgt(DVec3::ZERO);
        let middle = Vec3::select(is_limited & is_variable, 0.5 * (low + high), *angles);
        has_changed |= middle != *angles;
        *angles = middle;
    }
    has_changed
}

fn descend(
    objective: &mut Objective,
    trial: &mut Trial,
    prior: f64,
    options: &Options,
    scratch: &mut Scratch,
) -> bool {
    if prior == 0.0 {
        let stop = StopCriteria { is_adaptive: true, ..StopCriteria::CONVERGED };
        return damped::solve(objective, trial, options, stop, &mut scratch.damped);
    }
    if objective.largest_error() <= tolerance(objective, options) {
        return true;
    }
    let [strong, weak] = STRENGTHS;
    let prior = prior * 10f64.powf(DOUBT_POWER * objective.doubt());
    objective.set_prior(strong * prior);
    carry(objective, trial, options, scratch);
    let stage = |steps: usize, max_turn: f64| StopCriteria { steps, max_turn, ..StopCriteria::CONVERGED };
    damped::solve(
        objective,
        trial,
        options,
        stage(trial.steps + FIRST_STAGE_STEPS, TURNS[0]),
        &mut scratch.damped,
    );
    objective.set_prior(weak * prior);
    let last = stage(trial.steps + last_stage_steps(options), TURNS[1]);
    let mut converged = damped::solve(objective, trial, options, last, &mut scratch.damped);
    let min_damping = objective.prior();
    objective.set_prior(0.0);
    let steps = trial.steps + FINAL_STEPS;
    let stop = StopCriteria { steps, min_damping, is_final: true, ..stage(0, TURNS[2]) };
    converged |= damped::solve(objective, trial, options, stop, &mut scratch.damped);
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

/// Writes the pose from which a solve starts: the animated pose, with hinges bent at least as preferred, and limbs where
/// they reach their targets. Returns false if it is the animated pose.
fn set_start(objective: &mut Objective, rates: &mut Vec<DVec3>, pose: &mut Vec<Vec3>) -> bool {
    pose.clear();
    pose.extend_from_slice(objective.rest());
    rates.clear();
    rates.resize(objective.len(), DVec3::ZERO);
    objective.gradient(pose, rates);
    let joints = objective.len() - 1;
    for (joint, angles) in
        pose.iter_mut().take(joints).enumerate().filter(|(joint, _)| objective.turns(*joint))
    {
        if let Some((preferred, amount)) = objective.start_bend(joint, rates) {
            let bent = angles.lerp(limits::bend_at_least(*angles, preferred), amount);
            let bent = limits::clamp(bent, &objective.bounds()[joint]);
            *angles = Vec3::select(objective.gains()[joint].cmpgt(DVec3::ZERO), bent, *angles);
        }
    }
    if let (Some(base), Some(offset)) = (pose.last_mut(), objective.lead_offset()) {
        *base += offset.as_vec3();
    }
    objective.place_limbs(pose) || pose != objective.rest()
}
