//! The damped step for many tasks, without a matrix: by conjugate gradients. Memory and time of an iteration grow
//! with joints and tasks, not with their squares. It is the step that `dense` finds, as far as it is carried:
//! h + G e with (G J^T W J G + damping) e = -G J^T W (r + J h).
//!
//! Source: M. R. Hestenes, E. Stiefel, "Methods of conjugate gradients for solving linear systems", 1952;
//! stopped early as in R. S. Dembo, S. C. Eisenstat, T. Steihaug, "Inexact Newton methods", 1982.

use super::objective::Objective;
use glam::DVec3;

/// Iterations end when the residual is this part of the gradient, or after so many.
const ENOUGH: f64 = 0.05;
const MOST_ITERATIONS: usize = 40;

/// The linear model at one pose, where the objective must stand; all but `forces` are per value.
#[derive(Default)]
pub(super) struct Iterative {
    /// Diagonal of J^T W J.
    squares: Vec<DVec3>,
    residual: Vec<DVec3>,
    conditioned: Vec<DVec3>,
    direction: Vec<DVec3>,
    product: Vec<DVec3>,
    /// Per task.
    forces: Vec<DVec3>,
}

impl Iterative {
    /// Returns the mean diagonal of J G^2 J^T: the unit of damping.
    pub(super) fn set(&mut self, objective: &mut Objective, gains: &[DVec3]) -> f64 {
        objective.squares(&mut self.squares);
        let trace = self.squares.iter().zip(gains);
        let trace: f64 = trace
            .map(|(square, gain)| (*square * *gain * *gain).element_sum())
            .sum();
        trace / (3 * objective.tasks()) as f64
    }

    /// `change` per value.
    pub(super) fn solve(
        &mut self,
        objective: &mut Objective,
        damping: f64,
        gains: &[DVec3],
        held: &[DVec3],
        change: &mut Vec<DVec3>,
    ) {
        let Self {
            squares,
            residual,
            conditioned,
            direction,
            product,
            forces,
        } = self;
        // Divided by the diagonal; what moves nothing stays.
        let condition = |residual: &[DVec3], conditioned: &mut Vec<DVec3>| {
            conditioned.clear();
            let values = residual.iter().zip(squares.iter().zip(gains));
            conditioned.extend(values.map(|(r, (square, gain))| {
                let diagonal = *square * *gain * *gain + DVec3::splat(damping);
                DVec3::select(diagonal.cmpgt(DVec3::ZERO), *r / diagonal, DVec3::ZERO)
            }));
        };
        change.clear();
        change.extend_from_slice(held);
        residual.resize(gains.len(), DVec3::ZERO);
        objective.rates_of(held, forces);
        forces
            .iter_mut()
            .zip(objective.residuals())
            .for_each(|(force, r)| *force += r);
        objective.values_of(forces, residual);
        residual.iter_mut().zip(gains).for_each(|(r, gain)| *r *= -*gain);
        condition(residual, conditioned);
        direction.clone_from(conditioned);
        product.resize(gains.len(), DVec3::ZERO);
        let mut along = dot(residual, conditioned);
        let small = ENOUGH * ENOUGH * along;
        for _ in 0..MOST_ITERATIONS {
            if along.is_nan() || along <= small {
                return;
            }
            // As the change that it is.
            product
                .iter_mut()
                .zip(&*direction)
                .zip(gains)
                .for_each(|((p, d), gain)| *p = *d * *gain);
            objective.rates_of(product, forces);
            objective.values_of(forces, product);
            let products = product.iter_mut().zip(&*direction).zip(gains);
            products.for_each(|((p, d), gain)| *p = *p * *gain + damping * *d);
            let curvature = dot(direction, product);
            if curvature.is_nan() || curvature <= 0.0 {
                return;
            }
            let step = along / curvature;
            let changes = change.iter_mut().zip(&*direction).zip(gains);
            changes.for_each(|((c, d), gain)| *c += step * *d * *gain);
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

    /// How far the tasks' energy would fall by `change` if residuals changed along straight lines.
    pub(super) fn decrease(&mut self, objective: &mut Objective, change: &[DVec3]) -> f64 {
        objective.rates_of(change, &mut self.forces);
        -objective.weighted_dot(&self.forces) - 0.5 * objective.weighted_squares(&self.forces)
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
