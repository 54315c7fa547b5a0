//! Rows of weights as skinning reads them: four entries each, or eight where a row of the block is longer. Made once for weights, and kept
//! beside them by whoever skins again and again.

use crate::math::simd::{Influences4, MOST_LANES, Simd};
use crate::rig::weights::VertexWeights;
use std::num::NonZeroU32;

/// Up to so many bones have places: a place is a bone times eight.
const MOST_PLACES: usize = (u16::MAX >> SHIFT) as usize;
/// As in the tables of matrices and of motions.
pub(super) const SHIFT: u32 = 3;

/// The heaviest bone of a row that is not empty, the lowest of equals.
#[inline(always)]
pub(super) fn heaviest(bones: &[u16], weights: &[f32]) -> u16 {
    // Weights are not negative, and then in the order of their bits; the lower bone wins among equals.
    let mut most = i64::MIN;
    for i in 0..bones.len().min(weights.len()) {
        let weight = i64::from(weights[i].to_bits() as i32);
        most = most.max(weight << 16 | i64::from(!bones[i]));
    }
    !(most as u16)
}

/// The weights of so many vertices.
pub struct Rows {
    vertices: usize,
    /// One more than the highest.
    bone_count: usize,
    /// Per vertex the first four; what is missing has weight 0 on the first one.
    bones: Vec<[u16; 4]>,
    /// The same, shifted.
    places: Vec<[u16; 4]>,
    weights: Vec<[f32; 4]>,
    /// The heaviest bone of each row; of equals the lowest.
    heaviest: Vec<u16>,
    /// Per [`MOST_LANES`] vertices, a bit for each: whether its row is longer than eight, and whether it has no
    /// entry.
    more: Vec<u16>,
    none: Vec<u16>,
    /// Per [`MOST_LANES`] vertices, where their fifth to eighth entries begin; none of a block of short rows.
    next: Vec<Option<NonZeroU32>>,
    next_fours: NextFours,
}

/// The fifth to eighth entries of the rows of some blocks, laid out as the first four.
#[derive(Default)]
struct NextFours {
    bones: Vec<[u16; 4]>,
    places: Vec<[u16; 4]>,
    weights: Vec<[f32; 4]>,
}

impl NextFours {
    /// Room for the rows of one more block.
    fn grow(&mut self) {
        let length = self.bones.len() + MOST_LANES;
        self.bones.resize(length, [0; 4]);
        self.places.resize(length, [0; 4]);
        self.weights.resize(length, [0.0; 4]);
    }
}

/// Up to four entries of a row from `first` on; what is missing has weight 0 on the row's first bone.
fn four(bones: &[u16], weights: &[f32], first: usize) -> ([u16; 4], [f32; 4]) {
    let end = bones.len().min(weights.len());
    let there = |k: usize| first + k < end;
    (
        std::array::from_fn(|k| bones[if there(k) { first + k } else { 0 }]),
        std::array::from_fn(|k| if there(k) { weights[first + k] } else { 0.0 }),
    )
}

impl Rows {
    /// Lays out the first `vertices` rows. `None` where there are too many bones for it.
    pub fn new(weights: &VertexWeights, vertices: usize) -> Option<Self> {
        let highest = weights.bones.iter().max();
        let bone_count = highest.map_or(0, |&bone| usize::from(bone) + 1);
        if bone_count > MOST_PLACES {
            return None;
        }
        // A block more than there is: any block can be read as a whole.
        let length = (vertices / MOST_LANES + 2) * MOST_LANES;
        let mut rows = Self {
            vertices,
            bone_count,
            bones: vec![[0; 4]; length],
            places: vec![[0; 4]; length],
            weights: vec![[0.0; 4]; length],
            heaviest: vec![0; length],
            more: vec![0; length / MOST_LANES],
            none: vec![u16::MAX; length / MOST_LANES],
            next: vec![None; length / MOST_LANES],
            next_fours: NextFours::default(),
        };
        // No block begins at 0.
        rows.next_fours.grow();
        for vertex in 0..vertices {
            let (bones, all) = weights.row(vertex);
            let count = bones.len().min(all.len());
            if count == 0 {
                continue;
            }
            (rows.bones[vertex], rows.weights[vertex]) = four(bones, all, 0);
            rows.places[vertex] = rows.bones[vertex].map(|bone| bone << SHIFT);
            rows.heaviest[vertex] = heaviest(bones, all);
            let (block, bit) = (vertex / MOST_LANES, 1 << (vertex % MOST_LANES));
            rows.none[block] &= !bit;
            rows.more[block] |= if count > 8 { bit } else { 0 };
            if count > 4 && rows.next[block].is_none() {
                rows.next[block] = NonZeroU32::new(rows.next_fours.bones.len() as u32);
                rows.next_fours.grow();
            }
        }
        for block in 0..rows.next.len() {
            let Some(begin) = rows.next[block] else { continue };
            for lane in 0..MOST_LANES {
                let (bones, all) = weights.row(block * MOST_LANES + lane);
                if !bones.is_empty() && block * MOST_LANES + lane < vertices {
                    let (bones, weights) = four(bones, all, 4);
                    let (next, at) = (&mut rows.next_fours, begin.get() as usize + lane);
                    next.places[at] = bones.map(|bone| bone << SHIFT);
                    (next.bones[at], next.weights[at]) = (bones, weights);
                }
            }
        }
        // Any lane's rows can be read as those of a whole block.
        rows.next_fours.grow();
        Some(rows)
    }

    /// Whether they are of so many vertices, and all their bones are there.
    pub fn is_of(&self, vertices: usize, bone_count: usize) -> bool {
        self.vertices == vertices && self.bone_count <= bone_count
    }

    /// Those of the vertices from `first` on, a multiple of the lanes. `shifted`: with places instead of bones.
    #[inline(always)]
    pub(super) fn block<S: Simd>(&self, first: usize, shifted: bool) -> Laid<'_> {
        let bones = if shifted { &self.places } else { &self.bones };
        let (block, lane) = (first / MOST_LANES, first % MOST_LANES);
        let lanes = u32::MAX >> (32 - S::LANES);
        let next = self.next[block].map(|begin| {
            let (at, next) = (begin.get() as usize + lane, &self.next_fours);
            let bones = if shifted { &next.places } else { &next.bones };
            let bones = bones[at..].first_chunk().expect("there is a block more");
            (bones, &next.weights[at..at + S::LANES])
        });
        Laid {
            next,
            bones: bones[first..].first_chunk().expect("there is a block more"),
            weights: &self.weights[first..first + S::LANES],
            heaviest: self.heaviest[first..]
                .first_chunk()
                .expect("there is a block more"),
            more: u32::from(self.more[block]) >> lane & lanes,
            none: u32::from(self.none[block]) >> lane & lanes,
        }
    }
}

/// Rows of a block.
pub(super) struct Laid<'a> {
    pub bones: &'a Influences4<u16>,
    pub weights: &'a [[f32; 4]],
    pub heaviest: &'a [u16; MOST_LANES],
    /// The fifth to eighth entries, where there are some.
    pub next: Option<(&'a Influences4<u16>, &'a [[f32; 4]])>,
    pub more: u32,
    pub none: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::simd::Portable;

    #[test]
    fn rows_say_how_long_they_are() {
        let mut weights = VertexWeights::none(0);
        weights.push_row([(1, 0.5), (0, 0.5)]);
        weights.push_row([]);
        weights.push_row((0..9).map(|bone| (bone, 0.1)));
        weights.push_row([(5, 1.0)]);
        weights.push_row([(2, 1.0)]);
        let rows = Rows::new(&weights, 5).unwrap();
        assert!(rows.is_of(5, 9) && rows.is_of(5, 10) && !rows.is_of(5, 8) && !rows.is_of(4, 9));
        let first = rows.block::<Portable>(0, false);
        assert_eq!((first.more, first.none), (0b0100, 0b0010));
        assert_eq!(first.bones[..4], [[1, 0, 1, 1], [0; 4], [0, 1, 2, 3], [5; 4]]);
        assert_eq!(first.weights[0], [0.5, 0.5, 0.0, 0.0]);
        assert_eq!(first.heaviest[..4], [0, 0, 0, 5]);
        let (bones, weights_of) = first.next.unwrap();
        assert_eq!(bones[..4], [[1; 4], [0; 4], [4, 5, 6, 7], [5; 4]]);
        assert_eq!(weights_of, [[0.0; 4], [0.0; 4], [0.1; 4], [0.0; 4]]);
        let second = rows.block::<Portable>(4, true);
        assert_eq!((second.more, second.none), (0, 0b1110));
        assert_eq!(second.bones[0], [2 << 3; 4]);
        weights.push_row([(9000, 1.0)]);
        assert!(Rows::new(&weights, 5).is_none());
    }
}
