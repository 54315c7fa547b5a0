//! Closest points on line segments. For rays see [`super::ray`].

use glam::DVec3;

/// Returns the parameter of the point on the segment closest to `point`: 0 at `a`, 1 at `b`, and 0 if the
/// segment has no length. Finite for all finite f32 input, because the squares of the largest and smallest
/// f32 fit into f64.
pub fn closest_parameter(a: DVec3, b: DVec3, point: DVec3) -> f64 {
    let axis = b - a;
    let length_squared = axis.length_squared();
    if length_squared > 0.0 { ((point - a).dot(axis) / length_squared).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use glam::Vec3;

    /// Unlike a + t (b - a), returns both ends exactly.
    fn closest_point(a: Vec3, b: Vec3, point: Vec3) -> Vec3 {
        let (a, b) = (a.as_dvec3(), b.as_dvec3());
        let t = closest_parameter(a, b, point.as_dvec3());
        (a * (1.0 - t) + b * t).as_vec3()
    }

    #[test]
    fn ends_and_middle() {
        let (a, b) = (Vec3::new(1.0, 0.0, 0.0), Vec3::new(3.0, 0.0, 0.0));
        let closest = |x, y| closest_point(a, b, Vec3::new(x, y, 0.0));
        assert_eq!(closest(0.0, 5.0), a);
        assert_eq!(closest(9.0, -2.0), b);
        assert_eq!(closest(1.5, 7.0), Vec3::new(1.5, 0.0, 0.0));
    }

    #[test]
    fn zero_length_is_its_own_nearest_point() {
        let a = Vec3::new(0.1, -2.0, 3e7);
        assert_eq!(closest_point(a, a, Vec3::splat(9.0)), a);
    }

    #[test]
    fn no_point_of_a_dense_sampling_is_nearer() {
        let mut random = Random::new(1);
        for _ in 0..500 {
            let [a, b, p] = [(); 3].map(|()| random.vec3(1.0).as_dvec3());
            let found = closest_point(a.as_vec3(), b.as_vec3(), p.as_vec3());
            let best = (0..=1000)
                .map(|i| (a.lerp(b, f64::from(i) / 1000.0) - p).length())
                .fold(f64::INFINITY, f64::min);
            let distance = (found.as_dvec3() - p).length();
            // The sampling can miss the closest point by half a step along the segment.
            assert!(distance <= best + 1e-6 && distance >= best - (b - a).length() / 2000.0 - 1e-6);
        }
    }

    #[test]
    fn finite_for_the_largest_and_the_smallest_numbers() {
        let values = [0.0, 1.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45, 1e30, -1e-30];
        for x in values {
            for y in values {
                for z in values {
                    let (a, b, p) = (Vec3::new(x, y, z), Vec3::new(y, z, x), Vec3::new(z, x, -y));
                    let found = closest_point(a, b, p);
                    assert!(found.is_finite(), "{a} {b} {p}");
                    assert!(found.cmpge(a.min(b)).all() && found.cmple(a.max(b)).all(), "{a} {b} {found}");
                }
            }
        }
        let (a, b) = (Vec3::splat(1e30), Vec3::ONE);
        assert_eq!(closest_point(a, b, Vec3::ZERO), b);
    }
}
