//! Weights of parts that do not bend: a head follows the bone of the head alone, wherever heat made it follow mostly that.

use crate::rig::weights::VertexWeights;

/// The share of a bone from which on a vertex follows it, and from which on it follows it alone. In the middle of the head, heat
/// gives the bone of the head 0.74 to 0.97 (the human, chibi, and others).
const SHARES: [f32; 2] = [0.15, 0.7];

/// Makes the vertices that mostly follow `bone` follow it alone; between them and the others the change is smooth. Rows keep
/// their sums.
pub fn rigid(weights: &VertexWeights, bone: u16) -> VertexWeights {
    let mut result = VertexWeights::none(0);
    for vertex in 0..weights.vertex_count() {
        let row: Vec<(u16, f32)> = weights.influences(vertex).collect();
        let sum: f32 = row.iter().map(|(_, weight)| weight).sum();
        let share = row.iter().filter(|(b, _)| *b == bone).map(|(_, weight)| weight / sum).sum::<f32>();
        let t = ((share - SHARES[0]) / (SHARES[1] - SHARES[0])).clamp(0.0, 1.0);
        let rigid = t * t * (3.0 - 2.0 * t);
        let scale = |b: u16| if b == bone { rigid / share } else { (1.0 - rigid) / (1.0 - share) };
        let changed =
            row.into_iter().map(|(b, weight)| (b, if share > 0.0 { scale(b) * weight } else { weight }));
        result.push_row(changed.filter(|(_, weight)| *weight > 0.0));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_rigid_and_keep_their_sums() {
        let mut weights = VertexWeights::none(0);
        for row in [
            vec![(0, 0.2), (3, 0.8)],
            vec![(0, 0.9), (3, 0.1)],
            vec![(0, 0.6), (3, 0.4)],
            vec![(1, 1.0)],
            vec![(3, 0.5)],
        ] {
            weights.push_row(row);
        }
        let rigid = rigid(&weights, 3);
        let row = |vertex| rigid.influences(vertex).collect::<Vec<(u16, f32)>>();
        assert_eq!(
            (row(0), row(1), row(3), row(4)),
            (vec![(3, 1.0)], vec![(0, 1.0)], vec![(1, 1.0)], vec![(3, 0.5)])
        );
        let between = row(2);
        assert!((between[0].1 + between[1].1 - 1.0).abs() < 1e-6 && between[1].1 > 0.3 && between[1].1 < 0.6);
    }
}
