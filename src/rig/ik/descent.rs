//! Gradient descent, with a searched or a fixed step.
//!
//! The searched step starts from a proposal and is shortened until the energy falls enough (Armijo's
//! rule). The first proposal is best if the tips move along straight lines; later ones are the shorter
//! step of Barzilai and Borwein ("Two-point step size gradient methods", 1988), which learn the curvature
//! from the last step. (Under a search that never lets the energy rise, their longer step needs four
//! times as many.)

use super::iterate::{Iterate, largest};
use super::objective::Objective;
use super::saddle::nudge;
use super::{Options, finished, vanished};
use glam::DVec3;

/// No angle turns further in one step (radians).
pub(super) const MAX_TURN: f64 = 1.0;
/// Part of the decrease promised by the gradient that a step must bring.
pub(super) const ARMIJO: f64 = 1e-4;

/// Descends until it converges (then true) or `options.max_steps` are taken.
pub(super) fn searched(objective: &mut Objective, iterate: &mut Iterate, options: &Options) -> bool {
    let mut gradient = vec![DVec3::ZERO; objective.len()];
    let mut gradient_before: Option<Vec<DVec3>> = None;
    loop {
        if let Some(converged) = finished(objective, iterate, options) {
            return converged;
        }
        objective.gradient(&mut gradient);
        if vanished(objective, &gradient) {
            if !nudge(objective, iterate) {
                return true;
            }
            gradient_before = None;
            continue;
        }
        let learned = gradient_before
            .as_ref()
            .and_then(|before| barzilai_borwein(iterate, before, &gradient));
        // What was learned may be too short to change anything where this is not.
        let longest = MAX_TURN / largest(&gradient);
        let taken = learned
            .into_iter()
            .chain([straight(objective, &gradient)])
            .any(|step| descend(objective, iterate, &gradient, step.min(longest)));
        if !taken {
            return true;
        }
        match &mut gradient_before {
            Some(before) => before.copy_from_slice(&gradient),
            None => gradient_before = Some(gradient.clone()),
        }
    }
}

/// The step that would be best if the tips moved along straight lines; none so long that an angle turns too
/// far.
pub(super) fn straight(objective: &mut Objective, gradient: &[DVec3]) -> f64 {
    let best = dot(gradient, gradient) / objective.squared_tip_velocity(gradient);
    best.min(MAX_TURN / largest(gradient))
}

/// Shortens `step` until turning by `-step * gradient` lowers the energy enough, and takes it.
/// False if no such step changes what is stored.
pub(super) fn descend(
    objective: &mut Objective,
    iterate: &mut Iterate,
    gradient: &[DVec3],
    mut step: f64,
) -> bool {
    let slope = dot(gradient, gradient);
    while let Some(rise) = iterate.try_turn(objective, gradient, -step) {
        // Rounding may have turned the step; it counts by where it really went.
        if rise < 0.0 && rise <= ARMIJO * iterate.trial_slope(gradient).min(0.0) {
            iterate.accept();
            return true;
        }
        // Where the parabola through both energies and the slope is lowest.
        let lowest = 0.5 * slope * step * step / (rise + slope * step);
        step = if lowest.is_finite() {
            lowest.clamp(0.1 * step, 0.5 * step)
        } else {
            0.1 * step
        };
    }
    false
}

/// Takes steps of `step` times the gradient until it converges (then true), `options.max_steps` are
/// taken, or the next would raise the energy.
pub(super) fn fixed(objective: &mut Objective, iterate: &mut Iterate, options: &Options, step: f64) -> bool {
    let mut gradient = vec![DVec3::ZERO; objective.len()];
    loop {
        if let Some(converged) = finished(objective, iterate, options) {
            return converged;
        }
        objective.gradient(&mut gradient);
        if vanished(objective, &gradient) {
            if !nudge(objective, iterate) {
                return true;
            }
            continue;
        }
        match iterate.try_turn(objective, &gradient, -step) {
            Some(rise) if rise < 0.0 => iterate.accept(),
            _ => return false,
        }
    }
}

/// Step from the last change of the pose and of the gradient; `None` where the energy curves downwards.
fn barzilai_borwein(iterate: &Iterate, before: &[DVec3], gradient: &[DVec3]) -> Option<f64> {
    let (mut change_dot, mut gradient_sq) = (0.0, 0.0);
    for (change, (g, b)) in iterate.last_change_rad().zip(gradient.iter().zip(before)) {
        let difference = *g - *b;
        change_dot += change.dot(difference);
        gradient_sq += difference.length_squared();
    }
    (change_dot > 0.0).then(|| change_dot / gradient_sq)
}

pub(super) fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
