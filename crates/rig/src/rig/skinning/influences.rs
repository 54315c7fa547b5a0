//! Reads the influences of a block of vertices, four per vertex, from weights in compressed rows or SIMD
//! layout.

use super::rows::Rows;
use crate::math::simd::{Entries, Influences4, MAX_LANES, Simd, Spread};
use crate::rig::weights::VertexWeights;

/// The prefetch distance, in vertices.
pub(super) const AHEAD: usize = 128;

/// The vertices whose motions are blended together, one per lane.
pub(super) struct Block<'a> {
    pub first: usize,
    pub count: usize,
    pub weights: &'a VertexWeights,
    pub rows: Option<&'a Rows>,
    /// Whether memory should be prefetched.
    pub prefetch: bool,
}

/// The influences of a block of vertices, four each. Missing ones have weight 0 on the table's entry at rest
/// after the last bone.
pub(super) struct Influences<'a> {
    pub bones: &'a Influences4<u16>,
    /// One entry per lane.
    pub weights: &'a [[f32; 4]],
    /// The fifth to eighth influences, if the weights are in SIMD layout and a vertex of the block has any.
    pub next: Option<(&'a Influences4<u16>, &'a [[f32; 4]])>,
    /// A mask of lanes whose vertex has more influences than these.
    pub longer: u32,
    /// A mask of lanes whose vertex has no influences or does not exist.
    pub empty: u32,
    /// The heaviest bones, if known.
    pub heaviest: Option<&'a [u16; MAX_LANES]>,
}

impl<'a> Influences<'a> {
    /// Reads a block. `rest`: the number of bones. Bones are shifted to the left by `shift`. `scratch`: for
    /// rows that are not stored in fours.
    #[inline(always)]
    pub fn new<S: Simd>(simd: S, block: &Block<'a>, rest: u16, shift: u32, scratch: &'a mut Spread) -> Self {
        if let Some(rows) = block.rows {
            let rows = rows.block::<S>(block.first, shift != 0);
            return Self {
                bones: rows.bones,
                weights: rows.weights,
                next: rows.next,
                longer: rows.longer,
                empty: rows.empty,
                heaviest: Some(rows.heaviest),
            };
        }
        let VertexWeights { ends, bones, weights } = block.weights;
        let (first, end) = (block.first, block.first + S::LANES);
        if block.count == S::LANES && end <= ends.len() {
            let start = if first == 0 { 0 } else { ends[first - 1] };
            if block.prefetch {
                simd.prefetch(ends, first + AHEAD, S::LANES);
                simd.prefetch(bones, start as usize + 4 * AHEAD, 4 * S::LANES);
                simd.prefetch(weights, start as usize + 4 * AHEAD, 4 * S::LANES);
            }
            let ends = &ends[first..end];
            let (from, to) = (start as usize, start as usize + 4 * S::LANES);
            if simd.is_arithmetic_sequence(ends, start.wrapping_add(4), 4)
                && to <= bones.len()
                && to <= weights.len()
            {
                simd.limit_and_shift(&bones[from..to], rest, shift, &mut scratch.bones);
                let (weights, _) = weights[from..to].as_chunks();
                return Self {
                    bones: &scratch.bones,
                    weights,
                    next: None,
                    longer: 0,
                    empty: 0,
                    heaviest: None,
                };
            }
            let rows = Entries { start, ends, bones, weights };
            if let Some([longer, empty]) = simd.spread(&rows, rest, shift, scratch) {
                return Self {
                    bones: &scratch.bones,
                    weights: &scratch.weights[..S::LANES],
                    next: None,
                    longer,
                    empty,
                    heaviest: None,
                };
            }
        }
        let [longer, empty] = read_one_by_one(block, rest, shift, scratch);
        Self {
            bones: &scratch.bones,
            weights: &scratch.weights[..S::LANES],
            next: None,
            longer,
            empty,
            heaviest: None,
        }
    }
}

/// Does the work of [`Simd::spread`] for an incomplete block or one with invalid rows, which count as empty.
#[cold]
#[inline(never)]
fn read_one_by_one(block: &Block<'_>, rest: u16, shift: u32, scratch: &mut Spread) -> [u32; 2] {
    let (mut longer, mut empty) = (0, 0);
    for lane in 0..MAX_LANES {
        (scratch.bones[lane], scratch.weights[lane]) = ([rest << shift; 4], [0.0; 4]);
        let (bones, weights) = block.row(lane);
        longer |= u32::from(bones.len() > 4) << lane;
        empty |= u32::from(bones.is_empty()) << lane;
        for (k, (bone, weight)) in bones.iter().zip(weights).enumerate().take(4) {
            scratch.bones[lane][k] = (*bone).min(rest) << shift;
            scratch.weights[lane][k] = *weight;
        }
    }
    [longer, empty]
}

impl Influences<'_> {
    /// The number of influences per vertex that are available here: four or eight.
    pub fn count(&self) -> usize {
        if self.next.is_some() { 8 } else { 4 }
    }
}

impl<'a> Block<'a> {
    /// Returns the row of a lane as [`VertexWeights::row`] does; empty for a lane without a vertex.
    pub fn row(&self, lane: usize) -> (&'a [u16], &'a [f32]) {
        if lane < self.count { self.weights.row(self.first + lane) } else { (&[], &[]) }
    }
}
