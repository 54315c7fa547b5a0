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
    /// None, with room for so many that there is mostly no need of more.
    pub fn with_room(vertices: usize) -> Self {
        Self {
            vertices: Vec::with_capacity(vertices),
            rows: VertexWeights {
                ends: Vec::with_capacity(vertices),
                bones: Vec::with_capacity(ROOM * vertices),
                weights: Vec::with_capacity(ROOM * vertices),
            },
        }
    }

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
        self.applied_into(weights, &mut all);
        all
    }

    /// As [`Self::applied`], into the memory of `all`.
    pub fn applied_into(&self, weights: &VertexWeights, all: &mut VertexWeights) {
        clear(all);
        let mut next = 0;
        for (i, &vertex) in self.vertices.iter().enumerate() {
            copy_rows(weights, next..vertex as usize, all);
            all.push_row(self.rows.influences(i));
            next = vertex as usize + 1;
        }
        copy_rows(weights, next..weights.vertex_count(), all);
    }
}

fn clear(weights: &mut VertexWeights) {
    weights.ends.clear();
    weights.bones.clear();
    weights.weights.clear();
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
    /// Of each of `points`: where its row is.
    places: Vec<Place>,
    entries: Vec<(u16, f32)>,
}

/// Some of the entries. None: as before.
#[derive(Clone, Copy)]
struct Place {
    start: u32,
    count: u32,
    room: u32,
}

/// So many bones have room in a row that was painted for the first time.
const ROOM: usize = 8;

impl Rows {
    /// Of a surface of so many points.
    pub fn new(before: Arc<VertexWeights>, points: usize) -> Self {
        Self {
            before,
            slots: vec![NONE; points],
            points: Vec::new(),
            places: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// Asks for all the memory at once that painting every point takes.
    #[must_use]
    pub fn with_room(mut self) -> Self {
        let points = self.slots.len();
        self.points.reserve(points);
        self.places.reserve(points);
        self.entries.reserve(ROOM * points);
        self
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

    /// Those that were painted, if only for a while.
    pub fn points(&self) -> &[u32] {
        &self.points
    }

    fn row(&self, slot: u32) -> &[(u16, f32)] {
        match self.places.get(slot as usize) {
            Some(place) => &self.entries[place.start as usize..][..place.count as usize],
            None => &[],
        }
    }

    pub fn now(&self, canvas: &Canvas, point: u32, row: &mut Row) {
        match self.row(self.slots[point as usize]) {
            [] => self.before(canvas, point, row),
            painted => {
                row.clear();
                row.extend(painted.iter().map(|&(bone, weight)| (bone, f64::from(weight))));
            }
        }
    }

    /// What is in a row as it is now, in no order. False where that is nothing.
    pub fn each_now(&self, canvas: &Canvas, point: u32, mut each: impl FnMut(u16, f64)) -> bool {
        let painted = self.row(self.slots[point as usize]);
        if painted.is_empty() {
            let (bones, weights) = self.before.row(canvas.vertices(point)[0] as usize);
            bones
                .iter()
                .zip(weights)
                .for_each(|(bone, weight)| each(*bone, f64::from(*weight)));
            return !bones.is_empty();
        }
        painted
            .iter()
            .for_each(|(bone, weight)| each(*bone, f64::from(*weight)));
        true
    }

    /// As before, though it was painted meanwhile.
    pub fn take_back(&mut self, point: u32) {
        if let Some(place) = self.places.get_mut(self.slots[point as usize] as usize) {
            place.count = 0;
        }
    }

    pub fn put(&mut self, point: u32, row: &[(u16, f64)]) {
        let slot = &mut self.slots[point as usize];
        if *slot == NONE {
            *slot = self.points.len() as u32;
            self.points.push(point);
            self.places.push(Place {
                start: 0,
                count: 0,
                room: 0,
            });
        }
        let place = &mut self.places[*slot as usize];
        let entries = row.iter().filter(|(_, weight)| *weight > 0.0);
        let count = entries.clone().count();
        if count > place.room as usize {
            // What a row leaves behind that has outgrown its room stays empty.
            place.start = self.entries.len() as u32;
            place.room = count.next_multiple_of(ROOM) as u32;
            let end = self.entries.len() + place.room as usize;
            self.entries.resize(end, (0, 0.0));
        }
        place.count = count as u32;
        let room = &mut self.entries[place.start as usize..][..count];
        for (to, &(bone, weight)) in room.iter_mut().zip(entries) {
            *to = (bone, weight as f32);
        }
    }

    /// All rows that were painted so far.
    pub fn painted(&self, canvas: &Canvas) -> PaintedRows {
        let mut painted = PaintedRows::default();
        self.painted_into(canvas, &mut painted);
        painted
    }

    /// As [`Self::painted`], into the memory of `painted`.
    pub fn painted_into(&self, canvas: &Canvas, painted: &mut PaintedRows) {
        painted.vertices.clear();
        clear(&mut painted.rows);
        if self.points.is_empty() {
            return;
        }
        for (vertex, &point) in canvas.point_of_vertex.iter().enumerate() {
            let row = self.row(self.slots[point as usize]);
            if !row.is_empty() {
                painted.vertices.push(vertex as u32);
                painted.rows.push_row(row.iter().copied());
            }
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
