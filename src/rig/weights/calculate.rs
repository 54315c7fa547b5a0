//! Calculating weights by any method, for all bones or for some: what the window does in the background and
//! the headless commands at once, with the same result.
//!
//! For some bones, the share that they have of a vertex is taken from a fresh calculation with all bones;
//! the stored weights of the other bones keep their proportions and take the rest. So bones that did not
//! move keep what they have, and what was refined by hand at other bones stays.

use super::method::{Calculated, Method, MethodError};
use super::progress::Progress;
use super::vertex_weights::VertexWeights;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::skeleton::Skeleton;
use std::sync::Arc;

/// A calculation to be done, with all that it needs.
#[derive(Clone, Debug)]
pub struct Calculation {
    pub method: Method,
    pub skeleton: Arc<Skeleton>,
    /// In skeleton space.
    pub surface: Arc<HalfedgeMesh>,
    /// Only these; indices that are not there are ignored. `None`: all.
    pub bones: Option<Vec<usize>>,
    /// The weights so far; they count only where some bones are calculated.
    pub stored: Arc<VertexWeights>,
}

impl Calculation {
    /// About how long it takes, in tests of a vertex against a bone.
    pub fn work(&self) -> usize {
        let pairs = self
            .skeleton
            .bones
            .len()
            .saturating_mul(self.surface.vertex_count());
        pairs.saturating_mul(self.method.descriptor().cost)
    }

    /// The weights, and what a person should know about them.
    ///
    /// # Errors
    /// As [`Method::calculate`].
    pub fn run(&self, progress: &Progress<'_>) -> Result<Calculated, MethodError> {
        let mut calculated = self.method.calculate(&self.skeleton, &self.surface, progress)?;
        if let Some(bones) = &self.bones {
            let mut chosen = vec![false; self.skeleton.bones.len()];
            for &bone in bones {
                if let Some(chosen) = chosen.get_mut(bone) {
                    *chosen = true;
                }
            }
            calculated.weights = merged(&calculated.weights, &self.stored, &chosen);
        }
        Ok(calculated)
    }
}

/// The `fresh` share of the `chosen` bones, the `stored` proportions of the others.
fn merged(fresh: &VertexWeights, stored: &VertexWeights, chosen: &[bool]) -> VertexWeights {
    let is_chosen = |bone: u16| chosen.get(usize::from(bone)) == Some(&true);
    let mut out = VertexWeights::none(0);
    let mut row: Vec<(u16, f32)> = Vec::new();
    for v in 0..fresh.vertex_count() {
        row.clear();
        row.extend(
            stored
                .influences(v)
                .filter(|(bone, weight)| !is_chosen(*bone) && *weight > 0.0),
        );
        let others = row.len();
        row.extend(fresh.influences(v).filter(|(bone, _)| is_chosen(*bone)));
        let (kept, share) = (sum(&row[..others]), sum(&row[others..]));
        // Nothing but the chosen bones: they have all. Nothing of them: the others have all.
        let (of_others, of_ours) = match (kept > 0.0, share > 0.0) {
            (true, true) => ((1.0 - share).max(0.0) / kept, 1.0),
            (true, false) => (1.0 / kept, 1.0),
            (false, _) => (0.0, 1.0 / share),
        };
        for (i, (_, weight)) in row.iter_mut().enumerate() {
            let scale = if i < others { of_others } else { of_ours };
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
