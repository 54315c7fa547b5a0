//! Rotation and scaling of bones in the bind pose, together with their descendants.

use super::roll::roll_toward;
use crate::rig::kinematics::{parent_of, rotation_axes};
use crate::rig::skeleton::Skeleton;
use glam::DQuat;

/// Rotates bones about their heads, each with all its descendants: their extents, and their rolls, so that
/// the bones' own axes rotate too. A descendant of a rotated bone is not rotated again. Pose angles stay,
/// about the new axes. `rotation` is a unit quaternion in skeleton space.
pub fn rotate(skeleton: &mut Skeleton, bones: &[usize], rotation: DQuat) {
    if rotation.angle_between(DQuat::IDENTITY) == 0.0 {
        return;
    }
    // Parents come before their children.
    let mut rotated = vec![false; skeleton.bones.len()];
    for bone in 0..skeleton.bones.len() {
        rotated[bone] = bones.contains(&bone) || parent_of(skeleton, bone).is_some_and(|p| rotated[p]);
        if !rotated[bone] {
            continue;
        }
        let this = &mut skeleton.bones[bone];
        let [x, ..] = rotation_axes(this);
        this.extent = (rotation * this.extent.as_dvec3()).as_vec3();
        if let Some(roll_deg) = roll_toward(this.extent, rotation * x) {
            this.roll_deg = roll_deg as f32;
        }
    }
}

/// Multiplies the lengths of bones; their descendants move and keep their size.
pub fn scale(skeleton: &mut Skeleton, bones: &[usize], factor: f32) {
    for (index, bone) in skeleton.bones.iter_mut().enumerate() {
        if bones.contains(&index) {
            bone.extent *= factor;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::edits::add_bone;
    use crate::rig::kinematics::{bind_pose, tips};
    use glam::{DVec3, Vec3};

    /// Returns an arm that hangs at 45 degrees: upper arm, forearm, hand; and a second hand.
    fn arm() -> Skeleton {
        let mut skeleton = Skeleton::default();
        let parents = [None, Some(0), Some(1), Some(1)];
        for (i, parent) in parents.into_iter().enumerate() {
            let extent = Vec3::new(1.0, -1.0, 0.25 * i as f32);
            add_bone(&mut skeleton, parent, extent, 0.1, i as u32);
            skeleton.bones[i].roll_deg = 20.0 * i as f32 - 30.0;
        }
        skeleton
    }

    #[test]
    fn a_rotated_bone_rotates_its_descendants_rigidly() {
        let rotation = DQuat::from_axis_angle(DVec3::new(0.3, -0.2, 1.0).normalize(), 0.8);
        let before = arm();
        let mut after = arm();
        // The hand is a descendant of the forearm, which is already rotated.
        rotate(&mut after, &[1, 2], rotation);
        assert_eq!(after.bones[0], before.bones[0]);
        let head = bind_pose(&before)[1].translation;
        let (old, new) = (tips(&before, &bind_pose(&before)), tips(&after, &bind_pose(&after)));
        for bone in 1..4 {
            let expected = head + rotation * (old[bone] - head);
            assert!(new[bone].abs_diff_eq(expected, 1e-6), "tip of {bone}");
            let axes = [&before, &after].map(|s| rotation_axes(&s.bones[bone]));
            for (old, new) in axes[0].into_iter().zip(axes[1]) {
                assert!((rotation * old).abs_diff_eq(new, 1e-5), "axes of {bone}");
            }
        }
    }

    #[test]
    fn the_identity_changes_nothing_and_inverse_rotations_cancel() {
        let mut skeleton = arm();
        rotate(&mut skeleton, &[0], DQuat::IDENTITY);
        assert_eq!(skeleton, arm());
        let rotation = DQuat::from_rotation_z(1.1);
        rotate(&mut skeleton, &[0], rotation);
        rotate(&mut skeleton, &[0], rotation.inverse());
        for (a, b) in skeleton.bones.iter().zip(arm().bones) {
            assert!(a.extent.distance(b.extent) < 1e-6 && (a.roll_deg - b.roll_deg).abs() < 1e-4);
        }
    }

    #[test]
    fn a_scaled_bone_moves_its_descendants_and_scales_no_other() {
        let before = arm();
        let mut after = arm();
        scale(&mut after, &[1], 2.0);
        let moved = before.bones[1].extent.as_dvec3();
        let (old, new) = (tips(&before, &bind_pose(&before)), tips(&after, &bind_pose(&after)));
        assert_eq!(new[0], old[0]);
        for bone in 1..4 {
            assert_eq!(new[bone], old[bone] + moved);
        }
        assert_eq!(after.bones[2], before.bones[2]);
    }
}
