//! Inside and outside of a surface. Makes no claim near open parts of it.

use super::bvh::Bvh;
use super::halfedge::HalfedgeMesh;
use super::shells;
use crate::math::bounds::Bounds;
use crate::math::ray::Ray;
use glam::Vec3;
use std::sync::Arc;

/// The directions of the test rays, which are not parallel to the edges of any regular surface: three, and
/// two more for when those disagree.
const DIRECTIONS: [Vec3; 5] = [
    Vec3::new(0.577_4, 0.269_1, 0.771_3),
    Vec3::new(-0.813_7, 0.441_9, 0.377_2),
    Vec3::new(0.190_3, -0.929_1, 0.317_1),
    Vec3::new(-0.401_7, -0.310_9, -0.861_3),
    Vec3::new(0.711_9, 0.690_3, -0.128_9),
];
const FIRST_RAYS: usize = 3;

/// The closed shells of a surface, and the bounds of its open ones.
#[derive(Clone, Debug)]
pub struct Interior {
    surface: Arc<HalfedgeMesh>,
    closed: Bvh,
    /// The bounds of each open shell.
    open: Vec<Bounds>,
    bounds: Bounds,
    /// The shell of each vertex (V).
    shell_of_vertex: Vec<u32>,
}

impl Interior {
    pub fn new(surface: &Arc<HalfedgeMesh>) -> Self {
        let shells = shells::find_shells(surface);
        let mut is_open = vec![false; shells.count];
        for h in 0..surface.halfedge_count() as u32 {
            if surface.is_boundary(surface.face_of(h)) {
                is_open[shells.shell_of_vertex[surface.vertex_of(h) as usize] as usize] = true;
            }
        }
        let mut bounds = vec![Bounds::EMPTY; shells.count];
        for (position, shell) in surface.positions().iter().zip(&shells.shell_of_vertex) {
            bounds[*shell as usize].include(*position);
        }
        let around_all = bounds.iter().copied().fold(Bounds::EMPTY, Bounds::union);
        let closed = if is_open.contains(&true) {
            let mut triangles = surface.triangles();
            triangles.retain(|[vertex, ..]| !is_open[shells.shell_of_vertex[*vertex as usize] as usize]);
            Bvh::new(surface.positions(), &triangles)
        } else {
            Bvh::from_surface(surface)
        };
        let open = bounds.into_iter().zip(is_open).filter(|(_, open)| *open);
        Self {
            surface: surface.clone(),
            closed,
            open: open.map(|(bounds, _)| bounds).collect(),
            bounds: around_all,
            shell_of_vertex: shells.shell_of_vertex,
        }
    }

    /// The bounding box of the whole surface.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    pub fn is_built_from(&self, surface: &Arc<HalfedgeMesh>) -> bool {
        Arc::ptr_eq(&self.surface, surface)
    }

    /// Whether `point` is more than `tolerance` outside every shell. False if this is unknown: near open
    /// shells, and if nothing is closed.
    ///
    /// A point is inside a shell if rays leave it more often than they enter it (or less often, if it is
    /// inside out); the majority of the rays decides.
    pub fn is_outside(&self, point: Vec3, tolerance: f32) -> bool {
        let bounds = self.closed.bounds();
        let is_known = point.is_finite() && !bounds.is_empty() && bounds.diagonal().is_finite();
        let is_in = |bounds: &Bounds| {
            let nearest = point.clamp(bounds.min, bounds.max);
            (point - nearest).length() <= tolerance
        };
        if !is_known || self.open.iter().any(is_in) {
            return false;
        }
        if !is_in(&bounds) {
            return true;
        }
        !self.is_inside(point) && !self.closed.is_near(self.surface.positions(), point, tolerance)
    }

    fn is_inside(&self, point: Vec3) -> bool {
        let [first_rays, other_rays] = [&DIRECTIONS[..FIRST_RAYS], &DIRECTIONS[FIRST_RAYS..]];
        let count = |directions: &[Vec3]| {
            let inside_count = directions.iter().filter(|direction| self.leaves_along(point, **direction));
            inside_count.count()
        };
        match count(first_rays) {
            0 => false,
            FIRST_RAYS => true,
            count_so_far => 2 * (count_so_far + count(other_rays)) > DIRECTIONS.len(),
        }
    }

    /// Whether a ray leaves some shell more often than it enters it, or less often.
    fn leaves_along(&self, point: Vec3, direction: Vec3) -> bool {
        let positions = self.surface.positions();
        let hits = self.closed.all_hits(positions, &Ray::new(point, direction));
        let mut windings: Vec<(u32, i32)> = Vec::new();
        for hit in hits {
            let [a, b, c] = hit.triangle.map(|vertex| positions[vertex as usize].as_dvec3());
            let side = (b - a).cross(c - a).dot(direction.as_dvec3());
            let turn = if side > 0.0 { 1 } else { -1 };
            let shell = self.shell_of_vertex[hit.triangle[0] as usize];
            match windings.iter_mut().find(|(other, _)| *other == shell) {
                Some((_, winding)) => *winding += turn,
                None => windings.push((shell, turn)),
            }
        }
        windings.iter().any(|(_, winding)| *winding != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;
    use crate::testing::Random;

    fn outside(surface: HalfedgeMesh, points: &[Vec3]) -> Vec<bool> {
        let interior = Interior::new(&Arc::new(surface));
        points.iter().map(|point| interior.is_outside(*point, 1e-3)).collect()
    }

    /// Joins several surfaces, each with an offset, into one.
    fn join(parts: &[(&HalfedgeMesh, Vec3)]) -> HalfedgeMesh {
        let (mut positions, mut faces) = (Vec::new(), Vec::new());
        for (part, offset) in parts {
            let first = positions.len() as u32;
            positions.extend(part.positions().iter().map(|p| *p + *offset));
            for triangle in part.triangles() {
                faces.push(triangle.map(|vertex| first + vertex).to_vec());
            }
        }
        HalfedgeMesh::from_polygons(positions, &faces, None).unwrap()
    }

    #[test]
    fn balls_of_either_orientation_have_an_inside() {
        let ball = primitives::uv_sphere(1.0, 32, 16).unwrap();
        let mut random = Random::new(12);
        let points: Vec<Vec3> = (0..400).map(|_| random.vec3(1.6)).collect();
        let expected: Vec<bool> = points.iter().map(|p| p.length() > 1.0).collect();
        let clear: Vec<usize> = (0..400).filter(|i| (points[*i].length() - 1.0).abs() > 0.02).collect();
        for surface in [ball.flipped(), ball] {
            let found = outside(surface, &points);
            assert!(clear.iter().all(|i| found[*i] == expected[*i]));
        }
    }

    #[test]
    fn points_within_the_tolerance_of_the_surface_are_not_outside() {
        let cube = Arc::new(primitives::cuboid(Vec3::ONE).unwrap());
        let interior = Interior::new(&cube);
        let above = |height: f32| Vec3::new(0.1, 0.5 + height, 0.2);
        assert!(!interior.is_outside(above(0.0), 1e-4) && !interior.is_outside(above(0.009), 0.01));
        assert!(interior.is_outside(above(0.011), 0.01));
    }

    /// An eyeball in a head, and a head that a neck passes through: inside one is inside the body.
    #[test]
    fn nested_and_intersecting_shells_are_one_body() {
        let [small, large] = [0.3, 1.0].map(|radius| primitives::uv_sphere(radius, 24, 12).unwrap());
        let points = [Vec3::ZERO, Vec3::X * 0.6, Vec3::X * 1.05, Vec3::X * 1.4];
        let inner = join(&[(&large, Vec3::ZERO), (&small, Vec3::ZERO)]);
        assert_eq!(outside(inner, &points), [false, false, true, true]);
        for crossing in [small.clone(), small.flipped()] {
            let both = join(&[(&large, Vec3::ZERO), (&crossing, Vec3::X)]);
            assert_eq!(outside(both, &points), [false, false, false, true]);
        }
    }

    #[test]
    fn nothing_is_outside_open_and_empty_surfaces() {
        let points = [Vec3::ZERO, Vec3::Y * 0.3, Vec3::X * 9.0, Vec3::NAN];
        assert_eq!(outside(HalfedgeMesh::default(), &points), [false; 4]);
        let tube = primitives::tube(0.5, 1.0, 16, 4).unwrap();
        let plate =
            HalfedgeMesh::from_polygons(vec![Vec3::ZERO, Vec3::X, Vec3::Y], &[vec![0, 1, 2]], None).unwrap();
        assert_eq!(outside(plate.clone(), &points), [false; 4]);
        // With a closed shell, only points near the open one remain unknown.
        let both = join(&[(&tube, Vec3::ZERO), (&plate, Vec3::X * 8.5)]);
        assert_eq!(outside(both, &points), [false, false, false, false]);
        let far = Arc::new(join(&[(&tube, Vec3::ZERO), (&plate, Vec3::X * 30.0)]));
        assert!(Interior::new(&far).is_outside(Vec3::X * 9.0, 1e-3));
    }

    #[test]
    fn nothing_is_outside_a_surface_too_large_to_measure() {
        let huge = primitives::cuboid(Vec3::splat(3e38)).unwrap();
        assert_eq!(outside(huge, &[Vec3::ZERO, Vec3::splat(3e38)]), [false; 2]);
    }
}
