//! The steps of a session, as data: the lines of journals and of scripts (`docs/script.md`). Independent of
//! sessions: `edit::journal::replay` carries steps out.

use crate::edit::command::Command;
use crate::edit::select::selection::Selection;
use crate::edit::time::keying_set::KeyingSet;
use crate::edit::time::timeline::KeySelection;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One line of a script: `{"do":[{"command":"set_roll","mesh":"Body","bone":3,"roll_deg":20.0}]}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Commands as one undo step, or none of them.
    Do(Vec<Command>),
    /// The state of a drag: its whole change so far, from the scene as it was before the drag.
    Preview(Vec<Command>),
    /// The drag ends as one undo step.
    Commit,
    /// The drag is cancelled.
    Cancel,
    /// Undoes that many steps.
    Undo(usize),
    /// Redoes that many steps.
    Redo(usize),
    /// Replaces the selection. Symmetry depends on it, and undo restores it.
    Select(Selection),
    /// Selects keys in the dope sheet.
    SelectKeys(#[serde(with = "crate::edit::session::shared")] Arc<KeySelection>),
    /// Goes to a frame: values with keys are changed there.
    Frame(f32),
    /// Auto-key: whether changed values are keyed at once.
    AutoKey(bool),
    /// The channels that auto-key writes.
    KeyingSet(KeyingSet),
    /// Whether edits of one side of a skeleton apply to the other side too.
    Symmetric(bool),
    /// Discards all unkeyed changes, as one undo step.
    DismissUnkeyed,
    /// The document was saved to this file. Carrying it out writes nothing.
    Saved(String),
}

impl Step {
    /// Whether it only sets a context for later steps, and leaves the scene unchanged.
    pub fn is_setting(&self) -> bool {
        use Step::{AutoKey, Frame, KeyingSet, Select, SelectKeys, Symmetric};
        matches!(self, Select(_) | SelectKeys(_) | Frame(_) | AutoKey(_) | KeyingSet(_) | Symmetric(_))
    }
}
