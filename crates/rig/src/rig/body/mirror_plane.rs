//! The plane about which bones, poses and weights are mirrored.

use crate::math::axis::Axis;
use glam::{DMat3, DVec3};
use std::fmt;

/// The plane between two sides that are mirror images, in skeleton space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MirrorPlane {
    /// The unit normal, towards the first side.
    normal: DVec3,
    /// The distance from the origin along the normal.
    offset: f64,
    /// What the sides are called: left and right across x, above and below across y, front and back across z.
    sides: Axis,
}

impl MirrorPlane {
    /// The plane x = 0.
    pub const X: Self = Self { normal: DVec3::X, offset: 0.0, sides: Axis::X };

    /// The plane through the origin across an axis.
    pub fn across(axis: Axis) -> Self {
        Self { normal: axis.unit().as_dvec3(), offset: 0.0, sides: axis }
    }

    /// The plane between the left and the right of a body, from its unit normal and its distance from the origin.
    pub(super) fn between_sides(normal: DVec3, offset: f64) -> Self {
        Self { normal, offset, sides: Axis::X }
    }

    /// The same plane with the sides exchanged.
    pub(super) fn flipped(self) -> Self {
        Self { normal: -self.normal, offset: -self.offset, ..self }
    }

    /// The unit normal, towards the first side.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// The axis for which names include the sides, see [`super::side_names`].
    pub fn sides(&self) -> Axis {
        self.sides
    }

    /// The names of the first and the second side, for users.
    pub fn side_names(&self) -> [&'static str; 2] {
        match self.sides {
            Axis::X => ["the left", "the right"],
            Axis::Y => ["above", "below"],
            Axis::Z => ["the front", "the back"],
        }
    }

    /// The distance of a point from the plane, positive on the first side.
    pub fn signed_distance(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    pub fn reflect(&self, point: DVec3) -> DVec3 {
        point - self.normal * (2.0 * self.signed_distance(point))
    }

    pub fn reflect_direction(&self, direction: DVec3) -> DVec3 {
        direction - self.normal * (2.0 * self.normal.dot(direction))
    }

    /// Returns the matrix S that reflects directions.
    pub fn reflection(&self) -> DMat3 {
        let [x, y, z] = DVec3::AXES.map(|axis| self.reflect_direction(axis));
        DMat3::from_cols(x, y, z)
    }

    /// Returns the point moved along the normal, as far from the plane as `level`.
    pub fn leveled(&self, mut point: DVec3, level: DVec3) -> DVec3 {
        // A sum would round: what lies in a plane across an axis stays there to the bit.
        match (0..3).find(|&axis| DVec3::AXES[axis] == self.normal.abs()) {
            Some(axis) => point[axis] = level[axis],
            None => point += self.normal * self.normal.dot(level - point),
        }
        point
    }

    /// Returns the point moved along the normal into the plane.
    pub fn projected(&self, point: DVec3) -> DVec3 {
        self.leveled(point, self.normal * self.offset)
    }
}

impl fmt::Display for MirrorPlane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axis = (0..3).find(|&axis| DVec3::AXES[axis] == self.normal.abs());
        let offset = self.offset * axis.map_or(1.0, |axis| self.normal[axis]);
        let offset = match format!("{:.3}", offset.abs()).trim_end_matches('0').trim_end_matches('.') {
            "0" => "0".into(),
            digits if offset < 0.0 => format!("-{digits}"),
            digits => digits.to_owned(),
        };
        match axis {
            Some(axis) => write!(f, "{} = {offset}", Axis::ALL[axis].name()),
            None => {
                let angle_deg = self.normal.angle_between(DVec3::X).to_degrees();
                write!(f, "x = {offset}, rotated by {angle_deg:.0}°")
            }
        }
    }
}
