//! A priority queue of points in buckets of similar distance. Points within a bucket are unordered, which
//! costs a search little if buckets are about as wide as its steps are long.

/// The index of no entry.
const NONE: u32 = u32::MAX;
/// The number of buckets; the last one holds everything further away.
const BUCKETS: usize = 1 << 12;

/// A queue of points by distance.
pub(super) struct BucketQueue {
    /// The number of low bits in which the distances of a bucket may differ.
    bits: u32,
    /// The first entry of each bucket.
    buckets: Vec<u32>,
    entries: Vec<Entry>,
    /// The first entry of the free list.
    free: u32,
    /// All buckets before this one are empty.
    first: usize,
    count: usize,
}

struct Entry {
    label: u64,
    point: u32,
    /// The next entry of the same list.
    next: u32,
}

impl BucketQueue {
    /// Creates a queue with memory for `entries`. `step`: the typical length of a step of the search.
    pub(super) fn new(step: u32, entries: usize) -> Self {
        Self {
            bits: step.max(1).ilog2(),
            buckets: vec![NONE; BUCKETS],
            entries: Vec::with_capacity(entries),
            free: NONE,
            first: BUCKETS,
            count: 0,
        }
    }

    /// Adds a point. The upper half of the label is the distance.
    pub(super) fn push(&mut self, label: u64, point: u32) {
        let bucket = ((label >> 32 >> self.bits) as usize).min(BUCKETS - 1);
        let next = std::mem::replace(&mut self.buckets[bucket], self.free);
        let entry = Entry { label, point, next };
        match self.entries.get_mut(self.free as usize) {
            Some(free) => self.free = std::mem::replace(free, entry).next,
            None => {
                self.buckets[bucket] = self.entries.len() as u32;
                self.entries.push(entry);
            }
        }
        self.first = self.first.min(bucket);
        self.count += 1;
    }

    /// Removes a point of the nearest bucket and returns it with its label.
    pub(super) fn pop(&mut self) -> Option<(u64, u32)> {
        self.count = self.count.checked_sub(1)?;
        while self.buckets[self.first] == NONE {
            self.first += 1;
        }
        let head = &mut self.buckets[self.first];
        let index = *head;
        let entry = &mut self.entries[index as usize];
        *head = std::mem::replace(&mut entry.next, self.free);
        self.free = index;
        Some((entry.label, entry.point))
    }

    pub(super) fn clear(&mut self) {
        while self.pop().is_some() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use std::collections::BTreeSet;

    /// Compares with a sorted set: popped points are from the bucket of the least, and none gets lost.
    #[test]
    fn the_nearest_point_comes_first_up_to_the_width_of_a_bucket() {
        let (mut random, step) = (Random::new(5), 1000);
        let (mut queue, mut all) = (BucketQueue::new(step, 4), BTreeSet::new());
        for i in 0..20_000 {
            if random.next().is_multiple_of(5) {
                let (popped, least) = (queue.pop(), all.first().copied());
                assert_eq!(popped.is_some(), least.is_some());
                let (Some(popped), Some((least, _))) = (popped, least) else {
                    continue;
                };
                assert!(all.remove(&popped), "{i}: {popped:?}");
                assert!(popped.0 - least < u64::from(step) << 32, "{i}: {popped:?} {least}");
            } else {
                // Occasionally nearer than everything in the queue.
                let distance = random.next() % if i % 100 == 0 { 10 } else { 3_000_000 };
                let entry = (distance << 32 | random.next() & 0xffff, i);
                queue.push(entry.0, entry.1);
                all.insert(entry);
            }
        }
        let mut left = 0;
        while let Some(popped) = queue.pop() {
            assert!(all.remove(&popped));
            left += 1;
        }
        assert!(all.is_empty() && left > 5000 && queue.pop().is_none());
        // Free entries are reused.
        let entries = queue.entries.len();
        (0..entries as u32).for_each(|point| queue.push(0, point));
        assert_eq!(queue.entries.len(), entries);
        queue.clear();
        assert!(queue.pop().is_none());
    }
}
