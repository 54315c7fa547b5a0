//! Previews of a stroke of a brush: the scene with other rows of weights, each written where that of an earlier frame
//! was, if nobody shows it any more. What comes out is what the command makes of the scene; no memory is asked for.

use crate::rig::weights::VertexWeights;
use crate::rig::weights::paint::PaintedRows;
use crate::scene::Table;
use crate::scene::skinned::SkinnedMesh;
use std::sync::Arc;

/// One more than the session, an evaluator with its spare results, and who shows and colours these hold.
const FRAMES: usize = 8;
/// Entries that a vertex may get more than it has, before memory is asked for.
const ROOM: usize = 4;

/// Skinned meshes as they are stored, and as they are seen at the frame.
type Tables = [Table<SkinnedMesh>; 2];

#[derive(Clone, Debug, Default)]
pub struct StrokeBuffers(Vec<Preview>);

#[derive(Clone, Debug)]
struct Preview {
    tables: Tables,
    /// Those of the mesh in both tables.
    weights: Arc<VertexWeights>,
}

impl Preview {
    /// `None` without the mesh.
    fn new(before: [&Table<SkinnedMesh>; 2], mesh: &str) -> Option<Self> {
        let weights = &before[0].get(mesh)?.weights;
        let room = weights.bones.len() + ROOM * weights.ends.len();
        let weights = Arc::new(VertexWeights {
            ends: Vec::with_capacity(weights.ends.len()),
            bones: Vec::with_capacity(room),
            weights: Vec::with_capacity(room),
        });
        let mut preview = Self {
            tables: before.map(Table::clone),
            weights,
        };
        preview.begin(before, mesh);
        Some(preview)
    }

    /// Both tables as they are before the stroke, the mesh in them its own.
    fn begin(&mut self, before: [&Table<SkinnedMesh>; 2], mesh: &str) {
        for (table, before) in self.tables.iter_mut().zip(before) {
            table.clone_from(before);
            if let (Some(ours), Some(theirs)) = (table.get_mut(mesh), before.get(mesh)) {
                let mut own = (**theirs).clone();
                own.bind_snapshot = own.bind_snapshot.refined();
                own.weights = self.weights.clone();
                *ours = Arc::new(own);
            }
        }
    }

    /// Whether it can be written over, for the same meshes.
    fn is_free(&self, mesh: &str, before: [&Table<SkinnedMesh>; 2]) -> bool {
        let is_own = |table: &Table<SkinnedMesh>| {
            let of = table.get(mesh);
            table.is_unique() && of.is_some_and(|of| Arc::strong_count(of) == 1)
        };
        let fits = |(ours, theirs): (&Table<SkinnedMesh>, &Table<SkinnedMesh>)| ours.keys().eq(theirs.keys());
        // By both meshes, and here.
        self.tables.iter().all(is_own)
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
    /// A stroke begins: asks for the memory of all its previews.
    pub fn begin(&mut self, before: [&Table<SkinnedMesh>; 2], mesh: &str) {
        let vertices = before[0].get(mesh).map(|mesh| mesh.weights.ends.len());
        self.0.retain(|preview| {
            preview.is_free(mesh, before) && Some(preview.weights.ends.capacity()) >= vertices
        });
        self.0.iter_mut().for_each(|preview| preview.begin(before, mesh));
        let more = (self.0.len()..FRAMES).filter_map(|_| Preview::new(before, mesh));
        self.0.extend(more);
    }

    /// `before`, which is as it was when the stroke began except for the skeletons, with these rows. `None` without the mesh.
    pub fn preview(
        &mut self,
        before: [&Table<SkinnedMesh>; 2],
        mesh: &str,
        painted: &PaintedRows,
    ) -> Option<Tables> {
        let free = self.0.iter().position(|preview| preview.is_free(mesh, before));
        let mut preview = match free {
            Some(at) => self.0.remove(at),
            None => Preview::new(before, mesh)?,
        };
        preview.write(before, mesh, painted);
        let [stored, seen] = &preview.tables;
        let tables = [stored.clone(), seen.clone()];
        if self.0.len() >= FRAMES {
            self.0.remove(0);
        }
        self.0.push(preview);
        Some(tables)
    }
}
