//! Finds the vertices to skin again after some bones moved: those in blocks that follow one of these bones.
//!
//! A block is skinned as a whole, and the result for a vertex does not depend on the other blocks. So the
//! skipped blocks are what skinning everything would give, bit for bit.

use crate::rig::weights::VertexWeights;
use glam::DAffine3;

/// The number of vertices that are skinned or skipped together, a multiple of the lanes of all SIMD paths.
pub const BLOCK: usize = 64;

/// The bones that each block of [`BLOCK`] vertices follows, built once for weights.
pub struct BlockBones {
    /// The number of words per block.
    words: usize,
    /// For each block, a bit per bone.
    bits: Vec<u64>,
}

impl BlockBones {
    /// Builds the table. `vertices`: the number of skinned vertices; those without weights follow no bone.
    pub fn new(weights: &VertexWeights, vertices: usize) -> Self {
        let bones = weights.bones.iter().max().map_or(0, |highest| usize::from(*highest) + 1);
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

    /// Whether the table was built for that number of vertices, up to the size of a block.
    pub fn matches(&self, vertices: usize) -> bool {
        self.bits.len() == vertices.div_ceil(BLOCK) * self.words
    }
}

/// Marks blocks to skin again. Reuses its buffers.
#[derive(Default)]
pub struct DirtyBlocks {
    moved: Vec<u64>,
    blocks: Vec<bool>,
}

impl DirtyBlocks {
    /// Marks each block that follows a bone whose matrix differs between `before` and `current` in any bit.
    /// `before` and `current`: B_b and P_b per bone. `None` if everything must be skinned: all blocks are
    /// marked, or the number of bones has changed.
    pub fn blocks(
        &mut self,
        followed: &BlockBones,
        before: [&[DAffine3]; 2],
        current: [&[DAffine3]; 2],
    ) -> Option<&[bool]> {
        if before.map(<[_]>::len) != current.map(<[_]>::len) {
            return None;
        }
        self.moved.clear();
        self.moved.resize(followed.words, 0);
        for (before, current) in before.into_iter().zip(current) {
            let pairs = before.iter().zip(current).enumerate();
            for (bone, _) in pairs.filter(|(_, (before, current))| bits(before) != bits(current)) {
                // Bones without weights may be beyond the last word.
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
