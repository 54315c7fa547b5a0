//! Refines calculated weights: limit, prune, smooth, normalise, clear.
//!
//! Weights stay finite and non-negative, and the bones of a vertex in ascending order. Rows that need no
//! change are preserved bit for bit.

use super::vertex_weights::VertexWeights;
use crate::mesh::halfedge::HalfedgeMesh;
use serde::{Deserialize, Serialize};

/// A refinement of all vertices or some of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refinement {
    /// Keeps the `most` largest weights of a vertex (among equal ones, those of the first bones); if any is
    /// dropped, the others are scaled to sum to 1.
    Limit { most: usize },
    /// Drops weights below a threshold; if any is dropped, the others are scaled to sum to 1. A vertex always
    /// keeps its largest weight.
    Prune { below: f32 },
    /// Moves the weights of a vertex towards the mean of its neighbours along edges by `factor`, repeated
    /// `times` times; all vertices at once, so that their order does not matter. Neighbours without weights
    /// are ignored; a vertex without weights takes the mean of the others. The weights then sum to 1, except where no
    /// neighbour has any: there they stay.
    Smooth { factor: f32, times: usize },
    /// Scales weights to sum to 1.
    Normalize,
    /// Removes all weights.
    Clear,
}

/// Smaller weights are dropped by smoothing, since each step spreads them by another ring of vertices.
const FAINT: f64 = 1e-5;
/// The tolerance of a sum of 1 in single precision.
const ROUNDING: f64 = 1e-6;

impl Refinement {
    /// Returns the refined weights. `vertices`: the vertices to refine, in any order; `None` for all; indices
    /// out of range are ignored. `surface` defines which vertices are neighbours.
    pub fn apply(
        &self,
        weights: &VertexWeights,
        surface: &HalfedgeMesh,
        vertices: Option<&[u32]>,
    ) -> VertexWeights {
        let all = weights.vertex_count();
        let mut chosen = vec![vertices.is_none(); all];
        for &v in vertices.unwrap_or_default() {
            if let Some(chosen) = chosen.get_mut(v as usize) {
                *chosen = true;
            }
        }
        if let Refinement::Smooth { factor, times } = *self {
            return smooth(weights, surface, &chosen, f64::from(factor), times);
        }
        let mut out = VertexWeights::none(0);
        let mut row = Vec::new();
        for (v, chosen) in chosen.iter().enumerate() {
            row.clear();
            row.extend(weights.influences(v));
            if *chosen {
                self.apply_to_row(&mut row);
            }
            out.push_row(row.iter().copied());
        }
        out
    }

    fn apply_to_row(&self, row: &mut Row) {
        match *self {
            Refinement::Limit { most } => limit(row, most),
            Refinement::Prune { below } => prune(row, below),
            Refinement::Normalize => normalize(row),
            Refinement::Clear => row.clear(),
            Refinement::Smooth { .. } => {}
        }
    }
}

type Row = Vec<(u16, f32)>;

fn limit(row: &mut Row, most: usize) {
    if row.len() <= most {
        return;
    }
    row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    row.truncate(most);
    row.sort_unstable_by_key(|(bone, _)| *bone);
    normalize(row);
}

fn prune(row: &mut Row, below: f32) {
    if row.iter().all(|(_, weight)| *weight >= below) {
        return;
    }
    let largest = |a: &(u16, f32), b: &(u16, f32)| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0));
    let strongest = row.iter().copied().max_by(largest);
    row.retain(|(_, weight)| *weight >= below);
    if row.is_empty() {
        row.extend(strongest);
    }
    normalize(row);
}

fn normalize(row: &mut Row) {
    let sum: f64 = row.iter().map(|(_, weight)| f64::from(*weight)).sum();
    if sum > 0.0 && sum.is_finite() && (sum - 1.0).abs() > ROUNDING {
        for (_, weight) in row {
            *weight = (f64::from(*weight) / sum) as f32;
        }
    }
}

fn smooth(
    weights: &VertexWeights,
    surface: &HalfedgeMesh,
    chosen: &[bool],
    factor: f64,
    times: usize,
) -> VertexWeights {
    let bones = weights.bones.iter().max().map_or(0, |&bone| usize::from(bone) + 1);
    let mut sums = vec![0.0; bones];
    let mut touched: Vec<u16> = Vec::new();
    let mut current = weights.clone();
    for _ in 0..times {
        let mut next = VertexWeights::none(0);
        for (v, chosen) in chosen.iter().enumerate() {
            if !*chosen || v >= surface.vertex_count() {
                next.push_row(current.influences(v));
                continue;
            }
            let neighbours = || {
                let out = surface.outgoing(v as u32);
                let ends = out.map(|h| surface.vertex_of(HalfedgeMesh::twin(h)) as usize);
                ends.filter(|&n| total(&current, n) > 0.0)
            };
            let count = neighbours().count();
            if count == 0 {
                next.push_row(current.influences(v));
                continue;
            }
            let before = total(&current, v);
            let blend = if before > 0.0 { factor } else { 1.0 };
            let mut add = |v: usize, scale: f64| {
                for (bone, weight) in current.influences(v) {
                    let sum = &mut sums[usize::from(bone)];
                    if *sum == 0.0 {
                        touched.push(bone);
                    }
                    *sum += f64::from(weight) * scale;
                }
            };
            if before > 0.0 {
                add(v, (1.0 - blend) / before);
            }
            for n in neighbours() {
                add(n, blend / (count as f64 * total(&current, n)));
            }
            touched.sort_unstable();
            touched.dedup();
            let sum: f64 = touched.iter().map(|&b| without_faint(sums[usize::from(b)])).sum();
            let row = touched.iter().map(|&b| (b, without_faint(sums[usize::from(b)]) / sum));
            next.push_row(row.filter(|(_, w)| *w > 0.0).map(|(b, w)| (b, w as f32)));
            for bone in touched.drain(..) {
                sums[usize::from(bone)] = 0.0;
            }
        }
        current = next;
    }
    current
}

/// Returns 0 for weights too faint to keep.
fn without_faint(weight: f64) -> f64 {
    if weight < FAINT { 0.0 } else { weight }
}

fn total(weights: &VertexWeights, v: usize) -> f64 {
    weights.row(v).1.iter().map(|&weight| f64::from(weight)).sum()
}
