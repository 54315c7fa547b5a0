//! Joint limits, stiffness and preferred bends of humans, derived from bone names and directions.
//!
//! Roles come from names: see [`crate::rig::body::roles`]. The ranges
//! are anatomical, rounded; each range applies to the local axis closest to the anatomical one. Where the
//! front, the top and the left of the character are, is found from its legs ([`BodyAxes`]).

use super::Limits;
use crate::rig::body::axes::BodyAxes;
use crate::rig::body::roles::{Role, role};
use crate::rig::kinematics::{bind_pose, parent_past_links, rotation_axes};
use crate::rig::skeleton::Skeleton;
use glam::{DMat3, DVec3, Vec3};

/// The motion of a joint, in degrees: the directions of bend and swing (on the left side) with their ranges,
/// and the twist to either side.
struct Motion {
    bend: (Vec3, [f32; 2]),
    swing: (Vec3, [f32; 2]),
    twist: f32,
    /// Whether the joint is a hinge, whose range is measured from the line of its parent instead of the bind
    /// pose.
    is_hinge: bool,
    /// The preferred bend.
    preferred_bend: Option<f32>,
}

/// The sine of the bend of a hinge in the bind pose, from which on it shows its axis.
const BENT: f64 = 0.4;

// Directions of the body: x to the left, y up, z to the front.
const FRONT: Vec3 = Vec3::Z;
const BACK: Vec3 = Vec3::NEG_Z;
const UP: Vec3 = Vec3::new(1.0, 1.0, 0.0);
const OUT: Vec3 = Vec3::X;
const DOWN: Vec3 = Vec3::NEG_Y;
/// Towards the palm, whether the arms hang down or are stretched out.
const PALM: Vec3 = Vec3::new(-1.0, -1.0, 0.0);

fn motion(role: Role) -> Option<Motion> {
    let ball = |bend, swing, twist| Motion { bend, swing, twist, is_hinge: false, preferred_bend: None };
    let hinge = |direction, max, twist, preferred_bend| Motion {
        bend: (direction, [0.0, max]),
        swing: (OUT, [0.0, 0.0]),
        twist,
        is_hinge: true,
        preferred_bend: Some(preferred_bend),
    };
    Some(match role {
        Role::Hips | Role::Scapula => return None,
        // People bend forwards.
        Role::Spine => {
            Motion { preferred_bend: Some(20.0), ..ball((FRONT, [-20.0, 35.0]), (OUT, [-20.0, 20.0]), 25.0) }
        }
        Role::Neck => ball((FRONT, [-35.0, 40.0]), (OUT, [-30.0, 30.0]), 40.0),
        Role::Head => ball((FRONT, [-35.0, 35.0]), (OUT, [-25.0, 25.0]), 45.0),
        Role::Shoulder => ball((FRONT, [-20.0, 25.0]), (UP, [-10.0, 35.0]), 10.0),
        Role::UpperArm => ball((FRONT, [-70.0, 140.0]), (UP, [-60.0, 130.0]), 80.0),
        Role::Forearm => hinge(FRONT, 150.0, 80.0, 20.0),
        Role::Hand => ball((PALM, [-70.0, 80.0]), (FRONT, [-30.0, 30.0]), 20.0),
        Role::Thumb => ball((PALM, [-50.0, 60.0]), (FRONT, [-40.0, 40.0]), 20.0),
        Role::Finger => ball((PALM, [-20.0, 95.0]), (FRONT, [-10.0, 10.0]), 5.0),
        Role::HipBone => ball((FRONT, [0.0, 0.0]), (OUT, [0.0, 0.0]), 0.0),
        Role::Thigh => ball((FRONT, [-35.0, 130.0]), (OUT, [-30.0, 70.0]), 50.0),
        Role::Shin => hinge(BACK, 150.0, 5.0, 20.0),
        Role::Foot => ball((DOWN, [-35.0, 55.0]), (OUT, [-25.0, 25.0]), 25.0),
        Role::Toes => ball((DOWN, [-65.0, 45.0]), (OUT, [-5.0, 5.0]), 5.0),
    })
}

/// The stiffness of a joint for inverse kinematics. The pelvis should follow its children only a little,
/// within 57° (see [`crate::rig::skeleton::Bone::stiffness`]), and be rotated by hand; knees and elbows bend
/// before ankles and wrists.
fn stiffness(role: Role) -> Option<f32> {
    match role {
        Role::Hips => Some(0.9),
        Role::Foot => Some(0.9),
        _ => None,
    }
}

/// Sets the limits, stiffness and preferred bends of those `bones` that have a role, as far as the tables
/// define them. Returns the number of bones changed.
pub fn apply(skeleton: &mut Skeleton, bones: &[usize]) -> usize {
    let axes = BodyAxes::new(skeleton);
    let body_from_skeleton = DMat3::from_cols(axes.left, axes.up, axes.front).transpose();
    let starts: Vec<DVec3> = bind_pose(skeleton).iter().map(|bone| bone.translation).collect();
    let mut changed_count = 0;
    let starts = starts.into_iter().enumerate();
    for (bone, start) in starts.filter(|(bone, _)| bones.contains(bone)) {
        let this = &skeleton.bones[bone];
        let role_of_name = this.name.as_deref().filter(|_| !this.link).and_then(role);
        let Some(role) = role_of_name else { continue };
        let (motion, stiffness) = (motion(role), stiffness(role));
        if let Some(stiffness) = stiffness {
            skeleton.bones[bone].stiffness = Vec3::splat(stiffness);
        }
        changed_count += usize::from(motion.is_some() || stiffness.is_some());
        let Some(motion) = motion else { continue };
        let this = &skeleton.bones[bone];
        let middle = start + 0.5 * this.extent.as_dvec3() - skeleton.base.as_dvec3();
        let side = if middle.dot(axes.left) < 0.0 { -1.0 } else { 1.0 };
        let parent_extent =
            parent_past_links(skeleton, bone).map(|parent| skeleton.bones[parent].extent.as_dvec3());
        let parent_extent = parent_extent.map(|extent| body_from_skeleton * extent);
        let bone_axes = rotation_axes(this).map(|axis| body_from_skeleton * axis);
        let (limits_deg, preferred_deg) = limits_about_axes(&motion, bone_axes, parent_extent, side);
        let this = &mut skeleton.bones[bone];
        (this.limits_deg, this.preferred_deg) = (limits_deg, preferred_deg);
    }
    changed_count
}

/// Converts a motion to limits about the axes of a bone, all in the axes of the body. `parent_extent` is the extent of its parent; `side`
/// is 1 on the left, -1 on the right.
fn limits_about_axes(
    motion: &Motion,
    axes: [DVec3; 3],
    parent_extent: Option<DVec3>,
    side: f64,
) -> (Limits, Option<Vec3>) {
    let bone_direction = axes[1];
    // The axis about which the bone rotates towards a direction.
    let axis = |direction: Vec3| {
        let direction = direction.as_dvec3() * DVec3::new(side, 1.0, 1.0);
        bone_direction.cross(direction).normalize_or_zero()
    };
    let (mut bend, swing) = (axis(motion.bend.0), axis(motion.swing.0));
    // A hinge that is bent in the bind pose shows its axis, wherever it points: hands on hips, forearms raised.
    let fold = parent_extent.filter(|_| motion.is_hinge).and_then(DVec3::try_normalize);
    let fold = fold.map(|parent| parent.cross(bone_direction)).filter(|fold| fold.length() > BENT);
    if let Some(fold) = fold {
        bend = fold.normalize();
    }
    let hinge = if bend.dot(axes[0]).abs() >= bend.dot(axes[2]).abs() { 0 } else { 2 };
    let range_about = |index: usize, axis: DVec3, [low, high]: [f32; 2]| {
        if axis.dot(axes[index]) < 0.0 { [-high, -low] } else { [low, high] }
    };
    let mut range = motion.bend.1;
    if let Some(parent_extent) = parent_extent.and_then(DVec3::try_normalize).filter(|_| motion.is_hinge) {
        let bent = parent_extent
            .cross(bone_direction)
            .dot(bend)
            .atan2(parent_extent.dot(bone_direction))
            .to_degrees() as f32;
        range = range.map(|angle| (angle - bent).round());
    }
    let mut limits = [None; 3];
    limits[hinge] = Some(range_about(hinge, bend, range));
    limits[1] = Some([-motion.twist, motion.twist]);
    limits[2 - hinge] = Some(range_about(2 - hinge, swing, motion.swing.1));
    // Negative zero would be written with its sign.
    let positive_zero = |range: [f32; 2]| range.map(|angle| angle + 0.0);
    let limits = Limits(limits.map(|range| range.map(positive_zero)));
    let preferred = motion.preferred_bend.map(|angle| {
        let mut preferred = Vec3::ZERO;
        let [angle, _] = range_about(hinge, bend, [angle; 2]);
        preferred[hinge] = angle;
        limits.clamp(preferred)
    });
    (limits, preferred)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::kinematics::{current_pose, tips};
    use crate::rig::skeleton::Bone;

    #[test]
    fn names_of_all_conventions_are_recognized() {
        for (role_of, names) in [
            (Role::Hips, "pelvis mixamorig:Hips hips"),
            (Role::Spine, "spine spine2 chest Spine1 LowerBack upperChest spine_03 spine.001"),
            (Role::Neck, "neck Neck1 neck_01"),
            (Role::Head, "head mixamorig:Head"),
            (Role::Shoulder, "clavicle.L LeftShoulder shoulder.R clavicle_l"),
            (Role::UpperArm, "upper_arm.L mixamorig:LeftArm leftUpperArm upperarm_r DEF-upper_arm.L.001"),
            (Role::Forearm, "forearm.R LeftForeArm rightLowerArm lowerarm_l"),
            (Role::Hand, "hand.L mixamorig:RightHand leftHand hand_r"),
            (Role::Finger, "fingers2.L LeftHandIndex1 index_01_l f_index.01.L palm.R leftIndexProximal"),
            (Role::Thumb, "thumb2.R LThumb LeftHandThumb1 leftThumbDistal"),
            (Role::HipBone, "hip.L LHipJoint"),
            (Role::Thigh, "thigh.L LeftUpLeg leftUpperLeg thigh_r"),
            (Role::Shin, "shin.L RightLeg leftLowerLeg calf_l"),
            (Role::Foot, "foot.R LeftFoot foot_l"),
            (Role::Toes, "toes.L LeftToeBase toe.R ball_l leftToes"),
        ] {
            for name in names.split(' ') {
                assert_eq!(role(name), Some(role_of), "{name}");
            }
        }
        for name in ["", "bone 3", "tail", "L", "Armature"] {
            assert_eq!(role(name), None, "{name}");
        }
    }

    /// Hands on hips and forearms raised: the elbow bends further in its own plane, and the bind pose is within the limits.
    #[test]
    fn elbows_that_are_bent_in_the_bind_pose_bend_where_they_are_bent() {
        for forearm in [Vec3::new(-0.8, -0.4, 0.3), Vec3::new(0.1, 0.2, 1.0), Vec3::new(0.3, 1.0, 0.2)] {
            for roll_deg in [0.0, 50.0, -130.0] {
                let bone = |name: &str, parent, extent| Bone {
                    name: Some(name.into()),
                    extent,
                    roll_deg,
                    parent,
                    ..Bone::default()
                };
                let leg = |side: f32| bone("thigh", None, Vec3::new(0.3 * side, -1.0, 0.0));
                let mut skeleton = Skeleton {
                    bones: vec![
                        bone("upper_arm.L", None, Vec3::new(1.0, -0.5, 0.0)),
                        bone("forearm.L", Some(0), forearm),
                        leg(1.0),
                        leg(-1.0),
                    ],
                    ..Skeleton::default()
                };
                apply(&mut skeleton, &[0, 1]);
                let preferred = skeleton.bones[1].preferred_deg.unwrap();
                let limits = skeleton.bones[1].limits_deg;
                assert_eq!(limits.clamp(Vec3::ZERO), Vec3::ZERO, "{forearm} {roll_deg}");
                let reach = |skeleton: &Skeleton| tips(skeleton, &current_pose(skeleton))[1].length();
                let before = reach(&skeleton);
                skeleton.bones[1].pose_deg = preferred;
                if preferred != Vec3::ZERO {
                    assert!(reach(&skeleton) < before, "{forearm} {roll_deg} {preferred}");
                }
            }
        }
    }

    /// An outstretched arm and a hanging leg on each side, with any roll: the preferred bend moves the wrist
    /// forwards and the ankle back, and nothing bends the other way.
    #[test]
    fn elbows_and_knees_bend_the_right_way_whatever_their_roll() {
        for roll_deg in [0.0, 80.0, 100.0, -170.0] {
            for side in [1.0, -1.0] {
                let bone = |name: &str, parent, extent: Vec3| Bone {
                    name: Some(name.into()),
                    extent: extent * Vec3::new(side, 1.0, 1.0),
                    roll_deg,
                    parent,
                    ..Bone::default()
                };
                let mut skeleton = Skeleton {
                    bones: vec![
                        bone("LeftArm", None, Vec3::X),
                        bone("LeftForeArm", Some(0), Vec3::X),
                        bone("LeftUpLeg", None, Vec3::new(0.2, -1.0, 0.0)),
                        bone("LeftLeg", Some(2), Vec3::NEG_Y),
                    ],
                    ..Skeleton::default()
                };
                assert_eq!(apply(&mut skeleton, &[0, 1, 2, 3]), 4);
                for bone in [1, 3] {
                    skeleton.bones[bone].pose_deg = skeleton.bones[bone].preferred_deg.unwrap();
                }
                let bent = tips(&skeleton, &current_pose(&skeleton));
                assert!(bent[1].z > 0.2 && bent[3].z < -0.2, "{roll_deg} {side}: {bent:?}");
                for bone in [1, 3] {
                    let this = &mut skeleton.bones[bone];
                    this.pose_deg = this.limits_deg.clamp(-this.pose_deg * 10.0);
                }
                let straight = tips(&skeleton, &current_pose(&skeleton));
                assert!(straight[1].z > -0.05 && straight[3].z < 0.05, "{roll_deg} {side}: {straight:?}");
            }
        }
    }
}
