//! Which triangles of the tree are near a point, and what of them is nearest.

use super::open::Open;
use super::{Bvh, corners};
use crate::math::bounds::Bounds;
use crate::math::segment::closest_parameter;
use glam::{DVec3, Vec3};

/// The place on a triangle that is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    pub distance: f32,
    /// Vertices of the triangle.
    pub triangle: [u32; 3],
    /// Barycentric coordinates of the place.
    pub weights: [f32; 3],
}

impl Bvh {
    /// What is nearest to `point`; `None` where there is nothing, or the point is no number.
    pub fn closest(&self, positions: &[Vec3], point: Vec3) -> Option<Nearest> {
        self.closest_of(positions, point, |_| true)
    }

    /// As [`Self::closest`], of the triangles that `is_taken`.
    pub fn closest_of(
        &self,
        positions: &[Vec3],
        point: Vec3,
        is_taken: impl Fn(&[u32; 3]) -> bool,
    ) -> Option<Nearest> {
        let mut best: Option<(f64, [u32; 3], [f64; 3])> = None;
        let mut open = Open::new((0, 0.0));
        while let Some((at, near)) = open.pop() {
            let Some(node) = self.nodes.get(at) else { continue };
            if best.is_some_and(|(least, ..)| near >= least) {
                continue;
            }
            if node.count > 0 {
                for triangle in self.leaf(node).iter().filter(|triangle| is_taken(triangle)) {
                    let Some(places) = corners(positions, triangle) else {
                        continue;
                    };
                    let weights = nearest_in(places.map(|p| p.as_dvec3()), point.as_dvec3());
                    let place: DVec3 = (0..3).map(|i| places[i].as_dvec3() * weights[i]).sum();
                    let squared = place.distance_squared(point.as_dvec3());
                    if squared.is_finite() && best.is_none_or(|(least, ..)| squared < least) {
                        best = Some((squared, *triangle, weights));
                    }
                }
                continue;
            }
            let first = node.first as usize;
            let mut children =
                [first, first + 1].map(|at| (at, squared_distance_to_box(&self.nodes[at].bounds, point)));
            // The nearer one last, so that it is looked into first.
            if children[0].1 < children[1].1 {
                children.swap(0, 1);
            }
            children.into_iter().for_each(|child| open.push(child));
        }
        best.map(|(squared, triangle, weights)| Nearest {
            distance: squared.sqrt() as f32,
            triangle,
            weights: weights.map(|weight| weight as f32),
        })
    }

    /// Whether a triangle comes nearer to `point` than `distance`, or as near.
    pub fn is_near(&self, positions: &[Vec3], point: Vec3, distance: f32) -> bool {
        let most = f64::from(distance) * f64::from(distance);
        let mut open = if distance >= 0.0 { vec![0] } else { Vec::new() };
        while let Some(at) = open.pop() {
            let Some(node) = self.nodes.get(at) else { continue };
            if squared_distance_to_box(&node.bounds, point) > most {
                continue;
            }
            let is_near = |triangle: &[u32; 3]| {
                corners(positions, triangle).is_some_and(|[a, b, c]| squared_distance(a, b, c, point) <= most)
            };
            match node.count {
                0 => open.extend([node.first as usize, node.first as usize + 1]),
                _ if self.leaf(node).iter().any(is_near) => return true,
                _ => {}
            }
        }
        false
    }
}

/// Infinite for the empty box.
fn squared_distance_to_box(bounds: &Bounds, point: Vec3) -> f64 {
    if bounds.is_empty() {
        return f64::INFINITY;
    }
    let nearest = point.clamp(bounds.min, bounds.max);
    (point.as_dvec3() - nearest.as_dvec3()).length_squared()
}

/// Barycentric coordinates of what is nearest to `point` of a triangle (Ericson, "Real-Time Collision Detection", 2004).
fn nearest_in([a, b, c]: [DVec3; 3], point: DVec3) -> [f64; 3] {
    let normal = (b - a).cross(c - a);
    let doubled = normal.length_squared();
    if doubled > 0.0 {
        let part = |from: DVec3, to: DVec3| (to - from).cross(point - from).dot(normal) / doubled;
        let weights = [part(b, c), part(c, a), part(a, b)];
        if weights.iter().all(|weight| *weight >= 0.0) {
            return weights;
        }
    }
    let on_side = |from: DVec3, to: DVec3| {
        let along = closest_parameter(from, to, point);
        (from.lerp(to, along).distance_squared(point), along)
    };
    let sides = [
        (0, 1, on_side(a, b)),
        (1, 2, on_side(b, c)),
        (2, 0, on_side(c, a)),
    ];
    let nearest = sides.into_iter().min_by(|x, y| x.2.0.total_cmp(&y.2.0));
    let (from, to, (_, along)) = nearest.unwrap_or((0, 1, (0.0, 0.0)));
    let mut weights = [0.0; 3];
    weights[from] = 1.0 - along;
    weights[to] += along;
    weights
}

/// From `point` to the triangle, squared: to the foot of the perpendicular where that is inside, else to the nearest
/// side.
fn squared_distance(a: Vec3, b: Vec3, c: Vec3, point: Vec3) -> f64 {
    let [a, b, c, point] = [a, b, c, point].map(|p| p.as_dvec3());
    let normal = (b - a).cross(c - a);
    let is_inside = [[a, b], [b, c], [c, a]]
        .into_iter()
        .all(|[from, to]| (to - from).cross(point - from).dot(normal) >= 0.0);
    if is_inside && normal != DVec3::ZERO {
        let height = (point - a).dot(normal.normalize());
        return height * height;
    }
    let to_side = |from: DVec3, to: DVec3| {
        let along = closest_parameter(from, to, point);
        (point - from.lerp(to, along)).length_squared()
    };
    to_side(a, b).min(to_side(b, c)).min(to_side(c, a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::testing::Random;
    use crate::mesh::primitives;

    /// Against points laid closely over each triangle.
    #[test]
    fn distances_agree_with_points_laid_over_the_triangles() {
        let mut random = Random::new(7);
        for _ in 0..200 {
            let [a, b, c] = [0; 3].map(|_| random.vec3(1.0));
            let point = random.vec3(2.0);
            let steps = 200;
            let mut least = f64::INFINITY;
            for i in 0..=steps {
                for k in 0..=steps - i {
                    let (u, v) = (i as f32 / steps as f32, k as f32 / steps as f32);
                    let on = a + (b - a) * u + (c - a) * v;
                    least = least.min((point - on).as_dvec3().length());
                }
            }
            let found = squared_distance(a, b, c, point).sqrt();
            assert!(found <= least + 1e-6 && found > least - 0.02, "{found} {least}");
        }
        let line = squared_distance(Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::new(1.5, 1.0, 0.0));
        assert_eq!(line, 1.0, "a triangle without area");
    }

    /// Against every triangle on its own.
    #[test]
    fn the_nearest_place_is_that_of_the_nearest_triangle() {
        let ball = primitives::uv_sphere(1.0, 24, 12).unwrap();
        let tree = Bvh::from_surface(&ball);
        let mut random = Random::new(9);
        for _ in 0..300 {
            let point = random.vec3(2.0);
            let found = tree.closest(ball.positions(), point).unwrap();
            let distance = |t: &[u32; 3]| {
                let [a, b, c] = t.map(|v| ball.positions()[v as usize]);
                squared_distance(a, b, c, point).sqrt()
            };
            let least = ball
                .triangles()
                .iter()
                .map(distance)
                .fold(f64::INFINITY, f64::min);
            assert!((f64::from(found.distance) - least).abs() < 1e-6, "{point}");
            let place: Vec3 = (0..3)
                .map(|i| ball.positions()[found.triangle[i] as usize] * found.weights[i])
                .sum();
            assert!((place.distance(point) - found.distance).abs() < 1e-5, "{point}");
        }
        assert_eq!(tree.closest(ball.positions(), Vec3::NAN), None);
        assert_eq!(Bvh::default().closest(&[], Vec3::ZERO), None);
    }

    #[test]
    fn what_is_near_a_ball_is_found_on_both_sides() {
        let ball = primitives::uv_sphere(1.0, 64, 32).unwrap();
        let tree = Bvh::from_surface(&ball);
        let mut random = Random::new(8);
        for _ in 0..300 {
            let point = random.direction() * random.range(0.2, 2.0);
            let away = (point.length() - 1.0).abs();
            let near = |distance| tree.is_near(ball.positions(), point, distance);
            // The faces lie up to a hundredth inside the ball.
            assert!(near(away + 0.02) && !near(away - 0.02), "{point}");
        }
        assert!(!Bvh::default().is_near(&[], Vec3::ZERO, f32::MAX));
        assert!(!tree.is_near(ball.positions(), Vec3::NAN, 1.0));
    }
}
