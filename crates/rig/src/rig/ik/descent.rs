//! Textbook gradient descent with a fixed step: only position tasks, within the limits, without a prior, and
//! with a fixed root.

use super::objective::Objective;
use super::saddle::nudge;
use super::trial::Trial;
use super::{Options, finished, vanished};
use glam::DVec3;

/// Takes steps of `step` times the gradient until convergence (then returns true), until `options.max_steps`
/// are taken, or until the next step would raise the energy.
pub(super) fn solve(objective: &mut Objective, trial: &mut Trial, options: &Options, step: f64) -> bool {
    let mut gradient = vec![DVec3::ZERO; objective.len()];
    loop {
        if let Some(converged) = finished(objective, trial, options) {
            return converged;
        }
        objective.gradient(&trial.pose, &mut gradient);
        if vanished(objective, trial, &mut gradient) {
            if !nudge(objective, trial) {
                return true;
            }
            continue;
        }
        match trial.try_change(objective, &gradient, -step) {
            Some(rise) if rise < 0.0 => trial.accept(objective),
            _ => return false,
        }
    }
}
