//! Shortcuts as data: the window translates them to its own keys.

use std::fmt;

/// A key with modifiers; `ctrl` is Cmd on a Mac. `key` is the name of a variant of `egui::Key`
/// (`format!("{key:?}")`): "S", "Delete", "F", "Num1". Digits mean the number pad and the number row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shortcut {
    pub ctrl: bool,
    pub shift: bool,
    pub alt: bool,
    pub key: &'static str,
}

impl Shortcut {
    const fn new([ctrl, shift, alt]: [bool; 3], key: &'static str) -> Self {
        Self {
            ctrl,
            shift,
            alt,
            key,
        }
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
}

/// A key that went down, with the modifiers at that moment. Keys by the names that `egui::Key` gives them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPress {
    pub ctrl: bool,
    pub shift: bool,
    pub alt: bool,
    /// What the layout of the keyboard makes of it, with Shift.
    pub key: String,
    /// The key of an American keyboard in its place.
    pub physical_key: Option<String>,
}

impl KeyPress {
    pub(super) fn is(&self, shortcut: &Shortcut) -> bool {
        // Some keyboards name a key by what Shift makes of it.
        let key = match self.key.as_str() {
            "OpenCurlyBracket" => "OpenBracket",
            "CloseCurlyBracket" => "CloseBracket",
            key => key,
        };
        self.has_modifiers(shortcut) && key == shortcut.key
    }

    /// Whether it is the shortcut by where the key lies. Only keys whose signs depend on Shift and on the layout go
    /// by their place, brackets and digits: letters are where the layout has them.
    pub(super) fn is_in_place_of(&self, shortcut: &Shortcut) -> bool {
        let physical_key = self.physical_key.as_deref().filter(|key| key.len() > 1);
        self.has_modifiers(shortcut) && physical_key == Some(shortcut.key)
    }

    fn has_modifiers(&self, shortcut: &Shortcut) -> bool {
        (self.ctrl, self.shift, self.alt) == (shortcut.ctrl, shortcut.shift, shortcut.alt)
    }
}

/// As menus show it: `Ctrl+Shift+S`.
impl fmt::Display for Shortcut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ctrl, alt) = if cfg!(target_os = "macos") {
            ("Cmd+", "Option+")
        } else {
            ("Ctrl+", "Alt+")
        };
        for (held, name) in [(self.ctrl, ctrl), (self.alt, alt), (self.shift, "Shift+")] {
            if held {
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
