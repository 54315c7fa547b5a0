//! Brushes that depend only on the endpoints of their path: gradients and pulling the skin.

use super::state::EndpointState;
use super::{Mirrored, Stroke};
use crate::rig::weights::paint::mirror::Image;
use crate::rig::weights::paint::path::Contact;
use crate::rig::weights::paint::pull::pull;
use crate::rig::weights::paint::row::Row;
use glam::{Affine3A, Vec3};

/// The fraction of the radius up to which a gradient has its full strength.
const FULL_STRENGTH: f64 = 0.75;

/// Returns the strength of a gradient at a distance from its path, from 1 to 0 at the rim. `part`: the
/// distance as a fraction of the radius.
fn gradient_width(part: f64) -> f64 {
    let left = ((1.0 - part) / (1.0 - FULL_STRENGTH)).clamp(0.0, 1.0);
    left * left * (3.0 - 2.0 * left)
}

impl Stroke {
    /// Restarts a gradient; its contacts follow.
    pub fn begin_gradient(&mut self) {
        self.field.clear();
        self.strengths.clear();
    }

    /// Adds contacts along the path of a gradient, from which its radius extends.
    pub fn add_gradient_contacts(&mut self, contacts: &[Contact]) {
        contacts.iter().for_each(|contact| self.seed(contact, 1.0));
    }

    /// Paints the gradient from its contacts, replacing its previous state. `part` returns the position of a
    /// point along the path, from 0 at its end to 1 at its start; it may be beyond both. If painting is
    /// restricted to some vertices, all of them are painted, else those within the radius.
    pub fn apply_gradient(&mut self, part: impl Fn(u32) -> f64) {
        let mut lowered = std::mem::take(&mut self.lowered);
        lowered.clear();
        self.field.spread(&self.canvas, &mut lowered);
        // Points that were painted before are out of date too.
        lowered.clear();
        lowered.append(&mut self.endpoints.points);
        lowered.iter().for_each(|&point| self.endpoints.gradient[point as usize] = 0.0);
        let radius = f64::from(self.canvas.in_units(self.radius()).max(1));
        let mut points = std::mem::take(&mut self.endpoints.points);
        if self.chosen.is_empty() {
            points.extend_from_slice(self.field.touched());
        } else {
            let all = 0..self.canvas.points.len() as u32;
            points.extend(all.filter(|&point| self.chosen[point as usize]));
        }
        for &point in &points {
            let width = match self.field.at(point) {
                _ if !self.chosen.is_empty() => 1.0,
                Some((distance, _)) => gradient_width(f64::from(distance) / radius),
                None => 0.0,
            };
            let along = part(point).clamp(0.0, 1.0);
            self.endpoints.gradient[point as usize] = width * self.brush.falloff_at(1.0 - along);
        }
        lowered.extend_from_slice(&points);
        self.endpoints.points = points;
        lowered.sort_unstable();
        lowered.dedup();
        self.mark_stale(&lowered);
        self.lowered = lowered;
        self.repaint();
    }

    /// Pulls everything touched by an offset in the space of the pose.
    pub fn pull(&mut self, skinning: &[Affine3A], offset: Vec3) {
        let mut lowered = std::mem::take(&mut self.lowered);
        self.field.spread(&self.canvas, &mut lowered);
        lowered.clear();
        lowered.extend_from_slice(self.field.touched());
        self.change_count += lowered.len() as u64;
        let mut row = std::mem::take(&mut self.row);
        let mut scratch = std::mem::take(&mut self.endpoints.scratch);
        self.endpoints.strongest_pull = None;
        for &point in &lowered {
            let (coverage, position) = (self.coverage(point), self.canvas.points[point as usize]);
            if coverage <= 0.0 || !self.is_chosen(point) {
                self.rows.revert(point);
                continue;
            }
            self.rows.read_original(&self.canvas, point, &mut row);
            let offset = offset.as_dvec3() * coverage;
            let moved = pull(&self.rules, skinning, (&mut row, &mut scratch), position, offset);
            match moved {
                Some(_) => self.rows.set(point, &row),
                None => self.rows.revert(point),
            }
            let strongest = &mut self.endpoints.strongest_pull;
            if strongest.is_none_or(|(most, _)| coverage > most) {
                *strongest = Some((coverage, moved.unwrap_or(f64::NAN)));
            }
        }
        (self.row, self.endpoints.scratch) = (row, scratch);
        if self.mirrored.is_some() {
            self.mark_stale(&lowered);
            self.mirror_pull();
        }
        self.lowered = lowered;
    }

    /// Applies the changes of the pulled rows to the other side, bone by bone, whatever its pose is. Points
    /// in the middle get the changes of both sides.
    fn mirror_pull(&mut self) {
        let mut row = std::mem::take(&mut self.row);
        let mut state = std::mem::take(&mut self.endpoints);
        state.staged.clear();
        state.entries.clear();
        let is_pulled = |point: u32| self.is_chosen(point) && self.coverage(point) > 0.0;
        for &point in self.stale.iter().filter(|point| self.is_chosen(**point)) {
            if is_pulled(point) {
                self.rows.read_current(&self.canvas, point, &mut row)
            } else {
                self.rows.read_original(&self.canvas, point, &mut row)
            }
            let is_changed = self.add_mirrored_changes(point, &mut row, &mut state, is_pulled);
            if is_changed {
                row.retain(|(_, weight)| *weight > 0.0);
                self.rules.normalize(&mut row, self.canvas.points[point as usize]);
                state.entries.extend_from_slice(&row);
            }
            if is_changed || !is_pulled(point) {
                state.staged.push((point, state.entries.len() as u32));
            }
        }
        let mut start = 0;
        for &(point, end) in &state.staged {
            match &state.entries[start as usize..end as usize] {
                [] => self.rows.revert(point),
                row => self.rows.set(point, row),
            }
            start = end;
        }
        (self.row, self.endpoints) = (row, state);
    }

    /// Adds the changes of a point's mirror image to its row, from each bone to its counterpart. Returns
    /// false if nothing changed or a bone has no counterpart.
    fn add_mirrored_changes(
        &self,
        point: u32,
        row: &mut Row,
        state: &mut EndpointState,
        is_pulled: impl Fn(u32) -> bool,
    ) -> bool {
        let Some(Mirrored { map, others, .. }) = &self.mirrored else {
            return false;
        };
        let (corners, parts) = match map.images[point as usize] {
            Image::Point(image) => ([image; 3], [1.0, 0.0, 0.0]),
            Image::Between(corners, parts) => (corners, parts),
            Image::Nowhere => return false,
        };
        let mut is_changed = false;
        let corners = corners.into_iter().zip(parts);
        for (corner, part) in corners.filter(|(corner, part)| *part > 0.0 && is_pulled(*corner)) {
            self.rows.read_original(&self.canvas, corner, &mut state.scratch);
            self.rows.read_current(&self.canvas, corner, &mut state.current);
            if state.scratch == state.current {
                continue;
            }
            let before = state.scratch.iter().map(|&(bone, weight)| (bone, -weight));
            for (bone, change) in before.chain(state.current.iter().copied()) {
                let Some(other) = others.get(usize::from(bone)).copied().flatten() else {
                    return false;
                };
                let (other, change) = (other as u16, change * f64::from(part));
                if self.rules.is_locked(other) {
                    continue;
                }
                is_changed = true;
                match row.binary_search_by_key(&other, |(bone, _)| *bone) {
                    Ok(i) => row[i].1 += change,
                    Err(i) => row.insert(i, (other, change)),
                }
            }
        }
        is_changed
    }

    /// Returns the fraction of the pulled offset that the skin moved at the most strongly pulled point, at
    /// most 1; NaN if no bone moves it. `None` if nothing is pulled.
    pub fn pulled_fraction(&self) -> Option<f64> {
        self.endpoints.strongest_pull.map(|(_, part)| part)
    }
}
