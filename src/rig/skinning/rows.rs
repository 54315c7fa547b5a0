//! Rows of weights as skinning reads them: four entries each, whole blocks. Made once for weights, and kept
//! beside them by whoever skins again and again.

use super::dual_sums::heaviest;
use crate::math::simd::{Fours, MOST_LANES, Simd};
use crate::rig::weights::VertexWeights;

/// Up to so many bones have places: a place is a bone times eight.
const MOST_PLACES: usize = (u16::MAX >> SHIFT) as usize;
/// As in the tables of matrices and of motions.
pub(super) const SHIFT: u32 = 3;

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
    /// Of the four, the heaviest bone; of equals the lowest.
    heaviest: Vec<u16>,
    /// Per [`MOST_LANES`] vertices, a bit for each: whether its row is longer than four, and whether it has no
    /// entry.
    more: Vec<u16>,
    none: Vec<u16>,
}

impl Rows {
    /// Of the first `vertices` rows. `None` where there are too many bones for it.
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
        };
        for vertex in 0..vertices {
            let (bones, all) = weights.row(vertex);
            let count = bones.len().min(all.len()).min(4);
            if count == 0 {
                continue;
            }
            rows.bones[vertex] = std::array::from_fn(|k| bones[if k < count { k } else { 0 }]);
            rows.places[vertex] = rows.bones[vertex].map(|bone| bone << SHIFT);
            rows.weights[vertex][..count].copy_from_slice(&all[..count]);
            rows.heaviest[vertex] = heaviest(&bones[..count], &all[..count]);
            let (block, bit) = (vertex / MOST_LANES, 1 << (vertex % MOST_LANES));
            rows.none[block] &= !bit;
            rows.more[block] |= if bones.len() > 4 { bit } else { 0 };
        }
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
        Laid {
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
    pub bones: &'a Fours<u16>,
    pub weights: &'a [[f32; 4]],
    pub heaviest: &'a [u16; MOST_LANES],
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
        weights.push_row((0..5).map(|bone| (bone, 0.2)));
        weights.push_row([(5, 1.0)]);
        weights.push_row([(2, 1.0)]);
        let rows = Rows::new(&weights, 5).unwrap();
        assert!(rows.is_of(5, 6) && rows.is_of(5, 7) && !rows.is_of(5, 5) && !rows.is_of(4, 6));
        let first = rows.block::<Portable>(0, false);
        assert_eq!((first.more, first.none), (0b0100, 0b0010));
        assert_eq!(first.bones[..4], [[1, 0, 1, 1], [0; 4], [0, 1, 2, 3], [5; 4]]);
        assert_eq!(first.weights[0], [0.5, 0.5, 0.0, 0.0]);
        assert_eq!(first.heaviest[..4], [0, 0, 0, 5]);
        let second = rows.block::<Portable>(4, true);
        assert_eq!((second.more, second.none), (0, 0b1110));
        assert_eq!(second.bones[0], [2 << 3; 4]);
        weights.push_row([(9000, 1.0)]);
        assert!(Rows::new(&weights, 5).is_none());
    }
}
