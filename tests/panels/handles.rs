//! IK handles in the panels: name, chain and weight in the properties, the list below the tree.

use super::support::*;
use super::{MESH, mesh};
use egui::Key;
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::rig::skeleton::Handle;

fn desk(tab: Tab) -> Desk {
    let mut desk = Desk::with_part(tab, None);
    desk.edit_scene(|scene| many_bones(scene, 4));
    desk.select(&[Part::Handle(3)]);
    desk
}

fn handle(desk: &mut Desk) -> Handle {
    desk.session().scene().skinned_meshes[MESH].skeleton.handles[3].clone()
}

#[test]
fn the_chain_is_the_limb_the_whole_body_or_a_number() {
    for tab in [Tab::Rig, Tab::Animate] {
        let mut desk = desk(tab);
        assert_eq!(desk.value("Chain").as_deref(), Some("Whole body"));
        assert_eq!(desk.value("Bones").as_deref(), Some("4"));
        desk.click("Chain");
        // In a chain without a fork, all but the root.
        assert_eq!(
            desk.click("Chain: Limb"),
            [Request::Apply(vec![Command::set_handle(mesh(), 3, "chain", Some(3))])]
        );
        assert_eq!(desk.value("Chain").as_deref(), Some("Limb"));
        desk.click("Bones");
        desk.type_text("2");
        desk.key(Key::Enter);
        assert_eq!(handle(&mut desk).chain, Some(2));
        assert_eq!(desk.value("Chain").as_deref(), Some("Number of bones"));
        desk.click("Chain");
        desk.click("Chain: Whole body");
        assert_eq!(handle(&mut desk).chain, None);
    }
}

#[test]
fn a_weight_is_typed_within_its_limits() {
    let mut desk = desk(Tab::Animate);
    assert_eq!(desk.value("Weight").as_deref(), Some("1"));
    for (typed, weight) in [("0.25", 0.25), ("7", 1.0), ("-1", 0.0)] {
        desk.click("Weight");
        desk.type_text(typed);
        desk.key(Key::Enter);
        assert_eq!(handle(&mut desk).weight, weight, "{typed}");
    }
}

/// A drag that adds a handle: before it there were fewer, and both get the typed value all the same.
#[test]
fn handles_that_a_drag_adds_are_set_with_the_others() {
    let mut desk = desk(Tab::Animate);
    desk.session().preview(&[Command::AddHandle { mesh: mesh(), bone: 1 }]).unwrap();
    desk.select(&[Part::Handle(4), Part::Handle(3)]);
    desk.click("Weight");
    desk.type_text("0.25");
    let requests = desk.key(Key::Enter);
    let [Request::Apply(commands)] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!(commands.len(), 2, "{commands:?}");
}

#[test]
fn handles_are_renamed_in_their_rows_and_by_f2() {
    let mut desk = desk(Tab::Animate);
    desk.double_click("Handle IK bone 3");
    desk.frame();
    desk.type_text("Reach");
    desk.key(Key::Enter);
    assert_eq!(handle(&mut desk).name.as_deref(), Some("Reach"));
    assert!(desk.has("Handle Reach") && desk.has("Listed Reach"));
    desk.state_mut().act(Action::RENAME);
    desk.frame();
    desk.type_text("Grasp");
    desk.key(Key::Enter);
    assert_eq!(handle(&mut desk).name.as_deref(), Some("Grasp"));
    // Without a name it is labelled after its bone again.
    desk.double_click("Handle Grasp");
    desk.frame();
    desk.key(Key::Backspace);
    desk.key(Key::Enter);
    assert_eq!(handle(&mut desk).name, None);
    assert!(desk.has("Handle IK bone 3"));
}

#[test]
fn the_list_selects_handles() {
    let mut desk = desk(Tab::Animate);
    desk.click("Listed IK bone 1");
    assert_eq!(desk.session().selection().handle(), Some(1));
}
