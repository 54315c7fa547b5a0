//! What is to be known of weights before they are trusted.

use super::vertex_weights::VertexWeights;
use crate::rig::skeleton::Skeleton;

/// Sums that differ from 1 by more than this are reported.
pub const SUM_TOLERANCE: f64 = 1e-4;
/// Vertices with more influences than this are counted: game engines take four.
pub const MANY: usize = 4;

/// Vertices and bones to look at, in ascending order, and how many influences vertices have. An influence
/// is a weight above zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightReport {
    pub vertices: usize,
    pub bones: usize,
    /// Vertices without entries; they stay where they are.
    pub unweighted: Vec<u32>,
    /// Vertices with entries whose sum is not 1.
    pub off_sum: Vec<u32>,
    /// Vertices with more than [`MANY`] influences.
    pub many: Vec<u32>,
    /// Bones that move no vertex.
    pub idle_bones: Vec<usize>,
    /// Fewest, mean and most influences of the vertices that have entries; zeros where there are none.
    pub fewest: usize,
    pub mean: f64,
    pub most: usize,
}

impl WeightReport {
    /// The report on weights that belong to `skeleton`.
    pub fn new(weights: &VertexWeights, skeleton: &Skeleton) -> Self {
        let bones = skeleton.bones.len();
        let mut report = Self {
            vertices: weights.vertex_count(),
            bones,
            fewest: usize::MAX,
            ..Self::default()
        };
        let mut works = vec![false; bones];
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
                    if let Some(works) = works.get_mut(usize::from(*bone)) {
                        *works = true;
                    }
                }
            }
            if !is_one(row) {
                report.off_sum.push(v);
            }
            if count > MANY {
                report.many.push(v);
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
        let is_idle = |bone: &usize| !works[*bone] && !skeleton.bones[*bone].link;
        report.idle_bones = (0..bones).filter(is_idle).collect();
        report
    }
}

/// Whether weights add up to one.
pub fn is_one(row: &[f32]) -> bool {
    let sum: f64 = row.iter().map(|&weight| f64::from(weight)).sum();
    (sum - 1.0).abs() <= SUM_TOLERANCE
}
