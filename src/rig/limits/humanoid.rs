//! Limits, stiffness and preferred bends of people, by what their bones are called and which way these lead.
//!
//! Roles come from names as Mixamo, CMU, VRM, Rigify, Unreal and this program give them. Ranges are of anatomy, rounded; a
//! joint's angle is the one about the local axis that comes nearest to the body's own. The person faces +z, stands along y
//! and has its left at +x.

use super::Limits;
use crate::rig::kinematics::{bind_pose, parent_past_links, rotation_axes};
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};

/// What a bone is in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Hips,
    Spine,
    Neck,
    Head,
    Shoulder,
    UpperArm,
    Forearm,
    Hand,
    Thumb,
    Finger,
    /// From the pelvis to where the leg begins; no joint of its own.
    HipBone,
    Thigh,
    Shin,
    Foot,
    Toes,
}

/// Parts of names, the first that fits counts. With `=`: the whole name.
const NAMES: [(&str, Role); 38] = [
    ("thumb", Role::Thumb),
    ("toe", Role::Toes),
    ("=ball", Role::Toes),
    ("finger", Role::Finger),
    ("index", Role::Finger),
    ("middle", Role::Finger),
    ("ring", Role::Finger),
    ("pinky", Role::Finger),
    ("little", Role::Finger),
    ("palm", Role::Finger),
    ("hand", Role::Hand),
    ("wrist", Role::Hand),
    ("forearm", Role::Forearm),
    ("lowerarm", Role::Forearm),
    ("elbow", Role::Forearm),
    ("upperarm", Role::UpperArm),
    ("=arm", Role::UpperArm),
    ("clavicle", Role::Shoulder),
    ("shoulder", Role::Shoulder),
    ("collar", Role::Shoulder),
    ("shin", Role::Shin),
    ("calf", Role::Shin),
    ("knee", Role::Shin),
    ("lowerleg", Role::Shin),
    ("=leg", Role::Shin),
    ("thigh", Role::Thigh),
    ("upleg", Role::Thigh),
    ("upperleg", Role::Thigh),
    ("foot", Role::Foot),
    ("ankle", Role::Foot),
    ("=hips", Role::Hips),
    ("pelvis", Role::Hips),
    ("=hip", Role::HipBone),
    ("hipjoint", Role::HipBone),
    ("neck", Role::Neck),
    ("head", Role::Head),
    ("spine", Role::Spine),
    ("chest", Role::Spine),
];

/// The role of a bone with this name.
pub fn role(name: &str) -> Option<Role> {
    let name = name.rsplit(':').next()?;
    let name = name.strip_prefix("DEF-").unwrap_or(name);
    // Words begin at capitals and end at what is no letter.
    let mut words = vec![String::new()];
    for letter in name.chars() {
        if letter.is_uppercase() || !letter.is_alphabetic() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphabetic()) {
            word.extend(letter.to_lowercase());
        }
    }
    let side = |word: &String| matches!(word.as_str(), "left" | "right" | "l" | "r");
    let plain: String = words.into_iter().filter(|word| !side(word)).collect();
    let fits = |part: &str| match part.strip_prefix('=') {
        Some(whole) => plain == whole,
        None => plain.contains(part),
    };
    let found = NAMES.iter().find(|(part, _)| fits(part));
    found
        .map(|(_, role)| *role)
        .or((plain == "lowerback").then_some(Role::Spine))
}

/// How a joint moves: which way it bends (on the left side) and how far, from a straight limb where it is a hinge; the
/// same for the other way; how far it twists to both sides. Degrees.
struct Motion {
    bend: (Vec3, [f32; 2]),
    swing: (Vec3, [f32; 2]),
    twist: f32,
    /// A hinge is straight where it is in line with its parent, not in the bind pose.
    is_hinge: bool,
    /// How far it prefers to be bent.
    prefers: Option<f32>,
}

const FRONT: Vec3 = Vec3::Z;
const BACK: Vec3 = Vec3::NEG_Z;
const UP: Vec3 = Vec3::new(1.0, 1.0, 0.0);
const OUT: Vec3 = Vec3::X;
const DOWN: Vec3 = Vec3::NEG_Y;
/// Towards the palm, whether arms hang or are held out.
const PALM: Vec3 = Vec3::new(-1.0, -1.0, 0.0);

fn motion(role: Role) -> Option<Motion> {
    let moves = |bend, swing, twist| Motion {
        bend,
        swing,
        twist,
        is_hinge: false,
        prefers: None,
    };
    let hinge = |toward, most, twist, prefers| Motion {
        bend: (toward, [0.0, most]),
        swing: (OUT, [0.0, 0.0]),
        twist,
        is_hinge: true,
        prefers: Some(prefers),
    };
    Some(match role {
        Role::Hips => return None,
        // Who bends down bends forwards.
        Role::Spine => Motion {
            prefers: Some(20.0),
            ..moves((FRONT, [-20.0, 35.0]), (OUT, [-20.0, 20.0]), 25.0)
        },
        Role::Neck => moves((FRONT, [-35.0, 40.0]), (OUT, [-30.0, 30.0]), 40.0),
        Role::Head => moves((FRONT, [-35.0, 35.0]), (OUT, [-25.0, 25.0]), 45.0),
        Role::Shoulder => moves((FRONT, [-20.0, 25.0]), (UP, [-10.0, 35.0]), 10.0),
        Role::UpperArm => moves((FRONT, [-70.0, 140.0]), (UP, [-60.0, 130.0]), 80.0),
        Role::Forearm => hinge(FRONT, 150.0, 80.0, 20.0),
        Role::Hand => moves((PALM, [-70.0, 80.0]), (FRONT, [-30.0, 30.0]), 20.0),
        Role::Thumb => moves((PALM, [-50.0, 60.0]), (FRONT, [-40.0, 40.0]), 20.0),
        Role::Finger => moves((PALM, [-20.0, 95.0]), (FRONT, [-10.0, 10.0]), 5.0),
        Role::HipBone => moves((FRONT, [0.0, 0.0]), (OUT, [0.0, 0.0]), 0.0),
        Role::Thigh => moves((FRONT, [-35.0, 130.0]), (OUT, [-30.0, 70.0]), 50.0),
        Role::Shin => hinge(BACK, 150.0, 5.0, 20.0),
        Role::Foot => moves((DOWN, [-35.0, 55.0]), (OUT, [-25.0, 25.0]), 25.0),
        Role::Toes => moves((DOWN, [-65.0, 45.0]), (OUT, [-5.0, 5.0]), 5.0),
    })
}

/// How stiff a joint is for inverse kinematics. The pelvis is turned by hand rather than by what hangs on it, and within
/// 57° (see [`crate::rig::skeleton::Bone::stiffness`]); knees and elbows bend before ankles and wrists.
fn stiffness(role: Role) -> Option<f32> {
    match role {
        Role::Hips => Some(0.9),
        Role::Foot => Some(0.9),
        _ => None,
    }
}

/// Sets limits, stiffness and preferred bends of those of `bones` that have a role, as far as the tables speak of it.
/// Returns how many.
pub fn apply(skeleton: &mut Skeleton, bones: &[usize]) -> usize {
    let starts: Vec<DVec3> = bind_pose(skeleton).iter().map(|bone| bone.translation).collect();
    let mut set = 0;
    let starts = starts.into_iter().enumerate();
    for (bone, start) in starts.filter(|(bone, _)| bones.contains(bone)) {
        let this = &skeleton.bones[bone];
        let named = this.name.as_deref().filter(|_| !this.link).and_then(role);
        let Some(role) = named else { continue };
        let (motion, stiffness) = (motion(role), stiffness(role));
        if let Some(stiffness) = stiffness {
            skeleton.bones[bone].stiffness = Vec3::splat(stiffness);
        }
        set += usize::from(motion.is_some() || stiffness.is_some());
        let Some(motion) = motion else { continue };
        let this = &skeleton.bones[bone];
        let middle = start.x + 0.5 * f64::from(this.extent.x) - f64::from(skeleton.base.x);
        let side = if middle < 0.0 { -1.0 } else { 1.0 };
        let above = parent_past_links(skeleton, bone).map(|parent| skeleton.bones[parent].extent.as_dvec3());
        let (limits_deg, preferred_deg) = placed(&motion, rotation_axes(this), above, side);
        let this = &mut skeleton.bones[bone];
        (this.limits_deg, this.preferred_deg) = (limits_deg, preferred_deg);
    }
    set
}

/// A motion about the axes of a bone. `above`: the way of its parent; `side`: 1 on the left, -1 on the right.
fn placed(motion: &Motion, axes: [DVec3; 3], above: Option<DVec3>, side: f64) -> (Limits, Option<Vec3>) {
    let direction = axes[1];
    // About which the bone turns towards something.
    let axis = |toward: Vec3| {
        let toward = toward.as_dvec3() * DVec3::new(side, 1.0, 1.0);
        direction.cross(toward).normalize_or_zero()
    };
    let (bend, swing) = (axis(motion.bend.0), axis(motion.swing.0));
    let hinge = if bend.dot(axes[0]).abs() >= bend.dot(axes[2]).abs() {
        0
    } else {
        2
    };
    let about = |at: usize, axis: DVec3, [low, high]: [f32; 2]| match axis.dot(axes[at]) < 0.0 {
        true => [-high, -low],
        false => [low, high],
    };
    let mut range = motion.bend.1;
    if let Some(above) = above.and_then(DVec3::try_normalize).filter(|_| motion.is_hinge) {
        let bent = above
            .cross(direction)
            .dot(bend)
            .atan2(above.dot(direction))
            .to_degrees() as f32;
        range = range.map(|angle| (angle - bent).round());
    }
    let mut limits = [None; 3];
    limits[hinge] = Some(about(hinge, bend, range));
    limits[1] = Some([-motion.twist, motion.twist]);
    limits[2 - hinge] = Some(about(2 - hinge, swing, motion.swing.1));
    // Minus zero is written with its sign.
    let plain = |range: [f32; 2]| range.map(|angle| angle + 0.0);
    let limits = Limits(limits.map(|range| range.map(plain)));
    let preferred = motion.prefers.map(|angle| {
        let mut preferred = Vec3::ZERO;
        let [angle, _] = about(hinge, bend, [angle; 2]);
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
    fn names_of_all_conventions_have_their_roles() {
        for (role_of, names) in [
            (Role::Hips, "pelvis mixamorig:Hips hips"),
            (
                Role::Spine,
                "spine spine2 chest Spine1 LowerBack upperChest spine_03 spine.001",
            ),
            (Role::Neck, "neck Neck1 neck_01"),
            (Role::Head, "head mixamorig:Head"),
            (Role::Shoulder, "clavicle.L LeftShoulder shoulder.R clavicle_l"),
            (
                Role::UpperArm,
                "upper_arm.L mixamorig:LeftArm leftUpperArm upperarm_r DEF-upper_arm.L.001",
            ),
            (Role::Forearm, "forearm.R LeftForeArm rightLowerArm lowerarm_l"),
            (Role::Hand, "hand.L mixamorig:RightHand leftHand hand_r"),
            (
                Role::Finger,
                "fingers2.L LeftHandIndex1 index_01_l f_index.01.L palm.R leftIndexProximal",
            ),
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

    /// An arm held out and a hanging leg on each side, with any roll: the preferred bend brings the wrist forwards and the
    /// ankle back, and nothing bends the other way.
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
                assert!(
                    straight[1].z > -0.05 && straight[3].z < 0.05,
                    "{roll_deg} {side}: {straight:?}"
                );
            }
        }
    }
}
