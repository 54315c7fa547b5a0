//! Shortcuts: presets, and single keys that a user assigns to other actions.

use ossature::edit::action::{Action, KeyPress, Shortcut};
use ossature::edit::settings::options::Keymap;
use ossature::edit::settings::preset::Preset;
use std::collections::HashMap;

fn press(shortcut: &Shortcut) -> KeyPress {
    KeyPress {
        ctrl: shortcut.ctrl,
        shift: shortcut.shift,
        alt: shortcut.alt,
        key: shortcut.key.into(),
        physical_key: None,
    }
}

/// Checks that no key has two actions, each finds its own, and no action loses all its keys unintentionally.
fn check(keys: &Keymap, what: &str) {
    let mut taken: HashMap<Shortcut, Action> = HashMap::new();
    for action in Action::all() {
        for shortcut in keys.shortcuts(action).iter() {
            if let Some(other) = taken.insert(*shortcut, action) {
                panic!("{what}: {shortcut} is both {other:?} and {action:?}");
            }
            assert_eq!(keys.action(&press(shortcut)), Some(action), "{what}: {shortcut}");
            assert_eq!(Shortcut::from_press(&press(shortcut)), Some(*shortcut), "{what}");
        }
    }
}

#[test]
fn no_preset_has_a_key_for_two_actions() {
    for preset in Preset::ALL {
        let keys = Keymap::from_preset(preset);
        check(&keys, preset.text());
        let lost =
            Action::all().filter(|action| !action.shortcuts.is_empty() && keys.shortcuts(*action).is_empty());
        let lost: Vec<Action> = lost.collect();
        assert!(lost.len() <= 2, "{preset:?}: {lost:?} have no keys");
    }
    for (preset, key, action) in [
        (Preset::Blender, "G", Action::GIZMO_MOVE),
        (Preset::Blender, "A", Action::SELECT_ALL),
        (Preset::Maya, "S", Action::INSERT_KEYS),
        (Preset::Maya, "W", Action::GIZMO_MOVE),
        (Preset::Ossature, "A", Action::FRAME_ALL),
    ] {
        let found = Keymap::from_preset(preset).action(&press(&Shortcut::plain(key)));
        assert_eq!(found, Some(action), "{preset:?}: {key}");
    }
}

#[test]
fn a_key_that_is_given_away_is_nowhere_else() {
    let mut keys = Keymap::default();
    let (s, f5) = (Shortcut::ctrl("S"), Shortcut::plain("F5"));
    keys.add(Action::SAVE, f5);
    assert_eq!(*keys.shortcuts(Action::SAVE), [s, f5]);
    keys.add(Action::SELECT_ALL, s);
    assert_eq!(keys.action(&press(&s)), Some(Action::SELECT_ALL));
    assert_eq!(*keys.shortcuts(Action::SAVE), [f5]);
    assert!(keys.is_changed(Action::SAVE) && keys.is_changed(Action::SELECT_ALL));
    check(&keys, "changed");
    // Resetting restores the keys, except one that is assigned elsewhere by now.
    keys.reset(Action::SAVE);
    assert_eq!(*keys.shortcuts(Action::SAVE), []);
    keys.reset(Action::SELECT_ALL);
    keys.reset(Action::SAVE);
    assert_eq!(keys, Keymap::default());
    keys.remove(Action::SAVE, s);
    assert_eq!((keys.text(Action::SAVE), keys.action(&press(&s))), (None, None));
}

#[test]
fn what_was_changed_stays_under_another_preset() {
    // G is Move in Blender's preset.
    let g = Shortcut::plain("G");
    let mut keys = Keymap::default();
    keys.add(Action::TOGGLE_WIREFRAME, g);
    keys.change_preset(Preset::Blender);
    assert_eq!(keys.action(&press(&g)), Some(Action::TOGGLE_WIREFRAME));
    check(&keys, "Blender with G");
    keys.change_preset(Preset::Maya);
    check(&keys, "Maya with G");
}

#[test]
fn keys_are_read_as_they_were_written() {
    let mut keys = Keymap::from_preset(Preset::Maya);
    keys.add(Action::SAVE, Shortcut::ctrl_alt("Num7"));
    keys.remove(Action::QUIT, Shortcut::ctrl("Q"));
    let text = serde_json::to_string(&keys).unwrap();
    assert_eq!(text, r#"{"preset":"maya","changed":{"QUIT":[],"SAVE":["Ctrl+S","Ctrl+Alt+Num7"]}}"#);
    assert_eq!(serde_json::from_str::<Keymap>(&text).unwrap(), keys);
    // An action from another version.
    let later = r#"{"preset":"blender","changed":{"DANCE":["F9"]}}"#;
    let read: Keymap = serde_json::from_str(later).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), later);
    for wrong in ["", "Ctrl+", "Shift+Ctrl+A", "Ä", "Ctrl+Nothing"] {
        let text = format!(r#"{{"changed":{{"SAVE":["{wrong}"]}}}}"#);
        let error = serde_json::from_str::<Keymap>(&text).unwrap_err().to_string();
        assert!(error.contains("is no key"), "{wrong}: {error}");
    }
}

/// Shift changes the character of many keys, so they go by their physical key.
#[test]
fn a_press_is_a_key_of_the_keyboard() {
    let press = |key: &str, physical: &str| KeyPress {
        ctrl: false,
        shift: true,
        alt: false,
        key: key.into(),
        physical_key: Some(physical.into()),
    };
    assert_eq!(Shortcut::from_press(&press("Questionmark", "Slash")), Some(Shortcut::shift("Slash")));
    assert_eq!(Shortcut::from_press(&press("Z", "Y")), Some(Shortcut::shift("Z")));
    assert_eq!(Shortcut::from_press(&press("Copy", "Copy")), None);
}
