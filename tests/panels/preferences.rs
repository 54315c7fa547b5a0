//! Edit > Preferences.

use super::support::*;
use egui::{Key, Modifiers};
use ossature::edit::action::{Action, Dialog, Shortcut};
use ossature::edit::request::Request;
use ossature::edit::settings::options::{Options, Theme};
use ossature::edit::settings::preset::Preset;
use ossature::edit::settings::view::Tab;
use ossature::edit::settings::view_colors::ViewColors;

fn open() -> Desk {
    let mut desk = Desk::new(Tab::Rig);
    desk.state_mut().panels.open(Dialog::Preferences);
    desk.frame();
    desk.frame();
    desk
}

/// Returns the options that were chosen last.
fn chosen(requests: &[Request]) -> Options {
    let options = requests.iter().rev().find_map(|request| match request {
        Request::Options(options) => Some((**options).clone()),
        _ => None,
    });
    options.expect("something was chosen")
}

fn filter(desk: &mut Desk, text: &str) {
    desk.click("Filter keys");
    desk.type_text(text);
    desk.frame();
}

/// A click on a key removes it, so keys must not move under the pointer.
#[test]
fn the_dialog_keeps_still() {
    let mut desk = Desk::new(Tab::Rig);
    desk.state_mut().panels.open(Dialog::Preferences);
    desk.step();
    desk.step();
    desk.step();
    let first = desk.rect("Filter keys");
    for _ in 0..30 {
        desk.step();
        assert_eq!(desk.rect("Filter keys"), first);
    }
}

#[test]
fn a_key_is_given_and_taken_away() {
    let mut desk = open();
    filter(&mut desk, "calculate bone");
    desk.click("Add key for Calculate bone weights");
    let options = chosen(&desk.key(Key::F5));
    let weights = Action::CALCULATE_WEIGHTS;
    assert_eq!(*options.keys.shortcuts(weights), [Shortcut::shift("W"), Shortcut::plain("F5")]);
    // From now on the key is assigned, and pressing it here had no other effect.
    let options = chosen(&desk.click("Calculate bone weights: Shift+W"));
    assert_eq!(*options.keys.shortcuts(weights), [Shortcut::plain("F5")]);
    let options = chosen(&desk.click("Reset keys of Calculate bone weights"));
    assert_eq!(options, Options::default());
    desk.key(Key::Escape);
    assert!(!desk.state().panels.is_modal());
}

#[test]
fn a_key_that_is_taken_says_whose_it_is() {
    let mut desk = open();
    filter(&mut desk, "calculate bone");
    desk.click("Add key for Calculate bone weights");
    assert_eq!(desk.key_with(Modifiers::COMMAND, Key::S), []);
    assert!(desk.has("Ctrl+S is used by Save."));
    desk.click("Cancel new shortcut");
    assert!(!desk.has("Ctrl+S is used by Save."));
    desk.click("Add key for Calculate bone weights");
    desk.key_with(Modifiers::COMMAND, Key::S);
    let options = chosen(&desk.click("Take Ctrl+S for Calculate bone weights"));
    assert_eq!(*options.keys.shortcuts(Action::SAVE), []);
    assert_eq!(options.keys.owner(Shortcut::ctrl("S")), Some(Action::CALCULATE_WEIGHTS));
    // Esc cancels the wait for a key, and does not close the dialog.
    desk.click("Add key for Calculate bone weights");
    assert_eq!(desk.key(Key::Escape), []);
    assert!(desk.state().panels.is_modal());
}

#[test]
fn presets_switches_and_numbers_count_at_once() {
    let mut desk = open();
    desk.click("Key preset");
    let options = chosen(&desk.click("Blender"));
    assert_eq!(options.keys.preset, Preset::Blender);
    assert!(!chosen(&desk.click("Keep a journal")).journal);
    assert_eq!(chosen(&desk.click("Reset all")), Options::default());
    // The list of shortcuts shows the active ones.
    desk.click("Close");
    desk.state_mut().settings.options.keys.preset = Preset::Blender;
    desk.state_mut().panels.open(Dialog::Shortcuts);
    desk.frame();
    assert!(desk.has("Esc, Alt+A"));
}

#[test]
fn the_light_theme_is_chosen_and_reaches_every_panel() {
    let mut desk = open();
    desk.click("Theme of the window");
    desk.frame();
    let options = chosen(&desk.click("Light"));
    assert_eq!(options.theme, Theme::Light);
    // Surfaces of panels, fields and windows, in the order of their brightness.
    let brightness = |desk: &mut Desk| {
        desk.frame();
        desk.frame();
        ["Filter keys", "Close"].map(|label| {
            let fill = desk.fill(label).expect("it has a fill");
            [fill.r(), fill.g(), fill.b()].into_iter().min()
        })
    };
    let mut dark = open();
    assert!(brightness(&mut dark).into_iter().all(|light| light < Some(0x60)));
    desk.state_mut().settings.options.theme = Theme::Light;
    assert!(brightness(&mut desk).into_iter().all(|light| light > Some(0xc0)));
}

#[test]
fn the_colours_of_the_view_are_chosen_and_reset() {
    let mut desk = open();
    assert_eq!(desk.click("Reset colours"), [], "nothing to reset");
    for (name, _) in ViewColors::default().rows() {
        assert!(desk.has(&format!("{name} colour")), "{name}");
    }
    desk.state_mut().settings.options.colors.bones = [1, 2, 3];
    desk.frame();
    let options = chosen(&desk.click("Reset colours"));
    assert_eq!(options, Options::default());
}
