//! What panels, keys and tools ask of the application. Carried out once a frame, in order.

use super::action::Action;
use super::command::Command;
use super::selection::Selection;
use std::path::PathBuf;

#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Anything from the table of actions.
    Act(Action),
    Select(Selection),
    /// One undo step.
    Apply(Vec<Command>),
    /// Drag: the total change so far, from where the drag began.
    Preview(Vec<Command>),
    /// Drag ended: one undo step.
    Commit,
    /// Drag given up: as before it.
    Cancel,
    /// From a drop on the window or the in-app file dialog.
    OpenPath(PathBuf),
    SavePath(PathBuf),
    /// The answer to "Save changes?".
    SaveChanges(SaveChanges),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveChanges {
    Save,
    Discard,
    Cancel,
}
