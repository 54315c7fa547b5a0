//! The human moved, rotated and deleted as a whole, by gizmo and keys.

use crate::support::*;
use bevy_egui::egui::{Key, Modifiers};
use glam::Vec3;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::settings::view::{GizmoMode, Tab};

const TRANSFORM: &str = "Human_transform";

fn place(person: &mut Person) -> Vec3 {
    person.scene().transforms[TRANSFORM].translation
}

#[test]
fn the_whole_human_is_moved_by_its_arrows_and_deleted_only_as_a_whole() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.click("Animate");
    assert_eq!(person.editor().settings.tab, Tab::Animate);
    let scene = person.scene();
    let whole = Selection::from_mesh(&scene, MESH);
    person.editor().session.select(whole.clone());
    person.app.frames(4);
    assert!(person.sees("Rotate") && person.sees("Local axes"));
    let start = place(&mut person);

    // The middle of the gizmo is dragged across the view, cancelled, and dragged again.
    let from = person.shows(start);
    let to = (from.0 + 50.0, from.1 - 20.0);
    person.app.drag_hold(from, to, 3);
    assert!(place(&mut person).distance(start) > 0.1);
    assert!(person.editor().session.in_transaction());
    person.key(Key::Escape);
    person.release();
    assert_eq!(place(&mut person), start);
    assert_eq!(person.steps(), Vec::<String>::new());
    person.app.drag(from, to, 3);
    let moved = place(&mut person);
    let shown = person.shows(moved);
    assert!((shown.0 - to.0).hypot(shown.1 - to.1) < 2.0, "{shown:?} {to:?}");
    assert_eq!(person.steps(), [format!("Move {TRANSFORM}")]);

    person.key(Key::E);
    assert_eq!(person.editor().settings.tools.gizmo, GizmoMode::Rotate);
    person.app.key(Key::Z, CTRL);
    assert_eq!(place(&mut person), start);

    // With a bone selected, Delete does not delete the human.
    person.editor().session.select(whole.with_part(Some(Part::Bone(LEFT_FOREARM))));
    person.app.frames(2);
    for modifiers in [Modifiers::NONE, Modifiers::SHIFT] {
        person.app.key(Key::Delete, modifiers);
        assert!(person.scene().instances.skinned_meshes.contains_key(INSTANCE));
    }
    person.editor().session.select(whole);
    person.app.frames(2);
    person.app.key(Key::Delete, Modifiers::SHIFT);
    assert_eq!(person.scene().names().len(), 0, "nothing else used the rest");
    assert!(person.messages().iter().any(|m| m.contains(INSTANCE) && m.contains("deleted")));
    person.app.frames(2);
    assert!(person.sees("Undo"), "the message offers it");
    person.app.key(Key::Z, CTRL);
    assert!(person.scene() == scene);
}
