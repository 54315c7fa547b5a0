//! The rows of weights that a stroke produces, both in progress and as stored in a command.

use super::super::VertexWeights;
use super::canvas::Canvas;
use super::row::Row;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The slot of points without a row.
const NONE: u32 = u32::MAX;

/// New rows of some vertices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PaintedRows {
    /// The vertices in ascending order, each once.
    pub vertices: Vec<u32>,
    /// The row of each of these vertices.
    pub rows: VertexWeights,
}

impl PaintedRows {
    /// Whether any row differs from that in `weights`.
    pub fn differs_from(&self, weights: &VertexWeights) -> bool {
        let mut vertices = self.vertices.iter().enumerate();
        vertices.any(|(i, &vertex)| self.rows.row(i) != weights.row(vertex as usize))
    }

    /// Returns `weights` with these rows replaced.
    pub fn applied(&self, weights: &VertexWeights) -> VertexWeights {
        let capacity = weights.bones.len() + self.rows.bones.len();
        let mut all = VertexWeights {
            ends: Vec::with_capacity(weights.ends.len()),
            bones: Vec::with_capacity(capacity),
            weights: Vec::with_capacity(capacity),
        };
        let mut next = 0;
        for (i, &vertex) in self.vertices.iter().enumerate() {
            copy_rows(weights, next..vertex as usize, &mut all);
            all.push_row(self.rows.influences(i));
            next = vertex as usize + 1;
        }
        copy_rows(weights, next..weights.vertex_count(), &mut all);
        all
    }
}

/// Appends a range of rows from valid weights unchanged.
fn copy_rows(from: &VertexWeights, vertices: std::ops::Range<usize>, to: &mut VertexWeights) {
    if vertices.is_empty() {
        return;
    }
    let start = if vertices.start == 0 { 0 } else { from.ends[vertices.start - 1] };
    let end = from.ends[vertices.end - 1];
    let offset = to.bones.len() as u32;
    let entries = start as usize..end as usize;
    to.bones.extend_from_slice(&from.bones[entries.clone()]);
    to.weights.extend_from_slice(&from.weights[entries]);
    to.ends.extend(from.ends[vertices].iter().map(|end| end - start + offset));
}

/// Rows by point: painted ones, else the original ones.
pub struct Rows {
    original: Arc<VertexWeights>,
    /// P: the index of a point in `points` and `spans`, or [`NONE`].
    slots: Vec<u32>,
    points: Vec<u32>,
    /// The entries of each of `points`.
    spans: Vec<EntrySpan>,
    entries: Vec<(u16, f32)>,
}

/// A range of entries. If empty, the row is the original one.
#[derive(Clone, Copy)]
struct EntrySpan {
    start: u32,
    count: u32,
    capacity: u32,
}

/// The capacity of a row that is painted for the first time, in bones.
const ROW_CAPACITY: usize = 8;

impl Rows {
    /// Creates the rows of a surface with `points` points.
    pub fn new(original: Arc<VertexWeights>, points: usize) -> Self {
        Self {
            original,
            slots: vec![NONE; points],
            points: Vec::new(),
            spans: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// Reads the row of a point at the start of the stroke; of several vertices at the point, that of the
    /// first.
    pub fn read_original(&self, canvas: &Canvas, point: u32, row: &mut Row) {
        row.clear();
        let vertex = canvas.vertices(point)[0] as usize;
        row.extend(self.original.influences(vertex).map(|(bone, weight)| (bone, f64::from(weight))));
        sort(row);
    }

    /// Returns the points that were painted, even if they were reverted since.
    pub fn points(&self) -> &[u32] {
        &self.points
    }

    fn row(&self, slot: u32) -> &[(u16, f32)] {
        match self.spans.get(slot as usize) {
            Some(span) => &self.entries[span.start as usize..][..span.count as usize],
            None => &[],
        }
    }

    /// Reads the current row of a point.
    pub fn read_current(&self, canvas: &Canvas, point: u32, row: &mut Row) {
        match self.row(self.slots[point as usize]) {
            [] => self.read_original(canvas, point, row),
            painted => {
                row.clear();
                row.extend(painted.iter().map(|&(bone, weight)| (bone, f64::from(weight))));
            }
        }
    }

    /// Calls `visit` with the entries of the current row of a point, in no particular order. Returns false if
    /// the row is empty.
    pub fn for_each_current(&self, canvas: &Canvas, point: u32, mut visit: impl FnMut(u16, f64)) -> bool {
        let painted = self.row(self.slots[point as usize]);
        if painted.is_empty() {
            let (bones, weights) = self.original.row(canvas.vertices(point)[0] as usize);
            bones.iter().zip(weights).for_each(|(bone, weight)| visit(*bone, f64::from(*weight)));
            return !bones.is_empty();
        }
        painted.iter().for_each(|(bone, weight)| visit(*bone, f64::from(*weight)));
        true
    }

    /// Restores the original row of a point.
    pub fn revert(&mut self, point: u32) {
        if let Some(span) = self.spans.get_mut(self.slots[point as usize] as usize) {
            span.count = 0;
        }
    }

    /// Sets the row of a point, without zeros.
    pub fn set(&mut self, point: u32, row: &[(u16, f64)]) {
        let slot = &mut self.slots[point as usize];
        if *slot == NONE {
            *slot = self.points.len() as u32;
            self.points.push(point);
            self.spans.push(EntrySpan { start: 0, count: 0, capacity: 0 });
        }
        let span = &mut self.spans[*slot as usize];
        let entries = row.iter().filter(|(_, weight)| *weight > 0.0);
        let count = entries.clone().count();
        if count > span.capacity as usize {
            // The previous entries of a row that has outgrown its capacity stay unused.
            span.start = self.entries.len() as u32;
            span.capacity = count.next_multiple_of(ROW_CAPACITY) as u32;
            let end = self.entries.len() + span.capacity as usize;
            self.entries.resize(end, (0, 0.0));
        }
        span.count = count as u32;
        let target = &mut self.entries[span.start as usize..][..count];
        for (to, &(bone, weight)) in target.iter_mut().zip(entries) {
            *to = (bone, weight as f32);
        }
    }

    /// Returns all rows painted so far.
    pub fn painted(&self, canvas: &Canvas) -> PaintedRows {
        let mut painted = PaintedRows::default();
        for (vertex, &point) in canvas.point_of_vertex.iter().enumerate() {
            let row = self.row(self.slots[point as usize]);
            if !row.is_empty() {
                painted.vertices.push(vertex as u32);
                painted.rows.push_row(row.iter().copied());
            }
        }
        painted
    }
}

/// Sorts a row by bone and merges duplicates: rows of files may have any order and name a bone twice.
fn sort(row: &mut Row) {
    if row.windows(2).all(|pair| pair[0].0 < pair[1].0) {
        return;
    }
    row.sort_by_key(|(bone, _)| *bone);
    row.dedup_by(|later, first| {
        let is_duplicate = later.0 == first.0;
        if is_duplicate {
            first.1 += later.1;
        }
        is_duplicate
    });
}
