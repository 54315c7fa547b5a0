//! Menus and tabs.

use super::mesh;
use super::support::*;
use egui::{Event, Key, Modifiers};
use ossature::edit::action::{Action, Menu};
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::options::Keymap;
use ossature::edit::settings::view::Tab;
use ossature::editor::panels::menu::RecentFile;
use ossature::editor::ui::action::pressed_action;
use std::path::PathBuf;

#[test]
fn every_menu_line_asks_for_its_action_or_says_why_not() {
    for menu in Menu::ALL {
        for &action in menu.actions {
            let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
            let enabled = desk.with_view(|view| action.enabled(view));
            desk.click(menu.text);
            if let Some(submenu) = action.submenu {
                desk.click(&format!("{} > {submenu}", menu.text));
            }
            let label = format!("{} > {}", menu.text, action.text);
            match enabled {
                Ok(()) => {
                    let mut asked = desk.click(&label);
                    // A primitive is previewed while its dialog is open.
                    asked.retain(|request| *menu != Menu::ADD || !matches!(request, Request::Preview(_)));
                    // The render dialog opens the tab that it renders.
                    let tab = Request::Act(Action::TAB_ANIMATE);
                    asked.retain(|request| *menu != Menu::FILE || *request != tab);
                    assert_eq!(asked, [Request::Act(action)], "{label}");
                }
                Err(why) => {
                    assert!(desk.is_disabled(&label), "{label}");
                    assert_eq!(desk.description(&label).as_deref(), Some(&*why), "{label}");
                    assert_eq!(desk.click(&label), [], "{label}");
                }
            }
        }
    }
}

#[test]
fn menu_shows_keys_and_what_undo_undoes() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(0)));
    desk.session().apply(&[Command::set_bone(mesh(), 0, "radius", 2.0)]).unwrap();
    let step = desk.session().undo_label().unwrap().to_owned();
    desk.frame();
    desk.click("Edit");
    assert_eq!(desk.click(&format!("Edit > Undo {step}")), [Request::Act(Action::UNDO)]);
}

#[test]
fn tabs_switch_once() {
    let mut desk = Desk::new(Tab::Rig);
    assert_eq!(desk.click("Rig"), []);
    assert_eq!(desk.click("Animate"), [Request::Act(Action::TAB_ANIMATE)]);
    assert_eq!(desk.state().settings.tab, Tab::Animate);
    assert_eq!(desk.click("Rig"), [Request::Act(Action::TAB_RIG)]);
}

#[test]
fn help_opens_its_windows() {
    let mut desk = Desk::new(Tab::Rig);
    for (line, inside) in [
        ("Help > Keyboard shortcuts", "Cancel a drag"),
        ("Help > Messages", "Copy all"),
        ("Help > About Ossature", "Close"),
    ] {
        desk.click("Help");
        desk.click(line);
        assert!(desk.has(inside), "{line}");
        if inside == "Close" {
            desk.click("Close");
            assert!(!desk.has("Close"));
        }
    }
}

#[test]
fn shortcuts_are_searched_and_stand_in_one_column() {
    let mut desk = Desk::new(Tab::Rig);
    desk.click("Help");
    desk.click("Help > Keyboard shortcuts");
    desk.frame();
    let left = |desk: &Desk, label: &str| desk.rect(label).left();
    assert_eq!(left(&desk, "Esc, right click"), left(&desk, "Wheel"));
    desk.type_text("cancel a d");
    desk.frame();
    assert!(desk.has("Cancel a drag") && !desk.has("Wheel"));
    desk.type_text("ctrl+s");
    desk.frame();
    assert!(desk.has("Ctrl+S") && !desk.has("Cancel a drag"), "keys are found too");
    desk.type_text("mirror weights");
    desk.frame();
    assert!(
        desk.has("Mirror weights left to right") && desk.has("No keys"),
        "actions without keys are found too"
    );
    desk.type_text("nothing of the kind");
    desk.frame();
    assert!(desk.has_containing("Nothing found"));
}

/// Every shortcut, looked up as in the window, requests its action and no other; held keys repeat only where
/// the action allows it.
#[test]
fn every_shortcut_is_a_key_that_asks_for_its_action() {
    let keys = Keymap::default();
    for action in Action::all() {
        for shortcut in action.shortcuts {
            let key = Key::ALL.iter().find(|key| format!("{key:?}") == shortcut.key);
            let key = *key.expect("egui has a key of this name");
            let event = |repeat| Event::Key {
                key,
                physical_key: None,
                pressed: true,
                repeat,
                modifiers: Modifiers {
                    alt: shortcut.alt,
                    shift: shortcut.shift,
                    ctrl: shortcut.ctrl,
                    command: shortcut.ctrl,
                    mac_cmd: false,
                },
            };
            assert_eq!(pressed_action(&event(false), &keys), Some(action), "{shortcut}");
            assert_eq!(pressed_action(&event(true), &keys), action.repeats.then_some(action), "{shortcut}");
        }
    }
}

#[test]
fn files_of_before_open_again_unless_they_are_gone() {
    let mut desk = Desk::new(Tab::Rig);
    let [there, gone] = ["/scenes/walk.js3d", "/scenes/gone.js3d"].map(PathBuf::from);
    desk.click("File");
    assert!(desk.is_disabled("File > Open recent"), "there are none");
    let recent =
        [(&there, true), (&gone, false)].map(|(path, exists)| RecentFile { path: path.clone(), exists });
    let mut desk = Desk::new(Tab::Rig);
    desk.state_mut().panels.recent = recent.to_vec();
    desk.click("File");
    desk.click("File > Open recent");
    assert!(desk.is_disabled("File > Open recent > gone.js3d"));
    assert_eq!(desk.click("File > Open recent > walk.js3d"), [Request::OpenPath(there)]);
}
