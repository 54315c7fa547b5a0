//! A stroke: what a brush has touched since it came down, and the rows of weights that come of it.

use super::super::VertexWeights;
use super::brush::{Brush, Mode, Reach};
use super::canvas::Canvas;
use super::field::Field;
use super::heal::healed;
use super::mirror::{Image, MirrorMap};
use super::painted::{PaintedRows, Rows};
use super::path::{Contact, Facing};
use super::pull::pull;
use super::row::{Row, Rules};
use glam::{Affine3A, Vec3};
use std::sync::Arc;

/// Between two dabs, as part of the radius.
const DAB: f32 = 0.25;
/// The other side of a stroke.
pub struct Mirrored {
    pub map: Arc<MirrorMap>,
    /// The bone that is painted there.
    pub bone: u16,
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
    /// P: of a gradient, from 0 to 1; else empty.
    graded: Vec<f64>,
    /// P: those that may be painted; empty: all.
    chosen: Vec<bool>,
    rows: Rows,
    /// Of dabs: where the way was last, and how far since the last dab.
    walked: Option<(Vec3, f32)>,
    /// Points that the field has reached since rows were worked out.
    lowered: Vec<u32>,
    changes: u64,
    /// Scratch.
    stale: Vec<u32>,
    row: Row,
}

impl Stroke {
    /// `before`: the weights, in order. `bone`: what a brush of one bone paints. `facing`: `None` paints whichever way the
    /// surface faces.
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
        Self {
            rules,
            brush,
            bone,
            mirrored,
            facing,
            field: Field::new(points, most),
            strengths: Vec::new(),
            graded: Vec::new(),
            chosen: Vec::new(),
            rows: Rows::new(before, points),
            walked: None,
            lowered: Vec::new(),
            changes: 0,
            stale: Vec::new(),
            row: Row::new(),
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
        let place = self.place(first);
        let walked = self.walked.map(|(last, walked)| walked + last.distance(place));
        let dab = walked.is_none_or(|walked| walked >= DAB * self.radius());
        self.walked = Some((place, if dab { 0.0 } else { walked.unwrap_or(0.0) }));
        if dab {
            contacts.iter().for_each(|contact| self.seed(contact, pressure));
            self.dab();
        }
    }

    /// In the bind pose.
    fn place(&self, contact: &Contact) -> Vec3 {
        let points = contact
            .triangle
            .map(|vertex| self.canvas.point_of_vertex[vertex as usize]);
        let corners = points.iter().zip(contact.weights);
        corners
            .map(|(&point, weight)| self.canvas.points[point as usize] * weight)
            .sum()
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
        let smaller = if self.brush.pressure_radius {
            1.0 - pressure
        } else {
            0.0
        };
        let offset = self.canvas.in_units(smaller * self.radius());
        let place = self.place(contact);
        let points = contact
            .triangle
            .map(|vertex| self.canvas.point_of_vertex[vertex as usize]);
        for point in points {
            self.seed_point(point, place, offset, seed);
        }
        if self.brush.reach == Reach::Volume && self.canvas.shells > 1 {
            let own = self.canvas.shell_of_point[points[0] as usize];
            for point in 0..self.canvas.points.len() as u32 {
                if self.canvas.shell_of_point[point as usize] != own {
                    self.seed_point(point, place, offset, seed);
                }
            }
        }
    }

    fn seed_point(&mut self, point: u32, place: Vec3, offset: u32, seed: u32) {
        let distance = self.canvas.points[point as usize].distance(place);
        if distance <= self.radius() {
            self.field
                .seed(point, offset + self.canvas.in_units(distance), seed);
        }
    }

    /// Paints all of these vertices alike, without a way; both sides as they are.
    pub fn fill(&mut self, vertices: impl IntoIterator<Item = u32>) {
        (self.mirrored, self.facing) = (None, None);
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
        let faces = || self.facing.as_ref().map_or(1.0, |facing| facing.at(point));
        if let Some(part) = self.graded.get(point as usize) {
            return f64::from(self.brush.strength) * self.brush.falloff_at(1.0 - part) * faces();
        }
        let Some((distance, seed)) = self.field.at(point) else {
            return 0.0;
        };
        let radius = f64::from(self.canvas.in_units(self.radius()).max(1));
        let faces = faces();
        self.strengths[seed as usize] * self.brush.falloff_at(f64::from(distance) / radius) * faces
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
        if self.brush.dabs() || self.brush.spans() || self.brush.mode == Mode::Heal {
            return;
        }
        self.lowered.clear();
        self.field.spread(&self.canvas, &mut self.lowered);
        let lowered = std::mem::take(&mut self.lowered);
        self.take_in(&lowered);
        self.lowered = lowered;
        self.repaint();
    }

    /// Of a gradient: how much each point is painted, from 0 to 1, whatever it was before.
    pub fn grade(&mut self, part: impl Fn(u32) -> f64) {
        let points = 0..self.canvas.points.len() as u32;
        self.graded = points.clone().map(|point| part(point).clamp(0.0, 1.0)).collect();
        self.stale.clear();
        self.stale.extend(points);
        self.repaint();
    }

    /// Of a brush that pulls: what it touched goes so far from where it was, in the space of the pose.
    pub fn pull(&mut self, skinning: &[Affine3A], by: Vec3) {
        let mut lowered = std::mem::take(&mut self.lowered);
        self.field.spread(&self.canvas, &mut lowered);
        lowered.clear();
        lowered.extend_from_slice(self.field.touched());
        self.changes += lowered.len() as u64;
        let mut row = std::mem::take(&mut self.row);
        for &point in &lowered {
            let (coverage, place) = (self.coverage(point), self.canvas.points[point as usize]);
            self.rows.before(&self.canvas, point, &mut row);
            let by = by.as_dvec3() * coverage;
            let moved = coverage > 0.0 && self.is_chosen(point);
            match moved && pull(&self.rules, skinning, &mut row, place, by) {
                true => self.rows.put(point, &row),
                false => self.rows.take_back(point),
            }
        }
        (self.lowered, self.row) = (lowered, row);
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

    /// A dab: from the rows as they are, all points at once.
    fn dab(&mut self) {
        let mut lowered = std::mem::take(&mut self.lowered);
        lowered.clear();
        self.field.spread(&self.canvas, &mut lowered);
        lowered.clear();
        lowered.extend_from_slice(self.field.touched());
        self.take_in(&lowered);
        self.lowered = lowered;
        let (stale, mut row) = (std::mem::take(&mut self.stale), std::mem::take(&mut self.row));
        self.changes += stale.len() as u64;
        let mut painted: Vec<(u32, Row)> = Vec::with_capacity(stale.len());
        let mut mean = Row::new();
        for &point in &stale {
            self.rows.now(&self.canvas, point, &mut row);
            let done = match self.brush.mode {
                Mode::Smooth => self.smooth(point, &mut row, &mut mean),
                _ => self.paint(point, &mut row),
            };
            if done {
                painted.push((point, row.clone()));
            }
        }
        for (point, row) in &painted {
            self.rows.put(*point, row);
        }
        (self.stale, self.row) = (stale, row);
        self.field.clear();
        self.strengths.clear();
    }

    fn smooth(&self, point: u32, row: &mut Row, mean: &mut Row) -> bool {
        let coverage = self.coverage(point).max(self.coverage_there(point));
        if coverage <= 0.0 || !self.is_chosen(point) {
            return false;
        }
        mean.clear();
        let (mut total, mut next) = (0.0, Row::new());
        for link in self.canvas.edges(point) {
            self.rows.now(&self.canvas, link.to, &mut next);
            if next.is_empty() {
                continue;
            }
            let stiffness = 1.0 / f64::from(link.length);
            total += stiffness;
            for &(bone, weight) in &next {
                match mean.binary_search_by_key(&bone, |(of, _)| *of) {
                    Ok(at) => mean[at].1 += stiffness * weight,
                    Err(at) => mean.insert(at, (bone, stiffness * weight)),
                }
            }
        }
        if total <= 0.0 {
            return false;
        }
        mean.iter_mut().for_each(|(_, weight)| *weight /= total);
        self.rules
            .blend(row, mean, coverage, self.canvas.points[point as usize]);
        true
    }

    /// Paints a row. False where it is not painted.
    fn paint(&self, point: u32, row: &mut Row) -> bool {
        if !self.is_chosen(point) {
            return false;
        }
        let place = self.canvas.points[point as usize];
        let (here, there) = (self.coverage(point), self.coverage_there(point));
        let most = here.max(there);
        if most <= 0.0 {
            return false;
        }
        if self.brush.mode == Mode::Sharpen {
            self.rules.sharpen(row, most, place);
            return true;
        }
        let other = self.mirrored.as_ref().map(|mirrored| mirrored.bone);
        match other.filter(|other| *other != self.bone) {
            None => self.paint_bone(row, (self.bone, most), place),
            Some(other) => self.paint_pair(row, [(self.bone, here), (other, there)], place),
        }
    }

    fn paint_bone(&self, row: &mut Row, (bone, coverage): (u16, f64), place: Vec3) -> bool {
        if self.rules.is_locked(bone) {
            return false;
        }
        let weight = self.brush.painted(weight_of(row, bone), coverage);
        self.rules.set(row, &mut [(bone, weight)], place);
        true
    }

    /// Both sides reach there: as far as both do, at once, so that none comes first; then the one that reaches further.
    fn paint_pair(&self, row: &mut Row, pair: [(u16, f64); 2], place: Vec3) -> bool {
        let free = pair.map(|(bone, coverage)| coverage > 0.0 && !self.rules.is_locked(bone));
        match free {
            [false, false] => return false,
            [true, false] => return self.paint_bone(row, pair[0], place),
            [false, true] => return self.paint_bone(row, pair[1], place),
            [true, true] => {}
        }
        let before = pair.map(|(bone, _)| weight_of(row, bone));
        let common = pair[0].1.min(pair[1].1);
        let mut chosen = [0, 1].map(|i| (pair[i].0, self.brush.painted(before[i], common)));
        self.rules.set(row, &mut chosen, place);
        let ahead = usize::from(pair[1].1 > pair[0].1);
        let (bone, coverage) = pair[ahead];
        if coverage > common {
            let more =
                self.brush.painted(before[ahead], coverage) - self.brush.painted(before[ahead], common);
            let weight = weight_of(row, bone) + more;
            self.rules.set(row, &mut [(bone, weight)], place);
        }
        true
    }

    /// The brush is lifted: what is done once, at the end.
    pub fn finish(&mut self) {
        if self.brush.mode != Mode::Heal {
            return;
        }
        let mut lowered = std::mem::take(&mut self.lowered);
        lowered.clear();
        self.field.spread(&self.canvas, &mut lowered);
        lowered.clear();
        lowered.extend_from_slice(self.field.touched());
        self.take_in(&lowered);
        let mut area = std::mem::take(&mut self.stale);
        area.sort_unstable();
        area.dedup();
        area.retain(|&point| self.is_chosen(point));
        area.retain(|&point| self.coverage(point).max(self.coverage_there(point)) > 0.0);
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
        (self.lowered, self.stale) = (lowered, area);
    }

    /// Grows whenever rows are worked out.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// All rows that were painted so far.
    pub fn painted(&self) -> PaintedRows {
        self.rows.painted(&self.canvas)
    }
}

fn weight_of(row: &Row, bone: u16) -> f64 {
    let at = row.binary_search_by_key(&bone, |(of, _)| *of);
    at.map_or(0.0, |at| row[at].1)
}
