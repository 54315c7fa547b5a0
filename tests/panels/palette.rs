//! The command palette.

use super::support::*;
use egui::Key;
use ossature::edit::action::{Action, Dialog};
use ossature::edit::request::Request;
use ossature::edit::settings::view::Tab;

fn open(tab: Tab) -> Desk {
    let mut desk = Desk::new(tab);
    open_over(&mut desk);
    desk
}

fn open_over(desk: &mut Desk) {
    desk.state_mut().panels.open(Dialog::Palette);
    desk.frame();
    desk.frame();
    assert!(desk.state().panels.is_modal());
}

#[test]
fn what_is_typed_is_found_and_enter_does_it() {
    let mut desk = open(Tab::Rig);
    desk.type_text("wirefr");
    assert_eq!(desk.key(Key::Enter), [Request::Act(Action::TOGGLE_WIREFRAME)]);
    assert!(!desk.state().panels.is_modal());
    // It comes first the next time.
    desk.state_mut().panels.open(Dialog::Palette);
    desk.frame();
    desk.frame();
    assert_eq!(desk.key(Key::Enter), [Request::Act(Action::TOGGLE_WIREFRAME)]);
}

/// Every action that is available, with the same effect as its key or menu line.
#[test]
fn every_action_is_done_from_here() {
    let mut done = 0;
    for action in Action::all().filter(|action| *action != Action::FIND_ACTION) {
        // Some actions open a dialog, which stays.
        let mut desk = open(Tab::Rig);
        if desk.with_view(|view| action.enabled(view).is_err()) {
            continue;
        }
        desk.type_text(action.name());
        // A dialog may also request its tab. A mesh to add and an example are both called Cylinder.
        let asked = desk.key(Key::Enter);
        let Some(Request::Act(found)) = asked.first() else {
            panic!("{action:?}: {asked:?}");
        };
        assert!(*found == action || found.name() == action.name(), "{action:?}: {found:?}");
        assert!(!desk.has_containing("Palette >"), "{action:?}");
        done += 1;
    }
    assert!(done > 60, "{done}");
}

#[test]
fn arrows_go_from_line_to_line_and_round() {
    let mut desk = open(Tab::Rig);
    // Those that can be done.
    let possible = desk.with_view(|view| {
        let all = Action::all().filter(|action| action.enabled(view).is_ok());
        all.collect::<Vec<_>>()
    });
    desk.key(Key::ArrowDown);
    desk.key(Key::ArrowDown);
    desk.key(Key::ArrowUp);
    assert_eq!(desk.key(Key::Enter), [Request::Act(possible[1])]);
    let mut desk = open(Tab::Rig);
    desk.key(Key::ArrowUp);
    assert_eq!(desk.key(Key::Enter), [Request::Act(possible[possible.len() - 1])]);
}

#[test]
fn a_click_does_it_and_escape_nothing() {
    let mut desk = open(Tab::Rig);
    desk.type_text("about oss");
    desk.frame();
    assert_eq!(desk.click("Palette > About Ossature"), [Request::Act(Action::ABOUT)]);
    let mut desk = open(Tab::Rig);
    assert_eq!(desk.key(Key::Escape), []);
    assert!(!desk.state().panels.is_modal());
}

/// Whatever is typed, and wherever the arrows go, the current line is one that Enter does.
#[test]
fn no_line_that_cannot_be_done_is_current() {
    let mut enabled = 0;
    for text in ["", "e", "undo", "key", "weights", "bone", "redo", "dismiss unkeyed"] {
        for key in [None, Some(Key::ArrowDown), Some(Key::ArrowUp), Some(Key::PageDown), Some(Key::PageUp)] {
            for times in [1, 3] {
                let mut desk = open(Tab::Rig);
                desk.type_text(text);
                desk.frame();
                for key in key.into_iter().cycle().take(times) {
                    desk.key(key);
                }
                let possible = desk
                    .controls()
                    .into_iter()
                    .any(|(label, _)| label.starts_with("Palette > ") && !desk.is_disabled(&label));
                let asked = desk.key(Key::Enter);
                match possible {
                    true => {
                        assert!(matches!(asked.first(), Some(Request::Act(_))), "{text} {key:?}: {asked:?}")
                    }
                    false => assert_eq!(asked, [], "{text} {key:?}"),
                }
                enabled += usize::from(possible);
            }
        }
    }
    assert!(enabled > 30, "{enabled}");
}

#[test]
fn what_cannot_be_done_says_why_and_stays() {
    let mut desk = open(Tab::Rig);
    desk.type_text("dismiss unkeyed");
    desk.frame();
    assert!(desk.is_disabled("Palette > Dismiss unkeyed changes"));
    assert_eq!(desk.key(Key::Enter), []);
    assert!(desk.state().panels.is_modal());
}

/// Actions on keys are done in the panel of keys.
#[test]
fn actions_on_keys_are_found_too() {
    let mut desk = open(Tab::Rig);
    desk.type_text("curves");
    desk.frame();
    assert!(desk.is_disabled("Palette > Keys > Switch sheet and curves"), "keys are on the other tab");
    for (query, label) in [
        ("graph editor", "Switch sheet and curves"),
        ("simplify", "Simplify keys"),
        ("bounce out", "Ease bounce out"),
    ] {
        let mut desk = super::graph::desk();
        open_over(&mut desk);
        desk.type_text(query);
        desk.frame();
        assert!(desk.has(&format!("Palette > Keys > {label}")), "{query}");
    }
    let mut desk = super::graph::desk();
    assert_eq!(desk.toggled("Curves"), Some(true));
    open_over(&mut desk);
    desk.type_text("graph editor");
    desk.key(Key::Enter);
    desk.frame();
    assert_eq!(desk.toggled("Curves"), Some(false), "the sheet again");
}

/// A drag that begins here starts where the pointer is, even if it has not been over the window.
#[test]
fn blends_begin_where_the_pointer_comes_in() {
    let mut desk = super::graph::desk();
    desk.click(super::graph::X10);
    let place = desk.rect("Keys").center();
    desk.event(egui::Event::PointerGone);
    open_over(&mut desk);
    desk.type_text("blend to neighbours");
    desk.key(Key::Enter);
    desk.frame();
    desk.hover(place);
    desk.hover(place + egui::vec2(25.0, 0.0));
    assert!(desk.has("25 % to the key behind"), "{:?}", desk.controls());
    desk.key(Key::Escape);
}
