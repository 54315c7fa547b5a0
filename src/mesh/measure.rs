//! What a deformation does to a surface, in numbers: its volume against the bind pose, its longest edge
//! against what that edge was.

use super::halfedge::HalfedgeMesh;
use glam::{DVec3, Vec3};

/// A surface in its bind pose, to measure others against.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    triangles: Vec<[u32; 3]>,
    /// Both ends, and the length in the bind pose; none of zero length.
    edges: Vec<([u32; 2], f64)>,
    /// `None` where the surface is not closed or holds nothing.
    volume: Option<f64>,
}

/// A deformed surface against its bind pose.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Deformation {
    /// Volume divided by that of the bind pose; `None` where that has none (holes, flat). Parts that are
    /// inside out count as negative.
    pub volume: Option<f64>,
    /// The largest ratio, over all edges, of length to length in the bind pose; 1 without edges.
    pub stretch: f64,
}

impl Measure {
    /// Measures against `surface` as stored.
    pub fn new(surface: &HalfedgeMesh) -> Self {
        let positions = surface.positions();
        let edges = (0..surface.edge_count() as u32).map(|edge| surface.edge_vertices(edge));
        let edges = edges.map(|ends| (ends, length(positions, ends)));
        let closed = surface.face_boundaries().iter().all(|boundary| !boundary);
        let triangles = surface.triangles();
        let bind = volume(positions, &triangles);
        // Against a volume that is all rounding nothing can be measured.
        let size = positions
            .iter()
            .fold(0.0, |size: f64, p| size.max(p.as_dvec3().abs().max_element()));
        Self {
            edges: edges.filter(|(_, length)| *length > 0.0).collect(),
            volume: Some(bind).filter(|bind| closed && bind.abs() > 1e-9 * size.powi(3)),
            triangles,
        }
    }

    /// `positions`: V, as many as the surface has vertices.
    pub fn deformation(&self, positions: &[Vec3]) -> Deformation {
        let stretches = self
            .edges
            .iter()
            .map(|&(ends, bind)| length(positions, ends) / bind);
        Deformation {
            volume: self.volume.map(|bind| volume(positions, &self.triangles) / bind),
            stretch: stretches.reduce(f64::max).unwrap_or(1.0),
        }
    }
}

fn length(positions: &[Vec3], [a, b]: [u32; 2]) -> f64 {
    let at = |v: u32| positions[v as usize].as_dvec3();
    at(a).distance(at(b))
}

/// The volume that closed triangles enclose: the sum of the tetrahedra that they make with one point.
pub fn volume(positions: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    // A point of the surface, so that a mesh far off keeps its digits.
    let origin = positions.first().map_or(DVec3::ZERO, |p| p.as_dvec3());
    let six = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|v| positions[v as usize].as_dvec3() - origin);
        a.dot(b.cross(c))
    };
    triangles.iter().map(six).sum::<f64>() / 6.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;

    #[test]
    fn of_a_box_scaled_and_moved() {
        let cube = primitives::cuboid(Vec3::new(1.0, 2.0, 3.0)).unwrap();
        let measure = Measure::new(&cube);
        assert!((volume(cube.positions(), &cube.triangles()) - 6.0).abs() < 1e-12);
        let scale = Vec3::new(2.0, 0.5, 1.5);
        let moved: Vec<Vec3> = cube.positions().iter().map(|p| *p * scale + 100.0).collect();
        let found = measure.deformation(&moved);
        assert!((found.volume.unwrap() - 1.5).abs() < 1e-4, "{found:?}");
        assert!((found.stretch - 2.0).abs() < 1e-5, "{found:?}");
        let still = measure.deformation(cube.positions());
        assert_eq!((still.volume, still.stretch), (Some(1.0), 1.0));
        let inside_out: Vec<Vec3> = cube.positions().iter().map(|p| -*p).collect();
        assert!((measure.deformation(&inside_out).volume.unwrap() + 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_ball_has_the_volume_of_a_ball() {
        let ball = primitives::uv_sphere(2.0, 200, 100).unwrap();
        let exact = 4.0 / 3.0 * std::f64::consts::PI * 8.0;
        assert!((volume(ball.positions(), &ball.triangles()) / exact - 1.0).abs() < 1e-3);
    }

    #[test]
    fn what_has_no_volume_is_not_measured_against_it() {
        let sheet = [Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::Y].to_vec();
        let sheet = HalfedgeMesh::from_polygons(sheet, &[vec![0, 1, 2, 3]], None).unwrap();
        assert_eq!(Measure::new(&sheet).deformation(sheet.positions()).volume, None);
        let cube = primitives::cuboid(Vec3::new(1.0, 2.0, 0.0)).unwrap();
        assert_eq!(Measure::new(&cube).deformation(cube.positions()).volume, None);
        let nothing = Measure::new(&HalfedgeMesh::default()).deformation(&[]);
        assert_eq!((nothing.volume, nothing.stretch), (None, 1.0));
    }
}
