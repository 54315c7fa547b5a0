//! Frames in the window: they follow the clock, and each shows the scene at that frame.

use crate::random::Random;
use crate::support::*;
use bevy_egui::egui::{Key, Modifiers};
use glam::Vec3;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::editor::OFFSCREEN_FRAME_S;
use ossature::io::js3d;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluated, Evaluator, Posed};

/// Returns the human walking, in the Animate tab.
fn walker() -> Option<Person> {
    let file = include_bytes!("../../media/js3d/A4-human-walk.js3d");
    let (scene, _) = js3d::read(file).expect("the walk can be read");
    let mut person = Person::with_scene(960, 640, scene)?;
    person.click("Animate");
    assert_eq!(person.editor().settings.tab, Tab::Animate);
    Some(person)
}

fn frame(person: &mut Person) -> f32 {
    person.editor().session.frame()
}

#[test]
fn two_seconds_of_playing_follow_the_clock() {
    let Some(mut person) = walker() else { return };
    let clip = person.scene().animation.clip;
    let [first, last] = clip.play_range();
    let count = u64::from(last - first) + 1;
    let start = frame(&mut person) as u64 - u64::from(first);
    person.click("Play or pause");
    assert!(person.editor().settings.playback.is_playing());
    // The click took some frames of the window, so count from the current frame.
    let ahead = (frame(&mut person) as u64 + count - u64::from(first) - start) % count;
    let per_window_frame = OFFSCREEN_FRAME_S * f64::from(clip.rate);
    let run = (ahead as f64 / per_window_frame).round();
    let mut shown = Vec::new();
    for step in 1..=20 {
        person.app.frames(1);
        let due = ((run + f64::from(step)) * per_window_frame + 1e-3) as u64;
        let due = u64::from(first) + (start + due) % count;
        assert_eq!(frame(&mut person), due as f32, "after {step} frames of the window");
        shown.push(due);
    }
    assert!(shown.windows(2).any(|pair| pair[1] < pair[0]), "it continues from the start");
    // At ten frames a second, the window shows ten of 24.
    let dropped = person.editor().settings.playback.dropped();
    assert!((26..=34).contains(&dropped), "{dropped}");
    assert!(person.sees_text("frames dropped"));
    person.key(Key::Space);
    let stopped = frame(&mut person);
    person.app.frames(5);
    assert_eq!(frame(&mut person), stopped);
    assert!(person.steps().is_empty(), "playback changes nothing");
}

#[test]
fn space_plays_wherever_the_focus_is() {
    let Some(mut person) = walker() else { return };
    let plays = |person: &mut Person| person.editor().settings.playback.is_playing();
    person.key(Key::Space);
    assert!(plays(&mut person));
    person.key(Key::Space);
    assert!(!plays(&mut person));
    // The keyboard focus moves from widget to widget; on a button or a tick box, egui would take the space
    // bar for a click.
    person.click("Frame");
    let mut times = 0;
    for _ in 0..24 {
        person.key(Key::Tab);
        let mut before = person.editor().settings.clone();
        let played = plays(&mut person);
        person.key(Key::Space);
        person.app.frames(2);
        times += usize::from(plays(&mut person) != played);
        before.playback = person.editor().settings.playback.clone();
        assert_eq!(person.editor().settings.0, before);
        assert!(!person.editor().session.auto_key() && person.steps().is_empty());
        person.editor().settings.playback.pause();
    }
    assert!(times >= 8, "only {times} of the widgets were not text fields");
    // Nothing plays in the Rig tab.
    person.click("Rig");
    assert!(!plays(&mut person));
    person.key(Key::Space);
    assert!(!plays(&mut person));
}

fn bits(vectors: &[Vec3]) -> Vec<[u32; 3]> {
    vectors.iter().map(|v| v.to_array().map(f32::to_bits)).collect()
}

fn assert_same(window: &Evaluated, headless: &Evaluated, what: &str) {
    assert!(!headless.skinned.is_empty());
    let normals = |posed: &Posed| bits(&posed.normals().collect::<Vec<_>>());
    for (name, posed) in &headless.skinned {
        let shown = &window.skinned[name];
        assert_eq!(shown.skeleton, posed.skeleton, "{what}");
        assert!(bits(&shown.positions) == bits(&posed.positions), "{what}");
        assert!(normals(shown) == normals(posed), "{what}");
    }
}

/// Includes a handle that pulls: IK also starts afresh at every frame.
#[test]
fn frames_in_any_order_are_those_of_a_headless_run() {
    let Some(mut person) = walker() else { return };
    person.add_ik(LEFT_FOREARM);
    let ball = person.ball_of_handle(0);
    person.app.drag(ball, (ball.0 + 40.0, ball.1 - 60.0), 3);
    let scene: Scene = person.scene();
    let last = scene.animation.clip.last_frame();
    let mut random = Random::new(7);
    let mut frames: Vec<f32> = (0..=last).map(|f| f as f32).collect();
    frames.extend((0..=last).rev().step_by(3).map(|f| f as f32));
    frames.extend((0..12).map(|_| random.below(last as usize + 1) as f32));
    let check = |person: &mut Person| {
        let editor = person.editor();
        let settings = editor.shown.settings(&editor.session, &editor.settings);
        assert_eq!(settings.frame, Some(editor.session.frame()));
        let headless = Evaluator::default().evaluate(&scene, &settings);
        let what = format!("frame {}", editor.session.frame());
        assert_same(&editor.shown.evaluated, &headless, &what);
    };
    for (i, frame) in frames.into_iter().enumerate() {
        person.editor().session.set_frame(frame);
        person.app.frames(1);
        check(&mut person);
        if i % 20 == 10 {
            person.key(Key::Space);
            person.app.frames(i % 7);
            check(&mut person);
            person.key(Key::Space);
            check(&mut person);
        }
    }
}

/// In an animation, dragging a handle changes only the handle: bones without keys have one pose for all
/// frames.
#[test]
fn a_handle_that_is_dragged_changes_no_other_frame() {
    let Some(mut person) = walker() else { return };
    person.add_ik(LEFT_FOREARM);
    let before = person.skeleton();
    let ball = person.ball_of_handle(0);
    person.app.drag(ball, (ball.0 + 40.0, ball.1 - 60.0), 3);
    let after = person.skeleton();
    assert_ne!(before.handles[0].target, after.handles[0].target);
    for (old, new) in before.bones.iter().zip(&after.bones) {
        assert_eq!(old.pose_deg, new.pose_deg);
    }
}

#[test]
fn undo_goes_back_to_the_frame_and_the_selection() {
    let Some(mut person) = walker() else { return };
    person.editor().session.set_frame(5.0);
    let at = person.middle_of_bone(LEFT_UPPER_ARM);
    person.click_at(at);
    assert_eq!(person.part(), Some(Part::Bone(LEFT_UPPER_ARM)));
    let bytes = person.bytes();
    person.key(Key::K);
    person.app.frames(2);
    assert!(person.messages().contains(&"Keyed 1 bone at frame 5".to_owned()));
    assert!(person.bytes() != bytes);
    person.app.key(Key::ArrowRight, Modifiers::SHIFT);
    assert_ne!(frame(&mut person), 5.0);
    person.key(Key::Escape);
    assert_eq!(person.part(), None);
    person.app.key(Key::Z, CTRL);
    assert_eq!((frame(&mut person), person.part()), (5.0, Some(Part::Bone(LEFT_UPPER_ARM))));
    assert!(person.bytes() == bytes);
    person.app.key(Key::Z, CTRL_SHIFT);
    assert_eq!(frame(&mut person), 5.0);
    assert!(person.bytes() != bytes);
}

/// An edit starts from what is shown, stops playback, persists over all frames, and can be keyed with the
/// banner.
#[test]
fn an_unkeyed_pose_stays_until_it_is_keyed() {
    let Some(mut person) = walker() else { return };
    person.editor().session.set_frame(5.0);
    person.app.frames(2);
    let at = person.middle_of_bone(LEFT_UPPER_ARM);
    person.click_at(at);
    person.key(Key::Space);
    person.app.frames(3);
    person.drag_widget("Pose x", 30.0);
    assert!(!person.editor().settings.playback.is_playing());
    assert!(person.sees("1 unkeyed change"));
    let pose = |person: &mut Person| person.posed().skeleton.bones[LEFT_UPPER_ARM].pose_deg;
    let turned = pose(&mut person);
    for _ in 0..4 {
        person.key(Key::ArrowRight);
        assert_eq!(pose(&mut person), turned);
    }
    let at = frame(&mut person);
    person.click("Key unkeyed changes");
    assert!(!person.sees("1 unkeyed change"));
    assert_eq!((frame(&mut person), pose(&mut person)), (at, turned));
    person.key(Key::ArrowRight);
    assert_ne!(pose(&mut person), turned);
}

#[test]
fn another_file_begins_at_rest() {
    let Some(mut person) = walker() else { return };
    person.key(Key::Space);
    let scene = person.scene();
    person.app.open(scene, None);
    person.app.frames(3);
    assert!(!person.editor().settings.playback.is_playing());
    assert_eq!(frame(&mut person), 0.0);
}
