//! Intersection of rays with simple shapes, and distances on the screen; used for picking. No acceleration
//! structure.

use super::bounds::Bounds;
use glam::{DVec3, Mat4, Vec2, Vec3};

/// The points `origin + t * direction` with `t >= start`.
///
/// `direction` need not have unit length, so a ray can be transformed into another space without changing
/// `t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    pub origin: Vec3,
    pub direction: Vec3,
    /// The smallest `t` of the ray; minus infinity for a view ray of an orthographic camera.
    pub start: f32,
}

impl Ray {
    /// Creates a ray that starts at `origin`.
    pub fn new(origin: Vec3, direction: Vec3) -> Self {
        Self { origin, direction, start: 0.0 }
    }

    pub fn point_at(&self, t: f32) -> Vec3 {
        self.origin + self.direction * t
    }

    /// Transforms the ray by an affine `matrix`; `t` keeps its meaning.
    pub fn transformed(&self, matrix: &Mat4) -> Self {
        Self {
            origin: matrix.transform_point3(self.origin),
            direction: matrix.transform_vector3(self.direction),
            start: self.start,
        }
    }

    /// Returns the smallest `t` at which the ray meets the surface of a sphere.
    pub fn intersect_sphere(&self, center: Vec3, radius: f32) -> Option<f32> {
        let (center, radius) = (center.as_dvec3(), radius as f64);
        self.first(self.sphere_roots(center, radius).into_iter().flatten())
    }

    /// Returns the smallest `t` at which the ray meets the surface of a capsule: all points within `radius`
    /// of the segment from `a` to `b`.
    pub fn intersect_capsule(&self, a: Vec3, b: Vec3, radius: f32) -> Option<f32> {
        let (a, b, radius) = (a.as_dvec3(), b.as_dvec3(), radius as f64);
        let (origin, direction) = (self.origin.as_dvec3(), self.direction.as_dvec3());
        let (ab, ao) = (b - a, origin - a);
        let length_squared = ab.length_squared();
        // The height above `a` along the axis, times the length of the axis.
        let height = |t: f64| (ao + direction * t).dot(ab);
        // The component of ao + t d perpendicular to the axis has length `radius`: a quadratic in t.
        let (d_along, o_along) = (direction.dot(ab), ao.dot(ab));
        let qa = length_squared * direction.length_squared() - d_along * d_along;
        let qb = length_squared * direction.dot(ao) - o_along * d_along;
        let qc = length_squared * (ao.length_squared() - radius * radius) - o_along * o_along;
        let side =
            roots(qa, qb, qc).into_iter().flatten().filter(|&t| (0.0..=length_squared).contains(&height(t)));
        let lower = self.sphere_roots(a, radius).into_iter().flatten().filter(|&t| height(t) <= 0.0);
        let upper =
            self.sphere_roots(b, radius).into_iter().flatten().filter(|&t| height(t) >= length_squared);
        self.first(side.chain(lower).chain(upper))
    }

    /// Returns the `t` at which the ray meets a triangle, from either side (Möller and Trumbore 1997).
    pub fn intersect_triangle(&self, a: Vec3, b: Vec3, c: Vec3) -> Option<f32> {
        let (ab, ac) = (b - a, c - a);
        let p = self.direction.cross(ac);
        let determinant = ab.dot(p);
        if determinant == 0.0 {
            return None;
        }
        let inverse = 1.0 / determinant;
        let ao = self.origin - a;
        let u = ao.dot(p) * inverse;
        let q = ao.cross(ab);
        let v = self.direction.dot(q) * inverse;
        let t = ac.dot(q) * inverse;
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= self.start && t.is_finite()).then_some(t)
    }

    /// Returns the `t` at which the ray meets the plane through `point`; `None` if the ray is parallel to the
    /// plane.
    pub fn intersect_plane(&self, point: Vec3, normal: Vec3) -> Option<f32> {
        let t = (point - self.origin).dot(normal) / self.direction.dot(normal);
        (t.is_finite() && t >= self.start).then_some(t)
    }

    /// Whether the ray meets the box.
    pub fn intersects(&self, bounds: &Bounds) -> bool {
        let (mut near, mut far) = (self.start, f32::INFINITY);
        for axis in 0..3 {
            let (origin, direction) = (self.origin[axis], self.direction[axis]);
            let (low, high) = (bounds.min[axis], bounds.max[axis]);
            if direction == 0.0 {
                if origin < low || origin > high {
                    return false;
                }
                continue;
            }
            let (t0, t1) = ((low - origin) / direction, (high - origin) / direction);
            near = near.max(t0.min(t1));
            far = far.min(t0.max(t1));
        }
        near <= far && !bounds.is_empty()
    }

    /// Returns the parameters (t, s) of the points at which the ray and the line `point + s * along` are
    /// closest to each other; `None` if they are parallel or that point is before the start of the ray.
    pub fn nearest_to_line(&self, point: Vec3, direction: Vec3) -> Option<(f32, f32)> {
        let (d, e) = (self.direction.as_dvec3(), direction.as_dvec3());
        let w = self.origin.as_dvec3() - point.as_dvec3();
        let (dd, de, ee) = (d.dot(d), d.dot(e), e.dot(e));
        let denominator = dd * ee - de * de;
        // The squared sine of the angle between them; below this limit they count as parallel.
        if denominator <= 1e-9 * dd * ee {
            return None;
        }
        let t = (de * e.dot(w) - ee * d.dot(w)) / denominator;
        let s = (dd * e.dot(w) - de * d.dot(w)) / denominator;
        let (t, s) = (t as f32, s as f32);
        (t.is_finite() && s.is_finite() && t >= self.start).then_some((t, s))
    }

    /// Returns the distance between the infinite line of the ray and the segment from `a` to `b`.
    pub fn distance_to_segment(&self, a: Vec3, b: Vec3) -> f32 {
        let (d, e) = (self.direction.as_dvec3(), (b - a).as_dvec3());
        let w = a.as_dvec3() - self.origin.as_dvec3();
        let dd = d.dot(d);
        if dd == 0.0 {
            return w.length() as f32;
        }
        // The segment projected along the ray.
        let perpendicular = |v: DVec3| v - d * (v.dot(d) / dd);
        let (w, e) = (perpendicular(w), perpendicular(e));
        let ee = e.length_squared();
        let s = if ee > 0.0 { (-w.dot(e) / ee).clamp(0.0, 1.0) } else { 0.0 };
        (w + e * s).length() as f32
    }

    fn sphere_roots(&self, center: DVec3, radius: f64) -> [Option<f64>; 2] {
        let (oc, d) = (self.origin.as_dvec3() - center, self.direction.as_dvec3());
        roots(d.length_squared(), d.dot(oc), oc.length_squared() - radius * radius)
    }

    fn first(&self, candidates: impl Iterator<Item = f64>) -> Option<f32> {
        candidates.map(|t| t as f32).filter(|t| t.is_finite() && *t >= self.start).min_by(f32::total_cmp)
    }
}

/// Returns the real solutions of `a t² + 2 b t + c = 0`.
fn roots(a: f64, b: f64, c: f64) -> [Option<f64>; 2] {
    let discriminant = b * b - a * c;
    if a <= 0.0 || discriminant.is_nan() || discriminant < 0.0 {
        return [None, None];
    }
    let root = discriminant.sqrt();
    [Some((-b - root) / a), Some((-b + root) / a)]
}

/// Returns the distance in the plane from `point` to the segment from `a` to `b`.
pub fn distance_to_segment_2d(point: Vec2, a: Vec2, b: Vec2) -> f32 {
    let ab = b - a;
    let length_squared = ab.length_squared();
    let s = if length_squared > 0.0 { ((point - a).dot(ab) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    point.distance(a + ab * s)
}

/// Whether `point` is inside a convex polygon in the plane, of either orientation. A polygon without area
/// contains nothing.
pub fn inside_convex_2d(point: Vec2, polygon: &[Vec2]) -> bool {
    let mut sign = 0.0f32;
    let mut inside = polygon.len() >= 3;
    for (i, &a) in polygon.iter().enumerate() {
        let b = polygon[(i + 1) % polygon.len()];
        let turn = (b - a).perp_dot(point - a);
        if turn != 0.0 {
            inside &= sign == 0.0 || turn.signum() == sign;
            sign = turn.signum();
        }
    }
    inside && sign != 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    /// Returns the first `t` in 0..limit at which `inside` becomes true, by marching and bisection.
    fn march(limit: f32, inside: impl Fn(f32) -> bool) -> Option<f32> {
        let steps = 4_000;
        let step = limit / steps as f32;
        let hit = (1..=steps).find(|&i| inside(i as f32 * step))?;
        let (mut low, mut high) = ((hit - 1) as f32 * step, hit as f32 * step);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if inside(middle) { high = middle } else { low = middle }
        }
        Some(high)
    }

    /// Returns the distance to a segment by ternary search, independent of the closed form.
    fn segment_distance(a: Vec3, b: Vec3, p: Vec3) -> f32 {
        let (mut low, mut high) = (0.0f32, 1.0f32);
        for _ in 0..60 {
            let (m0, m1) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if p.distance(a.lerp(b, m0)) < p.distance(a.lerp(b, m1)) { high = m1 } else { low = m0 }
        }
        p.distance(a.lerp(b, low))
    }

    #[test]
    fn capsules_and_spheres_agree_with_marching() {
        let mut random = Random::new(7);
        let (mut hits, mut misses) = (0, 0);
        for case in 0..60 {
            let (a, mut b) = (random.vec3(1.0), random.vec3(1.0));
            let radius = random.range(0.1, 0.6);
            let ray = Ray::new(random.direction() * 4.0, random.direction());
            // Aim near the capsule; not all rays hit.
            let direction = (a.lerp(b, 0.5) + random.vec3(0.8) - ray.origin) * random.range(0.3, 2.0);
            let ray = Ray { direction, ..ray };
            if case % 6 == 0 {
                b = a; // a zero-length capsule is a sphere
                assert_eq!(ray.intersect_capsule(a, b, radius), ray.intersect_sphere(a, radius));
            }
            let limit = 8.0 / direction.length();
            let marched = march(limit, |t| segment_distance(a, b, ray.point_at(t)) <= radius);
            match (ray.intersect_capsule(a, b, radius), marched) {
                (Some(t), Some(reference)) => {
                    assert!((t - reference).abs() < 2e-3 * (1.0 + reference), "{t} {reference}");
                    hits += 1;
                }
                (None, None) => misses += 1,
                // Marching can step over a grazing hit.
                (Some(t), None) => assert!((segment_distance(a, b, ray.point_at(t)) - radius).abs() < 1e-3),
                (None, Some(reference)) => panic!("missed at {reference}"),
            }
        }
        assert!(hits > 20 && misses > 5, "{hits} {misses}");
    }

    #[test]
    fn triangles_are_hit_exactly_inside_their_edges() {
        let mut random = Random::new(3);
        for _ in 0..300 {
            let (a, b, c) = (random.vec3(1.0), random.vec3(1.0), random.vec3(1.0));
            let (u, v) = (random.range(-0.5, 1.5), random.range(-0.5, 1.5));
            let aim = a + (b - a) * u + (c - a) * v;
            let origin = random.direction() * 5.0;
            let ray = Ray::new(origin, aim - origin);
            let margin = u.min(v).min(1.0 - u - v);
            let area = (b - a).cross(c - a).normalize_or_zero().dot(ray.direction).abs();
            if margin.abs() < 1e-2 || area < 0.05 {
                continue;
            }
            match ray.intersect_triangle(a, b, c) {
                Some(t) => assert!(margin > 0.0 && (t - 1.0).abs() < 1e-3, "{margin} {t}"),
                None => assert!(margin < 0.0, "{margin}"),
            }
        }
    }

    #[test]
    fn hits_before_the_start_are_ignored() {
        let mut ray = Ray::new(Vec3::ZERO, Vec3::Z);
        let behind = Vec3::new(0.0, 0.0, -3.0);
        assert_eq!(ray.intersect_sphere(behind, 1.0), None);
        assert_eq!(ray.intersect_plane(behind, Vec3::Z), None);
        ray.start = f32::NEG_INFINITY;
        assert_eq!(ray.intersect_sphere(behind, 1.0), Some(-4.0));
        assert_eq!(ray.intersect_plane(behind, Vec3::Z), Some(-3.0));
        assert!(ray.intersects(&Bounds::from_sphere(behind, 1.0)));
        // From inside, the first hit is where the ray leaves the surface.
        assert_eq!(Ray::new(Vec3::ZERO, Vec3::Z).intersect_sphere(Vec3::ZERO, 2.0), Some(2.0));
    }

    #[test]
    fn boxes_are_hit_exactly_when_their_faces_are() {
        let mut random = Random::new(11);
        let mut hit_count = 0;
        for _ in 0..1000 {
            let bounds = Bounds::from_points([random.vec3(1.0), random.vec3(1.0)]);
            let origin = random.vec3(4.0);
            let ray = Ray::new(origin, random.vec3(1.5) - origin);
            // Brute force: twelve triangles, or an origin inside the box.
            let k = bounds.corners();
            let faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
            let inside = origin.cmpge(bounds.min).all() && origin.cmple(bounds.max).all();
            let brute = inside
                || faces.iter().any(|f| {
                    ray.intersect_triangle(k[f[0]], k[f[1]], k[f[2]]).is_some()
                        || ray.intersect_triangle(k[f[0]], k[f[2]], k[f[3]]).is_some()
                });
            assert_eq!(ray.intersects(&bounds), brute);
            hit_count += brute as usize;
        }
        assert!((50..900).contains(&hit_count), "{hit_count}");
        assert!(!Ray::new(Vec3::ZERO, Vec3::X).intersects(&Bounds::EMPTY));
    }

    #[test]
    fn the_shortest_segment_between_ray_and_line_is_perpendicular_to_both() {
        let mut random = Random::new(5);
        for _ in 0..100 {
            let (point, along) = (random.vec3(2.0), random.direction() * 0.7);
            let mut ray = Ray::new(random.vec3(2.0), random.direction() * 3.0);
            ray.start = f32::NEG_INFINITY;
            let (t, s) = ray.nearest_to_line(point, along).expect("not parallel");
            let gap = ray.point_at(t) - (point + along * s);
            assert!(gap.dot(along).abs() < 1e-4 && gap.dot(ray.direction).abs() < 1e-4);
            let expected = (-400..=400)
                .map(|i| {
                    segment_distance(
                        ray.point_at(-20.0),
                        ray.point_at(20.0),
                        point + along * (i as f32 / 400.0),
                    )
                })
                .fold(f32::INFINITY, f32::min);
            let got = ray.distance_to_segment(point - along, point + along);
            assert!((got - expected).abs() < 5e-3, "{got} {expected}");
        }
        assert_eq!(Ray::new(Vec3::ZERO, Vec3::X).nearest_to_line(Vec3::Y, Vec3::X), None);
    }

    #[test]
    fn plane_geometry() {
        let square = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
        let mut reversed = square;
        reversed.reverse();
        for polygon in [square, reversed] {
            assert!(inside_convex_2d(Vec2::splat(0.5), &polygon));
            assert!(!inside_convex_2d(Vec2::new(1.5, 0.5), &polygon));
        }
        assert!(!inside_convex_2d(Vec2::ZERO, &[Vec2::ZERO; 4]));
        assert_eq!(distance_to_segment_2d(Vec2::ZERO, Vec2::X, Vec2::X), 1.0);
    }
}
