//! The influences of a block of vertices: four each, from weights as they are or laid out.

use super::rows::Rows;
use crate::math::simd::{Entries, Influences4, MOST_LANES, Simd, Spread};
use crate::rig::weights::VertexWeights;

/// Memory is asked for so many vertices before it is needed.
pub(super) const AHEAD: usize = 128;

/// Vertices whose motions are blended together, one per lane.
pub(super) struct Block<'a> {
    pub first: usize,
    pub count: usize,
    pub weights: &'a VertexWeights,
    pub rows: Option<&'a Rows>,
    /// Memory has to be asked for ahead of time.
    pub far: bool,
}

/// The influences of a block of vertices, four each. Vertices with fewer have some of no weight on the bone
/// behind the last.
pub(super) struct Influences<'a> {
    pub bones: &'a Influences4<u16>,
    /// As many as there are lanes.
    pub weights: &'a [[f32; 4]],
    /// The fifth to eighth of each, where they are laid out and a vertex of the block has some.
    pub next: Option<(&'a Influences4<u16>, &'a [[f32; 4]])>,
    /// A bit per lane of a vertex that has more than are here.
    pub more: u32,
    /// A bit per lane of a vertex that has none, or is not there.
    pub none: u32,
    /// The heaviest bones, where they are known.
    pub heaviest: Option<&'a [u16; MOST_LANES]>,
}

impl<'a> Influences<'a> {
    /// `rest`: number of bones. Bones are shifted to the left. `room`: for influences that do not lie in
    /// fours.
    #[inline(always)]
    pub fn new<S: Simd>(simd: S, block: &Block<'a>, rest: u16, shift: u32, room: &'a mut Spread) -> Self {
        if let Some(rows) = block.rows {
            let laid = rows.block::<S>(block.first, shift != 0);
            return Self {
                bones: laid.bones,
                weights: laid.weights,
                next: laid.next,
                more: laid.more,
                none: laid.none,
                heaviest: Some(laid.heaviest),
            };
        }
        let VertexWeights { ends, bones, weights } = block.weights;
        let (first, end) = (block.first, block.first + S::LANES);
        if block.count == S::LANES && end <= ends.len() {
            let start = if first == 0 { 0 } else { ends[first - 1] };
            if block.far {
                simd.prefetch(ends, first + AHEAD, S::LANES);
                simd.prefetch(bones, start as usize + 4 * AHEAD, 4 * S::LANES);
                simd.prefetch(weights, start as usize + 4 * AHEAD, 4 * S::LANES);
            }
            let ends = &ends[first..end];
            let (from, to) = (start as usize, start as usize + 4 * S::LANES);
            if simd.in_steps(ends, start.wrapping_add(4), 4) && to <= bones.len() && to <= weights.len() {
                simd.limited(&bones[from..to], rest, shift, &mut room.bones);
                let (weights, _) = weights[from..to].as_chunks();
                return Self {
                    bones: &room.bones,
                    weights,
                    next: None,
                    more: 0,
                    none: 0,
                    heaviest: None,
                };
            }
            let rows = Entries {
                start,
                ends,
                bones,
                weights,
            };
            if let Some([more, none]) = simd.spread(&rows, rest, shift, room) {
                return Self {
                    bones: &room.bones,
                    weights: &room.weights[..S::LANES],
                    next: None,
                    more,
                    none,
                    heaviest: None,
                };
            }
        }
        let [more, none] = one_by_one(block, rest, shift, room);
        Self {
            bones: &room.bones,
            weights: &room.weights[..S::LANES],
            next: None,
            more,
            none,
            heaviest: None,
        }
    }
}

/// As [`Simd::spread`], of a block that is not whole or whose rows are not what they should be; the latter
/// have no entries.
#[cold]
#[inline(never)]
fn one_by_one(block: &Block<'_>, rest: u16, shift: u32, room: &mut Spread) -> [u32; 2] {
    let (mut more, mut none) = (0, 0);
    for lane in 0..MOST_LANES {
        (room.bones[lane], room.weights[lane]) = ([rest << shift; 4], [0.0; 4]);
        let (bones, weights) = block.row(lane);
        more |= u32::from(bones.len() > 4) << lane;
        none |= u32::from(bones.is_empty()) << lane;
        for (k, (bone, weight)) in bones.iter().zip(weights).enumerate().take(4) {
            room.bones[lane][k] = (*bone).min(rest) << shift;
            room.weights[lane][k] = *weight;
        }
    }
    [more, none]
}

impl Influences<'_> {
    /// How many influences of a vertex with more are here.
    pub fn count(&self) -> usize {
        if self.next.is_some() { 8 } else { 4 }
    }
}

impl<'a> Block<'a> {
    /// As [`VertexWeights::row`]; empty for a lane without a vertex.
    pub fn row(&self, lane: usize) -> (&'a [u16], &'a [f32]) {
        if lane < self.count {
            self.weights.row(self.first + lane)
        } else {
            (&[], &[])
        }
    }
}
