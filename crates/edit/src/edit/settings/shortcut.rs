//! Shortcuts as data; the window translates them to its own keys.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The keys that can be assigned to actions, by the names of `egui::Key`. Characters that need Shift are not
/// included; their unshifted keys are.
pub const KEYS: &[&str] = &[
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "Escape",
    "Tab",
    "Backspace",
    "Enter",
    "Space",
    "Insert",
    "Delete",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "Comma",
    "Backslash",
    "Slash",
    "OpenBracket",
    "CloseBracket",
    "Backtick",
    "Minus",
    "Period",
    "Plus",
    "Equals",
    "Semicolon",
    "Quote",
    "Num0",
    "Num1",
    "Num2",
    "Num3",
    "Num4",
    "Num5",
    "Num6",
    "Num7",
    "Num8",
    "Num9",
    "A",
    "B",
    "C",
    "D",
    "E",
    "F",
    "G",
    "H",
    "I",
    "J",
    "K",
    "L",
    "M",
    "N",
    "O",
    "P",
    "Q",
    "R",
    "S",
    "T",
    "U",
    "V",
    "W",
    "X",
    "Y",
    "Z",
    "F1",
    "F2",
    "F3",
    "F4",
    "F5",
    "F6",
    "F7",
    "F8",
    "F9",
    "F10",
    "F11",
    "F12",
    "F13",
    "F14",
    "F15",
    "F16",
    "F17",
    "F18",
    "F19",
    "F20",
    "F21",
    "F22",
    "F23",
    "F24",
];

/// Returns the key of that name.
fn key_by_name(name: &str) -> Option<&'static str> {
    KEYS.iter().find(|key| **key == name).copied()
}

/// A key with modifiers; `ctrl` is Cmd on a Mac. `key` is the name of a variant of `egui::Key`
/// (`format!("{key:?}")`): "S", "Delete", "F", "Num1". Digits stand for the number pad and the number row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shortcut {
    pub ctrl: bool,
    pub shift: bool,
    pub alt: bool,
    pub key: &'static str,
}

impl Shortcut {
    const fn new([ctrl, shift, alt]: [bool; 3], key: &'static str) -> Self {
        Self { ctrl, shift, alt, key }
    }

    pub const fn plain(key: &'static str) -> Self {
        Self::new([false, false, false], key)
    }

    pub const fn ctrl(key: &'static str) -> Self {
        Self::new([true, false, false], key)
    }

    pub const fn shift(key: &'static str) -> Self {
        Self::new([false, true, false], key)
    }

    pub const fn alt(key: &'static str) -> Self {
        Self::new([false, false, true], key)
    }

    pub const fn ctrl_shift(key: &'static str) -> Self {
        Self::new([true, true, false], key)
    }

    pub const fn ctrl_alt(key: &'static str) -> Self {
        Self::new([true, false, true], key)
    }

    pub const fn alt_shift(key: &'static str) -> Self {
        Self::new([false, true, true], key)
    }

    /// Returns the shortcut of a key press, by the key's character or else by its physical position; `None`
    /// for keys that cannot be assigned.
    pub fn from_press(press: &KeyPress) -> Option<Self> {
        let physical = || press.physical_key.as_deref().and_then(key_by_name);
        let key = key_by_name(&press.key).or_else(physical)?;
        Some(Self::new([press.ctrl, press.shift, press.alt], key))
    }
}

/// Serialized as in the file of preferences, the same on all systems: `Ctrl+Alt+Shift+Num1`.
impl Serialize for Shortcut {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let modifiers = [(self.ctrl, "Ctrl+"), (self.alt, "Alt+"), (self.shift, "Shift+")];
        let modifiers = modifiers.iter().filter(|(is_held, _)| *is_held).map(|(_, name)| *name);
        serializer.serialize_str(&modifiers.chain([self.key]).collect::<String>())
    }
}

impl<'de> Deserialize<'de> for Shortcut {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut modifiers = [false; 3];
        let mut rest = text.as_str();
        for (is_held, name) in modifiers.iter_mut().zip(["Ctrl+", "Alt+", "Shift+"]) {
            if let Some(stripped) = rest.strip_prefix(name) {
                (*is_held, rest) = (true, stripped);
            }
        }
        let [ctrl, alt, shift] = modifiers;
        let unknown = || serde::de::Error::custom(format!("“{text}” is no key, such as Ctrl+Alt+Shift+A"));
        Ok(Self::new([ctrl, shift, alt], key_by_name(rest).ok_or_else(unknown)?))
    }
}

/// A key press with the modifiers at that time. Keys have the names of `egui::Key`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPress {
    pub ctrl: bool,
    pub shift: bool,
    pub alt: bool,
    /// The key according to the keyboard layout, with Shift.
    pub key: String,
    /// The key at the same position on a US keyboard.
    pub physical_key: Option<String>,
}

impl KeyPress {
    pub fn matches(&self, shortcut: &Shortcut) -> bool {
        // Some keyboards report the shifted character.
        let key = match self.key.as_str() {
            "OpenCurlyBracket" => "OpenBracket",
            "CloseCurlyBracket" => "CloseBracket",
            key => key,
        };
        self.has_modifiers(shortcut) && key == shortcut.key
    }

    /// Whether it matches the shortcut by physical position. Only keys whose characters depend on Shift and
    /// on the layout are matched this way, brackets and digits; letters are matched by the layout.
    pub fn matches_physically(&self, shortcut: &Shortcut) -> bool {
        let physical_key = self.physical_key.as_deref().filter(|key| key.len() > 1);
        self.has_modifiers(shortcut) && physical_key == Some(shortcut.key)
    }

    fn has_modifiers(&self, shortcut: &Shortcut) -> bool {
        (self.ctrl, self.shift, self.alt) == (shortcut.ctrl, shortcut.shift, shortcut.alt)
    }
}

/// Formatted as in menus: `Ctrl+Shift+S`.
impl fmt::Display for Shortcut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ctrl, alt) = if cfg!(target_os = "macos") { ("Cmd+", "Option+") } else { ("Ctrl+", "Alt+") };
        for (is_held, name) in [(self.ctrl, ctrl), (self.alt, alt), (self.shift, "Shift+")] {
            if is_held {
                f.write_str(name)?;
            }
        }
        match self.key {
            "Escape" => f.write_str("Esc"),
            "OpenBracket" => f.write_str("["),
            "CloseBracket" => f.write_str("]"),
            key => {
                let short = key.strip_prefix("Num").or_else(|| key.strip_prefix("Arrow"));
                f.write_str(short.unwrap_or(key))
            }
        }
    }
}
