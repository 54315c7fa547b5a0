//! Sparse symmetric positive definite systems: L D Lᵀ without pivoting, factorized once and solved for many
//! right-hand sides.
//!
//! The factorization works row by row along the elimination tree: T. Davis, "Algorithm 849: a concise sparse
//! Cholesky factorization package", ACM Transactions on Mathematical Software 31(4), 2005. Its speed depends
//! on a good elimination order: see [`super::nested_dissection`]. Subtrees that do not depend on each other are shared among
//! threads.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

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

/// No row.
const NONE: u32 = u32::MAX;

/// The least number of rows that are worth a thread.
const LEAST_ROWS: usize = 2048;
/// The rows after which progress is told.
const ROWS_OF_PROGRESS: usize = 1024;

/// The elimination tree: a row changes the columns of its descendants alone.
struct Tree {
    parent: Vec<u32>,
    /// The first row of each subtree, and its number of rows.
    lowest: Vec<u32>,
    sizes: Vec<u32>,
}

impl Tree {
    fn new(parent: Vec<u32>) -> Self {
        let mut lowest: Vec<u32> = (0..parent.len() as u32).collect();
        let mut sizes = vec![1; parent.len()];
        for row in 0..parent.len() {
            if let Some(above) = Some(parent[row]).filter(|above| *above != NONE) {
                let above = above as usize;
                lowest[above] = lowest[above].min(lowest[row]);
                sizes[above] += sizes[row];
            }
        }
        Self { parent, lowest, sizes }
    }

    /// Returns two neighbouring ranges of rows that do not depend on each other, as the start of the second and its end, which all
    /// rows behind come after; `None` if there are none, or if they are not worth a thread.
    fn halves(&self, first: usize, end: usize) -> Option<[usize; 2]> {
        let mut top = end;
        while top > first + LEAST_ROWS {
            let root = top - 1;
            let low = self.lowest[root] as usize;
            if self.sizes[root] as usize != top - low {
                return None;
            }
            match low > first {
                true if top - low >= LEAST_ROWS => return Some([low, top]),
                // A small subtree comes after the others.
                true => top = low,
                // All others are below this row.
                false => top = root,
            }
        }
        None
    }
}

/// What a factorization starts from.
struct Given<'a> {
    matrix: &'a Symmetric,
    upper: &'a Upper,
    order: &'a [u32],
    starts: &'a [usize],
    tree: &'a Tree,
}

/// The columns from `first` on of a factor that is being computed, with their entries, and what is remembered while a row is.
struct Columns<'a> {
    first: usize,
    rows: &'a mut [u32],
    values: &'a mut [f64],
    inverse_diagonal: &'a mut [f64],
    /// The end of the entries that each column has so far.
    filled: &'a mut [usize],
    y: &'a mut [f64],
    pattern: &'a mut [u32],
    path: &'a mut [u32],
    visited: &'a mut [u32],
}

impl Columns<'_> {
    /// The columns from one to another.
    fn part(&mut self, starts: &[usize], from: usize, to: usize) -> [Columns<'_>; 2] {
        let (columns, entries) = (from - self.first, starts[from] - starts[self.first]);
        let (ends, entry_ends) = (to - self.first, starts[to] - starts[self.first]);
        let (rows, more_rows) = self.rows[..entry_ends].split_at_mut(entries);
        let (values, more_values) = self.values[..entry_ends].split_at_mut(entries);
        let (inverse_diagonal, more_diagonal) = self.inverse_diagonal[..ends].split_at_mut(columns);
        let (filled, more_filled) = self.filled[..ends].split_at_mut(columns);
        let (y, more_y) = self.y[..ends].split_at_mut(columns);
        let (pattern, more_pattern) = self.pattern[..ends].split_at_mut(columns);
        let (path, more_path) = self.path[..ends].split_at_mut(columns);
        let (visited, more_visited) = self.visited[..ends].split_at_mut(columns);
        [
            Columns { first: self.first, rows, values, inverse_diagonal, filled, y, pattern, path, visited },
            Columns {
                first: from,
                rows: more_rows,
                values: more_values,
                inverse_diagonal: more_diagonal,
                filled: more_filled,
                y: more_y,
                pattern: more_pattern,
                path: more_path,
                visited: more_visited,
            },
        ]
    }

    /// Computes all rows: those of subtrees that do not depend on each other at the same time, with the same result to the bit.
    fn factorize(
        mut self,
        given: &Given<'_>,
        advance: &(impl Fn(usize) -> bool + Sync),
    ) -> Result<(), FactorizeError> {
        let (first, end) = (self.first, self.first + self.filled.len());
        let mut next = first;
        if let Some([middle, top]) = given.tree.halves(first, end) {
            let [before, behind] = self.part(given.starts, middle, top);
            let (before, behind) =
                rayon::join(|| before.factorize(given, advance), || behind.factorize(given, advance));
            before.and(behind)?;
            next = top;
        }
        let mut work = 0;
        for k in next..end {
            if (k - next) % ROWS_OF_PROGRESS == 0 && !advance(std::mem::take(&mut work)) {
                return Err(FactorizeError::Cancelled);
            }
            work += self.row(given, k)?;
        }
        advance(work);
        Ok(())
    }

    /// Computes a row: solves L x = the row of A, over the entries that the tree predicts. Returns the work.
    fn row(&mut self, given: &Given<'_>, k: usize) -> Result<usize, FactorizeError> {
        let Given { matrix, upper, order, starts, tree } = given;
        let (first, first_entry) = (self.first, starts[self.first]);
        let (mut top, row_index) = (self.pattern.len(), k as u32);
        self.visited[k - first] = row_index;
        let mut pivot = matrix.diagonal[order[k] as usize];
        let mut work = 0;
        for entry in upper.starts[k]..upper.starts[k + 1] {
            self.y[upper.rows[entry] as usize - first] = upper.values[entry];
            let (mut i, mut length) = (upper.rows[entry], 0);
            while self.visited[i as usize - first] != row_index {
                self.path[length] = i;
                length += 1;
                self.visited[i as usize - first] = row_index;
                i = tree.parent[i as usize];
            }
            while length > 0 {
                length -= 1;
                top -= 1;
                self.pattern[top] = self.path[length];
            }
        }
        for &i in &self.pattern[top..] {
            let i = i as usize - first;
            let x = std::mem::take(&mut self.y[i]);
            let start = starts[i + first] - first_entry;
            let end = self.filled[i] - first_entry;
            for (&row, &value) in self.rows[start..end].iter().zip(&self.values[start..end]) {
                self.y[row as usize - first] -= value * x;
            }
            let scaled = x * self.inverse_diagonal[i];
            pivot -= scaled * x;
            self.rows[end] = row_index;
            self.values[end] = scaled;
            self.filled[i] += 1;
            work += 2 * (end + 1 - start);
        }
        // Also false for NaN.
        if !(pivot > 0.0 && pivot.is_finite()) {
            return Err(FactorizeError::Indefinite);
        }
        self.inverse_diagonal[k - first] = 1.0 / pivot;
        Ok(work)
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
        progress: impl Fn(f32) -> bool + Sync,
    ) -> Result<Self, FactorizeError> {
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
        let mut filled = factor.starts[..n].to_vec();
        let (mut y, mut pattern, mut path) = (vec![0.0; n], vec![0u32; n], vec![0u32; n]);
        visited.fill(NONE);
        let columns = Columns {
            first: 0,
            rows: &mut factor.rows,
            values: &mut factor.values,
            inverse_diagonal: &mut factor.inverse_diagonal,
            filled: &mut filled,
            y: &mut y,
            pattern: &mut pattern,
            path: &mut path,
            visited: &mut visited,
        };
        let tree = Tree::new(parent);
        let given =
            Given { matrix, upper: &upper, order: &factor.order, starts: &factor.starts, tree: &tree };
        let work = AtomicUsize::new(0);
        let advance = |more: usize| progress(((work.fetch_add(more, Relaxed) + more) as f64 / total) as f32);
        columns.factorize(&given, &advance)?;
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
    use std::cmp::Ordering::{Equal, Greater, Less};

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

    /// Two halves of a grid, and the line between them last: factorized at the same time, they are what they are one after the
    /// other, to the bit; and every row comes after those that it depends on.
    #[test]
    fn halves_at_the_same_time_change_nothing() {
        let (width, height) = (120u32, 60u32);
        let mut random = Random::new(9);
        let mut matrix = Symmetric { diagonal: vec![0.1; (width * height) as usize], entries: Vec::new() };
        for i in 0..width * height {
            let neighbors = [(i % width + 1 < width, i + 1), (i + width < width * height, i + width)];
            for (_, j) in neighbors.into_iter().filter(|(is_inside, _)| *is_inside) {
                let value = f64::from(random.range(0.1, 1.0));
                matrix.entries.push((i, j, -value));
                matrix.diagonal[i as usize] += value;
                matrix.diagonal[j as usize] += value;
            }
        }
        let middle = width / 2;
        let side = |v: &u32| match (v % width).cmp(&middle) {
            Less => 0,
            Greater => 1,
            Equal => 2,
        };
        let mut order: Vec<u32> = (0..width * height).collect();
        order.sort_by_key(side);
        let factor = Factor::new(&matrix, order.clone(), |_| true).unwrap();
        let sizes = [0, 1, 2].map(|part| order.iter().filter(|v| side(v) == part).count());
        assert!(sizes[0] >= LEAST_ROWS && sizes[1] >= LEAST_ROWS, "{sizes:?}");
        let first = |k: usize| factor.rows[factor.starts[k]..factor.starts[k + 1]].first().copied();
        let parent: Vec<u32> = (0..order.len()).map(|k| first(k).unwrap_or(NONE)).collect();
        let tree = Tree::new(parent);
        assert_eq!(tree.halves(0, order.len()), Some([sizes[0], sizes[0] + sizes[1]]));
        // One after the other: as if no row were the last of its subtree.
        let serial = Tree { sizes: vec![0; order.len()], ..tree };
        let upper = matrix.upper(&order);
        let (mut rows, mut values) = (vec![0; factor.rows.len()], vec![0.0; factor.values.len()]);
        let (mut inverse_diagonal, mut filled) =
            (vec![0.0; order.len()], factor.starts[..order.len()].to_vec());
        let (mut y, mut pattern) = (vec![0.0; order.len()], vec![0; order.len()]);
        let (mut path, mut visited) = (pattern.clone(), vec![NONE; order.len()]);
        let columns = Columns {
            first: 0,
            rows: &mut rows,
            values: &mut values,
            inverse_diagonal: &mut inverse_diagonal,
            filled: &mut filled,
            y: &mut y,
            pattern: &mut pattern,
            path: &mut path,
            visited: &mut visited,
        };
        let given =
            Given { matrix: &matrix, upper: &upper, order: &order, starts: &factor.starts, tree: &serial };
        columns.factorize(&given, &|_| true).unwrap();
        assert!(
            rows == factor.rows && values == factor.values && inverse_diagonal == factor.inverse_diagonal
        );
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
