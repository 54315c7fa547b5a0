//! The tip of a bone at a point of skeleton space.

use super::{Place, Residual, Wrenches};
use glam::{DMat3, DVec3};

/// The target.
#[derive(Clone, Copy)]
pub(in crate::rig::ik) struct Position(pub(in crate::rig::ik) DVec3);

impl Residual for Position {
    fn value(&self, place: Place) -> DVec3 {
        place.pose().tip
    }

    fn wrenches(&self, place: Place) -> (Wrenches, Option<(usize, Wrenches)>) {
        (Wrenches::force_at(place.pose().tip, DMat3::IDENTITY), None)
    }

    fn partway(&self, part: f64, place: Place) -> Self {
        Self(place.pose().tip.lerp(self.0, part))
    }

    fn error(&self, residual: f64, _: Place) -> f64 {
        residual
    }
}
