//! Undo: shared snapshots. An entry is a label, what was before, what is after, and what was done between.
//! Also knows which position of the history is the one on disk.

use super::command::effects::Effects;
use super::memory::bytes_beside;
use super::packed_weights::{KeptSnapshot, PackedWeights};
use super::snapshot::Snapshot;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The oldest steps are forgotten where all together hold more bytes that nothing else holds.
pub const MOST_BYTES: usize = 512 << 20;

/// And beyond this many.
pub const MOST_ENTRIES: usize = 10_000;

#[derive(Clone, Debug)]
pub struct Entry {
    pub label: String,
    pub before: KeptSnapshot,
    pub after: KeptSnapshot,
    pub effects: Effects,
    /// What is held for the sake of undoing this step.
    bytes: usize,
    /// Larger than that of any step taken before.
    number: u64,
}

impl Entry {
    pub(super) fn new(label: String, [before, after]: [Snapshot; 2], effects: Effects) -> Self {
        Self {
            label,
            bytes: bytes_beside(&before, &after),
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
    /// Where the cursor stood when the document was opened or last saved; `None` once that position
    /// cannot be reached any more.
    saved: Option<usize>,
    most_bytes: usize,
    /// Steps ever taken.
    taken: u64,
    /// By mesh, the weights that were packed last.
    packed: BTreeMap<String, Arc<PackedWeights>>,
}

impl Default for History {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            cursor: 0,
            saved: Some(0),
            most_bytes: MOST_BYTES,
            taken: 0,
            packed: BTreeMap::new(),
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

    /// The memory that is held for undo alone: values that steps took out of the document.
    pub fn bytes(&self) -> usize {
        self.entries.iter().map(|entry| entry.bytes).sum()
    }
    /// The last step that was taken and not undone.
    pub fn last(&self) -> Option<&Entry> {
        self.entries[..self.cursor].last()
    }

    /// The number of the step that an undo would take back; 0 if there is none. No two steps have the same.
    pub fn step(&self) -> u64 {
        self.last().map_or(0, |entry| entry.number)
    }

    /// Adds a step that was just taken; what could be redone is gone.
    pub(super) fn push(&mut self, mut entry: Entry) {
        self.taken += 1;
        entry.number = self.taken;
        self.entries.truncate(self.cursor);
        self.saved = self.saved.filter(|&saved| saved <= self.cursor);
        self.entries.push(entry);
        self.cursor = self.entries.len();
        self.pack();
        self.forget();
    }

    /// Weights that the last step took out of the document are kept in blocks from now on.
    fn pack(&mut self) {
        let Some(last) = self.entries.last() else { return };
        let meshes = &last.before.without_weights().scene.skinned_meshes;
        let replaced: Vec<_> = meshes
            .keys()
            .filter_map(|mesh| {
                let [before, after] = [&last.before, &last.after].map(|kept| kept.weights(mesh));
                let before = before.filter(|before| after.is_none_or(|after| !Arc::ptr_eq(before, after)))?;
                Some((mesh.clone(), before.clone()))
            })
            .collect();
        for (mesh, weights) in replaced {
            let known = self.packed.get(&mesh);
            let Some(packed) = PackedWeights::new(&weights, known.map(|known| &**known)) else {
                continue;
            };
            let packed = Arc::new(packed);
            for entry in self.entries.iter_mut().rev() {
                let Entry { before, after, .. } = entry;
                let had = [after, before].map(|kept| kept.pack(&mesh, &weights, &packed));
                if had == [false; 2] {
                    break;
                }
            }
            self.packed.insert(mesh, packed);
        }
    }

    /// As [`Self::back`], from what is there `now`: redo selects again what was selected then.
    pub(super) fn leave(&mut self, now: &Snapshot) -> Option<&Entry> {
        let last = self.cursor.checked_sub(1)?;
        self.entries[last].after.select_as(now);
        self.back()
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

    pub(super) fn forget_saved(&mut self) {
        self.saved = None;
    }

    /// Steps beyond it are forgotten at once.
    pub(super) fn set_most_bytes(&mut self, most: usize) {
        if std::mem::replace(&mut self.most_bytes, most) != most {
            self.forget();
        }
    }

    /// Forgets the oldest steps that are too many, but none that can be redone.
    fn forget(&mut self) {
        let mut bytes = self.bytes();
        while self.entries.len() > 1
            && self.cursor > 0
            && (self.entries.len() > MOST_ENTRIES || bytes > self.most_bytes)
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
    fn steps_are_told_apart_where_others_were_forgotten_or_replaced() {
        let mut history = History {
            most_bytes: 1,
            ..History::default()
        };
        assert_eq!(history.step(), 0);
        let mut now = stroke(&Snapshot::default(), 0);
        for number in 1..4 {
            let after = stroke(&now, number);
            let states = [std::mem::replace(&mut now, after.clone()), after];
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

    /// A mesh of 100,000 vertices with weights of two megabytes, which only strokes of paint change.
    fn stroke(of: &Snapshot, number: usize) -> Snapshot {
        let mut after = of.clone();
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
        let most_bytes = 65 << 20;
        let mut history = History {
            most_bytes,
            ..History::default()
        };
        let mut alive = Vec::new();
        let mut now = stroke(&Snapshot::default(), 0);
        for number in 1..=1000 {
            let after = stroke(&now, number);
            alive.push(Arc::downgrade(&after.scene.skinned_meshes["Body"].weights));
            let states = [std::mem::replace(&mut now, after.clone()), after];
            history.push(Entry::new(number.to_string(), states, Effects::default()));
        }
        let size = (2 + 4) * (1 << 18) + 4 * (1 << 17);
        let held = alive.iter().filter(|weights| weights.strong_count() > 0).count();
        // The last is the document's own.
        let kept = history.entries().len();
        assert!(held - 1 == kept && kept * size <= most_bytes && (kept + 1) * size > most_bytes);
        assert!(
            history.bytes() - kept * size < kept * 1000,
            "{} bytes",
            history.bytes()
        );
        for number in (1001 - kept..=1000).rev() {
            let before = &history.back().unwrap().before.restored();
            let before = &before.scene.skinned_meshes["Body"];
            assert!(
                before
                    .weights
                    .weights
                    .iter()
                    .all(|weight| *weight == (number - 1) as f32)
            );
        }
        assert!(history.back().is_none());
    }

    #[test]
    fn a_step_larger_than_the_budget_can_be_undone() {
        let mut history = History {
            most_bytes: 1,
            ..History::default()
        };
        let now = stroke(&Snapshot::default(), 0);
        for number in 0..3 {
            let states = [now.clone(), stroke(&now, number)];
            history.push(Entry::new(number.to_string(), states, Effects::default()));
        }
        assert_eq!(history.undo_list().collect::<Vec<_>>(), ["2"]);
    }
}
