//! Numbers for the quality of a deformation: the volume compared with the bind pose, and the stretch of the
//! edges.

use super::halfedge::HalfedgeMesh;
use glam::{DVec3, Vec3};

/// A surface in its bind pose, as the reference for measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    triangles: Vec<[u32; 3]>,
    /// The vertices and the bind pose length of each edge; edges without length are left out.
    edges: Vec<([u32; 2], f64)>,
    /// The volume in the bind pose; `None` if the surface is not closed or has no volume.
    volume: Option<f64>,
}

/// Measurements of a deformed surface, relative to its bind pose.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Deformation {
    /// The volume divided by that of the bind pose; `None` if that is not defined (holes, flat). Parts that
    /// are inside out count as negative.
    pub volume: Option<f64>,
    /// The greatest ratio, over all edges, of the length to the length in the bind pose; 1 without edges.
    pub stretch: f64,
    /// The lower end of that edge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertex: Option<u32>,
}

impl Measure {
    /// Uses `surface` as stored as the reference.
    pub fn new(surface: &HalfedgeMesh) -> Self {
        let positions = surface.positions();
        let edges = (0..surface.edge_count() as u32).map(|edge| surface.edge_vertices(edge));
        let edges = edges.map(|ends| (ends, length(positions, ends)));
        let closed = surface.face_boundaries().iter().all(|boundary| !boundary);
        let triangles = surface.triangles();
        let bind = volume(positions, &triangles);
        // A volume as small as its rounding error is no reference.
        let size = positions.iter().fold(0.0, |size: f64, p| size.max(p.as_dvec3().abs().max_element()));
        Self {
            edges: edges.filter(|(_, length)| *length > 0.0).collect(),
            volume: Some(bind).filter(|bind| closed && bind.abs() > 1e-9 * size.powi(3)),
            triangles,
        }
    }

    /// Measures `positions`, one per vertex.
    pub fn deformation(&self, positions: &[Vec3]) -> Deformation {
        let stretches =
            self.edges.iter().map(|&(ends, bind)| (length(positions, ends) / bind, ends[0].min(ends[1])));
        let most = stretches.reduce(|most, other| if other.0 > most.0 { other } else { most });
        Deformation {
            volume: self.volume.map(|bind| volume(positions, &self.triangles) / bind),
            stretch: most.map_or(1.0, |(stretch, _)| stretch),
            vertex: most.map(|(_, vertex)| vertex),
        }
    }
}

fn length(positions: &[Vec3], [a, b]: [u32; 2]) -> f64 {
    let position = |v: u32| positions[v as usize].as_dvec3();
    position(a).distance(position(b))
}

/// Returns the volume enclosed by closed triangles: the sum of the tetrahedra that they form with one point.
pub fn volume(positions: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    // A point of the surface, for precision far from the origin.
    let origin = positions.first().map_or(DVec3::ZERO, |p| p.as_dvec3());
    let sixfold_volume = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|v| positions[v as usize].as_dvec3() - origin);
        a.dot(b.cross(c))
    };
    triangles.iter().map(sixfold_volume).sum::<f64>() / 6.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;

    #[test]
    fn a_scaled_and_moved_box() {
        let cube = primitives::cuboid(Vec3::new(1.0, 2.0, 3.0)).unwrap();
        let measure = Measure::new(&cube);
        assert!((volume(cube.positions(), &cube.triangles()) - 6.0).abs() < 1e-12);
        let scale = Vec3::new(2.0, 0.5, 1.5);
        let moved: Vec<Vec3> = cube.positions().iter().map(|p| *p * scale + 100.0).collect();
        let found = measure.deformation(&moved);
        assert!((found.volume.unwrap() - 1.5).abs() < 1e-4, "{found:?}");
        assert!((found.stretch - 2.0).abs() < 1e-5, "{found:?}");
        let unchanged = measure.deformation(cube.positions());
        assert_eq!((unchanged.volume, unchanged.stretch), (Some(1.0), 1.0));
        let mut drawn_out = cube.positions().to_vec();
        drawn_out[5] = 3.0 * drawn_out[5];
        let found = measure.deformation(&drawn_out);
        let mut edges = (0..cube.edge_count() as u32).map(|edge| cube.edge_vertices(edge));
        let is_its_edge = |ends: [u32; 2]| ends.contains(&5) && ends.iter().min() == found.vertex.as_ref();
        assert!(found.stretch > 1.5 && edges.any(is_its_edge), "{found:?}");
        let inside_out: Vec<Vec3> = cube.positions().iter().map(|p| -*p).collect();
        assert!((measure.deformation(&inside_out).volume.unwrap() + 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_sphere_has_the_volume_of_a_ball() {
        let ball = primitives::uv_sphere(2.0, 200, 100).unwrap();
        let exact = 4.0 / 3.0 * std::f64::consts::PI * 8.0;
        assert!((volume(ball.positions(), &ball.triangles()) / exact - 1.0).abs() < 1e-3);
    }

    #[test]
    fn open_and_flat_surfaces_have_no_volume_ratio() {
        let sheet = [Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::Y].to_vec();
        let sheet = HalfedgeMesh::from_polygons(sheet, &[vec![0, 1, 2, 3]], None).unwrap();
        assert_eq!(Measure::new(&sheet).deformation(sheet.positions()).volume, None);
        let cube = primitives::cuboid(Vec3::new(1.0, 2.0, 0.0)).unwrap();
        assert_eq!(Measure::new(&cube).deformation(cube.positions()).volume, None);
        let empty = Measure::new(&HalfedgeMesh::default()).deformation(&[]);
        assert_eq!((empty.volume, empty.stretch), (None, 1.0));
    }
}
