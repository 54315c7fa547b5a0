//! The Compare view in the window.

use crate::support::*;
use bevy_egui::egui::{Key, Modifiers, PointerButton, Rect, vec2};
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::compare::{Layout, SideChoice};
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::io::js3d;
use ossature::rig::skinning::Method as Skinning;
use ossature::rig::weights::method::Method;
use ossature::scene::append::append;
use ossature::scene::instance::InstanceKind;
use ossature::scene::names::{Kind, ObjectRef};
use std::path::Path;

fn tube() -> Option<Person> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/cylinder.js3d");
    let (mut scene, _) = js3d::read_file(&file).unwrap();
    // Add a second tube, so that one remains when the other is deleted.
    let again = scene.clone();
    append(&mut scene, &again);
    let aside = std::sync::Arc::make_mut(scene.transforms.get_mut("Tube place 1").unwrap());
    aside.translation.z -= 0.5;
    let mut person = Person::with_scene(1280, 800, scene)?;
    person.click("Animate");
    Some(person)
}

/// Waits until all frames have been measured.
fn wait(person: &mut Person) {
    for _ in 0..3000 {
        person.app.frames(1);
        let panel = &person.panels().compare;
        if !panel.curves.frames.is_empty() && panel.measured == panel.curves.frames.len() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("the frames are not measured");
}

/// Returns both halves of the viewport, below the captions and above the handle of the split line.
fn halves(person: &mut Person) -> [Rect; 2] {
    let viewport = person.viewport();
    let seen = Rect::from_min_max(viewport.min + vec2(0.0, 90.0), viewport.max - vec2(0.0, 60.0));
    let (left, right) = seen.split_left_right_at_fraction(0.5);
    [left, right]
}

fn show(person: &mut Person, layout: Layout, sides: [Skinning; 2]) {
    let compare = &mut person.editor().settings.compare;
    compare.on = true;
    compare.layout = layout;
    compare.sides = sides.map(|skinning| SideChoice { skinning: Some(skinning), weights: None });
    person.app.frames(4);
    wait(person);
}

#[test]
fn on_and_off_and_nothing_else_has_changed() {
    let Some(mut person) = tube() else { return };
    let (bytes, alone) = (person.bytes(), person.picture());
    person.editor().session.set_frame(48.0);
    person.app.key(Key::C, Modifiers::SHIFT);
    wait(&mut person);
    assert!(person.sees("Left: Linear blend") && person.sees("Right: Dual quaternions"));
    let both = person.picture();
    let viewport = person.viewport();
    assert!(both.changed(&alone, viewport).len() > 1000);
    // The numbers agree with the curves.
    let panel = &person.panels().compare;
    let numbers = panel.numbers.unwrap();
    assert_eq!((numbers.frame, Some(numbers.sides)), (48.0, panel.curves.frames[48]));
    let [left, right] = numbers.sides.map(|side| side.unwrap().volume);
    assert!(left < right);

    assert_eq!((person.steps(), person.bytes()), (Vec::new(), bytes.clone()));
    person.click("Close Compare");
    person.app.frames(4);
    assert!(person.shown().evaluated.compare.is_none() && !person.sees("Close Compare"));
    assert_eq!((person.steps(), person.bytes()), (Vec::new(), bytes));
}

/// With the same weights both halves show the same picture, from every direction; with different ones they
/// don't.
#[test]
fn the_sides_stand_beside_each_other_from_every_direction() {
    let Some(mut person) = tube() else { return };
    person.editor().session.set_frame(48.0);
    let linear = [Skinning::LINEAR; 2];
    // Thin lines are drawn differently at a half-pixel offset.
    let settings = &mut person.editor().settings;
    (settings.display.show_grid, settings.display.show_bones) = (false, false);
    show(&mut person, Layout::SideBySide, linear);
    for action in [Action::VIEW_FRONT, Action::VIEW_BACK, Action::VIEW_RIGHT, Action::TOGGLE_ORTHOGRAPHIC] {
        person.editor().requests.push(Request::Act(action));
        person.app.frames(3);
        show(&mut person, Layout::SideBySide, linear);
        let same = person.picture();
        let [left, right] = halves(&mut person);
        let across = right.left() - left.left();
        // In a view of odd width the halves are offset by half a pixel.
        let differing = |shot: &Shot| {
            let near = |a: [u8; 4], b: [u8; 4]| a.into_iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 30);
            // Without the axes in the corner.
            let pixels = shot.pixels(left.shrink(3.0).with_max_y(left.bottom() - 90.0));
            let differs = pixels.filter(|&(x, y)| {
                let there = x + across as u32;
                !(there - 1..=there + 2).any(|there| near(shot.at(x, y), shot.at(there, y)))
            });
            differs.count()
        };
        let same = differing(&same);
        assert!(same < 50, "{action:?}: {same}");
        person.editor().settings.compare.sides[1].weights = Some(Method::power(0.5));
        person.app.frames(2);
        wait(&mut person);
        let shot = person.picture();
        assert!(differing(&shot) > same + 200, "{action:?}: {}", differing(&shot));
    }
}

/// When split, the left part is as if everything used the left method, and likewise the right.
#[test]
fn split_each_side_of_the_line_is_a_part_of_one_picture() {
    let Some(mut person) = tube() else { return };
    person.editor().session.set_frame(48.0);
    let (linear, dual) = (Skinning::LINEAR, Skinning::DUAL_QUATERNION);
    for orthographic in [false, true] {
        person.editor().settings.display.orthographic = orthographic;
        let [split, all_linear, all_dual] = [[linear, dual], [linear, linear], [dual, dual]].map(|sides| {
            show(&mut person, Layout::Split, sides);
            person.picture()
        });
        let [left, right] = halves(&mut person).map(|half| half.shrink(3.0));
        assert_eq!(split.changed(&all_linear, left).len(), 0);
        assert_eq!(split.changed(&all_dual, right).len(), 0);
        assert!(split.changed(&all_linear, right).len() > 100);
        assert!(split.changed(&all_dual, left).len() > 100);
        // There is one camera: with equal sides, only the line shows that there are two characters; and thin
        // lines, which are drawn differently in the two parts.
        person.editor().settings.display.show_grid = false;
        show(&mut person, Layout::Split, [linear, linear]);
        let in_the_middle = person.picture();
        person.editor().settings.compare.line = 0.3;
        show(&mut person, Layout::Split, [linear, linear]);
        let elsewhere = person.picture();
        let settings = &mut person.editor().settings;
        (settings.compare.line, settings.display.show_grid) = (0.5, true);
        let viewport = person.viewport();
        let from = viewport.left() + 0.3 * viewport.width() + 2.0;
        let between = Rect::from_x_y_ranges(from..=left.right(), left.y_range());
        let changed = elsewhere.changed_by(2, &in_the_middle, between).len();
        assert!(changed < between.area() as usize / 250, "{changed}");
    }
}

/// A click or a drag on the right has the same effect as on the left.
#[test]
fn the_right_side_can_be_clicked_and_dragged() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.click("Animate");
    person.app.key(Key::C, Modifiers::SHIFT);
    person.app.frames(8);
    let viewport = person.viewport();
    let left = person.middle_of_bone(LEFT_FOREARM);
    let right = (left.0 + viewport.width() / 2.0, left.1);
    person.click_at(right);
    assert_eq!(person.part(), Some(Part::Bone(LEFT_FOREARM)));
    assert_eq!(person.shown().evaluated.compare.as_ref().unwrap().pointed, 1);
    // A ring of the gizmo is there as well.
    person.app.key(Key::I, Modifiers::SHIFT);
    person.app.frames(4);
    let handle = person.skeleton().handles.len() - 1;
    let target = person.skeleton().handles[handle].target;
    // Measure on the left while the pointer is there.
    person.app.point_at(viewport.left() + 20.0, viewport.center().y);
    let at = person.shows(target);
    let at = (at.0 + viewport.width() / 2.0, at.1);
    person.app.drag(at, (at.0 + 20.0, at.1 - 10.0), 4);
    let moved = person.skeleton().handles[handle].target;
    assert!(moved != target);
    person.app.point_at(viewport.left() + 20.0, viewport.center().y);
    let to = person.shows(moved);
    let (to, wanted) = (vec2(to.0 + viewport.width() / 2.0, to.1), vec2(at.0 + 20.0, at.1 - 10.0));
    assert!((to - wanted).length() < 3.0, "{to} {wanted}");
}

/// The human has no tube weights: its side reports that, and the other stays.
#[test]
fn a_side_without_weights_leaves_the_other_alone() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.click("Animate");
    person.app.key(Key::C, Modifiers::SHIFT);
    person.app.frames(8);
    let before = person.editor().panels.compare.numbers.unwrap();
    let alone = person.picture();
    person.editor().settings.compare.sides[1].weights = Some(Method::tube(2.0));
    person.app.frames(4);
    let numbers = person.editor().panels.compare.numbers.unwrap();
    assert_eq!(numbers.sides, [before.sides[0], None]);
    assert!(person.sees_text("Right: Tube weights are for"));
    let shot = person.picture();
    let [left, right] = halves(&mut person);
    // Skip the tags, one of which is the message on the right.
    let mut surface = left.shrink(3.0);
    surface.min.y += 16.0;
    let there = shot.changed(&alone, surface);
    assert_eq!(there.len(), 0);
    assert!(shot.changed(&alone, right).len() > 500);
}

/// Moving the camera causes no evaluation.
#[test]
fn looking_around_skins_nothing() {
    let Some(mut person) = tube() else { return };
    show(&mut person, Layout::SideBySide, [Skinning::LINEAR, Skinning::DUAL_QUATERNION]);
    let evaluations = person.shown().evaluations;
    let measured = person.editor().panels.compare.measured;
    let middle = person.viewport().center();
    for button in [PointerButton::Middle, PointerButton::Secondary] {
        let to = (middle.x + 120.0, middle.y + 30.0);
        person.app.drag_with(button, (middle.x + 40.0, middle.y), to, 6);
    }
    person.app.wheel(2.0);
    assert_eq!(person.shown().evaluations, evaluations);
    assert_eq!(person.editor().panels.compare.measured, measured);
}

#[test]
fn the_document_may_change_meanwhile() {
    let Some(mut person) = tube() else { return };
    person.app.key(Key::C, Modifiers::SHIFT);
    wait(&mut person);
    let thing = ObjectRef { kind: Kind::Instance(InstanceKind::SkinnedMesh), name: "Tube instance".into() };
    let rename = Command::Rename { object: thing.clone(), name: "Hose".into() };
    person.editor().requests.push(Request::Apply(vec![rename]));
    person.app.frames(4);
    assert_eq!(person.editor().panels.compare.name, "Hose");
    assert!(person.shown().evaluated.compare.is_some());
    // Choose a weight method that the tube supports, unlike the human.
    person.editor().settings.compare.sides[1].weights = Some(Method::tube(2.0));
    wait(&mut person);
    assert!(person.sees_text("Dual quaternions, tube, exponent 2"));
    for name in ["Hose", "Tube instance 1"] {
        let delete =
            Command::Delete { object: ObjectRef { name: name.into(), ..thing.clone() }, with_data: true };
        person.editor().requests.push(Request::Apply(vec![delete]));
        person.app.frames(4);
    }
    assert!(person.shown().evaluated.compare.is_none());
    assert!(person.sees_text("no visible skinned mesh"));
    person.editor().requests.push(Request::Act(Action::UNDO));
    person.app.frames(4);
    let name = person.editor().panels.compare.name.clone();
    assert_eq!(name, "Tube instance 1");
    assert_eq!(person.editor().settings.tab, Tab::Animate);
}
