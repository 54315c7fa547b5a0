//! A bone turned in a way.

use super::{JointPose, Place, Residual, Wrenches, cross};
use glam::{DMat3, DQuat, DVec3};

/// The rotation of the bone in skeleton space.
#[derive(Clone, Copy)]
pub(in crate::rig::ik) struct Orientation(pub(in crate::rig::ik) DQuat);

impl Orientation {
    /// Returns the remaining rotation from the goal: q with R = q goal and a non-negative real part.
    fn remaining(self, pose: &JointPose) -> DQuat {
        let q = DQuat::from_mat3(&pose.rotation) * self.0.conjugate();
        if q.w < 0.0 { -q } else { q }
    }
}

impl Residual for Orientation {
    fn value(&self, place: Place) -> DVec3 {
        2.0 * place.reach * self.remaining(place.pose()).xyz()
    }

    fn wrenches(&self, place: Place) -> (Wrenches, Option<(usize, Wrenches)>) {
        let q = self.remaining(place.pose());
        (Wrenches::moment(place.reach * (DMat3::IDENTITY * q.w + cross(q.xyz()))), None)
    }

    fn partway(&self, part: f64, place: Place) -> Self {
        Self(DQuat::from_mat3(&place.pose().rotation).slerp(self.0, part))
    }

    fn error(&self, residual: f64, place: Place) -> f64 {
        Place::angle_deg(residual, place.reach)
    }
}
