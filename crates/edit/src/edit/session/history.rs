//! Undo: shared snapshots. An entry is a label, the states before and after, and the effects in between. Also
//! tracks the position of the history that matches the file on disk.

use crate::edit::command::effects::Effects;
use crate::edit::session::memory::exclusive_bytes;
use crate::edit::session::packed_weights::{PackedWeights, StoredSnapshot};
use crate::edit::session::snapshot::Snapshot;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The default limit of memory that only the history refers to, in bytes; beyond it, the oldest steps are
/// dropped.
pub const DEFAULT_MAX_BYTES: usize = 512 << 20;

/// The maximum number of steps.
pub const MAX_ENTRIES: usize = 10_000;

/// An undo step.
#[derive(Clone, Debug)]
pub struct Entry {
    pub label: String,
    pub before: StoredSnapshot,
    pub after: StoredSnapshot,
    pub effects: Effects,
    /// The memory that only undoing this step needs.
    bytes: usize,
    /// The sequence number of the step, larger than that of any earlier step.
    number: u64,
}

impl Entry {
    pub(in crate::edit) fn new(label: String, [before, after]: [Snapshot; 2], effects: Effects) -> Self {
        Self {
            label,
            bytes: exclusive_bytes(&before, &after),
            before: before.into(),
            after: after.into(),
            effects,
            number: 0,
        }
    }
}

/// Entries with a cursor; entries at and after the cursor can be redone.
#[derive(Clone, Debug)]
pub struct History {
    entries: Vec<Entry>,
    cursor: usize,
    /// The position of the cursor when the document was opened or last saved; `None` once that position is
    /// unreachable.
    saved: Option<usize>,
    max_bytes: usize,
    /// The number of steps ever pushed.
    pushed: u64,
    /// The most recently packed weights of each mesh.
    packed: BTreeMap<String, Arc<PackedWeights>>,
}

impl Default for History {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            cursor: 0,
            saved: Some(0),
            max_bytes: DEFAULT_MAX_BYTES,
            pushed: 0,
            packed: BTreeMap::new(),
        }
    }
}

impl History {
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
    /// Returns the number of entries that can be undone.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Returns the memory used by undo alone: values that steps removed from the document.
    pub fn bytes(&self) -> usize {
        self.entries.iter().map(|entry| entry.bytes).sum()
    }
    /// Returns the last step that was not undone.
    pub fn last(&self) -> Option<&Entry> {
        self.entries[..self.cursor].last()
    }

    /// Returns the number of the step that an undo would revert; 0 if there is none. No two steps have the
    /// same number.
    pub fn step(&self) -> u64 {
        self.last().map_or(0, |entry| entry.number)
    }

    /// Adds a step that was just applied; steps that could be redone are dropped.
    pub(in crate::edit) fn push(&mut self, mut entry: Entry) {
        self.pushed += 1;
        entry.number = self.pushed;
        self.entries.truncate(self.cursor);
        self.saved = self.saved.filter(|&saved| saved <= self.cursor);
        self.entries.push(entry);
        self.cursor = self.entries.len();
        self.pack();
        self.trim();
    }

    /// Packs the weights that the last step removed from the document into blocks.
    fn pack(&mut self) {
        let Some(last) = self.entries.last() else { return };
        let meshes = &last.before.without_weights().scene.skinned_meshes;
        let replaced: Vec<_> = meshes
            .keys()
            .filter_map(|mesh| {
                let [before, after] = [&last.before, &last.after].map(|snapshot| snapshot.weights(mesh));
                let before = before.filter(|before| after.is_none_or(|after| !Arc::ptr_eq(before, after)))?;
                Some((mesh.clone(), before.clone()))
            })
            .collect();
        for (mesh, weights) in replaced {
            let previous = self.packed.get(&mesh);
            let Some(packed) = PackedWeights::new(&weights, previous.map(|previous| &**previous)) else {
                continue;
            };
            let packed = Arc::new(packed);
            for entry in self.entries.iter_mut().rev() {
                let Entry { before, after, .. } = entry;
                let was_packed = [after, before].map(|snapshot| snapshot.pack(&mesh, &weights, &packed));
                if was_packed == [false; 2] {
                    break;
                }
            }
            self.packed.insert(mesh, packed);
        }
    }

    /// Does the same as [`Self::back`], but first stores the selection of `current`, so that redo restores
    /// it.
    pub(in crate::edit) fn undo(&mut self, current: &Snapshot) -> Option<&Entry> {
        let last = self.cursor.checked_sub(1)?;
        self.entries[last].after.copy_selection_from(current);
        self.back()
    }

    /// Moves the cursor back over an entry and returns it.
    pub(in crate::edit) fn back(&mut self) -> Option<&Entry> {
        self.cursor = self.cursor.checked_sub(1)?;
        self.entries.get(self.cursor)
    }

    /// Moves the cursor forward over an entry and returns it.
    pub(in crate::edit) fn forward(&mut self) -> Option<&Entry> {
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

    /// Returns the labels of the steps that can be undone, the most recent first.
    pub fn undo_list(&self) -> impl Iterator<Item = &str> {
        self.entries[..self.cursor].iter().rev().map(|e| e.label.as_str())
    }

    /// Returns the labels of the steps that can be redone, the next first.
    pub fn redo_list(&self) -> impl Iterator<Item = &str> {
        self.entries[self.cursor..].iter().map(|e| e.label.as_str())
    }

    pub fn is_at_saved(&self) -> bool {
        self.saved == Some(self.cursor)
    }

    pub(in crate::edit) fn mark_saved(&mut self) {
        self.saved = Some(self.cursor);
    }

    pub(in crate::edit) fn forget_saved(&mut self) {
        self.saved = None;
    }

    /// Sets the memory limit, and drops steps beyond it at once.
    pub(in crate::edit) fn set_max_bytes(&mut self, max: usize) {
        if std::mem::replace(&mut self.max_bytes, max) != max {
            self.trim();
        }
    }

    /// Drops the oldest steps beyond the limits, but none that can be redone.
    fn trim(&mut self) {
        let mut bytes = self.bytes();
        while self.entries.len() > 1
            && self.cursor > 0
            && (self.entries.len() > MAX_ENTRIES || bytes > self.max_bytes)
        {
            bytes -= self.entries.remove(0).bytes;
            self.cursor -= 1;
            self.saved = self.saved.and_then(|saved| saved.checked_sub(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::weights::VertexWeights;
    use std::sync::Arc;

    fn step(history: &mut History, label: &str) {
        history.push(Entry::new(label.into(), Default::default(), Effects::default()));
    }

    #[test]
    fn a_new_step_drops_steps_to_redo() {
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
    fn numbers_of_steps_are_unique_when_others_were_dropped_or_replaced() {
        let mut history = History { max_bytes: 1, ..History::default() };
        assert_eq!(history.step(), 0);
        let mut current = stroke(&Snapshot::default(), 0);
        for number in 1..4 {
            let after = stroke(&current, number);
            let states = [std::mem::replace(&mut current, after.clone()), after];
            history.push(Entry::new(number.to_string(), states, Effects::default()));
            assert_eq!((history.step(), history.cursor()), (number as u64, 1));
        }
        history.back();
        step(&mut history, "instead of the last");
        assert_eq!(history.step(), 4);
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
        assert!(!history.is_at_saved(), "the saved scene cannot be reached any more");
    }

    #[test]
    fn the_oldest_steps_are_dropped() {
        let mut history = History::default();
        step(&mut history, "first");
        history.mark_saved();
        for n in 1..MAX_ENTRIES + 1 {
            step(&mut history, &n.to_string());
        }
        assert_eq!(history.entries().len(), MAX_ENTRIES);
        assert_eq!(history.entries()[0].label, "1");
        while history.back().is_some() {}
        assert!(history.is_at_saved(), "after the first step, which was saved");
        for n in 0..MAX_ENTRIES + 1 {
            step(&mut history, &n.to_string());
        }
        while history.back().is_some() {}
        assert!(!history.is_at_saved());
    }

    /// Returns the document after a stroke on a mesh of 131,072 vertices, whose weights take two megabytes.
    fn stroke(before: &Snapshot, number: usize) -> Snapshot {
        let mut after = before.clone();
        let weights = VertexWeights {
            bones: vec![0; 1 << 18],
            weights: vec![number as f32; 1 << 18],
            ends: vec![0; 1 << 17],
        };
        let mesh = after.scene.skinned_meshes.entry("Body".into()).or_default();
        Arc::make_mut(mesh).weights = Arc::new(weights);
        after
    }

    #[test]
    fn strokes_of_paint_stay_within_the_budget() {
        let max_bytes = 65 << 20;
        let mut history = History { max_bytes, ..History::default() };
        let mut alive = Vec::new();
        let mut current = stroke(&Snapshot::default(), 0);
        for number in 1..=1000 {
            let after = stroke(&current, number);
            alive.push(Arc::downgrade(&after.scene.skinned_meshes["Body"].weights));
            let states = [std::mem::replace(&mut current, after.clone()), after];
            history.push(Entry::new(number.to_string(), states, Effects::default()));
        }
        let size = (2 + 4) * (1 << 18) + 4 * (1 << 17);
        let alive_count = alive.iter().filter(|weights| weights.strong_count() > 0).count();
        // The last one belongs to the document itself.
        let step_count = history.entries().len();
        assert!(
            alive_count - 1 == step_count
                && step_count * size <= max_bytes
                && (step_count + 1) * size > max_bytes
        );
        assert!(history.bytes() - step_count * size < step_count * 1000, "{} bytes", history.bytes());
        for number in (1001 - step_count..=1000).rev() {
            let before = &history.back().unwrap().before.restored();
            let before = &before.scene.skinned_meshes["Body"];
            assert!(before.weights.weights.iter().all(|weight| *weight == (number - 1) as f32));
        }
        assert!(history.back().is_none());
    }

    #[test]
    fn a_step_larger_than_the_budget_can_be_undone() {
        let mut history = History { max_bytes: 1, ..History::default() };
        let current = stroke(&Snapshot::default(), 0);
        for number in 0..3 {
            let states = [current.clone(), stroke(&current, number)];
            history.push(Entry::new(number.to_string(), states, Effects::default()));
        }
        assert_eq!(history.undo_list().collect::<Vec<_>>(), ["2"]);
    }
}
