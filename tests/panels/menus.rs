//! Menus and tabs.

use super::mesh;
use super::support::*;
use ossature::edit::action::{Action, Menu};
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::selection::Part;
use ossature::edit::view::Tab;

#[test]
fn every_menu_line_asks_for_its_action_or_says_why_not() {
    for menu in Menu::ALL {
        for action in menu.actions() {
            let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
            let enabled = desk.with_view(|view| action.enabled(view));
            desk.click(menu.text());
            if let Some(submenu) = action.submenu() {
                desk.click(&format!("{} > {submenu}", menu.text()));
            }
            let label = format!("{} > {}", menu.text(), action.info().text);
            match enabled {
                Ok(()) => {
                    let mut asked = desk.click(&label);
                    // A primitive is shown while its numbers are asked for.
                    asked.retain(|request| *menu != Menu::Add || !matches!(request, Request::Preview(_)));
                    // The render dialog opens the tab that it renders.
                    let tab = Request::Act(Action::TabAnimate);
                    asked.retain(|request| *menu != Menu::File || *request != tab);
                    assert_eq!(asked, [Request::Act(action)], "{label}");
                }
                Err(why) => {
                    assert!(desk.is_disabled(&label), "{label}");
                    assert_eq!(desk.description(&label).as_deref(), Some(why.as_str()), "{label}");
                    assert_eq!(desk.click(&label), [], "{label}");
                }
            }
        }
    }
}

#[test]
fn menu_shows_keys_and_what_undo_undoes() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(0)));
    desk.session()
        .apply(&[Command::SetRadius {
            mesh: mesh(),
            bone: 0,
            radius: 2.0,
        }])
        .unwrap();
    let step = desk.session().undo_label().unwrap().to_owned();
    desk.frame();
    desk.click("Edit");
    assert_eq!(
        desk.click(&format!("Edit > Undo {step}")),
        [Request::Act(Action::Undo)]
    );
}

#[test]
fn tabs_switch_once() {
    let mut desk = Desk::new(Tab::Rig);
    assert_eq!(desk.click("Rig"), []);
    assert_eq!(desk.click("Animate"), [Request::Act(Action::TabAnimate)]);
    assert_eq!(desk.state().settings.tab, Tab::Animate);
    assert_eq!(desk.click("Rig"), [Request::Act(Action::TabRig)]);
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
