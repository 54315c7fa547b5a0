//! The separate pieces of a surface.

use glam::Vec3;
use std::collections::{BTreeMap, HashMap};

/// The length of the sum of the area vectors of a flat piece, per area.
const FLAT: f32 = 0.95;

/// Whether a surface is flat, as floors and the cards of lights are, so that nothing is inside it.
pub fn is_sheet(positions: &[Vec3], triangles: &[[u32; 3]]) -> bool {
    let (sum, size) = triangles.iter().fold((Vec3::ZERO, 0.0), |(sum, size), corners| {
        let [p, q, r] = corners.map(|vertex| positions[vertex as usize]);
        let area = (q - p).cross(r - p);
        (sum + area, size + area.length())
    });
    sum.length() >= FLAT * size
}

/// Returns the triangles of the pieces that are not flat, as floors and the cards of lights are; all triangles if there are no such
/// pieces.
pub fn without_sheets(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut above = joined(positions, triangles);
    let mut areas: HashMap<u32, (Vec3, f32)> = HashMap::new();
    for &[a, b, c] in triangles {
        let [p, q, r] = [a, b, c].map(|vertex| positions[vertex as usize]);
        let area = (q - p).cross(r - p);
        let sum = areas.entry(root(&mut above, a)).or_default();
        *sum = (sum.0 + area, sum.1 + area.length());
    }
    let is_solid = |[vertex, ..]: &&[u32; 3]| {
        let (sum, size) = areas[&root(&mut above, *vertex)];
        sum.length() < FLAT * size
    };
    let solid: Vec<[u32; 3]> = triangles.iter().filter(is_solid).copied().collect();
    if solid.is_empty() { triangles.to_vec() } else { solid }
}

/// Returns a forest in which the vertices of a piece have the same root. Vertices at the same place are one.
fn joined(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<u32> {
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
    above
}

/// Returns the triangles of each piece, those of the piece with the largest area first.
pub fn pieces(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec<[u32; 3]>> {
    let mut above = joined(positions, triangles);
    let mut pieces: BTreeMap<u32, (f32, Vec<[u32; 3]>)> = BTreeMap::new();
    for corners in triangles {
        let (area, piece) = pieces.entry(root(&mut above, corners[0])).or_default();
        let [p, q, r] = corners.map(|vertex| positions[vertex as usize]);
        *area += (q - p).cross(r - p).length();
        piece.push(*corners);
    }
    let mut pieces: Vec<(f32, Vec<[u32; 3]>)> = pieces.into_values().collect();
    pieces.sort_by(|a, b| b.0.total_cmp(&a.0));
    pieces.into_iter().map(|(_, piece)| piece).collect()
}

/// Returns the triangles of the most voluminous of several pieces whose longest side is at least `share` of that of the whole: a
/// staff is long, but thin. `None` if there is none, or only one piece.
pub fn largest(positions: &[Vec3], triangles: &[[u32; 3]], share: f32) -> Option<Vec<[u32; 3]>> {
    let mut above = joined(positions, triangles);
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
    let volume = |[low, high]: &[Vec3; 2]| (*high - *low).element_product();
    let long = bounds.iter().filter(|(_, bounds)| size(bounds) >= share * size(&whole));
    let pieces = long.map(|(piece, bounds)| (*piece, volume(bounds)));
    let (piece, _) = pieces.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
    (bounds.len() > 1).then(|| {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;

    #[test]
    fn floors_are_no_bodies() {
        let body = primitives::cuboid(Vec3::ONE).unwrap();
        let (mut positions, mut triangles) = (body.positions().to_vec(), body.triangles());
        let first = positions.len() as u32;
        assert!(!is_sheet(&positions, &triangles));
        positions.extend([Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE].map(|corner| 9.0 * corner));
        triangles.extend([[0, 1, 2], [1, 2, 3]].map(|face| face.map(|corner| first + corner)));
        triangles.pop();
        assert_eq!(without_sheets(&positions, &triangles), body.triangles());
        assert_eq!(without_sheets(&positions, &triangles[12..]), triangles[12..], "nothing else is there");
        assert!(is_sheet(&positions, &triangles[12..]));
    }

    #[test]
    fn the_main_piece_is_long_and_not_thin() {
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        // A body, a longer staff, a hat.
        let sizes = [Vec3::new(0.5, 1.0, 0.3), Vec3::new(0.02, 1.1, 0.02), Vec3::splat(0.4)];
        for (number, size) in sizes.into_iter().enumerate() {
            let piece = primitives::cuboid(size).unwrap();
            let first = positions.len() as u32;
            positions.extend(piece.positions().iter().map(|point| *point + Vec3::X * number as f32 * 0.1));
            triangles.extend(piece.triangles().iter().map(|corners| corners.map(|corner| first + corner)));
        }
        assert_eq!(largest(&positions, &triangles, 0.8), Some(triangles[..12].to_vec()));
        assert_eq!(largest(&positions, &triangles[..12], 0.8), None, "one piece is the whole");
        assert_eq!(largest(&positions, &triangles, 1.05), None);
    }
}
