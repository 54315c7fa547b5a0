//! The heat equation on the points of the surface: one factorisation, one solve per bone.

use super::super::method::MethodError;
use super::super::progress::Progress;
use super::laplacian::Stiffness;
use super::sources::Source;
use crate::math::nested_dissection::nested_dissection;
use crate::math::sparse::{Factor, FactorizeError, LANES, Symmetric};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The share of the factorisation in the progress; the rest is solving.
const FACTORIZATION_SHARE: f32 = 0.6;
/// Temperatures below this are dropped; it is well below where weights fade out.
const LOWEST: f64 = 1e-4;

/// The temperatures of a point as (bone, temperature), in ascending order of unique bones.
pub type Row = Vec<(u16, f64)>;

/// The surface and its heat sources.
pub struct Diffusion<'a> {
    pub stiffness: &'a Stiffness,
    /// P: the heat source of each point.
    pub sources: &'a [Source],
    pub bones: usize,
}

impl Diffusion<'_> {
    /// Solves for the temperatures of `bones` at each point. `cold`, P: whether a point is fixed at
    /// temperature 0; `None` if none is.
    ///
    /// # Errors
    /// [`MethodError::Cancelled`], [`MethodError::Singular`].
    pub fn solve(
        &self,
        bones: &[usize],
        cold: Option<&[bool]>,
        progress: &Progress<'_>,
    ) -> Result<Vec<Row>, MethodError> {
        let points = &self.stiffness.points;
        let is_free = |v: &usize| cold.is_none_or(|cold| !cold[*v]);
        let free: Vec<usize> = (0..points.len()).filter(is_free).collect();
        let mut unknown = vec![None; points.len()];
        for (i, &v) in free.iter().enumerate() {
            unknown[v] = Some(i as u32);
        }
        let heat = |v: usize| self.stiffness.areas[v] * self.sources[v].strength();
        let mut matrix = Symmetric {
            diagonal: free.iter().map(|&v| heat(v)).collect(),
            entries: Vec::with_capacity(self.stiffness.edges.len()),
        };
        for &(i, j, weight) in &self.stiffness.edges {
            let [i, j] = [i, j].map(|v| unknown[v as usize]);
            for end in [i, j].into_iter().flatten() {
                matrix.diagonal[end as usize] += weight;
            }
            if let (Some(i), Some(j)) = (i, j) {
                matrix.entries.push((i, j, -weight));
            }
        }
        let positions: Vec<_> = free.iter().map(|&v| points[v]).collect();
        let order = nested_dissection(&positions, matrix.entries.iter().map(|&(i, j, _)| (i, j)));
        let factor = Factor::new(&matrix, order, |part| progress(part * FACTORIZATION_SHARE));
        let factor = factor.map_err(|error| match error {
            FactorizeError::Cancelled => MethodError::Cancelled,
            FactorizeError::Indefinite => MethodError::Singular,
        })?;
        let mut right_sides = vec![Vec::new(); self.bones];
        for (i, &v) in free.iter().enumerate() {
            let source = &self.sources[v];
            for &bone in &source.bones {
                right_sides[usize::from(bone)].push((i, heat(v) / source.bones.len() as f64));
            }
        }
        let has_heat = |bone: &usize| !right_sides[*bone].is_empty();
        let used: Vec<usize> = bones.iter().copied().filter(has_heat).collect();
        let blocks = used.len().div_ceil(LANES) as f32;
        let done = AtomicUsize::new(0);
        let lowest = LOWEST.min(0.5 / self.bones as f64);
        let solved = used.par_chunks(LANES).map(|block| {
            let mut x = vec![[0.0; LANES]; free.len()];
            for (lane, &bone) in block.iter().enumerate() {
                right_sides[bone].iter().for_each(|&(i, heat)| x[i][lane] = heat);
            }
            factor.solve(&mut x);
            let mut entries = Vec::new();
            for (&v, x) in free.iter().zip(&x) {
                let found = block.iter().zip(x).filter(|(_, x)| **x >= lowest);
                entries.extend(found.map(|(&bone, &x)| (v, bone as u16, x)));
            }
            let finished = done.fetch_add(1, Ordering::Relaxed) + 1;
            let solving = finished as f32 / blocks;
            progress(FACTORIZATION_SHARE + (1.0 - FACTORIZATION_SHARE) * solving).then_some(entries)
        });
        let solved: Option<Vec<_>> = solved.collect();
        let mut rows = vec![Row::new(); points.len()];
        for (v, bone, temperature) in solved.ok_or(MethodError::Cancelled)?.into_iter().flatten() {
            rows[v].push((bone, temperature));
        }
        Ok(rows)
    }
}
