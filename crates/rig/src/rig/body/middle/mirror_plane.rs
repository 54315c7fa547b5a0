//! The plane about which bones and weights are mirrored, and the bones on its two sides.

use crate::rig::body::AXIS;
use crate::rig::body::sides::other_sides;
use crate::rig::skeleton::Skeleton;
use glam::{Quat, Vec3};
use std::fmt;

/// The distance, as a fraction of the largest coordinate, below which two positions count as equal.
pub(super) const EXACT: f64 = 1e-3;
/// The cosine of half a degree: planes that are rotated by less count as not rotated.
pub(super) const NOT_ROTATED: f64 = 0.999_962;

/// The plane between two sides that are mirror images.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MirrorPlane {
    /// The unit normal, towards positive x.
    pub(super) normal: Vec3,
    /// The distance from the origin along the normal.
    pub(super) offset: f32,
}

impl MirrorPlane {
    /// The plane x = 0.
    pub const X: Self = Self { normal: Vec3::X, offset: 0.0 };

    /// The distance of a point from the plane, positive on the side of positive x.
    pub fn signed_distance(&self, point: Vec3) -> f32 {
        self.normal.dot(point) - self.offset
    }

    pub fn reflect(&self, point: Vec3) -> Vec3 {
        point - self.normal * (2.0 * self.signed_distance(point))
    }
}

impl fmt::Display for MirrorPlane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = [("x", Vec3::X), ("y", Vec3::Y), ("z", Vec3::Z)];
        let offset = match format!("{:.3}", self.offset.abs()).trim_end_matches('0').trim_end_matches('.') {
            "0" => "0".into(),
            digits if self.offset < 0.0 => format!("-{digits}"),
            digits => digits.to_owned(),
        };
        match named.into_iter().find(|(_, axis)| *axis == self.normal) {
            Some((name, _)) => write!(f, "{name} = {offset}"),
            None => {
                let angle_deg = self.normal.angle_between(Vec3::X).to_degrees();
                write!(f, "x = {offset}, rotated by {angle_deg:.0}°")
            }
        }
    }
}

/// Returns the other side of each bone about any plane.
pub(super) fn others_about(skeleton: &Skeleton, plane: &MirrorPlane) -> Vec<Option<usize>> {
    if *plane == MirrorPlane::X {
        return other_sides(skeleton, AXIS);
    }
    // Move the skeleton as if the plane were x = 0.
    let rotation = Quat::from_rotation_arc(plane.normal, Vec3::X);
    let mut centered = skeleton.clone();
    centered.base = rotation * (skeleton.base - plane.normal * plane.offset);
    for bone in &mut centered.bones {
        bone.extent = rotation * bone.extent;
    }
    other_sides(&centered, AXIS)
}

/// Whether at least half of the bones, without links, have another side or are in the plane.
pub(super) fn fits(skeleton: &Skeleton, others: &[Option<usize>]) -> bool {
    let (mut matched, mut total) = (0, 0);
    for bone in skeleton.shown_bones() {
        total += 1;
        matched += usize::from(others.get(bone).is_some_and(Option::is_some));
    }
    2 * matched >= total
}
