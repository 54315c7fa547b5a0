//! The centre of mass of a body over its feet.

use super::{Place, Residual, Wrenches, cross};
use glam::{DMat3, DVec3};

/// The box for the centre of mass of the descendants of the task's joint, a root.
#[derive(Clone, Copy)]
pub(in crate::rig::ik) struct Balance {
    pub(in crate::rig::ik) low: DVec3,
    pub(in crate::rig::ik) high: DVec3,
    /// The width of the border outside of the box within which the residual begins, or 0.
    pub(in crate::rig::ik) border: f64,
}

impl Balance {
    pub(super) fn carried_wrenches(&self, place: Place, joint: usize) -> Wrenches {
        let center = place.pose().carried.moment;
        let outside = center - center.clamp(self.low, self.high);
        let rates = DMat3::from_diagonal(outside.map(|outside| self.rate(outside.abs())));
        let carried = &place.poses[joint].carried;
        Wrenches { force: rates * carried.mass, moment: cross(carried.moment) * rates }
    }

    /// The residual at this distance from the box: with a border without a kink, d^2 / (d + border).
    fn soft(&self, distance: f64) -> f64 {
        if distance > 0.0 { distance * distance / (distance + self.border) } else { 0.0 }
    }

    /// The derivative of [`Balance::soft`].
    fn rate(&self, distance: f64) -> f64 {
        let sum = distance + self.border;
        if distance > 0.0 { distance * (sum + self.border) / (sum * sum) } else { 0.0 }
    }
}

impl Residual for Balance {
    fn value(&self, place: Place) -> DVec3 {
        let center = place.pose().carried.moment;
        let outside = center - center.clamp(self.low, self.high);
        outside.map(|outside| self.soft(outside.abs()).copysign(outside))
    }

    /// Every joint has its own: see [`Balance::carried_wrenches`].
    fn wrenches(&self, _: Place) -> (Wrenches, Option<(usize, Wrenches)>) {
        (Wrenches::ZERO, None)
    }

    fn partway(&self, _: f64, _: Place) -> Self {
        *self
    }

    fn error(&self, residual: f64, _: Place) -> f64 {
        residual
    }
}
