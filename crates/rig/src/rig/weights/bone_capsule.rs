//! Bones as capsules in the bind pose.

use crate::rig::kinematics::bind_pose;
use crate::rig::skeleton::Skeleton;
use glam::DVec3;

/// A bone's segment and radius, in skeleton space. In f64, because r - d loses most of its digits near the
/// surface of the capsule.
pub(super) struct Capsule {
    pub bone: u16,
    pub start: DVec3,
    /// The vector from start to tip.
    pub extent: DVec3,
    /// 1 / |extent|^2; 0 for zero length.
    pub inverse_length_squared: f64,
    pub radius: f64,
}

impl Capsule {
    pub fn all(skeleton: &Skeleton) -> Vec<Self> {
        let bones = skeleton.bones.iter().zip(bind_pose(skeleton)).zip(0..=u16::MAX);
        bones
            .filter(|((bone, _), _)| bone.radius > 0.0 && bone.radius.is_finite() && !bone.link)
            .map(|((bone, skeleton_from_bone), index)| {
                let extent = bone.extent.as_dvec3();
                let length_squared = extent.length_squared();
                Self {
                    bone: index,
                    start: skeleton_from_bone.translation,
                    extent,
                    inverse_length_squared: if length_squared > 0.0 { 1.0 / length_squared } else { 0.0 },
                    radius: f64::from(bone.radius),
                }
            })
            .collect()
    }

    fn distance_squared(&self, point: DVec3) -> f64 {
        let from_start = point - self.start;
        let t = (from_start.dot(self.extent) * self.inverse_length_squared).clamp(0.0, 1.0);
        (from_start - t * self.extent).length_squared()
    }

    pub fn reaches(&self, point: DVec3, slack: f64) -> bool {
        // Slightly enlarged, so that rounding never rejects a point that the exact test would accept.
        let reach = (self.radius + slack) * (1.0 + 1e-9);
        self.distance_squared(point) < reach * reach
    }

    pub fn weight(&self, point: DVec3) -> f64 {
        let squared = self.distance_squared(point);
        if squared < self.radius * self.radius { (self.radius - squared.sqrt()) / self.radius } else { 0.0 }
    }
}
