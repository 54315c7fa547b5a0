//! The dope sheet: rows, selecting keys, its menu, the visible range. Moving keys: `sheet_keys.rs`, the ruler: `ruler.rs`.

use super::MESH;
use super::support::*;
use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, TouchPhase, Vec2, pos2, vec2};
use glam::Vec3;
use ossature::anim::channel::{ChannelRef, Value};
use ossature::anim::mode::Mode;
use ossature::edit::command::Command;
use ossature::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::settings::view::Tab;
use ossature::scene::Scene;
use ossature::scene::names::Kind;

/// Adds keys to the spine at 0 and 10, the arm at 0, 10 and 20, the arm's handle and the instance at 10.
pub fn animate(scene: &mut Scene) {
    let vec = |frame: f32| (frame, Value::Vec3(Vec3::splat(frame)));
    let of = |resource: &str, channel: &str, frames: &[f32]| KeyframeValues {
        modes: Vec::new(),
        channel: ChannelRef::new(resource, channel),
        knots: frames.iter().map(|frame| vec(*frame)).collect(),
    };
    let knots = vec![
        of(MESH, "bone.0.pose", &[0.0, 10.0]),
        of(MESH, "bone.1.pose", &[0.0, 10.0, 20.0]),
        of(MESH, "handle.0.target", &[10.0]),
        of("Root", "translation", &[10.0]),
    ];
    let purpose = Purpose::Paste;
    let put = Command::Keys(KeyCommand::Put { purpose, knots });
    put.apply(scene).expect("channels of the scene");
}

pub fn desk() -> Desk {
    let mut desk = Desk::new(Tab::Animate);
    desk.edit_scene(animate);
    desk
}

/// Returns the frames of a channel's keys.
pub fn frames(desk: &mut Desk, resource: &str, channel: &str) -> Vec<f32> {
    let channel = ChannelRef::new(resource, channel);
    let scene = desk.session().scene();
    scene.animation.get(&channel).map_or(Vec::new(), |c| c.times())
}

pub fn arm(desk: &mut Desk) -> Vec<f32> {
    frames(desk, MESH, "bone.1.pose")
}

/// Returns the labels of the selected keys, without those of summary rows.
pub fn selected(desk: &Desk) -> Vec<String> {
    let keys = desk.controls().into_iter().map(|(label, _)| label);
    let keys = keys.filter(|label| label.starts_with("Key ") && !label.starts_with("Key Summary"));
    let keys = keys.filter(|label| !label.starts_with("Key Body"));
    let mut keys: Vec<_> = keys.filter(|label| desk.toggled(label) == Some(true)).collect();
    keys.sort();
    keys
}

fn rows(desk: &Desk) -> Vec<String> {
    let labels = desk.controls().into_iter().map(|(label, _)| label);
    labels.filter(|label| label.starts_with("Row ")).collect()
}

/// Returns the points per frame.
pub fn per_frame(desk: &Desk) -> f32 {
    (desk.center("Key Root 10").x - desk.center("Key Arm 20").x) / -10.0
}

pub fn steps(desk: &mut Desk) -> Vec<String> {
    desk.session().undo_list().map(str::to_owned).collect()
}

fn wheel(desk: &mut Desk, at: Pos2, delta: Vec2, modifiers: Modifiers) {
    desk.hover(at);
    let (unit, phase) = (MouseWheelUnit::Line, TouchPhase::Move);
    desk.event(Event::MouseWheel { unit, delta, modifiers, phase });
    desk.frame();
}

/// Returns a place in the sheet behind the last key of its row.
pub fn nowhere(desk: &Desk) -> Pos2 {
    pos2(desk.center("Key Arm 20").x, desk.center("Key Spine 10").y)
}

/// A view that the first key made smaller would move under the pointer of the person who poses.
#[test]
fn an_empty_sheet_starts_low_and_the_first_key_does_not_move_the_view() {
    for window in [vec2(1024.0, 700.0), vec2(1280.0, 800.0), vec2(1920.0, 1080.0)] {
        let mut desk = Desk::sized(window, Tab::Animate, None);
        let height = |desk: &Desk| desk.rect(HINT).top() - desk.rect("Timeline divider").center().y;
        let empty = height(&desk);
        let text = desk.rect("No keys yet. Select bones, pose them and press I to insert keyframes.");
        assert!(text.bottom() <= desk.rect(HINT).top(), "the text has room: {text}");
        let knots = vec![KeyframeValues {
            channel: ChannelRef::new(MESH, "bone.0.pose"),
            knots: vec![(0.0, Value::Vec3(Vec3::X))],
            modes: Vec::new(),
        }];
        let put = Command::Keys(KeyCommand::Put { purpose: Purpose::Paste, knots });
        desk.session().apply(&[put]).expect("a channel of the scene");
        desk.frame();
        assert!(desk.rect("Row Summary").bottom() <= desk.rect(HINT).top());
        assert_eq!(height(&desk), empty);
        desk.click("Curves");
        let curves = height(&desk);
        desk.click("Sheet");
        assert_eq!(height(&desk), empty);
        desk.edit_scene(animate);
        assert!(empty < 130.0 && curves > 1.5 * empty && height(&desk) == curves, "{empty}, {curves}");
    }
}

#[test]
fn there_is_a_row_for_each_thing_with_keys_and_a_diamond_for_each_key() {
    let desk = desk();
    let expected = ["Row Summary", "Row Body", "Row Spine", "Row Arm", "Row IK Arm", "Row Root"];
    assert_eq!(rows(&desk), expected);
    for (key, there) in [
        ("Key Summary 0", true),
        ("Key Body 20", true),
        ("Key Arm 20", true),
        ("Key Spine 20", false),
        ("Key IK Arm 10", true),
        ("Key Root 10", true),
    ] {
        assert_eq!(desk.has(key), there, "{key}");
    }
    let [spine, arm] = ["Key Spine 10", "Key Arm 10"].map(|key| desk.center(key));
    assert!((spine.x - arm.x).abs() < 0.01 && arm.y > spine.y + 10.0);
    assert!((desk.center("Row Arm").y - arm.y).abs() < 1.0);
    assert!(desk.doubled_labels().is_empty(), "{:?}", desk.doubled_labels());
}

#[test]
fn without_keys_it_says_what_to_do() {
    let mut desk = Desk::new(Tab::Animate);
    assert!(desk.has_containing("press I to insert keyframes") && rows(&desk).is_empty());
    desk.edit_scene(animate);
    assert!(!desk.has_containing("press I to insert keyframes"));
}

#[test]
fn a_click_on_a_row_selects_what_it_stands_for() {
    let mut desk = desk();
    desk.click("Row Arm");
    let body = Selection::from_mesh(desk.session().scene(), MESH);
    assert_eq!(*desk.session().selection(), body.with_part(Some(Part::Bone(1))));
    desk.click_with(Modifiers::COMMAND, "Row IK Arm");
    let parts: Vec<_> = desk.session().selection().parts().collect();
    assert_eq!(parts, [Part::Handle(0), Part::Bone(1)]);
    desk.click("Row Spine");
    desk.click_with(Modifiers::SHIFT, "Row IK Arm");
    let parts: Vec<_> = desk.session().selection().parts().collect();
    assert_eq!(parts, [Part::Handle(0), Part::Bone(0), Part::Bone(1)]);
    desk.click("Row Body");
    assert_eq!(*desk.session().selection(), body);
    desk.click("Row Root");
    let thing = desk.session().selection().object().unwrap();
    assert_eq!((thing.kind, thing.name.as_str()), (Kind::Transform, "Root"));
}

#[test]
fn folding_hides_the_parts() {
    let mut desk = desk();
    desk.click("Collapse Row Body");
    assert_eq!(rows(&desk), ["Row Summary", "Row Body", "Row Root"]);
    desk.click("Expand Row Body");
    assert_eq!(rows(&desk).len(), 6);
    desk.right_click("Row Root");
    desk.click("Row > Fold all");
    assert!(!desk.has("Row Arm"));
}

#[test]
fn the_filter_leaves_rows_of_what_is_selected() {
    let mut desk = desk();
    let body = Selection::from_mesh(desk.session().scene(), MESH);
    desk.session().select(body.with_part(Some(Part::Bone(1))));
    desk.click("Only selected");
    assert_eq!(rows(&desk), ["Row Summary", "Row Body", "Row Arm"]);
    desk.select(&[Part::Bone(2)]);
    assert_eq!(rows(&desk), ["Row Summary", "Row Body", "Row bone 2"]);
    desk.click("Only selected");
    assert_eq!(rows(&desk).len(), 6);
}

#[test]
fn a_new_selection_comes_into_sight() {
    let mut desk = Desk::new(Tab::Animate);
    desk.edit_scene(|scene| {
        many_bones(scene, 200);
        let pose = |bone: u32| ChannelRef::new(MESH, format!("bone.{bone}.pose"));
        let channels = (0..200).map(pose).collect();
        let set = KeyCommand::Set { channels, frame: 3.0, new_mode: Mode::Clamped };
        Command::Keys(set).apply(scene).unwrap();
    });
    assert!(desk.has("Row bone 0") && !desk.has("Row bone 150"));
    let body = Selection::from_mesh(desk.session().scene(), MESH);
    desk.session().select(body.with_part(Some(Part::Bone(150))));
    for _ in 0..10 {
        desk.frame();
    }
    assert!(desk.has("Row bone 150") && !desk.has("Row bone 0"));
    assert!(desk.has("Row Summary"), "the summary stays");
}

#[test]
fn clicks_select_keys() {
    let mut desk = desk();
    desk.click("Key Arm 10");
    assert_eq!(selected(&desk), ["Key Arm 10"]);
    assert_eq!(desk.toggled("Key Body 10"), None, "some of them");
    assert_eq!(desk.toggled("Key Body 0"), Some(false));
    desk.click_with(Modifiers::SHIFT, "Key Spine 0");
    assert_eq!(selected(&desk), ["Key Arm 10", "Key Spine 0"]);
    desk.click_with(Modifiers::SHIFT, "Key Arm 10");
    assert_eq!(selected(&desk), ["Key Spine 0"]);
    desk.click("Key Summary 10");
    let all = ["Key Arm 10", "Key IK Arm 10", "Key Root 10", "Key Spine 10"];
    assert_eq!(selected(&desk), all);
    assert_eq!(desk.toggled("Key Summary 10"), Some(true));
    let at = nowhere(&desk);
    desk.click_at(at);
    assert!(selected(&desk).is_empty());
    assert!(steps(&mut desk).is_empty());
}

#[test]
fn a_box_selects_what_is_in_it() {
    let mut desk = desk();
    let (from, to) = (desk.center("Key Spine 0"), desk.center("Key Arm 10"));
    let drag = |desk: &mut Desk, from: Pos2, to: Pos2| {
        desk.hover(from);
        desk.press(from);
        desk.hover(from + (to - from) / 2.0);
        desk.hover(to);
        desk.release_and_run(to);
    };
    drag(&mut desk, to + vec2(9.0, 9.0), from - vec2(9.0, 9.0));
    let four = ["Key Arm 0", "Key Arm 10", "Key Spine 0", "Key Spine 10"];
    assert_eq!(selected(&desk), four);
    let root = desk.center("Key Root 10");
    desk.hold(Modifiers::SHIFT);
    drag(&mut desk, root + vec2(9.0, 9.0), root - vec2(9.0, 9.0));
    desk.hold(Modifiers::NONE);
    assert_eq!(selected(&desk).len(), 5);
    // Cancelled: as before.
    let start = root + vec2(30.0, 9.0);
    desk.hover(start);
    desk.press(start);
    desk.hover(start - vec2(300.0, 60.0));
    desk.frame();
    assert_ne!(selected(&desk).len(), 5);
    desk.key(Key::Escape);
    desk.release_and_run(start);
    assert_eq!(selected(&desk).len(), 5);
}

#[test]
fn the_keyboard_is_of_what_the_pointer_is_over() {
    let mut desk = desk();
    let (at, view) = (nowhere(&desk), desk.center("Viewport"));
    desk.click_at(at);
    desk.hover(view);
    desk.key(Key::A);
    assert!(selected(&desk).is_empty(), "the sheet was clicked, but the pointer is over the view");
    desk.hover(at);
    desk.key(Key::A);
    assert_eq!(selected(&desk).len(), 7);
    desk.key_with(Modifiers::ALT, Key::A);
    assert!(selected(&desk).is_empty());
    desk.key_with(Modifiers::COMMAND, Key::A);
    desk.key(Key::Escape);
    assert!(selected(&desk).is_empty());
    desk.key(Key::A);
    desk.right_click("Key Arm 10");
    desk.click("Keys > Copy");
    desk.hover(at);
    desk.key(Key::Delete);
    assert!(!desk.has("Key Arm 10") && steps(&mut desk) == ["Delete 7 keys"]);
    desk.session().undo();
    desk.hover(view);
    desk.frame();
    for key in [Key::Escape, Key::Delete, Key::X, Key::G] {
        desk.key(key);
    }
    desk.key_with(Modifiers::ALT, Key::A);
    assert_eq!(selected(&desk).len(), 7);
    assert!(steps(&mut desk).is_empty() && !desk.takes_keys());
}

#[test]
fn the_menu_offers_what_can_be_done() {
    let mut desk = desk();
    let at = nowhere(&desk);
    desk.right_click_at(at);
    desk.frame();
    assert!(desk.is_disabled("Keys > Copy") && desk.is_disabled("Keys > Paste at playhead"));
    desk.click("Keys > Select");
    desk.click("Keys > Select all");
    assert_eq!(selected(&desk).len(), 7);
    desk.right_click("Key Spine 0");
    assert_eq!(selected(&desk).len(), 7, "it is one of them");
    desk.click("Keys > Select");
    desk.click("Keys > Select none");
    desk.right_click("Key Spine 0");
    assert_eq!(selected(&desk), ["Key Spine 0"]);
    desk.click("Keys > Select");
    desk.click("Keys > Select columns");
    assert_eq!(selected(&desk), ["Key Arm 0", "Key Spine 0"]);
    desk.session().set_frame(20.0);
    desk.right_click("Key Spine 0");
    desk.click("Keys > Select");
    desk.click("Keys > Select at playhead");
    assert_eq!(selected(&desk), ["Key Arm 20"]);
    desk.right_click("Key Arm 20");
    desk.click("Keys > Delete");
    assert_eq!(arm(&mut desk), [0.0, 10.0]);
    desk.right_click("Row Spine");
    desk.click("Row > Select its keys");
    assert_eq!(selected(&desk), ["Key Spine 0", "Key Spine 10"]);
}

#[test]
fn double_clicks_go_to_a_key_and_select_a_row() {
    let mut desk = desk();
    desk.double_click("Key Arm 20");
    assert_eq!(desk.session().frame(), 20.0);
    desk.double_click("Row Arm");
    assert_eq!(selected(&desk), ["Key Arm 0", "Key Arm 10", "Key Arm 20"]);
}

#[test]
fn wheels_zoom_at_the_pointer_and_pan() {
    let mut desk = desk();
    let at = desk.center("Key Arm 10");
    let before = per_frame(&desk);
    wheel(&mut desk, at, vec2(0.0, 2.0), Modifiers::COMMAND);
    assert!((per_frame(&desk) / before - 1.44).abs() < 0.02);
    assert!((desk.center("Key Arm 10").x - at.x).abs() < 0.5);
    let ruler = desk.rect("Ruler of frames").center();
    wheel(&mut desk, ruler, vec2(0.0, -2.0), Modifiers::NONE);
    assert!((per_frame(&desk) / before - 1.0).abs() < 0.02);
    let x = desk.center("Key Arm 10").x;
    wheel(&mut desk, at, vec2(0.0, 1.0), Modifiers::SHIFT);
    assert!((desk.center("Key Arm 10").x - x - 40.0).abs() < 0.5);
    wheel(&mut desk, at, vec2(-2.0, 0.0), Modifiers::NONE);
    assert!((desk.center("Key Arm 10").x - x + 40.0).abs() < 0.5);
    desk.hover(at);
    desk.press_button(at, PointerButton::Middle);
    desk.hover(at + vec2(70.0, 0.0));
    desk.frame();
    desk.release_button(at + vec2(70.0, 0.0), PointerButton::Middle);
    assert!((desk.center("Key Arm 10").x - x - 30.0).abs() < 0.5);
    desk.click("Show whole clip");
    assert!((per_frame(&desk) - before).abs() < 0.01);
    // Frames only the selected keys.
    desk.click("Key Arm 10");
    desk.click_with(Modifiers::SHIFT, "Key Arm 20");
    desk.key(Key::F);
    assert!(per_frame(&desk) > 3.0 * before);
    desk.key(Key::Home);
    assert!((per_frame(&desk) - before).abs() < 0.01);
}

#[test]
fn what_plays_stays_in_sight() {
    let mut desk = desk();
    desk.click("Key Arm 10");
    desk.click_with(Modifiers::SHIFT, "Key Arm 20");
    desk.key(Key::F);
    assert!(desk.has("Key Arm 20"));
    desk.session().set_frame(80.0);
    desk.frame();
    assert!(!desk.has("Key Arm 20"), "the page has turned");
}

#[test]
fn names_are_as_wide_as_one_likes() {
    let mut desk = desk();
    let before = desk.rect("Row Arm").width();
    desk.drag("Width of row names", vec2(80.0, 0.0));
    assert!((desk.rect("Row Arm").width() - before - 80.0).abs() < 8.0);
    desk.double_click("Width of row names");
    assert!((desk.rect("Row Arm").width() - before).abs() < 0.1);
}

#[test]
fn another_tab_ends_a_drag() {
    let mut desk = desk();
    let from = desk.center("Key Arm 10");
    desk.hover(from);
    desk.press(from);
    desk.hover(from + vec2(90.0, 0.0));
    desk.frame();
    assert!(desk.session().in_transaction());
    desk.state_mut().settings.tab = Tab::Rig;
    desk.frame();
    assert!(!desk.session().in_transaction() && !desk.takes_keys());
    assert_eq!(steps(&mut desk).len(), 1);
}

#[test]
fn small_and_large_windows() {
    for size in
        [vec2(800.0, 600.0), vec2(1280.0, 800.0), vec2(1920.0, 1080.0), vec2(320.0, 200.0), vec2(150.0, 90.0)]
    {
        let mut desk = Desk::sized(size, Tab::Animate, Some(Part::Bone(1)));
        desk.edit_scene(animate);
        desk.scale(2.0);
        desk.scale(1.0);
        if size.x >= 800.0 {
            assert!(desk.has("Key Arm 20") && desk.has("Show seconds"), "{size}");
            let [row, key] = ["Row Arm", "Key Arm 0"].map(|label| desk.rect(label));
            assert!(row.right() < key.left() && key.left() > 100.0);
        }
    }
}
