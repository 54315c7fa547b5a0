//! Blends of poses: between keys, towards them, away from what lies between them, to the bind pose.

use crate::editing::scene;
use glam::{Quat, Vec3};
use ossature::anim::channel::SkeletonChannel;
use ossature::anim::channel::{ChannelRef, Value};
use ossature::anim::mode::Mode;
use ossature::edit::command::Command;
use ossature::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Tab, View, ViewSettings};
use ossature::edit::time::tween::{Tween, TweenKind};
use ossature::rig::property::ORIENTATION;
use ossature::rig::skeleton::{Orientation, Skeleton};
use ossature::scene::Scene;
use ossature::scene::apply_animation::animate;
use ossature::scene::evaluate::Evaluated;
use std::sync::Arc;

/// Two keys of bone 1, whose values no other blend gives exactly.
const KEYS: [Vec3; 2] = [Vec3::new(0.1, -20.3, 7.7), Vec3::new(90.1, 33.3, 0.7)];

fn put(scene: &mut Scene, channel: impl ToString, knots: &[(f32, Value)]) {
    let put = KeyCommand::Put {
        purpose: Purpose::Paste,
        knots: vec![KeyframeValues {
            modes: vec![Mode::Linear.into(); knots.len()],
            channel: ChannelRef::new("Body", channel),
            knots: knots.to_vec(),
        }],
    };
    Command::Keys(put).apply(scene).unwrap();
}

fn session(part: Part, frame: f32) -> Session {
    let mut scene = scene();
    let animation = Arc::make_mut(&mut scene.animation);
    animation.channels.remove("Body");
    let id = scene.skinned_meshes["Body"].skeleton.bones[1].channel_id;
    let knots = [(0.0, Value::Vec3(KEYS[0])), (10.0, Value::Vec3(KEYS[1]))];
    put(&mut scene, format!("bone.{id}.pose"), &knots);
    let mut session = Session::new(scene, None);
    session.select(Selection::from_mesh(session.scene(), "Body").with_part(Some(part)));
    session.set_frame(frame);
    session
}

fn tween(session: &Session, kind: TweenKind) -> Result<Tween, &'static str> {
    let settings = ViewSettings { tab: Tab::Animate, ..ViewSettings::default() };
    Tween::begin(&View { session, settings: &settings, evaluated: &Evaluated::default() }, kind)
}

fn skeleton(session: &Session) -> Skeleton {
    (*session.animated().skinned_meshes["Body"].skeleton).clone()
}

/// The pose of bone 1 after blending.
fn blended(session: &Session, kind: TweenKind, part: f32) -> Vec3 {
    let mut session = session.clone();
    let commands = tween(&session, kind).unwrap().commands(&skeleton(&session), part);
    session.apply(&commands).unwrap();
    skeleton(&session).bones[1].pose_deg
}

#[test]
fn the_ends_are_the_keys_bit_for_bit() {
    let mut session = session(Part::Bone(1), 4.0);
    let (bone, pose_deg) = (1, Vec3::new(5.0, 6.0, 77.0));
    let mesh = "Body".to_owned();
    session.apply(&[Command::set_bone(mesh, bone, "pose", pose_deg)]).unwrap();
    for kind in [TweenKind::Between, TweenKind::Neighbors] {
        let first = if kind == TweenKind::Between { 0.0 } else { -1.0 };
        assert_eq!(blended(&session, kind, first), KEYS[0], "{kind:?}");
        assert_eq!(blended(&session, kind, 1.0), KEYS[1], "{kind:?}");
    }
    let beyond = blended(&session, TweenKind::Between, 1.25);
    assert!(beyond.abs_diff_eq(KEYS[0] + 1.25 * (KEYS[1] - KEYS[0]), 1e-4));
    for kind in [TweenKind::Neighbors, TweenKind::PushRelax, TweenKind::Rest] {
        assert_eq!(blended(&session, kind, 0.0), pose_deg, "{kind:?}");
    }
    assert_eq!(blended(&session, TweenKind::Rest, 1.0), Vec3::ZERO);
    // The values at frame 4 of 0 to 10.
    let middle = KEYS[0] + 0.4 * (KEYS[1] - KEYS[0]);
    let relaxed = blended(&session, TweenKind::PushRelax, -1.0);
    assert!(relaxed.abs_diff_eq(middle, 1e-4), "{relaxed}");
    let pushed = blended(&session, TweenKind::PushRelax, 1.0);
    assert!(pushed.abs_diff_eq(2.0 * pose_deg - middle, 1e-4), "{pushed}");
}

#[test]
fn what_has_no_keys_on_both_sides_is_left_alone() {
    let late = session(Part::Bone(1), 20.0);
    assert!(tween(&late, TweenKind::Between).is_err() && tween(&late, TweenKind::PushRelax).is_err());
    assert!(tween(&late, TweenKind::Rest).is_ok());
    let handle = session(Part::Handle(0), 5.0);
    assert!(tween(&handle, TweenKind::Rest).is_err());
}

/// A foot that rolls: its orientation and the weight of that are keyed, driven and blended.
#[test]
fn orientations_of_handles_are_keyed() {
    let mut session = session(Part::Handle(0), 5.0);
    let mut scene = session.scene().clone();
    let skinned = Arc::make_mut(scene.skinned_meshes.get_mut("Body").unwrap());
    let handle = &mut Arc::make_mut(&mut skinned.skeleton).handles[0];
    handle.orientation = Some(Orientation { rotation: Quat::IDENTITY, weight: 1.0 });
    let id = handle.channel_id;
    let turn = Quat::from_rotation_x(1.0);
    let knots = [(0.0, Value::Quat(Quat::IDENTITY)), (10.0, Value::Quat(turn))];
    put(&mut scene, SkeletonChannel::Handle(id, ORIENTATION), &knots);
    let knots = [(0.0, Value::Float(0.0)), (10.0, Value::Float(1.0))];
    put(&mut scene, format!("handle.{id}.orientation_weight"), &knots);
    let at = |scene: &Scene, frame: f32| {
        animate(scene, frame).skinned_meshes["Body"].skeleton.handles[0].orientation.unwrap()
    };
    for frame in [0.0, 5.0, 10.0] {
        let found = at(&scene, frame);
        assert!((found.weight - frame / 10.0).abs() < 1e-5, "{found:?}");
        assert!((found.rotation.angle_between(Quat::IDENTITY) - frame / 10.0).abs() < 1e-4);
    }
    session = Session::new(scene, None);
    session.select(Selection::from_mesh(session.scene(), "Body").with_part(Some(Part::Handle(0))));
    session.set_frame(5.0);
    let commands = tween(&session, TweenKind::Between).unwrap().commands(&skeleton(&session), 1.0);
    session.apply(&commands).unwrap();
    assert_eq!(skeleton(&session).handles[0].orientation.unwrap().rotation, turn);
}
