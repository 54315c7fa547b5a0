//! Generated motions in the window: what the pointer is over plays on the character, and buttons make takes of it.

use crate::support::*;
use bevy_egui::egui::{Key, Pos2};
use ossature::edit::action::Action;
use ossature::edit::command::{Command, Surface};
use ossature::edit::request::Request;
use ossature::edit::select::selection::Selection;
use ossature::editor::embedded_human;
use ossature::io::export::ExportOptions;
use ossature::io::{gltf, obj};
use ossature::rig::weights::method::Method;
use ossature::scene::Scene;
use std::path::Path;
use std::sync::Arc;

/// Returns the human, selected in the Animate tab, without keys.
fn human() -> Option<Person> {
    let (scene, _) = embedded_human().expect("the human can be read");
    let mesh = scene.skinned_meshes.keys().next().expect("it has a skinned mesh").clone();
    let selection = Selection::from_mesh(&scene, &mesh);
    let mut person = Person::with_scene(1280, 900, scene)?;
    person.click("Animate");
    person.editor().session.select(selection);
    person.app.frames(2);
    Some(person)
}

fn act(person: &mut Person, action: Action) {
    person.editor().requests.push(Request::Act(action));
    person.app.frames(2);
}

/// Moves the pointer over a control.
fn hover(person: &mut Person, label: &str) {
    let Pos2 { x, y } = person.rect(label).center();
    person.move_in_one_frame((x, y));
    person.app.frames(2);
}

/// The line with the worst place of the skin.
fn worst(person: &mut Person) -> Option<String> {
    person.app.widgets().into_iter().map(|widget| widget.label).find(|label| label.starts_with("Worst: "))
}

#[test]
fn a_motion_plays_while_the_pointer_is_over_it_and_becomes_a_take() {
    let Some(mut person) = human() else { return };
    let still = person.bytes();
    act(&mut person, Action::ADD_MOTION);
    hover(&mut person, "Motion Walk");
    assert!(person.editor().settings.playback.is_playing());
    let poses: Vec<_> = (0..3)
        .map(|_| {
            person.app.frames(1);
            person.posed().positions.clone()
        })
        .collect();
    assert!(poses[0] != poses[1] && poses[1] != poses[2], "it moves");
    hover(&mut person, "Close Motions");
    assert!(!person.editor().settings.playback.is_playing(), "the pointer has left it");
    assert_eq!(person.bytes(), still);

    // A click keeps it, and numbers change what plays.
    person.click("Motion Walk");
    hover(&mut person, "Close Motions");
    assert!(person.editor().settings.playback.is_playing());
    let walking = person.bytes();
    person.drag_widget("Lean", 40.0);
    person.app.frames(2);
    assert_ne!(person.bytes(), walking, "it leans");
    person.click("Add the motion");
    person.app.frames(2);
    let takes: Vec<String> =
        person.scene().animation.takes.list.iter().map(|take| take.name.clone()).collect();
    assert_eq!(takes, ["Walk"]);
    assert_eq!(person.steps().len(), 1, "it is one step of undo");

    person.click("Add the basic set");
    person.app.frames(2);
    let mut names: Vec<String> =
        person.scene().animation.takes.list.iter().map(|take| take.name.clone()).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 8, "the walk is there already: {names:?}");
    assert_eq!(person.scene().animation.takes.list.len(), 8);
    assert_eq!(person.steps().len(), 2);
}

/// Before it deselects; under the pointer, the motion begins again only when the pointer comes back.
#[test]
fn esc_ends_what_plays() {
    let Some(mut person) = human() else { return };
    let still = person.bytes();
    act(&mut person, Action::ADD_MOTION);
    person.click("Motion Walk");
    person.app.frames(2);
    let selected = person.selection();
    assert!(person.editor().settings.playback.is_playing());
    person.key(Key::Escape);
    person.app.frames(3);
    assert!(!person.editor().settings.playback.is_playing() && !person.editor().session.in_proposal());
    assert_eq!(person.selection(), selected);
    assert_eq!(person.bytes(), still);
    hover(&mut person, "Close Motions");
    hover(&mut person, "Motion Walk");
    assert!(person.editor().settings.playback.is_playing());
}

#[test]
fn a_skin_is_checked_and_its_worst_place_is_one_click_away() {
    let Some(mut person) = human() else { return };
    let still = person.bytes();
    act(&mut person, Action::CHECK_MOTION);
    // Fifteen seconds of motion, ten frames of the window a second.
    let mut most = 0.0_f64;
    for _ in 0..150 {
        person.app.frames(1);
        let stretch = worst(&mut person).and_then(|text| text.split(' ').nth(1)?.parse().ok()).unwrap_or(0.0);
        assert!(stretch >= most, "the worst stays");
        most = stretch;
    }
    assert!(most > 1.5 && most < 10.0, "{most}");
    let text = worst(&mut person).expect("it was measured");
    person.click(&text);
    person.app.frames(3);
    let playback = person.editor().settings.playback.is_playing();
    assert!(!playback, "it rests at that frame");
    assert!(text.contains(&format!("frame {}", person.editor().session.frame())), "{text}");
    let vertices = person.selection().vertices.clone();
    assert!(text.contains(&format!("vertex {},", vertices[0])), "{text}");
    assert!(person.editor().session.in_proposal(), "nothing is decided");
    person.click("Close Motions");
    person.app.frames(2);
    assert_eq!(person.bytes(), still);
}

/// Waits, at most a minute, for work beside the window.
fn wait(person: &mut Person, mut is_done: impl FnMut(&mut Person) -> bool) {
    for _ in 0..1200 {
        person.app.frames(1);
        if is_done(person) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("nothing came of it: {:?}", person.messages());
}

/// Drops a copy of the human's surface from a folder, and waits for its skeleton with its weights. Returns the folder.
fn drop_body(person: &mut Person) -> tempfile::TempDir {
    let folder = begin_to_drop_body(person);
    wait(person, |person| person.editor().settings.fitting.as_ref().is_some_and(|fitting| !fitting.busy));
    person.app.frames(1);
    assert!(person.sees_text("bones fitted"));
    folder
}

/// Drops it, and waits until its skeleton is being fitted.
fn begin_to_drop_body(person: &mut Person) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let body = folder.path().join("walker.obj");
    let obj = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/obj/human.obj");
    std::fs::copy(obj, &body).expect("the body is copied");
    person.drop_file(&body);
    wait(person, |person| person.editor().settings.fitting.is_some());
    folder
}

/// A body of another program's file gets its skeleton however it comes in, and the document is that body.
#[test]
fn an_opened_body_gets_a_skeleton_as_a_dropped_one() {
    let Some(mut person) = Person::with_scene(1280, 900, Scene::default()) else { return };
    let obj = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/obj/human.obj");
    let surface = obj::read(&std::fs::read(obj).expect("the body is there")).expect("it can be read").surface;
    let mut scene = Scene::default();
    let surface = Surface::Built(Arc::new(surface));
    let add = Command::AddMesh { name: "Walker".into(), surface, skinned: false };
    add.apply(&mut scene).expect("it can be added");
    let options = ExportOptions { scene: false, ..Default::default() };
    let exported = gltf::write::export(&scene, &options, &|_| Err(String::new())).expect("it can be written");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let body = folder.path().join("walker.glb");
    std::fs::write(&body, exported.glb().expect("it has bytes")).expect("it is written");
    person.editor().requests.push(Request::OpenPath(body));
    wait(&mut person, |person| person.sees_text("bones fitted"));
    person.key(Key::Enter);
    person.app.frames(2);
    assert_eq!((person.scene().skinned_meshes.len(), person.scene().meshes.len()), (1, 0));
}

/// Enter is not lost while the skeleton is being fitted.
#[test]
fn a_skeleton_can_be_accepted_before_it_is_ready() {
    let Some(mut person) = Person::with_scene(1280, 900, Scene::default()) else { return };
    let _folder = begin_to_drop_body(&mut person);
    let fitting = |person: &mut Person| person.editor().settings.fitting.clone();
    assert!(fitting(&mut person).is_some_and(|fitting| fitting.busy), "it takes longer than this");
    assert!(person.sees_text("Enter accepts it as soon as it is ready"));
    person.key(Key::Enter);
    person.app.frames(1);
    assert!(fitting(&mut person).is_none_or(|fitting| fitting.accepts));
    wait(&mut person, |person| person.editor().settings.fitting.is_none());
    let bodies = person.scene().skinned_meshes;
    assert!(bodies.values().all(|body| body.skeleton.bones.len() > 20) && bodies.len() == 1);
    assert!(bodies.values().all(|body| body.weight_method == Method::FOR_NEW_MESHES), "calculated weights");
    assert!(!person.editor().session.in_proposal());
}

/// A skeleton walks before its weights are calculated; they come whatever is done meanwhile.
#[test]
fn weights_follow_a_skeleton_that_walks_already() {
    let Some(mut person) = Person::with_scene(1280, 900, Scene::default()) else { return };
    let _folder = begin_to_drop_body(&mut person);
    let fitting = |person: &mut Person| person.editor().settings.fitting.clone();
    wait(&mut person, |person| fitting(person).is_some_and(|fitting| fitting.bones > 0));
    assert!(fitting(&mut person).is_some_and(|fitting| fitting.busy), "the weights are to come");
    assert!(person.editor().settings.playback.is_playing(), "it walks");
    let method = |person: &mut Person| {
        let scene = person.editor().session.animated().clone();
        scene.skinned_meshes.values().next().expect("a body").weight_method
    };
    assert_ne!(method(&mut person), Method::FOR_NEW_MESHES);
    // Goes on to motions, which accepts the skeleton.
    act(&mut person, Action::ADD_MOTION);
    assert!(fitting(&mut person).is_none() && !person.editor().session.in_proposal());
    wait(&mut person, |person| method(person) == Method::FOR_NEW_MESHES);
    assert!(person.sees("Motion Run"), "{:?}", person.messages());
}

/// While a joint is dragged, the skeleton follows with the weights that it has; Esc puts it back, and once it is released they are
/// calculated anew.
#[test]
fn a_skeleton_follows_a_joint_that_is_dragged() {
    let Some(mut person) = Person::with_scene(1280, 900, Scene::default()) else { return };
    let _folder = drop_body(&mut person);
    let fitting = |person: &mut Person| person.editor().settings.fitting.clone().expect("it is fitted");
    let joints = fitting(&mut person).joints.clone();
    let elbow = joints.iter().position(|joint| joint == "elbow.L").expect("it has one");
    let tail = |person: &mut Person| fitting(person).tails[elbow];
    let weights = |person: &mut Person| {
        let scene = person.editor().session.animated().clone();
        Arc::clone(&scene.skinned_meshes.values().next().expect("a body").weights)
    };
    let (first, first_weights) = (tail(&mut person), weights(&mut person));
    for is_released in [false, true] {
        if person.editor().settings.playback.is_playing() {
            person.key(Key::Space);
        }
        person.app.frames(2);
        let frame = person.editor().session.frame();
        let from = person.tail_of_bone(elbow);
        person.app.drag_hold(from, (from.0 + 4.0, from.1 - 12.0), 2);
        wait(&mut person, |person| tail(person) != first);
        assert!(fitting(&mut person).busy, "it is not decided");
        assert_eq!(weights(&mut person), first_weights);
        if is_released {
            person.release();
        } else {
            person.key(Key::Escape);
            person.release();
        }
        wait(&mut person, |person| !fitting(person).busy);
        assert!(person.editor().session.in_proposal());
        assert_eq!(tail(&mut person) != first, is_released);
        assert_eq!(weights(&mut person) != first_weights, is_released);
        let is_playing = person.editor().settings.playback.is_playing();
        assert!(!is_playing && person.editor().session.frame() == frame, "it stays paused where it is");
    }

    // Undo takes back what was placed, not the skeleton.
    let placed = tail(&mut person);
    for (modifiers, expected) in [(CTRL, first), (CTRL_SHIFT, placed)] {
        person.app.key(Key::Z, modifiers);
        wait(&mut person, |person| !fitting(person).busy);
        assert_eq!(tail(&mut person), expected);
        assert!(person.editor().session.in_proposal());
    }
}

/// No part of the slider is dead.
#[test]
fn speeds_end_where_the_legs_do() {
    let Some(mut person) = human() else { return };
    act(&mut person, Action::ADD_MOTION);
    person.click("Motion Walk");
    person.app.frames(2);
    person.drag_widget("Speed slider", 600.0);
    person.app.frames(2);
    assert!(!person.sees_text("These legs go no faster"), "the end is what they can do");
    let fastest = person.bytes();
    let slider = person.rect("Speed slider");
    let at = |share: f32| (slider.left() + share * slider.width(), slider.center().y);
    person.app.drag(at(0.95), at(0.8), 3);
    person.app.frames(2);
    assert_ne!(person.bytes(), fastest, "a little below the end it is slower");
}

/// Whoever goes on to motions has accepted the skeleton.
#[test]
fn motions_are_offered_for_a_skeleton_that_is_being_fitted() {
    let Some(mut person) = Person::with_scene(1280, 900, Scene::default()) else { return };
    let _folder = drop_body(&mut person);
    act(&mut person, Action::ADD_MOTION);
    assert!(person.sees("Motion Run"), "{:?}", person.messages());
    assert!(!person.sees_text("bones fitted"));
}

/// A file is dropped, Enter accepts the skeleton, and Ctrl+E and Enter write the walk beside it.
#[test]
fn a_dropped_body_walks_and_is_exported_in_three_steps() {
    let Some(mut person) = Person::with_scene(1280, 900, Scene::default()) else { return };
    let folder = drop_body(&mut person);
    assert!(person.editor().settings.playback.is_playing(), "it walks");
    person.key(Key::Enter);
    person.app.frames(2);
    assert!(!person.sees_text("bones fitted"));
    let steps = person.steps().len();
    person.app.key(Key::E, CTRL);
    wait(&mut person, |person| person.sees("Export"));
    wait(&mut person, |person| !person.sees_text("Checking for differences"));
    person.key(Key::Enter);
    let glb = folder.path().join("walker.glb");
    wait(&mut person, |person| {
        person.messages().last().is_some_and(|message| message.starts_with("Exported walker.glb"))
    });
    assert_eq!(person.steps().len(), steps);
    let read = gltf::read::read(&std::fs::read(glb).expect("it was written"), None, &Default::default());
    let takes = read.expect("it can be read").scene.animation.takes.list.clone();
    assert_eq!(takes.iter().map(|take| take.name.as_str()).collect::<Vec<_>>(), ["Walk"]);
}
