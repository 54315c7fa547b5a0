//! The damped step for few tasks, computed in task space: a system with 3 rows per task. Rows are multiplied
//! by the square roots of the task weights. With G the diagonal matrix of gains, the step is h - G^2 J^T z,
//! where (J G^2 J^T + damping) z = r + J h.

use super::objective::Objective;
use glam::DVec3;

/// What a damped step asks for besides the linearized residuals.
#[derive(Clone, Copy)]
pub(super) struct Request<'a> {
    /// In squared skeleton units, as the prior; with the prior.
    pub(super) damping: f64,
    /// The gains of the values, 0 if they are fixed (G).
    pub(super) gains: &'a [DVec3],
    /// The change of fixed values, and of the others if residuals did not pull (h).
    pub(super) fixed: &'a [DVec3],
}

/// A task, a value, and the rates of the residual per unit rate of its x, y and z.
type Row = (usize, usize, [DVec3; 3]);

/// The linearized residuals at one pose.
#[derive(Default)]
pub(super) struct Dense {
    /// Sorted by value.
    rows: Vec<Row>,
    unsorted: Vec<Row>,
    /// Where the rows of each value start.
    starts: Vec<usize>,
    /// The residuals times the square roots of the weights: 3 numbers per task.
    residual: Vec<f64>,
    /// J G^2 J^T in row-major order; only the lower triangle is set.
    product: Vec<f64>,
    /// The gains used in `product`.
    gains: Vec<DVec3>,
    /// Scratch buffers: the size of `product`, and of `residual`.
    matrix: Vec<f64>,
    row: Vec<f64>,
    column: Vec<f64>,
}

impl Dense {
    /// Linearizes at the current pose of the objective. Returns the mean diagonal of J G^2 J^T, the unit of
    /// damping.
    pub(super) fn set(&mut self, objective: &Objective) -> f64 {
        self.unsorted.clear();
        objective.rows(|task, value, rates| self.unsorted.push((task, value, rates)));
        self.sort_rows(objective.len());
        self.residual.clear();
        self.residual.extend(objective.weighted_residuals().flat_map(|r| r.to_array()));
        let n = self.residual.len();
        self.product.clear();
        self.product.resize(n * n, 0.0);
        self.gains.clear();
        self.gains.resize(objective.len(), DVec3::ZERO);
        let gains = objective.gains();
        let trace = self.rows.iter().map(|(_, value, rates)| {
            let squares = DVec3::from_array(rates.map(DVec3::length_squared));
            squares.dot(gains[*value] * gains[*value])
        });
        trace.sum::<f64>() / n as f64
    }

    /// Sorts the rows by value, because tasks that share a value are coupled by it; by task within.
    fn sort_rows(&mut self, values: usize) {
        let Self { unsorted, rows, starts, .. } = self;
        starts.clear();
        starts.resize(values + 1, 0);
        unsorted.iter().for_each(|(_, value, _)| starts[value + 1] += 1);
        for value in 0..values {
            starts[value + 1] += starts[value];
        }
        rows.clear();
        rows.resize(unsorted.len(), Default::default());
        for row in &*unsorted {
            let place = &mut starts[row.1];
            rows[*place] = *row;
            *place += 1;
        }
    }

    /// Updates J G^2 J^T (lower triangle) to other gains.
    fn set_gains(&mut self, gains: &[DVec3]) {
        let (n, product) = (self.residual.len(), &mut self.product);
        for shared in self.rows.chunk_by(|a, b| a.1 == b.1) {
            let (old, new) = (self.gains[shared[0].1], gains[shared[0].1]);
            if old == new {
                continue;
            }
            let squares = (new * new - old * old).to_array();
            for (h, _, a) in shared {
                let scaled = [0, 1, 2].map(|axis| a[axis] * squares[axis]);
                for (k, _, b) in shared.iter().take_while(|(k, _, _)| k <= h) {
                    let block =
                        [0, 1, 2].map(|i| scaled[0][i] * b[0] + scaled[1][i] * b[1] + scaled[2][i] * b[2]);
                    for (i, sum) in block.into_iter().enumerate() {
                        let start = (3 * h + i) * n + 3 * k;
                        let row = &mut product[start..start + 3];
                        row.iter_mut().zip(sum.to_array()).for_each(|(sum, term)| *sum += term);
                    }
                }
            }
        }
        self.gains.copy_from_slice(gains);
    }

    /// Writes the change of the values, which is `fixed` (h) plus the response to the residuals, and J^T z; just `fixed`
    /// and zeros if the system is singular.
    pub(super) fn solve(
        &mut self,
        Request { damping, gains, fixed }: Request,
        change: &mut Vec<DVec3>,
        pulls: &mut Vec<DVec3>,
    ) {
        self.set_gains(gains);
        let n = self.residual.len();
        self.matrix.clone_from(&self.product);
        for i in 0..n {
            self.matrix[i * n + i] += damping;
        }
        self.apply_jacobian(fixed);
        self.row.iter_mut().zip(&self.residual).for_each(|(row, r)| *row += r);
        pulls.clear();
        pulls.resize(gains.len(), DVec3::ZERO);
        if solve_cholesky(&mut self.matrix, &mut self.row, &mut self.column) {
            for (task, value, rates) in &self.rows {
                let force = DVec3::from_slice(&self.row[3 * task..]);
                pulls[*value] += DVec3::from_array(rates.map(|rate| rate.dot(force)));
            }
        }
        change.clear();
        let changes = fixed.iter().zip(gains).zip(&*pulls);
        change.extend(changes.map(|((fixed, gain), pull)| *fixed - *gain * *gain * *pull));
    }

    /// Writes J times `change` to `row`.
    fn apply_jacobian(&mut self, change: &[DVec3]) {
        self.row.clear();
        self.row.resize(self.residual.len(), 0.0);
        for (task, value, rates) in &self.rows {
            let rate =
                rates[0] * change[*value].x + rates[1] * change[*value].y + rates[2] * change[*value].z;
            for i in 0..3 {
                self.row[3 * task + i] += rate[i];
            }
        }
    }
}

/// Solves the symmetric positive definite system `matrix * x = rhs` in place; false if it is not positive
/// definite. `matrix` has n * n numbers in row-major order; its lower triangle is read, and overwritten by
/// the Cholesky factor. `column` is a scratch buffer.
fn solve_cholesky(matrix: &mut [f64], rhs: &mut [f64], column: &mut Vec<f64>) -> bool {
    let n = rhs.len();
    column.clear();
    column.resize(n, 0.0);
    // Column by column, each subtracted from the columns to its right: the inner loop vectorizes.
    for j in 0..n {
        let diagonal = matrix[j * n + j];
        if diagonal.is_nan() || diagonal <= 0.0 {
            return false;
        }
        let root = diagonal.sqrt();
        matrix[j * n + j] = root;
        for i in j + 1..n {
            let row = &mut matrix[i * n..i * n + i + 1];
            let factor = row[j] / root;
            row[j] = factor;
            column[i] = factor;
            // Tasks without weight, and those that share no value.
            if factor == 0.0 {
                continue;
            }
            let (rest, known) = (&mut row[j + 1..], &column[j + 1..=i]);
            rest.iter_mut().zip(known).for_each(|(rest, known)| *rest -= factor * known);
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
    fn cholesky_recovers_the_solution() {
        // A = L L^T for a lower L; b = A x.
        let (l, x) = ([2.0, 0.0, 0.0, -1.0, 3.0, 0.0, 0.5, 4.0, 1.5], [1.0, -2.0, 0.25]);
        let mut a = [0.0; 9];
        for i in 0..3 {
            for j in 0..3 {
                a[3 * i + j] = (0..3).map(|k| l[3 * i + k] * l[3 * j + k]).sum();
            }
        }
        let mut b = [0, 1, 2].map(|i| (0..3).map(|j| a[3 * i + j] * x[j]).sum::<f64>());
        assert!(solve_cholesky(&mut a, &mut b, &mut Vec::new()));
        for (found, expected) in b.iter().zip(x) {
            assert!((found - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn cholesky_rejects_matrices_that_are_not_positive_definite() {
        let rejects = |matrix: &mut [f64], rhs: &mut [f64]| !solve_cholesky(matrix, rhs, &mut Vec::new());
        assert!(rejects(&mut [1.0, 2.0, 2.0, 1.0], &mut [1.0, 1.0]));
        assert!(rejects(&mut [0.0], &mut [1.0]));
        assert!(rejects(&mut [f64::NAN], &mut [1.0]));
    }
}
