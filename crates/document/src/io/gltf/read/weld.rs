//! Joins vertices with equal positions and weights: glTF duplicates them where normals or texture coordinates
//! differ.

use glam::Vec3;
use std::collections::HashMap;

/// The maximum difference of weights between copies of a vertex.
const WEIGHT_TOLERANCE: f32 = 1e-3;
/// The maximum number of different vertices at one position that are compared; more are not joined.
const MAX_PER_POSITION: usize = 32;

/// The maximum number of weights that are compared in any order; the time grows with the square.
const MAX_COMPARED: usize = 16;

#[derive(Default)]
pub struct Weld {
    /// Vertices by the bits of their position, and the fingerprint of how shapes move them.
    vertices: HashMap<([u32; 3], u64), Vec<u32>>,
}

impl Weld {
    /// Returns the vertex at `position` with the weights `row`, and whether it is new; its index is then
    /// `count`. `rows` are the weights of existing vertices; `shapes` tells vertices apart that shapes move differently.
    pub fn find_or_add(
        &mut self,
        (position, shapes): (Vec3, u64),
        row: &[(u16, f32)],
        rows: &Rows,
        count: usize,
    ) -> (u32, bool) {
        let candidates = self.vertices.entry((position.to_array().map(f32::to_bits), shapes)).or_default();
        if let Some(vertex) = candidates.iter().find(|vertex| are_similar(row, rows.row(**vertex as usize))) {
            return (*vertex, false);
        }
        if candidates.len() < MAX_PER_POSITION {
            candidates.push(count as u32);
        }
        (count as u32, true)
    }
}

fn are_similar(a: &[(u16, f32)], b: &[(u16, f32)]) -> bool {
    let agree = |(a, b): (&(u16, f32), &(u16, f32))| a.0 == b.0 && (a.1 - b.1).abs() <= WEIGHT_TOLERANCE;
    if a.len() == b.len() && a.iter().zip(b).all(agree) {
        return true;
    }
    if a.len().max(b.len()) > MAX_COMPARED {
        return false;
    }
    let is_covered = |a: &[(u16, f32)], b: &[(u16, f32)]| {
        a.iter().all(|(joint, weight)| {
            let other = b.iter().find(|(other, _)| other == joint).map_or(0.0, |(_, weight)| *weight);
            (weight - other).abs() <= WEIGHT_TOLERANCE
        })
    };
    is_covered(a, b) && is_covered(b, a)
}

/// The weights of vertices, one row after another.
#[derive(Debug, Default)]
pub struct Rows {
    ends: Vec<u32>,
    entries: Vec<(u16, f32)>,
}

impl Rows {
    pub fn row(&self, vertex: usize) -> &[(u16, f32)] {
        let start = vertex.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[start as usize..self.ends[vertex] as usize]
    }

    /// Whether a vertex has weight on a joint.
    pub fn has_joint(&self, joint: u16) -> bool {
        self.entries.iter().any(|entry| entry.0 == joint)
    }

    pub fn push(&mut self, row: &[(u16, f32)]) {
        self.entries.extend_from_slice(row);
        self.ends.push(self.entries.len() as u32);
    }
}
