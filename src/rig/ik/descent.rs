//! Gradient descent with a fixed step, as it is taught: positions alone, within the limits. No other task, no prior, and
//! the root stays.

use super::objective::Objective;
use super::saddle::nudge;
use super::trial::Trial;
use super::{Options, finished, vanished};
use glam::DVec3;

/// Takes steps of `step` times the gradient until it converges (then true), `options.max_steps` are
/// taken, or the next would raise the energy.
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
