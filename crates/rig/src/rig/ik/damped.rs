//! Damped least squares (Levenberg-Marquardt) within limits: each step minimizes the energy of the linearized
//! residuals, plus a cost of rotation. The step is computed directly for few tasks (`dense`), and iteratively
//! for many (`iterative`).
//!
//! Steps are continuous in pose and targets, so that a few of them from starts that are alike end in poses that are alike:
//! limits are kept exactly (`within_limits`), damping follows the distance of the targets, and of each step that part is
//! taken at which the energy is least. Nothing is tried until it succeeds.
//!
//! Source: Wampler, "Manipulator inverse kinematic solutions based on vector formulations and damped least-squares
//! methods", 1986; damping by the squared distance: Sugihara, "Solvability-unconcerned inverse kinematics by the
//! Levenberg-Marquardt method", 2011.

use super::objective::Objective;
use super::saddle::nudge;
use super::trial::{Trial, largest};
use super::tuning::{
    DAMPING, FINAL_DAMPING, MAX_DENSE_ROWS, MAX_DENSE_TASKS, MAX_SEARCHES, MAX_TURN, MIN_DAMPING, MIN_GAIN,
    NEAR_BEST, RESTING_TURN, TRUST,
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
    /// Whether damping falls with every step that succeeds: faster, but neighbouring solves may end at different minima.
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
    // Without a prior there is one minimum to go to, and the faster the better.
    let mut trust = 1.0;
    loop {
        if let Some(converged) = finished(objective, trial, options) {
            return converged;
        }
        if trial.steps >= stop.steps {
            let before = trial.energies.len().checked_sub(2).map(|last| trial.energies[last]);
            let gain = before.map_or(f64::MAX, |before| before - trial.energy());
            return gain <= MIN_GAIN * trial.energy() || trial.last_turn <= RESTING_TURN;
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
        // The closer the tips, the straighter the paths on which they will move.
        let damping = if stop.is_final {
            FINAL_DAMPING * objective.handle_distance().min(1.0).powi(2) * objective.reach().powi(2)
        } else {
            let distance = objective.largest_error() / objective.reach();
            let most = if stop.is_adaptive { distance } else { 1.0 };
            trust * (DAMPING * distance.min(1.0) * distance.min(most)).max(MIN_DAMPING) * mean
        };
        let damping = damping.max(stop.min_damping);
        step(objective, trial, is_dense, damping, &buffers.gradient, step_buffers);
        let Some(part) = search(objective, trial, &buffers.gradient, &buffers.step.change) else {
            if !stop.is_adaptive || trust == TRUST[1] {
                return true;
            }
            trust = (10.0 * trust).min(TRUST[1]);
            objective.energy(&trial.pose);
            continue;
        };
        if stop.is_adaptive {
            let factor = if part == 1.0 { 0.3 } else { 4.0 };
            trust = (factor * trust).clamp(TRUST[0], TRUST[1]);
        }
        trial.accept(objective);
        if trial.last_turn <= stop.max_turn {
            return true;
        }
    }
}

/// Tries the part of a change at which the energy is least if it is quadratic along it. Returns
/// that part; `None` if the energy does not fall.
fn search(objective: &mut Objective, trial: &mut Trial, gradient: &[DVec3], change: &[DVec3]) -> Option<f64> {
    let slope: f64 = gradient.iter().zip(change).map(|(gradient, change)| gradient.dot(*change)).sum();
    let mut part = 1.0;
    let mut has_fallen = false;
    for _ in 0..=MAX_SEARCHES {
        let rise = trial.try_change(objective, change, part)?;
        let curvature = rise - slope * part;
        let best = if curvature > 0.0 { -0.5 * slope * part * part / curvature } else { part };
        if rise < 0.0 && (has_fallen || best >= NEAR_BEST * part) {
            return Some(part);
        }
        has_fallen = rise < 0.0;
        part = best.clamp(0.1 * part, NEAR_BEST * part);
    }
    None
}

/// Computes the change of the values for this damping.
fn step(
    objective: &mut Objective,
    trial: &Trial,
    is_dense: bool,
    damping: f64,
    gradient: &[DVec3],
    buffers: &mut within_limits::Buffers,
) {
    Model { objective, trial, is_dense, damping }.minimize(gradient, buffers);
    let turn = largest(&buffers.change);
    if turn > MAX_TURN {
        buffers.change.iter_mut().for_each(|c| *c *= MAX_TURN / turn);
    }
}
