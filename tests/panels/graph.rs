//! The curves: the second view of the keys of the sheet. What both share is tested in `sheet.rs` and `sheet_keys.rs`.

use super::MESH;
use super::sheet::{arm, nowhere, selected, steps};
use super::support::*;
use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, TouchPhase, Vec2, pos2, vec2};
use glam::Vec3;
use ossature::anim::channel::{Channel, ChannelRef, Value};
use ossature::anim::mode::Mode;
use ossature::edit::command::Command;
use ossature::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::scene::Scene;
use std::sync::Arc;

pub const X0: &str = "Arm x, frame 0, 0°";
pub const X10: &str = "Arm x, frame 10, 30°";
pub const X20: &str = "Arm x, frame 20, 10°";
pub const Y10: &str = "Arm y, frame 10, 20°";
pub const Y20: &str = "Arm y, frame 20, 40°";
pub const Z20: &str = "Arm z, frame 20, -40°";

/// Adds keys to the arm at 0, 10 and 20 with curves that do not meet at keys, to the spine at 0 and 10.
fn animate(scene: &mut Scene) {
    let keys = |channel: &str, knots: &[(f32, Vec3)]| KeyframeValues {
        channel: ChannelRef::new(MESH, channel),
        knots: knots.iter().map(|&(frame, value)| (frame, Value::Vec3(value))).collect(),
        modes: vec![Mode::Clamped.into(); knots.len()],
    };
    let arm = [
        (0.0, Vec3::new(0.0, 15.0, -20.0)),
        (10.0, Vec3::new(30.0, 20.0, -25.0)),
        (20.0, Vec3::new(10.0, 40.0, -40.0)),
    ];
    let spine = [(0.0, Vec3::ZERO), (10.0, Vec3::new(100.0, 5.0, -5.0))];
    let knots = vec![keys("bone.1.pose", &arm), keys("bone.0.pose", &spine)];
    Command::Keys(KeyCommand::Put { purpose: Purpose::Paste, knots }).apply(scene).expect("channels");
}

/// Returns a desk with the curves of the arm.
pub fn desk() -> Desk {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    desk.edit_scene(animate);
    desk.click("Curves");
    desk
}

pub fn channel(desk: &mut Desk, name: &str) -> Arc<Channel> {
    let scene = desk.session().scene();
    Arc::clone(scene.animation.get(&ChannelRef::new(MESH, name)).expect("keys"))
}

pub fn value(desk: &mut Desk, name: &str, frame: f32) -> Vec3 {
    match channel(desk, name).at(frame) {
        Some(Value::Vec3(value)) => value,
        other => panic!("{other:?}"),
    }
}

/// Returns the position of the x curve of the arm.
pub fn on_x(desk: &mut Desk, frame: f32) -> Pos2 {
    let value = value(desk, "bone.1.pose", frame).x;
    let [first, top] = [X0, X10].map(|label| desk.center(label));
    first + vec2((top.x - first.x) * frame / 10.0, (top.y - first.y) * value / 30.0)
}

fn per_frame(desk: &Desk) -> f32 {
    (desk.center(X20).x - desk.center(X0).x) / 20.0
}

/// The labels of the keys that are selected.
pub fn chosen(desk: &Desk) -> Vec<String> {
    let labels = desk.controls().into_iter().map(|(label, _)| label);
    let dots = labels.filter(|label| label.contains(", frame "));
    let mut chosen: Vec<_> = dots.filter(|label| desk.toggled(label) == Some(true)).collect();
    chosen.sort();
    chosen
}

pub fn drag(desk: &mut Desk, from: Pos2, to: Pos2) {
    desk.hover(from);
    desk.press(from);
    desk.hover(from + (to - from) / 2.0);
    desk.hover(to);
    desk.release_and_run(to);
}

fn wheel(desk: &mut Desk, at: Pos2, lines: f32, modifiers: Modifiers) {
    desk.hover(at);
    let (unit, phase) = (MouseWheelUnit::Line, TouchPhase::Move);
    desk.event(Event::MouseWheel { unit, delta: vec2(0.0, lines), modifiers, phase });
    desk.frame();
}

#[test]
fn both_views_have_the_same_keys_and_the_same_selection() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    desk.edit_scene(animate);
    let x = desk.center("Key Arm 20").x;
    desk.click("Key Arm 10");
    desk.click("Curves");
    assert!((desk.center(X20).x - x).abs() < 0.5, "the same frames are visible");
    assert_eq!(chosen(&desk), [X10, Y10, "Arm z, frame 10, -25°"]);
    desk.click_with(Modifiers::SHIFT, Y20);
    assert_eq!(chosen(&desk).len(), 6);
    desk.key_with(Modifiers::SHIFT, Key::E);
    assert_eq!(selected(&desk), ["Key Arm 10", "Key Arm 20"]);
    let at = nowhere(&desk);
    desk.hover(at);
    desk.key_with(Modifiers::SHIFT, Key::E);
    assert_eq!(chosen(&desk).len(), 6);
    assert!(steps(&mut desk).is_empty() && desk.doubled_labels().is_empty(), "{:?}", desk.doubled_labels());
}

#[test]
fn curves_are_those_of_the_selected_bones() {
    let mut desk = desk();
    let spine = "Spine y, frame 10, 5°";
    assert!(desk.has(X10) && desk.has("Row Arm") && !desk.has(spine) && !desk.has("Row Spine"));
    desk.select(&[Part::Bone(0)]);
    assert!(!desk.has(X10) && desk.has(spine));
    desk.select(&[Part::Bone(2)]);
    assert!(desk.has(X10) && desk.has(spine), "where the selection has no keys, all are shown");
    desk.select(&[Part::Bone(0)]);
    desk.click("Only selected");
    assert!(desk.has(X10) && desk.has(spine));
    desk.click("Sheet");
    assert!(desk.has("Row Arm") && desk.has("Row Spine"), "the sheet has a filter of its own");
}

#[test]
fn keys_that_are_not_shown_are_not_selected() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    desk.edit_scene(animate);
    desk.click("Key Arm 10");
    desk.key_with(Modifiers::COMMAND, Key::A);
    assert_eq!(desk.session().keys().count(), 5);
    desk.click("Curves");
    desk.frame();
    assert_eq!(desk.session().keys().count(), 3, "those of the arm");
    desk.click("Only selected");
    for axis in ["x", "y", "z"] {
        desk.click(&format!("Show Spine {axis}"));
    }
    let over = desk.rect("Keys").center();
    desk.hover(over);
    desk.key_with(Modifiers::COMMAND, Key::A);
    assert_eq!(desk.session().keys().count(), 3, "curves that are hidden stay as they are");
}

#[test]
fn components_can_be_hidden() {
    let mut desk = desk();
    desk.click("Show Arm x");
    assert!(!desk.has(X10) && desk.has(Y10) && desk.toggled("Show Arm x") == Some(false));
    desk.click("Show Arm x");
    desk.click("Show Summary y");
    assert!(desk.has(X10) && !desk.has(Y10));
}

#[test]
fn curves_open_fitted_and_stay_until_they_are_fitted_again() {
    let mut desk = desk();
    let area = desk.rect("Keys");
    let margin = 0.08 * area.height();
    let is_fitted = |desk: &Desk| {
        let (top, bottom) = (desk.center(Y20).y, desk.center(Z20).y);
        (top - area.top() - margin).abs() < 2.0 && (area.bottom() - bottom - margin).abs() < 2.0
    };
    assert!(is_fitted(&desk), "{} {} in {area}", desk.center(Y20).y, desk.center(Z20).y);
    let (y, at) = (desk.center(X10).y, pos2(desk.center(X10).x + 3.0 * per_frame(&desk), area.center().y));
    wheel(&mut desk, at, 1.0, Modifiers::NONE);
    assert!((desk.center(X10).y - y - 40.0).abs() < 0.5);
    desk.click(X0);
    assert!((desk.center(X10).y - y - 40.0).abs() < 0.5, "nothing fits them by itself");
    desk.key(Key::Home);
    assert!(is_fitted(&desk));
    let before = desk.center(Z20).y - desk.center(Y20).y;
    let key = desk.center(X10);
    wheel(&mut desk, key, 1.0, Modifiers::ALT);
    assert!((desk.center(X10).y - y).abs() < 0.5, "zoomed at the pointer");
    desk.key(Key::Home);
    desk.hover(at);
    desk.press_button(at, PointerButton::Middle);
    desk.hover(at + vec2(15.0, 25.0));
    desk.frame();
    desk.release_button(at + vec2(15.0, 25.0), PointerButton::Middle);
    assert!((desk.center(X10).y - y - 25.0).abs() < 0.5);
    desk.key(Key::Home);
    assert!(is_fitted(&desk) && (desk.center(Z20).y - desk.center(Y20).y - before).abs() < 1.0);
    // Only the values of the selected key and its neighbours between selected ones.
    desk.click(X10);
    desk.key(Key::F);
    let rect = desk.rect("Keys");
    assert!((rect.top()..rect.bottom()).contains(&desk.center(X10).y));
}

#[test]
fn a_drag_changes_the_value_of_one_component() {
    let mut desk = desk();
    let (before, y) = (value(&mut desk, "bone.1.pose", 10.0), desk.center(X10).y);
    let per_degree = (desk.center(X0).y - y) / 30.0;
    desk.drag(X10, vec2(3.0, 20.0));
    let after = value(&mut desk, "bone.1.pose", 10.0);
    assert!((after.x - (before.x - 20.0 / per_degree)).abs() < 0.2, "{after}");
    assert_eq!((after.y, after.z), (before.y, before.z));
    assert_eq!(arm(&mut desk), [0.0, 10.0, 20.0]);
    assert_eq!(channel(&mut desk, "bone.1.pose").key_modes(), [Mode::Clamped; 3]);
    assert_eq!(steps(&mut desk), ["Change the value of 1 key"]);
    desk.session().undo();
    desk.frame();
    for how in [GiveUp::Escape, GiveUp::RightClick] {
        desk.drag_and_give_up(X10, vec2(0.0, 40.0), how);
        assert_eq!(value(&mut desk, "bone.1.pose", 10.0), before);
        assert!(!desk.session().in_transaction() && steps(&mut desk).is_empty());
    }
}

#[test]
fn all_selected_keys_change_by_the_same_amount() {
    let mut desk = desk();
    let before = [0.0, 10.0, 20.0].map(|frame| value(&mut desk, "bone.1.pose", frame));
    desk.click(X10);
    desk.click_with(Modifiers::SHIFT, Y20);
    desk.hold(Modifiers::COMMAND);
    desk.drag(X10, vec2(0.0, -30.0));
    desk.hold(Modifiers::NONE);
    let after = [0.0, 10.0, 20.0].map(|frame| value(&mut desk, "bone.1.pose", frame));
    let change = after[1].x - before[1].x;
    assert!(change > 4.0 && after[1].x % 5.0 == 0.0, "Ctrl snaps to 5°: {}", after[1]);
    assert_eq!(after[0], before[0]);
    let expected = [1, 2].map(|key| before[key] + Vec3::new(change, 0.0, 0.0));
    assert!(after[1].distance(expected[0]) < 1e-3 && after[2].distance(expected[1]) < 1e-3);
}

#[test]
fn a_drag_to_the_side_moves_keys_in_time_and_v_changes_values_instead() {
    let mut desk = desk();
    let (before, by) = (value(&mut desk, "bone.1.pose", 10.0), per_frame(&desk));
    desk.drag(X10, vec2(4.0 * by, 5.0));
    assert_eq!(arm(&mut desk), [0.0, 14.0, 20.0]);
    assert_eq!(value(&mut desk, "bone.1.pose", 14.0), before);
    desk.session().undo();
    desk.frame();
    let from = desk.center(X10);
    desk.hover(from);
    desk.press(from);
    desk.hover(from + vec2(20.0, 0.0));
    desk.key(Key::V);
    for digit in ["-", "8"] {
        desk.event(Event::Text(digit.into()));
    }
    desk.frame();
    assert!(desk.has("−8|°"));
    assert_eq!(value(&mut desk, "bone.1.pose", 10.0), before - Vec3::new(8.0, 0.0, 0.0));
    desk.key(Key::T);
    desk.hover(from + vec2(20.0 + 2.0 * by, 0.0));
    desk.frame();
    desk.release_and_run(from + vec2(3.0 * by, 0.0));
    assert_eq!(arm(&mut desk), [0.0, 13.0, 20.0]);
    assert_eq!((value(&mut desk, "bone.1.pose", 13.0), steps(&mut desk).len()), (before, 1));
}

#[test]
fn a_box_selects_the_keys_in_it() {
    let mut desk = desk();
    let [from, to] = [X10, Y20].map(|label| desk.center(label));
    // Around x at 10 and above y at 10: the keys of the row are one, whatever component is inside.
    drag(&mut desk, from - vec2(8.0, 12.0), pos2(from.x + 8.0, from.y + 4.0));
    assert_eq!(chosen(&desk), [X10, Y10, "Arm z, frame 10, -25°"]);
    let empty = from - vec2(3.0 * per_frame(&desk), 0.0);
    drag(&mut desk, pos2(empty.x, to.y - 4.0), pos2(empty.x + 15.0, to.y + 8.0));
    assert!(chosen(&desk).is_empty());
    assert!(steps(&mut desk).is_empty());
}

#[test]
fn arrows_change_the_value_by_a_degree_or_a_tenth() {
    let mut desk = desk();
    let before = value(&mut desk, "bone.1.pose", 20.0);
    desk.click(Y20);
    desk.key(Key::ArrowUp);
    assert_eq!(value(&mut desk, "bone.1.pose", 20.0), before + Vec3::Y);
    desk.key_with(Modifiers::SHIFT, Key::ArrowDown);
    assert!(value(&mut desk, "bone.1.pose", 20.0).distance(before + 0.9 * Vec3::Y) < 1e-4);
    assert_eq!((desk.session().frame(), steps(&mut desk).len()), (0.0, 1), "one gesture is one step");
    desk.hover(desk.center("Viewport"));
    desk.key(Key::ArrowUp);
    assert_eq!(steps(&mut desk).len(), 1, "the pointer is elsewhere");
}

#[test]
fn a_double_click_adds_a_key_on_the_curve() {
    let mut desk = desk();
    let before = channel(&mut desk, "bone.1.pose");
    let at = on_x(&mut desk, 5.0);
    desk.double_click_at(at);
    assert_eq!(arm(&mut desk), [0.0, 5.0, 10.0, 20.0]);
    let after = channel(&mut desk, "bone.1.pose");
    assert_eq!(after.key(5.0), before.at(5.0));
    for frame in 0..=20 {
        let numbers = [&before, &after].map(|channel| match channel.at(frame as f32) {
            Some(Value::Vec3(value)) => value,
            other => panic!("{other:?}"),
        });
        assert!(numbers[0].distance(numbers[1]) < 2.0, "{frame}: {numbers:?}");
    }
    assert_eq!(steps(&mut desk), ["Insert a key for Arm"]);
    assert_eq!(chosen(&desk).len(), 3, "the new key is selected");
    // With Shift, all keys of the curve are selected.
    let at = on_x(&mut desk, 15.0);
    desk.hold(Modifiers::SHIFT);
    desk.double_click_at(at);
    desk.hold(Modifiers::NONE);
    assert_eq!((chosen(&desk).len(), arm(&mut desk).len()), (12, 4));
}

#[test]
fn a_click_on_a_curve_makes_its_bone_the_active_one() {
    let mut desk = desk();
    desk.select(&[Part::Bone(0), Part::Bone(1)]);
    desk.hover(desk.rect("Keys").center());
    desk.key(Key::Home);
    let at = on_x(&mut desk, 15.0);
    desk.click_at(at);
    let parts: Vec<_> = desk.session().selection().parts().collect();
    assert_eq!(parts, [Part::Bone(1), Part::Bone(0)]);
    assert!(desk.has("Spine x, frame 10, 100°"), "the other one stays");
    // Where nothing is selected, all are shown, and stay.
    desk.select(&[]);
    desk.hover(desk.rect("Keys").center());
    desk.key(Key::Home);
    let at = on_x(&mut desk, 15.0);
    desk.click_at(at);
    assert_eq!(desk.session().selection().parts().count(), 0);
    assert!(desk.has("Spine x, frame 10, 100°"), "all are shown");
}

#[test]
fn numbers_of_the_active_key_can_be_typed() {
    let mut desk = desk();
    assert!(!desk.has("Key value"));
    desk.click(X10);
    assert_eq!(
        (desk.value("Key frame").as_deref(), desk.value("Key value").as_deref()),
        (Some("10"), Some("30°"))
    );
    desk.click("Key value");
    desk.type_text("12.5");
    desk.key(Key::Enter);
    assert_eq!(value(&mut desk, "bone.1.pose", 10.0), Vec3::new(12.5, 20.0, -25.0));
    desk.click("Key frame");
    desk.type_text("7");
    desk.key(Key::Enter);
    assert_eq!(arm(&mut desk), [0.0, 7.0, 20.0]);
    assert_eq!(desk.value("Key frame").as_deref(), Some("7"), "it stays the active one");
    assert_eq!(steps(&mut desk).len(), 2);
}

#[test]
fn the_menu_and_shortcuts_are_those_of_the_sheet() {
    let mut desk = desk();
    desk.right_click(X10);
    desk.click("Keys > Interpolation");
    desk.click("Keys > Make hold");
    assert_eq!(desk.description(X10).as_deref(), Some("hold"));
    desk.hover(desk.center(X20));
    desk.key(Key::Delete);
    assert_eq!(arm(&mut desk), [0.0, 20.0]);
    assert_eq!(steps(&mut desk), ["Delete 1 key", "Make 1 key hold"]);
}

/// Without the time that it takes: see the benches.
#[test]
fn many_keys_are_drawn() {
    let mut desk = Desk::new(Tab::Animate);
    desk.edit_scene(|scene| {
        many_bones(scene, 100);
        let knots = (0..100).map(|bone| KeyframeValues {
            channel: ChannelRef::new(MESH, format!("bone.{bone}.pose")),
            knots: (0..1000).map(|key| (key as f32, Value::Vec3(Vec3::splat((key % 60) as f32)))).collect(),
            modes: vec![Mode::Clamped.into(); 1000],
        });
        let put = KeyCommand::Put { purpose: Purpose::Paste, knots: knots.collect() };
        Command::Keys(put).apply(scene).expect("channels");
    });
    desk.click("Curves");
    let dots = desk.controls().into_iter().filter(|(label, _)| label.contains(", frame ")).count();
    assert!((500..=3000).contains(&dots), "{dots}");
    let size: Vec2 = desk.rect("Keys").size();
    assert!(size.x > 100.0);
}

#[test]
fn handles_set_the_slopes_of_the_component_that_was_clicked() {
    let mut desk = desk();
    let slopes = |desk: &mut Desk| {
        let slopes = channel(desk, "bone.1.pose").slopes(10.0).expect("slopes");
        slopes.map(|slope| [0, 1, 2].map(|component| slope.component(component).expect("a number")))
    };
    desk.click(Y10);
    let handle = "Arm y, frame 10, slope behind";
    assert!(
        desk.has(handle)
            && desk.has("Arm y, frame 10, slope before")
            && !desk.has("Arm x, frame 10, slope behind")
    );
    let before = slopes(&mut desk);
    let (key, at) = (desk.center(Y10), desk.center(handle));
    assert!((at.x - key.x - 10.0 / 3.0 * per_frame(&desk)).abs() < 0.5, "a third of the way");
    desk.drag(handle, vec2(0.0, 25.0));
    let after = slopes(&mut desk);
    assert!(after[1][1] < before[1][1] - 0.5 && (after[0][1] - after[1][1]).abs() < 1e-4, "{after:?}");
    for side in [0, 1] {
        for component in [0, 2] {
            assert!((after[side][component] - before[side][component]).abs() < 1e-4);
        }
    }
    assert_eq!(value(&mut desk, "bone.1.pose", 10.0).y, 20.0);
    assert!((desk.center(handle).y - at.y - 25.0).abs() < 1.0, "the handle is where it was dragged");
    assert_eq!(steps(&mut desk), ["Set the slopes of 1 key"]);
    // With Alt, one side alone; from then on, they move alone.
    desk.hold(Modifiers::ALT);
    desk.drag("Arm y, frame 10, slope before", vec2(0.0, 20.0));
    desk.hold(Modifiers::NONE);
    let broken = slopes(&mut desk);
    assert!((broken[1][1] - after[1][1]).abs() < 1e-4 && broken[0][1] != after[0][1], "{broken:?}");
    desk.drag(handle, vec2(0.0, -10.0));
    assert!((slopes(&mut desk)[0][1] - broken[0][1]).abs() < 1e-4);
    desk.drag_and_give_up(handle, vec2(0.0, -30.0), GiveUp::Escape);
    assert_eq!(steps(&mut desk).len(), 3);
    // J joins them, and they turn together again.
    desk.hover(desk.center(Y10));
    desk.key(Key::J);
    let joined = slopes(&mut desk);
    assert!((joined[0][1] - joined[1][1]).abs() < 1e-4, "{joined:?}");
    desk.drag(handle, vec2(0.0, -10.0));
    let turned = slopes(&mut desk);
    assert!(turned[0][1] != joined[0][1] && (turned[0][1] - turned[1][1]).abs() < 1e-4, "{turned:?}");
    desk.right_click(Y10);
    desk.click("Keys > Slopes");
    desk.click("Keys > Linear before");
    let straight = slopes(&mut desk);
    assert!((straight[0][1] - 0.5).abs() < 1e-4 && straight[1] == turned[1], "{straight:?}");
    desk.right_click(Y10);
    desk.click("Keys > Slopes");
    desk.click("Keys > Automatic slopes");
    assert_eq!(slopes(&mut desk), before);
}
