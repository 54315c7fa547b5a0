//! Damped least squares (Levenberg-Marquardt): each step minimises the energy as it would be if the tips moved along
//! straight lines, with a price on turning. For few handles the step is found at once (`dense`), for many by
//! iteration (`iterative`).
//!
//! Source: Wampler, "Manipulator inverse kinematic solutions based on vector formulations and damped
//! least-squares methods", 1986; the damping falls with each step taken and grows with each refused.

use super::dense::Dense;
use super::iterate::{Iterate, largest};
use super::iterative::Iterative;
use super::objective::Objective;
use super::saddle::nudge;
use super::{Options, finished, vanished};
use glam::DVec3;

/// No angle turns further in one step (radians).
const MAX_TURN: f64 = 1.0;
/// Part of the promised decrease that a step must bring.
const ARMIJO: f64 = 1e-4;
/// Up to so many handles, and so many angles that move their tips, the dense system is the faster one.
const MOST_HANDLES: usize = 32;
const MOST_ENTRIES: usize = 1 << 15;
/// Damping, as part of the mean diagonal of J J^T: at first, and the least and most that is tried.
const DAMPING: f64 = 1e-1;
const LEAST_DAMPING: f64 = 1e-10;
const MOST_DAMPING: f64 = 1e8;

/// Kept from solve to solve.
#[derive(Default)]
pub(super) struct Buffers {
    gradient: Vec<DVec3>,
    /// Of the angles per joint, in radians.
    change: Vec<DVec3>,
    dense: Dense,
    iterative: Iterative,
}

/// Steps until it converges (then true) or `options.max_steps` are taken.
pub(super) fn solve(
    objective: &mut Objective,
    iterate: &mut Iterate,
    options: &Options,
    buffers: &mut Buffers,
) -> bool {
    let Buffers {
        gradient,
        change,
        dense,
        iterative,
    } = buffers;
    let few = objective.handles() <= MOST_HANDLES && objective.entries() <= MOST_ENTRIES;
    gradient.resize(objective.len(), DVec3::ZERO);
    // The nearer the tips, the straighter the paths on which they will move.
    let nearness = (objective.largest_error() / objective.reach()).min(1.0);
    let mut damping = (DAMPING * nearness * nearness).max(LEAST_DAMPING);
    loop {
        if let Some(converged) = finished(objective, iterate, options) {
            return converged;
        }
        objective.gradient(gradient);
        if vanished(objective, gradient) {
            if !nudge(objective, iterate) {
                return true;
            }
            continue;
        }
        match few {
            true => dense.set(objective),
            false => iterative.set(objective),
        }
        let mut growth = 2.0;
        loop {
            match few {
                true => dense.solve(damping, change),
                false => iterative.solve(objective, gradient, damping, change),
            }
            let turn = largest(change);
            if turn > MAX_TURN {
                change.iter_mut().for_each(|c| *c *= MAX_TURN / turn);
            }
            let promised = match few {
                true => dense.decrease(change),
                false => iterative.decrease(objective, change),
            };
            let Some(rise) = iterate.try_turn(objective, change, 1.0) else {
                return true;
            };
            let decrease = -rise;
            if decrease > 0.0 && decrease > ARMIJO * promised {
                iterate.accept();
                let kept = 2.0 * decrease / promised - 1.0;
                damping = (damping * (1.0 - kept * kept * kept).clamp(0.1, 2.0)).max(LEAST_DAMPING);
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
                objective.energy(&iterate.pose_deg);
            }
        }
    }
}
