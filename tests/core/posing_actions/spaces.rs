//! Handles in the space of bones: putting one there moves nothing, at no key; then its goals go with that bone.

use super::{Desk, farthest};
use glam::{DVec3, Vec3};
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::pose::spaces::{possible_spaces, set_space};
use ossature::edit::settings::view::Tab;
use ossature::rig::kinematics::current_pose;
use ossature::scene::spaces::Space;

/// The left hand is pulled to a point beside the pelvis, from one key to another.
fn desk() -> Desk {
    let mut desk = Desk::new(Tab::Animate);
    desk.select_bone("hand.L");
    desk.act(Action::ADD_LIMB_IK);
    for (frame, target) in [(0.0, Vec3::new(0.7, 1.9, 0.4)), (12.0, Vec3::new(0.5, 2.1, 0.6))] {
        desk.session.set_frame(frame);
        desk.evaluate();
        desk.apply(vec![Command::set_handle(desk.mesh.clone(), 0, "target", target)]);
        desk.carry_out(ossature::edit::request::Request::Act(Action::INSERT_CHARACTER_KEYS));
    }
    desk
}

fn put(desk: &mut Desk, bone: Option<&str>) {
    let bone = bone.map(|name| desk.stored().bones[desk.bone(name)].channel_id);
    let commands = set_space(&desk.view(), &desk.mesh, 0, &Space { instance: None, bone });
    desk.apply(commands);
}

fn at(desk: &mut Desk, frame: f32) -> Vec<DVec3> {
    desk.session.set_frame(frame);
    desk.evaluate();
    desk.tips()
}

#[test]
fn a_change_of_space_moves_nothing_at_any_key() {
    let mut desk = desk();
    let pelvis = desk.bone("pelvis");
    let lean = |y| Vec3::new(20.0, y, 0.0);
    for (frame, y) in [(0.0, 15.0), (12.0, -30.0)] {
        desk.session.set_frame(frame);
        desk.evaluate();
        desk.apply(vec![Command::set_bone(desk.mesh.clone(), pelvis, "pose", lean(y))]);
        desk.carry_out(ossature::edit::request::Request::Act(Action::INSERT_CHARACTER_KEYS));
    }
    let before = [0.0, 12.0].map(|frame| at(&mut desk, frame));
    let stored = [0.0, 12.0].map(|frame| {
        at(&mut desk, frame);
        desk.handle(0).target
    });
    put(&mut desk, Some("pelvis"));
    for (frame, before, stored) in [(0.0, &before[0], stored[0]), (12.0, &before[1], stored[1])] {
        assert!(farthest(&at(&mut desk, frame), before) < 2e-3, "{frame}");
        assert!(desk.handle(0).target.distance(stored) > 0.05, "it is stored in the space of the pelvis");
        let seen = desk.evaluated.skinned[&desk.mesh].skeleton.handles[0].target;
        assert!(seen.distance(stored) < 1e-3, "and shown where it is: {seen} {stored}");
    }
    put(&mut desk, None);
    for (frame, stored) in [(0.0, stored[0]), (12.0, stored[1])] {
        at(&mut desk, frame);
        assert!(desk.handle(0).target.distance(stored) < 1e-3 && desk.handle(0).space.is_none());
    }
}

/// A hand on the hip: the hips move and turn, and it stays on them.
#[test]
fn a_hand_in_the_space_of_the_pelvis_stays_on_it() {
    let mut desk = desk();
    put(&mut desk, Some("pelvis"));
    let [hand, pelvis] = ["hand.L", "pelvis"].map(|bone| desk.bone(bone));
    let on_pelvis = |desk: &Desk| {
        let pose = current_pose(&desk.evaluated.skinned[&desk.mesh].skeleton);
        pose[pelvis].inverse().transform_point3(desk.tips()[hand])
    };
    at(&mut desk, 12.0);
    let before = on_pelvis(&desk);
    let moved = desk.tips()[hand];
    let set = Command::set_skeleton(desk.mesh.clone(), "base_offset", Vec3::new(0.3, -0.2, 0.5));
    let turn = Command::set_bone(desk.mesh.clone(), pelvis, "pose", Vec3::new(10.0, 25.0, -5.0));
    desk.apply(vec![set, turn]);
    assert!(desk.tips()[hand].distance(moved) > 0.3);
    assert!(on_pelvis(&desk).distance(before) < 2e-3, "{} {before}", on_pelvis(&desk));
}

#[test]
fn a_handle_is_not_in_the_space_of_what_follows_it() {
    let desk = desk();
    let possible = possible_spaces(desk.session.scene(), &desk.mesh, 0);
    let space = |bone| Space { instance: None, bone: Some(desk.stored().bones[desk.bone(bone)].channel_id) };
    let [hand, other, pelvis] = ["hand.L", "hand.R", "pelvis"].map(space);
    assert!(!possible.contains(&hand) && possible.contains(&other) && possible.contains(&pelvis));
}
