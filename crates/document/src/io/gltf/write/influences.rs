//! The joints that move a vertex, as engines expect them: the largest weights, with a sum of 1.

use crate::io::export::Influences;
use crate::rig::weights::VertexWeights;

/// Weights of joints, and statistics of their differences to the weights of bones.
#[derive(Default)]
pub struct JointWeights {
    /// Joints per vertex, largest weight first. Vertices without weights have the neutral joint.
    pub rows: VertexWeights,
    /// The number of vertices that no bone moves.
    pub unweighted: usize,
    /// The number of vertices with more bones than are written.
    pub truncated: usize,
    /// The number of vertices with more than four bones, all of which are written.
    pub beyond_four: usize,
    /// The largest fraction of a vertex's weight that is dropped.
    pub max_truncated: f64,
    /// The number of vertices whose weights do not sum to 1 within a thousandth.
    pub unnormalised: usize,
    /// Vertices that move differently than with the weights of the scene.
    pub changed: Vec<usize>,
}

const SET_SIZE: usize = 4;

impl JointWeights {
    /// Converts weights. `joint_of` is the joint of each bone; `neutral` the joint that never moves.
    pub fn new(
        weights: &VertexWeights,
        vertices: usize,
        joint_of: &[Option<usize>],
        neutral: u16,
        influences: Influences,
    ) -> Self {
        let mut result = Self::default();
        let mut row: Vec<(u16, f64)> = Vec::new();
        for vertex in 0..vertices {
            row.clear();
            for (bone, weight) in weights.influences(vertex) {
                let joint = joint_of.get(usize::from(bone)).copied().flatten();
                // A missing bone does not move.
                let joint = joint.map_or(neutral, |joint| joint as u16);
                if weight > 0.0 {
                    match row.iter_mut().find(|(other, _)| *other == joint) {
                        Some((_, sum)) => *sum += f64::from(weight),
                        None => row.push((joint, f64::from(weight))),
                    }
                }
            }
            result.add(vertex, &mut row, neutral, influences);
        }
        result
    }

    fn add(&mut self, vertex: usize, row: &mut Vec<(u16, f64)>, neutral: u16, influences: Influences) {
        let total: f64 = row.iter().map(|(_, weight)| weight).sum();
        if total <= 0.0 {
            self.unweighted += 1;
            self.rows.push_row([(neutral, 1.0)]);
            return;
        }
        row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let unnormalised = (total - 1.0).abs() > 1e-3;
        self.unnormalised += usize::from(unnormalised);
        let is_cut = influences == Influences::Four && row.len() > SET_SIZE;
        self.beyond_four += usize::from(!is_cut && row.len() > SET_SIZE);
        if is_cut {
            self.truncated += 1;
            row.truncate(SET_SIZE);
        }
        let remaining: f64 = row.iter().map(|(_, weight)| weight).sum();
        self.max_truncated = self.max_truncated.max(1.0 - remaining / total);
        if is_cut || unnormalised {
            self.changed.push(vertex);
        }
        let mut entries: Vec<(u16, f32)> =
            row.iter().map(|&(joint, weight)| (joint, (weight / remaining) as f32)).collect();
        // The addition may round again.
        for _ in 0..3 {
            let sum: f32 = entries.iter().map(|(_, weight)| weight).sum();
            entries[0].1 += 1.0 - sum;
        }
        // Remove weights that were rounded to zero.
        entries.retain(|(_, weight)| *weight > 0.0);
        self.rows.push_row(entries);
    }

    /// The number of sets of four for the vertex with most influences.
    pub fn sets(&self) -> usize {
        self.rows.max_influences().div_ceil(SET_SIZE).max(1)
    }

    /// Returns the joints and weights of a vertex in a set, padded with joint 0 of weight 0.
    pub fn set(&self, vertex: usize, set: usize) -> ([u16; 4], [f32; 4]) {
        let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
        let entries = self.rows.influences(vertex).skip(SET_SIZE * set).take(SET_SIZE);
        for (slot, (joint, weight)) in entries.enumerate() {
            (joints[slot], weights[slot]) = (joint, weight);
        }
        (joints, weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(row: &[(u16, f32)], influences: Influences) -> JointWeights {
        let mut weights = VertexWeights::default();
        weights.push_row(row.iter().copied());
        let joints: Vec<_> = (0..8).map(Some).collect();
        JointWeights::new(&weights, 1, &joints, 8, influences)
    }

    #[test]
    fn the_four_largest_sum_to_one() {
        let row = [(0, 0.05), (1, 0.3), (2, 0.1), (3, 0.25), (4, 0.3)];
        let four = written(&row, Influences::Four);
        let joints: Vec<u16> = four.rows.influences(0).map(|(joint, _)| joint).collect();
        assert_eq!(joints, [1, 4, 3, 2]);
        assert_eq!(four.rows.influences(0).map(|(_, weight)| weight).sum::<f32>(), 1.0);
        assert_eq!((four.truncated, four.sets(), &four.changed[..]), (1, 1, &[0][..]));
        assert!((four.max_truncated - 0.05).abs() < 1e-6);
        let all = written(&row, Influences::All);
        assert_eq!((all.truncated, all.sets()), (0, 2));
        let (joints, weights) = all.set(0, 1);
        assert_eq!(joints, [0; 4]);
        assert!(weights[0] > 0.04 && weights[1..] == [0.0; 3]);
    }

    #[test]
    fn vertices_without_weights_have_the_neutral_joint() {
        for row in [&[][..], &[(3, 0.0)]] {
            let none = written(row, Influences::Four);
            assert_eq!((none.unweighted, none.set(0, 0)), (1, ([8, 0, 0, 0], [1.0, 0.0, 0.0, 0.0])));
        }
        let half = written(&[(2, 0.25), (1, 0.25)], Influences::Four);
        assert_eq!((half.unnormalised, half.set(0, 0)), (1, ([1, 2, 0, 0], [0.5, 0.5, 0.0, 0.0])));
    }
}
