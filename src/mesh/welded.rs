//! Vertices at one place as one point: texture seams and loose shells that touch are no gaps to weights.

use glam::Vec3;
use std::collections::HashMap;

/// Points at the places of the vertices, and V: the point of each vertex.
pub fn welded(positions: &[Vec3]) -> (Vec<Vec3>, Vec<u32>) {
    let mut index: HashMap<[u32; 3], u32> = HashMap::with_capacity(positions.len());
    let mut points = Vec::with_capacity(positions.len());
    let mut of = |p: &Vec3| {
        // Zero without a sign.
        let place = (*p + Vec3::ZERO).to_array().map(f32::to_bits);
        *index.entry(place).or_insert_with(|| {
            points.push(*p);
            points.len() as u32 - 1
        })
    };
    let point_of_vertex = positions.iter().map(&mut of).collect();
    (points, point_of_vertex)
}
