//! Undo: shared snapshots. An entry is a label, the scene and selection before, and those after.

use super::selection::Selection;
use crate::scene::Scene;

#[derive(Clone, Debug)]
pub struct Entry {
    pub label: String,
    pub before: (Scene, Selection),
    pub after: (Scene, Selection),
}

/// Entries with a cursor; entries at and after the cursor can be redone.
#[derive(Clone, Debug, Default)]
pub struct History {
    entries: Vec<Entry>,
    cursor: usize,
}

impl History {
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
    pub fn cursor(&self) -> usize {
        self.cursor
    }
}
