//! Vertices of a surface that lie next to each other: one more ring, one less, all that hang together.
//!
//! Vertices at one place are taken as one, as at texture seams.

use super::halfedge::HalfedgeMesh;
use super::welded::welded;

/// Which vertices are neighbours, with those at one place taken as one.
pub struct Regions {
    point_of_vertex: Vec<u32>,
    /// Two points an edge.
    edges: Vec<[u32; 2]>,
    points: usize,
}

impl Regions {
    pub fn new(surface: &HalfedgeMesh) -> Self {
        let (points, point_of_vertex) = welded(surface.positions());
        let of = |vertex: u32| point_of_vertex[vertex as usize];
        let edges = (0..surface.edge_count() as u32).map(|edge| surface.edge_vertices(edge).map(of));
        Self {
            edges: edges.collect(),
            points: points.len(),
            point_of_vertex,
        }
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

    /// In ascending order.
    fn vertices(&self, chosen: &[bool]) -> Vec<u32> {
        let all = self.point_of_vertex.iter().enumerate();
        all.filter(|(_, point)| chosen[**point as usize])
            .map(|(vertex, _)| vertex as u32)
            .collect()
    }

    /// And all that an edge joins to them.
    pub fn grown(&self, vertices: &[u32]) -> Vec<u32> {
        let before = self.points(vertices);
        let mut after = before.clone();
        for [a, b] in self.edges.iter().map(|edge| edge.map(|point| point as usize)) {
            after[a] |= before[b];
            after[b] |= before[a];
        }
        self.vertices(&after)
    }

    /// Without those that an edge joins to others.
    pub fn shrunk(&self, vertices: &[u32]) -> Vec<u32> {
        let before = self.points(vertices);
        let mut after = before.clone();
        for [a, b] in self.edges.iter().map(|edge| edge.map(|point| point as usize)) {
            after[a] &= before[b];
            after[b] &= before[a];
        }
        self.vertices(&after)
    }

    /// All that edges lead to from them.
    pub fn linked(&self, vertices: &[u32]) -> Vec<u32> {
        let mut root: Vec<u32> = (0..self.points as u32).collect();
        for &[a, b] in &self.edges {
            let (a, b) = (top(&mut root, a), top(&mut root, b));
            root[a.max(b) as usize] = a.min(b);
        }
        let chosen = self.points(vertices);
        let mut reached = vec![false; self.points];
        for point in (0..self.points).filter(|&point| chosen[point]) {
            reached[top(&mut root, point as u32) as usize] = true;
        }
        let pieces: Vec<bool> = (0..self.points as u32)
            .map(|point| reached[top(&mut root, point) as usize])
            .collect();
        self.vertices(&pieces)
    }
}

/// The point that stands for the piece; ways to it get shorter.
fn top(root: &mut [u32], mut point: u32) -> u32 {
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

    /// A sheet of 4 x 4 faces, and the same again further away, which lies after it.
    fn two_sheets() -> HalfedgeMesh {
        let plane = primitives::Primitive::Plane {
            size: Vec2::splat(2.0),
            divisions: [4; 2],
        };
        let mut both = Polygons::new(&plane.build().unwrap());
        let far = both.clone().transformed(Mat4::from_translation(Vec3::Y * 5.0));
        let count = both.positions.len() as u32;
        both.positions.extend(far.positions);
        let faces = far.faces.into_iter();
        both.faces
            .extend(faces.map(|face| face.into_iter().map(|vertex| vertex + count).collect::<Vec<_>>()));
        let polygons = Polygons {
            positions: both.positions,
            faces: both.faces,
            ..Polygons::default()
        };
        polygons.build().unwrap()
    }

    #[test]
    fn rings_come_and_go_and_pieces_end_at_their_rims() {
        let surface = two_sheets();
        let regions = Regions::new(&surface);
        let middle = (0..surface.vertex_count() as u32)
            .min_by(|a, b| {
                let far = |v: &u32| surface.positions()[*v as usize].length();
                far(a).total_cmp(&far(b))
            })
            .unwrap();
        let cross = regions.grown(&[middle]);
        assert_eq!(cross.len(), 5);
        assert_eq!(regions.shrunk(&cross), vec![middle]);
        assert_eq!(regions.grown(&cross).len(), 13);
        let piece = regions.linked(&[middle]);
        assert_eq!(piece, (0..25).collect::<Vec<u32>>());
        assert_eq!(regions.shrunk(&piece), piece, "a rim is no border to others");
        assert_eq!(regions.linked(&[middle, 49]).len(), 50);
        assert_eq!(regions.grown(&[]), Vec::<u32>::new());
    }

    #[test]
    fn seams_part_nothing() {
        // The same sheet twice at one place.
        let plane = primitives::Primitive::Plane {
            size: Vec2::splat(2.0),
            divisions: [1; 2],
        };
        let one = Polygons::new(&plane.build().unwrap());
        let polygons = Polygons {
            positions: one.positions.iter().chain(&one.positions).copied().collect(),
            faces: vec![one.faces[0].clone(), one.faces[0].iter().map(|v| v + 4).collect()],
            ..Polygons::default()
        };
        let regions = Regions::new(&polygons.build().unwrap());
        assert_eq!(regions.linked(&[0]).len(), 8);
    }
}
