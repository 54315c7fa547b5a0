//! Weights in SIMD layout: four entries per row, or eight in blocks with longer rows. Built once for weights
//! that are skinned repeatedly.

use crate::math::simd::{Influences4, MAX_LANES, Simd};
use crate::rig::weights::VertexWeights;
use std::num::NonZeroU32;

/// The most bones that row offsets can address; the offset is the bone's index times eight.
const MAX_BONES: usize = (u16::MAX >> SHIFT) as usize;
/// The shift from a bone's index to its row offset in the tables of matrices and motions.
pub(super) const SHIFT: u32 = 3;

/// Returns the heaviest bone of a non-empty row, the lowest among equals.
#[inline(always)]
pub(super) fn heaviest(bones: &[u16], weights: &[f32]) -> u16 {
    // Non-negative weights sort like their bits; the lower bone wins among equals.
    let mut most = i64::MIN;
    for i in 0..bones.len().min(weights.len()) {
        let weight = i64::from(weights[i].to_bits() as i32);
        most = most.max(weight << 16 | i64::from(!bones[i]));
    }
    !(most as u16)
}

/// The weights of a number of vertices.
pub struct Rows {
    vertices: usize,
    /// The highest bone plus one.
    bone_count: usize,
    /// The first four bones of each vertex; missing ones repeat the first with weight 0.
    bones: Vec<[u16; 4]>,
    /// The row offsets of `bones`.
    offsets: Vec<[u16; 4]>,
    weights: Vec<[f32; 4]>,
    /// The heaviest bone of each row, the lowest among equals.
    heaviest: Vec<u16>,
    /// For each [`MOST_LANES`] vertices, a mask of rows with more than eight entries.
    longer: Vec<u16>,
    /// For each [`MOST_LANES`] vertices, a mask of rows without entries.
    empty: Vec<u16>,
    /// For each [`MOST_LANES`] vertices, where their fifth to eighth entries start; `None` for a block of
    /// short rows.
    next: Vec<Option<NonZeroU32>>,
    next_fours: NextFours,
}

/// The fifth to eighth entries of some blocks, laid out like the first four.
#[derive(Default)]
struct NextFours {
    bones: Vec<[u16; 4]>,
    offsets: Vec<[u16; 4]>,
    weights: Vec<[f32; 4]>,
}

impl NextFours {
    /// Adds space for the rows of another block.
    fn grow(&mut self) {
        let length = self.bones.len() + MAX_LANES;
        self.bones.resize(length, [0; 4]);
        self.offsets.resize(length, [0; 4]);
        self.weights.resize(length, [0.0; 4]);
    }
}

/// Returns four entries of a row from `first` on; missing ones have weight 0 on the row's first bone.
fn four_entries(bones: &[u16], weights: &[f32], first: usize) -> ([u16; 4], [f32; 4]) {
    let end = bones.len().min(weights.len());
    let exists = |k: usize| first + k < end;
    (
        std::array::from_fn(|k| bones[if exists(k) { first + k } else { 0 }]),
        std::array::from_fn(|k| if exists(k) { weights[first + k] } else { 0.0 }),
    )
}

impl Rows {
    /// Lays out the first `vertices` rows. `None` if there are too many bones.
    pub fn new(weights: &VertexWeights, vertices: usize) -> Option<Self> {
        let highest = weights.bones.iter().max();
        let bone_count = highest.map_or(0, |&bone| usize::from(bone) + 1);
        if bone_count > MAX_BONES {
            return None;
        }
        // An extra block, so that any block can be read as a whole.
        let length = (vertices / MAX_LANES + 2) * MAX_LANES;
        let mut rows = Self {
            vertices,
            bone_count,
            bones: vec![[0; 4]; length],
            offsets: vec![[0; 4]; length],
            weights: vec![[0.0; 4]; length],
            heaviest: vec![0; length],
            longer: vec![0; length / MAX_LANES],
            empty: vec![u16::MAX; length / MAX_LANES],
            next: vec![None; length / MAX_LANES],
            next_fours: NextFours::default(),
        };
        // Skip index 0, since `next` is non-zero.
        rows.next_fours.grow();
        for vertex in 0..vertices {
            let (bones, row) = weights.row(vertex);
            let count = bones.len().min(row.len());
            if count == 0 {
                continue;
            }
            (rows.bones[vertex], rows.weights[vertex]) = four_entries(bones, row, 0);
            rows.offsets[vertex] = rows.bones[vertex].map(|bone| bone << SHIFT);
            rows.heaviest[vertex] = heaviest(bones, row);
            let (block, bit) = (vertex / MAX_LANES, 1 << (vertex % MAX_LANES));
            rows.empty[block] &= !bit;
            rows.longer[block] |= if count > 8 { bit } else { 0 };
            if count > 4 && rows.next[block].is_none() {
                rows.next[block] = NonZeroU32::new(rows.next_fours.bones.len() as u32);
                rows.next_fours.grow();
            }
        }
        for block in 0..rows.next.len() {
            let Some(start) = rows.next[block] else { continue };
            for lane in 0..MAX_LANES {
                let (bones, row) = weights.row(block * MAX_LANES + lane);
                if !bones.is_empty() && block * MAX_LANES + lane < vertices {
                    let (bones, weights) = four_entries(bones, row, 4);
                    let (next, index) = (&mut rows.next_fours, start.get() as usize + lane);
                    next.offsets[index] = bones.map(|bone| bone << SHIFT);
                    (next.bones[index], next.weights[index]) = (bones, weights);
                }
            }
        }
        // An extra block, so that any lane's rows can be read as a whole block.
        rows.next_fours.grow();
        Some(rows)
    }

    /// Whether the rows have the given number of vertices and only bones below `bone_count`.
    pub fn matches(&self, vertices: usize, bone_count: usize) -> bool {
        self.vertices == vertices && self.bone_count <= bone_count
    }

    /// Returns the rows of the block that starts at `first`, a multiple of the lanes. `shifted`: with row
    /// offsets instead of bones.
    #[inline(always)]
    pub(super) fn block<S: Simd>(&self, first: usize, shifted: bool) -> BlockRows<'_> {
        let bones = if shifted { &self.offsets } else { &self.bones };
        let (block, lane) = (first / MAX_LANES, first % MAX_LANES);
        let lanes = u32::MAX >> (32 - S::LANES);
        let next = self.next[block].map(|start| {
            let (index, next) = (start.get() as usize + lane, &self.next_fours);
            let bones = if shifted { &next.offsets } else { &next.bones };
            let bones = bones[index..].first_chunk().expect("there is an extra block");
            (bones, &next.weights[index..index + S::LANES])
        });
        BlockRows {
            next,
            bones: bones[first..].first_chunk().expect("there is an extra block"),
            weights: &self.weights[first..first + S::LANES],
            heaviest: self.heaviest[first..].first_chunk().expect("there is an extra block"),
            longer: u32::from(self.longer[block]) >> lane & lanes,
            empty: u32::from(self.empty[block]) >> lane & lanes,
        }
    }
}

/// The rows of a block.
pub(super) struct BlockRows<'a> {
    pub bones: &'a Influences4<u16>,
    pub weights: &'a [[f32; 4]],
    pub heaviest: &'a [u16; MAX_LANES],
    /// The fifth to eighth entries, if any.
    pub next: Option<(&'a Influences4<u16>, &'a [[f32; 4]])>,
    /// A mask of rows with more than eight entries.
    pub longer: u32,
    /// A mask of rows without entries.
    pub empty: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::simd::Portable;

    #[test]
    fn rows_know_their_length() {
        let mut weights = VertexWeights::none(0);
        weights.push_row([(1, 0.5), (0, 0.5)]);
        weights.push_row([]);
        weights.push_row((0..9).map(|bone| (bone, 0.1)));
        weights.push_row([(5, 1.0)]);
        weights.push_row([(2, 1.0)]);
        let rows = Rows::new(&weights, 5).unwrap();
        assert!(rows.matches(5, 9) && rows.matches(5, 10) && !rows.matches(5, 8) && !rows.matches(4, 9));
        let first = rows.block::<Portable>(0, false);
        assert_eq!((first.longer, first.empty), (0b0100, 0b0010));
        assert_eq!(first.bones[..4], [[1, 0, 1, 1], [0; 4], [0, 1, 2, 3], [5; 4]]);
        assert_eq!(first.weights[0], [0.5, 0.5, 0.0, 0.0]);
        assert_eq!(first.heaviest[..4], [0, 0, 0, 5]);
        let (bones, next_weights) = first.next.unwrap();
        assert_eq!(bones[..4], [[1; 4], [0; 4], [4, 5, 6, 7], [5; 4]]);
        assert_eq!(next_weights, [[0.0; 4], [0.0; 4], [0.1; 4], [0.0; 4]]);
        let second = rows.block::<Portable>(4, true);
        assert_eq!((second.longer, second.empty), (0, 0b1110));
        assert_eq!(second.bones[0], [2 << 3; 4]);
        weights.push_row([(9000, 1.0)]);
        assert!(Rows::new(&weights, 5).is_none());
    }
}
