//! Merging of vertices at the same position, so that texture seams and touching shells are no gaps for
//! weights.

use glam::Vec3;
use std::collections::HashMap;

/// Returns the distinct positions, and the index of its position for each vertex (V).
pub fn weld(positions: &[Vec3]) -> (Vec<Vec3>, Vec<u32>) {
    let mut index: HashMap<[u32; 3], u32> = HashMap::with_capacity(positions.len());
    let mut points = Vec::with_capacity(positions.len());
    let mut find_or_add = |p: &Vec3| {
        // Normalizes -0 to 0.
        let key = (*p + Vec3::ZERO).to_array().map(f32::to_bits);
        *index.entry(key).or_insert_with(|| {
            points.push(*p);
            points.len() as u32 - 1
        })
    };
    let point_of_vertex = positions.iter().map(&mut find_or_add).collect();
    (points, point_of_vertex)
}
