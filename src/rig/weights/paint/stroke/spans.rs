//! Brushes that go by where their way begins and where it ends: gradients, and pulling the skin.

use super::Stroke;
use crate::rig::weights::paint::brush::{Brush, Mode};
use crate::rig::weights::paint::path::Contact;
use crate::rig::weights::paint::pull::pull;
use crate::rig::weights::paint::row::Row;
use glam::{Affine3A, Vec3};

/// Beside its way, a gradient is whole up to this part of the radius.
const WHOLE: f64 = 0.75;

pub(super) struct Spans {
    /// P: of a gradient, how much a point is painted, from 0 to 1; else empty.
    graded: Vec<f64>,
    /// Where that may not be 0.
    points: Vec<u32>,
    /// Of a brush that pulls: of the point that is pulled most, how strongly, and which part of its way the skin went; no
    /// number where no bone moves it.
    reached: Option<(f64, f64)>,
    scratch: Row,
}

impl Spans {
    pub(super) fn new(brush: &Brush, points: usize) -> Self {
        let points = if brush.mode == Mode::Gradient { points } else { 0 };
        Self {
            graded: vec![0.0; points],
            points: Vec::with_capacity(points),
            reached: None,
            scratch: Row::with_capacity(64),
        }
    }

    pub(super) fn graded(&self, point: u32) -> Option<f64> {
        self.graded.get(point as usize).copied()
    }
}

/// From 1 near the way to 0 at the rim. `part`: of the radius.
fn beside(part: f64) -> f64 {
    let left = ((1.0 - part) / (1.0 - WHOLE)).clamp(0.0, 1.0);
    left * left * (3.0 - 2.0 * left)
}

impl Stroke {
    /// A gradient begins anew: what it touches comes next.
    pub fn begin_grade(&mut self) {
        self.field.clear();
        self.strengths.clear();
    }

    /// A gradient goes over a place; it reaches from there as far as its radius.
    pub fn grade_at(&mut self, contacts: &[Contact]) {
        contacts.iter().for_each(|contact| self.seed(contact, 1.0));
    }

    /// Of a gradient: how far each point is on the way back from its end, below 0 and above 1 beyond that; whatever it was
    /// before. Where some vertices alone are painted, all of them are; else those in the radius.
    pub fn grade(&mut self, part: impl Fn(u32) -> f64) {
        let mut lowered = std::mem::take(&mut self.lowered);
        lowered.clear();
        self.field.spread(&self.canvas, &mut lowered);
        // What was painted before is out of date too.
        lowered.clear();
        lowered.append(&mut self.spans.points);
        lowered
            .iter()
            .for_each(|&point| self.spans.graded[point as usize] = 0.0);
        let radius = f64::from(self.canvas.in_units(self.radius()).max(1));
        let mut points = std::mem::take(&mut self.spans.points);
        if self.chosen.is_empty() {
            points.extend_from_slice(self.field.touched());
        } else {
            let all = 0..self.canvas.points.len() as u32;
            points.extend(all.filter(|&point| self.chosen[point as usize]));
        }
        for &point in &points {
            let width = match self.field.at(point) {
                _ if !self.chosen.is_empty() => 1.0,
                Some((distance, _)) => beside(f64::from(distance) / radius),
                None => 0.0,
            };
            let along = part(point).clamp(0.0, 1.0);
            self.spans.graded[point as usize] = width * self.brush.falloff_at(1.0 - along);
        }
        lowered.extend_from_slice(&points);
        self.spans.points = points;
        lowered.sort_unstable();
        lowered.dedup();
        self.take_in(&lowered);
        self.lowered = lowered;
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
        let mut scratch = std::mem::take(&mut self.spans.scratch);
        self.spans.reached = None;
        for &point in &lowered {
            let (coverage, place) = (self.coverage(point), self.canvas.points[point as usize]);
            if coverage <= 0.0 || !self.is_chosen(point) {
                self.rows.take_back(point);
                continue;
            }
            self.rows.before(&self.canvas, point, &mut row);
            let by = by.as_dvec3() * coverage;
            let went = pull(&self.rules, skinning, (&mut row, &mut scratch), place, by);
            match went {
                Some(_) => self.rows.put(point, &row),
                None => self.rows.take_back(point),
            }
            if self.spans.reached.is_none_or(|(most, _)| coverage > most) {
                self.spans.reached = Some((coverage, went.unwrap_or(f64::NAN)));
            }
        }
        (self.lowered, self.row, self.spans.scratch) = (lowered, row, scratch);
    }

    /// Of a brush that pulls: which part of its way the skin went where it is pulled most, not above 1; no number where no
    /// bone moves it. `None` where nothing is pulled.
    pub fn reached(&self) -> Option<f64> {
        self.spans.reached.map(|(_, part)| part)
    }
}
