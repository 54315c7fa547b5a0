//! The plane that bones and weights are mirrored about, and which bones lie on both sides of it.

use crate::rig::edits::sides::other_sides;
use crate::rig::edits::symmetry::AXIS;
use crate::rig::skeleton::Skeleton;
use glam::{Quat, Vec3};
use std::fmt;

/// Two places that differ by no more than this part of the largest coordinate are one.
pub(super) const EXACT: f64 = 1e-3;
/// A plane that is turned by less is not turned: the cosine of half a degree.
pub(super) const NOT_TURNED: f64 = 0.999_962;

/// The plane between two sides that are mirror images.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MirrorPlane {
    /// Unit length, towards positive x.
    pub(super) normal: Vec3,
    /// Along the normal.
    pub(super) offset: f32,
}

impl MirrorPlane {
    /// The plane x = 0.
    pub const X: Self = Self {
        normal: Vec3::X,
        offset: 0.0,
    };

    /// How far a point is on the side of positive x.
    pub fn across(&self, point: Vec3) -> f32 {
        self.normal.dot(point) - self.offset
    }

    pub fn reflected(&self, point: Vec3) -> Vec3 {
        point - self.normal * (2.0 * self.across(point))
    }
}

impl fmt::Display for MirrorPlane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = [("x", Vec3::X), ("y", Vec3::Y), ("z", Vec3::Z)];
        let offset = match format!("{:.3}", self.offset.abs())
            .trim_end_matches('0')
            .trim_end_matches('.')
        {
            "0" => "0".into(),
            far if self.offset < 0.0 => format!("-{far}"),
            far => far.to_owned(),
        };
        match named.into_iter().find(|(_, axis)| *axis == self.normal) {
            Some((name, _)) => write!(f, "{name} = {offset}"),
            None => {
                let turned = self.normal.angle_between(Vec3::X).to_degrees();
                write!(f, "x = {offset}, turned by {turned:.0}°")
            }
        }
    }
}

/// The other side of each bone about any plane.
pub(super) fn others_about(skeleton: &Skeleton, plane: &MirrorPlane) -> Vec<Option<usize>> {
    if *plane == MirrorPlane::X {
        return other_sides(skeleton, AXIS);
    }
    // As if it stood in the middle and looked along z.
    let turn = Quat::from_rotation_arc(plane.normal, Vec3::X);
    let mut centered = skeleton.clone();
    centered.base = turn * (skeleton.base - plane.normal * plane.offset);
    for bone in &mut centered.bones {
        bone.extent = turn * bone.extent;
    }
    other_sides(&centered, AXIS)
}

/// Whether at least half of the bones, without links, have another side or lie in the plane.
pub(super) fn fits(skeleton: &Skeleton, others: &[Option<usize>]) -> bool {
    let (mut matched, mut all) = (0, 0);
    for bone in skeleton.shown_bones() {
        all += 1;
        matched += usize::from(others.get(bone).is_some_and(Option::is_some));
    }
    2 * matched >= all
}
