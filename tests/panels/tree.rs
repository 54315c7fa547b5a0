//! The tree of bones: several rows, the search, names typed in place, rows dragged onto others.

use super::support::*;
use super::{MESH, mesh};
use egui::{Key, Modifiers, PointerButton};
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;

fn parts(desk: &mut Desk) -> Vec<Part> {
    desk.session().selection().parts().collect()
}

fn parents(desk: &mut Desk) -> Vec<(String, Option<String>)> {
    let skeleton = desk.session().scene().skinned_meshes[MESH].skeleton.clone();
    let name = |bone: usize| skeleton.bone_name(bone);
    let mut all: Vec<_> = (0..skeleton.bones.len())
        .map(|b| (name(b), skeleton.bones[b].parent.map(|p| name(p as usize))))
        .collect();
    all.sort();
    all
}

#[test]
fn clicks_with_ctrl_toggle_and_with_shift_take_a_range() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    desk.click("Bone Arm");
    desk.click_with(Modifiers::COMMAND, "Bone bone 2");
    assert_eq!(parts(&mut desk), [Part::Bone(2), Part::Bone(1)]);
    desk.click_with(Modifiers::COMMAND, "Bone bone 2");
    assert_eq!(parts(&mut desk), [Part::Bone(1)]);
    // Rows: base, spine, arm, its handle, bone 2.
    desk.click("Bone Spine");
    desk.click_with(Modifiers::SHIFT, "Bone bone 2");
    let all = [Part::Bone(2), Part::Bone(0), Part::Bone(1), Part::Handle(0)];
    assert_eq!(parts(&mut desk), all);
    desk.click_with(Modifiers::SHIFT, "Bone Arm");
    assert_eq!(parts(&mut desk), [Part::Bone(1), Part::Bone(0)], "from the same row on");
    desk.click("Bone Arm");
    assert_eq!(parts(&mut desk), [Part::Bone(1)]);
}

#[test]
fn link_bones_are_shown_where_that_is_asked_for() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    desk.session()
        .apply(&[Command::AddLinkedBone {
            mesh: mesh(),
            parent: Some(0),
            start: glam::Vec3::new(0.2, 0.3, 0.0),
            extent: glam::Vec3::X,
            radius: 0.1,
        }])
        .unwrap();
    desk.frame();
    let new = parts(&mut desk)[0];
    let Part::Bone(bone) = new else { panic!("{new:?}") };
    let name = desk.session().scene().skinned_meshes[MESH].skeleton.bone_name(bone);
    let link = format!("Link to {name}");
    assert!(!desk.has(&link));
    desk.state_mut().act(Action::TOGGLE_LINKS);
    desk.frame();
    let (above, below) = (desk.rect(&link), desk.rect(&format!("Bone {name}")));
    assert!(above.bottom() <= below.top() + 0.5);
    desk.click("Bone Spine");
    desk.click(&link);
    assert_eq!(parts(&mut desk), [new], "it selects the bone that it carries");
    // Arrow keys skip it.
    desk.key(Key::ArrowUp);
    assert!(matches!(parts(&mut desk)[..], [Part::Bone(other)] if other != bone));
    desk.state_mut().act(Action::TOGGLE_LINKS);
    desk.frame();
    assert!(!desk.has(&link));
}

#[test]
fn shift_and_arrows_select_on_the_way() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    desk.click("Bone Spine");
    desk.key_with(Modifiers::SHIFT, Key::ArrowDown);
    desk.key_with(Modifiers::SHIFT, Key::ArrowDown);
    assert_eq!(parts(&mut desk), [Part::Handle(0), Part::Bone(0), Part::Bone(1)]);
    desk.key_with(Modifiers::SHIFT, Key::ArrowUp);
    assert_eq!(parts(&mut desk), [Part::Bone(1), Part::Bone(0)]);
    desk.key(Key::ArrowDown);
    assert_eq!(parts(&mut desk), [Part::Handle(0)]);
}

#[test]
fn a_search_hides_the_other_rows() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    assert_eq!(desk.count("Filter bones"), 1);
    desk.click("Filter bones");
    desk.type_text("aRm");
    assert!(desk.takes_keys());
    desk.frame();
    assert!(desk.has("Bone Arm") && desk.has("Bone Spine") && !desk.has("Bone bone 2"));
    desk.key(Key::Enter);
    assert_eq!(parts(&mut desk), [Part::Bone(1)]);
    desk.click("Clear filter");
    assert!(desk.has("Bone bone 2"));
    // With its key; Esc clears it, and has no other effect.
    desk.state_mut().act(Action::FILTER_BONES);
    desk.frame();
    desk.type_text("xyz");
    desk.frame();
    assert!(desk.has("No bones match.") && !desk.has("Bone Arm"));
    desk.key(Key::Escape);
    assert!(desk.state().esc_was_ours);
    assert!(desk.has("Bone Arm"));
    assert_eq!(parts(&mut desk), [Part::Bone(1)]);
}

#[test]
fn a_search_opens_a_closed_section() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    desk.click("Bones section");
    assert!(!desk.has("Filter bones"));
    desk.state_mut().act(Action::FILTER_BONES);
    desk.frame();
    assert!(desk.has("Filter bones") && desk.takes_keys());
}

fn named(bone: usize, name: &str) -> Request {
    Request::Apply(vec![Command::SetBoneName { mesh: mesh(), bone, name: name.into() }])
}

#[test]
fn a_bone_is_renamed_in_its_row() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    desk.double_click("Bone Arm");
    desk.frame();
    assert!(desk.has("New name of Arm") && desk.takes_keys());
    desk.type_text("Arm.L");
    assert_eq!(desk.key(Key::Enter), [named(1, "Arm.L")]);
    assert!(desk.has("Bone Arm.L") && !desk.has("New name of Arm.L"));
    assert!(!desk.takes_keys());

    // F2; Esc keeps the name and the selection.
    desk.state_mut().act(Action::RENAME);
    desk.frame();
    desk.type_text("Leg");
    assert_eq!(desk.key(Key::Escape), []);
    assert!(desk.state().esc_was_ours && desk.has("Bone Arm.L"));
    assert_eq!(parts(&mut desk), [Part::Bone(1)]);

    // The text is selected, so typing replaces it. A click elsewhere accepts it.
    desk.state_mut().act(Action::RENAME);
    desk.frame();
    desk.event(egui::Event::Text("Wing".into()));
    let requests = desk.click("Bone Spine");
    assert!(requests.contains(&named(1, "Wing")), "{requests:?}");
    assert!(desk.has("Bone Wing"));

    // Unchanged: no step.
    desk.double_click("Bone Wing");
    desk.frame();
    assert_eq!(desk.key(Key::Enter), []);
}

#[test]
fn a_name_typed_for_a_bone_that_goes_reaches_no_other() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    desk.state_mut().act(Action::RENAME);
    desk.frame();
    desk.type_text("Lost");
    let delete = Command::DeleteBone { mesh: mesh(), bone: 1 };
    desk.session().apply(&[delete]).unwrap();
    desk.frame();
    desk.key(Key::Enter);
    assert!(!desk.has("Bone Lost") && desk.has("Bone Spine"));
}

#[test]
fn a_row_dragged_onto_another_hangs_there() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Base));
    let at = desk.carry("Bone bone 2", "Bone Arm");
    assert!(desk.has("Parent bone 2 to Arm"), "the drag shows its effect");
    assert!(desk.takes_keys());
    let requests = desk.release_and_run(at);
    let hung = Command::Reparent { mesh: mesh(), bones: vec![2], parent: Some(1) };
    assert!(requests.contains(&Request::Apply(vec![hung])), "{requests:?}");
    let parent_of = |desk: &mut Desk, bone: &str| {
        let all = parents(desk);
        all.into_iter().find(|(name, _)| name == bone).unwrap().1
    };
    assert_eq!(parent_of(&mut desk, "bone 2").as_deref(), Some("Arm"));
    // Onto the base: a root. All selected bones move.
    desk.select(&[Part::Bone(1), Part::Bone(2)]);
    let at = desk.carry("Bone Arm", "Base");
    assert!(desk.has("Start 2 bones at the base"));
    desk.release_and_run(at);
    assert!(parents(&mut desk).iter().all(|(_, parent)| parent.is_none()));
    assert_eq!(desk.session().history().entries().len(), 2);
    assert!(!desk.takes_keys());
}

#[test]
fn no_bone_hangs_on_what_hangs_on_it() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    for to in ["Bone Arm", "Bone bone 2"] {
        let at = desk.carry("Bone Spine", to);
        assert!(desk.has("A bone cannot be parented to its own descendant"));
        assert_eq!(desk.release_and_run(at), [], "{to}");
    }
    let at = desk.carry("Bone Arm", "Bone Spine");
    assert!(desk.has("It is there already"));
    assert_eq!(desk.release_and_run(at), []);
    // Esc cancels the drag.
    let at = desk.carry("Bone Arm", "Base");
    desk.key(Key::Escape);
    assert!(desk.state().esc_was_ours);
    assert_eq!(desk.release_and_run(at), []);
    assert_eq!(desk.session().history().entries().len(), 0);
}

#[test]
fn a_right_click_selects_and_offers_what_can_be_done() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Base));
    desk.right_click("Bone Arm");
    assert_eq!(parts(&mut desk), [Part::Bone(1)]);
    desk.click("Tree > Rename");
    desk.frame();
    assert!(desk.has("New name of Arm"));
    desk.key(Key::Escape);
    // A right click on a selected row keeps the others selected.
    desk.select(&[Part::Bone(1), Part::Bone(2)]);
    desk.right_click("Bone bone 2");
    assert_eq!(parts(&mut desk).len(), 2);
    assert_eq!(desk.click("Tree > Delete"), [Request::Act(Action::DELETE)]);
    assert!(!desk.has("Bone Arm") && desk.has("Bone Spine"));
    desk.right_click("Base");
    assert!(desk.has("Tree > Add bone") && !desk.has("Tree > Rename"));
    desk.release_button(egui::Pos2::new(5.0, 5.0), PointerButton::Primary);
}

#[test]
fn the_select_menu_reaches_the_selection() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    desk.click("Select");
    desk.click("Select > Select parent");
    assert_eq!(parts(&mut desk), [Part::Bone(0)]);
    desk.click("Select");
    assert!(desk.is_disabled("Select > Extend to parent"));
    desk.click("Select > Extend to children");
    assert_eq!(parts(&mut desk).len(), 3);
}

/// Tab accepts the name and goes on to the next bone, so that a chain is named without the mouse.
#[test]
fn tab_names_one_bone_after_the_other() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(0)));
    let count = desk.session().history().step();
    desk.state_mut().act(Action::RENAME);
    desk.frame();
    for (bone, name) in ["Hips", "Leg", "Foot"].into_iter().enumerate() {
        assert_eq!(parts(&mut desk), [Part::Bone(bone)], "what is named is selected");
        desk.type_text(name);
        desk.key(Key::Tab);
        desk.frame();
    }
    for name in ["Hips", "Leg", "Foot"] {
        assert!(desk.has(&format!("Bone {name}")), "{name}");
    }
    assert_eq!(desk.session().history().step() - count, 3);
}

/// Four bones in three actions: Ctrl+F2, their names, Enter.
#[test]
fn a_chain_is_renamed_by_a_list_in_one_step() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(0)));
    desk.select(&[Part::Bone(2), Part::Bone(0), Part::Bone(1)]);
    let before = desk.session().history().step();
    desk.state_mut().act(Action::RENAME_BONES);
    desk.frame();
    desk.frame();
    desk.type_text("Hips, Chest, Head");
    desk.frame();
    assert!(desk.has("Hips") && desk.has("Chest") && desk.has("Head"), "the preview");
    let requests = desk.key(Key::Enter);
    assert!(matches!(&requests[..], [Request::Apply(_)]), "{requests:?}");
    for name in ["Hips", "Chest", "Head"] {
        assert!(desk.has(&format!("Bone {name}")), "{name}");
    }
    assert_eq!(desk.session().history().step() - before, 1);
    assert!(!desk.has("Rename 3 bones"), "closed");
    // What is taken is told, and Enter without a change does nothing.
    desk.select(&[Part::Bone(1)]);
    desk.state_mut().act(Action::RENAME_BONES);
    desk.frame();
    desk.type_text("Hips");
    desk.frame();
    assert!(desk.has("Another bone is called Hips: a number is appended."));
    assert!(desk.has("Hips.001"));
    desk.key(Key::Escape);
    desk.state_mut().act(Action::RENAME_BONES);
    desk.frame();
    assert_eq!(desk.key(Key::Enter), []);
}
