//! A body on pinned feet behaves as an animator expects: it bends its knees and does not fall over.

use crate::measure::posing::human;
use crate::rig_support::*;
use glam::{DVec3, Quat, Vec3};
use ossature::rig::body;
use ossature::rig::ik::{self, End, Options};
use ossature::rig::skeleton::{Handle, Orientation, Skeleton};
use std::f64::consts::PI;

pub(super) fn named(skeleton: &Skeleton, name: &str) -> usize {
    let mut bones = 0..skeleton.bones.len();
    bones.find(|&bone| skeleton.bone_name(bone) == name).unwrap()
}

/// Returns the human with its feet pinned as the P key does, with their orientation, and a free root.
pub(super) fn standing() -> Skeleton {
    let mut skeleton = human();
    skeleton.root_free = true;
    let at = tips(&skeleton);
    for name in ["foot.L", "foot.R"] {
        let foot = named(&skeleton, name);
        let mut pin = Handle {
            pinned: true,
            orientation: Some(Orientation::new(Quat::IDENTITY, 1.0)),
            chain: Some(body::limb::limb(&skeleton, foot)),
            ..handle(foot, at[foot].as_vec3())
        };
        pin.pole = ik::pole::limb_pole(&skeleton, &pin);
        skeleton.handles.push(pin);
    }
    skeleton
}

pub(super) fn reaching(hands: &[(&str, [f32; 3])], balance: bool) -> (Skeleton, ik::Outcome) {
    let mut skeleton = standing();
    skeleton.balance = balance;
    for &(hand, target) in hands {
        let hand = named(&skeleton, hand);
        skeleton.handles.push(handle(hand, Vec3::from(target)));
    }
    let outcome = ik::solve(&mut skeleton, &Options::default());
    (skeleton, outcome)
}

/// Returns the centre of mass of capsules, each at the middle of its bone.
fn center_of_mass(skeleton: &Skeleton) -> DVec3 {
    let tips = tips(skeleton);
    let root = (skeleton.base + skeleton.base_offset).as_dvec3();
    let (mut sum, mut total) = (DVec3::ZERO, 0.0);
    for (bone, tip) in skeleton.bones.iter().zip(&tips) {
        let start = bone.parent.map_or(root, |parent| tips[parent as usize]);
        let (radius, length) = (f64::from(bone.radius), bone.extent.as_dvec3().length());
        let mass = PI * radius * radius * (length + 4.0 * radius / 3.0);
        sum += mass * 0.5 * (start + *tip);
        total += mass;
    }
    sum / total
}

/// Returns how far the centre of mass is outside the feet's support, from the heels to the tips of the toes.
pub(super) fn off_balance(skeleton: &Skeleton) -> f64 {
    let at = tips(&standing());
    let corners = ["shin.L", "shin.R", "foot.L", "foot.R"].map(|name| at[named(skeleton, name)]);
    let low = corners.into_iter().reduce(DVec3::min).unwrap();
    let high = corners.into_iter().reduce(DVec3::max).unwrap();
    let center = center_of_mass(skeleton);
    let off = center - center.clamp(low, high);
    off.x.hypot(off.z)
}

pub(super) fn pose(skeleton: &Skeleton, name: &str) -> Vec3 {
    skeleton.bones[named(skeleton, name)].pose_deg
}

/// Knees and hips bend, the pelvis moves back and down, the head stays up, and the body does not fall.
#[test]
fn hands_on_the_floor_bend_the_knees() {
    let hand_l = ("hand.L", [0.45, 0.3, 0.9]);
    for (hands, knees) in [
        (&[("hand.R", [-0.45, 0.5, 1.1])][..], 25.0..70.0),
        (&[("hand.R", [-0.3, 0.3, 0.7])][..], 30.0..80.0),
        (&[("hand.R", [-0.45, 0.3, 0.9]), hand_l][..], 50.0..110.0),
    ] {
        let (skeleton, outcome) = reaching(hands, true);
        assert_eq!(outcome.end, End::Reached, "{hands:?}: {:?}", outcome.tasks);
        for side in ["L", "R"] {
            let knee = pose(&skeleton, &format!("shin.{side}")).x;
            assert!(knees.contains(&knee), "{hands:?}: knee {knee}");
            let hip = pose(&skeleton, &format!("thigh.{side}")).x;
            assert!(hip < -20.0, "{hands:?}: hip {hip}");
        }
        let offset = skeleton.base_offset;
        assert!(offset.y < -0.15 && offset.z < -0.4, "{hands:?}: base {offset}");
        let head = tips(&skeleton)[named(&skeleton, "head")];
        assert!(head.y > 1.5, "{hands:?}: head {head}");
        let off = off_balance(&skeleton);
        assert!(off < 1e-3, "{hands:?}: {off} off balance");
        for bone in &skeleton.bones {
            assert_eq!(bone.limits_deg.clamp(bone.pose_deg), bone.pose_deg);
        }
    }
}

/// Targets far in front, overhead, at a knee and next to the feet are reached in balance.
#[test]
fn hands_that_reach_leave_the_body_over_its_feet() {
    for hands in [
        &[("hand.R", [-0.4, 3.4, 2.8])][..],
        &[("hand.R", [-0.5, 4.0, 2.2])][..],
        &[("hand.R", [-0.6, 6.2, 0.2])][..],
        &[("hand.R", [-0.6, 6.2, 0.2]), ("hand.L", [0.6, 6.2, 0.2])][..],
        &[("hand.R", [-0.45, 1.4, 0.5])][..],
        &[("hand.R", [-1.5, 0.4, 0.3])][..],
    ] {
        let (skeleton, outcome) = reaching(hands, true);
        assert_eq!(outcome.end, End::Reached, "{hands:?}: {:?}", outcome.tasks);
        let off = off_balance(&skeleton);
        assert!(off < 1e-3, "{hands:?}: {off} off balance");
        let (now, before) = (tips(&skeleton), tips(&standing()));
        for foot in ["foot.L", "foot.R", "toes.L", "toes.R"].map(|name| named(&skeleton, name)) {
            assert!(now[foot].distance(before[foot]) < 0.02, "{hands:?}");
        }
    }
}

/// To targets next to the feet, to the sides and slightly behind, the body bends forwards, not backwards.
#[test]
fn backs_bend_forwards() {
    for target in [
        [-0.73, 0.51, 0.3],
        [-0.5, 0.3, 0.5],
        [-0.9, 0.25, 0.0],
        [-1.46, 0.87, -0.07],
        [-1.7, 0.3, 0.4],
        [-0.6, 1.0, -0.5],
    ] {
        let (skeleton, outcome) = reaching(&[("hand.R", target)], true);
        assert_eq!(outcome.end, End::Reached, "{target:?}: {:?}", outcome.tasks);
        let back: f32 = ["spine", "spine2", "chest"].map(|name| pose(&skeleton, name).x).iter().sum();
        assert!(back > -10.0, "{target:?}: {back}");
    }
}

/// Balance can be switched off, yields to targets out of its reach, and keeps a lean.
#[test]
fn balance_is_kept_where_it_was_and_can_be_had() {
    let floor = [("hand.R", [-0.45, 0.5, 1.1])];
    let (falling, outcome) = reaching(&floor, false);
    assert_eq!(outcome.end, End::Reached);
    assert!(off_balance(&falling) > 0.2, "{}", off_balance(&falling));
    // Without a free root or without feet on the floor, balance changes nothing.
    for change in [
        |skeleton: &mut Skeleton| skeleton.root_free = false,
        |skeleton: &mut Skeleton| skeleton.handles.iter_mut().for_each(|handle| handle.pinned = false),
    ] {
        let solved = [true, false].map(|balance| {
            let mut skeleton = standing();
            let hand = named(&skeleton, "hand.R");
            skeleton.handles.push(handle(hand, Vec3::from(floor[0].1)));
            change(&mut skeleton);
            skeleton.balance = balance;
            ik::solve(&mut skeleton, &Options::default());
            skeleton.balance = true;
            skeleton
        });
        assert!(solved[0] == solved[1]);
    }
    // Pins do not pull a body upright that leans in the animation.
    let mut leaning = standing();
    let spine = named(&leaning, "spine");
    leaning.bones[spine].pose_deg.x = 35.0;
    let at = tips(&leaning)[named(&leaning, "hand.R")];
    let hand = named(&leaning, "hand.R");
    leaning.handles.push(handle(hand, at.as_vec3()));
    let before = leaning.clone();
    ik::solve(&mut leaning, &Options::default());
    for (now, before) in leaning.bones.iter().zip(&before.bones) {
        assert!((now.pose_deg - before.pose_deg).abs().max_element() < 0.1);
    }
}

/// Pinning a head does not change how it moves when led.
#[test]
fn a_pinned_head_that_is_led_down_squats_too() {
    let start = tips(&standing())[named(&standing(), "head")].as_vec3();
    let target = |down: f32| start + Vec3::new(0.0, -down, 0.1);
    let posed = |down: f32, pinned: bool| {
        let mut skeleton = standing();
        let head = named(&skeleton, "head");
        skeleton.handles.push(Handle { pinned, chain: None, ..handle(head, target(down)) });
        let outcome = ik::solve(&mut skeleton, &Options::default());
        assert_eq!(outcome.end, End::Reached, "{down} down: {:?}", outcome.tasks);
        skeleton
    };
    for down in [0.9, 1.6, 2.2] {
        let [pinned, free] = [true, false].map(|pinned| pose(&posed(down, pinned), "shin.L").x);
        assert!(pinned > 30.0 + 35.0 * down && (pinned - free).abs() < 15.0, "{down} down: {pinned}, {free}");
    }
    // At the pinned position it changes nothing.
    let mut skeleton = standing();
    let head = named(&skeleton, "head");
    skeleton.handles.push(Handle { pinned: true, ..handle(head, start) });
    ik::solve(&mut skeleton, &Options::default());
    assert!(skeleton.bones.iter().all(|bone| bone.pose_deg.abs().max_element() < 0.1));
}

/// Asserts that no angle differs by `most` or more from the previous frame.
#[track_caller]
pub(super) fn assert_no_snap(now: &Skeleton, before: Option<&Skeleton>, most: f32, at: &str) {
    for (now, before) in now.bones.iter().zip(before.iter().flat_map(|before| &before.bones)) {
        let turned = (now.pose_deg - before.pose_deg).abs().max_element();
        assert!(turned < most, "{at}: {turned}");
    }
}

/// The hand moves to the floor, around in front of the feet, and up; no frame is far from the previous one.
#[test]
fn what_is_dragged_takes_the_body_along_without_jumps() {
    const FRAMES: usize = 60;
    let start = Vec3::new(-2.0, 3.0, 0.2);
    let head = tips(&standing())[named(&standing(), "head")].as_vec3();
    let ways: [(&str, &dyn Fn(f32) -> Vec3); 6] = [
        ("hand.R", &|part| start.lerp(Vec3::new(-0.45, 0.5, 1.1), part)),
        ("hand.R", &|part| {
            let (sin, cos) = (part * std::f32::consts::TAU).sin_cos();
            Vec3::new(-0.5 + 0.4 * cos, 0.6, 0.9 + 0.4 * sin)
        }),
        ("hand.R", &|part| start.lerp(Vec3::new(-0.5, 6.2, 0.3), part)),
        ("head", &|part| head + part * Vec3::new(0.0, -2.3, 0.3)),
        ("head", &|part| head + Vec3::new(part - 0.5, -1.6, 0.4)),
        ("head", &|part| head + part * Vec3::new(1.2, -1.4, 0.1)),
    ];
    for (way, (led, at)) in ways.into_iter().enumerate() {
        let mut before: Option<Skeleton> = None;
        for frame in 0..=FRAMES {
            let target = at(frame as f32 / FRAMES as f32).to_array();
            let (skeleton, outcome) = reaching(&[(led, target)], true);
            assert_eq!(outcome.end, End::Reached, "way {way} frame {frame}");
            let off = off_balance(&skeleton);
            assert!(off < 2e-3, "way {way} frame {frame}: {off} off balance");
            assert_no_snap(&skeleton, before.as_ref(), 15.0, &format!("way {way} frame {frame}"));
            before = Some(skeleton);
        }
    }
}

/// Below a squat legs fold no further: the trunk folds onto them, and the body does not rise again.
#[test]
fn who_is_led_further_down_than_legs_fold_does_not_snap() {
    const FRAMES: usize = 60;
    let start = tips(&standing())[named(&standing(), "head")].as_vec3();
    let mut before: Option<Skeleton> = None;
    for frame in 0..=FRAMES {
        let down = 2.3 + 1.3 * frame as f32 / FRAMES as f32;
        let target = start + Vec3::new(0.0, -down, 0.1);
        let (skeleton, outcome) = reaching(&[("head", target.to_array())], true);
        let miss = outcome.tasks.iter().map(|task| task.error);
        assert!(miss.clone().next_back() < Some(0.01), "{down} down: {:?}", outcome.tasks);
        assert!(pose(&skeleton, "shin.L").x > 120.0, "{down} down: knees");
        assert_no_snap(&skeleton, before.as_ref(), 15.0, &format!("{down} down"));
        before = Some(skeleton);
    }
}

/// A head that is led down lowers hips and knees; neither does the back arch nor the neck fold.
#[test]
fn a_head_that_is_led_down_bends_the_knees() {
    let start = tips(&standing())[named(&standing(), "head")].as_vec3();
    for down in [0.3, 0.6, 0.9, 1.3, 1.8, 2.3] {
        for [aside, forward] in [[0.0, 0.0], [0.0, 0.3], [0.0, 0.6], [0.15, 0.4], [0.4, 0.4]] {
            let target = start + Vec3::new(aside, -down, forward);
            let (skeleton, outcome) = reaching(&[("head", target.to_array())], true);
            let at = format!("{down} down, {forward} forwards, {aside} aside");
            assert_eq!(outcome.end, End::Reached, "{at}: {:?}", outcome.tasks);
            let off = off_balance(&skeleton);
            assert!(off < 2e-3, "{at}: {off} off balance");
            let knee = pose(&skeleton, "shin.L").x;
            assert!(knee > 30.0 + 35.0 * down, "{at}: knee {knee}");
            let [spine, neck, head] = ["spine", "neck", "head"].map(|name| pose(&skeleton, name).x);
            assert!(spine > -1.0, "{at}: spine {spine}");
            let [spine2, chest] = ["spine2", "chest"].map(|name| pose(&skeleton, name).x);
            assert!(down > 2.0 || spine2 + chest > -35.0, "{at}: spine2 {spine2}, chest {chest}");
            assert!(neck + head < 20.0, "{at}: neck {neck}, head {head}");
        }
    }
}

/// A squat with the head slightly to one side still faces forwards.
#[test]
fn a_head_that_is_led_aside_in_a_squat_does_not_twist_the_trunk() {
    let start = tips(&standing())[named(&standing(), "head")].as_vec3();
    for down in [1.0, 1.5, 2.0] {
        for aside in [0.0, 0.02, 0.05, 0.1, 0.2, 0.4] {
            let target = start + Vec3::new(aside, -down, 0.1);
            let (skeleton, outcome) = reaching(&[("head", target.to_array())], true);
            let at = format!("{down} down, {aside} aside");
            assert_eq!(outcome.end, End::Reached, "{at}");
            let trunk = ["spine", "spine2", "chest"].map(|name| pose(&skeleton, name));
            let twist: f32 = trunk.iter().map(|angles| angles.y.abs()).sum();
            assert!(twist < 15.0, "{at}: {trunk:?}");
        }
    }
}
