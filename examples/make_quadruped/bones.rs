//! The skeleton: thirty bones, named, exactly mirrored; and how they swing.

use crate::landmarks::*;
use glam::Vec3;
use ossature::anim::channel::{Animation, Channel, SkeletonChannel};
use ossature::anim::spline::Spline;
use ossature::rig::limits::Limits;
use ossature::rig::property::POSE;
use ossature::rig::skeleton::{Bone, Skeleton};
use std::collections::BTreeMap;
use std::f32::consts::TAU;
use std::sync::Arc;

/// The number of frames after which the motion repeats, and between keys.
pub const LOOP: usize = 96;
const STEP: usize = 4;

/// Name, parent's name (empty: a root), tip.
type Plan = (String, String, Vec3);

fn plans() -> Vec<Plan> {
    let plan = |name: &str, parent: &str, tip| (name.to_owned(), parent.to_owned(), tip);
    let mut plans = vec![plan("spine", "", RIBS), plan("chest", "spine", WITHERS)];
    let chain = |plans: &mut Vec<Plan>, names: &[&str], parent: &str, tips: &[Vec3]| {
        let mut parent = parent.to_owned();
        for (name, tip) in names.iter().zip(tips) {
            plans.push(((*name).to_owned(), parent, *tip));
            parent = (*name).to_owned();
        }
    };
    chain(&mut plans, &["neck", "neck2", "neck3", "neck4", "neck5"], "chest", &NECK);
    plans.push(plan("head", "neck5", MUZZLE));
    plans.push(plan("pelvis", "", PELVIS));
    chain(&mut plans, &["tail", "tail2", "tail3", "tail4"], "pelvis", &TAIL);
    for (side, sign) in [(".L", 1.0), (".R", -1.0)] {
        let mirrored =
            |tips: &[Vec3]| tips.iter().map(|t| *t * Vec3::new(sign, 1.0, 1.0)).collect::<Vec<_>>();
        let named = |names: &[&str]| names.iter().map(|n| format!("{n}{side}")).collect::<Vec<_>>();
        for (names, parent, tips) in [
            (&["scapula", "forearm", "cannon", "hoof"][..], "chest", mirrored(&FRONT)),
            (&["hip", "thigh", "shank", "shin", "toe"][..], "pelvis", mirrored(&BACK)),
        ] {
            let names = named(names);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            chain(&mut plans, &names, parent, &tips);
        }
    }
    plans
}

pub fn skeleton() -> Skeleton {
    let plans = plans();
    let find = |name: &str| plans.iter().position(|plan| plan.0 == name);
    let bone = |(index, (name, parent, tip)): (usize, &Plan)| {
        let parent = find(parent);
        let start = parent.map_or(MIDDLE, |parent| plans[parent].2);
        Bone {
            extent: *tip - start,
            radius: radius(name),
            parent: parent.map(|parent| parent as u32),
            channel_id: index as u32,
            name: Some(name.as_str().into()),
            limits_deg: limits(name),
            preferred_deg: preferred(name),
            ..Bone::default()
        }
    };
    Skeleton {
        bones: plans.iter().enumerate().map(bone).collect(),
        base: MIDDLE,
        ik_prior: Skeleton::WEAK_PRIOR,
        ..Skeleton::default()
    }
}

/// Ranges of the angles x (forwards and backwards), y (twist), z (sideways) in degrees, by the start of the
/// name. Wrists, stifles and hocks are hinges.
const RANGES: [(&str, [[f32; 2]; 3]); 14] = [
    ("spine", [[-10.0, 10.0], [-8.0, 8.0], [-10.0, 10.0]]),
    ("chest", [[-10.0, 10.0], [-8.0, 8.0], [-10.0, 10.0]]),
    ("pelvis", [[-10.0, 10.0], [-8.0, 8.0], [-10.0, 10.0]]),
    ("neck", [[-30.0, 40.0], [-15.0, 15.0], [-30.0, 30.0]]),
    ("head", [[-45.0, 45.0], [-30.0, 30.0], [-30.0, 30.0]]),
    ("tail", [[-40.0, 40.0], [-20.0, 20.0], [-40.0, 40.0]]),
    ("scapula", [[-20.0, 20.0], [-8.0, 8.0], [-10.0, 10.0]]),
    ("forearm", [[-60.0, 60.0], [-10.0, 10.0], [-25.0, 25.0]]),
    ("cannon", [[-3.0, 120.0], [-5.0, 5.0], [0.0, 0.0]]),
    ("hip", [[-5.0, 5.0], [-5.0, 5.0], [-5.0, 5.0]]),
    ("thigh", [[-45.0, 60.0], [-15.0, 15.0], [-25.0, 25.0]]),
    ("shank", [[-25.0, 60.0], [-5.0, 5.0], [0.0, 0.0]]),
    ("shin", [[-80.0, 25.0], [-5.0, 5.0], [0.0, 0.0]]),
    ("", [[-50.0, 70.0], [-10.0, 10.0], [-10.0, 10.0]]),
];

fn limits(name: &str) -> Limits {
    let found = RANGES.iter().find(|(start, _)| name.starts_with(start));
    found.map_or(Limits::default(), |(_, ranges)| Limits(ranges.map(Some)))
}

/// The preferred bend: the wrist of a foreleg and the stifle bend back, the hock forwards.
fn preferred(name: &str) -> Option<Vec3> {
    let bends = [("cannon", 20.0), ("shank", 15.0), ("shin", -15.0)];
    let found = bends.iter().find(|(start, _)| name.starts_with(start));
    found.map(|(_, angle)| Vec3::X * *angle)
}

/// The radius of a bone as drawn: the thickness of the body around it.
fn radius(name: &str) -> f32 {
    let thick = [
        ("spine", 0.5),
        ("chest", 0.5),
        ("pelvis", 0.45),
        ("neck2", 0.26),
        ("neck3", 0.23),
        ("neck4", 0.2),
        ("neck5", 0.18),
        ("neck", 0.32),
        ("head", 0.17),
        ("tail", 0.1),
        ("scapula", 0.22),
        ("hip", 0.26),
        ("thigh", 0.24),
        ("shank", 0.18),
        ("forearm", 0.17),
    ];
    thick.iter().find(|(start, _)| name.starts_with(start)).map_or(0.13, |(_, radius)| *radius)
}

/// A swing: the local axis (x: forwards and backwards, z: sideways), degrees in the middle and to either
/// side, the number per loop, and whether it starts forwards (1) or backwards (-1). All start in the middle,
/// so that the splines pass the end of the loop without a kink.
type Swing = (&'static str, usize, f32, f32, f32, f32);

const SWINGS: [Swing; 34] = [
    ("neck", 0, 0.0, 3.0, 2.0, 1.0),
    ("neck", 2, 0.0, 5.0, 1.0, 1.0),
    ("neck2", 0, 0.0, 3.0, 2.0, 1.0),
    ("neck2", 2, 0.0, 5.0, 1.0, 1.0),
    ("neck3", 0, 0.0, 3.0, 2.0, 1.0),
    ("neck3", 2, 0.0, 5.0, 1.0, 1.0),
    ("neck4", 0, 0.0, 3.0, 2.0, 1.0),
    ("neck4", 2, 0.0, 5.0, 1.0, 1.0),
    ("neck5", 0, 0.0, 3.0, 2.0, 1.0),
    ("neck5", 2, 0.0, 5.0, 1.0, 1.0),
    ("head", 0, 0.0, 8.0, 2.0, -1.0),
    ("tail", 2, 0.0, 4.0, 2.0, 1.0),
    ("tail2", 2, 0.0, 15.0, 2.0, 1.0),
    ("tail3", 2, 0.0, 15.0, 2.0, 1.0),
    ("tail4", 2, 0.0, 15.0, 2.0, 1.0),
    ("spine", 2, 0.0, 1.5, 2.0, 1.0),
    ("pelvis", 2, 0.0, 1.5, 2.0, -1.0),
    ("scapula.L", 0, 0.0, 3.0, 2.0, 1.0),
    ("scapula.R", 0, 0.0, 3.0, 2.0, -1.0),
    ("forearm.L", 0, 0.0, 13.0, 2.0, 1.0),
    ("forearm.R", 0, 0.0, 13.0, 2.0, -1.0),
    ("cannon.L", 0, 12.0, 12.0, 2.0, 1.0),
    ("cannon.R", 0, 12.0, 12.0, 2.0, -1.0),
    ("hoof.L", 0, 4.0, 10.0, 2.0, 1.0),
    ("hoof.R", 0, 4.0, 10.0, 2.0, -1.0),
    ("thigh.L", 0, 0.0, 12.0, 2.0, -1.0),
    ("thigh.R", 0, 0.0, 12.0, 2.0, 1.0),
    ("shank.L", 0, 4.0, 6.0, 2.0, -1.0),
    ("shank.R", 0, 4.0, 6.0, 2.0, 1.0),
    ("shin.L", 0, -4.0, 8.0, 2.0, 1.0),
    ("shin.R", 0, -4.0, 8.0, 2.0, -1.0),
    ("toe.L", 0, 4.0, 8.0, 2.0, -1.0),
    ("toe.R", 0, 4.0, 8.0, 2.0, 1.0),
    ("chest", 2, 0.0, 1.0, 2.0, -1.0),
];

/// The keys of the bones of the skinned mesh `mesh`.
pub fn motion(skeleton: &Skeleton, mesh: &str) -> Animation {
    let mut channels = BTreeMap::new();
    for (index, bone) in skeleton.bones.iter().enumerate() {
        let name = skeleton.bone_name(index);
        let swings: Vec<&Swing> = SWINGS.iter().filter(|swing| swing.0 == name).collect();
        if swings.is_empty() {
            continue;
        }
        let pose_deg = |frame: usize| {
            let mut pose = Vec3::ZERO;
            for (_, axis, middle, reach, times, sign) in &swings {
                let turn = TAU * times * frame as f32 / LOOP as f32;
                pose[*axis] += middle + sign * reach * turn.sin();
            }
            pose
        };
        let frames = (0..LOOP - 1).step_by(STEP).chain([LOOP - 1]);
        let spline = Spline::from_knots(frames.map(|frame| (frame as f32, pose_deg(frame))).collect());
        let channel = SkeletonChannel::Bone(bone.channel_id, POSE).to_string();
        channels.insert(channel, Arc::new(Channel::Vec3(spline)));
    }
    Animation { channels: BTreeMap::from([(mesh.to_owned(), channels)]), ..Animation::default() }
}
