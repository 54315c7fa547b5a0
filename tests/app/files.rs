//! Saving and opening, bad files, and changes that would be lost.

use crate::support::*;
use bevy::ecs::message::Messages;
use bevy::prelude::{AppExit, Entity};
use bevy::window::FileDragAndDrop;
use bevy_egui::egui::Key;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::editor::app::recovery::terminations::Terminations;
use ossature::io::js3d;
use std::path::Path;

impl Person {
    /// Drops a file on the window.
    pub fn drop_file(&mut self, path: &Path) {
        self.app.world().write_message(FileDragAndDrop::DroppedFile {
            window: Entity::PLACEHOLDER,
            path_buf: path.to_owned(),
        });
        self.app.frames(4);
    }

    /// Moves a file over the window, or away from it.
    fn hover_file(&mut self, path: Option<&str>) {
        let window = Entity::PLACEHOLDER;
        self.app.world().write_message(match path {
            Some(path) => FileDragAndDrop::HoveredFile { window, path_buf: path.into() },
            None => FileDragAndDrop::HoveredFileCanceled { window },
        });
        self.app.frames(2);
    }

    /// Closes the window.
    pub fn quit(mut self) {
        self.app.world().write_message(AppExit::Success);
        self.app.frames(1);
    }

    pub fn name_file(&mut self, path: &Path) {
        self.type_into("File name", path);
    }

    /// Replaces the text in a field of the file dialog, and presses Enter.
    fn type_into(&mut self, field: &str, path: &Path) {
        self.click(field);
        self.app.key(Key::A, CTRL);
        self.app.text(&path.display().to_string());
        self.key(Key::Enter);
        // The chosen folder is listed in the next frame.
        self.app.frames(4);
    }
}

#[test]
fn saved_and_opened_again_everything_is_as_it_was() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("posed.js3d");

    person.add_ik(LEFT_FOREARM);
    person.click("Enable");
    person.click("Animate");
    let ball = person.ball_of_handle(0);
    person.app.drag(ball, (ball.0 - 10.0, ball.1 - 30.0), 3);
    assert!(person.editor().session.is_modified() && person.sees("Untitled •"));
    let (scene, shown) = (person.bytes(), person.posed());
    person.app.key(Key::S, CTRL);
    assert!(person.sees("Save the scene"));
    person.name_file(&path);
    assert!(!person.sees("Save the scene"));
    assert_eq!(person.messages(), ["Saved posed.js3d"]);
    assert_eq!(std::fs::read(&path).expect("it was saved"), scene);
    assert!(!person.editor().session.is_modified() && person.sees("posed.js3d"));
    assert_eq!(person.editor().session.path(), Some(path.as_path()));

    // Create another document, then open this one from the list of files.
    person.app.key(Key::N, CTRL);
    assert!(person.scene().skinned_meshes.is_empty());
    assert_eq!(person.steps(), Vec::<String>::new());
    assert_eq!(person.editor().session.path(), None);
    person.app.key(Key::O, CTRL);
    person.type_into("Folder", folder.path());
    person.click("File posed.js3d");
    person.click("Open");
    person.app.frames(2);
    assert_eq!(person.editor().session.path(), Some(path.as_path()));
    assert_eq!(person.steps(), Vec::<String>::new());
    assert!(person.bytes() == scene);
    let again = person.posed();
    assert_eq!(*again.skeleton, *shown.skeleton);
    let far = again.positions.iter().zip(&shown.positions).filter(|(a, b)| a != b);
    assert_eq!(far.count(), 0);
    assert!(person.tip_to_target(0) < 0.01);
}

#[test]
fn bad_files_leave_everything_as_it_was() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (good, bad) = (folder.path().join("good.js3d"), folder.path().join("bad.js3d"));
    person.turn_an_arm();
    person.app.key(Key::S, CTRL);
    person.name_file(&good);
    let (bytes, steps) = (person.bytes(), person.steps());
    assert_eq!(steps, ["Change roll of upper_arm.L"]);
    let (selection, shown) = (person.selection(), person.picture());

    std::fs::write(&bad, &bytes[..bytes.len() / 2]).expect("it can be written");
    let missing = folder.path().join("missing.js3d");
    for path in [&bad, &missing] {
        person.drop_file(path);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let said = format!("{name} could not be opened");
        assert_eq!(person.messages().last(), Some(&said));
        assert!(person.sees_text(&said), "the message is visible");
        assert!(person.bytes() == bytes);
        assert_eq!(person.editor().session.path(), Some(good.as_path()));
        assert_eq!((person.steps(), person.selection()), (steps.clone(), selection.clone()));
    }
    let middle = person.viewport().shrink2(
        (person.viewport().size() * 0.5 - bevy_egui::egui::Vec2::splat(40.0)).max(Default::default()),
    );
    let changed = person.picture().changed(&shown, middle);
    assert_eq!(changed.len(), 0, "the picture stays");

    // Saving to a missing folder fails; the document stays modified. The messages don't affect the fields.
    person.drag_widget("Roll slider", 24.0);
    let elsewhere = folder.path().join("gone").join("x.js3d");
    person.editor().requests.push(Request::SavePath(elsewhere));
    person.app.frames(3);
    assert_eq!(person.messages().last().map(String::as_str), Some("The scene was not saved"));
    assert!(person.editor().session.is_modified());
    assert_eq!(person.editor().session.path(), Some(good.as_path()));
    assert_eq!(std::fs::read(&good).expect("it is there"), bytes);
}

#[test]
fn changes_are_not_lost_unasked() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("kept.js3d");
    person.turn_an_arm();
    let bytes = person.bytes();

    for answer in ["Cancel", "Escape"] {
        person.app.key(Key::N, CTRL);
        assert!(person.sees("Save changes?"));
        // Nothing behind the dialog responds.
        person.app.key(Key::Z, CTRL);
        match answer {
            "Escape" => person.key(Key::Escape),
            _ => person.click(answer),
        }
        assert!(!person.sees("Save changes?"));
        assert!(person.bytes() == bytes);
        assert_eq!(person.steps(), ["Change roll of upper_arm.L"]);
        assert_eq!(person.part(), Some(Part::Bone(LEFT_UPPER_ARM)));
    }
    // Save first, in another dialog.
    person.app.key(Key::N, CTRL);
    person.click("Save");
    assert!(person.sees("Save the scene"));
    person.name_file(&path);
    assert_eq!(std::fs::read(&path).expect("it was saved"), bytes);
    assert!(person.scene().skinned_meshes.is_empty(), "and then it is new");

    person.drop_file(&path);
    assert!(person.bytes() == bytes);
    person.click_row("Bone upper_arm.L");
    person.drag_widget("Roll slider", 30.0);
    assert_eq!(person.steps(), ["Change roll of upper_arm.L"]);
    person.drop_file(&path);
    person.click("Don't save");
    assert!(person.bytes() == bytes);
    assert_eq!(person.steps(), Vec::<String>::new());
    assert!(js3d::read_file(&path).is_ok());
}

/// However another document is opened, "Save changes?" is asked once. A mesh is added to the document, so that nothing
/// would be lost.
#[test]
fn save_changes_is_asked_once() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("other.js3d");
    std::fs::write(&path, person.bytes()).expect("it can be written");
    let mesh = folder.path().join("mesh.obj");
    std::fs::write(&mesh, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("it can be written");
    person.editor().files.in_app_dialogs = true;
    type Way = fn(&mut Person, &Path);
    let ways: [(&str, Way); 4] = [
        ("Open", |person, path| {
            person.app.key(Key::O, CTRL);
            person.name_file(path);
        }),
        ("drop", |person, path| person.drop_file(path)),
        ("Open recent", |person, path| {
            person.editor().requests.push(Request::OpenPath(path.to_owned()));
            person.app.frames(3);
        }),
        ("New", |person, _| person.app.key(Key::N, CTRL)),
    ];
    for (name, way) in ways {
        person.turn_an_arm();
        assert!(person.editor().session.is_modified());
        way(&mut person, &path);
        assert!(person.sees("Save changes?"), "{name}");
        person.click("Don't save");
        person.app.frames(4);
        assert!(!person.sees("Save changes?"), "{name}: once");
        assert!(!person.editor().session.is_modified(), "{name}: done");
        person.drop_file(&path);
    }
    person.turn_an_arm();
    person.app.key(Key::O, CTRL);
    person.name_file(&mesh);
    assert!(!person.sees("Save changes?") && person.editor().settings.fitting.is_some(), "a mesh is added");
    person.key(Key::Escape);
    person.app.key(Key::Q, CTRL);
    assert!(person.sees("Save changes?"));
    person.click("Don't save");
    assert!(person.editor().files.quit, "once");
}

/// Changes to the file by others are not overwritten without a question, nor are own changes lost by
/// reloading.
#[test]
fn a_file_that_changed_on_disk_is_asked_about() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("shared.js3d");
    person.turn_an_arm();
    person.app.key(Key::S, CTRL);
    person.name_file(&path);
    let saved = person.bytes();
    // The file is written again unchanged: no question.
    std::fs::write(&path, &saved).expect("it can be written");
    person.drag_widget("Roll slider", 20.0);
    person.app.key(Key::S, CTRL);
    assert!(!person.sees("The file has changed") && !person.editor().session.is_modified());
    let ours = person.bytes();
    assert_eq!(std::fs::read(&path).expect("it is there"), ours);

    let theirs = saved.clone();
    for (answer, left) in
        [("Cancel", &theirs), ("Escape", &theirs), ("Overwrite", &ours), ("Reload", &theirs)]
    {
        std::fs::write(&path, &theirs).expect("it can be written");
        person.app.key(Key::S, CTRL);
        assert!(person.sees("The file has changed"), "{answer}");
        match answer {
            "Escape" => person.key(Key::Escape),
            _ => person.click(answer),
        }
        person.app.frames(3);
        assert!(!person.sees("The file has changed"), "{answer}");
        assert!(std::fs::read(&path).expect("it is there") == *left, "{answer}");
    }
    assert!(person.bytes() == theirs, "reloaded");
    // Saving under another name keeps both.
    person.click_row("Bone upper_arm.L");
    person.drag_widget("Roll slider", 20.0);
    std::fs::write(&path, &ours).expect("it can be written");
    person.app.key(Key::S, CTRL);
    // Enter presses the highlighted button.
    person.key(Key::Enter);
    let beside = folder.path().join("beside.js3d");
    person.name_file(&beside);
    assert!(std::fs::read(&path).expect("it is there") == ours);
    assert!(std::fs::read(&beside).expect("it was saved") == person.bytes());
    person.drop_file(&path);
    std::fs::write(&path, &theirs).expect("it can be written");
    person.drop_file(&path);
    assert!(!person.editor().session.is_modified());

    // Quitting also waits for the answer.
    person.click_row("Bone upper_arm.L");
    person.drag_widget("Roll slider", 30.0);
    std::fs::write(&path, &ours).expect("it can be written");
    person.app.key(Key::N, CTRL);
    person.click("Save");
    assert!(person.sees("The file has changed"));
    assert!(std::fs::read(&path).expect("it is there") == ours);
    person.click("Overwrite");
    person.app.frames(3);
    assert!(person.scene().skinned_meshes.is_empty(), "and then it is new");
    assert!(std::fs::read(&path).expect("it is there") != ours);
}

/// A native dialog asks about the name that was typed; the extension is added after that.
#[test]
fn a_name_that_gets_an_ending_is_asked_about() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    let kept = b"somebody's work";
    for name in ["other.js3d", "other.obj", "v1.2.js3d"] {
        std::fs::write(at(name), kept).expect("it can be written");
    }
    let ask = |person: &mut Person, request: Request| {
        person.editor().requests.push(request);
        person.app.frames(3);
    };
    for (request, file) in [
        (Request::SavePath(at("other")), "other.js3d"),
        (Request::SavePath(at("v1.2")), "v1.2.js3d"),
        (Request::ExportPath(at("other")), "other.obj"),
    ] {
        ask(&mut person, request.clone());
        assert!(person.sees("Replace the file?"), "{file}");
        person.click("Cancel");
        assert!(std::fs::read(at(file)).expect("it is there") == kept);
        ask(&mut person, request);
        person.click("Replace");
        person.app.frames(3);
        assert!(std::fs::read(at(file)).expect("it is there") != kept, "{file}");
    }
    // A scene cannot be saved under the name of a mesh.
    ask(&mut person, Request::SavePath(at("mesh.obj")));
    assert_eq!(person.messages().last().map(String::as_str), Some("Wrong file extension"));
    assert!(!at("mesh.obj").exists());
    assert_eq!(person.editor().session.path(), Some(at("v1.2.js3d").as_path()));
}

/// Saving over a file that could only be read in part would make the loss permanent.
#[test]
fn a_damaged_file_is_not_saved_over_unasked() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("damaged.js3d");
    let mut damaged = person.bytes();
    let name = b"\"vertex_positions\":\"vec3:";
    let at = damaged.windows(name.len()).position(|part| part == name);
    damaged[at.expect("there are positions") + 40] = b'*';
    std::fs::write(&path, &damaged).expect("it can be written");
    person.drop_file(&path);
    assert_eq!(person.editor().session.path(), Some(path.as_path()));
    person.turn_an_arm();
    person.asks_before_it_saves("Save over a damaged file?", &path);
    // The loss is final now: no more questions.
    person.drag_widget("Roll slider", 20.0);
    person.app.key(Key::S, CTRL);
    assert!(!person.sees("Save over a damaged file?") && !person.editor().session.is_modified());
}

/// Ctrl+C in the terminal asks about unsaved changes; a second one ends the program.
#[test]
fn ctrl_c_in_the_terminal_asks() {
    use std::sync::atomic::Ordering::Relaxed;
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let interrupt = |person: &mut Person| {
        person.app.world().resource::<Terminations>().requests.fetch_add(1, Relaxed);
        person.app.frames(3);
    };
    let ended = |person: &mut Person| {
        let exits = person.app.world().get_resource::<Messages<AppExit>>();
        exits.is_some_and(|exits| !exits.is_empty())
    };
    person.turn_an_arm();
    let bytes = person.bytes();
    interrupt(&mut person);
    assert!(person.sees("Save changes?") && !ended(&mut person));
    person.click("Cancel");
    assert!(person.bytes() == bytes && !ended(&mut person));
    person.app.world().resource::<Terminations>().requests.fetch_add(1, Relaxed);
    person.app.frames(1);
    assert!(ended(&mut person), "twice within seconds");
}

/// A reopened file shows what was shown when it was saved.
#[test]
fn unkeyed_changes_are_not_lost_by_saving() {
    for answer in ["Cancel", "Keep as in the file", "Key them"] {
        let Some(mut person) = Person::with_human() else {
            return;
        };
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("keyed.js3d");
        person.click("Animate");
        person.click_row("Bone upper_arm.L");
        person.key(Key::I);
        person.drag_widget("Pose z slider", 10.0);
        assert_eq!(person.editor().session.unkeyed().len(), 1);
        let before = person.bytes();
        person.editor().requests.push(Request::SavePath(path.clone()));
        person.app.frames(3);
        assert!(person.sees("Key the unkeyed changes?") && !path.exists());
        let seen = person.posed();
        person.click(answer);
        person.app.frames(3);
        let keyed = person.posed();
        match answer {
            "Cancel" => assert!(!path.exists() && person.bytes() == before),
            "Key them" => assert_eq!(*keyed.skeleton, *seen.skeleton),
            _ => assert_ne!(*keyed.skeleton, *seen.skeleton),
        }
        if answer != "Cancel" {
            assert!(person.editor().session.unkeyed().is_empty());
            assert!(!person.editor().session.is_modified());
            person.drop_file(&path);
            assert_eq!(*person.posed().skeleton, *keyed.skeleton, "{answer}");
        }
    }
}

#[test]
fn a_file_over_the_window_says_what_a_drop_would_do() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let (x, y) = person.middle_of_bone(LEFT_FOREARM);
    person.app.point_at(x, y);
    for (path, hint) in [
        ("/elsewhere/walker.glb", "Drop to import walker.glb"),
        ("/elsewhere/scene.js3d", "Drop to open scene.js3d"),
        ("/elsewhere/cow.obj", "Drop to import cow.obj"),
    ] {
        person.hover_file(Some(path));
        assert!(person.sees(hint), "{path}");
    }
    person.hover_file(None);
    assert!(!person.sees("Drop to import cow.obj"));
    person.quit();
}
