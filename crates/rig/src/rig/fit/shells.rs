//! The separate pieces of a surface.

use glam::Vec3;
use std::collections::HashMap;

/// Returns the triangles of the largest of several pieces; `None` if there is only one, or if its longest side is less than
/// `share` of that of the whole. Vertices at the same place are one.
pub fn largest(positions: &[Vec3], triangles: &[[u32; 3]], share: f32) -> Option<Vec<[u32; 3]>> {
    let mut places: HashMap<[u32; 3], u32> = HashMap::new();
    let place =
        |(vertex, point): (u32, &Vec3)| *places.entry(point.to_array().map(f32::to_bits)).or_insert(vertex);
    let mut above: Vec<u32> = (0..).zip(positions).map(place).collect();
    for [a, b, c] in triangles {
        for other in [b, c] {
            let (one, other) = (root(&mut above, *a), root(&mut above, *other));
            above[one.max(other) as usize] = one.min(other);
        }
    }
    let mut bounds: HashMap<u32, [Vec3; 2]> = HashMap::new();
    let mut whole = [Vec3::INFINITY, Vec3::NEG_INFINITY];
    for &vertex in triangles.iter().flatten() {
        let point = positions[vertex as usize];
        let piece = bounds.entry(root(&mut above, vertex)).or_insert([Vec3::INFINITY, Vec3::NEG_INFINITY]);
        for [low, high] in [piece, &mut whole] {
            (*low, *high) = (low.min(point), high.max(point));
        }
    }
    let size = |[low, high]: &[Vec3; 2]| (*high - *low).max_element();
    let pieces = bounds.iter().map(|(piece, bounds)| (*piece, size(bounds)));
    let (piece, largest) = pieces.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
    let is_main = bounds.len() > 1 && largest >= share * size(&whole);
    is_main.then(|| {
        triangles.iter().copied().filter(|[vertex, ..]| root(&mut above, *vertex) == piece).collect()
    })
}

/// The vertex that stands for all that are connected with this one.
pub fn root(above: &mut [u32], vertex: u32) -> u32 {
    let mut root = vertex;
    while above[root as usize] != root {
        root = above[root as usize];
    }
    let mut vertex = vertex;
    while above[vertex as usize] != root {
        vertex = std::mem::replace(&mut above[vertex as usize], root);
    }
    root
}
