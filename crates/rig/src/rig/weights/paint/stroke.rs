//! A brush stroke: everything touched since the pen went down, and the resulting rows of weights.

mod dabs;
mod endpoints;
mod one_row;
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
use state::{DabState, EndpointState};
use std::sync::Arc;

/// The initial capacity for seeds.
const SEEDS: usize = 1 << 14;

/// The mirrored side of a stroke.
pub struct Mirrored {
    pub map: Arc<MirrorMap>,
    /// The bone that is painted on the other side.
    pub bone: u16,
    /// The counterpart of each bone on the other side.
    pub others: Vec<Option<usize>>,
}

/// A brush stroke in progress.
pub struct Stroke {
    canvas: Arc<Canvas>,
    rules: Rules,
    brush: Brush,
    bone: u16,
    mirrored: Option<Mirrored>,
    facing: Option<Facing>,
    field: Field,
    /// The strength of each seed, from 0 to 1.
    strengths: Vec<f64>,
    endpoints: EndpointState,
    /// P: whether a point may be painted; empty if all may.
    chosen: Vec<bool>,
    rows: Rows,
    dabs: DabState,
    /// Points whose distance has changed since the last update.
    lowered: Vec<u32>,
    change_count: u64,
    /// Whether the covered area is too large to heal at once.
    is_area_too_large: bool,
    /// Points whose rows are out of date.
    stale: Vec<u32>,
    /// Scratch memory.
    row: Row,
}

impl Stroke {
    /// Starts a stroke. Allocates all memory that painting the whole surface may need.
    ///
    /// `before`: valid weights. `bone`: the bone for brushes that paint one. `facing`: `None` paints
    /// regardless of the surface's orientation.
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
        let field = if brush.uses_dabs() {
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
            endpoints: EndpointState::new(&brush, points),
            chosen: Vec::new(),
            rows: Rows::new(before, points),
            dabs: DabState::new(&brush, points),
            lowered: Vec::with_capacity(points),
            change_count: 0,
            is_area_too_large: false,
            // Including mirror images.
            stale: Vec::with_capacity(2 * points),
            row: Row::with_capacity(64),
            canvas,
        }
    }

    /// Restricts painting to `vertices`.
    pub fn restrict_to(&mut self, vertices: &[u32]) {
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

    /// The radius in the bind pose, in mesh units.
    pub fn radius(&self) -> f32 {
        self.brush.radius * self.canvas.size
    }

    /// Touches the surface at one contact or several behind each other. `pressure`: from 0 to 1.
    pub fn touch(&mut self, contacts: &[Contact], pressure: f32) {
        let Some(first) = contacts.first() else { return };
        if !self.brush.uses_dabs() {
            contacts.iter().for_each(|contact| self.seed(contact, pressure));
            return;
        }
        let position = self.canvas.position(first);
        if self.dabs.is_due(position, self.radius()) {
            self.dab_at(contacts, pressure);
        }
    }

    /// Rests for a clock tick: a spraying brush keeps painting.
    pub fn rest(&mut self, contacts: &[Contact], pressure: f32) {
        if self.brush.sprays() && !contacts.is_empty() {
            self.dab_at(contacts, pressure);
        }
    }

    fn seed(&mut self, contact: &Contact, pressure: f32) {
        let pressure = pressure.clamp(0.0, 1.0);
        let seed = self.strengths.len() as u32;
        let scale = if self.brush.pressure_strength { pressure } else { 1.0 };
        self.strengths.push(f64::from(self.brush.strength * scale));
        let offset = self.offset(pressure);
        let (brush, radius) = (self.brush, self.radius());
        let add_seed = |point, distance| self.field.seed(point, offset + distance, seed);
        self.canvas.for_each_seed(contact, brush.reach, radius, add_seed);
    }

    /// Returns the distance at which seeds start, in units: a brush with less pressure is smaller.
    fn offset(&self, pressure: f32) -> u32 {
        let reduction = if self.brush.pressure_radius { 1.0 - pressure.clamp(0.0, 1.0) } else { 0.0 };
        self.canvas.in_units(reduction * self.radius())
    }

    /// Paints all `vertices` equally, without a path and without mirroring.
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
        if self.brush.uses_dabs() {
            self.dab()
        } else {
            self.stale.extend_from_slice(self.field.touched());
            self.repaint();
        }
        self.finish();
    }

    /// Returns how strongly a point is painted, from 0 to 1.
    fn coverage(&self, point: u32) -> f64 {
        if let Some(gradient) = self.endpoints.gradient(point) {
            return f64::from(self.brush.strength) * gradient * self.facing_factor(point);
        }
        let Some((distance, seed)) = self.field.at(point) else {
            return 0.0;
        };
        let radius = f64::from(self.canvas.in_units(self.radius()).max(1));
        let part = f64::from(distance) / radius;
        self.strengths[seed as usize] * self.brush.falloff_at(part) * self.facing_factor(point)
    }

    /// Returns 0 for points that face away from the viewer, if that matters.
    fn facing_factor(&self, point: u32) -> f64 {
        self.facing.as_ref().map_or(1.0, |facing| facing.factor(point))
    }

    /// Returns how strongly the mirror image of a point is painted.
    fn mirrored_coverage(&self, point: u32) -> f64 {
        let Some(Mirrored { map, .. }) = &self.mirrored else {
            return 0.0;
        };
        match map.images[point as usize] {
            Image::Point(image) => self.coverage(image),
            Image::Between(corners, weights) => {
                let corners = corners.iter().zip(weights);
                corners.map(|(&corner, weight)| self.coverage(corner) * f64::from(weight)).sum()
            }
            Image::Nowhere => 0.0,
        }
    }

    /// Recalculates the rows of everything touched since the last update.
    pub fn update(&mut self) {
        if self.brush.uses_dabs() || self.brush.uses_endpoints() {
            return;
        }
        self.lowered.clear();
        self.field.spread(&self.canvas, &mut self.lowered);
        if self.brush.mode == Mode::Heal {
            return;
        }
        let lowered = std::mem::take(&mut self.lowered);
        self.mark_stale(&lowered);
        self.lowered = lowered;
        self.repaint();
    }

    /// Marks points and their mirror images as stale, each once.
    fn mark_stale(&mut self, points: &[u32]) {
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

    /// Marks everything that the field reaches, and its mirror image, as stale.
    fn mark_touched_stale(&mut self) {
        let mut lowered = std::mem::take(&mut self.lowered);
        self.field.spread(&self.canvas, &mut lowered);
        lowered.clear();
        lowered.extend_from_slice(self.field.touched());
        self.mark_stale(&lowered);
        self.lowered = lowered;
    }

    /// Repaints stale points, starting from the rows before the stroke.
    fn repaint(&mut self) {
        self.change_count += self.stale.len() as u64;
        let (stale, mut row) = (std::mem::take(&mut self.stale), std::mem::take(&mut self.row));
        for &point in &stale {
            self.rows.read_original(&self.canvas, point, &mut row);
            if self.paint(point, &mut row) { self.rows.set(point, &row) } else { self.rows.revert(point) }
        }
        (self.stale, self.row) = (stale, row);
    }

    /// Ends the stroke when the brush is lifted; [`Mode::Heal`] does all of its work here.
    pub fn finish(&mut self) {
        if self.brush.mode != Mode::Heal {
            return;
        }
        self.mark_touched_stale();
        let mut area = std::mem::take(&mut self.stale);
        area.sort_unstable();
        area.dedup();
        area.retain(|&point| self.is_chosen(point));
        area.retain(|&point| self.coverage(point).max(self.mirrored_coverage(point)) > 0.0);
        self.is_area_too_large = area.len() > heal::MOST;
        if self.is_area_too_large {
            area.clear();
        }
        let original = |point: u32| {
            let mut row = Row::new();
            self.rows.read_original(&self.canvas, point, &mut row);
            row
        };
        let healed = healed(&self.canvas, &area, original);
        for (&point, mean) in area.iter().zip(&healed) {
            let mut row = Row::new();
            self.rows.read_original(&self.canvas, point, &mut row);
            let position = self.canvas.points[point as usize];
            self.rules.blend(&mut row, mean, f64::from(self.brush.strength), position);
            self.rows.set(point, &row);
        }
        self.stale = area;
    }

    /// Whether the stroke reached any points, all of which belong entirely to locked bones.
    pub fn all_locked(&self) -> bool {
        let (mut row, mut any) = (Row::new(), false);
        let reached = self.rows.points().iter().chain(self.field.touched());
        let mut reached = reached.filter(|point| self.is_chosen(**point));
        let locked = reached.all(|&point| {
            any = true;
            self.rows.read_original(&self.canvas, point, &mut row);
            !row.is_empty() && self.rules.available_weight(&row) < super::row::FAINT
        });
        any && locked
    }

    /// Returns the reason why nothing was healed, as a sentence, if the area was too large.
    pub fn overreach(&self) -> Option<&'static str> {
        self.is_area_too_large.then_some(
            "Nothing was healed: more than 20,000 points are covered. Heal them bit by bit, or take a smaller radius.",
        )
    }

    /// Whether painting is restricted to some vertices and reached none of them.
    pub fn misses_chosen(&self) -> bool {
        !self.chosen.is_empty() && self.rows.points().is_empty() && !self.reaches_chosen()
    }

    fn reaches_chosen(&self) -> bool {
        let mut touched = self.field.touched().iter();
        touched.any(|&point| self.is_chosen(point))
    }

    /// A counter that grows whenever rows are recalculated.
    pub fn change_count(&self) -> u64 {
        self.change_count
    }

    /// Returns all rows painted so far.
    pub fn painted(&self) -> PaintedRows {
        self.rows.painted(&self.canvas)
    }
}
