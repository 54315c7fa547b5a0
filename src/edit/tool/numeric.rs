//! Numbers typed while something is dragged. Text and numbers alone: what they mean, each drag knows.

use super::gizmo::{Axis, short};
use crate::edit::action::Shortcut;

/// More digits than a number can hold say nothing.
const MOST_CHARACTERS: usize = 12;

/// A key that is the drag's while there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DragKey {
    /// A digit, a point or a minus; others mean nothing.
    Character(char),
    Backspace,
    /// On to the next number: Tab or a comma.
    Next,
    /// Along this axis alone; again: as it was taken.
    Along(Axis),
    /// One of the chosen tool's own ([`super::Tool::own_keys`]).
    Own(Shortcut),
}

/// Numbers being typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumericInput {
    texts: Vec<String>,
    at: usize,
}

impl NumericInput {
    /// Nothing is typed, and nothing can be.
    pub const NONE: Self = Self {
        texts: Vec::new(),
        at: 0,
    };

    pub fn new(numbers: usize) -> Self {
        Self {
            texts: vec![String::new(); numbers.max(1)],
            at: 0,
        }
    }

    /// For another count of numbers: the one being typed becomes the first.
    pub fn carried_to(&self, numbers: usize) -> Self {
        let mut typed = Self::new(numbers);
        if let Some(text) = self.texts.get(self.at) {
            typed.texts[0].clone_from(text);
        }
        typed
    }

    /// Nothing is typed: the pointer decides.
    pub fn is_empty(&self) -> bool {
        self.texts.iter().all(String::is_empty)
    }

    /// Takes a key in. A minus changes the sign wherever it is typed.
    pub fn press(&mut self, key: DragKey) {
        let last = self.texts.len().saturating_sub(1);
        let Some(text) = self.texts.get_mut(self.at) else {
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
                    self.at = self.at.saturating_sub(1);
                }
            }
            DragKey::Next => self.at = if self.at < last { self.at + 1 } else { 0 },
            DragKey::Character(_) | DragKey::Along(_) | DragKey::Own(_) => {}
        }
    }

    /// What a number is so far; 0 where nothing is typed yet.
    pub fn value(&self, number: usize) -> f32 {
        let text = self.texts.get(number).map_or("", String::as_str);
        text.parse().ok().filter(|v: &f32| v.is_finite()).unwrap_or(0.0)
    }

    /// The first number, if anything is typed.
    pub fn number(&self) -> Option<f32> {
        (!self.is_empty()).then(|| self.value(0))
    }

    /// What is typed of the first number, or else `value`.
    pub fn shown_or(&self, value: f32, decimals: usize) -> String {
        match self.is_empty() {
            true => short(value, decimals).replace('-', "−"),
            false => self.shown(0),
        }
    }

    /// As it is shown: with a bar where the next digit goes.
    pub fn shown(&self, number: usize) -> String {
        let text = self.texts.get(number).map_or("", String::as_str);
        let text = text.replace('-', "−");
        match (self.at == number, text.is_empty()) {
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
        assert_eq!((two.shown(0).as_str(), two.shown(1).as_str()), ("1", "2|"));
        assert_eq!(typed(2, "1,2,3").value(0), 13.0);
        assert_eq!(typed(3, ",5<<7").value(0), 7.0);
        assert_eq!(typed(3, "1,2").carried_to(1).value(0), 2.0);
    }
}
