//! Bone roll: the directions of the local x and z axes about a bone. Local x is the axis that a hinge bends
//! about.

use super::children;
use crate::math::axis::Axis;
use crate::rig::kinematics::{parent_of, rotation_axes};
use crate::rig::skeleton::{Bone, Skeleton};
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// The target for aligning the rolls of bones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RollTo {
    /// Local x becomes the normal of the plane in which the chain bends.
    BendPlane,
    /// Local x points as closely as possible along an axis of the skeleton.
    X(Axis),
    /// Local z points as closely as possible along an axis of the skeleton.
    Z(Axis),
}

/// The sine of the angle below which two directions span no plane.
const STRAIGHT: f64 = 1e-4;

/// Returns the roll in degrees, in -180..180, that brings local x of a bone with this extent as close as
/// possible to the direction `x_axis`; `None` for a direction along the bone. Solves x = cos x0 - sin z0
/// (`rotation_axes`) for the angle.
pub fn roll_toward(extent: Vec3, x_axis: DVec3) -> Option<f64> {
    let plain = Bone { extent, ..Bone::default() };
    let [x, _, z] = rotation_axes(&plain);
    let (cos, sin) = (x_axis.dot(x), -x_axis.dot(z));
    let found = cos.hypot(sin) > STRAIGHT * x_axis.length();
    found.then(|| sin.atan2(cos).to_degrees())
}

/// Aligns the rolls of bones to the result of [`rolls`].
pub fn align(skeleton: &mut Skeleton, bones: &[usize], to: RollTo) {
    for (bone, roll_deg) in rolls(skeleton, bones, to) {
        skeleton.bones[bone].roll_deg = roll_deg;
    }
}

/// Returns the aligned rolls of bones, in degrees. A bone for which the direction is undefined (along the
/// axis, or in a straight chain) is left out and keeps its roll. Pose angles stay, about the new axes.
///
/// The bend plane of a bone is spanned with its parent or, if that is not among `bones`, with a child that
/// is; if those are in line with it, with any neighbour. A positive rotation about local x then bends the
/// chain further; along a chain local x keeps to one side, and straight bones inherit it from their parent.
pub fn rolls(skeleton: &Skeleton, bones: &[usize], to: RollTo) -> Vec<(usize, f32)> {
    let mut rolls = Vec::new();
    let mut bones: Vec<usize> = bones.to_vec();
    bones.retain(|&bone| bone < skeleton.bones.len());
    bones.sort_unstable();
    bones.dedup();
    let mut normals = vec![None; skeleton.bones.len()];
    for &bone in &bones {
        let extent = skeleton.bones[bone].extent;
        let y = rotation_axes(&skeleton.bones[bone])[1];
        let x_axis = match to {
            RollTo::X(axis) => Some(unit(axis)),
            // x = y cross z.
            RollTo::Z(axis) => Some(y.cross(unit(axis))),
            RollTo::BendPlane => {
                let parent_normal = parent_of(skeleton, bone).and_then(|parent| normals[parent]);
                normals[bone] = bend_normal(skeleton, &bones, bone, parent_normal);
                normals[bone]
            }
        };
        if let Some(roll) = x_axis.and_then(|x_axis| roll_toward(extent, x_axis)) {
            rolls.push((bone, roll as f32));
        }
    }
    rolls
}

fn unit(axis: Axis) -> DVec3 {
    [DVec3::X, DVec3::Y, DVec3::Z][axis as usize]
}

/// Returns the unit normal of the plane in which a bone bends. `bones` are the aligned ones, in ascending
/// order; `parent_normal` is the normal of the parent if it is one of them.
fn bend_normal(
    skeleton: &Skeleton,
    bones: &[usize],
    bone: usize,
    parent_normal: Option<DVec3>,
) -> Option<DVec3> {
    let direction = |bone: usize| skeleton.bones[bone].extent.as_dvec3().try_normalize();
    let normal = |first: usize, second: usize| {
        let normal = direction(first)?.cross(direction(second)?);
        (normal.length() > STRAIGHT).then(|| normal.normalize())
    };
    let with_parent = parent_of(skeleton, bone).and_then(|parent| normal(parent, bone));
    let child_bones = children(skeleton, bone);
    let is_aligned = |child: &&usize| bones.binary_search(child).is_ok();
    let with_child = child_bones.iter().filter(is_aligned).find_map(|&c| normal(bone, c));
    let with_any_child = || child_bones.iter().find_map(|&child| normal(bone, child));
    match parent_normal {
        Some(parent_normal) => {
            let found = with_parent.or(with_child).or_else(with_any_child);
            // In line with its parent, or nearly: the parent's normal is then also perpendicular to this
            // bone.
            Some(found.map_or(parent_normal, |n| if n.dot(parent_normal) < 0.0 { -n } else { n }))
        }
        None => with_child.or(with_parent).or_else(with_any_child),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::edits::add_bone;
    use crate::rig::kinematics::{current_pose, tips};
    use glam::DMat3;

    #[test]
    fn the_roll_aligns_x() {
        for extent in [Vec3::Y, Vec3::X, -Vec3::X, Vec3::new(0.3, -2.0, 1.1), Vec3::new(1.0, 1e-5, 0.0)] {
            for roll_deg in [0.0, 37.0, -90.0, 179.0] {
                let bone = Bone { extent, roll_deg, ..Bone::default() };
                let [x, y, _] = rotation_axes(&bone);
                let found = roll_toward(extent, 3.0 * x + 5.0 * y).unwrap();
                assert!((found - f64::from(roll_deg)).abs() < 1e-4, "{extent} {roll_deg}: {found}");
            }
        }
        assert_eq!(roll_toward(Vec3::Y, DVec3::NEG_Y), None);
    }

    /// Returns an upper arm, forearm and hand in a plane, bent to one side, and the normal of the plane; the
    /// base bone is unrelated.
    fn arm(rotation: DMat3) -> (Skeleton, DVec3) {
        let mut skeleton = Skeleton::default();
        let plan = [(1.0, 0.0), (0.9, 0.4), (0.2, 0.4)];
        add_bone(&mut skeleton, None, Vec3::new(0.1, 1.0, 0.2), 0.1, 0);
        for (i, (x, y)) in plan.into_iter().enumerate() {
            let extent = (rotation * DVec3::new(x, y, 0.0)).as_vec3();
            add_bone(&mut skeleton, Some(i), extent, 0.1, i as u32 + 1);
        }
        for bone in &mut skeleton.bones {
            bone.roll_deg = 77.0;
        }
        (skeleton, rotation * DVec3::Z)
    }

    #[test]
    fn a_planar_arm_bends_about_its_local_x_alone() {
        for k in 0..20 {
            let rotation =
                DMat3::from_axis_angle(DVec3::new(1.0, f64::from(k), -3.0).normalize(), f64::from(k) * 0.7);
            let (mut skeleton, normal) = arm(rotation);
            align(&mut skeleton, &[3, 1, 2], RollTo::BendPlane);
            assert_eq!(skeleton.bones[0].roll_deg, 77.0);
            for (bone, aligned) in skeleton.bones.iter().enumerate().skip(1) {
                let [x, _, _] = rotation_axes(aligned);
                assert!((x - normal).length() < 1e-5, "bone {bone}: {x} is not {normal}");
            }
            // A positive rotation about x stays in the plane and bends further.
            let before = tips(&skeleton, &current_pose(&skeleton));
            skeleton.bones[2].pose_deg.x = 30.0;
            skeleton.bones[3].pose_deg.x = 20.0;
            let after = tips(&skeleton, &current_pose(&skeleton));
            for tip in &after[1..4] {
                assert!((*tip - before[0]).dot(normal).abs() < 1e-5);
            }
            assert!((after[3] - before[0]).length() < (before[3] - before[0]).length());
        }
    }

    #[test]
    fn a_single_bone_uses_the_plane_with_its_parent() {
        let (mut skeleton, _) = arm(DMat3::IDENTITY);
        align(&mut skeleton, &[1], RollTo::BendPlane);
        let [x, _, _] = rotation_axes(&skeleton.bones[1]);
        let expected = DVec3::new(0.1, 1.0, 0.2).cross(DVec3::X).normalize();
        assert!((x - expected).length() < 1e-6, "{x} is not {expected}");
    }

    #[test]
    fn a_zigzag_keeps_to_one_side_and_straight_bones_follow() {
        let mut skeleton = Skeleton::default();
        let plan = [[0.0, -1.0, 0.1], [0.0, -1.0, -0.1], [0.0, -2.0, -0.2], [0.0, -0.1, 0.5]];
        for (i, extent) in plan.into_iter().enumerate() {
            add_bone(&mut skeleton, i.checked_sub(1), Vec3::from(extent), 0.1, i as u32);
        }
        align(&mut skeleton, &[0, 1, 2, 3], RollTo::BendPlane);
        let first = rotation_axes(&skeleton.bones[0])[0];
        assert!(first.abs().abs_diff_eq(DVec3::X, 1e-6), "{first}");
        for bone in &skeleton.bones[1..] {
            assert!((rotation_axes(bone)[0] - first).length() < 1e-5);
        }
    }

    #[test]
    fn local_axes_align_to_skeleton_axes_as_closely_as_possible() {
        let extent = Vec3::new(0.4, -1.0, 0.3);
        let y = extent.as_dvec3().normalize();
        for axis in Axis::ALL {
            for (to, local) in [(RollTo::X(axis), 0), (RollTo::Z(axis), 2)] {
                let mut skeleton = Skeleton::default();
                add_bone(&mut skeleton, None, extent, 0.1, 0);
                align(&mut skeleton, &[0], to);
                let found = rotation_axes(&skeleton.bones[0])[local];
                let nearest = (unit(axis) - unit(axis).dot(y) * y).normalize();
                assert!((found - nearest).length() < 1e-6, "{to:?}: {found} is not {nearest}");
            }
        }
        let mut along = Skeleton::default();
        add_bone(&mut along, None, Vec3::Z, 0.1, 0);
        along.bones[0].roll_deg = 12.0;
        align(&mut along, &[0], RollTo::Z(Axis::Z));
        align(&mut along, &[0], RollTo::BendPlane);
        assert_eq!(along.bones[0].roll_deg, 12.0);
    }
}
