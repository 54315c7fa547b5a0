//! IK handles in the panels: name, chain and weight in the properties, the list below the tree.

use super::support::*;
use super::{MESH, mesh};
use egui::Key;
use glam::{Quat, Vec3};
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::rig::skeleton::{Handle, Orientation};
use ossature::scene::instance::GeometryInstance;
use ossature::scene::resource::Transform;
use std::sync::Arc;

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

/// The orientation is typed in degrees, for one handle or several, and the weight stays.
#[test]
fn an_orientation_is_typed_in_degrees() {
    let mut desk = desk(Tab::Animate);
    let weight = 0.5;
    let flat = Some(Orientation { rotation: Quat::IDENTITY, weight });
    let set = |handle| Command::set_handle(mesh(), handle, "orientation", flat);
    desk.session().apply(&[set(2), set(3)]).unwrap();
    desk.select(&[Part::Handle(3), Part::Handle(2)]);
    desk.settle();
    assert_eq!(desk.value("Rotation y").as_deref(), Some("0°"));
    desk.click("Rotation y");
    desk.type_text("90");
    desk.key(Key::Enter);
    let handles = desk.session().animated().skinned_meshes[MESH].skeleton.handles.clone();
    for handle in [2, 3] {
        let Orientation { rotation, weight } = handles[handle].orientation.unwrap();
        assert!((rotation * Vec3::Z).abs_diff_eq(Vec3::X, 1e-6) && weight == 0.5, "{rotation}");
    }
    desk.frame();
    assert_eq!(desk.value("Rotation y").as_deref(), Some("90°"));
    assert!(desk.has("Target x") && desk.has("Orientation weight"));
}

/// A long list is filtered by what is typed as soon as it opens; Enter takes the first line.
#[test]
fn a_long_list_of_spaces_is_filtered() {
    let mut desk = desk(Tab::Animate);
    desk.click("Space");
    assert!(desk.has("Space: bone 2") && !desk.has("Filter Space"), "a short list");
    desk.key(Key::Escape);
    desk.edit_scene(|scene| many_bones(scene, 40));
    desk.select(&[Part::Handle(39)]);
    let stored = |desk: &mut Desk| desk.session().scene().skinned_meshes[MESH].skeleton.handles[39].space;
    desk.click("Space");
    desk.type_text("BONE 17");
    assert!(desk.has("Space: bone 17") && !desk.has("Space: bone 18") && !desk.has("Space: Mesh"));
    // A click in the field leaves the list open.
    desk.click("Filter Space");
    assert!(desk.has("Space: bone 17"));
    desk.click("Space: bone 17");
    assert_eq!(stored(&mut desk), Some(17));
    assert!(!desk.has("Filter Space"), "it has closed");
    desk.click("Space");
    assert!(desk.has("Space: Mesh") && desk.has("Space: bone 18"), "the filter is empty again");
    desk.type_text("no such bone");
    assert!(desk.has("Nothing found"));
    desk.type_text("bone 23");
    desk.key(Key::Enter);
    assert_eq!(stored(&mut desk), Some(23));
    assert!(!desk.has("Filter Space"));
}

/// A handle goes to the space of a bone and back; the fields show its values in that space.
#[test]
fn the_space_is_the_mesh_or_a_bone_that_does_not_follow_the_handle() {
    let mut desk = desk(Tab::Animate);
    desk.edit_scene(|scene| {
        let mesh = Arc::make_mut(scene.skinned_meshes.get_mut(MESH).unwrap());
        let skeleton = Arc::make_mut(&mut mesh.skeleton);
        skeleton.base_offset = Vec3::Y;
        skeleton.handles.iter_mut().for_each(|handle| handle.enabled = false);
    });
    assert_eq!(desk.value("Space").as_deref(), Some("Mesh"));
    desk.click("Space");
    assert!(desk.has("Space: bone 2") && !desk.has("Space: bone 3"), "{:?}", desk.controls());
    desk.click("Space: bone 1");
    let stored = handle(&mut desk);
    assert_eq!((stored.space, stored.target), (Some(1), Vec3::NEG_Y));
    assert_eq!(desk.value("Space").as_deref(), Some("bone 1"));
    assert_eq!(desk.value("Target y").as_deref(), Some("-1"));
    desk.click("Space");
    desk.click("Space: Mesh");
    let stored = handle(&mut desk);
    assert_eq!((stored.space, stored.target), (None, Vec3::ZERO));
}

/// A handle goes to the space of an instance, which is listed under a heading of its own.
#[test]
fn the_space_may_be_another_instance() {
    let mut desk = desk(Tab::Animate);
    desk.edit_scene(|scene| {
        let place = Transform { translation: Vec3::Y, ..Transform::default() };
        scene.transforms.insert("Box place".into(), Arc::new(place));
        let instance = GeometryInstance { transform: Some("Box place".into()), ..Default::default() };
        scene.instances.meshes.insert("Box".into(), Arc::new(instance));
    });
    desk.click("Space");
    assert!(desk.has("Space: Box"), "{:?}", desk.controls());
    desk.click("Space: Box");
    assert_eq!(handle(&mut desk).space_instance.as_deref(), Some("Box"));
    assert_eq!(desk.value("Space").as_deref(), Some("Box"));
    desk.click("Space");
    desk.click("Space: Mesh");
    assert_eq!(handle(&mut desk).space_instance, None);
}
