//! A stroke: what a brush has touched since it came down, and the rows of weights that come of it.

mod dabs;
mod one_row;
mod spans;
mod state;

use super::super::VertexWeights;
use super::brush::{Brush, Mode};
use super::canvas::Canvas;
use super::field::Field;
use super::heal::{self, healed};
use super::mirror::{Image, MirrorMap};
use super::painted::{PaintedRows, Rows};
use super::path::{Contact, Facing};
use super::row::{Row, Rules};
use state::{Dabs, Spans};
use std::sync::Arc;

/// Seeds that there is room for from the start.
const SEEDS: usize = 1 << 14;

/// The other side of a stroke.
pub struct Mirrored {
    pub map: Arc<MirrorMap>,
    /// The bone that is painted there.
    pub bone: u16,
    /// The other side of each bone.
    pub others: Vec<Option<usize>>,
}

/// A brush on its way over a surface.
pub struct Stroke {
    canvas: Arc<Canvas>,
    rules: Rules,
    brush: Brush,
    bone: u16,
    mirrored: Option<Mirrored>,
    facing: Option<Facing>,
    field: Field,
    /// Of each seed, from 0 to 1.
    strengths: Vec<f64>,
    spans: Spans,
    /// P: those that may be painted; empty: all.
    chosen: Vec<bool>,
    rows: Rows,
    dabs: Dabs,
    /// Points that the field has reached since rows were worked out.
    lowered: Vec<u32>,
    changes: u64,
    /// It covered more than can be healed at once.
    too_much: bool,
    /// Scratch.
    stale: Vec<u32>,
    row: Row,
}

impl Stroke {
    /// `before`: the weights, in order. `bone`: what a brush of one bone paints. `facing`: `None` paints whichever way the
    /// surface faces. Asks at once for what memory it needs, as much as painting all of the surface takes.
    pub fn new(
        canvas: Arc<Canvas>,
        before: Arc<VertexWeights>,
        rules: Rules,
        (brush, bone): (Brush, u16),
        mirrored: Option<Mirrored>,
        facing: Option<Facing>,
    ) -> Self {
        let points = canvas.points.len();
        let most = canvas.in_units(brush.radius * canvas.size);
        let field = if brush.dabs() {
            let mut field = Field::with_rim(&canvas);
            field.spread_to(most);
            field
        } else {
            Field::new(&canvas, most)
        };
        Self {
            rules,
            brush,
            bone,
            mirrored,
            facing,
            field,
            strengths: Vec::with_capacity(SEEDS),
            spans: Spans::new(&brush, points),
            chosen: Vec::new(),
            rows: Rows::new(before, points).with_room(),
            dabs: Dabs::new(&brush, points),
            lowered: Vec::with_capacity(points),
            changes: 0,
            too_much: false,
            // With their other sides.
            stale: Vec::with_capacity(2 * points),
            row: Row::with_capacity(64),
            canvas,
        }
    }

    /// Only these vertices are painted.
    pub fn only(&mut self, vertices: &[u32]) {
        self.chosen = vec![false; self.canvas.points.len()];
        for &vertex in vertices {
            if let Some(&point) = self.canvas.point_of_vertex.get(vertex as usize) {
                self.chosen[point as usize] = true;
            }
        }
    }

    fn is_chosen(&self, point: u32) -> bool {
        self.chosen.is_empty() || self.chosen[point as usize]
    }

    pub fn brush(&self) -> &Brush {
        &self.brush
    }

    /// The radius in the bind pose, mesh units.
    pub fn radius(&self) -> f32 {
        self.brush.radius * self.canvas.size
    }

    /// The brush touches the surface, at one place or at several behind each other. `pressure`: from 0 to 1.
    pub fn touch(&mut self, contacts: &[Contact], pressure: f32) {
        let Some(first) = contacts.first() else { return };
        if !self.brush.dabs() {
            contacts.iter().for_each(|contact| self.seed(contact, pressure));
            return;
        }
        let place = self.canvas.place(first);
        if self.dabs.is_due(place, self.brush.radius * self.canvas.size) {
            self.dab_at(contacts, pressure);
        }
    }

    /// The brush rests for a tick of the clock: one that sprays goes on.
    pub fn rest(&mut self, contacts: &[Contact], pressure: f32) {
        if self.brush.sprays() && !contacts.is_empty() {
            self.dab_at(contacts, pressure);
        }
    }

    fn seed(&mut self, contact: &Contact, pressure: f32) {
        let pressure = pressure.clamp(0.0, 1.0);
        let seed = self.strengths.len() as u32;
        let weaker = if self.brush.pressure_strength {
            pressure
        } else {
            1.0
        };
        self.strengths.push(f64::from(self.brush.strength * weaker));
        let offset = self.offset(pressure);
        let (brush, radius) = (self.brush, self.radius());
        let each = |point, distance| self.field.seed(point, offset + distance, seed);
        self.canvas.each_seed(contact, brush.reach, radius, each);
    }

    /// So far from its way the brush is already there: where it is pressed less, it is smaller. In units.
    fn offset(&self, pressure: f32) -> u32 {
        let smaller = if self.brush.pressure_radius {
            1.0 - pressure.clamp(0.0, 1.0)
        } else {
            0.0
        };
        self.canvas.in_units(smaller * self.radius())
    }

    /// Paints all of these vertices alike, without a way; both sides as they are.
    pub fn fill(&mut self, vertices: impl IntoIterator<Item = u32>) {
        (self.mirrored, self.facing) = (None, None);
        self.begin_dab();
        self.strengths.push(f64::from(self.brush.strength));
        let seed = self.strengths.len() as u32 - 1;
        for vertex in vertices {
            if let Some(&point) = self.canvas.point_of_vertex.get(vertex as usize) {
                self.field.seed_alone(point, seed);
            }
        }
        match self.brush.dabs() {
            true => self.dab(),
            false => {
                self.stale.extend_from_slice(self.field.touched());
                self.repaint();
            }
        }
        self.finish();
    }

    /// How strongly a point is painted, from 0 to 1.
    fn coverage(&self, point: u32) -> f64 {
        if let Some(graded) = self.spans.graded(point) {
            return f64::from(self.brush.strength) * graded * self.faces(point);
        }
        let Some((distance, seed)) = self.field.at(point) else {
            return 0.0;
        };
        let radius = f64::from(self.canvas.in_units(self.radius()).max(1));
        let part = f64::from(distance) / radius;
        self.strengths[seed as usize] * self.brush.falloff_at(part) * self.faces(point)
    }

    /// 0 where it faces away from the viewer, if that matters.
    fn faces(&self, point: u32) -> f64 {
        self.facing.as_ref().map_or(1.0, |facing| facing.at(point))
    }

    /// How strongly its other side is.
    fn coverage_there(&self, point: u32) -> f64 {
        let Some(Mirrored { map, .. }) = &self.mirrored else {
            return 0.0;
        };
        match map.images[point as usize] {
            Image::Point(of) => self.coverage(of),
            Image::Between(of, weights) => {
                let corners = of.iter().zip(weights);
                corners
                    .map(|(&of, weight)| self.coverage(of) * f64::from(weight))
                    .sum()
            }
            Image::Nowhere => 0.0,
        }
    }

    /// Works out the rows of all that was touched since the last time.
    pub fn update(&mut self) {
        if self.brush.dabs() || self.brush.spans() {
            return;
        }
        self.lowered.clear();
        self.field.spread(&self.canvas, &mut self.lowered);
        if self.brush.mode == Mode::Heal {
            return;
        }
        let lowered = std::mem::take(&mut self.lowered);
        self.take_in(&lowered);
        self.lowered = lowered;
        self.repaint();
    }

    /// Points whose rows are out of date, each once: those of the field, and those on their other side.
    fn take_in(&mut self, points: &[u32]) {
        self.stale.clear();
        self.stale.extend_from_slice(points);
        if let Some(Mirrored { map, .. }) = &self.mirrored {
            for &point in points {
                self.stale.extend_from_slice(map.users(point));
            }
            self.stale.sort_unstable();
            self.stale.dedup();
        }
    }

    /// All that the field reaches, and its other side, is out of date.
    fn take_in_touched(&mut self) {
        let mut lowered = std::mem::take(&mut self.lowered);
        self.field.spread(&self.canvas, &mut lowered);
        lowered.clear();
        lowered.extend_from_slice(self.field.touched());
        self.take_in(&lowered);
        self.lowered = lowered;
    }

    /// From the rows before the stroke.
    fn repaint(&mut self) {
        self.changes += self.stale.len() as u64;
        let (stale, mut row) = (std::mem::take(&mut self.stale), std::mem::take(&mut self.row));
        for &point in &stale {
            self.rows.before(&self.canvas, point, &mut row);
            match self.paint(point, &mut row) {
                true => self.rows.put(point, &row),
                false => self.rows.take_back(point),
            }
        }
        (self.stale, self.row) = (stale, row);
    }

    /// The brush is lifted: what is done once, at the end.
    pub fn finish(&mut self) {
        if self.brush.mode != Mode::Heal {
            return;
        }
        self.take_in_touched();
        let mut area = std::mem::take(&mut self.stale);
        area.sort_unstable();
        area.dedup();
        area.retain(|&point| self.is_chosen(point));
        area.retain(|&point| self.coverage(point).max(self.coverage_there(point)) > 0.0);
        self.too_much = area.len() > heal::MOST;
        if self.too_much {
            area.clear();
        }
        let before = |point: u32| {
            let mut row = Row::new();
            self.rows.before(&self.canvas, point, &mut row);
            row
        };
        let healed = healed(&self.canvas, &area, before);
        for (&point, mean) in area.iter().zip(&healed) {
            let mut row = Row::new();
            self.rows.before(&self.canvas, point, &mut row);
            let place = self.canvas.points[point as usize];
            self.rules
                .blend(&mut row, mean, f64::from(self.brush.strength), place);
            self.rows.put(point, &row);
        }
        self.stale = area;
    }

    /// Whether some points are reached, and locked bones have all of each.
    pub fn all_locked(&self) -> bool {
        let (mut row, mut any) = (Row::new(), false);
        let reached = self.rows.points().iter().chain(self.field.touched());
        let mut reached = reached.filter(|point| self.is_chosen(**point));
        let locked = reached.all(|&point| {
            any = true;
            self.rows.before(&self.canvas, point, &mut row);
            !row.is_empty() && self.rules.room(&row) < super::row::FAINT
        });
        any && locked
    }

    /// Why it healed nothing, as a sentence.
    pub fn overreach(&self) -> Option<&'static str> {
        self.too_much.then_some(
            "Nothing was healed: more than 20,000 points are covered. Heal them bit by bit, or take a smaller radius.",
        )
    }

    /// Whether some vertices alone may be painted, and none of them is reached.
    pub fn spares_all(&self) -> bool {
        !self.chosen.is_empty() && self.rows.points().is_empty() && !self.reaches_chosen()
    }

    fn reaches_chosen(&self) -> bool {
        let mut touched = self.field.touched().iter();
        touched.any(|&point| self.is_chosen(point))
    }

    /// Grows whenever rows are worked out.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// All rows that were painted so far.
    pub fn painted(&self) -> PaintedRows {
        self.rows.painted(&self.canvas)
    }

    /// As [`Self::painted`], into the memory of `painted`.
    pub fn painted_into(&self, painted: &mut PaintedRows) {
        self.rows.painted_into(&self.canvas, painted);
    }
}
