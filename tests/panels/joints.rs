//! Limits, stiffness and preferred poses of joints; settings of handles; the root.

use super::support::*;
use super::{MESH, mesh};
use egui::{Key, vec2};
use glam::Vec3;
use ossature::edit::command::Command;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::rig::limits::Limits;
use ossature::rig::skeleton::Skeleton;
use std::sync::Arc;

/// Returns a window tall enough to show everything without scrolling.
fn desk(tab: Tab, parts: &[Part]) -> Desk {
    let mut desk = Desk::sized(vec2(1400.0, 1800.0), tab, None);
    desk.edit_scene(|scene| many_bones(scene, 4));
    desk.select(parts);
    desk.settle();
    desk
}

fn skeleton(desk: &mut Desk) -> Skeleton {
    (*desk.session().scene().skinned_meshes[MESH].skeleton).clone()
}

fn type_into(desk: &mut Desk, label: &str, text: &str) {
    desk.click(label);
    desk.type_text(text);
    desk.key(Key::Enter);
}

#[test]
fn limits_are_switched_on_typed_and_hold() {
    let both = [Part::Bone(1), Part::Bone(2)];
    let mut desk = desk(Tab::Animate, &both);
    desk.click("Joint section");
    desk.settle();
    assert_eq!(desk.toggled("Limit x"), Some(false));
    assert!(!desk.has("Limit x from"));
    desk.click("Limit x");
    for bone in [1, 2] {
        let limits = skeleton(&mut desk).bones[bone].limits_deg;
        assert_eq!(limits, Limits([Some([-45.0, 45.0]), None, None]));
    }
    type_into(&mut desk, "Limit x to", "30");
    // The other end follows.
    type_into(&mut desk, "Limit x from", "40");
    assert_eq!(skeleton(&mut desk).bones[2].limits_deg.0[0], Some([40.0, 40.0]));
    type_into(&mut desk, "Limit x from", "-10");
    assert_eq!(desk.session().history().entries().len(), 4);
    // A typed angle beyond a limit is clamped, with a message, for one bone or several.
    type_into(&mut desk, "Pose x", "90");
    assert_eq!(skeleton(&mut desk).bones[1].pose_deg.x, 40.0);
    assert!(desk.has_containing("At its limit: x 40"));
    desk.select(&[Part::Bone(2)]);
    type_into(&mut desk, "Pose x", "-70");
    assert_eq!(skeleton(&mut desk).bones[2].pose_deg.x, -10.0);
    assert!(desk.has_containing("At its limit: x −10") || desk.has_containing("At its limit: x -10"));
    desk.select(&both);
    desk.click("Limit x");
    assert!(skeleton(&mut desk).bones[1].limits_deg.is_free());
    while desk.session().undo().is_some() {}
    assert!(skeleton(&mut desk).bones[1].limits_deg.is_free());
    assert_eq!(desk.doubled_labels(), Vec::<String>::new());
}

#[test]
fn stiffness_and_a_preferred_pose() {
    let mut desk = desk(Tab::Rig, &[Part::Bone(1)]);
    desk.click("Joint section");
    desk.settle();
    type_into(&mut desk, "Stiffness y", "7");
    assert_eq!(skeleton(&mut desk).bones[1].stiffness, Vec3::Y);
    desk.click("Prefer a pose");
    assert!(skeleton(&mut desk).bones[1].preferred_deg.is_some());
    type_into(&mut desk, "Angles z", "25");
    assert_eq!(skeleton(&mut desk).bones[1].preferred_deg.unwrap().z, 25.0);
    desk.click("Prefer a pose");
    assert_eq!(skeleton(&mut desk).bones[1].preferred_deg, None);
}

#[test]
fn what_a_handle_asks_for_is_switched_on_where_it_is() {
    let mut desk = desk(Tab::Animate, &[Part::Handle(3)]);
    desk.edit_scene(|scene| {
        let body = Arc::make_mut(scene.skinned_meshes.get_mut(MESH).unwrap());
        for bone in &mut Arc::make_mut(&mut body.skeleton).bones {
            bone.extent = Vec3::Y;
        }
    });
    desk.select(&[Part::Handle(0)]);
    assert!(desk.is_disabled("Pole"), "one bone has no joint");
    desk.select(&[Part::Handle(3)]);
    desk.click("Pinned");
    assert!(skeleton(&mut desk).handles[3].pinned);
    desk.click("Keep orientation");
    type_into(&mut desk, "Orientation weight", "0.5");
    assert_eq!(skeleton(&mut desk).handles[3].orientation.unwrap().weight, 0.5);
    desk.click("Pole");
    let pole = skeleton(&mut desk).handles[3].pole.unwrap();
    assert!(pole.weight == 1.0 && pole.point.is_finite());
    type_into(&mut desk, "Point x", "3");
    type_into(&mut desk, "Pole weight", "0.25");
    let pole = skeleton(&mut desk).handles[3].pole.unwrap();
    assert_eq!((pole.point.x, pole.weight), (3.0, 0.25));
    assert_eq!(desk.doubled_labels(), Vec::<String>::new());
    // The pole has the same page as its handle.
    desk.select(&[Part::Pole(3)]);
    assert!(desk.has("Point x") && desk.has_containing("Pole of"));
    desk.click("Pole");
    assert_eq!(skeleton(&mut desk).handles[3].pole, None);
    desk.click("Look-at");
    assert!(skeleton(&mut desk).handles[3].look_at.is_some());
    desk.click("Axis");
    desk.click("Axis: −z");
    assert_eq!(skeleton(&mut desk).handles[3].look_at.unwrap().axis, Vec3::NEG_Z);
    let steps = desk.session().history().entries().len();
    assert_eq!(steps, 9);
    while desk.session().undo().is_some() {}
    let handle = skeleton(&mut desk).handles[3].clone();
    assert!(!handle.pinned && handle.orientation.is_none() && handle.look_at.is_none());
}

#[test]
fn the_root_moves_where_it_is_told_to() {
    let mut desk = desk(Tab::Animate, &[Part::Handle(3)]);
    let handle = 3;
    let enable = Command::set_handle(mesh(), handle, "enabled", true);
    desk.session().apply(&[enable]).unwrap();
    desk.settle();
    desk.click("Free root");
    assert!(skeleton(&mut desk).root_free);
    desk.click("Advanced IK section");
    desk.frame();
    type_into(&mut desk, "Pose prior", "10");
    assert_eq!(skeleton(&mut desk).ik_prior, Skeleton::MAX_PRIOR);
    type_into(&mut desk, "Pose prior", "0");
    assert_eq!(skeleton(&mut desk).ik_prior, 0.0);
    let command = Command::set_skeleton(mesh(), "root_free", false);
    assert_eq!(desk.click("Free root"), [ossature::edit::request::Request::Apply(vec![command])]);
    // Balance is offered only where there are feet to stand on.
    assert!(!desk.has("Balance"));
    let pinned = Command::set_handle(mesh(), handle, "pinned", true);
    for command in [Command::set_skeleton(mesh(), "root_free", true), pinned] {
        desk.session().apply(&[command]).unwrap();
    }
    desk.settle();
    for on in [false, true] {
        desk.click("Balance");
        assert_eq!(skeleton(&mut desk).balance, on);
    }
}
