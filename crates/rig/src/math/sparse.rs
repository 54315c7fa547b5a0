//! Sparse symmetric positive definite systems: L D Lᵀ without pivoting, factorized once and solved for many
//! right-hand sides.
//!
//! The factorization works row by row along the elimination tree: T. Davis, "Algorithm 849: a concise sparse
//! Cholesky factorization package", ACM Transactions on Mathematical Software 31(4), 2005. Its speed depends
//! on a good elimination order: see [`super::nested_dissection`].

/// The number of right-hand sides solved at once, so that the factor is read once for all of them.
pub const LANES: usize = 8;

/// A symmetric matrix: its diagonal, and each off-diagonal entry once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Symmetric {
    /// The N diagonal entries.
    pub diagonal: Vec<f64>,
    /// The off-diagonal entries (i, j, value) with i != j: each pair once, in any order; each also represents
    /// (j, i).
    pub entries: Vec<(u32, u32, f64)>,
}

/// The factorization P A Pᵀ = L D Lᵀ.
pub struct Factor {
    /// The row of A for each of the N rows of the factor.
    order: Vec<u32>,
    /// The start of each column of L, and the end of the last one (N + 1). The unit diagonal is not stored.
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
    inverse_diagonal: Vec<f64>,
}

/// The reason why a factorization failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorizeError {
    /// A pivot is not positive.
    Indefinite,
    Cancelled,
}

/// The part of a matrix above the diagonal, in elimination order, column by column.
struct Upper {
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl Symmetric {
    fn upper(&self, order: &[u32]) -> Upper {
        let mut position = vec![0u32; order.len()];
        for (k, &v) in order.iter().enumerate() {
            position[v as usize] = k as u32;
        }
        let ends = |&(i, j, _): &(u32, u32, f64)| {
            let (i, j) = (position[i as usize], position[j as usize]);
            (i.min(j), i.max(j))
        };
        let mut starts = vec![0; order.len() + 1];
        for entry in &self.entries {
            starts[ends(entry).1 as usize + 1] += 1;
        }
        for k in 0..order.len() {
            starts[k + 1] += starts[k];
        }
        let mut next = starts.clone();
        let mut upper =
            Upper { starts, rows: vec![0; self.entries.len()], values: vec![0.0; self.entries.len()] };
        for entry in &self.entries {
            let (row, column) = ends(entry);
            let slot = &mut next[column as usize];
            upper.rows[*slot] = row;
            upper.values[*slot] = entry.2;
            *slot += 1;
        }
        upper
    }
}

impl Factor {
    /// Factorizes `matrix` in the elimination order `order`, a permutation of 0..N. Calls `progress` from
    /// time to time with the fraction of the work done (0 to 1); if it returns false, the work is cancelled.
    ///
    /// # Errors
    ///
    /// If the matrix is not positive definite, or if `progress` returns false.
    pub fn new(
        matrix: &Symmetric,
        order: Vec<u32>,
        mut progress: impl FnMut(f32) -> bool,
    ) -> Result<Self, FactorizeError> {
        const NONE: u32 = u32::MAX;
        let n = order.len();
        let upper = matrix.upper(&order);
        // The elimination tree, and the number of entries in each column.
        let (mut parent, mut counts, mut visited) = (vec![NONE; n], vec![0usize; n], vec![NONE; n]);
        for k in 0..n as u32 {
            visited[k as usize] = k;
            for &row in &upper.rows[upper.starts[k as usize]..upper.starts[k as usize + 1]] {
                let mut i = row as usize;
                while visited[i] != k {
                    if parent[i] == NONE {
                        parent[i] = k;
                    }
                    counts[i] += 1;
                    visited[i] = k;
                    i = parent[i] as usize;
                }
            }
        }
        let mut starts = vec![0; n + 1];
        for k in 0..n {
            starts[k + 1] = starts[k] + counts[k];
        }
        let total: f64 = counts.iter().map(|&c| (c * c) as f64).sum::<f64>().max(1.0);
        let mut factor = Self {
            order,
            rows: vec![0; starts[n]],
            values: vec![0.0; starts[n]],
            inverse_diagonal: vec![0.0; n],
            starts,
        };
        // Row by row: solve L x = the row of A, over the entries that the tree predicts.
        let mut filled = factor.starts[..n].to_vec();
        let (mut y, mut pattern, mut path) = (vec![0.0; n], vec![0u32; n], vec![0u32; n]);
        visited.fill(NONE);
        let mut work = 0.0;
        for k in 0..n {
            if k % 1024 == 0 && !progress((work / total) as f32) {
                return Err(FactorizeError::Cancelled);
            }
            let (mut top, row_index) = (n, k as u32);
            visited[k] = row_index;
            let mut pivot = matrix.diagonal[factor.order[k] as usize];
            for entry in upper.starts[k]..upper.starts[k + 1] {
                y[upper.rows[entry] as usize] = upper.values[entry];
                let (mut i, mut length) = (upper.rows[entry], 0);
                while visited[i as usize] != row_index {
                    path[length] = i;
                    length += 1;
                    visited[i as usize] = row_index;
                    i = parent[i as usize];
                }
                while length > 0 {
                    length -= 1;
                    top -= 1;
                    pattern[top] = path[length];
                }
            }
            for &i in &pattern[top..] {
                let i = i as usize;
                let x = std::mem::take(&mut y[i]);
                let column = factor.starts[i]..filled[i];
                for (&row, &value) in factor.rows[column.clone()].iter().zip(&factor.values[column]) {
                    y[row as usize] -= value * x;
                }
                let scaled = x * factor.inverse_diagonal[i];
                pivot -= scaled * x;
                factor.rows[filled[i]] = row_index;
                factor.values[filled[i]] = scaled;
                filled[i] += 1;
                work += 2.0 * (filled[i] - factor.starts[i]) as f64;
            }
            // Also false for NaN.
            if !(pivot > 0.0 && pivot.is_finite()) {
                return Err(FactorizeError::Indefinite);
            }
            factor.inverse_diagonal[k] = 1.0 / pivot;
        }
        Ok(factor)
    }

    /// The number of entries of L below the diagonal.
    #[cfg(test)]
    pub(super) fn entry_count(&self) -> usize {
        self.values.len()
    }

    /// Solves A x = b for [`LANES`] right-hand sides; overwrites `b` (N rows) with x.
    pub fn solve(&self, b: &mut [[f64; LANES]]) {
        let n = self.order.len();
        let mut x: Vec<[f64; LANES]> = self.order.iter().map(|&v| b[v as usize]).collect();
        for j in 0..n {
            let xj = x[j];
            let column = self.starts[j]..self.starts[j + 1];
            for (&row, &value) in self.rows[column.clone()].iter().zip(&self.values[column]) {
                let to = &mut x[row as usize];
                for lane in 0..LANES {
                    to[lane] -= value * xj[lane];
                }
            }
        }
        for j in (0..n).rev() {
            let mut xj = x[j].map(|value| value * self.inverse_diagonal[j]);
            let column = self.starts[j]..self.starts[j + 1];
            for (&row, &value) in self.rows[column.clone()].iter().zip(&self.values[column]) {
                let from = &x[row as usize];
                for lane in 0..LANES {
                    xj[lane] -= value * from[lane];
                }
            }
            x[j] = xj;
        }
        for (&v, x) in self.order.iter().zip(x) {
            b[v as usize] = x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    /// Returns a diagonally dominant, and therefore positive definite, matrix.
    fn random(n: u32, seed: u64) -> Symmetric {
        let mut random = Random::new(seed);
        let mut matrix = Symmetric { diagonal: vec![0.1; n as usize], entries: Vec::new() };
        for i in 0..n {
            for j in 0..i {
                if random.range(0.0, 1.0) < 0.15 {
                    let value = f64::from(random.range(-1.0, 1.0));
                    matrix.entries.push(if value > 0.0 { (i, j, value) } else { (j, i, value) });
                    matrix.diagonal[i as usize] += value.abs();
                    matrix.diagonal[j as usize] += value.abs();
                }
            }
        }
        matrix
    }

    fn multiply(matrix: &Symmetric, x: &[[f64; LANES]]) -> Vec<[f64; LANES]> {
        let mut b: Vec<[f64; LANES]> = vec![[0.0; LANES]; x.len()];
        for lane in 0..LANES {
            for (v, d) in matrix.diagonal.iter().enumerate() {
                b[v][lane] += d * x[v][lane];
            }
            for &(i, j, value) in &matrix.entries {
                b[i as usize][lane] += value * x[j as usize][lane];
                b[j as usize][lane] += value * x[i as usize][lane];
            }
        }
        b
    }

    #[test]
    fn the_solution_solves_the_system_in_any_order() {
        for (n, seed) in [(1, 1), (2, 2), (40, 3), (90, 4)] {
            let matrix = random(n, seed);
            let mut numbers = Random::new(seed);
            let x: Vec<[f64; LANES]> =
                (0..n).map(|_| std::array::from_fn(|_| f64::from(numbers.range(-5.0, 5.0)))).collect();
            let forward: Vec<u32> = (0..n).collect();
            let backward = forward.iter().rev().copied().collect();
            for order in [forward, backward] {
                let factor = Factor::new(&matrix, order, |_| true).unwrap();
                let mut found = multiply(&matrix, &x);
                factor.solve(&mut found);
                for (found, expected) in found.iter().flatten().zip(x.iter().flatten()) {
                    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
                }
            }
        }
    }

    #[test]
    fn indefinite_matrices_are_rejected_and_work_can_be_cancelled() {
        let matrix = Symmetric { diagonal: vec![1.0, 1.0], entries: vec![(0, 1, 2.0)] };
        let result = Factor::new(&matrix, vec![0, 1], |_| true);
        assert_eq!(result.err(), Some(FactorizeError::Indefinite));
        let result = Factor::new(&random(5, 1), (0..5).collect(), |_| false);
        assert_eq!(result.err(), Some(FactorizeError::Cancelled));
    }
}
