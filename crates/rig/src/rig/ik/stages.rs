//! A complete solve by damped steps: up to three starts, far targets in parts, and a prior that weakens.
//!
//! A limb that is straight at its limit is a dead end: it bends only after everything else is used up, and
//! then suddenly. Therefore the first start has hinges bent as preferred, and bones of the trunk too if that
//! brings targets closer; a balanced body that is led somewhere starts there. If tasks are not done then, the
//! next start is the animated pose, and the last the middle of the limits; the result from the animated pose
//! counts, unless another is clearly better.
//!
//! A weak prior decides between poses that reach the targets equally well, but plain steps make slow progress
//! along it. So it starts strong and is weakened (continuation), and the last steps omit it. If targets are
//! far, tips are first carried there in parts, which keeps neighbouring frames similar. If a position is
//! missed in the end, the pole of its handle yields, unless it is pinned: a pole determines the side to which
//! an elbow bends, not how far a hand reaches.

use super::damped::{self, StopCriteria};
use super::objective::Objective;
use super::residual::{Goal, TaskKind};
use super::task::TaskResult;
use super::trial::Trial;
use super::tuning::{
    CLEARLY_BETTER, COARSE_TURN, FAR, FINAL_STEPS, FINE_TURN, LAST_STAGE_STEPS, MIN_GAIN, NEAR, PARTS,
    STEPS_PER_PART, STRENGTHS, STRENGTHS_BENT,
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
    bent: Trial,
    from_middle: Trial,
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

/// Takes steps until convergence (then returns true) or until `options.max_steps` are taken, and as many
/// again if a led foot cannot keep the requested orientation. Leaves the objective at the pose of the trial.
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
    let Buffers { scratch, bent, start, rates, .. } = buffers;
    if objective.lower_foot_weights() {
        Start::Bent.set(objective, rates, start);
        bent.start_at(objective, start, 0);
        ended = descend(objective, bent, prior, options, (scratch, Start::Bent));
        trial.steps += bent.steps;
        trial.jump_to(bent);
        objective.energy(&trial.pose);
    }
    if objective.lower_pole_weights() {
        trial.resume(objective);
        objective.set_prior(prior);
        let stop = StopCriteria {
            steps: trial.steps + last_stage_steps(options),
            max_turn: FINE_TURN,
            min_gain: 0.0,
        };
        ended |= damped::solve(objective, trial, options, stop, &mut scratch.damped);
        objective.energy(&trial.pose);
        // With the pole it may have taken a path that leads nowhere.
        let misses = |task: TaskResult| task.task == TaskKind::Position && !task.reached;
        if objective.results().any(misses) && Start::Bent.set(objective, rates, start) {
            bent.start_at(objective, start, trial.steps);
            descend(objective, bent, prior, options, (scratch, Start::Bent));
            trial.steps = bent.steps;
            if bent.energy() < CLEARLY_BETTER * trial.energy() {
                trial.jump_to(bent);
            }
            objective.energy(&trial.pose);
        }
    }
    ended
}

/// Solves from up to three starts: the result from the animated pose counts, unless another is clearly
/// better. Returns whether it converged.
fn search(
    objective: &mut Objective,
    trial: &mut Trial,
    prior: f64,
    options: &Options,
    buffers: &mut Buffers,
) -> bool {
    let Buffers { scratch, bent, from_middle, start, rates } = buffers;
    let mut descend = |objective: &mut Objective, trial: &mut Trial, start_kind: Start| {
        let converged = descend(objective, trial, prior, options, (scratch, start_kind));
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
    // A body that is led down as far as its legs fold would stand up again from another start.
    let is_led = objective.lead_offset().is_some() && bent_end.is_some() && bent.energy() <= trial.energy();
    let (mut ended, mut reached) =
        if is_led { (false, true) } else { descend(objective, trial, Start::Animated) };
    let is_better = |bent: &Trial, trial: &Trial| is_led || bent.energy() < CLEARLY_BETTER * trial.energy();
    if let Some(converged) = bent_end.filter(|_| is_better(bent, trial)) {
        trial.jump_to(bent);
        (ended, reached) = (converged, is_led);
    }
    if !reached && Start::Middle.set(objective, rates, start) {
        from_middle.start_at(objective, start, trial.steps);
        let (converged, _) = descend(objective, from_middle, Start::Middle);
        trial.steps = from_middle.steps;
        if from_middle.energy() < CLEARLY_BETTER * trial.energy() {
            trial.jump_to(from_middle);
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
    (scratch, start_kind): (&mut Scratch, Start),
) -> bool {
    if prior == 0.0 {
        return damped::solve(objective, trial, options, StopCriteria::CONVERGED, &mut scratch.damped);
    }
    if objective.largest_error() <= tolerance(objective, options) {
        return true;
    }
    let strengths = match start_kind {
        Start::Bent => STRENGTHS_BENT,
        Start::Animated | Start::Middle => STRENGTHS,
    };
    objective.set_prior(strengths[0] * prior);
    // From the middle, the direct way is short.
    if start_kind != Start::Middle {
        carry(objective, trial, options, scratch);
    }
    for strength in strengths {
        objective.set_prior(strength * prior);
        let stop = StopCriteria {
            steps: trial.steps + objective.max_stage_steps(),
            max_turn: COARSE_TURN,
            min_gain: MIN_GAIN,
        };
        damped::solve(objective, trial, options, stop, &mut scratch.damped);
    }
    objective.set_prior(prior);
    let stop = StopCriteria {
        steps: trial.steps + last_stage_steps(options),
        max_turn: FINE_TURN,
        min_gain: MIN_GAIN,
    };
    let converged = damped::solve(objective, trial, options, stop, &mut scratch.damped);
    if objective.largest_miss() <= NEAR * objective.reach() {
        objective.set_prior(0.0);
        let stop = StopCriteria { steps: trial.steps + FINAL_STEPS, ..StopCriteria::CONVERGED };
        damped::solve(objective, trial, options, stop, &mut scratch.damped);
        objective.set_prior(prior);
    }
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
    /// The animated pose, with hinges bent at least as preferred.
    Bent,
    /// The animated pose.
    Animated,
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
                Self::Animated => None,
                Self::Middle => Some(middle(bounds, current)),
            };
            let variable = objective.gains()[joint].cmpgt(DVec3::ZERO);
            *angles = Vec3::select(variable, wanted.unwrap_or(current), current);
            changed |= *angles != current;
        }
        if let (Self::Bent, Some(base), Some(offset)) = (self, pose.last_mut(), objective.lead_offset()) {
            *base += offset.as_vec3();
            changed = true;
        }
        changed
    }
}

/// Returns the middle of ranges with two ends, and else the current angle.
fn middle([low, high]: &[Vec3; 2], pose_deg: Vec3) -> Vec3 {
    let limited = low.is_finite_mask() & high.is_finite_mask();
    Vec3::select(limited, 0.5 * (*low + *high), pose_deg)
}
