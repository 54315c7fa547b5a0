//! An axis of a bone that points at a point.

use super::{Place, Residual, Wrenches, cross, interpolate_direction, outer};
use glam::{DMat3, DVec3};

#[derive(Clone, Copy)]
pub(in crate::rig::ik) struct LookAt {
    /// Unit, in the bind pose.
    pub(in crate::rig::ik) axis: DVec3,
    /// In skeleton space.
    pub(in crate::rig::ik) point: DVec3,
}

impl Residual for LookAt {
    fn value(&self, place: Place) -> DVec3 {
        let pose = place.pose();
        match (self.point - pose.start).try_normalize() {
            Some(direction) => place.reach * (pose.rotation * self.axis - direction),
            None => DVec3::ZERO,
        }
    }

    fn wrenches(&self, place: Place) -> (Wrenches, Option<(usize, Wrenches)>) {
        let pose = place.pose();
        let offset = self.point - pose.start;
        let Some(direction) = offset.try_normalize() else {
            return (Wrenches::ZERO, None);
        };
        let projection = DMat3::IDENTITY - outer(direction, direction);
        let shift = Wrenches::force_at(pose.start, projection * (place.reach / offset.length()));
        (Wrenches::moment(place.reach * cross(pose.rotation * self.axis)) + shift, None)
    }

    fn partway(&self, part: f64, place: Place) -> Self {
        let pose = place.pose();
        let offset = self.point - pose.start;
        let direction =
            interpolate_direction(pose.rotation * self.axis, offset.normalize_or(self.axis), part);
        Self { axis: self.axis, point: pose.start + offset.length() * direction }
    }

    fn error(&self, residual: f64, place: Place) -> f64 {
        Place::angle_deg(residual, place.reach)
    }
}
