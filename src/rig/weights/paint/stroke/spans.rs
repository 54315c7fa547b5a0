//! Brushes that go by where their way begins and where it ends: gradients, and pulling the skin.

use super::state::Spans;
use super::{Mirrored, Stroke};
use crate::rig::weights::paint::mirror::Image;
use crate::rig::weights::paint::path::Contact;
use crate::rig::weights::paint::pull::pull;
use crate::rig::weights::paint::row::Row;
use glam::{Affine3A, Vec3};

/// Beside its way, a gradient is whole up to this part of the radius.
const WHOLE: f64 = 0.75;

/// From 1 near the way to 0 at the rim. `part`: of the radius.
fn beside(part: f64) -> f64 {
    let left = ((1.0 - part) / (1.0 - WHOLE)).clamp(0.0, 1.0);
    left * left * (3.0 - 2.0 * left)
}

impl Stroke {
    /// A gradient begins again: what it touches comes next.
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
        (self.row, self.spans.scratch) = (row, scratch);
        if self.mirrored.is_some() {
            self.take_in(&lowered);
            self.pull_other_side();
        }
        self.lowered = lowered;
    }

    /// Rows on the other side change as those change that were pulled, bone for bone: whatever the pose is there. Points in
    /// the middle change by both.
    fn pull_other_side(&mut self) {
        let mut row = std::mem::take(&mut self.row);
        let mut spans = std::mem::take(&mut self.spans);
        spans.staged.clear();
        spans.entries.clear();
        let is_pulled = |point: u32| self.is_chosen(point) && self.coverage(point) > 0.0;
        for &point in self.stale.iter().filter(|point| self.is_chosen(**point)) {
            match is_pulled(point) {
                true => self.rows.now(&self.canvas, point, &mut row),
                false => self.rows.before(&self.canvas, point, &mut row),
            }
            let is_changed = self.add_changes_there(point, &mut row, &mut spans, is_pulled);
            if is_changed {
                row.retain(|(_, weight)| *weight > 0.0);
                self.rules.normalize(&mut row, self.canvas.points[point as usize]);
                spans.entries.extend_from_slice(&row);
            }
            if is_changed || !is_pulled(point) {
                spans.staged.push((point, spans.entries.len() as u32));
            }
        }
        let mut start = 0;
        for &(point, end) in &spans.staged {
            match &spans.entries[start as usize..end as usize] {
                [] => self.rows.take_back(point),
                row => self.rows.put(point, row),
            }
            start = end;
        }
        (self.row, self.spans) = (row, spans);
    }

    /// Adds to the row of a point what the row on its other side has changed by, from each bone to its other side. False
    /// where that is nothing, or a bone has no other side.
    fn add_changes_there(
        &self,
        point: u32,
        row: &mut Row,
        spans: &mut Spans,
        is_pulled: impl Fn(u32) -> bool,
    ) -> bool {
        let Some(Mirrored { map, others, .. }) = &self.mirrored else {
            return false;
        };
        let (of, parts) = match map.images[point as usize] {
            Image::Point(of) => ([of; 3], [1.0, 0.0, 0.0]),
            Image::Between(of, parts) => (of, parts),
            Image::Nowhere => return false,
        };
        let mut is_changed = false;
        let pulled = of.into_iter().zip(parts);
        for (of, part) in pulled.filter(|(of, part)| *part > 0.0 && is_pulled(*of)) {
            self.rows.before(&self.canvas, of, &mut spans.scratch);
            self.rows.now(&self.canvas, of, &mut spans.other);
            if spans.scratch == spans.other {
                continue;
            }
            let before = spans.scratch.iter().map(|&(bone, weight)| (bone, -weight));
            for (bone, change) in before.chain(spans.other.iter().copied()) {
                let Some(other) = others.get(usize::from(bone)).copied().flatten() else {
                    return false;
                };
                let (other, change) = (other as u16, change * f64::from(part));
                if self.rules.is_locked(other) {
                    continue;
                }
                is_changed = true;
                match row.binary_search_by_key(&other, |(of, _)| *of) {
                    Ok(at) => row[at].1 += change,
                    Err(at) => row.insert(at, (other, change)),
                }
            }
        }
        is_changed
    }

    /// Of a brush that pulls: which part of its way the skin went where it is pulled most, not above 1; no number where no
    /// bone moves it. `None` where nothing is pulled.
    pub fn reached(&self) -> Option<f64> {
        self.spans.reached.map(|(_, part)| part)
    }
}
