//! The gizmo of a bone in the Rig tab, with the pointer and with numbers typed during a drag.

use crate::support::*;
use bevy_egui::egui::{Key, Modifiers};
use glam::{Quat, Vec2, Vec3};
use ossature::anim::channel::{ChannelRef, SkeletonChannel};
use ossature::anim::mode::Mode;
use ossature::edit::command::Command;
use ossature::edit::command::keys::KeyCommand;
use ossature::edit::select::pick::PickTarget;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::edit::time::keying;
use ossature::edit::time::timeline::KeySelection;
use ossature::edit::tool::bone::{RADIUS, START};
use ossature::edit::tool::gizmo::{Axis, GizmoPart, SIZE_PX};
use ossature::edit::tool::rings::{ROLL, ring};
use ossature::edit::tool::translate::CENTER;
use ossature::rig::property::POSE;
use ossature::rig::skeleton::Orientation;
use std::sync::Arc;

impl Person {
    /// Returns the window position of a part of the active bone's gizmo: the middle of a face, or a point on
    /// a line that nothing else covers.
    fn gizmo(&mut self, part: GizmoPart) -> (f32, f32) {
        let viewport = self.editor().viewport.view();
        let shape = self.gizmo_shape();
        let face = shape.faces.iter().find(|face| face.part == part);
        let at = match face {
            Some(face) => face.points.iter().sum::<Vec3>() / face.points.len() as f32,
            None => {
                let lines = shape.lines.iter().filter(|line| line.part == part);
                let mut points = lines.flat_map(|line| &line.points);
                let hits = |p: &Vec3| {
                    let pixel = viewport.project(*p).map(|shown| shown.pixel);
                    pixel.is_some_and(|pixel| shape.hit(&viewport, pixel) == Some(part))
                };
                *points.find(|p| hits(p)).expect("it can be grabbed")
            }
        };
        self.shows(at)
    }

    fn tip(&mut self, bone: usize) -> Vec3 {
        let posed = self.posed();
        let extent = posed.skeleton.bones[bone].extent.as_dvec3();
        posed.bind[bone].transform_point3(extent).as_vec3()
    }

    fn type_digits(&mut self, digits: &str) {
        for c in digits.chars() {
            self.app.text(&c.to_string());
        }
    }
}

#[test]
fn a_bone_is_moved_rolled_and_thickened_by_its_gizmo() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.key(Key::Num1);
    let at = person.middle_of_bone(LEFT_FOREARM);
    person.click_at(at);
    assert_eq!(person.part(), Some(Part::Bone(LEFT_FOREARM)));
    let at_first = person.bytes();
    let others: Vec<Vec3> = (0..person.skeleton().bones.len()).map(|b| person.tip(b)).collect();

    // The head is the parent's tip; the tip stays.
    let from = person.gizmo(START);
    person.app.drag(from, (from.0 - 12.0, from.1 - 20.0), 3);
    assert_eq!(person.part(), Some(Part::Bone(LEFT_FOREARM)));
    for (bone, before) in others.iter().enumerate() {
        let moved = person.tip(bone).distance(*before);
        assert_eq!(moved > 0.05, bone == LEFT_UPPER_ARM, "tip {bone} moved by {moved}");
        assert!(bone == LEFT_UPPER_ARM || moved < 1e-4);
    }
    // Roll and radius.
    let roll = person.skeleton().bones[LEFT_FOREARM].roll_deg;
    let from = person.gizmo(ROLL);
    person.app.drag_hold(from, (from.0 + 3.0, from.1 + 9.0), 2);
    person.type_digits("30");
    assert!(person.sees_text("Roll"));
    person.release();
    assert!((person.skeleton().bones[LEFT_FOREARM].roll_deg - roll - 30.0).abs() < 1e-3);
    let from = person.gizmo(RADIUS);
    person.app.drag_hold(from, (from.0 + 3.0, from.1), 2);
    person.type_digits(".333");
    person.key(Key::Backspace);
    person.key(Key::Enter);
    assert!(!person.editor().session.in_transaction(), "Enter keeps it");
    assert_eq!(person.skeleton().bones[LEFT_FOREARM].radius, 0.33);
    person.release();
    let label = person.skeleton().bone_name(LEFT_FOREARM);
    let steps = ["Move", "Change roll of", "Change radius of"].map(|what| format!("{what} {label}"));
    assert_eq!(person.steps(), steps);
    for _ in 0..3 {
        person.app.key(Key::Z, CTRL);
    }
    assert!(person.bytes() == at_first);
}

#[test]
fn numbers_and_axes_typed_in_a_drag_trigger_nothing_else() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.key(Key::Num1);
    let at = person.middle_of_bone(LEFT_FOREARM);
    person.click_at(at);
    let (tip, camera) = (person.tip(LEFT_FOREARM), person.editor().viewport.camera);
    let at_first = person.bytes();
    let from = person.gizmo(CENTER);
    person.app.drag_hold(from, (from.0 + 40.0, from.1 - 25.0), 3);
    person.key(Key::X);
    let along = person.tip(LEFT_FOREARM) - tip;
    assert!(along.x > 0.05 && along.y.abs() < 1e-4 && along.z.abs() < 1e-4, "{along}");
    // Digits are numbers here, not views; Tab goes to no other field or tab.
    for (key, digit) in [(Key::Num7, "7"), (Key::Num5, "5")] {
        person.key(key);
        person.type_digits(digit);
    }
    person.type_digits("-");
    person.key(Key::Tab);
    assert_eq!(person.editor().settings.tab, Tab::Rig);
    assert_eq!(person.editor().viewport.camera, camera);
    assert!((person.tip(LEFT_FOREARM) - tip).distance(Vec3::X * -75.0) < 1e-3);
    assert!(person.sees_text("x −75"), "the typed text is shown");
    // Esc cancels everything.
    person.key(Key::Escape);
    assert!(person.bytes() == at_first);
    person.release();
    assert!(person.bytes() == at_first && person.steps().is_empty());

    // Free: x, y and z in turn.
    person.app.drag_hold(from, (from.0 + 40.0, from.1 - 25.0), 3);
    person.type_digits("0.5");
    person.key(Key::Tab);
    person.type_digits("1");
    person.type_digits(",");
    person.type_digits("-.25");
    person.release();
    let moved = person.tip(LEFT_FOREARM) - tip;
    assert!(moved.distance(Vec3::new(0.5, 1.0, -0.25)) < 1e-4, "{moved}");
    person.app.key(Key::Z, CTRL);

    // Animate: degrees for a ring; the elbow does not bend about z at all.
    person.key(Key::Tab);
    let pose = person.skeleton().bones[LEFT_FOREARM].pose_deg;
    let from = person.gizmo(ring(Axis::Y));
    person.app.drag_hold(from, (from.0 + 5.0, from.1 + 5.0), 2);
    assert!(person.editor().session.in_transaction());
    person.type_digits("-45.5");
    person.release();
    let turned = person.skeleton().bones[LEFT_FOREARM].pose_deg - pose;
    let along: Vec<f32> = turned.to_array().into_iter().filter(|a| a.abs() > 1e-3).collect();
    assert_eq!(along.len(), 1);
    assert!((along[0] + 45.5).abs() < 1e-3, "{turned}");
    assert_eq!(person.steps().len(), 1);
    person.app.key(Key::Z, CTRL);
    assert!(person.bytes() == at_first);
}

#[test]
fn several_selected_tips_move_as_one_step() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.key(Key::Num1);
    let selection = person.selection();
    let parts = [Part::Bone(LEFT_FOREARM), Part::Bone(RIGHT_UPPER_ARM)];
    person.editor().session.select(selection.with_parts(parts));
    person.app.frames(3);
    let before: Vec<Vec3> = (0..person.skeleton().bones.len()).map(|b| person.tip(b)).collect();
    let from = person.gizmo(CENTER);
    person.app.modifiers(Modifiers::SHIFT);
    person.app.drag(from, (from.0 + 80.0, from.1 - 150.0), 3);
    person.app.modifiers(Modifiers::NONE);
    let moved = person.tip(LEFT_FOREARM) - before[LEFT_FOREARM];
    assert!(moved.length() > 0.02, "{moved}");
    for (bone, before) in before.iter().enumerate() {
        let expected = if parts.contains(&Part::Bone(bone)) { moved } else { Vec3::ZERO };
        assert!((person.tip(bone) - *before).distance(expected) < 1e-4, "{bone}");
    }
    assert_eq!(person.steps().len(), 1);
    assert_eq!(person.selection().parts().count(), 2, "and stay selected");
}

/// A handle that keeps its orientation can be moved by its ball and arrows even where its rings are seen
/// edge-on.
#[test]
fn rings_that_are_edge_on_leave_ball_and_arrows_free() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.add_ik(LEFT_FOREARM);
    let kept = Orientation::new(Quat::IDENTITY, 1.0);
    let keep = Command::set_handle(MESH.to_owned(), 0, "orientation", Some(kept));
    person.editor().session.apply(&[keep]).unwrap();
    person.key(Key::Tab);
    for view in [Key::Num1, Key::Num3, Key::Num7] {
        person.key(view);
        for axis in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
            let before = person.skeleton().handles[0].target;
            let ball = Vec2::from(person.ball_of_handle(0));
            let way = Vec2::from(person.shows(before + 0.2 * axis)) - ball;
            // The arrow that points at the viewer is hidden.
            if axis != Vec3::ZERO && way.length() < 5.0 {
                continue;
            }
            let along = way.normalize_or_zero();
            let from = ball + 55.0 * along;
            let to = from + if along == Vec2::ZERO { Vec2::new(24.0, -18.0) } else { 25.0 * along };
            person.app.drag(from.into(), to.into(), 3);
            let handle = person.skeleton().handles[0].clone();
            assert!(handle.target.distance(before) > 0.05, "{view:?} {axis}");
            assert_eq!(handle.orientation, Some(kept), "{view:?} {axis}");
        }
    }
    // The rest of the ring still rotates it.
    let from = person.gizmo(ring(Axis::Y));
    person.app.drag(from, (from.0 + 24.0, from.1 - 10.0), 3);
    assert_ne!(person.skeleton().handles[0].orientation, Some(kept));
}

/// Over an arrow of the base, in the pelvis, the bone behind it is not highlighted, as a click would not
/// select it.
#[test]
fn what_lies_behind_an_arrow_is_not_lit() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.key(Key::Tab);
    // Closer to the base there is no arrow, so that what it is in is visible.
    let base = person.skeleton().base;
    let (x, y) = person.shows(base);
    let (x, y) = (x, y - 0.5 * SIZE_PX);
    let lit = |person: &mut Person| {
        person.app.point_at(x, y);
        person.app.frames(2);
        person.editor().viewport.highlighted().cloned()
    };
    assert!(matches!(lit(&mut person), Some(PickTarget::Bone(_) | PickTarget::Tip(_))));
    let selection = person.selection().with_part(Some(Part::Base));
    person.editor().session.select(selection);
    assert_eq!(lit(&mut person), None);
}

/// Keys the left forearm at two frames, and selects it between them.
fn between_keys(person: &mut Person) {
    person.key(Key::Tab);
    let pose = |x: f32| Command::set_bone(MESH.to_owned(), LEFT_FOREARM, "pose", Vec3::new(x, 0.0, 0.0));
    for (frame, x) in [(0.0, 0.0), (10.0, 40.0)] {
        let id = person.skeleton().bones[LEFT_FOREARM].channel_id;
        let channels = vec![ChannelRef::new(MESH, SkeletonChannel::Bone(id, POSE))];
        let key = Command::Keys(KeyCommand::Set { channels, frame, new_mode: Mode::Clamped });
        let session = &mut person.editor().session;
        session.set_frame(frame);
        session.apply(&[pose(x), key]).unwrap();
    }
    person.editor().session.set_frame(5.0);
    person.app.frames(1);
    person.click_row("Bone forearm.L");
}

/// T over the ruler does nothing; over the rows, Esc ends the tool of the view before it deselects keys.
#[test]
fn esc_over_the_timeline_ends_a_tween_that_t_over_the_view_starts() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    between_keys(&mut person);
    let over = |person: &mut Person, label: &str| {
        let at = person.rect(label).center();
        person.move_in_one_frame((at.x, at.y));
        person.app.frames(1);
    };
    let keys = keying::all_keys(&person.editor().session.scene().clone());
    person.editor().session.select_keys(&Arc::new(KeySelection::new(keys)));
    let count = person.editor().session.keys().count();
    over(&mut person, "Ruler of frames");
    person.key(Key::T);
    assert!(person.panels().tool.is_none() && !person.editor().session.in_transaction());
    over(&mut person, "Viewport");
    person.key(Key::T);
    assert!(person.panels().tool.is_some());
    over(&mut person, "Keys");
    person.key(Key::Escape);
    assert!(person.panels().tool.is_none() && !person.editor().session.in_transaction());
    assert!(count > 0 && person.editor().session.keys().count() == count);
    person.key(Key::Escape);
    assert_eq!(person.editor().session.keys().count(), 0);
}

/// Digits arrive one by one, each in its own frame, with no button pressed.
#[test]
fn percent_of_a_tween_is_typed() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    between_keys(&mut person);
    person.key(Key::T);
    for digit in ["7", "5"] {
        person.app.text(digit);
        person.app.frames(1);
        assert!(person.editor().session.in_transaction(), "{digit}");
    }
    assert!(person.sees_text("75"));
    assert!(person.sees_text("Enter to keep"));
    person.key(Key::Enter);
    let animated = person.editor().session.animated().skinned_meshes[MESH].clone();
    assert_eq!(animated.skeleton.bones[LEFT_FOREARM].pose_deg.x, 30.0);
    assert!(!person.editor().session.in_transaction());
}
