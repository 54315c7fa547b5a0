//! Forward kinematics: bone matrices in the bind pose and in the current pose.
//!
//! Formulas: Scotty3D, assignment A4T2; see `docs/architecture.md`. All in f64: bones are few, and inverse
//! kinematics differentiates these matrices.

use super::skeleton::{Bone, Skeleton};
use crate::math::decompose::polar_factor;
use crate::math::rotation;
use glam::{DAffine3, DMat3, DVec3, Vec3};

/// Returns the local rotation axes x, y, z of a bone, right-handed and orthonormal, from its extent and roll.
///
/// y points along the extent, or along (0, 1, 0) for a bone without extent. x is the skeleton's x axis made
/// orthogonal to y, or (0, 0, 1) if y is parallel to it, then rotated about y by the roll.
pub fn rotation_axes(bone: &Bone) -> [DVec3; 3] {
    let y = bone.extent.as_dvec3().try_normalize().unwrap_or(DVec3::Y);
    // (1, 0, 0) - y.x * y, without the cancellation near the x axis.
    let perpendicular = DVec3::new(y.y * y.y + y.z * y.z, -y.x * y.y, -y.x * y.z);
    let x = perpendicular.try_normalize().unwrap_or(DVec3::Z);
    let z = x.cross(y);
    let (sin, cos) = f64::from(bone.roll_deg).to_radians().sin_cos();
    [cos * x - sin * z, y, cos * z + sin * x]
}

/// Returns the index of a bone's parent; a parent that does not come before its bone is ignored.
pub fn parent_of(skeleton: &Skeleton, bone: usize) -> Option<usize> {
    let parent = skeleton.bones.get(bone)?.parent? as usize;
    (parent < bone).then_some(parent)
}

/// Returns the nearest ancestor that is not a link: the parent as users see it.
pub fn parent_past_links(skeleton: &Skeleton, bone: usize) -> Option<usize> {
    let mut ancestor = parent_of(skeleton, bone);
    while let Some(link) = ancestor.filter(|&parent| skeleton.bones[parent].link) {
        ancestor = parent_of(skeleton, link);
    }
    ancestor
}

/// Returns B_b, `skeleton_from_bone` in the bind pose: a pure translation per bone.
pub fn bind_pose(skeleton: &Skeleton) -> Vec<DAffine3> {
    let mut bind = Vec::new();
    bind_pose_into(skeleton, &mut bind);
    bind
}

/// Like [`bind_pose`], but reuses the buffer.
pub fn bind_pose_into(skeleton: &Skeleton, bind: &mut Vec<DAffine3>) {
    bind.clear();
    for bone in 0..skeleton.bones.len() {
        let start = match parent_of(skeleton, bone) {
            Some(parent) => bind[parent].translation + skeleton.bones[parent].extent.as_dvec3(),
            None => skeleton.base.as_dvec3(),
        };
        bind.push(DAffine3::from_translation(start));
    }
}

/// Returns P_b, `skeleton_from_bone` in the current pose: that of the parent times
/// T(parent's extent + translation) Rz Ry Rx S. One pass, parents first.
pub fn current_pose(skeleton: &Skeleton) -> Vec<DAffine3> {
    let mut current = Vec::new();
    current_pose_into(skeleton, &mut current);
    current
}

/// Like [`current_pose`], but reuses the buffer.
pub fn current_pose_into(skeleton: &Skeleton, current: &mut Vec<DAffine3>) {
    current.clear();
    for bone in 0..skeleton.bones.len() {
        current.push(matrix(skeleton, current, bone));
    }
}

/// Returns P_b of a bone from those of the preceding bones.
pub fn matrix(skeleton: &Skeleton, current: &[DAffine3], bone: usize) -> DAffine3 {
    let (parent_rotation, start) = joint(skeleton, current, bone);
    let bone = &skeleton.bones[bone];
    let rotation = rotation::from_euler_about(&axes_matrix(bone), pose_rad(bone));
    let turned = parent_rotation * rotation;
    let matrix = if bone.scale == Vec3::ONE { turned } else { turned * scale_matrix(bone) };
    DAffine3::from_mat3_translation(matrix, start)
}

/// Returns the axes (unit, skeleton space) about which the x, y and z pose angles rotate a bone: z under the
/// parent's rotation, y after Rz, x after Rz * Ry. `current` holds P_b per bone. Under a parent that is scaled
/// unequally they are those of its rotation alone.
pub fn pose_axes(skeleton: &Skeleton, current: &[DAffine3], bone: usize) -> [DVec3; 3] {
    let (parent_rotation, _) = joint(skeleton, current, bone);
    let this = &skeleton.bones[bone];
    let (_, angle_axes) = rotation::from_euler_with_axes(pose_rad(this));
    let axes = rotation_part(parent_rotation) * axes_matrix(this) * angle_axes;
    [axes.x_axis, axes.y_axis, axes.z_axis]
}

/// Returns the tips of all bones in skeleton space under the given matrices.
pub fn tips(skeleton: &Skeleton, skeleton_from_bone: &[DAffine3]) -> Vec<DVec3> {
    skeleton
        .bones
        .iter()
        .zip(skeleton_from_bone)
        .map(|(bone, m)| m.transform_point3(bone.extent.as_dvec3()))
        .collect()
}

/// Returns the axes along which a bone is scaled, as columns in the bind pose: those of the joint that it was imported
/// from (see [`super::rest`]), or else its own.
pub fn scale_axes(bone: &Bone) -> DMat3 {
    super::rest::frame(bone).map_or_else(|| axes_matrix(bone), DMat3::from_quat)
}

/// Returns S, the scale of a bone in the axes of the skeleton.
fn scale_matrix(bone: &Bone) -> DMat3 {
    let axes = scale_axes(bone);
    axes * DMat3::from_diagonal(bone.scale.as_dvec3()) * axes.transpose()
}

/// Returns the rotation of a matrix that may scale too; that of its parent, say, for one that cannot be told.
pub fn rotation_part(matrix: DMat3) -> DMat3 {
    let is_rotation = (matrix * matrix.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-9);
    if is_rotation { matrix } else { polar_factor(matrix).unwrap_or(DMat3::IDENTITY) }
}

/// Returns the matrix that a bone inherits, and its start, from the matrices of the preceding bones.
fn joint(skeleton: &Skeleton, current: &[DAffine3], bone: usize) -> (DMat3, DVec3) {
    let (matrix, tip) = match parent_of(skeleton, bone) {
        Some(parent) => {
            let tip = current[parent].transform_point3(skeleton.bones[parent].extent.as_dvec3());
            (current[parent].matrix3, tip)
        }
        None => (DMat3::IDENTITY, skeleton.base.as_dvec3() + skeleton.base_offset.as_dvec3()),
    };
    let translation = skeleton.bones[bone].translation;
    // Adding zero would turn -0 to 0.
    let start = if translation == Vec3::ZERO { tip } else { tip + matrix * translation.as_dvec3() };
    (matrix, start)
}

/// Returns [`rotation_axes`] as the columns of a matrix.
pub fn axes_matrix(bone: &Bone) -> DMat3 {
    let [x, y, z] = rotation_axes(bone);
    DMat3::from_cols(x, y, z)
}

/// Returns the Euler angles of the pose (rad).
pub fn pose_rad(bone: &Bone) -> DVec3 {
    bone.pose_deg.as_dvec3().map(f64::to_radians)
}

/// Returns the link that carries the start of `bone`, if any.
pub fn link_of(skeleton: &Skeleton, bone: usize) -> Option<usize> {
    parent_of(skeleton, bone).filter(|&parent| skeleton.bones[parent].link)
}

/// Returns the tips in the bind pose, in skeleton space.
pub fn bind_tips(skeleton: &Skeleton) -> Vec<DVec3> {
    tips(skeleton, &bind_pose(skeleton))
}

/// Returns the start of a child of `parent` (`None`: of a root) in the bind pose.
pub fn child_start(skeleton: &Skeleton, bind_tips: &[DVec3], parent: Option<usize>) -> DVec3 {
    let tip = parent.and_then(|parent| bind_tips.get(parent));
    tip.copied().unwrap_or(skeleton.base.as_dvec3())
}

/// Returns, for each bone, whether it is one of the given bones or their descendant.
pub fn with_descendants(skeleton: &Skeleton, bones: &[usize]) -> Vec<bool> {
    let mut included = vec![false; skeleton.bones.len()];
    for bone in 0..included.len() {
        let parent = parent_of(skeleton, bone);
        included[bone] = bones.contains(&bone) || parent.is_some_and(|parent| included[parent]);
    }
    included
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn bone(extent: Vec3, roll_deg: f32, pose_deg: Vec3, parent: Option<u32>) -> Bone {
        Bone { extent, roll_deg, pose_deg, parent, ..Bone::default() }
    }

    fn assert_near(a: DVec3, b: DVec3) {
        assert!(a.abs_diff_eq(b, 1e-12), "{a} is not {b}");
    }

    #[test]
    fn an_upright_bone_has_the_axes_of_the_skeleton() {
        let axes = rotation_axes(&bone(Vec3::new(0.0, 2.5, 0.0), 0.0, Vec3::ZERO, None));
        assert_eq!(axes, [DVec3::X, DVec3::Y, DVec3::Z]);
    }

    #[test]
    fn degenerate_bones_have_axes() {
        let zero = rotation_axes(&bone(Vec3::ZERO, 0.0, Vec3::ZERO, None));
        assert_eq!(zero, [DVec3::X, DVec3::Y, DVec3::Z]);
        let along_x = rotation_axes(&bone(Vec3::new(3.0, 0.0, 0.0), 0.0, Vec3::ZERO, None));
        assert_eq!(along_x, [DVec3::Z, DVec3::X, DVec3::Y]);
        let against_x = rotation_axes(&bone(Vec3::new(-3.0, 0.0, 0.0), 0.0, Vec3::ZERO, None));
        assert_eq!(against_x, [DVec3::Z, -DVec3::X, -DVec3::Y]);
        let tiny = rotation_axes(&bone(Vec3::new(0.0, 1e-30, 0.0), 0.0, Vec3::ZERO, None));
        assert_eq!(tiny, [DVec3::X, DVec3::Y, DVec3::Z]);
    }

    #[test]
    fn nearly_parallel_to_x_is_still_orthonormal() {
        let [x, y, z] = rotation_axes(&bone(Vec3::new(1.0, 1e-7, 2e-7), 33.0, Vec3::ZERO, None));
        for (a, b) in [(x, y), (y, z), (z, x)] {
            assert!(a.dot(b).abs() < 1e-12);
        }
        assert_near(x.cross(y), z);
    }

    #[test]
    fn positive_roll_is_counter_clockwise_about_y() {
        let [x, y, z] = rotation_axes(&bone(Vec3::Y, 90.0, Vec3::ZERO, None));
        // x rotated by a quarter turn about +y: (1,0,0) -> (0,0,-1).
        assert_near(x, -DVec3::Z);
        assert_near(y, DVec3::Y);
        assert_near(z, DVec3::X);
        let extent = Vec3::new(0.4, -1.2, 0.7);
        let plain = rotation_axes(&bone(extent, 0.0, Vec3::ZERO, None));
        let rolled = rotation_axes(&bone(extent, 25.0, Vec3::ZERO, None));
        let turn = DMat3::from_axis_angle(plain[1], 25f64.to_radians());
        assert_near(rolled[0], turn * plain[0]);
        assert_near(rolled[2], turn * plain[2]);
    }

    #[test]
    fn bind_pose_adds_up_extents() {
        let skeleton = Skeleton {
            bones: vec![
                bone(Vec3::new(0.0, 1.0, 0.0), 10.0, Vec3::splat(40.0), None),
                bone(Vec3::new(0.5, 0.25, 0.0), 0.0, Vec3::ZERO, Some(0)),
                bone(Vec3::new(0.0, 0.0, 2.0), 0.0, Vec3::ZERO, Some(1)),
                bone(Vec3::X, 0.0, Vec3::ZERO, None),
            ],
            base: Vec3::new(1.0, 2.0, 3.0),
            base_offset: Vec3::splat(9.0),
            ..Skeleton::default()
        };
        let starts: Vec<_> = bind_pose(&skeleton).iter().map(|m| m.translation).collect();
        let expected = [[1.0, 2.0, 3.0], [1.0, 3.0, 3.0], [1.5, 3.25, 3.0], [1.0, 2.0, 3.0]];
        assert_eq!(starts, expected.map(DVec3::from_array));
        assert!(bind_pose(&skeleton).iter().all(|m| m.matrix3 == DMat3::IDENTITY));
    }

    /// A skeleton whose bones are rotated and rolled in all directions.
    fn bent() -> Skeleton {
        Skeleton {
            bones: vec![
                bone(Vec3::new(0.1, 1.0, -0.3), 12.0, Vec3::new(20.0, -35.0, 200.0), None),
                bone(Vec3::new(0.5, 0.25, 0.0), -70.0, Vec3::new(-90.0, 15.0, 5.0), Some(0)),
                bone(Vec3::new(1.0, 0.0, 0.0), 5.0, Vec3::new(400.0, 1.0, -2.0), Some(1)),
                bone(Vec3::ZERO, 5.0, Vec3::new(10.0, 20.0, 30.0), Some(0)),
            ],
            base: Vec3::new(1.0, 2.0, 3.0),
            base_offset: Vec3::new(0.0, -1.0, 0.5),
            ..Skeleton::default()
        }
    }

    /// The product of matrices from docs/js3d.md, section 12, written out: T * R(rz @ z) * R(ry @ y) * R(rx @
    /// x).
    #[test]
    fn current_pose_is_the_product_of_matrices() {
        let skeleton = bent();
        let mut expected: Vec<DAffine3> = Vec::new();
        for b in &skeleton.bones {
            let [x, y, z] = rotation_axes(b);
            let turn = |axis: DVec3, deg: f32| DAffine3::from_axis_angle(axis, f64::from(deg).to_radians());
            let before = match b.parent {
                Some(p) => {
                    expected[p as usize]
                        * DAffine3::from_translation(skeleton.bones[p as usize].extent.as_dvec3())
                }
                None => DAffine3::from_translation(DVec3::new(1.0, 1.0, 3.5)),
            };
            expected.push(before * turn(z, b.pose_deg.z) * turn(y, b.pose_deg.y) * turn(x, b.pose_deg.x));
        }
        let current = current_pose(&skeleton);
        for (a, b) in current.iter().zip(&expected) {
            assert!(a.abs_diff_eq(*b, 1e-12), "{a} is not {b}");
        }
        let tip = expected[2].transform_point3(DVec3::X);
        assert_near(tips(&skeleton, &current)[2], tip);
    }

    /// The same with how bones are moved and scaled: T(parent's extent + translation) Rz Ry Rx S.
    #[test]
    fn bones_move_against_their_parents_and_are_scaled() {
        let mut skeleton = bent();
        for (index, bone) in skeleton.bones.iter_mut().enumerate() {
            bone.translation = Vec3::new(0.3, -0.2, 0.1) * index as f32;
            bone.scale = Vec3::new(1.5, 0.5, 1.0 + index as f32);
        }
        super::super::rest::set(&mut skeleton.bones[1], glam::DQuat::from_rotation_x(0.4));
        let mut expected: Vec<DAffine3> = Vec::new();
        for b in &skeleton.bones {
            let [x, y, z] = rotation_axes(b);
            let turn = |axis: DVec3, deg: f32| DAffine3::from_axis_angle(axis, f64::from(deg).to_radians());
            let (parent, start) = match b.parent {
                Some(p) => (expected[p as usize], skeleton.bones[p as usize].extent.as_dvec3()),
                None => (DAffine3::IDENTITY, DVec3::new(1.0, 1.0, 3.5)),
            };
            let axes = match super::super::rest::frame(b) {
                Some(rest) => DAffine3::from_quat(rest),
                None => DAffine3::from_mat3(DMat3::from_cols(x, y, z)),
            };
            let scale = axes * DAffine3::from_scale(b.scale.as_dvec3()) * axes.inverse();
            let moved = parent * DAffine3::from_translation(start + b.translation.as_dvec3());
            expected
                .push(moved * turn(z, b.pose_deg.z) * turn(y, b.pose_deg.y) * turn(x, b.pose_deg.x) * scale);
        }
        for (found, expected) in current_pose(&skeleton).iter().zip(&expected) {
            assert!(found.abs_diff_eq(*expected, 1e-6), "{found} is not {expected}");
        }
    }

    #[test]
    fn angles_rotate_about_the_pose_axes() {
        let skeleton = bent();
        let current = current_pose(&skeleton);
        for bone in 0..2 {
            let axes = pose_axes(&skeleton, &current, bone);
            for (i, axis) in axes.into_iter().enumerate() {
                let mut turned = skeleton.clone();
                turned.bones[bone].pose_deg[i] += 30.0;
                let expected = DMat3::from_axis_angle(axis, 30f64.to_radians()) * current[bone].matrix3;
                let found = current_pose(&turned)[bone].matrix3;
                assert!(found.abs_diff_eq(expected, 1e-12), "bone {bone} angle {i}");
            }
        }
    }

    #[test]
    fn a_parent_out_of_order_is_ignored() {
        let skeleton = Skeleton {
            bones: vec![bone(Vec3::Y, 0.0, Vec3::ZERO, Some(7)), bone(Vec3::Y, 0.0, Vec3::ZERO, Some(1))],
            base: Vec3::X,
            ..Skeleton::default()
        };
        assert!(bind_pose(&skeleton).iter().all(|m| m.translation == DVec3::X));
        assert!(current_pose(&skeleton).iter().all(|m| m.translation == DVec3::X));
    }
}
