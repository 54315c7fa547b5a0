//! Calculating weights in pieces, for all bones or for some: what the window does in the background and the
//! headless commands at once, with the same result.
//!
//! For some bones, the share that they have of a vertex is taken from a fresh calculation with all bones;
//! the stored weights of the other bones keep their proportions and take the rest. So bones that did not
//! move keep what they have, and what was refined by hand at other bones stays.

use super::VertexWeights;
use super::capsule::{Capsules, concatenate};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::skeleton::Skeleton;
use rayon::prelude::*;
use std::sync::Arc;

/// Vertices that one thread takes at a time; fewer are not worth waking another.
const CHUNK: usize = 4096;

/// A calculation under way. Its result does not depend on how it is cut into steps.
pub struct Calculation {
    capsules: Capsules,
    surface: Arc<HalfedgeMesh>,
    some: Option<Chosen>,
    parts: Vec<VertexWeights>,
    /// Vertices that are done.
    done: usize,
}

/// Only some bones are calculated.
struct Chosen {
    /// Per bone: whether it is.
    bones: Vec<bool>,
    stored: Arc<VertexWeights>,
}

impl Calculation {
    /// Capsule weights of all bones, or of `bones` alone (then `stored` are the weights so far; indices
    /// that are not there are ignored).
    pub fn new(
        skeleton: &Skeleton,
        surface: Arc<HalfedgeMesh>,
        bones: Option<&[usize]>,
        stored: Arc<VertexWeights>,
    ) -> Self {
        let some = bones.map(|bones| {
            let mut chosen = vec![false; skeleton.bones.len()];
            for &bone in bones {
                if let Some(chosen) = chosen.get_mut(bone) {
                    *chosen = true;
                }
            }
            Chosen {
                bones: chosen,
                stored,
            }
        });
        Self {
            capsules: Capsules::of(skeleton),
            surface,
            some,
            parts: Vec::new(),
            done: 0,
        }
    }

    /// How many tests of a vertex against a bone it takes at most.
    pub fn work(skeleton: &Skeleton, surface: &HalfedgeMesh) -> usize {
        skeleton.bones.len().saturating_mul(surface.vertex_count())
    }

    /// Goes on for up to `vertices` vertices (at least one). True when all are done.
    pub fn step(&mut self, vertices: usize) -> bool {
        let all = self.surface.vertex_count();
        let end = self.done.saturating_add(vertices.max(1)).min(all);
        let (first, positions) = (self.done, &self.surface.positions()[self.done..end]);
        let weigh = |(chunk, positions)| {
            let fresh = self.capsules.weigh(positions);
            match &self.some {
                Some(some) => some.merged(first + chunk * CHUNK, &fresh),
                None => fresh,
            }
        };
        if positions.len() <= CHUNK {
            self.parts.push(weigh((0, positions)));
        } else {
            let chunks = positions.par_chunks(CHUNK).enumerate();
            let parts: Vec<_> = chunks.map(weigh).collect();
            self.parts.extend(parts);
        }
        self.done = end;
        end == all
    }

    /// From 0 to 1.
    pub fn progress(&self) -> f32 {
        self.done as f32 / self.surface.vertex_count().max(1) as f32
    }

    /// The weights; what is left to do is done now.
    pub fn finish(mut self) -> VertexWeights {
        self.step(usize::MAX);
        concatenate(&self.parts)
    }
}

impl Chosen {
    /// The rows of `fresh`, which begin at vertex `first`, put together with those stored.
    fn merged(&self, first: usize, fresh: &VertexWeights) -> VertexWeights {
        let is_chosen = |bone: u16| self.bones.get(usize::from(bone)) == Some(&true);
        let mut out = VertexWeights::none(0);
        let mut row: Vec<(u16, f32)> = Vec::new();
        for v in 0..fresh.vertex_count() {
            row.clear();
            let (stored, fresh) = (self.stored.of(first + v), fresh.of(v));
            row.extend(stored.filter(|(bone, weight)| !is_chosen(*bone) && *weight > 0.0));
            let kept: f64 = row.iter().map(|(_, weight)| f64::from(*weight)).sum();
            let ours = fresh.filter(|(bone, _)| is_chosen(*bone));
            let others = row.len();
            row.extend(ours);
            let share: f64 = row[others..].iter().map(|(_, weight)| f64::from(*weight)).sum();
            // Nothing but the chosen bones: they have all. Nothing of them: the others have all.
            let (of_others, of_ours) = match (kept > 0.0, share > 0.0) {
                (true, true) => ((1.0 - share).max(0.0) / kept, 1.0),
                (true, false) => (1.0 / kept, 1.0),
                (false, _) => (0.0, 1.0 / share),
            };
            for (_, weight) in &mut row[..others] {
                *weight = (f64::from(*weight) * of_others) as f32;
            }
            if of_ours != 1.0 {
                for (_, weight) in &mut row[others..] {
                    *weight = (f64::from(*weight) * of_ours) as f32;
                }
            }
            row.retain(|(_, weight)| *weight > 0.0);
            row.sort_unstable_by_key(|(bone, _)| *bone);
            out.push_row(row.iter().copied());
        }
        out
    }
}
