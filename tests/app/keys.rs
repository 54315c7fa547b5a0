//! Keys, drags that are cancelled, and the camera.

use crate::support::*;
use bevy_egui::egui::{Key, Modifiers, PointerButton};
use glam::Vec3;
use ossature::edit::select::active_rig::ActiveRig;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use std::f32::consts::FRAC_PI_2;

#[test]
fn a_drag_is_given_up_kept_or_fine() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.add_ik(LEFT_FOREARM);
    let (bytes, steps) = (person.bytes(), person.steps());
    let from = person.ball_of_handle(0);
    let to = (from.0 - 40.0, from.1 - 30.0);
    let dragged = |person: &mut Person| person.skeleton().handles[0].target;
    let at_first = dragged(&mut person);

    // Esc, the right button, and a window that loses the focus all cancel; the release then has no effect.
    for way in ["Esc", "right click"] {
        person.app.drag_hold(from, to, 3);
        assert!(dragged(&mut person).distance(at_first) > 0.2);
        assert!(person.editor().session.in_transaction());
        match way {
            "Esc" => person.key(Key::Escape),
            _ => person.app.button(PointerButton::Secondary, true),
        }
        assert!(person.bytes() == bytes, "{way} restores");
        person.app.button(PointerButton::Secondary, false);
        person.move_in_one_frame((to.0 + 9.0, to.1));
        person.release();
        assert!(person.bytes() == bytes && !person.editor().session.in_transaction());
        assert_eq!(person.steps(), steps, "{way} leaves no step");
        assert_eq!(person.part(), Some(Part::Handle(0)), "{way} keeps the selection");
    }

    // Undo, delete or a change of tabs during a drag: the drag still is one step, or none.
    for (key, modifiers) in [(Key::Z, CTRL), (Key::Delete, Modifiers::NONE), (Key::Tab, Modifiers::NONE)] {
        person.app.drag_hold(from, to, 2);
        person.app.key(key, modifiers);
        person.move_in_one_frame((to.0 + 5.0, to.1));
        person.release();
        assert!(!person.editor().session.in_transaction(), "{key:?}");
        if person.editor().settings.tab != Tab::Rig {
            person.key(Key::Tab);
        }
        let more = person.steps().len() - steps.len();
        assert!(more <= 1, "{key:?}: {:?}", person.steps());
        for _ in 0..more {
            person.app.key(Key::Z, CTRL);
        }
        assert!(person.bytes() == bytes, "{key:?}");
    }

    // Shift makes a drag finer.
    person.app.drag(from, to, 3);
    let coarse = dragged(&mut person).distance(at_first);
    person.app.key(Key::Z, CTRL);
    person.app.modifiers(Modifiers::SHIFT);
    person.app.drag(from, to, 3);
    person.app.modifiers(Modifiers::NONE);
    let fine = dragged(&mut person).distance(at_first);
    assert!(fine > 0.0 && fine < 0.3 * coarse, "{fine} beside {coarse}");

    // Also for a slider.
    person.app.key(Key::Z, CTRL);
    person.click_row("Bone upper_arm.L");
    let at = person.rect("Roll slider").center();
    person.app.drag_hold((at.x, at.y), (at.x + 20.0, at.y), 2);
    assert!(person.skeleton().bones[LEFT_UPPER_ARM].roll_deg.abs() > 1.0);
    person.key(Key::Escape);
    person.release();
    assert!(person.bytes() == bytes);
    assert_eq!(person.part(), Some(Part::Bone(LEFT_UPPER_ARM)));
}

#[test]
fn keys_delete_and_switch() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let bones = person.skeleton().bones.len();
    person.add_ik(LEFT_FOREARM);
    person.key(Key::Delete);
    assert!(person.skeleton().handles.is_empty());
    assert_eq!(person.part(), Some(Part::Bone(LEFT_FOREARM)));
    person.key(Key::Delete);
    assert_eq!(person.skeleton().bones.len(), bones - 1);
    assert_eq!(person.part(), Some(Part::Bone(LEFT_UPPER_ARM)));
    let steps = ["Add IK to forearm.L", "Delete IK forearm.L", "Delete forearm.L"];
    assert_eq!(person.steps(), steps);

    for tab in [Tab::Animate, Tab::Rig] {
        person.key(Key::Tab);
        assert_eq!(person.editor().settings.tab, tab);
    }
    let viewport = person.viewport().shrink(1.0);
    let with = person.picture();
    person.app.key(Key::Z, Modifiers::ALT);
    assert!(!person.editor().settings.display.xray);
    let without = person.picture();
    assert!(without.changed(&with, viewport).len() > 1000, "x-ray is seen");
    person.app.key(Key::Z, Modifiers::ALT);
    assert_eq!(person.picture().changed(&with, viewport), []);
}

#[test]
fn the_camera_goes_where_it_is_told() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let camera = |person: &mut Person| person.editor().viewport.camera;
    let at_first = camera(&mut person);
    let at = person.middle_of_bone(LEFT_FOREARM);
    person.click_at(at);
    person.key(Key::F);
    let framed = camera(&mut person);
    assert!(framed.distance < 0.6 * at_first.distance, "F goes nearer");
    let shown = person.middle_of_bone(LEFT_FOREARM);
    let middle = person.editor().viewport.free().center();
    assert!(
        (shown.0 - middle.x).hypot(shown.1 - middle.y) < 20.0,
        "and the bone is in the middle: {shown:?}, {middle}"
    );
    for (key, modifiers, back) in [
        (Key::Num1, Modifiers::NONE, Vec3::Z),
        (Key::Num1, CTRL, -Vec3::Z),
        (Key::Num3, Modifiers::NONE, Vec3::X),
        (Key::Num3, CTRL, -Vec3::X),
        (Key::Num7, Modifiers::NONE, Vec3::Y),
        (Key::Num7, CTRL, -Vec3::Y),
    ] {
        person.app.key(key, modifiers);
        let [_, _, looks_from] = camera(&mut person).axes();
        assert!(looks_from.distance(back) < 1e-4, "{key:?} {modifiers:?}: {looks_from}");
    }
    assert!((camera(&mut person).pitch + FRAC_PI_2).abs() < 1e-4);
    person.editor().settings.display.orthographic_axis_views = false;
    person.editor().settings.display.orthographic = false;
    person.key(Key::Num1);
    person.key(Key::A);
    let viewport = person.viewport().shrink(1.0);
    let perspective = person.picture();
    person.key(Key::Num5);
    let parallel = person.picture();
    assert!(camera(&mut person).orthographic);
    assert!(parallel.changed(&perspective, viewport).len() > 1000);
    // Clicks still match the picture.
    let at = person.middle_of_bone(LEFT_UPPER_ARM);
    person.click_at(at);
    assert_eq!(person.part(), Some(Part::Bone(LEFT_UPPER_ARM)));
    person.key(Key::Num5);
    assert!(!camera(&mut person).orthographic);

    let (a, b) = (
        // Beside the axes in the corner.
        (viewport.left() + 260.0, viewport.bottom() - 160.0),
        (viewport.left() + 340.0, viewport.bottom() - 180.0),
    );
    let before = camera(&mut person);
    person.app.drag_with(PointerButton::Middle, a, b, 3);
    let orbited = camera(&mut person);
    assert!(orbited.yaw != before.yaw && orbited.pitch != before.pitch);
    assert_eq!((orbited.target, orbited.distance), (before.target, before.distance));
    person.app.modifiers(Modifiers::SHIFT);
    person.app.drag_with(PointerButton::Middle, a, b, 3);
    person.app.modifiers(Modifiers::NONE);
    let panned = camera(&mut person);
    assert!(panned.target.distance(orbited.target) > 0.1);
    assert_eq!((panned.yaw, panned.pitch), (orbited.yaw, orbited.pitch));
    // A point at the target's depth stays under the pointer while panning and zooming.
    let size = person.editor().viewport.size();
    person.app.point_at(middle.x + 50.0, middle.y + 30.0);
    let at = size * 0.5 + glam::Vec2::new(50.0, 30.0);
    let before = panned.point_at_target_depth(at, size);
    person.app.wheel(3.0);
    let zoomed = camera(&mut person);
    assert!(zoomed.distance < 0.9 * panned.distance);
    let after = zoomed.point_at_target_depth(at, size);
    assert!(after.distance(before) < 1e-3 * panned.distance);
    person.app.modifiers(Modifiers::ALT);
    person.app.drag(a, b, 3);
    person.app.modifiers(Modifiers::NONE);
    assert!(camera(&mut person).yaw != zoomed.yaw);
    assert_eq!(person.part(), Some(Part::Bone(LEFT_UPPER_ARM)), "an orbit selects nothing");
    assert_eq!(person.steps(), Vec::<String>::new(), "an orbit is not a step");
    assert!(ActiveRig::from_view(&person.editor().view()).is_some());
}

/// What is typed into the search of shortcuts must not mute, key or delete anything behind it.
#[test]
fn keys_in_the_list_of_shortcuts_do_nothing_in_the_document() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.click("Animate");
    person.click_row("Bone upper_arm.L");
    person.click("Rig");
    person.app.frames(3);
    let (bones, steps) = (person.skeleton().bones.len(), person.steps());
    person.key(Key::F1);
    person.app.frames(3);
    assert!(person.sees("Search shortcuts"));
    for key in [Key::M, Key::I, Key::R, Key::Delete] {
        person.key(key);
    }
    person.app.text("mir");
    person.app.frames(3);
    assert_eq!((person.skeleton().bones.len(), person.steps()), (bones, steps.clone()));
    assert!(person.sees_text("Mirror"), "the search has the keyboard");
    person.key(Key::Escape);
    person.app.frames(3);
    assert!(!person.sees("Search shortcuts"));
    person.key(Key::Delete);
    person.app.frames(3);
    assert_eq!(person.steps().len(), steps.len() + 1, "keys act again");
}
