//! Damped least squares (Levenberg-Marquardt) within limits: each step minimizes the energy of the linearized
//! residuals, plus a cost of rotation. The step is computed directly for few tasks (`dense`), and iteratively
//! for many (`iterative`).
//!
//! An angle at a limit that the gradient pushes against is fixed there; one that a step would carry over its
//! limit is fixed at it, and the others are recomputed (an active set method).
//!
//! Source: Wampler, "Manipulator inverse kinematic solutions based on vector formulations and damped
//! least-squares methods", 1986; the damping decreases with each accepted step and increases with each
//! rejected one.

use super::dense::Dense;
use super::iterative::Iterative;
use super::objective::Objective;
use super::saddle::nudge;
use super::trial::{Trial, largest};
use super::tuning::{
    ARMIJO, DAMPING, MAX_DAMPING, MAX_DENSE_ROWS, MAX_DENSE_TASKS, MAX_FIXING_ROUNDS, MAX_TURN, MIN_DAMPING,
};
use super::{Options, finished, vanished};
use glam::DVec3;

/// Buffers that are reused between solves.
#[derive(Default)]
pub(super) struct Buffers {
    /// The damping of the last step, which the next stage continues with; `None` at the start of a solve.
    pub(super) damping: Option<f64>,
    gradient: Vec<DVec3>,
    /// The rates of the values.
    change: Vec<DVec3>,
    /// The gains of angles that are not fixed at a limit.
    free: Vec<DVec3>,
    gains: Vec<DVec3>,
    fixed: Vec<DVec3>,
    dense: Dense,
    iterative: Iterative,
}

/// When to stop, in addition to convergence.
#[derive(Clone, Copy)]
pub(super) struct StopCriteria {
    /// The total number of steps.
    pub(super) steps: usize,
    /// The change (radians) that no value exceeded in the last step.
    pub(super) max_turn: f64,
    /// The fraction of the energy that the last step did not exceed in decrease.
    pub(super) min_gain: f64,
    /// The least damping, in squared skeleton units as the prior.
    pub(super) min_damping: f64,
}

impl StopCriteria {
    pub(super) const CONVERGED: Self =
        Self { steps: usize::MAX, max_turn: 0.0, min_gain: 0.0, min_damping: 0.0 };
}

/// Takes steps until convergence (then returns true), or until `options` or `stop` end the iteration.
pub(super) fn solve(
    objective: &mut Objective,
    trial: &mut Trial,
    options: &Options,
    stop: StopCriteria,
    buffers: &mut Buffers,
) -> bool {
    // The last evaluated pose may be one that was rejected.
    objective.energy(&trial.pose);
    let is_dense = objective.tasks() <= MAX_DENSE_TASKS && objective.entries() <= MAX_DENSE_ROWS;
    buffers.gradient.resize(objective.len(), DVec3::ZERO);
    // The closer the tips, the straighter the paths on which they will move.
    let relative_error = (objective.largest_error() / objective.reach()).min(1.0);
    let initial = (DAMPING * relative_error * relative_error).max(MIN_DAMPING);
    let mut damping = buffers.damping.map_or(initial, |last| last.min(initial));
    loop {
        buffers.damping = Some(damping);
        if let Some(converged) = finished(objective, trial, options) {
            return converged;
        }
        if trial.steps >= stop.steps {
            return false;
        }
        objective.gradient(&trial.pose, &mut buffers.gradient);
        buffers.free.clear();
        buffers.free.extend_from_slice(objective.gains());
        fix_at_limits(objective, trial, &buffers.gradient, &mut buffers.free);
        if vanished(objective, trial, &mut buffers.gradient) {
            if !nudge(objective, trial) {
                return true;
            }
            continue;
        }
        let scale = if is_dense {
            buffers.dense.set(objective, &buffers.free)
        } else {
            buffers.iterative.set(objective, &buffers.free)
        };
        let mut growth = 2.0;
        loop {
            let absolute = (damping * scale).max(stop.min_damping);
            let predicted = step(objective, trial, is_dense, absolute, buffers);
            let Some(rise) = trial.try_change(objective, &buffers.change, 1.0) else {
                return true;
            };
            let decrease = -rise;
            if decrease > 0.0 && decrease > ARMIJO * predicted {
                trial.accept(objective);
                let quality = 2.0 * decrease / predicted - 1.0;
                damping = (damping * (1.0 - quality * quality * quality).clamp(0.1, 2.0)).max(MIN_DAMPING);
                if trial.last_turn <= stop.max_turn || decrease <= stop.min_gain * trial.energy() {
                    return true;
                }
                break;
            }
            // If targets are far away, the curvature of the tips' paths dominates everything else.
            let distance = (objective.largest_error() / objective.reach()).max(1.0);
            if damping > MAX_DAMPING * distance {
                return true;
            }
            damping *= growth;
            growth *= 2.0;
            if !is_dense {
                // The iterative step is evaluated at the joints, which are still placed where the step was
                // rejected.
                objective.energy(&trial.pose);
            }
        }
    }
}

/// Zeroes the gains of angles at a limit that the gradient pushes against.
fn fix_at_limits(objective: &Objective, trial: &Trial, gradient: &[DVec3], gains: &mut [DVec3]) {
    if !objective.is_limited() {
        return;
    }
    for (value, gain) in gains.iter_mut().enumerate() {
        *gain = DVec3::select(objective.blocked(value, &trial.pose, gradient[value]), DVec3::ZERO, *gain);
    }
}

/// Computes the change of the values for this damping, and returns the predicted decrease of the energy.
fn step(
    objective: &mut Objective,
    trial: &Trial,
    is_dense: bool,
    damping: f64,
    buffers: &mut Buffers,
) -> f64 {
    let Buffers { change, free, gains, fixed, dense, iterative, .. } = buffers;
    let prior = objective.prior();
    let deviation = |objective: &Objective, value: usize| {
        if prior > 0.0 { objective.deviation(value, &trial.pose) } else { DVec3::ZERO }
    };
    gains.clone_from(free);
    fixed.clear();
    fixed.extend(gains.iter().enumerate().map(|(value, gain)| {
        let rest = deviation(objective, value) * (-prior / (prior + damping));
        DVec3::select(gain.cmpgt(DVec3::ZERO), rest, DVec3::ZERO)
    }));
    for _ in 0..MAX_FIXING_ROUNDS {
        if is_dense {
            dense.solve(prior + damping, gains, fixed, change)
        } else {
            iterative.solve(objective, prior + damping, gains, fixed, change)
        }
        if !objective.is_limited() {
            break;
        }
        let mut all_within = true;
        for (value, gain) in gains.iter_mut().enumerate() {
            let [low, high] = objective.allowed_change(value, &trial.pose);
            let clamped = change[value].clamp(low, high);
            let exceeds = clamped.cmpne(change[value]) & gain.cmpgt(DVec3::ZERO);
            all_within &= !exceeds.any();
            fixed[value] = DVec3::select(exceeds, clamped, fixed[value]);
            *gain = DVec3::select(exceeds, DVec3::ZERO, *gain);
        }
        if all_within {
            break;
        }
    }
    let turn = largest(change);
    if turn > MAX_TURN {
        change.iter_mut().for_each(|c| *c *= MAX_TURN / turn);
    }
    let tasks = if is_dense { dense.decrease(change) } else { iterative.decrease(objective, change) };
    if prior == 0.0 {
        return tasks;
    }
    let costs = change.iter().enumerate().map(|(value, change)| {
        let mean_deviation = deviation(objective, value) + 0.5 * *change;
        (objective.costs(value) * *change * mean_deviation).element_sum()
    });
    tasks - prior * costs.sum::<f64>()
}
