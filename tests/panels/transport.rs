//! The play controls, unkeyed changes over the viewport, and how fields show keys.

use super::support::*;
use super::{MESH, mesh};
use egui::{Key, vec2};
use glam::Vec3;
use ossature::anim::channel::{Animation, Channel};
use ossature::anim::spline::Spline;
use ossature::edit::action::{Action, Menu, Reason};
use ossature::edit::command::Command;
use ossature::edit::command::keys::KeyCommand;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::edit::time::playback::Repeat;
use ossature::scene::Scene;
use std::sync::Arc;

/// Adds keys: the arm rotates from frame 0 to frame 10; its handle is switched and the instance moves at 10.
fn animate(scene: &mut Scene) {
    let mut animation = Animation::default();
    let mut put = |resource: &str, name: &str, channel: Channel| {
        let of = animation.channels.entry(resource.into()).or_default();
        of.insert(name.into(), Arc::new(channel));
    };
    let knots = vec![(0.0, Vec3::ZERO), (10.0, Vec3::new(90.0, 0.0, 0.0))];
    put(MESH, "bone.1.pose", Channel::Vec3(Spline::from_knots(knots)));
    let knots = vec![(10.0, true)];
    put(MESH, "handle.0.enabled", Channel::Bool(Spline::from_knots(knots)));
    let knots = vec![(10.0, Vec3::Y)];
    put("Root", "translation", Channel::Vec3(Spline::from_knots(knots)));
    scene.animation = Arc::new(animation);
}

fn desk(part: Option<Part>, frame: f32) -> Desk {
    let mut desk = Desk::with_part(Tab::Animate, part);
    desk.edit_scene(animate);
    desk.session().set_frame(frame);
    desk.frame();
    desk
}

const ARM: Option<Part> = Some(Part::Bone(1));

fn clip(command: KeyCommand) -> [Request; 1] {
    [Request::Apply(vec![Command::Keys(command)])]
}

#[test]
fn the_keying_set_is_chosen_beside_auto_key() {
    let mut desk = desk(ARM, 4.0);
    assert_eq!(desk.value("Keying set").as_deref(), Some("Selection"));
    desk.click("Keying set");
    let action = Action::KEYING_ROTATIONS;
    assert_eq!(desk.click("Keying set: Key rotations only"), [Request::Act(action)]);
    desk.frame();
    assert_eq!(desk.value("Keying set").as_deref(), Some("Rotations"));
    assert_eq!(desk.doubled_labels(), Vec::<String>::new());
}

#[test]
fn buttons_ask_for_their_actions() {
    for (action, frame) in [
        (Action::FIRST_FRAME, 5.0),
        (Action::PREVIOUS_KEY, 5.0),
        (Action::PLAY, 5.0),
        (Action::NEXT_KEY, 5.0),
        (Action::LAST_FRAME, 5.0),
        (Action::TOGGLE_AUTO_KEY, 5.0),
        (Action::INSERT_KEYS, 5.0),
        (Action::DELETE_KEYS, 10.0),
    ] {
        let mut desk = desk(ARM, frame);
        assert_eq!(desk.click(action.text), [Request::Act(action)], "{action:?}");
    }
    let desk = desk(ARM, 0.0);
    for action in [Action::PREVIOUS_KEY, Action::DELETE_KEYS] {
        let why_not = desk.with_view(|view| action.enabled(view).err().map(Reason::into_owned));
        let text = action.text;
        assert_eq!(
            (desk.is_disabled(text), desk.description(text)),
            (why_not.is_some(), why_not),
            "{action:?}"
        );
    }
}

#[test]
fn they_belong_to_the_animate_tab() {
    for tab in [Tab::Rig, Tab::Animate] {
        let desk = Desk::new(tab);
        for label in ["Play or pause", "Frame", "Length", "Rate", "Auto-key"] {
            assert_eq!(desk.has(label), tab == Tab::Animate, "{label}");
        }
    }
}

#[test]
fn the_menu_shows_every_action() {
    let mut desk = desk(ARM, 5.0);
    desk.click("Animation");
    assert!(desk.has("Animation > Keying set"));
    for action in Menu::ANIMATE.actions.iter().filter(|action| action.submenu.is_none()) {
        let text = action.text;
        assert!(desk.has(&format!("Animation > {text}")), "{text}");
    }
    desk.click("Animation > Time");
    assert_eq!(desk.click("Animation > Add frames"), [Request::Act(Action::ADD_FRAMES)]);
}

#[test]
fn the_frame_is_typed_and_dragged() {
    let mut desk = desk(ARM, 5.0);
    assert_eq!(desk.value("Frame").as_deref(), Some("5"));
    assert!(!desk.has("Time 0.21 s"), "there is no room");
    desk.resize(vec2(1280.0, 900.0));
    assert!(desk.has("Time 0.21 s"));
    desk.click("Frame");
    assert!(desk.takes_keys(), "arrows move the cursor in the text");
    desk.type_text("12");
    assert_eq!(desk.key(Key::Enter), [Request::SetFrame(12.0)]);
    assert!(!desk.takes_keys());
    assert_eq!(desk.session().frame(), 12.0);
    let asked = desk.drag("Frame", vec2(50.0, 0.0));
    let frames = asked.iter().map(|request| match request {
        Request::SetFrame(frame) => *frame,
        other => panic!("{other:?}"),
    });
    let frames: Vec<f32> = frames.collect();
    assert!(frames.iter().all(|frame| *frame == frame.round()));
    assert_eq!(frames.last(), Some(&22.0));
    // Not beyond the end.
    desk.click("Frame");
    desk.type_text("1000");
    assert_eq!(desk.key(Key::Enter), [Request::SetFrame(95.0)]);
    desk.click("Frame");
    desk.type_text("3");
    assert_eq!(desk.key(Key::Escape), []);
}

/// The number must not change while it is edited.
#[test]
fn typing_a_frame_ends_playing() {
    let mut desk = desk(ARM, 5.0);
    desk.click("Play or pause");
    assert!(desk.state().settings.playback.is_playing());
    desk.click("Frame");
    assert!(!desk.state().settings.playback.is_playing());
}

#[test]
fn numbers_of_the_clip() {
    for (label, typed, command) in [
        ("Length", "120", KeyCommand::SetLength { frames: 120 }),
        // The keys require eleven frames.
        ("Length", "3", KeyCommand::SetLength { frames: 11 }),
        ("Range start", "4", KeyCommand::SetRange { range: Some([4, 95]) }),
        ("Range end", "40", KeyCommand::SetRange { range: Some([0, 40]) }),
        ("Rate", "30", KeyCommand::SetRate { frames_per_second: 30.0 }),
        ("Rate", "1000", KeyCommand::SetRate { frames_per_second: 240.0 }),
    ] {
        let mut desk = desk(ARM, 5.0);
        desk.click(label);
        assert!(desk.takes_keys(), "{label}");
        desk.type_text(typed);
        assert_eq!(desk.key(Key::Enter), clip(command), "{label} {typed}");
        assert!(!desk.takes_keys());
    }
    let mut desk = desk(ARM, 5.0);
    let asked = desk.drag("Length", vec2(30.0, 0.0));
    assert_eq!(asked.last(), Some(&Request::Commit));
    assert!(desk.session().scene().animation.clip.length > 96);
    assert_eq!(desk.session().undo_list().count(), 1);
}

#[test]
fn repeat_and_speed_are_chosen() {
    let mut desk = desk(ARM, 5.0);
    assert_eq!(desk.value("Repeat").as_deref(), Some("Loop"));
    for (text, repeat) in [("Ping-pong", Repeat::PingPong), ("Once, then stop", Repeat::Once)] {
        desk.click("Repeat");
        assert_eq!(desk.click(&format!("Repeat: {text}")), [Request::Repeat(repeat)]);
        assert_eq!(desk.value("Repeat").as_deref(), Some(text));
    }
    assert_eq!(desk.value("Speed").as_deref(), Some("1×"));
    for (text, speed) in [("1/4×", 0.25), ("4×", 4.0)] {
        desk.click("Speed");
        assert_eq!(desk.click(&format!("Speed: {text}")), [Request::Speed(speed)]);
        assert_eq!(desk.value("Speed").as_deref(), Some(text));
    }
}

#[test]
fn dropped_frames_are_told_until_it_plays_again() {
    let mut desk = desk(ARM, 0.0);
    let clip = desk.session().scene().animation.clip;
    desk.click("Play or pause");
    assert!(!desk.has_containing("dropped"));
    desk.state_mut().settings.playback.advance(&clip, 0.0, 0.25);
    desk.frame();
    assert!(desk.has("5 frames dropped"));
    desk.click("Play or pause");
    assert!(desk.has("5 frames dropped"), "it stays after a pause");
}

#[test]
fn unkeyed_changes_are_told_of() {
    let turn = |desk: &mut Desk| {
        let pose_deg = Vec3::new(20.0, 0.0, 0.0);
        let (mesh, bone) = (mesh(), 1);
        let turn = Command::set_bone(mesh, bone, "pose", pose_deg);
        desk.session().apply(&[turn]).unwrap();
        desk.frame();
    };
    for (label, action) in
        [("Key unkeyed changes", Action::KEY_UNKEYED), ("Dismiss unkeyed changes", Action::DISMISS_UNKEYED)]
    {
        let mut desk = desk(ARM, 5.0);
        assert!(!desk.has(label) && !desk.has_containing("unkeyed change"));
        turn(&mut desk);
        assert!(desk.has("1 unkeyed change"));
        assert_eq!(desk.doubled_labels(), Vec::<String>::new());
        // It stays while the frame changes.
        desk.session().set_frame(7.0);
        desk.frame();
        assert!(desk.has("1 unkeyed change"));
        assert_eq!(desk.click(label), [Request::Act(action)]);
        assert!(!desk.has(label));
    }
}

#[test]
fn fields_show_the_value_at_the_frame_and_whether_it_is_keyed() {
    const KEYED: Option<&str> = Some("Keyed at this frame.");
    const ANIMATED: Option<&str> = Some("Animated, without a key at this frame.");
    const HELD: Option<&str> = Some("Changed but not keyed.");
    for (part, label, values) in [
        (ARM, "Pose x", Some(["90°", "45°"])),
        (Some(Part::Handle(0)), "Enable", None),
        (None, "Position y", Some(["1", "1"])),
    ] {
        for (frame, said, at) in [(10.0, KEYED, 0), (5.0, ANIMATED, 1)] {
            let desk = desk(part, frame);
            assert_eq!(desk.description(label).as_deref(), said, "{label} at {frame}");
            if let Some(values) = values {
                assert_eq!(desk.value(label).as_deref(), Some(values[at]), "{label} at {frame}");
            }
        }
    }
    let desk = desk(Some(Part::Handle(0)), 5.0);
    assert_eq!(desk.description("Target x"), None, "it has no keys");
    let mut desk = self::desk(ARM, 5.0);
    desk.click("Pose x");
    desk.type_text("12");
    desk.key(Key::Enter);
    assert_eq!(desk.description("Pose x").as_deref(), HELD);
    assert_eq!(desk.value("Pose x").as_deref(), Some("12°"));
    desk.click("Insert keyframe");
    assert_eq!(desk.description("Pose x").as_deref(), KEYED);
}

#[test]
fn it_fits_the_narrowest_window() {
    for width in [720.0, 880.0, 1280.0] {
        for playing in [false, true] {
            let mut desk = Desk::sized(vec2(width, 600.0), Tab::Animate, None);
            let clip = desk.session().scene().animation.clip;
            if playing {
                desk.click("Play or pause");
                let playback = &mut desk.state_mut().settings.playback;
                playback.advance(&clip, 0.0, 3600.0);
            }
            desk.frame();
            // In one row, or in two if there is not enough room.
            let mut found = 0;
            for line in ["Frame", "Insert keyframe"] {
                let height = desk.rect(line).center().y;
                if line != "Frame" && (height - desk.rect("Frame").center().y).abs() < 4.0 {
                    continue;
                }
                let mut row: Vec<_> = desk.controls();
                row.retain(|(_, rect)| {
                    let properties = desk.rect("Properties divider").left();
                    (rect.center().y - height).abs() < 4.0 && rect.right() < properties
                });
                row.sort_by(|a, b| a.1.left().total_cmp(&b.1.left()));
                found += row.len();
                for pair in row.windows(2) {
                    assert!(pair[0].1.right() <= pair[1].1.left() + 0.5, "{width}: {pair:?}");
                }
            }
            assert!(found >= 15, "{found}");
            assert_eq!(desk.doubled_labels(), Vec::<String>::new());
        }
    }
}
