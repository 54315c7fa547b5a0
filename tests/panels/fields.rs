//! Number and text fields, sliders, and their gestures.

use super::support::*;
use super::{MESH, mesh, pose};
use egui::{Key, vec2};
use glam::Vec3;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::scene::property::PropertyValue;

/// Returns every number field: tab, part, label, and the command for a typed 0.25.
fn number_fields() -> Vec<(Tab, Option<Part>, String, Command)> {
    let mut all = Vec::new();
    let axes = ["x", "y", "z"];
    for axis in 0..3 {
        let with = |mut v: Vec3| {
            v[axis] = 0.25;
            v
        };
        let (arm, base) = (arm(), base());
        let letter = axes[axis];
        let mut add =
            |tab, part, name: &str, command| all.push((tab, Some(part), format!("{name} {letter}"), command));
        let extent = Command::MoveTip { mesh: mesh(), bone: 1, extent: with(arm.extent) };
        add(Tab::Rig, Part::Bone(1), "Extent", extent);
        for tab in [Tab::Rig, Tab::Animate] {
            let pose = Command::set_bone(mesh(), 1, "pose", with(arm.pose_deg));
            if tab == Tab::Animate {
                add(tab, Part::Bone(1), "Pose", pose);
            }
            let target = Command::set_handle(mesh(), 0, "target", with(target()));
            add(tab, Part::Handle(0), "Target", target);
        }
        add(Tab::Rig, Part::Base, "Base", Command::set_skeleton(mesh(), "base", with(base)));
        let offset = Command::set_skeleton(mesh(), "base_offset", with(Vec3::ZERO));
        add(Tab::Animate, Part::Base, "Offset", offset);
    }
    let roll = Command::set_bone(mesh(), 1, "roll", 0.25);
    all.push((Tab::Rig, Some(Part::Bone(1)), "Roll".into(), roll));
    let radius = Command::set_bone(mesh(), 1, "radius", 0.25);
    all.push((Tab::Rig, Some(Part::Bone(1)), "Radius".into(), radius));
    all
}

#[test]
fn typing_into_every_number_is_one_step() {
    for (tab, part, label, command) in number_fields() {
        let mut desk = Desk::with_part(tab, part);
        assert_eq!(desk.count(&label), 1, "{label}");
        desk.click(&label);
        desk.type_text("0.25");
        assert_eq!(desk.key(Key::Enter), [Request::Apply(vec![command])], "{label}");
        assert!(!desk.state().panels.side.fields.typing());
    }
}

#[test]
fn dragging_every_number_previews_then_commits_once() {
    for (tab, part, label, _) in number_fields() {
        let mut desk = Desk::with_part(tab, part);
        let steps = desk.session().history().entries().len();
        let requests = desk.drag(&label, vec2(30.0, 0.0));
        let (last, previews) = requests.split_last().expect("a drag makes requests");
        assert_eq!(*last, Request::Commit, "{label}");
        assert!(previews.len() >= 2, "{label}");
        assert!(previews.iter().all(|r| matches!(r, Request::Preview(c) if c.len() == 1)), "{label}");
        assert_eq!(desk.session().history().entries().len(), steps + 1, "{label}");
    }
}

#[test]
fn dragging_every_slider_previews_then_commits_once() {
    for (tab, labels) in
        [(Tab::Rig, &["Roll", "Radius"][..]), (Tab::Animate, &["Pose x", "Pose y", "Pose z"][..])]
    {
        for label in labels {
            let mut desk = Desk::with_part(tab, Some(Part::Bone(0)));
            let requests = desk.drag(&format!("{label} slider"), vec2(-20.0, 0.0));
            assert_eq!(requests.last(), Some(&Request::Commit), "{label}");
            let previews = requests.iter().filter(|r| matches!(r, Request::Preview(_))).count();
            assert!(previews >= 2 && previews + 1 == requests.len(), "{label}: {requests:?}");
        }
    }
}

#[test]
fn escape_and_right_click_give_a_drag_up() {
    for label in ["Pose x", "Pose x slider", "Radius", "Radius slider"] {
        for how in [GiveUp::Escape, GiveUp::RightClick] {
            let tab = if label.starts_with("Pose") { Tab::Animate } else { Tab::Rig };
            let mut desk = Desk::with_part(tab, Some(Part::Bone(1)));
            let before = desk.session().scene().clone();
            let requests = desk.drag_and_give_up(label, vec2(24.0, 0.0), how);
            let cancels = requests.iter().filter(|r| **r == Request::Cancel).count();
            assert_eq!(cancels, 1, "{label} {how:?}: {requests:?}");
            assert!(!requests.contains(&Request::Commit), "{label} {how:?}");
            assert!(*desk.session().scene() == before);
            let after_cancel = requests.iter().skip_while(|r| **r != Request::Cancel).skip(1);
            assert_eq!(after_cancel.count(), 0, "nothing follows: {requests:?}");
            assert!(!desk.state().panels.side.fields.dragging());
        }
    }
}

#[test]
fn a_press_without_motion_is_no_step() {
    for (tab, label) in [(Tab::Animate, "Pose x"), (Tab::Animate, "Pose x slider"), (Tab::Rig, "Extent y")] {
        let mut desk = Desk::with_part(tab, Some(Part::Bone(0)));
        assert_eq!(desk.drag(label, vec2(0.0, 0.0)), [], "{label}");
        desk.key(Key::Escape);
    }
}

#[test]
fn shift_makes_a_drag_ten_times_finer() {
    let last = |requests: &[Request]| match requests.iter().rev().find_map(|r| match r {
        Request::Preview(c) => c[0].part_property(),
        _ => None,
    }) {
        Some((_, _, "pose", PropertyValue::Vec3(pose_deg))) => pose_deg.x,
        other => panic!("{other:?}"),
    };
    let coarse = last(&Desk::with_part(Tab::Animate, Some(Part::Bone(0))).drag("Pose x", vec2(40.0, 0.0)));
    let fine =
        last(&Desk::with_part(Tab::Animate, Some(Part::Bone(0))).shift_drag("Pose x", vec2(40.0, 0.0)));
    assert!((coarse / fine - 10.0).abs() < 0.6, "{coarse} {fine}");
}

#[test]
fn escape_leaves_the_typed_number_and_belongs_to_the_field() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    desk.click("Extent y");
    desk.type_text("7");
    assert!(desk.takes_keys());
    assert_eq!(desk.key(Key::Escape), []);
    assert!(desk.state().esc_was_ours, "Esc ended typing, so it must not deselect too");
    assert!(!desk.takes_keys());
}

#[test]
fn tab_goes_to_the_next_field() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    desk.click("Extent x");
    desk.type_text("3");
    let mut expected = arm().extent;
    expected.x = 3.0;
    let set = |extent| [Request::Apply(vec![Command::MoveTip { mesh: mesh(), bone: 1, extent }])];
    assert_eq!(desk.key(Key::Tab), set(expected));
    desk.type_text("2");
    expected.y = 2.0;
    assert_eq!(desk.key(Key::Tab), set(expected));
    assert!(desk.state().panels.side.fields.typing(), "now in Extent z");
    assert_eq!(desk.key(Key::Enter), [], "left as it was: no step");
}

#[test]
fn a_click_elsewhere_takes_the_typed_number_for_what_it_was_typed_for() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    desk.click("Radius");
    desk.type_text("0.75");
    let requests = desk.click("Bone Spine");
    let radius = Request::Apply(vec![Command::set_bone(mesh(), 1, "radius", 0.75)]);
    assert!(requests.contains(&radius), "{requests:?}");
    assert_eq!(desk.session().selection().part, Some(Part::Bone(0)));
    assert_ne!(desk.session().scene().skinned_meshes[MESH].skeleton.bones[0].radius, 0.75);
}

#[test]
fn text_typed_for_one_bone_never_reaches_another() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    desk.click("Radius");
    desk.type_text("0.75");
    let selection = desk.session().selection().with_part(Some(Part::Bone(0)));
    desk.session().select(selection);
    let set = |bone| Command::set_bone(mesh(), bone, "radius", 0.75);
    assert_eq!(desk.frame(), [Request::Apply(vec![set(1)])]);
    assert_eq!(desk.key(Key::Enter), []);
}

#[test]
fn nonsense_and_the_same_number_are_no_step() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    for text in ["", "abc", "1e99", "inf", "NaN"] {
        desk.click("Radius");
        desk.type_text(text);
        assert_eq!(desk.key(Key::Enter), [], "{text}");
    }
    desk.click("Radius");
    desk.type_text(&arm().radius.to_string());
    assert_eq!(desk.key(Key::Enter), []);
}

#[test]
fn a_radius_is_never_negative_but_angles_go_beyond_the_slider() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    desk.click("Radius");
    desk.type_text("-3");
    let zero = Request::Apply(vec![Command::set_bone(mesh(), 1, "radius", 0.0)]);
    assert_eq!(desk.key(Key::Enter), [zero]);
    desk.click("Animate");
    desk.click("Pose y");
    desk.type_text("540°");
    let mut turned = arm().pose_deg;
    turned.y = 540.0;
    assert_eq!(desk.key(Key::Enter), [pose(1, turned)]);
    // The slider continues from there instead of jumping back to its soft range.
    let requests = desk.drag("Pose y slider", vec2(-9.0, 0.0));
    let Some(Request::Preview(commands)) = requests.first() else { panic!("{requests:?}") };
    let Some((_, _, "pose", PropertyValue::Vec3(pose_deg))) = commands[0].part_property() else { panic!() };
    assert!(pose_deg.y > 400.0, "{pose_deg}");
}

#[test]
fn menus_of_numbers_reset_copy_and_paste() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    let turned = arm().pose_deg;
    desk.right_click("Pose x");
    assert!(desk.is_disabled("Paste"));
    desk.click("Copy");
    assert_eq!(desk.copied().as_deref(), Some("30"));
    desk.right_click("Pose x");
    assert_eq!(desk.click("Reset to 0°"), [pose(1, Vec3::new(0.0, turned.y, turned.z))]);
    desk.right_click("Pose z");
    assert_eq!(desk.click("Paste"), [pose(1, Vec3::new(0.0, turned.y, 30.0))]);
}

#[test]
fn double_click_on_the_knob_resets_and_on_the_rail_does_not() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    let turned = arm().pose_deg;
    let knob = desk.knob("Pose x slider", f64::from(turned.x));
    assert_eq!(desk.double_click_at(knob), [pose(1, Vec3::new(0.0, turned.y, turned.z))]);
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    let rail = desk.knob("Pose x slider", -120.0);
    let requests = desk.double_click_at(rail);
    assert!(!requests.iter().any(|r| matches!(r, Request::Apply(_))), "{requests:?}");
    assert_eq!(requests.last(), Some(&Request::Commit));
}

#[test]
fn a_drag_whose_field_vanishes_still_ends() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    let at = desk.center("Pose x");
    desk.press(at);
    desk.hover(at + vec2(10.0, 0.0));
    desk.hover(at + vec2(20.0, 0.0));
    assert!(desk.session().in_transaction());
    let selection = desk.session().selection().with_part(None);
    desk.session().select(selection);
    let requests = desk.frame();
    assert_eq!(requests.iter().filter(|r| **r == Request::Commit).count(), 1);
    assert_eq!(requests.last(), Some(&Request::Commit));
    assert!(!desk.session().in_transaction());
}

#[test]
fn a_bone_is_renamed() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(2)));
    desk.click("Name");
    desk.type_text("Hand.L");
    let named = Command::SetBoneName { mesh: mesh(), bone: 2, name: "Hand.L".into() };
    assert_eq!(desk.key(Key::Enter), [Request::Apply(vec![named])]);
    assert!(desk.has("Bone Hand.L"));
}
