//! Undo: shared snapshots. An entry is a label, the scene and selection before, and those after.
//! Also knows which position of the history is the one on disk.

use super::pending::Moment;
use super::selection::Selection;
use crate::scene::Scene;

/// The oldest steps are forgotten beyond this many.
pub const MOST_ENTRIES: usize = 1000;

#[derive(Clone, Debug)]
pub struct Entry {
    pub label: String,
    pub before: (Scene, Selection),
    pub after: (Scene, Selection),
    /// Frame and held channels before and after.
    pub moments: [Moment; 2],
}

/// Entries with a cursor; entries at and after the cursor can be redone.
#[derive(Clone, Debug)]
pub struct History {
    entries: Vec<Entry>,
    cursor: usize,
    /// Where the cursor stood when the document was opened or last saved; `None` once that position
    /// cannot be reached any more.
    saved: Option<usize>,
}

impl Default for History {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            cursor: 0,
            saved: Some(0),
        }
    }
}

impl History {
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
    /// The number of entries that can be undone.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Adds a step that was just taken; what could be redone is gone.
    pub(super) fn push(&mut self, entry: Entry) {
        self.entries.truncate(self.cursor);
        self.saved = self.saved.filter(|&saved| saved <= self.cursor);
        self.entries.push(entry);
        if self.entries.len() > MOST_ENTRIES {
            self.entries.remove(0);
            self.saved = self.saved.and_then(|saved| saved.checked_sub(1));
        }
        self.cursor = self.entries.len();
    }

    /// Moves the cursor back over an entry and returns it.
    pub(super) fn back(&mut self) -> Option<&Entry> {
        self.cursor = self.cursor.checked_sub(1)?;
        self.entries.get(self.cursor)
    }

    /// Moves the cursor forward over an entry and returns it.
    pub(super) fn forward(&mut self) -> Option<&Entry> {
        let entry = self.entries.get(self.cursor)?;
        self.cursor += 1;
        Some(entry)
    }

    pub fn undo_label(&self) -> Option<&str> {
        self.undo_list().next()
    }

    pub fn redo_label(&self) -> Option<&str> {
        self.redo_list().next()
    }

    /// Labels of what can be undone, the most recent first.
    pub fn undo_list(&self) -> impl Iterator<Item = &str> {
        self.entries[..self.cursor].iter().rev().map(|e| e.label.as_str())
    }

    /// Labels of what can be redone, the next first.
    pub fn redo_list(&self) -> impl Iterator<Item = &str> {
        self.entries[self.cursor..].iter().map(|e| e.label.as_str())
    }

    pub fn is_at_saved(&self) -> bool {
        self.saved == Some(self.cursor)
    }

    pub(super) fn mark_saved(&mut self) {
        self.saved = Some(self.cursor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(history: &mut History, label: &str) {
        let state = (Scene::default(), Selection::default());
        history.push(Entry {
            label: label.into(),
            before: state.clone(),
            after: state,
            moments: Default::default(),
        });
    }

    #[test]
    fn a_new_step_forgets_what_could_be_redone() {
        let mut history = History::default();
        for label in ["a", "b", "c"] {
            step(&mut history, label);
        }
        assert_eq!(history.back().map(|e| e.label.as_str()), Some("c"));
        assert_eq!(history.back().map(|e| e.label.as_str()), Some("b"));
        assert_eq!(history.redo_list().collect::<Vec<_>>(), ["b", "c"]);
        step(&mut history, "d");
        assert_eq!(history.undo_list().collect::<Vec<_>>(), ["d", "a"]);
        assert!(history.forward().is_none());
    }

    #[test]
    fn the_saved_position_is_lost_with_its_branch() {
        let mut history = History::default();
        step(&mut history, "a");
        step(&mut history, "b");
        history.mark_saved();
        history.back();
        assert!(!history.is_at_saved());
        history.forward();
        assert!(history.is_at_saved());
        history.back();
        step(&mut history, "c");
        assert!(!history.is_at_saved());
        history.back();
        assert!(
            !history.is_at_saved(),
            "the saved scene cannot be reached any more"
        );
    }

    #[test]
    fn the_oldest_steps_are_forgotten() {
        let mut history = History::default();
        step(&mut history, "first");
        history.mark_saved();
        for n in 1..MOST_ENTRIES + 1 {
            step(&mut history, &n.to_string());
        }
        assert_eq!(history.entries().len(), MOST_ENTRIES);
        assert_eq!(history.entries()[0].label, "1");
        while history.back().is_some() {}
        assert!(history.is_at_saved(), "after the first step, which was saved");
        for n in 0..MOST_ENTRIES + 1 {
            step(&mut history, &n.to_string());
        }
        while history.back().is_some() {}
        assert!(!history.is_at_saved());
    }
}
