//! The damped step for few handles, in the space of the tips: the change of the angles is J^T y with
//! (J J^T + damping I) y = targets - tips, a system of 3 rows per enabled handle. Rows are times the roots of
//! the handles' weights.

use super::objective::Objective;
use glam::DVec3;

/// The linear model of the tips at one pose.
#[derive(Default)]
pub(super) struct Dense {
    /// (handle, joint, velocity of the tip per unit rate of the joint's three angles), by joint.
    entries: Vec<(usize, usize, [DVec3; 3])>,
    /// Targets minus tips, times the roots of the weights: 3 values per enabled handle.
    pull: Vec<f64>,
    joints: usize,
    /// J J^T, row after row; the lower triangle alone is set.
    product: Vec<f64>,
    /// Mean of its diagonal: the unit of damping.
    scale: f64,
    /// Scratch: as `product`, and as `pull`.
    matrix: Vec<f64>,
    row: Vec<f64>,
}

impl Dense {
    pub(super) fn set(&mut self, objective: &Objective) {
        let Self {
            entries,
            pull,
            product,
            ..
        } = self;
        entries.clear();
        objective.tip_velocities(|handle, joint, velocity| entries.push((handle, joint, velocity)));
        // Handles that share a joint are coupled by it.
        entries.sort_unstable_by_key(|&(handle, joint, _)| (joint, handle));
        pull.clear();
        pull.extend(objective.weighted_residuals().flat_map(|r| (-r).to_array()));
        let n = pull.len();
        // J J^T, lower triangle.
        product.clear();
        product.resize(n * n, 0.0);
        for shared in entries.chunk_by(|a, b| a.1 == b.1) {
            for (h, _, a) in shared {
                for (k, _, b) in shared.iter().take_while(|(k, _, _)| k <= h) {
                    for (a, b) in a.iter().zip(b) {
                        for i in 0..3 {
                            for j in 0..3 {
                                product[(3 * h + i) * n + 3 * k + j] += a[i] * b[j];
                            }
                        }
                    }
                }
            }
        }
        self.scale = (0..n).map(|i| product[i * n + i]).sum::<f64>() / n as f64;
        self.joints = objective.len();
    }

    /// `change` of the angles per joint, in radians; zero where the system is singular.
    pub(super) fn solve(&mut self, damping: f64, change: &mut Vec<DVec3>) {
        let n = self.pull.len();
        self.matrix.clone_from(&self.product);
        for i in 0..n {
            self.matrix[i * n + i] += damping * self.scale;
        }
        self.row.clone_from(&self.pull);
        change.clear();
        change.resize(self.joints, DVec3::ZERO);
        if solve_cholesky(&mut self.matrix, &mut self.row) {
            for (handle, joint, velocity) in &self.entries {
                let force = DVec3::from_slice(&self.row[3 * handle..]);
                change[*joint] += DVec3::from_array(velocity.map(|v| v.dot(force)));
            }
        }
    }

    /// How far the energy would fall by `change` if the tips moved along straight lines.
    pub(super) fn decrease(&mut self, change: &[DVec3]) -> f64 {
        let motion = &mut self.row;
        motion.fill(0.0);
        for (handle, joint, velocity) in &self.entries {
            for angle in 0..3 {
                for i in 0..3 {
                    motion[3 * handle + i] += velocity[angle][i] * change[*joint][angle];
                }
            }
        }
        motion
            .iter()
            .zip(&self.pull)
            .map(|(m, pull)| m * pull - 0.5 * m * m)
            .sum()
    }
}

/// Solves the symmetric positive definite system `matrix * x = rhs` in place; false if it is not
/// positive definite. `matrix`: n * n values, row after row, of which the lower triangle is read and
/// overwritten by the Cholesky factor.
fn solve_cholesky(matrix: &mut [f64], rhs: &mut [f64]) -> bool {
    let n = rhs.len();
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| matrix[i * n + k] * matrix[j * n + k]).sum();
            let rest = matrix[i * n + j] - known;
            if i != j {
                matrix[i * n + j] = rest / matrix[j * n + j];
            } else if rest > 0.0 {
                matrix[i * n + i] = rest.sqrt();
            } else {
                return false;
            }
        }
    }
    for i in 0..n {
        let known: f64 = (0..i).map(|k| matrix[i * n + k] * rhs[k]).sum();
        rhs[i] = (rhs[i] - known) / matrix[i * n + i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| matrix[k * n + i] * rhs[k]).sum();
        rhs[i] = (rhs[i] - known) / matrix[i * n + i];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cholesky_solves_what_it_was_made_from() {
        // A = L L^T for a lower L; b = A x.
        let (l, x) = ([2.0, 0.0, 0.0, -1.0, 3.0, 0.0, 0.5, 4.0, 1.5], [1.0, -2.0, 0.25]);
        let mut a = [0.0; 9];
        for i in 0..3 {
            for j in 0..3 {
                a[3 * i + j] = (0..3).map(|k| l[3 * i + k] * l[3 * j + k]).sum();
            }
        }
        let mut b = [0, 1, 2].map(|i| (0..3).map(|j| a[3 * i + j] * x[j]).sum::<f64>());
        assert!(solve_cholesky(&mut a, &mut b));
        for (found, expected) in b.iter().zip(x) {
            assert!((found - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn cholesky_refuses_what_is_not_positive_definite() {
        assert!(!solve_cholesky(&mut [1.0, 2.0, 2.0, 1.0], &mut [1.0, 1.0]));
        assert!(!solve_cholesky(&mut [0.0], &mut [1.0]));
    }
}
