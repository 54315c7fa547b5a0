//! Distances along the surface from seeds that come one after the other: Dijkstra's search, which goes on where it ended.
//!
//! A label is a whole number, a distance above a seed: adding a length keeps the order of labels, and so the least label of
//! a point is the same however seeds are handed over, and in whatever order points are gone on from.

mod open;

use super::canvas::Canvas;
use super::path::Contact;
use open::Open;

/// No seed reaches there.
const FAR: u64 = u64::MAX;

pub struct Field {
    /// P: the distance in units of the canvas in the upper half, the seed in the lower one.
    labels: Vec<u64>,
    touched: Vec<u32>,
    open: Open,
    /// P: handed out by the search under way.
    is_lowered: Vec<bool>,
    /// Labels that are kept.
    most: u64,
    /// Labels that go further.
    spreads: u64,
}

/// Distances from where a brush touches a surface.
pub(super) struct Touch<'a> {
    /// Also of points that are just beyond the radius.
    pub(super) field: &'a Field,
    pub(super) contacts: &'a [Contact],
    /// What the field says at no distance.
    pub(super) offset: u32,
}

impl Field {
    /// Up to `most` units of the canvas. Asks at once for what memory it needs.
    pub fn new(canvas: &Canvas, most: u32) -> Self {
        let points = canvas.points.len();
        Self {
            labels: vec![FAR; points],
            touched: Vec::with_capacity(points),
            open: Open::new(canvas.step, 2 * points),
            is_lowered: vec![false; points],
            most: u64::from(most),
            spreads: u64::from(most),
        }
    }

    /// Which also keeps the points next to those that it reaches: see [`Self::spread_to`].
    pub fn with_rim(canvas: &Canvas) -> Self {
        Self::new(canvas, u32::MAX)
    }

    /// From now on points that are further away have labels, but lead no further.
    pub fn spread_to(&mut self, units: u32) {
        self.spreads = u64::from(units);
    }

    /// A seed comes as near to a point as `distance`.
    pub fn seed(&mut self, point: u32, distance: u32, seed: u32) {
        self.lower(point, u64::from(distance) << 32 | u64::from(seed));
    }

    fn lower(&mut self, point: u32, label: u64) {
        let known = &mut self.labels[point as usize];
        if label < *known && label >> 32 <= self.most {
            if *known == FAR {
                self.touched.push(point);
            }
            *known = label;
            if label >> 32 <= self.spreads {
                self.open.push(label, point);
            }
        }
    }

    /// A seed is at a point, and spreads no further.
    pub fn seed_alone(&mut self, point: u32, seed: u32) {
        self.seed(point, 0, seed);
        self.open.clear();
    }

    /// Goes as far as it can. `lowered`: gets the points that have another label than before and lead further, each once.
    pub fn spread(&mut self, canvas: &Canvas, lowered: &mut Vec<u32>) {
        let known = lowered.len();
        while let Some((label, point)) = self.open.pop() {
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
        for &point in &lowered[known..] {
            self.is_lowered[point as usize] = false;
        }
    }

    /// Distance in units of the canvas, and the seed that is nearest: of equals the first.
    pub fn at(&self, point: u32) -> Option<(u32, u32)> {
        let label = self.labels[point as usize];
        (label != FAR).then_some(((label >> 32) as u32, label as u32))
    }

    /// Points that a seed reaches, in no order that means anything.
    pub fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// As new.
    pub fn clear(&mut self) {
        for point in self.touched.drain(..) {
            self.labels[point as usize] = FAR;
        }
        self.open.clear();
    }
}
