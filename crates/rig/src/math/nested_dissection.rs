//! The elimination order for a system whose unknowns are points of a surface: nested dissection by
//! coordinates. Both halves come first, then the points that separate them, so that the factor has little
//! fill-in.
//!
//! A. George, "Nested dissection of a regular finite element mesh", SIAM Journal on Numerical Analysis 10(2),
//! 1973; here the cut is at the median of the longest axis instead of the middle of a grid.

use glam::Vec3;

/// The greatest size of a part that is not cut further.
const MIN_CUT_SIZE: usize = 24;

/// Returns a permutation of the points. `edges` are the pairs of points that share an entry of the matrix.
pub fn nested_dissection(points: &[Vec3], edges: impl Iterator<Item = (u32, u32)> + Clone) -> Vec<u32> {
    let n = points.len();
    let mut starts = vec![0usize; n + 1];
    for (i, j) in edges.clone() {
        starts[i as usize + 1] += 1;
        starts[j as usize + 1] += 1;
    }
    for k in 0..n {
        starts[k + 1] += starts[k];
    }
    let mut neighbours = vec![0u32; starts[n]];
    let mut next = starts.clone();
    for (i, j) in edges {
        for (from, to) in [(i, j), (j, i)] {
            neighbours[next[from as usize]] = to;
            next[from as usize] += 1;
        }
    }
    let mut cutter = Cutter { points, starts, neighbours, part: vec![0; n], parts: 0 };
    let mut order: Vec<u32> = (0..n as u32).collect();
    cutter.cut(&mut order);
    order
}

struct Cutter<'a> {
    points: &'a [Vec3],
    starts: Vec<usize>,
    neighbours: Vec<u32>,
    /// The most recent part of each point.
    part: Vec<u32>,
    parts: u32,
}

impl Cutter<'_> {
    /// Orders a part in place. The recursion depth is the logarithm of its size.
    fn cut(&mut self, part: &mut [u32]) {
        if part.len() <= MIN_CUT_SIZE {
            return;
        }
        let position = |v: u32| self.points[v as usize];
        let low = part.iter().fold(Vec3::INFINITY, |low, &v| low.min(position(v)));
        let high = part.iter().fold(Vec3::NEG_INFINITY, |high, &v| high.max(position(v)));
        let axis = (high - low).max_position();
        let middle = part.len() / 2;
        part.select_nth_unstable_by(middle, |&a, &b| {
            position(a)[axis].total_cmp(&position(b)[axis]).then(a.cmp(&b))
        });
        let (first, second) = part.split_at(middle);
        self.parts += 1;
        let beyond = self.parts;
        second.iter().for_each(|&v| self.part[v as usize] = beyond);
        // Points in the first half with a neighbour in the second separate the halves.
        let separates = |v: u32| {
            let range = self.starts[v as usize]..self.starts[v as usize + 1];
            self.neighbours[range].iter().any(|&other| self.part[other as usize] == beyond)
        };
        let (separator, mut sorted): (Vec<u32>, Vec<u32>) = first.iter().partition(|&&v| separates(v));
        let inner = sorted.len();
        sorted.extend_from_slice(second);
        sorted.extend(&separator);
        part.copy_from_slice(&sorted);
        let (halves, _) = part.split_at_mut(sorted.len() - separator.len());
        let (first, second) = halves.split_at_mut(inner);
        self.cut(first);
        self.cut(second);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sparse::{Factor, Symmetric};

    #[test]
    fn a_grid_fills_far_less_than_row_by_row() {
        let side = 40u32;
        let points: Vec<Vec3> =
            (0..side * side).map(|v| Vec3::new((v % side) as f32, (v / side) as f32, 0.0)).collect();
        let right = (0..side * side).filter(|v| v % side + 1 < side).map(|v| (v, v + 1));
        let up = (0..side * (side - 1)).map(|v| (v, v + side));
        let edges = right.chain(up);
        let order = nested_dissection(&points, edges.clone());
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..side * side), "a permutation");
        let matrix = Symmetric {
            diagonal: vec![4.1; points.len()],
            entries: edges.map(|(i, j)| (i, j, -1.0)).collect(),
        };
        let fill = |order| Factor::new(&matrix, order, |_| true).unwrap().entry_count();
        let (ours, plain) = (fill(order), fill((0..side * side).collect()));
        assert!(2 * ours < plain, "{ours} {plain}");
    }
}
