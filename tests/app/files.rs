//! Saving, opening, and what happens when a file is bad or changes would be lost.

use crate::support::*;
use bevy::prelude::Entity;
use bevy::window::FileDragAndDrop;
use bevy_egui::egui::Key;
use ossature::edit::selection::Part;
use ossature::io::js3d;
use std::path::Path;

impl Person {
    /// Drops a file on the window.
    fn drop_file(&mut self, path: &Path) {
        self.app.world().write_message(FileDragAndDrop::DroppedFile {
            window: Entity::PLACEHOLDER,
            path_buf: path.to_owned(),
        });
        self.app.frames(4);
    }

    fn name_file(&mut self, path: &Path) {
        self.type_into("File name", path);
    }

    /// Types over what a field of the file dialog holds, and presses Enter.
    fn type_into(&mut self, field: &str, path: &Path) {
        self.click(field);
        self.app.key(Key::A, CTRL);
        self.app.text(&path.display().to_string());
        self.key(Key::Enter);
        // The folder that was named is listed in the next frame.
        self.app.frames(4);
    }

    fn turn_an_arm(&mut self) {
        self.click_row("Bone upper_arm.L");
        self.drag_widget("Pose z slider", 10.0);
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

    // Another document, then this one from the list of files.
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
    let far = again
        .positions
        .iter()
        .zip(&shown.positions)
        .filter(|(a, b)| a != b);
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
    assert_eq!(steps, ["Turn upper_arm.L"]);
    let (selection, shown) = (person.selection(), person.picture());

    std::fs::write(&bad, &bytes[..bytes.len() / 2]).expect("it can be written");
    let missing = folder.path().join("missing.js3d");
    for path in [&bad, &missing] {
        person.drop_file(path);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let said = format!("{name} could not be opened");
        assert_eq!(person.messages().last(), Some(&said));
        assert!(person.sees_text(&said), "the message is seen");
        assert!(person.bytes() == bytes);
        assert_eq!(person.editor().session.path(), Some(good.as_path()));
        assert_eq!(
            (person.steps(), person.selection()),
            (steps.clone(), selection.clone())
        );
    }
    let middle = person.viewport().shrink2(
        (person.viewport().size() * 0.5 - bevy_egui::egui::Vec2::splat(60.0)).max(Default::default()),
    );
    let changed = person.picture().changed(&shown, middle);
    assert_eq!(changed.len(), 0, "the picture stays");

    // A folder that is gone cannot be saved to; the document stays modified.
    person.drag_widget("Pose x slider", 10.0);
    let elsewhere = folder.path().join("gone").join("x.js3d");
    person
        .editor()
        .requests
        .push(ossature::edit::request::Request::SavePath(elsewhere));
    person.app.frames(3);
    assert_eq!(
        person.messages().last().map(String::as_str),
        Some("The scene was not saved")
    );
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
        // Nothing behind the question can be reached.
        person.app.key(Key::Z, CTRL);
        match answer {
            "Escape" => person.key(Key::Escape),
            _ => person.click(answer),
        }
        assert!(!person.sees("Save changes?"));
        assert!(person.bytes() == bytes);
        assert_eq!(person.steps(), ["Turn upper_arm.L"]);
        assert_eq!(person.part(), Some(Part::Bone(LEFT_UPPER_ARM)));
    }
    // Saving first, by a dialog of its own.
    person.app.key(Key::N, CTRL);
    person.click("Save");
    assert!(person.sees("Save the scene"));
    person.name_file(&path);
    assert_eq!(std::fs::read(&path).expect("it was saved"), bytes);
    assert!(person.scene().skinned_meshes.is_empty(), "and then it is new");

    person.drop_file(&path);
    assert!(person.bytes() == bytes);
    person.click_row("Bone upper_arm.L");
    person.drag_widget("Pose x slider", 10.0);
    assert_eq!(person.steps(), ["Turn upper_arm.L"]);
    person.drop_file(&path);
    person.click("Don't save");
    assert!(person.bytes() == bytes);
    assert_eq!(person.steps(), Vec::<String>::new());
    assert!(js3d::read_file(&path).is_ok());
}
