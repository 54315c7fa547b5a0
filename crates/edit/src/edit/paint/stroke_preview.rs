//! Previews of a brush stroke: the scene with other rows of weights, written over the preview of an earlier
//! frame that is no longer displayed. The result equals that of the command; no memory is allocated.

use crate::rig::weights::VertexWeights;
use crate::rig::weights::paint::PaintedRows;
use crate::scene::Table;
use crate::scene::skinned::SkinnedMesh;
use std::sync::Arc;

/// One more than the maximum in use by the session, an evaluator with its spare results, and their consumers
/// for display and colours.
const FRAMES: usize = 8;
/// The number of additional entries per vertex that fit before memory is allocated.
const ROOM: usize = 4;

/// Skinned meshes as stored, and as animated at the current frame.
type Tables = [Table<SkinnedMesh>; 2];

#[derive(Clone, Debug, Default)]
pub struct StrokeBuffers(Vec<Preview>);

#[derive(Clone, Debug)]
struct Preview {
    tables: Tables,
    /// The weights of the mesh in both tables.
    weights: Arc<VertexWeights>,
}

impl Preview {
    /// Returns `None` if there is no such mesh.
    fn new(before: [&Table<SkinnedMesh>; 2], mesh: &str) -> Option<Self> {
        let weights = &before[0].get(mesh)?.weights;
        let room = weights.bones.len() + ROOM * weights.ends.len();
        let weights = Arc::new(VertexWeights {
            ends: Vec::with_capacity(weights.ends.len()),
            bones: Vec::with_capacity(room),
            weights: Vec::with_capacity(room),
        });
        let mut preview = Self { tables: before.map(Table::clone), weights };
        preview.begin(before, mesh);
        Some(preview)
    }

    /// Resets both tables to their state before the stroke, with an unshared copy of the mesh.
    fn begin(&mut self, before: [&Table<SkinnedMesh>; 2], mesh: &str) {
        for (table, before) in self.tables.iter_mut().zip(before) {
            table.clone_from(before);
            if let (Some(ours), Some(theirs)) = (table.get_mut(mesh), before.get(mesh)) {
                let mut copy = (**theirs).clone();
                copy.bind_snapshot = copy.bind_snapshot.refined();
                copy.weights = self.weights.clone();
                *ours = Arc::new(copy);
            }
        }
    }

    /// Whether it can be overwritten, and has the same meshes.
    fn is_free(&self, mesh: &str, before: [&Table<SkinnedMesh>; 2]) -> bool {
        let is_unshared = |table: &Table<SkinnedMesh>| {
            let skinned = table.get(mesh);
            table.is_unique() && skinned.is_some_and(|skinned| Arc::strong_count(skinned) == 1)
        };
        let fits = |(ours, theirs): (&Table<SkinnedMesh>, &Table<SkinnedMesh>)| ours.keys().eq(theirs.keys());
        // Referenced by both meshes, and here.
        self.tables.iter().all(is_unshared)
            && Arc::strong_count(&self.weights) == 3
            && self.tables.iter().zip(before).all(fits)
    }

    fn write(&mut self, before: [&Table<SkinnedMesh>; 2], mesh: &str, painted: &PaintedRows) {
        let Some(stored) = before[0].get(mesh) else { return };
        for (table, before) in self.tables.iter_mut().zip(before) {
            for (ours, (name, theirs)) in table.values_mut().zip(before) {
                if name == mesh {
                    let ours = Arc::make_mut(ours);
                    ours.skeleton.clone_from(&theirs.skeleton);
                    ours.weights.clone_from(&stored.weights);
                } else {
                    ours.clone_from(theirs);
                }
            }
        }
        painted.applied_into(&stored.weights, Arc::make_mut(&mut self.weights));
        for table in &mut self.tables {
            if let Some(ours) = table.get_mut(mesh) {
                Arc::make_mut(ours).weights.clone_from(&self.weights);
            }
        }
    }
}

impl StrokeBuffers {
    /// Starts a stroke: allocates the memory of all its previews.
    pub fn begin(&mut self, before: [&Table<SkinnedMesh>; 2], mesh: &str) {
        let vertices = before[0].get(mesh).map(|mesh| mesh.weights.ends.len());
        self.0.retain(|preview| {
            preview.is_free(mesh, before) && Some(preview.weights.ends.capacity()) >= vertices
        });
        self.0.iter_mut().for_each(|preview| preview.begin(before, mesh));
        let missing = (self.0.len()..FRAMES).filter_map(|_| Preview::new(before, mesh));
        self.0.extend(missing);
    }

    /// Returns `before` with these rows. Apart from the skeletons, `before` must be the same as when the
    /// stroke began. `None` if there is no such mesh.
    pub fn preview(
        &mut self,
        before: [&Table<SkinnedMesh>; 2],
        mesh: &str,
        painted: &PaintedRows,
    ) -> Option<Tables> {
        let free = self.0.iter().position(|preview| preview.is_free(mesh, before));
        let mut preview = match free {
            Some(index) => self.0.remove(index),
            None => Preview::new(before, mesh)?,
        };
        preview.write(before, mesh, painted);
        let [stored, animated] = &preview.tables;
        let tables = [stored.clone(), animated.clone()];
        if self.0.len() >= FRAMES {
            self.0.remove(0);
        }
        self.0.push(preview);
        Some(tables)
    }
}
