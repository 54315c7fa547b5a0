//! Numbers that are typed during a drag. This module handles only their text and values; each drag defines
//! their meaning.

use super::gizmo::{Axis, format_number};
use crate::edit::action::Shortcut;

/// Longer numbers exceed the precision of a float.
const MOST_CHARACTERS: usize = 12;

/// A key that a drag handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DragKey {
    /// A digit, a point or a minus sign; other characters are ignored.
    Character(char),
    Backspace,
    /// Moves to the next number: Tab or a comma.
    Next,
    /// Constrains the drag to an axis; the same axis again restores the constraint of the press.
    Along(Axis),
    /// A key that the chosen tool handles ([`super::Tool::shortcuts`]).
    Shortcut(Shortcut),
}

/// Numbers that are being typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumericInput {
    texts: Vec<String>,
    current: usize,
}

impl NumericInput {
    /// No numbers, and no room for any.
    pub const NONE: Self = Self { texts: Vec::new(), current: 0 };

    pub fn new(numbers: usize) -> Self {
        Self { texts: vec![String::new(); numbers.max(1)], current: 0 }
    }

    /// Returns the input for another count of numbers; the one being typed becomes the first.
    pub fn with_count(&self, numbers: usize) -> Self {
        let mut typed = Self::new(numbers);
        if let Some(text) = self.texts.get(self.current) {
            typed.texts[0].clone_from(text);
        }
        typed
    }

    /// Whether nothing is typed, so that the pointer decides.
    pub fn is_empty(&self) -> bool {
        self.texts.iter().all(String::is_empty)
    }

    /// Handles a key. A minus flips the sign wherever it is typed.
    pub fn press(&mut self, key: DragKey) {
        let last = self.texts.len().saturating_sub(1);
        let Some(text) = self.texts.get_mut(self.current) else {
            return;
        };
        match key {
            DragKey::Character('-' | '−') => match text.strip_prefix('-') {
                Some(rest) => *text = rest.to_owned(),
                None => text.insert(0, '-'),
            },
            DragKey::Character('.') if text.contains('.') => {}
            DragKey::Character(c) if c.is_ascii_digit() || c == '.' => {
                if text.len() < MOST_CHARACTERS {
                    text.push(c);
                }
            }
            DragKey::Backspace => {
                if text.pop().is_none() {
                    self.current = self.current.saturating_sub(1);
                }
            }
            DragKey::Next => self.current = if self.current < last { self.current + 1 } else { 0 },
            DragKey::Character(_) | DragKey::Along(_) | DragKey::Shortcut(_) => {}
        }
    }

    /// The value of a number so far; 0 if nothing is typed yet.
    pub fn value(&self, number: usize) -> f32 {
        let text = self.texts.get(number).map_or("", String::as_str);
        text.parse().ok().filter(|v: &f32| v.is_finite()).unwrap_or(0.0)
    }

    /// The first number, if anything is typed.
    pub fn number(&self) -> Option<f32> {
        (!self.is_empty()).then(|| self.value(0))
    }

    /// The text of the first number if anything is typed, or else `value`.
    pub fn text_or(&self, value: f32, decimals: usize) -> String {
        if self.is_empty() { format_number(value, decimals).replace('-', "−") } else { self.text(0) }
    }

    /// The displayed text of a number, with a bar where the next digit goes.
    pub fn text(&self, number: usize) -> String {
        let text = self.texts.get(number).map_or("", String::as_str);
        let text = text.replace('-', "−");
        match (self.current == number, text.is_empty()) {
            (true, _) => format!("{text}|"),
            (false, true) => "0".into(),
            (false, false) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(numbers: usize, keys: &str) -> NumericInput {
        let mut typed = NumericInput::new(numbers);
        for c in keys.chars() {
            typed.press(match c {
                '<' => DragKey::Backspace,
                ',' => DragKey::Next,
                c => DragKey::Character(c),
            });
        }
        typed
    }

    #[test]
    fn numbers_are_read_as_they_are_typed() {
        for (keys, value) in [
            ("1", 1.0),
            ("12.5", 12.5),
            (".5", 0.5),
            ("2-", -2.0),
            ("-2-", 2.0),
            ("1..5", 1.5),
            ("12<", 1.0),
            ("-", 0.0),
            (".", 0.0),
            ("a7b", 7.0),
        ] {
            assert_eq!(typed(1, keys).value(0), value, "{keys}");
        }
        assert!(typed(1, "").is_empty() && typed(1, "1<").is_empty() && !typed(1, "-").is_empty());
        assert!(typed(1, &"9".repeat(50)).value(0).is_finite());
    }

    #[test]
    fn the_next_number_comes_after_a_comma_and_the_first_after_the_last() {
        let two = typed(2, "1,2");
        assert_eq!((two.value(0), two.value(1)), (1.0, 2.0));
        assert_eq!((two.text(0).as_str(), two.text(1).as_str()), ("1", "2|"));
        assert_eq!(typed(2, "1,2,3").value(0), 13.0);
        assert_eq!(typed(3, ",5<<7").value(0), 7.0);
        assert_eq!(typed(3, "1,2").with_count(1).value(0), 2.0);
    }
}
