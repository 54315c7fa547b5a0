//! Vertices in one place that move alike are one: glTF doubles them where normals or texture coordinates differ.

use glam::Vec3;
use std::collections::HashMap;

/// Weights of one vertex may differ by so much between its copies.
const SAME_WEIGHT: f32 = 1e-3;
/// So many different vertices in one place are told apart; each further one stands alone.
const MOST_IN_PLACE: usize = 32;

#[derive(Default)]
pub struct Weld {
    /// Vertices by the bits of their place.
    places: HashMap<[u32; 3], Vec<u32>>,
}

impl Weld {
    /// The vertex at `place` with the weights `row`, and whether it is a new one: the next, `count`. `rows`: of those
    /// there are.
    pub fn vertex(&mut self, place: Vec3, row: &[(u16, f32)], rows: &Rows, count: usize) -> (u32, bool) {
        let here = self.places.entry(place.to_array().map(f32::to_bits)).or_default();
        if let Some(same) = here.iter().find(|vertex| alike(row, rows.row(**vertex as usize))) {
            return (*same, false);
        }
        if here.len() < MOST_IN_PLACE {
            here.push(count as u32);
        }
        (count as u32, true)
    }
}

fn alike(a: &[(u16, f32)], b: &[(u16, f32)]) -> bool {
    let covered = |a: &[(u16, f32)], b: &[(u16, f32)]| {
        a.iter().all(|(joint, weight)| {
            let other = b
                .iter()
                .find(|(other, _)| other == joint)
                .map_or(0.0, |(_, weight)| *weight);
            (weight - other).abs() <= SAME_WEIGHT
        })
    };
    covered(a, b) && covered(b, a)
}

/// Weights of vertices, as they come.
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

    /// Whether a vertex follows a joint.
    pub fn follows(&self, joint: u16) -> bool {
        self.entries.iter().any(|entry| entry.0 == joint)
    }

    pub fn push(&mut self, row: &[(u16, f32)]) {
        self.entries.extend_from_slice(row);
        self.ends.push(self.entries.len() as u32);
    }
}
