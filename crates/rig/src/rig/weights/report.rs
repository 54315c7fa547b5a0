//! Checks weights for problems: missing weights, wrong sums, too many influences, idle bones.

use super::vertex_weights::VertexWeights;
use crate::rig::skeleton::Skeleton;

/// Sums that differ from 1 by more than this are reported.
pub const SUM_TOLERANCE: f64 = 1e-4;
/// Vertices with more influences than this are listed: many game engines support four.
pub const INFLUENCE_LIMIT: usize = 4;

/// Vertices and bones with possible problems, in ascending order, and the number of influences per vertex. An
/// influence is a weight above zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightReport {
    pub vertices: usize,
    pub bones: usize,
    /// Vertices without entries, which skinning does not move.
    pub unweighted: Vec<u32>,
    /// Vertices with entries whose sum is not 1.
    pub off_sum: Vec<u32>,
    /// Vertices with more than [`INFLUENCE_LIMIT`] influences.
    pub over_limit: Vec<u32>,
    /// Bones that move no vertex.
    pub idle_bones: Vec<usize>,
    /// The fewest, mean and most influences of vertices with entries; zeros if there are none.
    pub fewest: usize,
    pub mean: f64,
    pub most: usize,
}

impl WeightReport {
    /// Creates the report for weights of `skeleton`.
    pub fn new(weights: &VertexWeights, skeleton: &Skeleton) -> Self {
        let bones = skeleton.bones.len();
        let mut report =
            Self { vertices: weights.vertex_count(), bones, fewest: usize::MAX, ..Self::default() };
        let mut is_used = vec![false; bones];
        let mut influences = 0;
        for (v, (row_bones, row)) in weights.rows().enumerate() {
            let v = v as u32;
            if row.is_empty() {
                report.unweighted.push(v);
                continue;
            }
            let mut count = 0;
            for (bone, weight) in row_bones.iter().zip(row) {
                if *weight > 0.0 {
                    count += 1;
                    if let Some(is_used) = is_used.get_mut(usize::from(*bone)) {
                        *is_used = true;
                    }
                }
            }
            if !sums_to_one(row) {
                report.off_sum.push(v);
            }
            if count > INFLUENCE_LIMIT {
                report.over_limit.push(v);
            }
            report.fewest = report.fewest.min(count);
            report.most = report.most.max(count);
            influences += count;
        }
        let weighted = report.vertices - report.unweighted.len();
        if weighted == 0 {
            report.fewest = 0;
        }
        report.mean = influences as f64 / weighted.max(1) as f64;
        let is_idle = |bone: &usize| !is_used[*bone] && !skeleton.bones[*bone].link;
        report.idle_bones = (0..bones).filter(is_idle).collect();
        report
    }
}

/// Whether the weights of a row add up to 1, within [`SUM_TOLERANCE`].
pub fn sums_to_one(row: &[f32]) -> bool {
    let sum: f64 = row.iter().map(|&weight| f64::from(weight)).sum();
    (sum - 1.0).abs() <= SUM_TOLERANCE
}
