//! The buttons of the Bone menu on the page of a bone, and the dialogs of some of them.

use super::mesh;
use super::support::*;
use egui::Key;
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::settings::view::Tab;
use ossature::math::axis::Axis;
use ossature::rig::edits::roll::RollTo;

fn desk() -> Desk {
    Desk::with_part(Tab::Rig, Some(Part::Bone(1)))
}

fn apply(command: Command) -> Request {
    Request::Apply(vec![command])
}

#[test]
fn each_button_asks_for_its_action_or_says_why_not() {
    for action in [
        Action::MIRROR,
        Action::DUPLICATE,
        Action::SPLIT_BONES,
        Action::MERGE_BONES,
        Action::ALIGN_ROLL,
        Action::ALIGN_ROLL_TO_AXIS,
        Action::FIT_RADIUS,
        Action::SCALE_RADIUS,
    ] {
        let mut desk = desk();
        let text = action.text;
        match desk.with_view(|view| action.enabled(view)) {
            Ok(()) => assert_eq!(desk.click(text), [Request::Act(action)]),
            Err(why) => {
                assert!(desk.is_disabled(text), "{text}");
                assert_eq!(desk.description(text).as_deref(), Some(&*why));
            }
        }
    }
}

#[test]
fn split_asks_for_the_number_and_takes_it_with_enter() {
    let mut desk = desk();
    desk.click("Split…");
    assert!(desk.state().panels.is_modal() && desk.has("Split bone"));
    desk.frame();
    // Typing replaces the number.
    desk.event(egui::Event::Text("5".into()));
    let split =
        |bones: &[usize], pieces| apply(Command::SplitBones { mesh: mesh(), bones: bones.to_vec(), pieces });
    assert_eq!(desk.key(Key::Enter), [split(&[1], 5)]);
    assert!(!desk.state().panels.is_modal());
    assert_eq!(desk.session().undo_list().count(), 1);
    desk.session().undo();

    // The dialog remembers the number; now for two bones, with the button.
    let parts =
        Selection::from_mesh(desk.session().scene(), "Body").with_parts([Part::Bone(1), Part::Bone(0)]);
    desk.session().select(parts);
    desk.frame();
    desk.click("Bone");
    desk.click("Bone > Split…");
    assert!(desk.has("Split 2 bones"));
    assert_eq!(desk.click("Split"), [split(&[0, 1], 5)]);
}

#[test]
fn a_number_that_is_out_of_range_is_brought_into_it() {
    let mut desk = desk();
    desk.click("Split…");
    desk.frame();
    desk.type_text("1000");
    let pieces = 64;
    let split = apply(Command::SplitBones { mesh: mesh(), bones: vec![1], pieces });
    assert_eq!(desk.key(Key::Enter), [split]);
}

#[test]
fn dialogs_are_left_without_doing_anything() {
    for text in ["Split…", "Scale radius…", "Align roll to axis…"] {
        let mut desk = desk();
        desk.click(text);
        assert!(desk.state().panels.is_modal(), "{text}");
        assert_eq!(desk.click("Cancel"), []);
        assert!(!desk.state().panels.is_modal(), "{text}");
        desk.click(text);
        desk.frame();
        desk.key(Key::Escape);
        desk.key(Key::Escape);
        assert!(!desk.state().panels.is_modal(), "{text}: Esc");
        assert_eq!(desk.session().undo_list().count(), 0);
        assert!(desk.doubled_labels().is_empty(), "{:?}", desk.doubled_labels());
    }
}

#[test]
fn radii_are_scaled_and_rolls_aligned_as_chosen() {
    let mut desk = desk();
    desk.click("Scale radius…");
    desk.frame();
    desk.event(egui::Event::Text("0.5".into()));
    let scale = apply(Command::ScaleRadius { mesh: mesh(), bones: vec![1], factor: 0.5 });
    assert_eq!(desk.key(Key::Enter), [scale]);
    desk.click("Align roll to axis…");
    desk.click("Own x");
    desk.click("Along y");
    let align = apply(Command::AlignRoll { mesh: mesh(), bones: vec![1], to: RollTo::X(Axis::Y) });
    assert_eq!(desk.click("Align"), [align]);
}

#[test]
fn without_a_selected_bone_radii_of_all_are_meant() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    desk.click("Bone");
    desk.click("Bone > Scale radius…");
    let bones = desk.session().scene().skinned_meshes["Body"].skeleton.bones.len();
    assert!(desk.has(&format!("Scale radius of {bones} bones")));
}
