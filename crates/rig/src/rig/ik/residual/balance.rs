//! The centre of mass of a body over its feet.

use super::{Place, Residual, Wrenches, cross};
use glam::{DMat3, DVec3};

/// The box for the centre of mass of the descendants of the task's joint, a root.
#[derive(Clone, Copy)]
pub(in crate::rig::ik) struct Balance {
    pub(in crate::rig::ik) low: DVec3,
    pub(in crate::rig::ik) high: DVec3,
}

impl Balance {
    pub(super) fn carried_wrenches(&self, place: Place, joint: usize) -> Wrenches {
        let center = place.pose().carried.moment;
        let outside = center.cmplt(self.low) | center.cmpgt(self.high);
        let rates = DMat3::from_diagonal(DVec3::select(outside, DVec3::ONE, DVec3::ZERO));
        let carried = &place.poses[joint].carried;
        Wrenches { force: rates * carried.mass, moment: cross(carried.moment) * rates }
    }
}

impl Residual for Balance {
    fn value(&self, place: Place) -> DVec3 {
        let center = place.pose().carried.moment;
        center - center.clamp(self.low, self.high)
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
