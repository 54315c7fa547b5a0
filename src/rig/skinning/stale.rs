//! Which vertices have to be skinned again after some bones moved: those of blocks that follow one of them.
//!
//! A block is skinned as a whole, and each vertex comes out the same whatever is skinned beside it; what is
//! left as it was is therefore what skinning everything would give, bit for bit.

use crate::rig::weights::VertexWeights;
use glam::DAffine3;

/// Vertices that are skinned, or left, together. A multiple of the lanes of all instructions.
pub const BLOCK: usize = 64;

/// The bones that each block of [`BLOCK`] vertices follows: made once for weights.
pub struct BlockBones {
    /// Words of a block.
    words: usize,
    /// Block after block, a bit per bone.
    bits: Vec<u64>,
}

impl BlockBones {
    /// `vertices`: how many are skinned. Those that have no weights follow nothing.
    pub fn new(weights: &VertexWeights, vertices: usize) -> Self {
        let bones = weights
            .bones
            .iter()
            .max()
            .map_or(0, |most| usize::from(*most) + 1);
        let words = bones.div_ceil(64).max(1);
        let mut bits = vec![0; vertices.div_ceil(BLOCK) * words];
        for (vertex, (bones, _)) in weights.rows().take(vertices).enumerate() {
            let block = &mut bits[vertex / BLOCK * words..][..words];
            for &bone in bones {
                block[usize::from(bone) / 64] |= 1 << (bone % 64);
            }
        }
        Self { words, bits }
    }

    /// Whether it was made for so many vertices.
    pub fn is_of(&self, vertices: usize) -> bool {
        self.bits.len() == vertices.div_ceil(BLOCK) * self.words
    }
}

/// Marks blocks, in buffers that are kept.
#[derive(Default)]
pub struct DirtyBlocks {
    moved: Vec<u64>,
    blocks: Vec<bool>,
}

impl DirtyBlocks {
    /// A mark per block that follows a bone whose matrix differs between `before` and `now` in any bit.
    /// `before` and `now`: B_b and P_b per bone. `None` where all are marked, or where there are not as many
    /// bones as before: then everything is to be skinned.
    pub fn blocks(
        &mut self,
        followed: &BlockBones,
        before: [&[DAffine3]; 2],
        now: [&[DAffine3]; 2],
    ) -> Option<&[bool]> {
        if before.map(<[_]>::len) != now.map(<[_]>::len) {
            return None;
        }
        self.moved.clear();
        self.moved.resize(followed.words, 0);
        for (before, now) in before.into_iter().zip(now) {
            let pairs = before.iter().zip(now).enumerate();
            for (bone, _) in pairs.filter(|(_, (before, now))| bits(before) != bits(now)) {
                // Bones that nothing follows may lie behind the last word.
                if let Some(word) = self.moved.get_mut(bone / 64) {
                    *word |= 1 << (bone % 64);
                }
            }
        }
        let blocks = followed.bits.chunks_exact(followed.words);
        let is_stale = |block: &[u64]| block.iter().zip(&self.moved).any(|(a, b)| a & b != 0);
        self.blocks.clear();
        self.blocks.extend(blocks.map(is_stale));
        (!self.blocks.iter().all(|stale| *stale)).then_some(&self.blocks)
    }
}

fn bits(matrix: &DAffine3) -> [u64; 12] {
    matrix.to_cols_array().map(f64::to_bits)
}
