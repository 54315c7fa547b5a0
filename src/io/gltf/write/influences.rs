//! Which joints move a vertex, as engines take it: the largest weights, which sum to 1.

use super::options::Influences;
use crate::rig::weights::VertexWeights;

/// Weights over joints, and what of the bones' weights they leave out.
#[derive(Default)]
pub struct Written {
    /// Joints, largest weight first. Vertices without weights have the neutral joint.
    pub rows: VertexWeights,
    /// Whether there is a vertex that no bone moves.
    pub standing: usize,
    /// Vertices with more bones than are written.
    pub cut: usize,
    /// Vertices with more than four bones, all of which are written.
    pub further: usize,
    /// The largest part of a vertex's weight that is left out.
    pub most_cut: f64,
    /// Vertices whose weights do not sum to 1, by more than a thousandth.
    pub unnormalised: usize,
    /// Vertices that move otherwise than by the weights of the scene.
    pub different: Vec<usize>,
}

const AT_MOST: usize = 4;

impl Written {
    /// `joint_of`: per bone. `neutral`: the joint that never moves.
    pub fn new(
        weights: &VertexWeights,
        vertices: usize,
        joint_of: &[Option<usize>],
        neutral: u16,
        influences: Influences,
    ) -> Self {
        let mut written = Self::default();
        let mut row: Vec<(u16, f64)> = Vec::new();
        for vertex in 0..vertices {
            row.clear();
            for (bone, weight) in weights.influences(vertex) {
                let joint = joint_of.get(usize::from(bone)).copied().flatten();
                // A bone that is not there does not move.
                let joint = joint.map_or(neutral, |joint| joint as u16);
                if weight > 0.0 {
                    match row.iter_mut().find(|(other, _)| *other == joint) {
                        Some((_, sum)) => *sum += f64::from(weight),
                        None => row.push((joint, f64::from(weight))),
                    }
                }
            }
            written.add(vertex, &mut row, neutral, influences);
        }
        written
    }

    fn add(&mut self, vertex: usize, row: &mut Vec<(u16, f64)>, neutral: u16, influences: Influences) {
        let whole: f64 = row.iter().map(|(_, weight)| weight).sum();
        if whole <= 0.0 {
            self.standing += 1;
            self.rows.push_row([(neutral, 1.0)]);
            return;
        }
        row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let unnormalised = (whole - 1.0).abs() > 1e-3;
        self.unnormalised += usize::from(unnormalised);
        let is_cut = influences == Influences::Four && row.len() > AT_MOST;
        self.further += usize::from(!is_cut && row.len() > AT_MOST);
        if is_cut {
            self.cut += 1;
            row.truncate(AT_MOST);
        }
        let kept: f64 = row.iter().map(|(_, weight)| weight).sum();
        self.most_cut = self.most_cut.max(1.0 - kept / whole);
        if is_cut || unnormalised {
            self.different.push(vertex);
        }
        let mut parts: Vec<(u16, f32)> = row
            .iter()
            .map(|&(joint, weight)| (joint, (weight / kept) as f32))
            .collect();
        // Adding may round again.
        for _ in 0..3 {
            let sum: f32 = parts.iter().map(|(_, weight)| weight).sum();
            parts[0].1 += 1.0 - sum;
        }
        // Too small for the number.
        parts.retain(|(_, weight)| *weight > 0.0);
        self.rows.push_row(parts);
    }

    /// Sets of four that hold the longest row.
    pub fn sets(&self) -> usize {
        self.rows.max_influences().div_ceil(AT_MOST).max(1)
    }

    /// The joints and weights of a vertex in a set, filled up with joint 0 of weight 0.
    pub fn set(&self, vertex: usize, set: usize) -> ([u16; 4], [f32; 4]) {
        let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
        let entries = self.rows.influences(vertex).skip(AT_MOST * set).take(AT_MOST);
        for (at, (joint, weight)) in entries.enumerate() {
            (joints[at], weights[at]) = (joint, weight);
        }
        (joints, weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(row: &[(u16, f32)], influences: Influences) -> Written {
        let mut weights = VertexWeights::default();
        weights.push_row(row.iter().copied());
        let joints: Vec<_> = (0..8).map(Some).collect();
        Written::new(&weights, 1, &joints, 8, influences)
    }

    #[test]
    fn the_four_largest_sum_to_one() {
        let row = [(0, 0.05), (1, 0.3), (2, 0.1), (3, 0.25), (4, 0.3)];
        let four = written(&row, Influences::Four);
        let joints: Vec<u16> = four.rows.influences(0).map(|(joint, _)| joint).collect();
        assert_eq!(joints, [1, 4, 3, 2]);
        assert_eq!(
            four.rows.influences(0).map(|(_, weight)| weight).sum::<f32>(),
            1.0
        );
        assert_eq!((four.cut, four.sets(), &four.different[..]), (1, 1, &[0][..]));
        assert!((four.most_cut - 0.05).abs() < 1e-6);
        let all = written(&row, Influences::All);
        assert_eq!((all.cut, all.sets()), (0, 2));
        let (joints, weights) = all.set(0, 1);
        assert_eq!(joints, [0; 4]);
        assert!(weights[0] > 0.04 && weights[1..] == [0.0; 3]);
    }

    #[test]
    fn vertices_without_weights_have_the_neutral_joint() {
        for row in [&[][..], &[(3, 0.0)]] {
            let none = written(row, Influences::Four);
            assert_eq!(
                (none.standing, none.set(0, 0)),
                (1, ([8, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]))
            );
        }
        let half = written(&[(2, 0.25), (1, 0.25)], Influences::Four);
        assert_eq!(
            (half.unnormalised, half.set(0, 0)),
            (1, ([1, 2, 0, 0], [0.5, 0.5, 0.0, 0.0]))
        );
    }
}
