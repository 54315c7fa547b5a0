//! Counts and sizes that describe a surface and its soundness.

use super::halfedge::HalfedgeMesh;
use super::shells;
use serde::Serialize;

/// Statistics of a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Statistics {
    pub vertices: usize,
    pub edges: usize,
    /// The number of faces, without boundary faces.
    pub faces: usize,
    pub triangles: usize,
    pub quads: usize,
    /// The number of holes.
    pub boundaries: usize,
    /// The number of connected pieces.
    pub shells: usize,
    /// The number of these whose faces point inwards; zero unless the surface is closed.
    pub inward_shells: usize,
    /// The area in square units of mesh space; a face counts as its triangles.
    pub area: f64,
    /// The enclosed volume in cubic units; negative if the surface is inside out, zero unless it is closed.
    pub volume: f64,
}

impl Statistics {
    pub fn new(mesh: &HalfedgeMesh) -> Self {
        let shells = shells::find_shells(mesh);
        let mut statistics = Self {
            vertices: mesh.vertex_count(),
            edges: mesh.edge_count(),
            shells: shells.count,
            ..Self::default()
        };
        let position = |h: u32| mesh.positions()[mesh.vertex_of(h) as usize].as_dvec3();
        // Relative to a point of the surface: otherwise the products could lose all precision.
        let origin = mesh.positions().first().map(|p| p.as_dvec3()).unwrap_or_default();
        let mut volumes = vec![0.0_f64; shells.count];
        for face in 0..mesh.face_count() as u32 {
            if mesh.is_boundary(face) {
                statistics.boundaries += 1;
                continue;
            }
            statistics.faces += 1;
            let corners = mesh.face_corners(face).count();
            statistics.triangles += usize::from(corners == 3);
            statistics.quads += usize::from(corners == 4);
        }
        mesh.for_each_triangle(|_, corners| {
            let shell = shells.shell_of_vertex[mesh.vertex_of(corners[0]) as usize] as usize;
            let [a, b, c] = corners.map(|h| position(h) - origin);
            statistics.area += (b - a).cross(c - a).length() / 2.0;
            volumes[shell] += a.dot(b.cross(c)) / 6.0;
        });
        if statistics.is_closed() {
            statistics.volume = volumes.iter().sum();
            statistics.inward_shells = volumes.iter().filter(|volume| **volume < 0.0).count();
        }
        statistics
    }

    /// Whether the surface has no holes.
    pub fn is_closed(&self) -> bool {
        self.boundaries == 0 && self.faces > 0
    }

    /// Whether the surface is closed and inside out, at least for the most part.
    pub fn is_inside_out(&self) -> bool {
        self.is_closed() && self.volume < 0.0
    }

    /// What is inside out of such a surface: `inside out`, or `with 1 of 2 shells inside out`.
    pub fn inside_out(&self) -> Option<String> {
        self.is_inside_out().then(|| match self.inward_shells == self.shells {
            true => "inside out".to_owned(),
            false => format!("with {} of {} shells inside out", self.inward_shells, self.shells),
        })
    }

    /// The number of faces with more than four corners.
    pub fn polygons(&self) -> usize {
        self.faces - self.triangles - self.quads
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;
    use crate::mesh::soup::Polygons;
    use glam::Vec3;

    #[test]
    fn a_box_is_counted() {
        let counted = Statistics::new(&primitives::cuboid(Vec3::new(1.0, 2.0, 3.0)).unwrap());
        assert_eq!((counted.vertices, counted.edges, counted.faces), (8, 12, 6));
        assert_eq!((counted.triangles, counted.quads, counted.polygons()), (0, 6, 0));
        assert_eq!((counted.boundaries, counted.shells), (0, 1));
        assert!((counted.area - 22.0).abs() < 1e-6 && (counted.volume - 6.0).abs() < 1e-6);
        assert!(counted.is_closed() && !counted.is_inside_out());
        let flipped = Statistics::new(&primitives::cuboid(Vec3::ONE).unwrap().flipped());
        assert!(flipped.is_inside_out() && (flipped.volume + 1.0).abs() < 1e-6);
    }

    #[test]
    fn holes_and_pieces_are_counted() {
        let mut two = Polygons::new(&primitives::cuboid(Vec3::ONE).unwrap());
        let other = two.clone();
        two.positions.extend(other.positions.iter().map(|p| *p + Vec3::X * 3.0));
        two.faces.extend(other.faces.iter().map(|f| f.iter().map(|v| v + 8).collect()));
        (two.uvs, two.normals) = (Vec::new(), Vec::new());
        two.faces.remove(11);
        two.faces.remove(0);
        let counted = Statistics::new(&two.build().unwrap());
        assert_eq!((counted.shells, counted.boundaries, counted.faces), (2, 2, 10));
        assert_eq!((counted.volume, counted.is_closed()), (0.0, false));
        let empty = Statistics::new(&HalfedgeMesh::default());
        assert!(!empty.is_closed() && empty == Statistics::default());
    }
}
