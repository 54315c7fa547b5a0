//! Proximity queries: the closest point to a given point, and whether any triangle is within a distance.

use super::search_stack::SearchStack;
use super::{Bvh, corners};
use crate::math::bounds::Bounds;
use crate::math::segment::closest_parameter;
use glam::{DVec3, Vec3};

/// The point on a triangle that is closest to a given point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    pub distance: f32,
    /// The vertices of the triangle.
    pub triangle: [u32; 3],
    /// The barycentric coordinates of the point.
    pub weights: [f32; 3],
}

impl Bvh {
    /// Returns the point closest to `point`; `None` if the tree is empty or the point is not finite.
    pub fn closest(&self, positions: &[Vec3], point: Vec3) -> Option<Nearest> {
        self.closest_where(positions, point, |_| true)
    }

    /// Like [`Self::closest`], but considers only the triangles accepted by `filter`.
    pub fn closest_where(
        &self,
        positions: &[Vec3],
        point: Vec3,
        filter: impl Fn(&[u32; 3]) -> bool,
    ) -> Option<Nearest> {
        let mut best: Option<(f64, [u32; 3], [f64; 3])> = None;
        let mut stack = SearchStack::new((0, 0.0));
        while let Some((index, near)) = stack.pop() {
            let Some(node) = self.nodes.get(index) else {
                continue;
            };
            if best.is_some_and(|(least, ..)| near >= least) {
                continue;
            }
            if node.count > 0 {
                for triangle in self.leaf(node).iter().filter(|triangle| filter(triangle)) {
                    let Some(points) = corners(positions, triangle) else {
                        continue;
                    };
                    let weights = closest_weights(points.map(|p| p.as_dvec3()), point.as_dvec3());
                    let closest: DVec3 = (0..3).map(|i| points[i].as_dvec3() * weights[i]).sum();
                    let squared = closest.distance_squared(point.as_dvec3());
                    if squared.is_finite() && best.is_none_or(|(least, ..)| squared < least) {
                        best = Some((squared, *triangle, weights));
                    }
                }
                continue;
            }
            let first = node.first as usize;
            let mut children = [first, first + 1]
                .map(|index| (index, squared_distance_to_box(&self.nodes[index].bounds, point)));
            // The nearer child last, so that it is visited first.
            if children[0].1 < children[1].1 {
                children.swap(0, 1);
            }
            children.into_iter().for_each(|child| stack.push(child));
        }
        best.map(|(squared, triangle, weights)| Nearest {
            distance: squared.sqrt() as f32,
            triangle,
            weights: weights.map(|weight| weight as f32),
        })
    }

    /// Whether any triangle is within `distance` of `point`.
    pub fn is_near(&self, positions: &[Vec3], point: Vec3, distance: f32) -> bool {
        let most = f64::from(distance) * f64::from(distance);
        let mut stack = if distance >= 0.0 { vec![0] } else { Vec::new() };
        while let Some(index) = stack.pop() {
            let Some(node) = self.nodes.get(index) else {
                continue;
            };
            if squared_distance_to_box(&node.bounds, point) > most {
                continue;
            }
            let is_near = |triangle: &[u32; 3]| {
                corners(positions, triangle).is_some_and(|[a, b, c]| squared_distance(a, b, c, point) <= most)
            };
            match node.count {
                0 => stack.extend([node.first as usize, node.first as usize + 1]),
                _ if self.leaf(node).iter().any(is_near) => return true,
                _ => {}
            }
        }
        false
    }
}

/// Returns the squared distance to a box; infinite for an empty box.
fn squared_distance_to_box(bounds: &Bounds, point: Vec3) -> f64 {
    if bounds.is_empty() {
        return f64::INFINITY;
    }
    let nearest = point.clamp(bounds.min, bounds.max);
    (point.as_dvec3() - nearest.as_dvec3()).length_squared()
}

/// Returns the barycentric coordinates of the point of a triangle closest to `point` (Ericson, "Real-Time
/// Collision Detection", 2004).
fn closest_weights([a, b, c]: [DVec3; 3], point: DVec3) -> [f64; 3] {
    let normal = (b - a).cross(c - a);
    let doubled = normal.length_squared();
    if doubled > 0.0 {
        let area_ratio = |from: DVec3, to: DVec3| (to - from).cross(point - from).dot(normal) / doubled;
        let weights = [area_ratio(b, c), area_ratio(c, a), area_ratio(a, b)];
        if weights.iter().all(|weight| *weight >= 0.0) {
            return weights;
        }
    }
    let on_side = |from: DVec3, to: DVec3| {
        let t = closest_parameter(from, to, point);
        (from.lerp(to, t).distance_squared(point), t)
    };
    let sides = [(0, 1, on_side(a, b)), (1, 2, on_side(b, c)), (2, 0, on_side(c, a))];
    let nearest = sides.into_iter().min_by(|x, y| x.2.0.total_cmp(&y.2.0));
    let (from, to, (_, t)) = nearest.unwrap_or((0, 1, (0.0, 0.0)));
    let mut weights = [0.0; 3];
    weights[from] = 1.0 - t;
    weights[to] += t;
    weights
}

/// Returns the squared distance from `point` to the triangle: to its plane if the foot of the perpendicular
/// is inside, else to the nearest side.
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
        let t = closest_parameter(from, to, point);
        (point - from.lerp(to, t)).length_squared()
    };
    to_side(a, b).min(to_side(b, c)).min(to_side(c, a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;
    use crate::testing::Random;

    /// Compared with points sampled densely on each triangle.
    #[test]
    fn distances_agree_with_dense_sampling() {
        let mut random = Random::new(7);
        for _ in 0..200 {
            let [a, b, c] = [0; 3].map(|_| random.vec3(1.0));
            let point = random.vec3(2.0);
            let steps = 200;
            let mut least = f64::INFINITY;
            for i in 0..=steps {
                for k in 0..=steps - i {
                    let (u, v) = (i as f32 / steps as f32, k as f32 / steps as f32);
                    let sample = a + (b - a) * u + (c - a) * v;
                    least = least.min((point - sample).as_dvec3().length());
                }
            }
            let found = squared_distance(a, b, c, point).sqrt();
            assert!(found <= least + 1e-6 && found > least - 0.02, "{found} {least}");
        }
        let line = squared_distance(Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::new(1.5, 1.0, 0.0));
        assert_eq!(line, 1.0, "a triangle without area");
    }

    /// Compared with every triangle in turn.
    #[test]
    fn the_closest_point_is_on_the_closest_triangle() {
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
            let least = ball.triangles().iter().map(distance).fold(f64::INFINITY, f64::min);
            assert!((f64::from(found.distance) - least).abs() < 1e-6, "{point}");
            let closest: Vec3 =
                (0..3).map(|i| ball.positions()[found.triangle[i] as usize] * found.weights[i]).sum();
            assert!((closest.distance(point) - found.distance).abs() < 1e-5, "{point}");
        }
        assert_eq!(tree.closest(ball.positions(), Vec3::NAN), None);
        assert_eq!(Bvh::default().closest(&[], Vec3::ZERO), None);
    }

    #[test]
    fn proximity_to_a_ball_is_found_on_both_sides() {
        let ball = primitives::uv_sphere(1.0, 64, 32).unwrap();
        let tree = Bvh::from_surface(&ball);
        let mut random = Random::new(8);
        for _ in 0..300 {
            let point = random.direction() * random.range(0.2, 2.0);
            let offset = (point.length() - 1.0).abs();
            let near = |distance| tree.is_near(ball.positions(), point, distance);
            // The faces are up to 0.01 inside the sphere.
            assert!(near(offset + 0.02) && !near(offset - 0.02), "{point}");
        }
        assert!(!Bvh::default().is_near(&[], Vec3::ZERO, f32::MAX));
        assert!(!tree.is_near(ball.positions(), Vec3::NAN, 1.0));
    }
}
