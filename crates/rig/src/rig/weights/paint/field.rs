//! Distances along the surface from seeds that are added over time: Dijkstra's algorithm, which continues
//! where it ended.
//!
//! A label is an integer with the distance in its upper half and the seed in its lower half. Adding a length
//! preserves the order of labels, so the least label of a point depends neither on the order in which seeds
//! are added nor on that in which points are expanded.

mod bucket_queue;

use super::canvas::Canvas;
use super::path::Contact;
use bucket_queue::BucketQueue;

/// The label of points that no seed reaches.
const FAR: u64 = u64::MAX;

/// A distance field on a canvas.
pub struct Field {
    /// P: the distance in units of the canvas in the upper half, the seed in the lower one.
    labels: Vec<u64>,
    touched: Vec<u32>,
    queue: BucketQueue,
    /// P: whether the current search has already reported the point.
    is_lowered: Vec<bool>,
    /// The largest distance that is stored.
    max_distance: u64,
    /// The largest distance from which the search continues.
    max_spread: u64,
}

/// Distances from where a brush touches a surface.
pub(super) struct Touch<'a> {
    /// The distances, also of points just beyond the radius.
    pub(super) field: &'a Field,
    pub(super) contacts: &'a [Contact],
    /// The distance in the field where the brush touches the surface.
    pub(super) offset: u32,
}

impl Field {
    /// Creates a field of distances up to `max_distance` units of the canvas, with all the memory it needs.
    pub fn new(canvas: &Canvas, max_distance: u32) -> Self {
        let points = canvas.points.len();
        Self {
            labels: vec![FAR; points],
            touched: Vec::with_capacity(points),
            queue: BucketQueue::new(canvas.step, 2 * points),
            is_lowered: vec![false; points],
            max_distance: u64::from(max_distance),
            max_spread: u64::from(max_distance),
        }
    }

    /// Creates a field that also stores the neighbours of the points that it reaches: see
    /// [`Self::spread_to`].
    pub fn with_rim(canvas: &Canvas) -> Self {
        Self::new(canvas, u32::MAX)
    }

    /// Limits the search: points further away get labels, but are not expanded.
    pub fn spread_to(&mut self, units: u32) {
        self.max_spread = u64::from(units);
    }

    /// Adds a seed at a `distance` from a point.
    pub fn seed(&mut self, point: u32, distance: u32, seed: u32) {
        self.lower(point, u64::from(distance) << 32 | u64::from(seed));
    }

    fn lower(&mut self, point: u32, label: u64) {
        let known = &mut self.labels[point as usize];
        if label < *known && label >> 32 <= self.max_distance {
            if *known == FAR {
                self.touched.push(point);
            }
            *known = label;
            if label >> 32 <= self.max_spread {
                self.queue.push(label, point);
            }
        }
    }

    /// Adds a seed at a point without spreading it.
    pub fn seed_alone(&mut self, point: u32, seed: u32) {
        self.seed(point, 0, seed);
        self.queue.clear();
    }

    /// Runs the search to its end. Appends the expanded points whose label has changed to `lowered`, each
    /// once.
    pub fn spread(&mut self, canvas: &Canvas, lowered: &mut Vec<u32>) {
        let start = lowered.len();
        while let Some((label, point)) = self.queue.pop() {
            if label != self.labels[point as usize] {
                continue;
            }
            if !std::mem::replace(&mut self.is_lowered[point as usize], true) {
                lowered.push(point);
            }
            for link in canvas.links(point) {
                self.lower(link.to, label + (u64::from(link.length) << 32));
            }
        }
        for &point in &lowered[start..] {
            self.is_lowered[point as usize] = false;
        }
    }

    /// Returns the distance of a point in units of the canvas and its nearest seed, the first among equals.
    pub fn at(&self, point: u32) -> Option<(u32, u32)> {
        let label = self.labels[point as usize];
        (label != FAR).then_some(((label >> 32) as u32, label as u32))
    }

    /// Returns the points that seeds reach, in no particular order.
    pub fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// Removes all seeds.
    pub fn clear(&mut self) {
        for point in self.touched.drain(..) {
            self.labels[point as usize] = FAR;
        }
        self.queue.clear();
    }
}
