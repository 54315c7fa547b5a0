//! Outliner, list of skinned meshes, tree of bones.

use super::MESH;
use super::support::*;
use egui::Key;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::settings::view::Tab;
use ossature::scene::instance::{InstanceKind, InstanceRef};

#[test]
fn outliner_selects_and_hides() {
    let mut desk = Desk::new(Tab::Animate);
    for (kind, name) in all_instances() {
        let instance = InstanceRef { kind, name: name.into() };
        let expected = Selection::from_instance(desk.session().scene(), &instance);
        let label = format!("Instance {name}");
        assert_eq!(desk.click(&label), [Request::Select(expected)], "{label}");
        let hide = format!("Hide {label}");
        if kind == InstanceKind::Camera {
            assert!(!desk.has(&hide));
            continue;
        }
        let set = |visible| [Request::Apply(vec![Command::show(&instance, visible)])];
        assert_eq!(desk.click(&hide), set(false));
        assert_eq!(desk.click(&format!("Show {label}")), set(true));
    }
}

#[test]
fn instances_of_two_kinds_with_one_name_are_told_apart() {
    let mut desk = Desk::new(Tab::Animate);
    desk.edit_scene(|scene| {
        let camera = scene.instances.cameras["Eye"].clone();
        scene.instances.cameras.insert("Lamp".into(), camera);
    });
    assert_eq!(desk.count("Instance Lamp, Camera"), 1);
    assert_eq!(desk.count("Instance Lamp, Light"), 1);
}

#[test]
fn list_of_skinned_meshes_selects() {
    let mut desk = Desk::new(Tab::Rig);
    let expected = Selection::from_mesh(desk.session().scene(), MESH);
    assert_eq!(desk.click("Skinned mesh Body"), [Request::Select(expected)]);
}

#[test]
fn tree_selects_bones_handles_and_base() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    let whole = desk.session().selection().clone();
    for (label, part) in [
        ("Bone Arm", Part::Bone(1)),
        ("Bone bone 2", Part::Bone(2)),
        ("Handle IK Arm", Part::Handle(0)),
        ("Base", Part::Base),
    ] {
        assert_eq!(desk.click(label), [Request::Select(whole.with_part(Some(part)))], "{label}");
    }
}

#[test]
fn tree_folds_and_arrow_keys_walk_it() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    desk.click("Collapse Bone Spine");
    assert!(!desk.has("Bone Arm"));
    desk.click("Expand Bone Spine");
    assert!(desk.has("Bone Arm"));
    desk.click("Base");
    let mut walked = Vec::new();
    for key in [Key::ArrowDown, Key::ArrowDown, Key::ArrowDown, Key::ArrowLeft, Key::ArrowLeft, Key::ArrowUp]
    {
        desk.key(key);
        walked.push(desk.session().selection().part.unwrap());
    }
    let expected =
        [Part::Bone(0), Part::Bone(1), Part::Handle(0), Part::Bone(1), Part::Bone(1), Part::Bone(0)];
    assert_eq!(walked, expected, "the second Left folds the arm");
    // A press elsewhere takes the keyboard focus from the tree.
    desk.click("Rig");
    desk.key(Key::ArrowDown);
    assert_eq!(desk.session().selection().part, Some(Part::Bone(0)));
}

#[test]
fn a_selection_made_elsewhere_unfolds_the_tree() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    desk.click("Collapse Bone Spine");
    let selection = desk.session().selection().with_part(Some(Part::Handle(0)));
    desk.session().select(selection);
    desk.frame();
    assert!(desk.has("Handle IK Arm"));
}

#[test]
fn sections_open_and_close() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    assert!(desk.has("Bone Spine"));
    desk.click("Bones section");
    assert!(!desk.has("Bone Spine"));
    desk.click("Bones section");
    assert!(desk.has("Bone Spine"));
}

#[test]
fn a_name_without_room_is_elided_in_the_middle_and_whole_in_the_tooltip() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    let long = "LeftHandMiddleFingerDistalPhalanx.001.L";
    desk.edit_scene(|scene| {
        let body = std::sync::Arc::make_mut(scene.skinned_meshes.get_mut(MESH).unwrap());
        std::sync::Arc::make_mut(&mut body.skeleton).bones[1].name = Some(long.into());
    });
    let hover = |desk: &mut Desk, label: &str| {
        let at = desk.center(label);
        desk.hover(at);
        desk.frame();
        desk.frame();
    };
    hover(&mut desk, "Bone Spine");
    assert!(!desk.has("Spine"), "a name that is readable needs no tooltip");
    hover(&mut desk, &format!("Bone {long}"));
    assert!(desk.has(long));
    let painted = desk.texts();
    let row = painted.iter().find(|text| text.starts_with("Left") && text.ends_with(".001.L"));
    assert!(row.is_some_and(|text| text.contains('…')), "{painted:?}");
}
