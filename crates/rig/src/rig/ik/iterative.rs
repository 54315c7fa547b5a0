//! The damped step for many tasks, computed without a matrix by conjugate gradients. The memory and time of
//! an iteration are linear in joints and tasks. Apart from early termination, it is the same step as in
//! `dense`: h + G e with (G J^T W J G + damping) e = -G J^T W (r + J h).
//!
//! Source: M. R. Hestenes, E. Stiefel, "Methods of conjugate gradients for solving linear systems", 1952;
//! stopped early as in R. S. Dembo, S. C. Eisenstat, T. Steihaug, "Inexact Newton methods", 1982.

use super::dense::Request;
use super::objective::Objective;
use super::tuning::{MAX_ITERATIONS, RESIDUAL_TOLERANCE};
use glam::DVec3;

/// The linear model at the current pose of the objective; everything except `forces` is per value.
#[derive(Default)]
pub(super) struct Iterative {
    /// The diagonal of J^T W J.
    squares: Vec<DVec3>,
    residual: Vec<DVec3>,
    conditioned: Vec<DVec3>,
    direction: Vec<DVec3>,
    product: Vec<DVec3>,
    /// The forces of the tasks.
    forces: Vec<DVec3>,
}

impl Iterative {
    /// Linearizes at the current pose of the objective. Returns the mean of G^2 times the diagonal of
    /// J^T W J, the unit of damping.
    pub(super) fn set(&mut self, objective: &mut Objective) -> f64 {
        objective.squares(&mut self.squares);
        let trace = self.squares.iter().zip(objective.gains());
        let trace: f64 = trace.map(|(square, gain)| (*square * *gain * *gain).element_sum()).sum();
        trace / (3 * objective.tasks()) as f64
    }

    /// Writes the change of the values, and J^T W (r + J change) / damping.
    pub(super) fn solve(
        &mut self,
        objective: &mut Objective,
        request: Request,
        change: &mut Vec<DVec3>,
        pulls: &mut Vec<DVec3>,
    ) {
        self.iterate(objective, request, change);
        objective.apply_jacobian(change, &mut self.forces);
        self.forces.iter_mut().zip(objective.residuals()).for_each(|(force, r)| *force += r);
        pulls.resize(change.len(), DVec3::ZERO);
        objective.apply_transpose(&self.forces, pulls);
        pulls.iter_mut().for_each(|pull| *pull /= request.damping);
    }

    fn iterate(&mut self, objective: &mut Objective, request: Request, change: &mut Vec<DVec3>) {
        let Request { damping, gains, fixed } = request;
        let Self { squares, residual, conditioned, direction, product, forces } = self;
        // Divide by the diagonal; values without any effect stay unchanged.
        let condition = |residual: &[DVec3], conditioned: &mut Vec<DVec3>| {
            conditioned.clear();
            let values = residual.iter().zip(squares.iter().zip(gains));
            conditioned.extend(values.map(|(r, (square, gain))| {
                let diagonal = *square * *gain * *gain + DVec3::splat(damping);
                DVec3::select(diagonal.cmpgt(DVec3::ZERO), *r / diagonal, DVec3::ZERO)
            }));
        };
        change.clear();
        change.extend_from_slice(fixed);
        residual.resize(gains.len(), DVec3::ZERO);
        objective.apply_jacobian(fixed, forces);
        forces.iter_mut().zip(objective.residuals()).for_each(|(force, r)| *force += r);
        objective.apply_transpose(forces, residual);
        residual.iter_mut().zip(gains).for_each(|(r, gain)| *r *= -*gain);
        condition(residual, conditioned);
        direction.clone_from(conditioned);
        product.resize(gains.len(), DVec3::ZERO);
        let mut residual_norm = dot(residual, conditioned);
        let threshold = RESIDUAL_TOLERANCE * RESIDUAL_TOLERANCE * residual_norm;
        for _ in 0..MAX_ITERATIONS {
            if residual_norm.is_nan() || residual_norm <= threshold {
                return;
            }
            // Convert to a change of the values.
            product.iter_mut().zip(&*direction).zip(gains).for_each(|((p, d), gain)| *p = *d * *gain);
            objective.apply_jacobian(product, forces);
            objective.apply_transpose(forces, product);
            let products = product.iter_mut().zip(&*direction).zip(gains);
            products.for_each(|((p, d), gain)| *p = *p * *gain + damping * *d);
            let curvature = dot(direction, product);
            if curvature.is_nan() || curvature <= 0.0 {
                return;
            }
            let step = residual_norm / curvature;
            let changes = change.iter_mut().zip(&*direction).zip(gains);
            changes.for_each(|((c, d), gain)| *c += step * *d * *gain);
            residual.iter_mut().zip(&*product).for_each(|(r, p)| *r -= step * *p);
            condition(residual, conditioned);
            let new_norm = dot(residual, conditioned);
            let ratio = new_norm / residual_norm;
            direction.iter_mut().zip(&*conditioned).for_each(|(d, c)| *d = *c + ratio * *d);
            residual_norm = new_norm;
        }
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
