//! Brushes that go by dabs: at equal steps along the way, and those that spray at each tick of the clock while the pointer rests.

use super::Stroke;
use crate::rig::weights::paint::brush::{Brush, Mode};
use crate::rig::weights::paint::row::Row;
use glam::Vec3;

/// Between two dabs, as part of the radius.
const DAB: f32 = 0.25;

/// Where the last dab was, and memory for the rows of the next.
#[derive(Default)]
pub(super) struct Dabs {
    /// Where the way was last, and how far since the last dab.
    walked: Option<(Vec3, f32)>,
    /// Points that get new rows, and where their entries end.
    staged: Vec<(u32, u32)>,
    entries: Row,
    mean: Row,
}

impl Dabs {
    pub(super) fn new(brush: &Brush, points: usize) -> Self {
        let points = if brush.dabs() { points } else { 0 };
        Self {
            walked: None,
            staged: Vec::with_capacity(points),
            entries: Row::with_capacity(8 * points),
            mean: Row::with_capacity(64),
        }
    }

    /// The way goes on to `place`, in the bind pose: whether the next dab is there.
    pub(super) fn is_due(&mut self, place: Vec3, radius: f32) -> bool {
        let walked = self.walked.map(|(last, walked)| walked + last.distance(place));
        let is_due = walked.is_none_or(|walked| walked >= DAB * radius);
        self.walked = Some((place, if is_due { 0.0 } else { walked.unwrap_or(0.0) }));
        is_due
    }
}

impl Stroke {
    /// A dab: from the rows as they are, all points at once.
    pub(super) fn dab(&mut self) {
        self.take_in_touched();
        let (stale, mut row) = (std::mem::take(&mut self.stale), std::mem::take(&mut self.row));
        self.changes += stale.len() as u64;
        let Dabs {
            mut staged,
            mut entries,
            mut mean,
            walked,
        } = std::mem::take(&mut self.dabs);
        staged.clear();
        entries.clear();
        for &point in &stale {
            self.rows.now(&self.canvas, point, &mut row);
            let done = match self.brush.mode {
                Mode::Smooth => self.smooth(point, &mut row, &mut mean),
                _ => self.paint(point, &mut row),
            };
            if done {
                entries.extend_from_slice(&row);
                staged.push((point, entries.len() as u32));
            }
        }
        let mut start = 0;
        for &(point, end) in &staged {
            self.rows.put(point, &entries[start as usize..end as usize]);
            start = end;
        }
        self.dabs = Dabs {
            walked,
            staged,
            entries,
            mean,
        };
        (self.stale, self.row) = (stale, row);
        self.field.clear();
        self.strengths.clear();
    }

    /// Towards the mean of what is around. `mean`: scratch.
    fn smooth(&self, point: u32, row: &mut Row, mean: &mut Row) -> bool {
        let coverage = self.coverage(point).max(self.coverage_there(point));
        if coverage <= 0.0 || !self.is_chosen(point) {
            return false;
        }
        mean.clear();
        let mut total = 0.0;
        for link in self.canvas.edges(point) {
            let stiffness = 1.0 / f64::from(link.length);
            let weighs = self.rows.each_now(&self.canvas, link.to, |bone, weight| {
                match mean.binary_search_by_key(&bone, |(of, _)| *of) {
                    Ok(at) => mean[at].1 += stiffness * weight,
                    Err(at) => mean.insert(at, (bone, stiffness * weight)),
                }
            });
            total += if weighs { stiffness } else { 0.0 };
        }
        if total <= 0.0 {
            return false;
        }
        mean.iter_mut().for_each(|(_, weight)| *weight /= total);
        self.rules
            .blend(row, mean, coverage, self.canvas.points[point as usize]);
        true
    }
}
