//! Several bones selected in the viewport: clicks that add, boxes, slow and hasty clicks, keys.

use crate::support::*;
use bevy_egui::egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect};
use glam::Vec3;
use ossature::edit::select::active_rig::ActiveRig;
use ossature::edit::select::selection::Part;
use std::collections::BTreeSet;

fn parts(person: &mut Person) -> Vec<Part> {
    person.selection().parts().collect()
}

fn click_with(person: &mut Person, modifiers: Modifiers, at: (f32, f32)) {
    person.app.modifiers(modifiers);
    person.click_at(at);
    person.app.modifiers(Modifiers::NONE);
}

#[test]
fn clicks_with_shift_or_ctrl_add_and_take_away() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let (upper, fore) = (Part::Bone(LEFT_UPPER_ARM), Part::Bone(LEFT_FOREARM));
    let at_upper = person.middle_of_bone(LEFT_UPPER_ARM);
    let at_fore = person.middle_of_bone(LEFT_FOREARM);
    person.click_at(at_upper);
    let alone = person.picture();
    click_with(&mut person, Modifiers::SHIFT, at_fore);
    assert_eq!(parts(&mut person), [fore, upper]);
    assert!(person.sees("2 bones"), "the panel shows both");
    let both = person.picture();
    let (x, y) = at_upper;
    let around = Rect::from_center_size(Pos2::new(x, y), bevy_egui::egui::vec2(12.0, 12.0));
    assert!(both.changed(&alone, around).len() > 40, "the active one looks different");
    click_with(&mut person, CTRL, at_fore);
    assert_eq!(parts(&mut person), [upper]);
    // Clicks on nothing have no effect.
    let corner = person.viewport().max;
    click_with(&mut person, Modifiers::SHIFT, (corner.x - 12.0, corner.y - 12.0));
    assert_eq!(parts(&mut person), [upper]);
    // A press on a tip starts a drag, but a click with Shift is a click.
    let tip = {
        let editor = person.editor();
        let view = editor.view();
        ActiveRig::from_view(&view).unwrap().bone_tip(RIGHT_UPPER_ARM).unwrap()
    };
    let at_tip = person.shows(tip);
    click_with(&mut person, Modifiers::SHIFT, at_tip);
    assert_eq!(parts(&mut person).len(), 2);
    // The gizmo now covers the tip.
    let at_other = person.middle_of_bone(RIGHT_UPPER_ARM);
    click_with(&mut person, Modifiers::SHIFT, at_other);
    assert_eq!(parts(&mut person), [upper]);
    assert_eq!(person.steps(), Vec::<String>::new(), "selecting is not a step");
}

/// Returns the bones with at least one sampled point within the rectangle.
fn shown_in(person: &mut Person, area: Rect) -> BTreeSet<Part> {
    let bones = person.skeleton().bones.len();
    let mut found = BTreeSet::new();
    for bone in 0..bones {
        let (start, tip) = {
            let editor = person.editor();
            let view = editor.view();
            let stage = ActiveRig::from_view(&view).expect("a skeleton is shown");
            (stage.bone_start(bone).unwrap(), stage.bone_tip(bone).unwrap())
        };
        let shows = (0..=60).any(|i| {
            let (x, y) = person.shows(start.lerp(tip, i as f32 / 60.0));
            area.contains(Pos2::new(x, y))
        });
        if shows {
            found.insert(Part::Bone(bone));
        }
    }
    found
}

#[test]
fn a_box_takes_in_what_shows_in_it() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let viewport = person.viewport();
    let (hand, chest) = (person.middle_of_bone(LEFT_FOREARM), person.shows(Vec3::new(0.0, 4.1, 0.0)));
    // From an empty place next to the arm across it.
    let from = (hand.0 + 60.0, hand.1 - 60.0);
    let to = (hand.0.min(chest.0 + 30.0), hand.1 + 50.0);
    let area = Rect::from_two_pos(Pos2::new(from.0, from.1), Pos2::new(to.0, to.1));
    assert!(viewport.contains_rect(area));
    let expected = shown_in(&mut person, area);
    assert!(expected.len() > 1 && expected.len() < person.skeleton().bones.len());
    let camera = person.editor().viewport.camera;
    let before = person.picture();
    person.app.drag_hold(from, to, 4);
    person.app.draw_all(true);
    person.app.frames(2);
    let drawn = person.picture_now();
    person.app.draw_all(false);
    assert!(drawn.changed(&before, area).len() > 500, "the box is visible");
    person.release();
    let found: BTreeSet<Part> = parts(&mut person).into_iter().collect();
    assert_eq!(found, expected);
    assert_eq!(person.editor().viewport.camera, camera, "nothing turned");
    assert!(person.sees(&format!("{} bones", expected.len())));

    // A second box replaces the selection, or with Shift adds to it; Esc cancels it.
    let corner = (viewport.right() - 8.0, viewport.bottom() - 8.0);
    let low = (viewport.center().x - 60.0, viewport.center().y + 20.0);
    let area = Rect::from_two_pos(Pos2::new(corner.0, corner.1), Pos2::new(low.0, low.1));
    let more = shown_in(&mut person, area);
    assert!(!more.is_empty() && more != expected);
    person.app.drag_hold(corner, low, 3);
    person.key(Key::Escape);
    person.release();
    assert_eq!(parts(&mut person).len(), expected.len(), "Esc keeps what was selected");
    person.app.modifiers(Modifiers::SHIFT);
    person.app.drag(corner, low, 3);
    person.app.modifiers(Modifiers::NONE);
    let found: BTreeSet<Part> = parts(&mut person).into_iter().collect();
    assert_eq!(found, expected.union(&more).copied().collect());
    person.app.drag(corner, low, 3);
    let found: BTreeSet<Part> = parts(&mut person).into_iter().collect();
    assert_eq!(found, more);
}

#[test]
fn no_click_is_lost_however_slow_or_hasty() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    // Held for three seconds, with a tremble.
    let (x, y) = person.middle_of_bone(LEFT_FOREARM);
    person.app.point_at(x, y);
    person.app.button(PointerButton::Primary, true);
    person.app.frames(15);
    person.app.event(Event::PointerMoved(Pos2::new(x + 2.0, y - 1.0)));
    person.app.frames(15);
    person.app.button(PointerButton::Primary, false);
    person.app.frames(2);
    assert_eq!(person.part(), Some(Part::Bone(LEFT_FOREARM)));

    // Move, click and move on, all in one frame.
    let (x, y) = person.middle_of_bone(RIGHT_UPPER_ARM);
    let away = person.viewport().max;
    person.app.queue(Event::PointerMoved(Pos2::new(x, y)));
    for pressed in [true, false] {
        person.app.queue(Event::PointerButton {
            pos: Pos2::new(x, y),
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
    }
    person.app.event(Event::PointerMoved(Pos2::new(away.x - 20.0, away.y - 20.0)));
    person.app.frames(2);
    assert_eq!(person.part(), Some(Part::Bone(RIGHT_UPPER_ARM)));
}

#[test]
fn keys_select_along_the_tree() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let bones = person.skeleton().bones.len();
    person.app.key(Key::A, CTRL);
    assert_eq!(parts(&mut person).len(), bones);
    person.key(Key::Escape);
    let at = person.middle_of_bone(LEFT_FOREARM);
    person.click_at(at);
    person.key(Key::OpenBracket);
    assert_eq!(parts(&mut person), [Part::Bone(LEFT_UPPER_ARM)]);
    person.app.key(Key::CloseCurlyBracket, Modifiers::SHIFT);
    assert!(parts(&mut person).contains(&Part::Bone(LEFT_FOREARM)));
    person.app.key(Key::I, CTRL);
    assert_eq!(parts(&mut person).len(), bones - 2);
    // The name of the active bone is typed in the tree, and its keys are not shortcuts.
    person.click_at(at);
    person.key(Key::F2);
    person.app.text("Forearm");
    person.key(Key::Enter);
    assert_eq!(person.steps(), ["Rename forearm.L to Forearm"]);
    assert_eq!(person.part(), Some(Part::Bone(LEFT_FOREARM)));
    person.app.key(Key::F, CTRL);
    person.app.text("forea");
    person.app.frames(2);
    assert!(person.sees("Bone Forearm") && !person.sees("Bone thigh.R"));
}

#[test]
fn the_same_scene_looks_the_same_however_often_it_is_drawn() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    // From the front, bones of both sides have the same depth, and they overlap.
    person.key(Key::Num1);
    person.app.key(Key::A, CTRL);
    let viewport = person.viewport().shrink(1.0);
    let first = person.picture();
    for _ in 0..3 {
        // Hide and show them: everything is spawned again.
        person.app.key(Key::B, Modifiers::SHIFT);
        person.app.frames(3);
        person.app.key(Key::B, Modifiers::SHIFT);
        assert_eq!(person.picture().changed(&first, viewport), []);
    }
}
