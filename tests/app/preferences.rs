//! Edit > Preferences, in the whole application.

use crate::support::*;
use bevy_egui::egui::{Key, Modifiers, PointerButton};
use ossature::edit::journal::store::Store;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::options::Keymap;
use ossature::edit::settings::preset::Preset;
use ossature::editor::panels::dialogs::file_dialog::FileDialogState;

#[test]
fn keys_of_a_preset_count_in_the_window() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let bones = person.skeleton().bones.len();
    let at_first = person.editor().viewport.camera;
    person.editor().settings.options.keys = Keymap::from_preset(Preset::Blender);
    person.key(Key::A);
    assert_eq!(person.selection().bones().len(), bones);
    assert_eq!(person.editor().viewport.camera, at_first, "it frames nothing");
    person.app.key(Key::A, Modifiers::ALT);
    assert!(person.selection().bones().is_empty());
    // With the dialog, to a key that another action has.
    person.app.key(Key::Comma, CTRL);
    assert!(person.sees("Preferences"));
    // The dialog is laid out in its second frame.
    person.app.frames(12);
    person.click("Filter keys");
    person.app.text("select all");
    person.app.frames(6);
    person.click("Add key for Select all bones");
    person.app.key(Key::S, CTRL);
    assert!(person.sees("Ctrl+S is used by Save."));
    person.click("Take Ctrl+S for Select all bones");
    person.click("Close");
    person.app.key(Key::S, CTRL);
    assert_eq!(person.selection().bones().len(), bones);
    assert!(!person.sees("Save the scene"));
}

#[test]
fn the_interface_becomes_larger_and_smaller() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let before = person.rect("Viewport");
    for _ in 0..2 {
        person.app.key(Key::Plus, CTRL);
    }
    person.app.frames(4);
    assert_eq!(person.editor().settings.options.scale, 1.2);
    let larger = person.rect("Viewport");
    // The viewport has fewer points, since each is larger: the panels next to it have as many as before.
    let at_the_right = |scale: f32, viewport: bevy_egui::egui::Rect| 960.0 / scale - viewport.right();
    assert!((at_the_right(1.2, larger) - at_the_right(1.0, before)).abs() < 2.0, "{larger} {before}");
    assert!(larger.bottom() * 1.2 < 641.0);
    // A click selects what is shown under the pointer.
    let at = person.middle_of_bone(LEFT_UPPER_ARM);
    person.click_at(at);
    assert_eq!(person.part(), Some(Part::Bone(LEFT_UPPER_ARM)));
    person.drag_widget("Roll slider", 10.0);
    assert_eq!(person.steps(), ["Change roll of upper_arm.L"]);
    person.app.key(Key::Z, CTRL);
    for _ in 0..3 {
        person.app.key(Key::Minus, CTRL);
    }
    assert_eq!(person.editor().settings.options.scale, 0.9);
    person.app.key(Key::Num0, CTRL);
    person.app.frames(4);
    // A panel's edge keeps its pixel from the other scale, up to half a point off.
    let after = person.rect("Viewport");
    assert!((after.right() - before.right()).abs() < 0.5, "{after} {before}");
    assert_eq!((after.min, after.bottom()), (before.min, before.bottom()));
}

#[test]
fn mouse_buttons_follow_their_preset() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let middle = person.viewport().center();
    let (from, to) = ((middle.x, middle.y), (middle.x + 60.0, middle.y));
    let mut moved = |preset, button, modifiers| {
        person.editor().settings.options.mouse = preset;
        let before = person.editor().viewport.camera;
        person.app.modifiers(modifiers);
        person.app.drag_with(button, from, to, 3);
        person.app.modifiers(Modifiers::NONE);
        let after = person.editor().viewport.camera;
        [
            before.yaw != after.yaw,
            before.yaw == after.yaw && before.distance == after.distance && before.target != after.target,
            before.distance != after.distance,
        ]
    };
    let (orbits, pans, zooms) = ([true, false, false], [false, true, false], [false, false, true]);
    let middle = PointerButton::Middle;
    assert_eq!(moved(Preset::Ossature, middle, Modifiers::NONE), orbits);
    assert_eq!(moved(Preset::Blender, middle, CTRL), zooms);
    assert_eq!(moved(Preset::Maya, middle, Modifiers::NONE), pans);
    assert_eq!(moved(Preset::Maya, PointerButton::Primary, Modifiers::ALT), orbits);
    assert_eq!(moved(Preset::Maya, PointerButton::Secondary, Modifiers::ALT), zooms);
}

#[test]
fn the_journal_is_turned_off_and_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(mut person) = Person::with_journal(folder.path()) else {
        return;
    };
    person.turn_an_arm();
    let bytes = person.bytes();
    person.editor().settings.options.journal = false;
    person.app.frames(2);
    let sessions = || std::fs::read_dir(folder.path().join("sessions")).map_or(0, |found| found.count());
    for _ in 0..100 {
        if sessions() == 0 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(sessions(), 0);
    person.editor().settings.options.journal = true;
    person.app.frames(2);
    // The new journal includes earlier changes.
    drop(person);
    let found = Store::new(folder.path()).dead(false);
    assert_eq!(found.len(), 1);
    let recovered = ossature::edit::journal::recovery::recover(&found[0].path).expect("recovered");
    assert!(ossature::io::js3d::write(recovered.session.scene()).expect("bytes") == bytes);
}

#[test]
fn undo_keeps_to_its_memory() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.click_row("Bone upper_arm.L");
    for _ in 0..3 {
        person.drag_widget("Roll slider", 4.0);
    }
    assert_eq!(person.steps().len(), 3);
    person.editor().settings.options.undo_megabytes = 0;
    person.app.frames(2);
    assert_eq!(person.steps().len(), 1, "the last step can always be undone");
}

/// A dialog starts in the folder of the previous run, or in the current one if that is missing.
#[test]
fn dialogs_begin_where_files_were_chosen_last_if_that_is_still_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let [chosen, settings] = ["chosen", "preferences.json"].map(|name| folder.path().join(name));
    std::fs::create_dir(&chosen).expect("made");
    let Some(mut person) = Person::remembering(&settings) else {
        return;
    };
    let dialog = |person: &mut Person| -> (std::path::PathBuf, Option<String>) {
        let dialog: &FileDialogState = person.panels().file_dialog.as_ref().expect("it is open");
        (dialog.folder.clone(), dialog.error.clone())
    };
    let here = std::env::current_dir().expect("a folder");
    person.app.key(Key::S, CTRL);
    assert_eq!(dialog(&mut person), (here.clone(), None));
    person.name_file(&chosen.join("scene.js3d"));
    assert!(chosen.join("scene.js3d").is_file());
    person.quit();
    let mut person = Person::remembering(&settings).expect("an adapter");
    person.app.key(Key::O, CTRL);
    person.app.frames(3);
    assert_eq!(dialog(&mut person), (chosen.clone(), None));
    assert!(person.sees("File scene.js3d"));
    person.key(Key::Escape);
    // Remove the folder while the program runs, and then before it starts.
    std::fs::remove_dir_all(&chosen).expect("removed");
    person.app.key(Key::O, CTRL);
    person.app.frames(3);
    assert_eq!(dialog(&mut person), (here.clone(), None));
    person.quit();
    let mut person = Person::remembering(&settings).expect("an adapter");
    person.app.key(Key::O, CTRL);
    person.app.frames(3);
    assert_eq!(dialog(&mut person), (here, None));
}

/// If the document's own folder is missing, Save As starts in an existing one.
#[test]
fn a_document_whose_folder_is_gone_is_saved_elsewhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let [gone, other] = ["gone", "other"].map(|name| folder.path().join(name));
    std::fs::create_dir(&gone).expect("made");
    std::fs::create_dir(&other).expect("made");
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let file = gone.join("scene.js3d");
    std::fs::write(&file, person.bytes()).expect("written");
    person.drop_file(&file);
    person.turn_an_arm();
    std::fs::remove_dir_all(&gone).expect("removed");
    person.app.key(Key::S, CTRL);
    person.app.frames(3);
    assert_eq!(person.messages().last().map(String::as_str), Some("The scene was not saved"));
    assert!(person.editor().session.is_modified());
    person.app.key(Key::S, CTRL_SHIFT);
    person.app.frames(3);
    let dialog = person.panels().file_dialog.as_ref().expect("it is open");
    assert_eq!((dialog.name.as_str(), &dialog.error), ("scene.js3d", &None));
    assert!(dialog.folder.is_dir());
    person.name_file(&other.join("scene.js3d"));
    assert!(std::fs::read(other.join("scene.js3d")).expect("saved") == person.bytes());
    assert!(!person.editor().session.is_modified());
}
