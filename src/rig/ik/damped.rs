//! Damped least squares (Levenberg-Marquardt) within limits: each step minimises the energy as it would be if residuals
//! changed along straight lines, with a price on turning. For few tasks the step is found at once (`dense`), for many
//! by iteration (`iterative`).
//!
//! An angle at a limit that the gradient pushes on is held there; one that a step would carry over its limit is
//! held at it, and the others are found again (an active set).
//!
//! Source: Wampler, "Manipulator inverse kinematic solutions based on vector formulations and damped
//! least-squares methods", 1986; the damping falls with each step taken and grows with each refused.

use super::dense::Dense;
use super::iterative::Iterative;
use super::objective::Objective;
use super::saddle::nudge;
use super::trial::{Trial, largest};
use super::{Options, finished, vanished};
use glam::DVec3;

/// No angle turns further in one step (radians).
const MAX_TURN: f64 = 1.0;
/// Part of the promised decrease that a step must bring.
const ARMIJO: f64 = 1e-4;
/// Up to so many tasks, and so many rows for their values, the dense system is the faster one.
const MOST_TASKS: usize = 32;
const MOST_ROWS: usize = 1 << 15;
/// Damping, as part of the mean diagonal of J J^T: at first, and the least and most that is tried.
const DAMPING: f64 = 1e-1;
const LEAST_DAMPING: f64 = 1e-10;
const MOST_DAMPING: f64 = 1e8;
/// So often angles are held at their limits before the rest is cut off there.
const MOST_HOLDS: usize = 12;

/// Kept from solve to solve.
#[derive(Default)]
pub(super) struct Buffers {
    gradient: Vec<DVec3>,
    /// Rates per value.
    change: Vec<DVec3>,
    /// The gains of what is not held at a limit.
    free: Vec<DVec3>,
    gains: Vec<DVec3>,
    held: Vec<DVec3>,
    dense: Dense,
    iterative: Iterative,
}

/// When to stop, beside convergence.
#[derive(Clone, Copy)]
pub(super) struct Until {
    /// Steps taken in all.
    pub(super) steps: usize,
    /// The last step changed no value by more than this (radians).
    pub(super) turned: f64,
    /// The last step lowered the energy by no more than this part of it.
    pub(super) won: f64,
}

impl Until {
    pub(super) const CONVERGED: Self = Self {
        steps: usize::MAX,
        turned: 0.0,
        won: 0.0,
    };
}

/// Steps until it converges (then true), or until `options` or `until` end it.
pub(super) fn solve(
    objective: &mut Objective,
    trial: &mut Trial,
    options: &Options,
    until: Until,
    buffers: &mut Buffers,
) -> bool {
    // A trial that was refused may have been the last.
    objective.energy(&trial.pose);
    let few = objective.tasks() <= MOST_TASKS && objective.entries() <= MOST_ROWS;
    buffers.gradient.resize(objective.len(), DVec3::ZERO);
    // The nearer the tips, the straighter the paths on which they will move.
    let nearness = (objective.largest_error() / objective.reach()).min(1.0);
    let mut damping = (DAMPING * nearness * nearness).max(LEAST_DAMPING);
    loop {
        if let Some(converged) = finished(objective, trial, options) {
            return converged;
        }
        if trial.steps >= until.steps {
            return false;
        }
        objective.gradient(&trial.pose, &mut buffers.gradient);
        buffers.free.clear();
        buffers.free.extend_from_slice(objective.gains());
        hold_at_limits(objective, trial, &buffers.gradient, &mut buffers.free);
        if vanished(objective, trial, &mut buffers.gradient) {
            if !nudge(objective, trial) {
                return true;
            }
            continue;
        }
        let scale = match few {
            true => buffers.dense.set(objective, &buffers.free),
            false => buffers.iterative.set(objective, &buffers.free),
        };
        let mut growth = 2.0;
        loop {
            let promised = step(objective, trial, few, damping * scale, buffers);
            let Some(rise) = trial.try_change(objective, &buffers.change, 1.0) else {
                return true;
            };
            let decrease = -rise;
            if decrease > 0.0 && decrease > ARMIJO * promised {
                trial.accept(objective);
                let kept = 2.0 * decrease / promised - 1.0;
                damping = (damping * (1.0 - kept * kept * kept).clamp(0.1, 2.0)).max(LEAST_DAMPING);
                if trial.turned <= until.turned || decrease <= until.won * trial.energy() {
                    return true;
                }
                break;
            }
            // Where targets are far away, the way that tips bend outweighs all else.
            let far = (objective.largest_error() / objective.reach()).max(1.0);
            if damping > MOST_DAMPING * far {
                return true;
            }
            damping *= growth;
            growth *= 2.0;
            if !few {
                // It is carried out on the joints, which stand where the step was refused.
                objective.energy(&trial.pose);
            }
        }
    }
}

/// Takes the gains of angles that are at a limit and pushed on.
fn hold_at_limits(objective: &Objective, trial: &Trial, gradient: &[DVec3], gains: &mut [DVec3]) {
    if !objective.is_limited() {
        return;
    }
    for (value, gain) in gains.iter_mut().enumerate() {
        *gain = DVec3::select(
            objective.outward(value, &trial.pose, gradient[value]),
            DVec3::ZERO,
            *gain,
        );
    }
}

/// Finds the change of the values with this damping, and returns the decrease of the energy that it promises.
fn step(objective: &mut Objective, trial: &Trial, few: bool, damping: f64, buffers: &mut Buffers) -> f64 {
    let Buffers {
        change,
        free,
        gains,
        held,
        dense,
        iterative,
        ..
    } = buffers;
    let prior = objective.prior();
    let deviation = |objective: &Objective, value: usize| match prior > 0.0 {
        true => objective.deviation(value, &trial.pose),
        false => DVec3::ZERO,
    };
    gains.clone_from(free);
    held.clear();
    held.extend(gains.iter().enumerate().map(|(value, gain)| {
        let rest = deviation(objective, value) * (-prior / (prior + damping));
        DVec3::select(gain.cmpgt(DVec3::ZERO), rest, DVec3::ZERO)
    }));
    for _ in 0..MOST_HOLDS {
        match few {
            true => dense.solve(prior + damping, gains, held, change),
            false => iterative.solve(objective, prior + damping, gains, held, change),
        }
        if !objective.is_limited() {
            break;
        }
        let mut all_within = true;
        for (value, gain) in gains.iter_mut().enumerate() {
            let [low, high] = objective.room(value, &trial.pose);
            let at = change[value].clamp(low, high);
            let leaves = at.cmpne(change[value]) & gain.cmpgt(DVec3::ZERO);
            all_within &= !leaves.any();
            held[value] = DVec3::select(leaves, at, held[value]);
            *gain = DVec3::select(leaves, DVec3::ZERO, *gain);
        }
        if all_within {
            break;
        }
    }
    let turn = largest(change);
    if turn > MAX_TURN {
        change.iter_mut().for_each(|c| *c *= MAX_TURN / turn);
    }
    let tasks = match few {
        true => dense.decrease(change),
        false => iterative.decrease(objective, change),
    };
    if prior == 0.0 {
        return tasks;
    }
    let costs = change.iter().enumerate().map(|(value, change)| {
        let way = deviation(objective, value) + 0.5 * *change;
        (objective.costs(value) * *change * way).element_sum()
    });
    tasks - prior * costs.sum::<f64>()
}
