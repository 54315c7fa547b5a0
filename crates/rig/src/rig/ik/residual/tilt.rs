//! A direction in a bone that keeps pointing up.

use super::{Place, Residual, Wrenches, cross, interpolate_direction, outer};
use glam::{DMat3, DVec3};

/// Like a look-at at infinity.
#[derive(Clone, Copy)]
pub(in crate::rig::ik) struct Tilt {
    pub(in crate::rig::ik) axis: DVec3,
    pub(in crate::rig::ik) direction: DVec3,
    /// The greater it is, the more a large tilt counts relative to small ones.
    pub(in crate::rig::ik) steeper: f64,
}

impl Residual for Tilt {
    fn value(&self, place: Place) -> DVec3 {
        let tilt = place.pose().rotation * self.axis - self.direction;
        place.reach * (1.0 + self.steeper * tilt.length()) * tilt
    }

    fn wrenches(&self, place: Place) -> (Wrenches, Option<(usize, Wrenches)>) {
        let current = place.pose().rotation * self.axis;
        let tilt = current - self.direction;
        let steeper_along = outer(tilt, tilt.normalize_or_zero()) * self.steeper;
        let rates = DMat3::IDENTITY * (1.0 + self.steeper * tilt.length()) + steeper_along;
        (Wrenches::moment(place.reach * (cross(current) * rates)), None)
    }

    fn partway(&self, part: f64, place: Place) -> Self {
        let current = place.pose().rotation * self.axis;
        Self { direction: interpolate_direction(current, self.direction, part), ..*self }
    }

    fn error(&self, residual: f64, place: Place) -> f64 {
        Place::angle_deg(residual, place.reach)
    }
}
