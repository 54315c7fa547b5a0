//! Enter confirms the main button of every dialog, whether or not a field has the keyboard; a click beside it does
//! nothing.

use super::support::*;
use egui::{Key, pos2};
use ossature::edit::action::Action;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::editor::panels::dialogs::file_dialog::FileMode;
use ossature::editor::panels::dialogs::overwrite_dialog::{OverwriteQuestion, OverwriteReason};

/// The dialogs whose main button only closes them.
const CLOSED_ONLY: [&str; 2] = ["About Ossature", "Preferences"];

/// Presses Enter, and checks that it does what the main button does: it asks for something and closes the dialog.
fn confirm(mut desk: Desk, name: &str) {
    desk.frame();
    desk.frame();
    assert!(desk.state().panels.is_modal(), "{name} is open");
    let asked = desk.key(Key::Enter);
    desk.frame();
    assert_eq!(asked.is_empty(), CLOSED_ONLY.contains(&name), "{name}: {asked:?}");
    let leads_on = ["Save changes?", "Replace the file?", "Render animation", "Save picture"].contains(&name);
    assert!(leads_on || !desk.state().panels.is_modal(), "{name} stays open");
}

/// Clicks beside the dialog, which stays open.
fn beside(desk: &mut Desk, name: &str) {
    let asked = desk.click_at(pos2(3.0, 300.0));
    desk.frame();
    assert!(asked.is_empty() && desk.state().panels.is_modal(), "{name} stays open: {asked:?}");
}

#[test]
fn enter_confirms_every_dialog_of_an_action() {
    let mut dialogs = Vec::new();
    for action in Action::all().filter(|action| *action != Action::FIND_ACTION) {
        for (tab, unfocused) in [(Tab::Rig, true), (Tab::Animate, false), (Tab::Animate, true)] {
            let mut desk = Desk::with_part(tab, Some(Part::Bone(1)));
            desk.edit_scene(|scene| add_weights(scene, 8));
            desk.state_mut().panels.render.output = "/pictures/frame.png".into();
            if desk.with_view(|view| action.prepare(view).is_err()) {
                continue;
            }
            desk.state_mut().act(action);
            desk.frame();
            if !desk.state().panels.is_modal() {
                continue;
            }
            desk.frame();
            if action == Action::RENAME_BONES {
                // Without a new name there is nothing to confirm.
                desk.type_text("Part.##");
                desk.frame();
            }
            if unfocused {
                desk.unfocus();
                desk.frame();
                beside(&mut desk, action.name());
            }
            confirm(desk, action.name());
            dialogs.push(action.name());
        }
    }
    dialogs.dedup();
    for name in ["Export glTF", "Preferences", "About Ossature", "Bake IK"] {
        assert!(dialogs.contains(&name), "{name} in {dialogs:?}");
    }
}

#[test]
fn enter_confirms_every_question() {
    use OverwriteReason::{Changed, Damaged, Exists};
    for reason in [Exists, Changed, Damaged("entry 3 is lost".into())] {
        let mut desk = Desk::new(Tab::Rig);
        let (name, title) = ("walk.js3d".to_owned(), format!("{reason:?}"));
        desk.state_mut().panels.dialogs.overwrite = Some(OverwriteQuestion { name, reason });
        beside(&mut desk, &title);
        confirm(desk, &title);
    }
    let mut desk = Desk::asking_to_save();
    beside(&mut desk, "Save changes?");
    confirm(desk, "Save changes?");
    let mut desk = Desk::new(Tab::Animate);
    desk.state_mut().panels.dialogs.save_unkeyed = true;
    confirm(desk, "Key the unkeyed changes?");
    // A file that is chosen in the list, and one that exists already.
    let mut desk = Desk::with_files(FileMode::Open);
    desk.click("File a.js3d");
    desk.unfocus();
    confirm(desk, "Open");
    let mut desk = Desk::with_files(FileMode::Save);
    desk.click("File a.js3d");
    desk.unfocus();
    desk.frame();
    assert_eq!(desk.key(Key::Enter), []);
    assert!(desk.has("Replace the file?"));
    confirm(desk, "Replace the file?");
}
