//! Gradient descent that learns the curvature from the last steps (L-BFGS), with a searched step.
//!
//! Source: J. Nocedal, "Updating quasi-Newton matrices with limited storage", 1980.

use super::descent::{ARMIJO, MAX_TURN, descend, dot, straight};
use super::iterate::{Iterate, largest};
use super::objective::Objective;
use super::saddle::nudge;
use super::{Options, finished, vanished};
use glam::DVec3;
use std::collections::VecDeque;

/// Steps that are remembered.
const MEMORY: usize = 8;

/// What a step taught: change of the pose, change of the gradient, 1 / (their product).
struct Lesson {
    turn: Vec<DVec3>,
    bend: Vec<DVec3>,
    inverse: f64,
}

/// Steps until it converges (then true) or `options.max_steps` are taken.
pub(super) fn solve(objective: &mut Objective, iterate: &mut Iterate, options: &Options) -> bool {
    let mut gradient = vec![DVec3::ZERO; objective.len()];
    let mut before: Option<Vec<DVec3>> = None;
    let mut lessons: VecDeque<Lesson> = VecDeque::new();
    loop {
        if let Some(converged) = finished(objective, iterate, options) {
            return converged;
        }
        objective.gradient(&mut gradient);
        if vanished(objective, &gradient) {
            if !nudge(objective, iterate) {
                return true;
            }
            (before, lessons) = (None, VecDeque::new());
            continue;
        }
        if let Some(before) = &before {
            learn(&mut lessons, iterate, before, &gradient);
        }
        before = Some(gradient.clone());
        let direction = direction(&lessons, &gradient);
        if !lessons.is_empty() && search(objective, iterate, &gradient, &direction) {
            continue;
        }
        // Nothing learned, or nothing of use: along the gradient.
        lessons.clear();
        let step = straight(objective, &gradient);
        if !descend(objective, iterate, &gradient, step) {
            return true;
        }
    }
}

fn learn(lessons: &mut VecDeque<Lesson>, iterate: &Iterate, before: &[DVec3], gradient: &[DVec3]) {
    let turn: Vec<DVec3> = iterate.last_change_rad().collect();
    let bend: Vec<DVec3> = gradient.iter().zip(before).map(|(g, b)| *g - *b).collect();
    let product = dot(&turn, &bend);
    // Where the energy curves downwards there is nothing to learn.
    if product > 1e-12 * dot(&bend, &bend) {
        if lessons.len() == MEMORY {
            lessons.pop_front();
        }
        let inverse = 1.0 / product;
        lessons.push_back(Lesson { turn, bend, inverse });
    }
}

/// Minus the gradient times the inverse of the curvature as far as it is known (the two loops of Nocedal).
fn direction(lessons: &VecDeque<Lesson>, gradient: &[DVec3]) -> Vec<DVec3> {
    let add = |to: &mut [DVec3], what: &[DVec3], by: f64| {
        to.iter_mut().zip(what).for_each(|(to, what)| *to += *what * by);
    };
    let mut direction: Vec<DVec3> = gradient.iter().map(|g| -*g).collect();
    let mut shares = Vec::with_capacity(MEMORY);
    for lesson in lessons.iter().rev() {
        let share = lesson.inverse * dot(&lesson.turn, &direction);
        add(&mut direction, &lesson.bend, -share);
        shares.push(share);
    }
    if let Some(last) = lessons.back() {
        let scale = 1.0 / (last.inverse * dot(&last.bend, &last.bend));
        direction.iter_mut().for_each(|d| *d *= scale);
    }
    for (lesson, share) in lessons.iter().zip(shares.into_iter().rev()) {
        let back = lesson.inverse * dot(&lesson.bend, &direction);
        add(&mut direction, &lesson.turn, share - back);
    }
    direction
}

/// Shortens the step along `direction` until the energy falls enough, and takes it. False if none does.
fn search(objective: &mut Objective, iterate: &mut Iterate, gradient: &[DVec3], direction: &[DVec3]) -> bool {
    let slope = dot(gradient, direction);
    if slope.is_nan() || slope >= 0.0 {
        return false;
    }
    let mut step = (MAX_TURN / largest(direction)).min(1.0);
    for _ in 0..10 {
        let Some(rise) = iterate.try_turn(objective, direction, step) else {
            return false;
        };
        if rise < 0.0 && rise <= ARMIJO * iterate.trial_slope(gradient).min(0.0) {
            iterate.accept();
            return true;
        }
        // Where the parabola through both energies and the slope is lowest.
        let lowest = -0.5 * slope * step * step / (rise - slope * step);
        step = if lowest.is_finite() {
            lowest.clamp(0.1 * step, 0.5 * step)
        } else {
            0.1 * step
        };
    }
    false
}
