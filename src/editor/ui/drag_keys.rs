//! Keys that mean something to a tool: digits and what goes with them, axes, and those that it has for itself.

use super::action::key_press;
use crate::edit::action::{KeyPress, Shortcut};
use crate::edit::tool::gizmo::Axis;
use crate::edit::tool::numeric::DragKey;
use egui::{Event, Key};

/// Digits come as text, whatever keyboard they are typed on.
pub fn drag_keys(event: &Event) -> Vec<DragKey> {
    match event {
        Event::Text(text) => {
            let keys = text.chars().filter_map(|c| match c {
                '0'..='9' | '.' | '-' => Some(DragKey::Character(c)),
                ',' => Some(DragKey::Next),
                _ => None,
            });
            keys.collect()
        }
        Event::Key {
            key,
            pressed: true,
            modifiers,
            ..
        } if !modifiers.command && !modifiers.alt => match key {
            Key::Backspace => vec![DragKey::Backspace],
            Key::X => vec![DragKey::Along(Axis::X)],
            Key::Y => vec![DragKey::Along(Axis::Y)],
            Key::Z => vec![DragKey::Along(Axis::Z)],
            _ => vec![],
        },
        _ => vec![],
    }
}

/// Which of `own` went down.
pub fn own_key(event: &Event, own: &[Shortcut]) -> Option<Shortcut> {
    if own.is_empty() {
        return None;
    }
    let press = key_press(event)?;
    let found = |is: fn(&KeyPress, &Shortcut) -> bool| own.iter().copied().find(|key| is(&press, key));
    found(KeyPress::is).or_else(|| found(KeyPress::is_in_place_of))
}
