//! Hands that pull further than arms reach, on pinned feet: the body follows smoothly, and to the right side.

use super::balance::{assert_no_snap, named, off_balance, pose, reaching, standing};
use crate::rig_support::*;
use glam::Vec3;
use ossature::rig::ik::End;
use ossature::rig::skeleton::Skeleton;

/// The number of frames from the hands' rest position to a target.
const FRAMES: usize = 60;

/// Returns the target of a hand at a part of the way; the right one has x < 0.
fn on_the_way(side: &str, target: [f32; 3], part: f32) -> [f32; 3] {
    let start = Vec3::new(1.9, 2.98, 0.07);
    let mut at = start.lerp(Vec3::from(target), part);
    if side == "hand.R" {
        at.x = -at.x;
    }
    at.to_array()
}

/// With both hands or the right one: to the floor, either side, in front, far forwards, behind the hips, up.
#[test]
fn bodies_follow_hands_without_jumps() {
    let both = &["hand.L", "hand.R"][..];
    let ways: [(&[&str], [f32; 3]); 15] = [
        (both, [0.4, 0.3, 1.1]),
        (both, [1.2, 0.6, 0.3]),
        (both, [1.0, 1.0, 0.07]),
        (both, [0.5, 1.5, 1.5]),
        (both, [0.5, 0.4, 1.3]),
        (both, [0.99, 2.27, -0.58]),
        (both, [0.6, 6.2, 0.2]),
        (&both[1..], [1.2, 0.6, 0.3]),
        (&both[1..], [0.4, 0.3, 1.1]),
        (&both[1..], [1.0, 1.0, 0.07]),
        (&both[1..], [-0.4, 0.4, 0.4]),
        (&both[1..], [1.17, 1.52, -0.58]),
        (&both[1..], [3.2, 3.0, 0.1]),
        (&both[1..], [0.4, 3.4, 2.8]),
        (&both[1..], [0.6, 6.2, 0.2]),
    ];
    for (hands, target) in ways {
        let mut before: Option<Skeleton> = None;
        for frame in 0..=FRAMES {
            let part = frame as f32 / FRAMES as f32;
            let at = |hand: &&'static str| (*hand, on_the_way(hand, target, part));
            let targets: Vec<_> = hands.iter().map(at).collect();
            let (skeleton, outcome) = reaching(&targets, true);
            let at = format!("{hands:?} to {target:?}, frame {frame}");
            assert_eq!(outcome.end, End::Reached, "{at}");
            let off = off_balance(&skeleton);
            assert!(off < 2e-3, "{at}: {off} off balance");
            assert_no_snap(&skeleton, before.as_ref(), 10.0, &at);
            before = Some(skeleton);
        }
    }
}

/// A small pull where an arm first is too short is a small change, without a snap from back to front.
#[test]
fn the_first_pull_beyond_an_arm_is_smooth() {
    for target in [[0.4, 0.3, 1.1], [1.2, 0.6, 0.3]] {
        let mut before: Option<Skeleton> = None;
        for frame in 0..=120 {
            let part = 0.05 + 0.1 * frame as f32 / 120.0;
            let targets = ["hand.L", "hand.R"].map(|hand| (hand, on_the_way(hand, target, part)));
            let (skeleton, _) = reaching(&targets, true);
            let at = format!("to {target:?}, frame {frame}");
            assert_no_snap(&skeleton, before.as_ref(), 3.0, &at);
            before = Some(skeleton);
        }
    }
}

/// Raising both hands keeps the body upright, without a bow and turned-back arms, with balance or without.
#[test]
fn who_raises_both_hands_does_not_bow() {
    for height in [5.0, 5.5, 6.0, 6.2] {
        for balance in [true, false] {
            let (skeleton, outcome) =
                reaching(&[("hand.L", [0.6, height, 0.2]), ("hand.R", [-0.6, height, 0.2])], balance);
            let at = format!("{height} up, balance {balance}");
            assert_eq!(outcome.end, End::Reached, "{at}");
            let back: f32 = ["spine", "spine2", "chest"].map(|name| pose(&skeleton, name).x).iter().sum();
            assert!(back < 10.0, "{at}: the back bends by {back}");
            let elbow = pose(&skeleton, "forearm.L").x;
            assert!(elbow > 0.0, "{at}: elbow {elbow}");
        }
    }
}

/// Reaching for the floor bends hips, back and knees, none of them alone.
#[test]
fn who_reaches_down_bends_hips_back_and_knees() {
    let stands = tips(&standing())[named(&standing(), "head")];
    for hands in [
        &[("hand.R", [-0.45, 0.5, 1.1])][..],
        &[("hand.R", [-0.3, 0.3, 0.7])],
        &[("hand.R", [-0.45, 0.3, 0.9]), ("hand.L", [0.45, 0.3, 0.9])],
    ] {
        let (skeleton, _) = reaching(hands, true);
        let hips = pose(&skeleton, "pelvis").x - pose(&skeleton, "thigh.R").x;
        let knee = pose(&skeleton, "shin.R").x;
        let back: f32 = ["spine", "spine2", "chest"].map(|name| pose(&skeleton, name).x).iter().sum();
        assert!(hips > 40.0, "{hands:?}: hips {hips}");
        assert!(knee > 25.0, "{hands:?}: knee {knee}");
        assert!((20.0..80.0).contains(&back), "{hands:?}: back {back}");
        let head = tips(&skeleton)[named(&skeleton, "head")];
        assert!(head.y < stands.y - 0.8 && head.z > 0.5, "{hands:?}: head {head}");
    }
}
