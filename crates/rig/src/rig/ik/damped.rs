//! Damped least squares (Levenberg-Marquardt) within limits: each step minimizes the energy of the linearized
//! residuals, plus a cost of rotation. The step is computed directly for few tasks (`dense`), and iteratively
//! for many (`iterative`).
//!
//! Steps are continuous in pose and targets, so that a few of them from starts that are alike end in poses that are alike:
//! limits are kept exactly (`within_limits`), damping follows the distance of the targets, and of each step that part is
//! taken at which the energy is least. Nothing is tried until it succeeds, except without a prior.
//!
//! Source: Wampler, "Manipulator inverse kinematic solutions based on vector formulations and damped least-squares
//! methods", 1986; damping by the squared distance: Sugihara, "Solvability-unconcerned inverse kinematics by the
//! Levenberg-Marquardt method", 2011.

use super::objective::Objective;
use super::saddle::nudge;
use super::trial::{Trial, largest};
use super::tuning::{
    ARMIJO, DAMPING, FINAL_DAMPING, FIRST_DAMPING, MAX_DAMPING, MAX_DENSE_ROWS, MAX_DENSE_TASKS,
    MAX_SEARCHES, MAX_TURN, MIN_DAMPING, MIN_PROGRESS, NEAR_BEST, SEARCHES,
};
use super::within_limits::{self, Model};
use super::{Options, finished, vanished};
use glam::DVec3;

/// Buffers that are reused between solves.
#[derive(Default)]
pub(super) struct Buffers {
    gradient: Vec<DVec3>,
    pushing: Vec<DVec3>,
    step: within_limits::Buffers,
}

/// When to stop, in addition to convergence.
#[derive(Clone, Copy)]
pub(super) struct StopCriteria {
    /// The total number of steps.
    pub(super) steps: usize,
    /// The change (radians) that no value exceeded in the last step.
    pub(super) max_turn: f64,
    /// The least damping, in squared skeleton units as the prior.
    pub(super) min_damping: f64,
    /// Whether only handles count for the damping: see [`FINAL_DAMPING`].
    pub(super) is_final: bool,
    /// Whether damping is tried: faster, but neighbouring solves may end at different minima, unless there is but one.
    pub(super) is_adaptive: bool,
}

impl StopCriteria {
    pub(super) const CONVERGED: Self =
        Self { steps: usize::MAX, max_turn: 0.0, min_damping: 0.0, is_final: false, is_adaptive: false };
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
    buffers.step.last.clear();
    let mut damping = FIRST_DAMPING * (objective.largest_error() / objective.reach()).min(1.0).powi(2);
    loop {
        if let Some(converged) = finished(objective, trial, options) {
            return converged;
        }
        if trial.steps >= stop.steps {
            return has_settled(objective, trial);
        }
        objective.gradient(&trial.pose, &mut buffers.gradient);
        // `vanished` zeroes parts of its argument.
        buffers.pushing.clone_from(&buffers.gradient);
        if vanished(objective, trial, &mut buffers.pushing) {
            if !nudge(objective, trial) {
                return true;
            }
            continue;
        }
        let step_buffers = &mut buffers.step;
        let mean =
            if is_dense { step_buffers.dense.set(objective) } else { step_buffers.iterative.set(objective) };
        if stop.is_adaptive {
            let model = Model { objective, trial, is_dense, damping: mean, is_rough: true };
            if !try_until_better(model, &mut damping, &buffers.gradient, step_buffers) {
                return true;
            }
            continue;
        }
        // The closer the tips, the straighter the paths on which they will move.
        let wanted = if stop.is_final {
            FINAL_DAMPING * objective.handle_pull().min(1.0).powi(2) * objective.reach().powi(2)
        } else {
            let distance = (objective.largest_error() / objective.reach()).min(1.0);
            let damping = (DAMPING * distance).max(objective.near_damping()) * distance;
            damping.max(MIN_DAMPING) * mean
        };
        let damping = wanted.max(stop.min_damping);
        Model { objective, trial, is_dense, damping, is_rough: false }
            .minimize(&buffers.gradient, step_buffers);
        limit_turn(&mut step_buffers.change);
        if !search(objective, trial, &buffers.gradient, &step_buffers.change) {
            return true;
        }
        trial.accept(objective);
        if trial.last_turn <= stop.max_turn {
            return true;
        }
    }
}

/// Takes a step, and raises the damping, a multiple of that of the model, until one lowers the energy nearly as predicted.
/// Returns false if none does.
fn try_until_better(
    mut model: Model,
    damping: &mut f64,
    gradient: &[DVec3],
    buffers: &mut within_limits::Buffers,
) -> bool {
    let (unit, mut growth) = (model.damping, 2.0);
    loop {
        model.damping = damping.max(MIN_DAMPING) * unit;
        model.minimize(gradient, buffers);
        let part = limit_turn(&mut buffers.change);
        let predicted = model.decrease(part, gradient, buffers);
        let Some(rise) = model.trial.try_change(model.objective, &buffers.change, 1.0) else { return false };
        if -rise > (ARMIJO * predicted).max(0.0) {
            model.trial.accept(model.objective);
            let quality = -2.0 * rise / predicted - 1.0;
            *damping = (*damping * (1.0 - quality.powi(3)).clamp(0.1, 2.0)).max(MIN_DAMPING);
            return true;
        }
        // If targets are far away, the curvature of the tips' paths dominates everything else.
        if *damping > MAX_DAMPING * (model.objective.largest_error() / model.objective.reach()).max(1.0) {
            return false;
        }
        *damping *= growth;
        growth *= 2.0;
        // The model is one of the pose before.
        model.objective.energy(&model.trial.pose);
    }
}

/// Shortens a step that turns too far. Returns the part that is left.
fn limit_turn(change: &mut [DVec3]) -> f64 {
    let part = (MAX_TURN / largest(change)).min(1.0);
    if part < 1.0 {
        change.iter_mut().for_each(|c| *c *= part);
    }
    part
}

/// Whether the last step brought the targets hardly closer.
fn has_settled(objective: &Objective, trial: &Trial) -> bool {
    let [.., before, now] = trial.energies[..] else { return false };
    (2.0 * before).sqrt() - (2.0 * now).sqrt() <= MIN_PROGRESS * objective.reach()
}

/// Tries the part of a change at which the energy is least if it is quadratic along it, and refines it: always as often, since
/// neighbouring solves that took the first part at which the energy falls would take different ones. Returns false if it
/// does not fall.
fn search(objective: &mut Objective, trial: &mut Trial, gradient: &[DVec3], change: &[DVec3]) -> bool {
    let slope: f64 = gradient.iter().zip(change).map(|(gradient, change)| gradient.dot(*change)).sum();
    let mut part = 1.0;
    for round in 0..=MAX_SEARCHES {
        let Some(rise) = trial.try_change(objective, change, part) else { return false };
        let curvature = rise - slope * part;
        let best = if curvature > 0.0 { -0.5 * slope * part * part / curvature } else { part };
        if rise < 0.0 && (round >= SEARCHES || best >= NEAR_BEST * part) {
            return true;
        }
        part = best.clamp(0.1 * part, part);
    }
    false
}
