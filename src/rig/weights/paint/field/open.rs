//! Points that a search goes on from, in lists by distance: those of one list are about as far away. Within a list they are
//! in no order, which costs a search little where lists are about as wide as its steps are long.

/// There is no entry.
const NONE: u32 = u32::MAX;
/// The last one holds all that is further away.
const LISTS: usize = 1 << 12;

pub(super) struct Open {
    /// Distances of a list differ in so many of their last bits.
    bits: u32,
    /// The first entry of each list.
    lists: Vec<u32>,
    entries: Vec<Entry>,
    /// The first entry of those that are free.
    free: u32,
    /// No list before that one holds anything.
    first: usize,
    count: usize,
}

struct Entry {
    label: u64,
    point: u32,
    /// In the same list.
    next: u32,
}

impl Open {
    /// `step`: how long a step of the search is, about. Asks at once for the memory of so many entries.
    pub(super) fn new(step: u32, entries: usize) -> Self {
        Self {
            bits: step.max(1).ilog2(),
            lists: vec![NONE; LISTS],
            entries: Vec::with_capacity(entries),
            free: NONE,
            first: LISTS,
            count: 0,
        }
    }

    /// The distance is the upper half of the label.
    pub(super) fn push(&mut self, label: u64, point: u32) {
        let at = ((label >> 32 >> self.bits) as usize).min(LISTS - 1);
        let next = std::mem::replace(&mut self.lists[at], self.free);
        let entry = Entry { label, point, next };
        match self.entries.get_mut(self.free as usize) {
            Some(free) => self.free = std::mem::replace(free, entry).next,
            None => {
                self.lists[at] = self.entries.len() as u32;
                self.entries.push(entry);
            }
        }
        self.first = self.first.min(at);
        self.count += 1;
    }

    /// One of those that are nearest, with its label.
    pub(super) fn pop(&mut self) -> Option<(u64, u32)> {
        self.count = self.count.checked_sub(1)?;
        while self.lists[self.first] == NONE {
            self.first += 1;
        }
        let list = &mut self.lists[self.first];
        let at = *list;
        let entry = &mut self.entries[at as usize];
        *list = std::mem::replace(&mut entry.next, self.free);
        self.free = at;
        Some((entry.label, entry.point))
    }

    pub(super) fn clear(&mut self) {
        while self.pop().is_some() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::testing::Random;
    use std::collections::BTreeSet;

    /// Against a sorted set: what is handed out lies in the list of the least, and nothing gets lost.
    #[test]
    fn what_is_nearest_comes_first_but_for_the_width_of_a_list() {
        let (mut random, step) = (Random::new(5), 1000);
        let (mut open, mut all) = (Open::new(step, 4), BTreeSet::new());
        for i in 0..20_000 {
            if random.next().is_multiple_of(5) {
                let (popped, least) = (open.pop(), all.first().copied());
                assert_eq!(popped.is_some(), least.is_some());
                let (Some(popped), Some((least, _))) = (popped, least) else {
                    continue;
                };
                assert!(all.remove(&popped), "{i}: {popped:?}");
                assert!(
                    popped.0 - least < u64::from(step) << 32,
                    "{i}: {popped:?} {least}"
                );
            } else {
                // Now and then what is nearer than all there is.
                let far = random.next() % if i % 100 == 0 { 10 } else { 3_000_000 };
                let entry = (far << 32 | random.next() & 0xffff, i);
                open.push(entry.0, entry.1);
                all.insert(entry);
            }
        }
        let mut left = 0;
        while let Some(popped) = open.pop() {
            assert!(all.remove(&popped));
            left += 1;
        }
        assert!(all.is_empty() && left > 5000 && open.pop().is_none());
        // What is free is used again.
        let entries = open.entries.len();
        (0..entries as u32).for_each(|point| open.push(0, point));
        assert_eq!(open.entries.len(), entries);
        open.clear();
        assert!(open.pop().is_none());
    }
}
