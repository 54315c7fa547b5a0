//! Dialogs, the file dialog, messages.

use super::support::*;
use egui::Key;
use glam::Vec3;
use ossature::edit::action::Action;
use ossature::edit::request::{Overwrite, Request, SaveChanges, SaveUnkeyed};
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::settings::view::Tab;
use ossature::editor::panels::dialogs::file_dialog::FileMode;
use ossature::editor::panels::dialogs::overwrite_dialog::{OverwriteQuestion, OverwriteReason};
use ossature::editor::panels::messages::Level;
use ossature::editor::ui::theme;
use ossature::scene::instance::{InstanceKind, InstanceRef};
use ossature::scene::resource::Transform;
use std::sync::Arc;

#[test]
fn save_changes_is_answered_by_buttons_and_keys() {
    for (label, answer) in
        [("Save", SaveChanges::Save), ("Don't save", SaveChanges::Discard), ("Cancel", SaveChanges::Cancel)]
    {
        let mut desk = Desk::asking_to_save();
        assert_eq!(desk.click(label), [Request::SaveChanges(answer)]);
        assert!(!desk.state().panels.is_modal());
    }
    for (key, answer) in [(Key::Escape, SaveChanges::Cancel), (Key::Enter, SaveChanges::Save)] {
        let mut desk = Desk::asking_to_save();
        assert_eq!(desk.key(key), [Request::SaveChanges(answer)]);
    }
}

#[test]
fn replacing_is_answered_by_buttons_and_keys() {
    use OverwriteReason::{Changed, Damaged, Exists};
    let damaged = || Damaged("entry 3 is lost".into());
    for (reason, label, answer) in [
        (Exists, "Replace", Overwrite::Replace),
        (Exists, "Cancel", Overwrite::Cancel),
        (Changed, "Save as…", Overwrite::SaveElsewhere),
        (Changed, "Overwrite", Overwrite::Replace),
        (Changed, "Reload", Overwrite::Reload),
        (damaged(), "Save as…", Overwrite::SaveElsewhere),
        (damaged(), "Overwrite", Overwrite::Replace),
    ] {
        let mut desk = Desk::new(Tab::Rig);
        let name = "walk.js3d".to_owned();
        desk.state_mut().panels.dialogs.overwrite = Some(OverwriteQuestion { name, reason });
        desk.frame();
        desk.frame();
        assert!(desk.has_containing("“walk.js3d”"));
        assert_eq!(desk.click(label), [Request::Overwrite(answer)]);
        assert!(!desk.state().panels.is_modal());
    }
}

#[test]
fn unkeyed_changes_are_keyed_or_given_up_before_saving() {
    for (label, answer) in [
        ("Key them", SaveUnkeyed::Key),
        ("Keep as in the file", SaveUnkeyed::Keep),
        ("Cancel", SaveUnkeyed::Cancel),
    ] {
        let mut desk = Desk::new(Tab::Animate);
        desk.state_mut().panels.dialogs.save_unkeyed = true;
        desk.frame();
        desk.frame();
        assert!(
            desk.state().panels.is_modal()
                && desk.has_containing("will be lost when the file is opened again")
        );
        assert_eq!(desk.click(label), [Request::SaveUnkeyed(answer)]);
        assert!(!desk.state().panels.is_modal());
    }
}

#[test]
fn a_dialog_keeps_everything_else_waiting() {
    let mut desk = Desk::asking_to_save();
    assert_eq!(desk.click("Animate"), []);
    assert_eq!(desk.state().settings.tab, Tab::Rig);
    assert!(desk.state().panels.is_modal());
}

#[test]
fn file_dialog_opens_by_list_and_by_typing() {
    let mut desk = Desk::with_files(FileMode::Open);
    desk.click("File a.js3d");
    assert_eq!(desk.click("Open"), [Request::OpenPath("/scenes/a.js3d".into())]);
    assert!(desk.state().panels.file_dialog.is_none());

    let mut desk = Desk::with_files(FileMode::Open);
    desk.click("File name");
    desk.type_text("b.js3d");
    assert_eq!(desk.key(Key::Enter), []);
    assert!(desk.has("There is no file “b.js3d” in /scenes."));
    desk.click("File name");
    desk.type_text("a");
    assert_eq!(desk.key(Key::Enter), [Request::OpenPath("/scenes/a.js3d".into())]);

    let mut desk = Desk::with_files(FileMode::Open);
    desk.click("Open");
    assert!(desk.has_containing("Type a name"));
    assert_eq!(desk.click("Cancel"), []);
    assert!(desk.state().panels.file_dialog.is_none());
}

#[test]
fn file_dialog_walks_folders() {
    let mut desk = Desk::with_files(FileMode::Open);
    desk.double_click("Folder more");
    let dialog = desk.state_mut().panels.file_dialog.as_mut().unwrap();
    assert_eq!(dialog.take_folder_request(), Some("/scenes/more".into()));
    desk.click("Parent folder");
    let dialog = desk.state_mut().panels.file_dialog.as_mut().unwrap();
    assert_eq!(dialog.take_folder_request(), Some("/".into()));
    dialog.set_entries("/".into(), Err("No permission".into()));
    desk.frame();
    assert!(desk.has("No permission"));
    assert!(!desk.has("File notes.txt"));
    desk.click("All files");
    assert!(desk.has("File notes.txt"));
}

#[test]
fn file_dialog_asks_before_it_replaces() {
    let mut desk = Desk::with_files(FileMode::Save);
    desk.click("File name");
    desk.type_text("a");
    assert_eq!(desk.key(Key::Enter), []);
    desk.click("Back");
    desk.click("Save");
    assert_eq!(desk.click("Replace"), [Request::SavePath("/scenes/a.js3d".into())]);
}

/// Number fields are dark in every dialog; buttons stand out.
#[test]
fn fields_look_like_fields_in_every_dialog() {
    let fields: [(Action, &[&str]); 3] = [
        (Action::SPLIT_BONES, &["Pieces field"]),
        (Action::SCALE_RADIUS, &["Factor field"]),
        (Action::RENDER_ANIMATION, &["Width", "Height", "Start frame", "End frame", "Step"]),
    ];
    for (action, labels) in fields {
        let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
        desk.state_mut().act(action);
        desk.frame();
        // A control with the keyboard focus looks like a line that is being edited.
        desk.key(Key::Tab);
        for label in labels {
            assert_eq!(desk.fill(label), Some(*theme::FIELD), "{label}");
        }
        assert_eq!(desk.fill("Cancel"), Some(*theme::CONTROL));
    }
}

#[test]
fn messages_toast_and_are_kept_for_copying() {
    let mut desk = Desk::new(Tab::Rig);
    desk.state_mut().panels.messages.push(Level::Error, "Cannot open it", "at byte 7");
    desk.frame();
    assert!(desk.has("Cannot open it"));
    assert!(desk.has("New warnings"));
    // Notes are not problems, and are not counted.
    desk.state_mut().panels.messages.push(Level::Info, "Opened", "");
    desk.state_mut().panels.messages.push(Level::Warning, "Repaired", "");
    desk.frame();
    assert_eq!(desk.value("New warnings").as_deref(), Some("2"));
    desk.click("Details of Cannot open it");
    desk.frame();
    assert!(desk.has("at byte 7"));
    desk.click("Copy message 1");
    assert_eq!(desk.copied().as_deref(), Some("Error: Cannot open it\nat byte 7"));
    desk.click("Copy all");
    desk.click("Clear");
    assert!(!desk.has("at byte 7"));

    desk.state_mut().panels.messages.open = false;
    desk.state_mut().panels.messages.push(Level::Info, "Saved", "");
    desk.frame();
    assert!(desk.has("Saved"));
    desk.click("Close Saved");
    desk.frame();
    assert!(!desk.has("Saved"));
}

/// The box, which has a transform of its own, is attached to the arm of the person at the frames that are typed.
#[test]
fn an_instance_is_attached_to_a_bone() {
    let mut desk = Desk::new(Tab::Animate);
    let select = |desk: &mut Desk, name: &str| {
        let instance = InstanceRef { kind: InstanceKind::Mesh, name: name.into() };
        let selection = Selection { instance: Some(instance), ..Selection::default() };
        desk.session().select(selection);
        desk.frame();
    };
    select(&mut desk, "Box");
    desk.state_mut().act(Action::ATTACH);
    desk.frame();
    assert!(!desk.has("Attach"), "it carries the person");
    desk.edit_scene(|scene| {
        let place = Transform { translation: Vec3::X * 2.0, ..Transform::default() };
        scene.transforms.insert("Place".into(), Arc::new(place));
        let instance = Arc::make_mut(scene.instances.meshes.get_mut("Box").unwrap());
        instance.transform = Some("Place".into());
    });
    select(&mut desk, "Box");
    desk.state_mut().act(Action::ATTACH);
    desk.frame();
    desk.click("To bone");
    desk.click("To bone: Arm");
    for (field, typed) in [("From frame field", "2"), ("Until frame field", "1"), ("Until frame field", "5")]
    {
        desk.click(field);
        desk.type_text(typed);
        desk.key(Key::Tab);
        if typed == "1" {
            assert_eq!(desk.click("Attach"), []);
            assert!(desk.has("The last frame must not come before the first one."));
        }
    }
    desk.click("Attach");
    assert!(!desk.state().panels.is_modal());
    let animation = desk.session().scene().animation.clone();
    let channels = &animation.channels["Place"];
    assert_eq!(channels.keys().collect::<Vec<_>>(), ["rotation", "translation"]);
    assert!(channels.values().all(|keys| keys.times() == [2.0, 3.0, 4.0, 5.0]));
    assert_eq!(desk.session().history().undo_label(), Some("Attach Place"));
}
