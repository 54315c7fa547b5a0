//! The skeleton: thirty-four named bones from the pelvis, exactly mirrored; hinges about the local x axis.
//!
//! Convention of the rolls: at spine, elbow, wrist, fingers, knee, and ankle a **positive rotation about the
//! local x axis** is flexion, on both sides alike: the trunk bows forwards, the forearm comes forwards, the
//! hand and the fingers curl towards the palm, the shin swings back, the toes point down. Limits and
//! preferred bends are human ([`humanoid`]). No handles and no pose.

use crate::hand::Hand;
use crate::landmarks::*;
use glam::Vec3;
use ossature::rig::limits::humanoid;
use ossature::rig::skeleton::{Bone, Skeleton};

/// The plan of a bone: name, parent's name, tip, radius, and the direction of its hinge (`None`: no roll).
struct Plan {
    name: &'static str,
    parent: &'static str,
    tip: Vec3,
    radius: f32,
    hinge: Option<Vec3>,
}

/// Bones of the middle; the first starts at [`PELVIS`].
const MIDDLE: [(&str, &str, Vec3, f32); 6] = [
    ("pelvis", "", LUMBAR, 0.40),
    ("spine", "pelvis", WAIST, 0.56),
    ("spine2", "spine", THORAX, 0.58),
    ("chest", "spine2", NECK, 0.64),
    ("neck", "chest", SKULL, 0.30),
    ("head", "neck", CROWN, 0.46),
];

pub fn skeleton(hand: &Hand) -> Skeleton {
    let mut skeleton = Skeleton { base: PELVIS, ..Skeleton::default() };
    let mut tips: Vec<(String, Vec3)> = vec![(String::new(), PELVIS)];
    for (name, parent, tip, radius) in MIDDLE {
        push(&mut skeleton, &mut tips, name.into(), parent.into(), tip, radius, 0.0);
    }
    for (side, sign) in [(".L", 1.0), (".R", -1.0)] {
        for plan in limbs(hand) {
            let middle = MIDDLE.iter().any(|m| m.0 == plan.parent);
            let parent = if middle { plan.parent.to_string() } else { format!("{}{side}", plan.parent) };
            // The left bone's start and roll; the right one's mirror them.
            let start =
                tips.iter().find(|t| t.0 == parent).map_or(PELVIS, |t| t.1 * Vec3::new(sign, 1.0, 1.0));
            let roll = plan.hinge.map_or(0.0, |h| roll_for(plan.tip - start, h));
            let tip = plan.tip * Vec3::new(sign, 1.0, 1.0);
            let name = format!("{}{side}", plan.name);
            push(&mut skeleton, &mut tips, name, parent, tip, plan.radius, sign * roll);
        }
    }
    let all: Vec<usize> = (0..skeleton.bones.len()).collect();
    humanoid::apply(&mut skeleton, &all);
    skeleton.ik_prior = Skeleton::WEAK_PRIOR;
    skeleton
}

/// The bones of the left limbs.
fn limbs(hand: &Hand) -> Vec<Plan> {
    let arm = bend(SHOULDER, ELBOW, WRIST);
    let leg = bend(HIP, KNEE, ANKLE);
    let axes = hand_axes();
    let across = -axes[2];
    let wrist = |t: f32| WRIST + axes[0] * t;
    let mean = |joint: usize| hand.fingers[..3].iter().map(|f| f.joints[joint]).sum::<Vec3>() / 3.0;
    let thumb = &hand.thumb;
    let thumb_hinge = Some(-thumb.side);
    let plan = |name, parent, tip, radius, hinge| Plan { name, parent, tip, radius, hinge };
    vec![
        plan("clavicle", "chest", SHOULDER, 0.21, None),
        plan("upper_arm", "clavicle", ELBOW, 0.32, Some(arm)),
        plan("forearm", "upper_arm", WRIST, 0.22, Some(arm)),
        plan("hand", "forearm", wrist(0.11), 0.16, Some(across)),
        plan("palm", "hand", wrist(0.29), 0.21, Some(across)),
        plan("fingers", "palm", mean(1), 0.21, Some(across)),
        plan("fingers2", "fingers", mean(3), 0.21, Some(across)),
        plan("thumb", "hand", thumb.joints[1], 0.09, thumb_hinge),
        plan("thumb2", "thumb", thumb.joints[3], 0.08, thumb_hinge),
        plan("hip", "pelvis", HIP, 0.36, None),
        plan("thigh", "hip", KNEE, 0.36, Some(leg)),
        plan("shin", "thigh", ANKLE, 0.27, Some(leg)),
        plan("foot", "shin", BALL, 0.33, None),
        plan("toes", "foot", TOE, 0.20, None),
    ]
}

fn push(
    skeleton: &mut Skeleton,
    tips: &mut Vec<(String, Vec3)>,
    name: String,
    parent: String,
    tip: Vec3,
    radius: f32,
    roll_deg: f32,
) {
    let at = tips.iter().position(|t| t.0 == parent).unwrap_or(0);
    let channel_id = skeleton.bones.len() as u32;
    skeleton.bones.push(Bone {
        extent: tip - tips[at].1,
        roll_deg,
        radius,
        parent: at.checked_sub(1).map(|p| p as u32),
        channel_id,
        name: Some(name.as_str().into()),
        ..Bone::default()
    });
    tips.push((name, tip));
}

/// The axis about which a positive turn closes the joint `b` further.
fn bend(a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    (b - a).cross(c - b).normalize()
}

/// The roll in degrees that brings the local x axis as near to `hinge` as the bone's direction allows.
fn roll_for(extent: Vec3, hinge: Vec3) -> f32 {
    let y = extent.normalize();
    let x = (Vec3::X - y * y.x).try_normalize().unwrap_or(Vec3::Z);
    let z = x.cross(y);
    f32::atan2(-hinge.dot(z), hinge.dot(x)).to_degrees()
}
