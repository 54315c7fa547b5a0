//! The damped step for many handles, without a matrix: the change of the angles d with
//! (J^T W J + damping) d = J^T W (targets - tips), by conjugate gradients. Memory and time of an iteration grow
//! with joints and handles, not with their squares. It is the step that `dense` finds, as far as it is carried.
//!
//! Source: M. R. Hestenes, E. Stiefel, "Methods of conjugate gradients for solving linear systems", 1952;
//! stopped early as in R. S. Dembo, S. C. Eisenstat, T. Steihaug, "Inexact Newton methods", 1982.

use super::descent::dot;
use super::objective::Objective;
use glam::DVec3;

/// Iterations end when the residual is this part of the gradient, or after so many.
const ENOUGH: f64 = 0.05;
const MOST_ITERATIONS: usize = 40;

/// The linear model at one pose, where the objective must stand; all but `velocities` are per joint.
#[derive(Default)]
pub(super) struct Iterative {
    /// Diagonal of J^T W J.
    squares: Vec<DVec3>,
    /// Mean of the diagonal of J W J^T: the unit of damping, as in `dense`.
    scale: f64,
    residual: Vec<DVec3>,
    conditioned: Vec<DVec3>,
    direction: Vec<DVec3>,
    product: Vec<DVec3>,
    velocities: Vec<DVec3>,
}

impl Iterative {
    pub(super) fn set(&mut self, objective: &mut Objective) {
        objective.squares(&mut self.squares);
        let trace: f64 = self.squares.iter().map(|square| square.element_sum()).sum();
        self.scale = trace / (3 * objective.handles()) as f64;
    }

    /// `change` of the angles per joint, in radians.
    pub(super) fn solve(
        &mut self,
        objective: &mut Objective,
        gradient: &[DVec3],
        damping: f64,
        change: &mut Vec<DVec3>,
    ) {
        let Self {
            squares,
            scale,
            residual,
            conditioned,
            direction,
            product,
            velocities,
        } = self;
        let damping = damping * *scale;
        // Divided by the diagonal; angles that move nothing stay.
        let condition = |residual: &[DVec3], conditioned: &mut Vec<DVec3>| {
            conditioned.clear();
            conditioned.extend(residual.iter().zip(&*squares).map(|(r, square)| {
                let diagonal = *square + DVec3::splat(damping);
                DVec3::select(diagonal.cmpgt(DVec3::ZERO), *r / diagonal, DVec3::ZERO)
            }));
        };
        change.clear();
        change.resize(gradient.len(), DVec3::ZERO);
        residual.clear();
        residual.extend(gradient.iter().map(|g| -*g));
        condition(residual, conditioned);
        direction.clone_from(conditioned);
        product.resize(gradient.len(), DVec3::ZERO);
        let mut along = dot(residual, conditioned);
        let small = ENOUGH * ENOUGH * along;
        for _ in 0..MOST_ITERATIONS {
            if along.is_nan() || along <= small {
                return;
            }
            objective.tips_of(direction, velocities);
            objective.angles_of(velocities, product);
            product
                .iter_mut()
                .zip(&*direction)
                .for_each(|(p, d)| *p += damping * *d);
            let curvature = dot(direction, product);
            if curvature.is_nan() || curvature <= 0.0 {
                return;
            }
            let step = along / curvature;
            change
                .iter_mut()
                .zip(&*direction)
                .for_each(|(c, d)| *c += step * *d);
            residual
                .iter_mut()
                .zip(&*product)
                .for_each(|(r, p)| *r -= step * *p);
            condition(residual, conditioned);
            let now = dot(residual, conditioned);
            let kept = now / along;
            direction
                .iter_mut()
                .zip(&*conditioned)
                .for_each(|(d, c)| *d = *c + kept * *d);
            along = now;
        }
    }

    /// How far the energy would fall by `change` if the tips moved along straight lines.
    pub(super) fn decrease(&mut self, objective: &mut Objective, change: &[DVec3]) -> f64 {
        objective.tips_of(change, &mut self.velocities);
        let velocities = &self.velocities;
        -objective.weighted_dot(objective.residuals(), velocities)
            - 0.5 * objective.weighted_squares(velocities)
    }
}
