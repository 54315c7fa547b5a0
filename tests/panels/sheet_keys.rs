//! The keys of the dope sheet: moved, scaled, copied, duplicated, deleted.

use super::MESH;
use super::sheet::{arm, desk, frames, nowhere, per_frame, selected, steps};
use super::support::*;
use egui::{Key, Modifiers, pos2, vec2};
use glam::Vec3;
use ossature::anim::channel::{ChannelRef, Value};
use ossature::anim::take::Take;
use ossature::edit::command::Command;
use ossature::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use ossature::edit::request::Request;
use ossature::edit::settings::view::Tab;
use ossature::edit::time::keying;
use ossature::scene::Scene;
use std::sync::Arc;

#[test]
fn dragged_keys_move_by_whole_frames_in_one_step() {
    let mut desk = desk();
    desk.click("Key Arm 10");
    desk.click_with(Modifiers::SHIFT, "Key Spine 10");
    let by = per_frame(&desk);
    let requests = desk.drag("Key Arm 10", vec2(3.3 * by, 0.0));
    assert!(matches!(requests.last(), Some(Request::Commit)), "{requests:?}");
    assert_eq!(arm(&mut desk), [0.0, 13.0, 20.0]);
    assert_eq!(frames(&mut desk, MESH, "bone.0.pose"), [0.0, 13.0]);
    assert_eq!(frames(&mut desk, "Root", "translation"), [10.0]);
    assert_eq!(selected(&desk), ["Key Arm 13", "Key Spine 13"]);
    assert_eq!(steps(&mut desk), ["Move 2 keys by 3"]);
    // Undo and redo restore the selection.
    desk.session().undo();
    desk.frame();
    assert_eq!(selected(&desk), ["Key Arm 10", "Key Spine 10"]);
    desk.session().redo();
    desk.frame();
    assert_eq!(selected(&desk), ["Key Arm 13", "Key Spine 13"]);
}

#[test]
fn a_key_that_is_not_selected_is_by_the_drag() {
    let mut desk = desk();
    desk.click("Key Spine 0");
    let by = per_frame(&desk);
    desk.drag("Key Arm 20", vec2(-2.0 * by, 0.0));
    assert_eq!(arm(&mut desk), [0.0, 10.0, 18.0]);
    assert_eq!(selected(&desk), ["Key Arm 18"]);
    assert_eq!(frames(&mut desk, MESH, "bone.0.pose"), [0.0, 10.0]);
}

#[test]
fn shift_moves_between_frames() {
    let mut desk = desk();
    let by = per_frame(&desk);
    let from = desk.center("Key Arm 10");
    desk.hover(from);
    desk.press(from);
    desk.hover(from + vec2(9.0, 0.0));
    desk.hold(Modifiers::SHIFT);
    let to = from + vec2(2.5 * by, 0.0);
    desk.hover(to);
    desk.frame();
    desk.release_and_run(to);
    let middle = arm(&mut desk)[1];
    assert!((middle - 12.5).abs() < 0.06, "{middle}");
    desk.hold(Modifiers::NONE);
    desk.right_click(&format!("Key Arm {middle}"));
    desk.click("Keys > Snap to frames");
    assert_eq!(arm(&mut desk)[1].fract(), 0.0);
    assert_eq!(selected(&desk).len(), 1);
}

#[test]
fn no_key_goes_before_frame_0_and_the_clip_grows() {
    let mut desk = desk();
    let by = per_frame(&desk);
    desk.click("Key Arm 20");
    desk.drag("Key Arm 20", vec2(-40.0 * by, 0.0));
    assert_eq!(arm(&mut desk), [0.0, 10.0]);
    desk.session().undo();
    desk.frame();
    let x = desk.center("Key Arm 20").x;
    desk.drag("Key Arm 20", vec2(85.0 * by, 0.0));
    // The view follows beyond the edge.
    let length = desk.session().scene().animation.clip.length;
    assert!((106..120).contains(&length), "{length}");
    let last = desk.center(&format!("Key Arm {}", length - 1)).x;
    assert!(last > x && desk.rect("Keys").right() > last, "all of it is in sight again");
}

#[test]
fn a_drag_that_is_given_up_changes_nothing() {
    for how in [GiveUp::Escape, GiveUp::RightClick] {
        let mut desk = desk();
        desk.click("Key Arm 10");
        desk.drag_and_give_up("Key Arm 10", vec2(60.0, 0.0), how);
        assert_eq!(arm(&mut desk), [0.0, 10.0, 20.0], "{how:?}");
        assert!(steps(&mut desk).is_empty() && !desk.session().in_transaction());
        assert_eq!(selected(&desk), ["Key Arm 10"]);
        assert!(!desk.has("Keys > Copy"));
        assert!(desk.state().esc_was_ours || matches!(how, GiveUp::RightClick));
    }
}

#[test]
fn keys_that_are_replaced_are_told_of() {
    let mut desk = desk();
    let by = per_frame(&desk);
    desk.click("Key Body 10");
    let from = desk.center("Key Body 10");
    desk.hover(from);
    desk.press(from);
    desk.hover(from + vec2(5.0 * by, 0.0));
    desk.frame();
    assert!(desk.has("+5 frames") && !desk.has_containing("replaces"));
    desk.hover(from + vec2(10.0 * by, 0.0));
    desk.frame();
    assert!(desk.has("+10 frames") && desk.has("replaces 1 key"));
    desk.release_and_run(from + vec2(10.0 * by, 0.0));
    assert_eq!(arm(&mut desk), [0.0, 20.0]);
    assert_eq!(steps(&mut desk), ["Move 3 keys by 10, replacing 1"]);
    assert!(desk.has_containing("Undo restores the replaced keys"));
    desk.session().undo();
    assert_eq!(arm(&mut desk), [0.0, 10.0, 20.0]);
}

#[test]
fn g_moves_keys_until_a_click() {
    let mut desk = desk();
    desk.click("Key Arm 10");
    let by = per_frame(&desk);
    let at = desk.center("Key Arm 10") + vec2(0.0, 2.0);
    desk.hover(at);
    desk.key(Key::G);
    assert!(desk.takes_keys());
    desk.hover(at + vec2(4.0 * by, 0.0));
    desk.frame();
    assert_eq!(arm(&mut desk), [0.0, 14.0, 20.0]);
    let before = desk.session().selection().clone();
    desk.click_at(at + vec2(5.0 * by, -300.0));
    assert_eq!(arm(&mut desk), [0.0, 15.0, 20.0]);
    assert_eq!(desk.state().viewport_clicks, 0, "the sheet handles the click");
    assert_eq!(*desk.session().selection(), before);
    assert_eq!(steps(&mut desk), ["Move 1 key by 5"]);
    assert!(!desk.takes_keys());
    desk.hover(desk.center("Key Arm 15"));
    desk.key(Key::G);
    desk.hover(at + vec2(-5.0 * by, 0.0));
    desk.key(Key::Escape);
    assert_eq!(arm(&mut desk), [0.0, 15.0, 20.0]);
    assert_eq!(selected(&desk), ["Key Arm 15"]);
}

#[test]
fn numbers_typed_while_keys_move_count_instead_of_the_pointer() {
    let mut desk = desk();
    desk.click("Key Arm 10");
    let at = desk.center("Key Arm 10");
    desk.key(Key::G);
    let text = |desk: &mut Desk, text: &str| desk.event(egui::Event::Text(text.into()));
    text(&mut desk, "3");
    desk.hover(at + vec2(200.0, -200.0));
    desk.frame();
    assert!(desk.has_containing("3| frames"), "{:?}", desk.controls());
    assert_eq!(arm(&mut desk), [0.0, 13.0, 20.0]);
    text(&mut desk, "-");
    desk.frame();
    assert_eq!(arm(&mut desk), [0.0, 7.0, 20.0]);
    desk.key(Key::Backspace);
    text(&mut desk, "2");
    desk.frame();
    desk.key(Key::Enter);
    assert_eq!(arm(&mut desk), [0.0, 8.0, 20.0]);
    assert_eq!(steps(&mut desk), ["Move 1 key by -2"]);
    // By a factor.
    desk.session().set_frame(0.0);
    desk.click_with(Modifiers::SHIFT, "Key Arm 20");
    desk.key(Key::S);
    for character in ["0", ".", "5"] {
        text(&mut desk, character);
    }
    desk.frame();
    assert!(desk.has_containing("× 0.5| about 0"), "{:?}", desk.controls());
    desk.key(Key::Enter);
    assert_eq!(arm(&mut desk), [0.0, 4.0, 10.0]);
    assert!(!desk.takes_keys());
}

#[test]
fn t_goes_through_the_modes_and_shapes_say_which() {
    let mut desk = desk();
    desk.click("Key Arm 10");
    assert_eq!(desk.description("Key Arm 10").as_deref(), Some("clamped"));
    for mode in ["linear", "hold", "smooth", "clamped"] {
        desk.key(Key::T);
        desk.frame();
        assert_eq!(desk.description("Key Arm 10").as_deref(), Some(mode));
        assert!(desk.has_containing(&format!("1 key made {mode}")));
    }
    let labels = ["clamped", "smooth", "hold", "linear"].map(|mode| format!("Make 1 key {mode}"));
    assert_eq!(steps(&mut desk), labels);
    desk.right_click("Key Arm 10");
    desk.click("Keys > Interpolation");
    desk.click("Keys > Make smooth");
    desk.frame();
    assert_eq!(desk.description("Key Arm 10").as_deref(), Some("smooth"));
    assert_eq!(selected(&desk), ["Key Arm 10"]);
}

/// A flip of the arm between two keys.
#[test]
fn angles_that_jump_are_filtered() {
    let mut desk = desk();
    desk.click("Key Arm 10");
    desk.right_click("Key Arm 10");
    desk.click("Keys > Euler filter");
    desk.frame();
    assert!(desk.has_containing("No angle jumps"), "{:?}", desk.controls());
    desk.edit_scene(|scene| {
        let knots = vec![KeyframeValues {
            channel: ChannelRef::new(MESH, "bone.1.pose"),
            knots: vec![(10.0, Value::Vec3(Vec3::new(190.0, 170.0, -170.0)))],
            modes: Vec::new(),
        }];
        Command::Keys(KeyCommand::Put { purpose: Purpose::Paste, knots }).apply(scene).unwrap();
    });
    desk.right_click("Key Arm 10");
    desk.click("Keys > Euler filter");
    desk.frame();
    let arm = ChannelRef::new(MESH, "bone.1.pose");
    let value = desk.session().scene().animation.get(&arm).unwrap().key(10.0);
    assert_eq!(value, Some(Value::Vec3(Vec3::splat(10.0))));
    assert_eq!(steps(&mut desk), ["Filter Arm"]);
}

#[test]
fn s_scales_about_the_playhead() {
    let mut desk = desk();
    desk.session().set_frame(10.0);
    desk.frame();
    desk.click("Key Body 0");
    desk.click_with(Modifiers::SHIFT, "Key Body 20");
    let by = per_frame(&desk);
    let at = desk.center("Key Arm 20");
    desk.hover(at);
    desk.key(Key::S);
    desk.hover(at + vec2(5.0 * by, 0.0));
    desk.frame();
    assert_eq!(arm(&mut desk), [0.0, 10.0, 20.0], "not before frame 0");
    desk.hover(at - vec2(5.0 * by, 0.0));
    desk.frame();
    assert!(desk.has("× 0.5 about 10"), "{:?}", desk.controls());
    desk.key(Key::Enter);
    assert_eq!(arm(&mut desk), [5.0, 10.0, 15.0]);
    assert_eq!(frames(&mut desk, MESH, "bone.0.pose"), [5.0, 10.0]);
    assert_eq!(steps(&mut desk), ["Scale 3 keys by 0.5"]);
}

#[test]
fn brackets_scale_about_the_other_end() {
    let mut desk = desk();
    assert!(!desk.has("End of selected keys"));
    desk.click_at(nowhere(&desk));
    desk.key(Key::A);
    let by = per_frame(&desk);
    desk.drag("End of selected keys", vec2(20.0 * by, 0.0));
    assert_eq!(arm(&mut desk), [0.0, 20.0, 40.0]);
    assert_eq!(steps(&mut desk), ["Scale 7 keys by 2"]);
    desk.drag("Start of selected keys", vec2(20.0 * by, 0.0));
    assert_eq!(arm(&mut desk), [20.0, 30.0, 40.0]);
    assert_eq!(selected(&desk).len(), 7);
}

/// Beside what is drawn, which is 10 points from the key, as far as the key is not meant; and however far the pointer has
/// moved in the frame of the press, be it over the ruler.
#[test]
fn brackets_are_dragged_from_where_they_are_pressed() {
    for (key, outward, scaled) in [("20", 1.0, [0.0, 20.0, 40.0]), ("0", -1.0, [10.0, 15.0, 20.0])] {
        for (away, rise) in [(-2.5, 0.0), (0.0, 0.0), (3.0, 0.0), (5.5, 0.0), (0.0, -40.0)] {
            let mut desk = desk();
            desk.click_at(nowhere(&desk));
            desk.key(Key::A);
            let y = desk.center("End of selected keys").y;
            let x = desk.center(&format!("Key Arm {key}")).x + outward * (10.0 + away);
            let (from, frames) = (pos2(x, y), if outward > 0.0 { 20.0 } else { 10.0 });
            let to = from + vec2(frames * per_frame(&desk), 0.0);
            desk.quick_press(from, to + vec2(0.0, rise));
            desk.hover(to);
            desk.release_and_run(to);
            assert_eq!(arm(&mut desk), scaled, "{key}, {away}, {rise}");
            assert_eq!(selected(&desk).len(), 7, "{key}, {away}, {rise}: no box");
            assert_eq!(desk.session().frame(), 0.0, "nothing else is dragged");
        }
    }
}

#[test]
fn a_click_on_a_bracket_deselects_nothing() {
    let mut desk = desk();
    desk.click_at(nowhere(&desk));
    desk.key(Key::A);
    desk.click("End of selected keys");
    assert_eq!(selected(&desk).len(), 7);
    assert!(steps(&mut desk).is_empty());
}

#[test]
fn copied_keys_are_pasted_at_the_playhead() {
    let mut desk = desk();
    desk.click("Key Arm 10");
    desk.click_with(Modifiers::SHIFT, "Key Arm 20");
    desk.key_with(Modifiers::COMMAND, Key::C);
    desk.session().set_frame(40.0);
    desk.frame();
    desk.key_with(Modifiers::COMMAND, Key::V);
    assert_eq!(arm(&mut desk), [0.0, 10.0, 20.0, 40.0, 50.0]);
    assert_eq!(selected(&desk), ["Key Arm 40", "Key Arm 50"]);
    assert_eq!(steps(&mut desk), ["Paste 2 keys"]);
    desk.key_with(Modifiers::COMMAND, Key::X);
    assert_eq!(arm(&mut desk), [0.0, 10.0, 20.0]);
    // Keys whose target was deleted are left out, with a message.
    desk.hover(nowhere(&desk));
    desk.key(Key::A);
    desk.key_with(Modifiers::COMMAND, Key::C);
    let rename = |scene: &mut Scene| {
        let root = scene.transforms.remove("Root").unwrap();
        scene.transforms.insert("Trunk".into(), root);
    };
    desk.edit_scene(rename);
    desk.session().set_frame(60.0);
    desk.hover(nowhere(&desk));
    desk.key_with(Modifiers::COMMAND, Key::V);
    assert_eq!(arm(&mut desk), [0.0, 10.0, 20.0, 60.0, 70.0, 80.0]);
    assert!(desk.has_containing("Keys of 1 channel are left out"));
}

#[test]
fn duplicates_follow_the_pointer() {
    let mut desk = desk();
    desk.click("Key Arm 10");
    let by = per_frame(&desk);
    let at = desk.center("Key Arm 10");
    desk.key_with(Modifiers::SHIFT, Key::D);
    desk.hover(at + vec2(6.0 * by, 0.0));
    desk.frame();
    desk.click_at(at + vec2(6.0 * by, 0.0));
    assert_eq!(arm(&mut desk), [0.0, 10.0, 16.0, 20.0]);
    assert_eq!(selected(&desk), ["Key Arm 16"]);
    assert_eq!(steps(&mut desk), ["Duplicate 1 key"]);
    // Without moving, duplicates are not added.
    desk.key_with(Modifiers::SHIFT, Key::D);
    desk.key(Key::Enter);
    assert_eq!(steps(&mut desk).len(), 1);
}

#[test]
fn delete_takes_keys_and_nothing_else() {
    for key in [Key::Delete, Key::X] {
        let mut desk = desk();
        let names = desk.session().scene().names().len();
        desk.click("Row Arm");
        desk.click("Key Summary 10");
        desk.key(key);
        assert_eq!(arm(&mut desk), [0.0, 20.0]);
        assert!(!desk.has("Row Root"));
        assert_eq!(steps(&mut desk), ["Delete 4 keys"]);
        desk.key(key);
        assert_eq!(steps(&mut desk).len(), 1);
        assert!(desk.has_containing("Delete: Select keys first."));
        assert_eq!(desk.session().scene().names().len(), names);
        desk.session().undo();
        desk.frame();
        assert_eq!(selected(&desk).len(), 4, "they come back selected");
    }
}

/// All keys are scaled with what is played; some keys alone, with a message.
#[test]
fn retiming_takes_the_play_range_and_takes_along_with_all_keys() {
    let mut desk = desk();
    desk.edit_scene(|scene| {
        let animation = Arc::make_mut(&mut scene.animation);
        animation.takes.list = vec![Take::new("Walk", [0, 20]), Take::new("Stop", [10, 20])];
        animation.choose_take(Some(0));
    });
    let ranges = |desk: &mut Desk| {
        let animation = desk.session().scene().animation.clone();
        let takes: Vec<_> = animation.takes.list.iter().map(|take| take.range).collect();
        (animation.clip.range, takes)
    };
    let scale = |desk: &mut Desk| {
        desk.session().set_frame(0.0);
        desk.key(Key::S);
        desk.event(egui::Event::Text("2".into()));
        desk.frame();
    };
    desk.hover(nowhere(&desk));
    desk.key(Key::A);
    scale(&mut desk);
    assert!(desk.has("Play range and takes are scaled along"), "{:?}", desk.controls());
    desk.key(Key::Enter);
    assert_eq!(arm(&mut desk), [0.0, 20.0, 40.0]);
    assert_eq!(ranges(&mut desk), (Some([0, 40]), vec![[0, 40], [20, 40]]));
    assert_eq!(desk.session().scene().animation.takes.chosen, Some(0));
    desk.session().undo();
    desk.frame();
    let before = ranges(&mut desk);
    assert_eq!(before, (Some([0, 20]), vec![[0, 20], [10, 20]]));
    desk.click("Key Arm 20");
    scale(&mut desk);
    desk.key(Key::Enter);
    assert_eq!((arm(&mut desk)[2], ranges(&mut desk)), (40.0, before));
    assert!(desk.has_containing("Play range and takes stay"), "{:?}", desk.controls());
}

/// A clip that ends with its last key, as a loop does, still does when it is played faster.
#[test]
fn a_clip_that_ends_with_its_last_key_is_scaled() {
    let mut desk = desk();
    desk.edit_scene(|scene| Arc::make_mut(&mut scene.animation).clip.length = 21);
    let over = nowhere(&desk);
    for (typed, length) in [("0.5", 11), ("2", 21)] {
        desk.hover(over);
        desk.key(Key::A);
        desk.session().set_frame(0.0);
        desk.key(Key::S);
        desk.event(egui::Event::Text(typed.into()));
        desk.frame();
        desk.key(Key::Enter);
        assert_eq!(desk.session().scene().animation.clip.length, length, "{typed}");
    }
}

/// Over the sheet, Ctrl+Shift+V pastes the keys of one arm into those of the other; a handle without another side is named.
#[test]
fn keys_are_pasted_mirrored_over_the_sheet() {
    let mut desk = desk();
    desk.hover(nowhere(&desk));
    desk.key(Key::A);
    desk.key_with(Modifiers::COMMAND, Key::C);
    desk.session().set_frame(30.0);
    desk.frame();
    desk.hover(nowhere(&desk));
    desk.key_with(Modifiers::COMMAND | Modifiers::SHIFT, Key::V);
    assert_eq!(frames(&mut desk, MESH, "bone.2.pose"), [30.0, 40.0, 50.0]);
    assert_eq!(frames(&mut desk, MESH, "bone.0.pose"), [0.0, 10.0, 30.0, 40.0]);
    assert_eq!(
        (arm(&mut desk), frames(&mut desk, "Root", "translation")),
        (vec![0.0, 10.0, 20.0], vec![10.0])
    );
    assert!(
        desk.has_containing("Keys of 2 channels are left out: they have no other side"),
        "{:?}",
        desk.texts()
    );
}

#[test]
fn ten_thousand_keys() {
    let mut desk = Desk::new(Tab::Animate);
    desk.edit_scene(|scene| {
        many_bones(scene, 100);
        let knots = (0..100).map(|frame| (frame as f32, Value::Vec3(Vec3::X)));
        let of = |bone: u32| KeyframeValues {
            modes: Vec::new(),
            channel: ChannelRef::new(MESH, format!("bone.{bone}.pose")),
            knots: knots.clone().collect(),
        };
        let (purpose, knots) = (Purpose::Paste, (0..100).map(of).collect());
        Command::Keys(KeyCommand::Put { purpose, knots }).apply(scene).unwrap();
    });
    let count = |scene: &Scene| -> usize { keying::all_keys(scene).iter().map(|of| of.frames.len()).sum() };
    assert_eq!(count(desk.session().scene()), 10_000);
    let drawn = desk.controls().into_iter().filter(|(label, _)| label.starts_with("Key "));
    let drawn = drawn.count();
    assert!((200..3000).contains(&drawn), "only what is in sight: {drawn}");
    desk.click("Key Summary 50");
    desk.key(Key::A);
    desk.key(Key::G);
    desk.hover(desk.center("Key Summary 50") + vec2(40.0, 0.0));
    desk.key(Key::Enter);
    let first = desk.session().scene().animation.channels[MESH]["bone.7.pose"].times()[0];
    assert!(first >= 1.0, "{first}");
    assert_eq!(count(desk.session().scene()), 10_000);
    assert_eq!(steps(&mut desk).len(), 1);
}
