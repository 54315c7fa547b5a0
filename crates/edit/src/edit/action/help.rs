//! The Help menu.

use super::{AppRequest, Dialog, Prepared, Shortcut, row, rows};
use crate::io::examples::Example;

/// Creates a row that opens an example scene.
macro_rules! example {
    ($example:expr) => {
        row($example.text(), $example.description(), |_| Ok(Prepared::App(AppRequest::OpenExample($example))))
            .in_submenu(EXAMPLES)
    };
}

/// The submenu with the example scenes.
pub const EXAMPLES: &str = "Open example";

rows!(
    FIND_ACTION =
        row("Find action…", "Search all actions by name, with their shortcuts.", |_| Prepared::dialog(
            Dialog::Palette
        ))
        .keys(&[Shortcut::plain("F3"), Shortcut::ctrl_shift("P")]),
    SHOW_KEYS =
        row("Keyboard shortcuts", "Show what every key and mouse button does.", |_| Prepared::dialog(
            Dialog::Shortcuts
        ))
        .keys(&[Shortcut::plain("F1")]),
    SHOW_MESSAGES =
        row("Messages", "Show all messages of this session.", |_| { Prepared::dialog(Dialog::Messages) })
            .keys(&[Shortcut::ctrl("L")]),
    OPEN_HUMAN = example!(Example::Human).separated(),
    OPEN_WALK = example!(Example::Walk),
    OPEN_QUADRUPED = example!(Example::Quadruped),
    OPEN_CYLINDER = example!(Example::Cylinder),
    OPEN_BAR = example!(Example::Bar),
    ABOUT =
        row("About Ossature", "Show the version and what the program is built on.", |_| Prepared::dialog(
            Dialog::About
        ))
        .separated(),
);
