//! Closed outlines in the plane.

use glam::Vec2;

/// Whether a point is inside a closed path: a ray to the right crosses it an odd number of times.
pub fn is_inside(path: &[Vec2], point: Vec2) -> bool {
    let ends = path.iter().zip(path.iter().skip(1).chain(path.first()));
    let crosses = |(a, b): &(&Vec2, &Vec2)| {
        (a.y > point.y) != (b.y > point.y) && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
    };
    ends.filter(crosses).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lasso_contains_what_it_encloses() {
        let u_shape =
            [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [6.0, 9.0], [6.0, 3.0], [3.0, 3.0], [3.0, 9.0], [0.0, 9.0]]
                .map(Vec2::from);
        let inside = |x: f32, y: f32| is_inside(&u_shape, Vec2::new(x, y));
        assert!(inside(1.0, 8.0) && inside(8.0, 8.0) && inside(4.5, 1.0));
        assert!(!inside(4.5, 5.0) && !inside(-1.0, 1.0) && !inside(10.0, 1.0));
        assert!(!is_inside(&u_shape[..2], Vec2::new(4.0, 0.0)));
    }
}
