//! Calculates weights by any method, for all bones or for some. The window runs this in the background and
//! headless commands run it directly, with the same result.
//!
//! A calculation for some bones calculates all weights, and only the chosen bones take their share of each
//! vertex from the result. The stored weights of the other bones keep their proportions and fill the rest, so
//! manual refinements of bones that did not move survive.

use super::method::{Calculated, Method, MethodError};
use super::progress::Progress;
use super::vertex_weights::VertexWeights;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::skeleton::Skeleton;
use std::sync::Arc;

/// A calculation and all of its inputs.
#[derive(Clone, Debug)]
pub struct Calculation {
    pub method: Method,
    pub skeleton: Arc<Skeleton>,
    /// The surface in skeleton space.
    pub surface: Arc<HalfedgeMesh>,
    /// The bones to calculate; indices out of range are ignored. `None` for all.
    pub bones: Option<Vec<usize>>,
    /// The current weights, used only if `bones` is given.
    pub stored: Arc<VertexWeights>,
}

impl Calculation {
    /// Estimates the cost, in distance tests between a vertex and a bone.
    pub fn work(&self) -> usize {
        let pairs = self.skeleton.bones.len().saturating_mul(self.surface.vertex_count());
        pairs.saturating_mul(self.method.descriptor().cost)
    }

    /// Calculates the weights and any findings about them.
    ///
    /// # Errors
    /// See [`Method::calculate`].
    pub fn run(&self, progress: &Progress<'_>) -> Result<Calculated, MethodError> {
        let mut calculated = self.method.calculate(&self.skeleton, &self.surface, progress)?;
        if let Some(bones) = &self.bones {
            let mut chosen = vec![false; self.skeleton.bones.len()];
            for &bone in bones {
                if let Some(chosen) = chosen.get_mut(bone) {
                    *chosen = true;
                }
            }
            calculated.weights = merge(&calculated.weights, &self.stored, &chosen);
        }
        Ok(calculated)
    }
}

/// Gives the `chosen` bones their share in `fresh`, and the others the rest in their `stored` proportions.
fn merge(fresh: &VertexWeights, stored: &VertexWeights, chosen: &[bool]) -> VertexWeights {
    let is_chosen = |bone: u16| chosen.get(usize::from(bone)) == Some(&true);
    let mut out = VertexWeights::none(0);
    let mut row: Vec<(u16, f32)> = Vec::new();
    for v in 0..fresh.vertex_count() {
        row.clear();
        row.extend(stored.influences(v).filter(|(bone, weight)| !is_chosen(*bone) && *weight > 0.0));
        let others = row.len();
        row.extend(fresh.influences(v).filter(|(bone, _)| is_chosen(*bone)));
        let (stored_sum, fresh_sum) = (sum(&row[..others]), sum(&row[others..]));
        // If only one of the two groups has weights, it gets everything.
        let (stored_scale, fresh_scale) = match (stored_sum > 0.0, fresh_sum > 0.0) {
            (true, true) => ((1.0 - fresh_sum).max(0.0) / stored_sum, 1.0),
            (true, false) => (1.0 / stored_sum, 1.0),
            (false, _) => (0.0, 1.0 / fresh_sum),
        };
        for (i, (_, weight)) in row.iter_mut().enumerate() {
            let scale = if i < others { stored_scale } else { fresh_scale };
            if scale != 1.0 {
                *weight = (f64::from(*weight) * scale) as f32;
            }
        }
        row.retain(|(_, weight)| *weight > 0.0);
        row.sort_unstable_by_key(|(bone, _)| *bone);
        out.push_row(row.iter().copied());
    }
    out
}

fn sum(row: &[(u16, f32)]) -> f64 {
    row.iter().map(|(_, weight)| f64::from(*weight)).sum()
}
