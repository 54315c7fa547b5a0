//! Packed weights, as stored for undo: blocks of rows, of which those that a brush stroke did not change are
//! shared with the previous state.

use crate::edit::session::snapshot::Snapshot;
use crate::rig::weights::VertexWeights;
use crate::scene::skinned::SkinnedMesh;
use std::sync::{Arc, Weak};

/// The number of rows in a block.
const ROWS: usize = 512;

/// The rows of all vertices, in blocks.
#[derive(Clone, Debug)]
pub struct PackedWeights(Vec<Arc<VertexWeights>>);

/// A range of rows, as separate weights.
struct Block<'a> {
    ends: &'a [u32],
    start: u32,
    bones: &'a [u16],
    weights: &'a [f32],
}

impl Block<'_> {
    fn is_same_as(&self, other: &Block) -> bool {
        let bits = |weights: &[f32], others: &[f32]| {
            let mut pairs = weights.iter().zip(others);
            pairs.all(|(a, b)| a.to_bits() == b.to_bits())
        };
        let mut ends = self.ends.iter().zip(other.ends);
        self.ends.len() == other.ends.len()
            && self.bones == other.bones
            && bits(self.weights, other.weights)
            && ends.all(|(a, b)| a - self.start == b - other.start)
    }

    fn bytes(&self) -> usize {
        4 * self.ends.len() + 2 * self.bones.len() + 4 * self.weights.len()
    }

    fn to_weights(&self) -> VertexWeights {
        VertexWeights {
            ends: self.ends.iter().map(|end| end - self.start).collect(),
            bones: self.bones.to_vec(),
            weights: self.weights.to_vec(),
        }
    }
}

/// Splits weights into blocks; `None` if they are malformed.
fn blocks(weights: &VertexWeights) -> Option<impl Iterator<Item = Block<'_>>> {
    weights.validate(weights.ends.len(), usize::MAX).ok()?;
    let mut start = 0;
    Some(weights.ends.chunks(ROWS).map(move |ends| {
        let end = ends.last().copied().unwrap_or(start);
        let entries = start as usize..end as usize;
        let block = Block {
            ends,
            start,
            bones: weights.bones.get(entries.clone()).unwrap_or_default(),
            weights: weights.weights.get(entries).unwrap_or_default(),
        };
        start = end;
        block
    }))
}

fn whole(weights: &VertexWeights) -> Block<'_> {
    Block { ends: &weights.ends, start: 0, bones: &weights.bones, weights: &weights.weights }
}

impl PackedWeights {
    /// Packs weights, sharing the blocks of `known` that are bitwise equal. `None` for malformed weights.
    pub fn new(weights: &VertexWeights, known: Option<&Self>) -> Option<Self> {
        let mut known_blocks = known.map(|known| known.0.iter()).into_iter().flatten();
        let packed = blocks(weights)?.map(|block| match known_blocks.next() {
            Some(equal) if block.is_same_as(&whole(equal)) => Arc::clone(equal),
            _ => Arc::new(block.to_weights()),
        });
        Some(Self(packed.collect()))
    }

    /// Returns the weights that were packed, bitwise equal.
    pub fn unpacked(&self) -> VertexWeights {
        let mut all = VertexWeights::none(0);
        for block in &self.0 {
            let start = all.bones.len() as u32;
            all.ends.extend(block.ends.iter().map(|end| end + start));
            all.bones.extend_from_slice(&block.bones);
            all.weights.extend_from_slice(&block.weights);
        }
        all
    }
}

/// Returns the bytes of the blocks of `weights` that differ from those of `other`; `None` if one of the two
/// cannot be packed.
pub fn changed_bytes(weights: &VertexWeights, other: &VertexWeights) -> Option<usize> {
    let mut others = blocks(other)?;
    let changed = blocks(weights)?.filter_map(|block| {
        let is_equal = others.next().is_some_and(|other| block.is_same_as(&other));
        (!is_equal).then(|| block.bytes())
    });
    Some(changed.sum())
}

/// A state of the document that undo can restore.
#[derive(Clone, Debug)]
pub struct StoredSnapshot {
    /// The snapshot, without the weights of the meshes in `packed`.
    snapshot: Snapshot,
    packed: Vec<Packed>,
}

/// A mesh with packed weights.
#[derive(Clone, Debug)]
struct Packed {
    mesh: String,
    /// The original mesh, while anything else refers to it.
    whole: Weak<SkinnedMesh>,
    weights: Arc<PackedWeights>,
}

impl From<Snapshot> for StoredSnapshot {
    fn from(snapshot: Snapshot) -> Self {
        Self { snapshot, packed: Vec::new() }
    }
}

impl StoredSnapshot {
    /// Returns the snapshot, possibly without weights.
    pub fn without_weights(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Takes over the selection of another state of the same document.
    pub fn copy_selection_from(&mut self, other: &Snapshot) {
        self.snapshot.selection = other.selection.clone();
        self.snapshot.keys = other.keys.clone();
    }

    /// Returns the weights of a mesh, unless they are packed.
    pub fn weights(&self, mesh: &str) -> Option<&Arc<VertexWeights>> {
        let skinned = self.snapshot.scene.skinned_meshes.get(mesh)?;
        let is_packed = self.packed.iter().any(|packed| packed.mesh == mesh);
        (!is_packed).then_some(&skinned.weights)
    }

    /// Replaces the weights of `mesh` by `packed` if it has these weights, and returns whether it had.
    pub fn pack(&mut self, mesh: &str, weights: &Arc<VertexWeights>, packed: &Arc<PackedWeights>) -> bool {
        let has_weights = self.weights(mesh).is_some_and(|current| Arc::ptr_eq(current, weights));
        if has_weights && let Some(skinned) = self.snapshot.scene.skinned_meshes.get_mut(mesh) {
            let without_weights = SkinnedMesh { weights: Arc::default(), ..(**skinned).clone() };
            self.packed.push(Packed {
                mesh: mesh.to_owned(),
                whole: Arc::downgrade(skinned),
                weights: packed.clone(),
            });
            *skinned = Arc::new(without_weights);
        }
        has_weights
    }

    /// Returns the complete snapshot.
    pub fn restored(&self) -> Snapshot {
        let mut snapshot = self.snapshot.clone();
        for packed in &self.packed {
            if let Some(skinned) = snapshot.scene.skinned_meshes.get_mut(&packed.mesh) {
                match packed.whole.upgrade() {
                    Some(whole) => *skinned = whole,
                    None => Arc::make_mut(skinned).weights = Arc::new(packed.weights.unpacked()),
                }
            }
        }
        snapshot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(rows: u32, odd: Option<u32>) -> VertexWeights {
        let mut weights = VertexWeights::none(0);
        for row in 0..rows {
            let first = if odd == Some(row) { 0.75 } else { 0.5 };
            let entries = [(0, first), (1 + (row % 3) as u16, 1.0 - first), (7, -0.0)];
            weights.push_row(entries.into_iter().take(row as usize % 4));
        }
        weights
    }

    #[test]
    fn equal_blocks_are_shared_and_nothing_is_lost() {
        for rows in [0, 1, 511, 512, 513, 2000] {
            let before = weights(rows, None);
            let packed = PackedWeights::new(&before, None).unwrap();
            assert_eq!(packed.unpacked(), before);
            let signs = |w: &VertexWeights| w.weights.iter().map(|w| w.to_bits()).collect::<Vec<_>>();
            assert_eq!(signs(&packed.unpacked()), signs(&before));
            assert_eq!(changed_bytes(&before, &before), Some(0));
        }
        let (before, after) = (weights(2000, None), weights(2000, Some(601)));
        let first = PackedWeights::new(&before, None).unwrap();
        let second = PackedWeights::new(&after, Some(&first)).unwrap();
        let shared: Vec<bool> = first.0.iter().zip(&second.0).map(|(a, b)| Arc::ptr_eq(a, b)).collect();
        assert_eq!(shared, [true, false, true, true]);
        assert_eq!(second.unpacked(), after);
        let changed = changed_bytes(&before, &after).unwrap();
        assert!(changed > 512 * 4 && changed < 512 * 4 + 512 * 6 * 2, "{changed}");
        // A longer row moves the rows after it, which are still equal.
        let mut longer = VertexWeights::none(0);
        for row in 0..2000 {
            longer.push_row(before.influences(row).chain((row == 3).then_some((9, 0.25))));
        }
        let moved = PackedWeights::new(&longer, Some(&first)).unwrap();
        assert!(Arc::ptr_eq(&moved.0[3], &first.0[3]) && !Arc::ptr_eq(&moved.0[0], &first.0[0]));
        assert_eq!(moved.unpacked(), longer);
        let mut damaged = before.clone();
        damaged.ends[4] = u32::MAX;
        assert!(PackedWeights::new(&damaged, None).is_none() && changed_bytes(&before, &damaged).is_none());
    }
}
