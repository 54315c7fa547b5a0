//! Joints that bend in one direction: about which axis, how far, and how far they are bent in the bind pose.

use crate::motion::part::Part;
use crate::rig::skeleton::{Bone, Skeleton};
use glam::{DMat3, DVec3};

/// The bend of the bind pose, in radians, that tells the direction of bending.
const CLEARLY_BENT: f64 = 0.05;
/// The cosine of the angle between an axis of a bone and the axis of bending up to which the former is used, so that a
/// single angle changes.
const ALIGNED: f64 = 0.9;
/// The greatest bend of a joint without limits, in radians.
const MOST: f64 = 2.7;

/// The joint at the start of a bone.
#[derive(Clone, Debug)]
pub struct Hinge {
    pub bone: usize,
    /// The unit axis of rotation in the bind pose, in body axes; positive angles bend.
    pub axis: DVec3,
    /// The range of angles from the bind pose, in radians.
    pub range: [f64; 2],
    /// How far the joint is bent in the bind pose, in radians, measured about the axis.
    pub bind: f64,
}

impl Hinge {
    /// Finds the hinge between two bones. `usual` is the axis of bending if neither the preferred bend nor the bind pose tells.
    pub fn new(skeleton: &Skeleton, parts: &[Part], upper: usize, bone: usize, usual: DVec3) -> Self {
        let this = &skeleton.bones[bone];
        let (before, after) =
            (parts[upper].extent.normalize_or_zero(), parts[bone].extent.normalize_or_zero());
        let normal = before.cross(after);
        let shown = if normal.length() > CLEARLY_BENT.sin() { normal.normalize() } else { usual };
        let local =
            preferred_axis(this).map(|(index, sign)| (index, sign, parts[bone].axes.col(index) * sign));
        let nearest = [0, 2].map(|index| (index, parts[bone].axes.col(index).dot(shown)));
        let nearest = if nearest[0].1.abs() >= nearest[1].1.abs() { nearest[0] } else { nearest[1] };
        let aligned = (nearest.1.abs() > ALIGNED)
            .then(|| (nearest.0, nearest.1.signum(), parts[bone].axes.col(nearest.0) * nearest.1.signum()));
        let (axis, range) = match local.or(aligned) {
            Some((index, sign, axis)) => (axis, limits(this, index, sign)),
            None => (shown, None),
        };
        let bind = normal.dot(axis).atan2(before.dot(after) - before.dot(axis) * after.dot(axis));
        let range = range.unwrap_or([-bind, MOST - bind]);
        Self { bone, axis, range, bind }
    }

    /// The rotation from the bind pose of a joint that bends by an angle in radians, or as far as it can.
    pub fn turn(&self, angle: f64) -> DMat3 {
        DMat3::from_axis_angle(self.axis, angle.min(self.range[1]))
    }
}

/// Returns the index of the angle that the preferred bend changes the most, and its sign.
fn preferred_axis(bone: &Bone) -> Option<(usize, f64)> {
    let preferred = bone.preferred_deg?;
    let index = if preferred.x.abs() >= preferred.z.abs() { 0 } else { 2 };
    (preferred[index] != 0.0).then(|| (index, f64::from(preferred[index].signum())))
}

/// Returns the limits of an angle in radians, in the direction of its sign.
fn limits(bone: &Bone, index: usize, sign: f64) -> Option<[f64; 2]> {
    let [low, high] = bone.limits_deg.0[index]?.map(|angle| f64::from(angle).to_radians());
    Some(if sign > 0.0 { [low, high] } else { [-high, -low] })
}
