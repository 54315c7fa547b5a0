//! The rows of weights that come of a stroke: while it is under way, and as they go into a command.

use super::super::VertexWeights;
use super::canvas::Canvas;
use super::row::Row;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// No row yet.
const NONE: u32 = u32::MAX;

/// New rows of some vertices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PaintedRows {
    /// Ascending, each once.
    pub vertices: Vec<u32>,
    /// A row for each of them.
    pub rows: VertexWeights,
}

impl PaintedRows {
    /// Whether any row differs from that in `weights`.
    pub fn changes(&self, weights: &VertexWeights) -> bool {
        let mut vertices = self.vertices.iter().enumerate();
        vertices.any(|(i, &vertex)| self.rows.row(i) != weights.row(vertex as usize))
    }

    /// Puts them in the place of those in `weights`.
    pub fn applied(&self, weights: &VertexWeights) -> VertexWeights {
        let room = weights.bones.len() + self.rows.bones.len();
        let mut all = VertexWeights {
            ends: Vec::with_capacity(weights.ends.len()),
            bones: Vec::with_capacity(room),
            weights: Vec::with_capacity(room),
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

/// Rows that are in order, as they are.
fn copy_rows(from: &VertexWeights, vertices: std::ops::Range<usize>, to: &mut VertexWeights) {
    if vertices.is_empty() {
        return;
    }
    let start = if vertices.start == 0 {
        0
    } else {
        from.ends[vertices.start - 1]
    };
    let end = from.ends[vertices.end - 1];
    let behind = to.bones.len() as u32;
    let entries = start as usize..end as usize;
    to.bones.extend_from_slice(&from.bones[entries.clone()]);
    to.weights.extend_from_slice(&from.weights[entries]);
    to.ends
        .extend(from.ends[vertices].iter().map(|end| end - start + behind));
}

/// Rows by point: those that were painted, else those from before.
pub struct Rows {
    before: Arc<VertexWeights>,
    /// P.
    slots: Vec<u32>,
    points: Vec<u32>,
    /// Empty: as before.
    rows: Vec<Vec<(u16, f32)>>,
}

impl Rows {
    /// Of a surface of so many points.
    pub fn new(before: Arc<VertexWeights>, points: usize) -> Self {
        Self {
            before,
            slots: vec![NONE; points],
            points: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// As it was when the stroke began: of vertices at one place, the first one's.
    pub fn before(&self, canvas: &Canvas, point: u32, row: &mut Row) {
        row.clear();
        let vertex = canvas.vertices(point)[0] as usize;
        row.extend(
            self.before
                .influences(vertex)
                .map(|(bone, weight)| (bone, f64::from(weight))),
        );
        sort(row);
    }

    pub fn now(&self, canvas: &Canvas, point: u32, row: &mut Row) {
        match self.rows.get(self.slots[point as usize] as usize) {
            Some(painted) if !painted.is_empty() => {
                row.clear();
                row.extend(painted.iter().map(|&(bone, weight)| (bone, f64::from(weight))));
            }
            _ => self.before(canvas, point, row),
        }
    }

    /// As before, though it was painted meanwhile.
    pub fn take_back(&mut self, point: u32) {
        if let Some(painted) = self.rows.get_mut(self.slots[point as usize] as usize) {
            painted.clear();
        }
    }

    pub fn put(&mut self, point: u32, row: &Row) {
        let slot = &mut self.slots[point as usize];
        if *slot == NONE {
            *slot = self.points.len() as u32;
            self.points.push(point);
            self.rows.push(Vec::with_capacity(row.len().max(4)));
        }
        let painted = &mut self.rows[*slot as usize];
        painted.clear();
        let entries = row.iter().filter(|(_, weight)| *weight > 0.0);
        painted.extend(entries.map(|&(bone, weight)| (bone, weight as f32)));
    }

    /// All rows that were painted so far.
    pub fn painted(&self, canvas: &Canvas) -> PaintedRows {
        let mut order: Vec<(u32, u32)> = Vec::with_capacity(self.points.len());
        let slots = self.points.iter().enumerate();
        for (slot, &point) in slots.filter(|(slot, _)| !self.rows[*slot].is_empty()) {
            order.extend(canvas.vertices(point).iter().map(|&vertex| (vertex, slot as u32)));
        }
        order.sort_unstable();
        let mut rows = VertexWeights::none(0);
        for (_, slot) in &order {
            rows.push_row(self.rows[*slot as usize].iter().copied());
        }
        PaintedRows {
            vertices: order.into_iter().map(|(vertex, _)| vertex).collect(),
            rows,
        }
    }
}

/// Rows of files are in any order, and may name a bone twice.
fn sort(row: &mut Row) {
    if row.windows(2).all(|pair| pair[0].0 < pair[1].0) {
        return;
    }
    row.sort_by_key(|(bone, _)| *bone);
    row.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            first.1 += later.1;
        }
        same
    });
}
