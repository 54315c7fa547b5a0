//! Buttons and switches of the properties.

use super::mesh;
use super::support::*;
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::scene::Scene;

#[test]
fn buttons_ask_for_their_actions() {
    let rig = [Action::ADD_IK, Action::NEW_BONE, Action::DELETE, Action::CALCULATE_WEIGHTS];
    for action in rig {
        let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
        assert_eq!(desk.click(action.text), [Request::Act(action)]);
    }
    for action in [Action::RESET_BONE_POSE, Action::RESET_POSE, Action::TOGGLE_SOLVE_IK, Action::ADD_IK] {
        let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
        assert_eq!(desk.click(action.text), [Request::Act(action)]);
    }
    for tab in [Tab::Rig, Tab::Animate] {
        let mut desk = Desk::with_part(tab, Some(Part::Handle(0)));
        assert_eq!(desk.click("Delete"), [Request::Act(Action::DELETE)]);
    }
}

#[test]
fn an_empty_scene_offers_a_beginning() {
    for tab in [Tab::Rig, Tab::Animate] {
        for action in [Action::IMPORT, Action::IMPORT_GLTF, Action::OPEN] {
            let mut desk = Desk::new(tab);
            desk.edit_scene(|scene| *scene = Scene::default());
            assert_eq!(desk.click(action.text), [Request::Act(action)]);
        }
    }
}

#[test]
fn disabled_buttons_say_why() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(0)));
    assert_eq!(desk.click("Reset bone pose"), []);
    assert!(desk.is_disabled("Reset bone pose"));
    assert_eq!(desk.description("Reset bone pose").as_deref(), Some("The bone is already in its bind pose."));
}

#[test]
fn weights_line_counts() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    assert!(desk.has("No vertex has weights yet"));
    desk.edit_scene(|scene| add_weights(scene, 3));
    assert!(desk.has("3 of 8 vertices have weights"));
    desk.edit_scene(|scene| add_weights(scene, 8));
    assert!(desk.has("All 8 vertices have weights"));
}

#[test]
fn enable_sets_the_handle() {
    for tab in [Tab::Rig, Tab::Animate] {
        let mut desk = Desk::with_part(tab, Some(Part::Handle(0)));
        let set = |enabled| [Request::Apply(vec![Command::set_handle(mesh(), 0, "enabled", enabled)])];
        assert_eq!(desk.click("Enable"), set(true));
        assert_eq!(desk.click("Enable"), set(false));
    }
}
