//! Cycles completed from their first half: the second is its mirror image, and the end is the start.

use crate::editing::keys::channel;
use crate::editing::walker::walker;
use crate::editing::{faults, scene};
use glam::{DVec3, Vec3};
use ossature::anim::channel::{Channel, Value};
use ossature::anim::spline::Spline;
use ossature::edit::command::Command;
use ossature::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use ossature::edit::session::Session;
use ossature::edit::time::cycle::{CycleError, Halves};
use ossature::rig::kinematics::{current_pose, tips};
use ossature::scene::Scene;
use ossature::scene::apply_animation::animate;
use std::sync::Arc;

const RANGE: [u32; 2] = [0, 23];

fn completed(scene: &Scene) -> Scene {
    let mut session = Session::new(scene.clone(), None);
    let cycle = Halves::new(scene, "Body", RANGE).unwrap_or_else(|error| panic!("{error:?}")).complete();
    assert_eq!(cycle.left_out, []);
    session.apply(&cycle.commands).unwrap();
    assert!(session.undo_label().unwrap().starts_with("Complete the cycle of Body"));
    let after = session.scene().clone();
    session.undo();
    assert!(session.scene().is_shared(scene));
    assert_eq!(faults(&after), Vec::<String>::new());
    after
}

/// The tails of the bones at a frame.
fn points(scene: &Scene, frame: f32) -> Vec<DVec3> {
    let scene = animate(scene, frame);
    let skeleton = &scene.skinned_meshes["Body"].skeleton;
    tips(skeleton, &current_pose(skeleton))
}

/// The other side of each bone.
const OTHERS: [usize; 5] = [0, 2, 1, 4, 3];

fn check_mirrored(scene: &Scene, frame: f32, way: DVec3) {
    let (first, second) = (points(scene, frame), points(scene, frame + 12.0));
    for (bone, other) in OTHERS.into_iter().enumerate() {
        let image = first[bone] * DVec3::new(-1.0, 1.0, 1.0) + way;
        let difference = second[other].distance(image);
        assert!(difference < 2e-5, "frame {frame}, bone {bone}: {difference}");
    }
}

#[test]
fn the_second_half_is_the_mirror_image_of_the_first_and_ends_as_it_began() {
    let before = walker();
    let after = completed(&before);
    for frame in [0.0, 6.0] {
        check_mirrored(&after, frame, DVec3::ZERO);
        assert_eq!(points(&after, frame), points(&before, frame), "frame {frame} is as it was");
    }
    let at = |frame: f32| animate(&after, frame).skinned_meshes["Body"].skeleton.clone();
    let (first, last) = (at(0.0), at(24.0));
    assert_eq!(first.base_offset, last.base_offset);
    for (first, last) in first.bones.iter().zip(&last.bones) {
        assert_eq!(first.pose_deg, last.pose_deg);
    }
    let times = |name: &str| after.animation.get(&channel("Body", name)).unwrap().times();
    assert_eq!(times("bone.1.pose"), [0.0, 6.0, 12.0, 18.0, 24.0]);
    assert_eq!(times("base_offset"), times("bone.1.pose"));
    assert_eq!(after.animation.takes, before.animation.takes);
    let seam = after.animation.seam(RANGE).unwrap();
    assert!(seam.turn.unwrap().size < 1e-3, "{seam}");
}

/// A side without keys gets those of the other one, and that one gets what it is in the first half.
#[test]
fn one_side_is_enough() {
    let mut before = walker();
    let animation = Arc::make_mut(&mut before.animation);
    animation.channels.get_mut("Body").unwrap().remove("bone.4.pose");
    let after = completed(&before);
    let times = |name: &str| after.animation.get(&channel("Body", name)).unwrap().times();
    assert_eq!(times("bone.4.pose"), [0.0, 12.0, 18.0, 24.0]);
    assert_eq!(times("bone.3.pose"), [0.0, 6.0, 12.0, 24.0]);
    check_mirrored(&after, 0.0, DVec3::ZERO);
    assert_eq!(points(&after, 24.0), points(&after, 0.0));
}

#[test]
fn keys_in_the_second_half_are_replaced() {
    let mut before = walker();
    let put = |frame: f32| KeyframeValues {
        channel: channel("Body", "bone.1.pose"),
        knots: vec![(frame, Value::Vec3(Vec3::splat(70.0)))],
        modes: Vec::new(),
    };
    for frame in [12.0, 15.0, 21.5, 24.0, 30.0] {
        let (purpose, knots) = (Purpose::Paste, vec![put(frame)]);
        Command::Keys(KeyCommand::Put { purpose, knots }).apply(&mut before).unwrap();
    }
    let after = completed(&before);
    let times = after.animation.get(&channel("Body", "bone.1.pose")).unwrap().times();
    assert_eq!(times, [0.0, 6.0, 12.0, 18.0, 24.0, 30.0]);
    check_mirrored(&after, 0.0, DVec3::ZERO);
    check_mirrored(&after, 6.0, DVec3::ZERO);
}

#[test]
fn a_body_that_travels_goes_on_as_far_as_in_the_first_half() {
    let mut before = walker();
    let knots = [(0.0, [0.1, 0.0, 1.0]), (6.0, [0.0, 0.1, 1.25]), (12.0, [-0.2, 0.3, 2.0])];
    let knots = knots.map(|(time, v)| (time, Vec3::from(v))).to_vec();
    let animation = Arc::make_mut(&mut before.animation);
    let channels = animation.channels.get_mut("Body").unwrap();
    channels.insert("base_offset".into(), Arc::new(Channel::Vec3(Spline::from_knots(knots))));
    let after = completed(&before);
    check_mirrored(&after, 0.0, DVec3::Z);
    check_mirrored(&after, 6.0, DVec3::Z);
    let [first, last] = [0.0, 24.0].map(|frame| points(&after, frame));
    for (first, last) in first.iter().zip(&last) {
        assert!((*last - *first - DVec3::Z * 2.0).length() < 1e-5, "{first} {last}");
    }
}

#[test]
fn the_cycle_ends_with_its_last_frame_or_the_one_after_it() {
    let scene = walker();
    let ends = |range| Halves::new(&scene, "Body", range).map(|halves| [halves.middle, halves.end]).ok();
    assert_eq!(ends([0, 23]), Some([12.0, 24.0]));
    assert_eq!(ends([0, 24]), Some([12.0, 24.0]));
    // The keys at 6 close a loop of 6 frames.
    assert_eq!(ends([0, 5]), Some([3.0, 6.0]));
}

#[test]
fn what_has_no_two_halves_is_refused() {
    let refused = |scene: &Scene, mesh: &str, range| Halves::new(scene, mesh, range).err();
    assert_eq!(refused(&walker(), "Nobody", RANGE), Some(CycleError::NoMesh));
    assert_eq!(refused(&walker(), "Body", [30, 40]), Some(CycleError::NoKeys));
    assert_eq!(refused(&walker(), "Body", [3, 3]), Some(CycleError::TooShort));
    let error = refused(&scene(), "Body", [0, 10]).unwrap();
    assert!(matches!(error, CycleError::NoSides(_)) && error.sentence().ends_with('.'), "{error:?}");
}
