//! Events of tools: digits and other characters of numbers, axes, the tool's shortcuts, and the wheel.

use super::action::key_press;
use crate::edit::action::{KeyPress, Shortcut};
use crate::edit::tool::gizmo::Axis;
use crate::edit::tool::numeric::DragKey;
use egui::{Event, Key, MouseWheelUnit};

/// Returns the notches that an event turns the wheel by.
pub fn notches(event: &Event) -> f32 {
    match event {
        Event::MouseWheel { unit, delta, .. } => match unit {
            MouseWheelUnit::Line | MouseWheelUnit::Page => delta.y,
            MouseWheelUnit::Point => delta.y / 40.0,
        },
        _ => 0.0,
    }
}

/// Returns the keys of an event during a drag. Digits are read from text, which works on any keyboard.
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
        Event::Key { key, pressed: true, modifiers, .. } if !modifiers.command && !modifiers.alt => match key
        {
            Key::Backspace => vec![DragKey::Backspace],
            Key::X => vec![DragKey::Along(Axis::X)],
            Key::Y => vec![DragKey::Along(Axis::Y)],
            Key::Z => vec![DragKey::Along(Axis::Z)],
            _ => vec![],
        },
        _ => vec![],
    }
}

/// Returns the one of a tool's `shortcuts` that an event presses.
pub fn own_key(event: &Event, shortcuts: &[Shortcut]) -> Option<Shortcut> {
    if shortcuts.is_empty() {
        return None;
    }
    let press = key_press(event)?;
    let found = |matches: fn(&KeyPress, &Shortcut) -> bool| {
        shortcuts.iter().copied().find(|key| matches(&press, key))
    };
    found(KeyPress::matches).or_else(|| found(KeyPress::matches_physically))
}
