//! The memory that snapshots use, to limit the history. Shared data is recognized by its address.

use crate::anim::channel::Animation;
use crate::edit::session::packed_weights::changed_bytes;
use crate::edit::session::snapshot::Snapshot;
use crate::extra::{Extra, Value};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::VertexWeights;
use crate::scene::names::{Kind, with_table};
use crate::scene::property::Resource;
use crate::scene::{Scene, Table};
use std::collections::HashSet;
use std::sync::Arc;

/// Returns the number of bytes that `snapshot` uses and `other` does not share. An estimate: the memory of
/// large arrays is exact, that of maps and unknown members is not.
pub fn exclusive_bytes(snapshot: &Snapshot, other: &Snapshot) -> usize {
    let mut blocks = Blocks::default();
    blocks.add_snapshot(other, snapshot);
    blocks.bytes = 0;
    blocks.add_snapshot(snapshot, other);
    blocks.bytes
}

/// The shared values that were counted, and their size.
#[derive(Default)]
struct Blocks {
    known: HashSet<usize>,
    bytes: usize,
}

impl Blocks {
    /// Counts a value, if it is new, and returns whether it was. `heap`: the memory that the value uses
    /// besides itself.
    fn add<T>(&mut self, block: &Arc<T>, heap: impl FnOnce(&T) -> usize) -> bool {
        let is_new = self.known.insert(Arc::as_ptr(block).addr());
        if is_new {
            self.bytes += size_of::<T>() + heap(block);
        }
        is_new
    }

    /// Counts a snapshot, except data that is known to be shared with `other`.
    fn add_snapshot(&mut self, snapshot: &Snapshot, other: &Snapshot) {
        self.add(&snapshot.selection.vertices, |vertices| 4 * vertices.len());
        self.add(&snapshot.keys, |keys| ENTRY * keys.count());
        let (scene, other) = (&snapshot.scene, &other.scene);
        self.add(&scene.extra, |members| {
            [&members.document, &members.scene, &members.instances].map(extra).iter().sum()
        });
        self.add_animation(&scene.animation);
        let address = |scene: &Scene, kind| with_table!(&scene, kind, table => table.address());
        for kind in Kind::ALL {
            if address(scene, kind) != address(other, kind) {
                with_table!(&scene, kind, table => self.add_table(table));
            }
        }
        for mesh in scene.meshes.values() {
            self.add(&mesh.surface, surface);
            self.add(&mesh.weights, weights);
        }
        for (name, mesh) in &scene.skinned_meshes {
            self.add(&mesh.surface, surface);
            // The history stores only the blocks of weights that differ.
            let other = other.skinned_meshes.get(name);
            let changed = |new: &VertexWeights| other.and_then(|other| changed_bytes(new, &other.weights));
            self.add(&mesh.weights, |new| changed(new).unwrap_or_else(|| weights(new)));
            self.add(&mesh.skeleton, skeleton);
        }
    }

    fn add_table<T: Resource>(&mut self, table: &Table<T>) {
        for (name, resource) in table {
            self.bytes += ENTRY + name.len();
            self.add(resource, |resource| extra(resource.extra()));
        }
    }

    fn add_animation(&mut self, animation: &Arc<Animation>) {
        if !self.add(animation, |animation| extra(&animation.extra)) {
            return;
        }
        let layers = animation.layers.values().flat_map(|stack| &stack.list);
        self.bytes += layers.map(|layer| ENTRY + layer.name.len() + extra(&layer.extra)).sum::<usize>();
        for (name, keys) in animation.channels.values().flatten() {
            self.bytes += ENTRY + name.len();
            // Each key has a time, a value and a mode, and may have knots for other programs.
            self.add(keys, |keys| KEY * keys.key_count());
        }
    }
}

/// The bytes of an entry of a map, and of a key of a channel of three numbers.
const ENTRY: usize = 48;
const KEY: usize = 64;

fn surface(surface: &HalfedgeMesh) -> usize {
    let (halfedges, faces) = (surface.halfedge_count(), surface.face_count());
    32 * halfedges + 16 * surface.vertex_count() + surface.edge_count() + 5 * faces
}

fn weights(weights: &VertexWeights) -> usize {
    2 * weights.bones.len() + 4 * weights.weights.len() + 4 * weights.ends.len()
}

fn skeleton(skeleton: &Skeleton) -> usize {
    size_of_val(&*skeleton.bones) + size_of_val(&*skeleton.handles)
}

fn extra(extra: &Extra) -> usize {
    let members = extra.0.iter();
    members.map(|(name, member)| ENTRY + name.len() + value_bytes(member)).sum()
}

fn value_bytes(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::Array(items) => items.iter().map(|item| 8 + value_bytes(&item)).sum(),
        Value::Object(members) => {
            members.iter().map(|(name, member)| ENTRY + name.len() + value_bytes(member)).sum()
        }
        _ => 0,
    }
}
