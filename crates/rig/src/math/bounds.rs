//! Axis-aligned boxes.

use glam::{Mat4, Vec3};

/// The box from `min` to `max`; empty if any component of `min` is greater than that of `max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    pub min: Vec3,
    pub max: Vec3,
}

impl Default for Bounds {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Bounds {
    /// The box without points; the neutral element of [`Bounds::union`].
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// Returns the smallest box around the finite points among `points`.
    pub fn from_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        let mut bounds = Self::EMPTY;
        for point in points {
            bounds.include(point);
        }
        bounds
    }

    /// Returns the bounding box of a sphere. A negative radius counts as zero.
    pub fn from_sphere(center: Vec3, radius: f32) -> Self {
        let r = Vec3::splat(radius.max(0.0));
        Self::from_points([center - r, center + r])
    }

    /// Extends the box to contain `point`; points that are not finite are ignored.
    pub fn include(&mut self, point: Vec3) {
        if point.is_finite() {
            self.min = self.min.min(point);
            self.max = self.max.max(point);
        }
    }

    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// The centre of the box; the origin for an empty box.
    pub fn center(&self) -> Vec3 {
        if self.is_empty() {
            Vec3::ZERO
        } else {
            // Halved first: the sum of two large numbers can overflow.
            self.min * 0.5 + self.max * 0.5
        }
    }

    /// The length of the diagonal; zero for an empty box.
    pub fn diagonal(&self) -> f32 {
        if self.is_empty() { 0.0 } else { (self.max - self.min).length() }
    }

    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|i| {
            Vec3::new(
                if i & 1 == 0 { self.min.x } else { self.max.x },
                if i & 2 == 0 { self.min.y } else { self.max.y },
                if i & 4 == 0 { self.min.z } else { self.max.z },
            )
        })
    }

    /// Returns the bounding box of this box transformed by an affine matrix. An empty box stays empty.
    pub fn transformed(&self, matrix: &Mat4) -> Self {
        if self.is_empty() {
            return *self;
        }
        Self::from_points(self.corners().map(|corner| matrix.transform_point3(corner)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_smallest_box_around_the_finite_points() {
        let bounds = Bounds::from_points([
            Vec3::new(1.0, -2.0, 3.0),
            Vec3::new(-1.0, 5.0, f32::NAN),
            Vec3::new(0.0, 4.0, 9.0),
        ]);
        assert_eq!(bounds.min, Vec3::new(0.0, -2.0, 3.0));
        assert_eq!(bounds.max, Vec3::new(1.0, 4.0, 9.0));
        assert_eq!(bounds.center(), Vec3::new(0.5, 1.0, 6.0));
        assert!(bounds.corners().contains(&Vec3::new(1.0, -2.0, 9.0)));
    }

    #[test]
    fn the_empty_box_is_neutral_with_a_finite_center() {
        let one = Bounds::from_sphere(Vec3::ONE, 0.5);
        assert_eq!(one.union(Bounds::EMPTY), one);
        assert!(Bounds::EMPTY.is_empty());
        assert_eq!(Bounds::EMPTY.center(), Vec3::ZERO);
        assert_eq!(Bounds::EMPTY.diagonal(), 0.0);
        assert!(Bounds::EMPTY.transformed(&Mat4::IDENTITY).is_empty());
    }

    #[test]
    fn a_transformed_box_contains_the_transformed_corners() {
        let matrix = Mat4::from_rotation_z(0.7) * Mat4::from_scale(Vec3::new(1.0, 2.0, -3.0));
        let bounds = Bounds::from_points([Vec3::ZERO, Vec3::ONE]);
        let moved = bounds.transformed(&matrix);
        for corner in bounds.corners() {
            let p = matrix.transform_point3(corner);
            assert!(p.cmpge(moved.min - 1e-6).all() && p.cmple(moved.max + 1e-6).all());
        }
    }
}
