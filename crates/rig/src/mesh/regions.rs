//! Operations on sets of neighbouring vertices: grow by a ring, shrink by a ring, expand to connected pieces.
//!
//! Vertices at the same position, as at texture seams, count as one.

use super::halfedge::HalfedgeMesh;
use super::weld::weld;

/// The adjacency of the vertices, with those at the same position merged.
pub struct Regions {
    point_of_vertex: Vec<u32>,
    /// The two points of each edge.
    edges: Vec<[u32; 2]>,
    points: usize,
}

impl Regions {
    pub fn new(surface: &HalfedgeMesh) -> Self {
        let (points, point_of_vertex) = weld(surface.positions());
        let point = |vertex: u32| point_of_vertex[vertex as usize];
        let edges = (0..surface.edge_count() as u32).map(|edge| surface.edge_vertices(edge).map(point));
        Self { edges: edges.collect(), points: points.len(), point_of_vertex }
    }

    fn points(&self, vertices: &[u32]) -> Vec<bool> {
        let mut chosen = vec![false; self.points];
        for &vertex in vertices {
            if let Some(&point) = self.point_of_vertex.get(vertex as usize) {
                chosen[point as usize] = true;
            }
        }
        chosen
    }

    /// Returns the vertices of the chosen points in ascending order.
    fn vertices(&self, chosen: &[bool]) -> Vec<u32> {
        let all = self.point_of_vertex.iter().enumerate();
        all.filter(|(_, point)| chosen[**point as usize]).map(|(vertex, _)| vertex as u32).collect()
    }

    /// Adds all vertices that share an edge with the given ones.
    pub fn grow(&self, vertices: &[u32]) -> Vec<u32> {
        let before = self.points(vertices);
        let mut after = before.clone();
        for [a, b] in self.edges.iter().map(|edge| edge.map(|point| point as usize)) {
            after[a] |= before[b];
            after[b] |= before[a];
        }
        self.vertices(&after)
    }

    /// Removes the vertices that share an edge with a vertex not in the set.
    pub fn shrink(&self, vertices: &[u32]) -> Vec<u32> {
        let before = self.points(vertices);
        let mut after = before.clone();
        for [a, b] in self.edges.iter().map(|edge| edge.map(|point| point as usize)) {
            after[a] &= before[b];
            after[b] &= before[a];
        }
        self.vertices(&after)
    }

    /// Returns all vertices connected to the given ones by edges.
    pub fn connected(&self, vertices: &[u32]) -> Vec<u32> {
        let mut root: Vec<u32> = (0..self.points as u32).collect();
        for &[a, b] in &self.edges {
            let (a, b) = (find_root(&mut root, a), find_root(&mut root, b));
            root[a.max(b) as usize] = a.min(b);
        }
        let chosen = self.points(vertices);
        let mut reached = vec![false; self.points];
        for point in (0..self.points).filter(|&point| chosen[point]) {
            reached[find_root(&mut root, point as u32) as usize] = true;
        }
        let pieces: Vec<bool> =
            (0..self.points as u32).map(|point| reached[find_root(&mut root, point) as usize]).collect();
        self.vertices(&pieces)
    }
}

/// Finds the representative of a point's piece, and shortens the path to it.
fn find_root(root: &mut [u32], mut point: u32) -> u32 {
    while root[point as usize] != point {
        root[point as usize] = root[root[point as usize] as usize];
        point = root[point as usize];
    }
    point
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;
    use crate::mesh::soup::Polygons;
    use glam::{Mat4, Vec2, Vec3};

    /// Two sheets of 4 x 4 faces, one above the other; the vertices of the upper one come second.
    fn two_sheets() -> HalfedgeMesh {
        let plane = primitives::Primitive::Plane { size: Vec2::splat(2.0), divisions: [4; 2] };
        let mut both = Polygons::new(&plane.build().unwrap());
        let far = both.clone().transformed(Mat4::from_translation(Vec3::Y * 5.0));
        let count = both.positions.len() as u32;
        both.positions.extend(far.positions);
        let faces = far.faces.into_iter();
        both.faces
            .extend(faces.map(|face| face.into_iter().map(|vertex| vertex + count).collect::<Vec<_>>()));
        let polygons = Polygons { positions: both.positions, faces: both.faces, ..Polygons::default() };
        polygons.build().unwrap()
    }

    #[test]
    fn rings_grow_and_shrink_and_pieces_end_at_their_rims() {
        let surface = two_sheets();
        let regions = Regions::new(&surface);
        let middle = (0..surface.vertex_count() as u32)
            .min_by(|a, b| {
                let distance = |v: &u32| surface.positions()[*v as usize].length();
                distance(a).total_cmp(&distance(b))
            })
            .unwrap();
        let cross = regions.grow(&[middle]);
        assert_eq!(cross.len(), 5);
        assert_eq!(regions.shrink(&cross), vec![middle]);
        assert_eq!(regions.grow(&cross).len(), 13);
        let piece = regions.connected(&[middle]);
        assert_eq!(piece, (0..25).collect::<Vec<u32>>());
        assert_eq!(regions.shrink(&piece), piece, "a rim does not border on other vertices");
        assert_eq!(regions.connected(&[middle, 49]).len(), 50);
        assert_eq!(regions.grow(&[]), Vec::<u32>::new());
    }

    #[test]
    fn seams_do_not_separate() {
        // The same sheet twice at the same position.
        let plane = primitives::Primitive::Plane { size: Vec2::splat(2.0), divisions: [1; 2] };
        let one = Polygons::new(&plane.build().unwrap());
        let polygons = Polygons {
            positions: one.positions.iter().chain(&one.positions).copied().collect(),
            faces: vec![one.faces[0].clone(), one.faces[0].iter().map(|v| v + 4).collect()],
            ..Polygons::default()
        };
        let regions = Regions::new(&polygons.build().unwrap());
        assert_eq!(regions.connected(&[0]).len(), 8);
    }
}
