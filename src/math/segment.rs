//! Points, segments and rays.

use glam::Vec3;

/// The point of the segment from `a` to `b` that is nearest to `point`.
/// A segment of zero length is its own nearest point.
pub fn closest_point_on_line_segment(_a: Vec3, _b: Vec3, _point: Vec3) -> Vec3 {
    todo!()
}
