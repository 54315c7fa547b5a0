//! Whether triangles of the tree are near a point.

use super::{Bvh, corners};
use crate::math::bounds::Bounds;
use crate::math::segment::closest_parameter;
use glam::{DVec3, Vec3};

impl Bvh {
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
