//! The actions on keys in the sheet: one table for the menu, the shortcuts and the list of shortcuts.

use crate::edit::action::Shortcut;
use egui::{Event, Key, Modifiers, Ui};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetAction {
    Move,
    Scale,
    Snap,
    Cut,
    Copy,
    Paste,
    Duplicate,
    Delete,
    MakeSmooth,
    MakeLinear,
    MakeHold,
    NextMode,
    SelectAll,
    SelectNone,
    SelectColumns,
    SelectAtFrame,
    Fit,
    FitSelected,
}

impl SheetAction {
    pub const ALL: [SheetAction; 18] = [
        SheetAction::Move,
        SheetAction::Scale,
        SheetAction::Snap,
        SheetAction::Cut,
        SheetAction::Copy,
        SheetAction::Paste,
        SheetAction::Duplicate,
        SheetAction::Delete,
        SheetAction::MakeSmooth,
        SheetAction::MakeLinear,
        SheetAction::MakeHold,
        SheetAction::NextMode,
        SheetAction::SelectAll,
        SheetAction::SelectNone,
        SheetAction::SelectColumns,
        SheetAction::SelectAtFrame,
        SheetAction::Fit,
        SheetAction::FitSelected,
    ];

    pub fn text(self) -> &'static str {
        match self {
            SheetAction::Move => "Move",
            SheetAction::Scale => "Scale about playhead",
            SheetAction::Snap => "Snap to frames",
            SheetAction::Cut => "Cut",
            SheetAction::Copy => "Copy",
            SheetAction::Paste => "Paste at playhead",
            SheetAction::Duplicate => "Duplicate",
            SheetAction::Delete => "Delete",
            SheetAction::MakeSmooth => "Make smooth",
            SheetAction::MakeLinear => "Make linear",
            SheetAction::MakeHold => "Make hold",
            SheetAction::NextMode => "Next interpolation",
            SheetAction::SelectAll => "Select all",
            SheetAction::SelectNone => "Select none",
            SheetAction::SelectColumns => "Select columns",
            SheetAction::SelectAtFrame => "Select at playhead",
            SheetAction::Fit => "Show whole clip",
            SheetAction::FitSelected => "Show selected keys",
        }
    }

    pub fn tooltip(self) -> &'static str {
        match self {
            SheetAction::Move => {
                "Move the selected keys with the pointer, or by a typed number of frames, until a click or Enter. Dragging keys does the same; Shift turns snapping off."
            }
            SheetAction::Scale => {
                "Scale the selected keys about the current frame with the pointer, or by a typed factor, until a click or Enter. The brackets around them in the summary scale about the other end."
            }
            SheetAction::Snap => "Move selected keys to the nearest whole frames.",
            SheetAction::Cut => "Copy the selected keys and delete them.",
            SheetAction::Copy => "Copy the selected keys.",
            SheetAction::Paste => {
                "Paste the copied keys into their channels, the first of them at the current frame."
            }
            SheetAction::Duplicate => {
                "Duplicate the selected keys; the copies follow the pointer until a click."
            }
            SheetAction::Delete => "Delete the selected keys.",
            SheetAction::MakeSmooth => {
                "Interpolate smoothly from the selected keys to the next ones, flat between equal keys."
            }
            SheetAction::MakeLinear => "Interpolate linearly from the selected keys to the next ones.",
            SheetAction::MakeHold => "Hold the value of the selected keys up to the next key.",
            SheetAction::NextMode => "Make the selected keys linear, then hold, then smooth again.",
            SheetAction::SelectAll => "Select all keys of the visible rows.",
            SheetAction::SelectNone => "Deselect all keys.",
            SheetAction::SelectColumns => "Select all keys at the frames of the selected ones.",
            SheetAction::SelectAtFrame => "Select all keys at the current frame.",
            SheetAction::Fit => "Zoom and pan so that all frames are visible.",
            SheetAction::FitSelected => "Zoom and pan to the selected keys, or to all if none is selected.",
        }
    }

    /// The shortcuts, which apply while the sheet has the keyboard.
    pub fn shortcuts(self) -> &'static [Shortcut] {
        match self {
            SheetAction::Move => const { &[Shortcut::plain("G")] },
            SheetAction::Scale => const { &[Shortcut::plain("S")] },
            SheetAction::Snap => const { &[Shortcut::shift("S")] },
            SheetAction::Cut => const { &[Shortcut::ctrl("X")] },
            SheetAction::Copy => const { &[Shortcut::ctrl("C")] },
            SheetAction::Paste => const { &[Shortcut::ctrl("V")] },
            SheetAction::Duplicate => const { &[Shortcut::shift("D")] },
            SheetAction::Delete => {
                const { &[Shortcut::plain("Delete"), Shortcut::plain("X"), Shortcut::ctrl("Backspace")] }
            }
            // As in Blender.
            SheetAction::NextMode => const { &[Shortcut::plain("T")] },
            SheetAction::MakeSmooth | SheetAction::MakeLinear | SheetAction::MakeHold => &[],
            SheetAction::SelectAll => const { &[Shortcut::plain("A"), Shortcut::ctrl("A")] },
            SheetAction::SelectNone => const { &[Shortcut::alt("A"), Shortcut::plain("Escape")] },
            SheetAction::Fit => const { &[Shortcut::plain("Home")] },
            SheetAction::FitSelected => const { &[Shortcut::plain("F")] },
            SheetAction::SelectColumns | SheetAction::SelectAtFrame => &[],
        }
    }

    /// Whether the action requires selected keys.
    pub fn needs_selection(self) -> bool {
        !matches!(
            self,
            SheetAction::Paste
                | SheetAction::SelectAll
                | SheetAction::SelectNone
                | SheetAction::SelectAtFrame
                | SheetAction::Fit
                | SheetAction::FitSelected
        )
    }
}

fn from_key(pressed: Key, modifiers: Modifiers) -> Option<SheetAction> {
    let name = format!("{pressed:?}");
    let pressed_modifiers = (modifiers.command, modifiers.shift, modifiers.alt);
    let matches = |s: &Shortcut| s.key == name && (s.ctrl, s.shift, s.alt) == pressed_modifiers;
    SheetAction::ALL.into_iter().find(|action| action.shortcuts().iter().any(matches))
}

/// Removes the shortcuts of the sheet from the input, so that nothing else handles them, and returns their
/// actions. `esc` tells whether Esc is one of them.
pub fn pressed(ui: &Ui, esc: bool) -> Vec<SheetAction> {
    let mut actions = Vec::new();
    ui.input_mut(|input| {
        input.events.retain(|event| match event {
            Event::Key { key, pressed: true, modifiers, repeat, .. } if esc || *key != Key::Escape => {
                let action = from_key(*key, *modifiers);
                actions.extend(action.filter(|_| !repeat));
                action.is_none()
            }
            _ => true,
        });
    });
    actions
}

/// The mouse controls and shortcuts of the sheet, for the window of keyboard shortcuts.
pub fn key_list() -> impl Iterator<Item = (&'static str, String)> {
    let mouse = [
        ("Select keys", "Click, or drag a box; Shift adds"),
        ("Move keys", "Drag them, Shift turns snapping off"),
        ("Move or scale by a number", "Type it while they move"),
        ("Scale keys", "Drag the brackets in the summary"),
        ("Show another frame", "Drag in the ruler"),
        ("Go to a key", "Double-click it"),
        ("Mute a row", "Click its speaker icon, or x, y, z next to it"),
        ("Zoom in time", "Ctrl+wheel; wheel over the ruler"),
        ("Pan in time", "Middle drag, Shift+wheel"),
    ];
    let keys = SheetAction::ALL.into_iter().filter_map(|action| {
        let keys: Vec<_> = action.shortcuts().iter().map(ToString::to_string).collect();
        (!keys.is_empty()).then(|| (action.text(), keys.join(", ")))
    });
    mouse.map(|(action, gesture)| (action, gesture.to_owned())).into_iter().chain(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortcut_means_one_thing() {
        let mut shortcuts = std::collections::BTreeSet::new();
        for action in SheetAction::ALL {
            for shortcut in action.shortcuts() {
                assert!(shortcuts.insert(shortcut.to_string()), "{shortcut}");
            }
        }
        assert_eq!(from_key(Key::D, Modifiers::SHIFT), Some(SheetAction::Duplicate));
        assert_eq!(from_key(Key::D, Modifiers::NONE), None);
        assert_eq!(from_key(Key::A, Modifiers::SHIFT), None);
    }
}
