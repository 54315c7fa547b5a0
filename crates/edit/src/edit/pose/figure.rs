//! A small picture of a pose: its bones as limbs, seen from the front and slightly from the left and above.
//!
//! It is computed from the pose whenever it is drawn, so that it always matches the current skeleton.

use crate::rig::kinematics::{current_pose, tips};
use crate::rig::poses::SavedPose;
use crate::rig::skeleton::{Bone, Skeleton};
use glam::{DMat3, DVec3, Vec2, Vec3};

/// The direction of the view, in degrees: to the left of the front, and above it.
const VIEW_DEG: [f64; 2] = [25.0, 12.0];

/// The factor by which radii are reduced, so that limbs can be distinguished.
const RADIUS_SCALE: f64 = 0.6;

/// A bone in a picture of 1 x 1, x to the right and y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limb {
    pub ends: [Vec2; 2],
    pub radius: f32,
    /// From 0 for the farthest to 1 for the nearest.
    pub nearness: f32,
    /// Whether the pose contains a rotation of this bone.
    pub is_posed: bool,
}

/// Returns the limbs of a pose, mirrored if `flipped`, the farthest first. Bones that the pose does not
/// rotate are in the bind pose.
pub fn limbs(skeleton: &Skeleton, pose: &SavedPose, flipped: bool) -> Vec<Limb> {
    let mut posed = skeleton.clone();
    posed.bones.iter_mut().for_each(Bone::reset_pose);
    posed.base_offset = Vec3::ZERO;
    pose.apply(&mut posed, &[], 1.0, flipped);
    let mut is_posed = vec![false; posed.bones.len()];
    for (bone, _) in pose.bone_poses(skeleton, flipped) {
        is_posed[bone] = true;
    }
    let current = current_pose(&posed);
    let tips = tips(&posed, &current);
    let [left, up] = VIEW_DEG.map(f64::to_radians);
    let view = DMat3::from_rotation_x(up) * DMat3::from_rotation_y(-left);
    let bones: Vec<(usize, [DVec3; 2], f64)> = posed
        .shown_bones()
        .map(|bone| {
            let ends = [current[bone].translation, tips[bone]].map(|end| view * end);
            (bone, ends, RADIUS_SCALE * f64::from(posed.bones[bone].radius))
        })
        .collect();
    let corners = bones.iter().flat_map(|(_, ends, radius)| {
        let margin = DVec3::splat(*radius);
        ends.iter().map(move |end| (*end - margin, *end + margin))
    });
    let Some((low, high)) = corners.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
        return Vec::new();
    };
    let (size, middle) = (high - low, (high + low) / 2.0);
    let side = size.x.max(size.y);
    if !(side.is_finite() && side > 0.0) {
        return Vec::new();
    }
    let to_picture = |point: DVec3| {
        let point = (point - middle) / side;
        Vec2::new(0.5 + point.x as f32, 0.5 - point.y as f32)
    };
    let limb = |(bone, ends, radius): (usize, [DVec3; 2], f64)| Limb {
        ends: ends.map(to_picture),
        radius: (radius / side) as f32,
        nearness: (((ends[0].z + ends[1].z) / 2.0 - low.z) / size.z.max(f64::MIN_POSITIVE)) as f32,
        is_posed: is_posed[bone],
    };
    let mut limbs: Vec<Limb> = bones.into_iter().map(limb).collect();
    limbs.sort_by(|a, b| a.nearness.total_cmp(&b.nearness));
    limbs
}
