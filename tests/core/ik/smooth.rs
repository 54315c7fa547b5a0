//! The motion of a dragged hand: each frame starts from the stored pose, and neighbouring frames are similar.

#![allow(clippy::print_stdout, reason = "figures are told with --nocapture")]

use crate::measure::sweep_lines::{GIRAFFE_HEIGHT, HUMAN_HEIGHT, giraffe_lines, human_lines, random_lines};
use crate::measure::sweeps::sweep;
use crate::rig_support::{handle, tips};
use glam::Vec3;
use ossature::io::js3d;
use ossature::rig::body::limb::limb;
use ossature::rig::ik::{self, End, Options};
use ossature::rig::skeleton::Skeleton;
use std::path::Path;

const FRAMES: usize = 240;

/// Returns the largest change of an angle between two frames, and how many frames were reached, while the
/// target of the left hand circles `middle` at a distance.
fn circling(human: &Skeleton, chain: Option<u32>, middle: Vec3, distance: f32, tilt: f32) -> (f32, usize) {
    let bone = (0..human.bones.len()).find(|&b| human.bone_name(b) == "hand.L").unwrap();
    let chain = chain.map(|_| limb(human, bone));
    let (mut before, mut jump, mut reached) = (None::<Vec<Vec3>>, 0.0f32, 0);
    for frame in 0..=FRAMES {
        let (sin, cos) = (frame as f32 / FRAMES as f32 * std::f32::consts::TAU).sin_cos();
        let around = Vec3::new(cos, sin * tilt.cos(), sin * tilt.sin());
        let mut skeleton = human.clone();
        skeleton.handles = vec![handle(bone, middle + distance * around)];
        skeleton.handles[0].chain = chain;
        reached += usize::from(ik::solve(&mut skeleton, &Options::default()).end == End::Reached);
        let pose: Vec<Vec3> = skeleton.bones.iter().map(|bone| bone.pose_deg).collect();
        for (now, before) in pose.iter().zip(before.iter().flatten()) {
            jump = jump.max((*now - *before).abs().max_element());
        }
        before = Some(pose);
    }
    (jump, reached)
}

#[test]
fn neighbouring_frames_of_a_drag_are_alike() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human.js3d");
    let scene = js3d::read_file(&path).unwrap().0;
    let human = &*scene.skinned_meshes["Human_skinned_mesh"].skeleton;
    let hand = tips(human)[9].as_vec3();
    for (chain, most) in [(Some(0), 25.0), (None, 25.0)] {
        // Circles around the hand, over half of it out of the arm's reach, and in front of the chest.
        for (middle, distance) in [(hand, 0.8), (Vec3::new(1.2, 4.2, 1.0), 0.7)] {
            for tilt in [0.0, 0.8, 1.57] {
                let (jump, reached) = circling(human, chain, middle, distance, tilt);
                println!(
                    "chain {chain:?}, {middle} {distance} {tilt}: {jump:.1} degrees a frame, {reached} reached"
                );
                assert!(jump < most, "{chain:?} {middle} {distance} {tilt}: {jump}");
            }
        }
    }
}

/// Lines of handles on which a body in balance jumped by 10° to 33°, and a leg that folds no farther by 105°.
#[test]
fn led_bodies_and_legs_do_not_jump() {
    let random = [(3, 26), (5, 7)].into_iter().flat_map(|(seed, rounds)| random_lines(seed, rounds));
    let human = human_lines().into_iter().chain(random).map(|line| (line, HUMAN_HEIGHT));
    let giraffe = giraffe_lines().into_iter().map(|line| (line, GIRAFFE_HEIGHT));
    let names = [
        "body: both hands apart",
        "body: pelvis down, hand.L stays",
        "body: foot.L cross",
        "random hand.L 25, seed 3",
        "random hand.L 6, seed 5",
        "giraffe: pelvis down",
        "giraffe, limb only: toe.R up",
    ];
    let mut led = 0;
    for (line, height) in human.chain(giraffe).filter(|(line, _)| names.contains(&line.name.as_str())) {
        let swept = sweep(&line, height);
        assert!(swept.jump_deg == 0.0, "{swept:?}");
        led += 1;
    }
    assert_eq!(led, names.len());
}
