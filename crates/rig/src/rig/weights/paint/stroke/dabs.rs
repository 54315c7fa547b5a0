//! Brushes that paint in dabs: at equal steps along the path and, if they spray, at each clock tick while the
//! pointer rests.

use super::Stroke;
use super::state::DabState;
use crate::rig::weights::paint::brush::Mode;
use crate::rig::weights::paint::field::Touch;
use crate::rig::weights::paint::path::Contact;
use crate::rig::weights::paint::row::Row;

impl Stroke {
    /// Discards the last dab.
    pub(super) fn begin_dab(&mut self) {
        self.field.clear();
        self.strengths.clear();
        self.dabs.contacts.clear();
    }

    pub(super) fn dab_at(&mut self, contacts: &[Contact], pressure: f32) {
        self.begin_dab();
        self.dabs.contacts.extend_from_slice(contacts);
        self.dabs.offset = self.offset(pressure);
        contacts.iter().for_each(|contact| self.seed(contact, pressure));
        self.dab();
    }

    /// Returns the distances from the last dab, if there was one.
    pub(in super::super) fn last_dab(&self) -> Option<Touch<'_>> {
        (!self.dabs.contacts.is_empty()).then_some(Touch {
            field: &self.field,
            contacts: &self.dabs.contacts,
            offset: self.dabs.offset,
        })
    }

    /// Paints a dab, starting from the current rows.
    pub(super) fn dab(&mut self) {
        self.mark_touched_stale();
        self.change_count += self.stale.len() as u64;
        match self.brush.mode {
            Mode::Smooth => self.smooth_all(),
            _ => self.paint_all(),
        }
    }

    /// Paints each row independently.
    fn paint_all(&mut self) {
        let (stale, mut row) = (std::mem::take(&mut self.stale), std::mem::take(&mut self.row));
        for &point in &stale {
            self.rows.read_current(&self.canvas, point, &mut row);
            if self.paint(point, &mut row) {
                self.rows.set(point, &row);
            }
        }
        (self.stale, self.row) = (stale, row);
    }

    /// Smooths all rows at once, since each depends on its neighbours.
    fn smooth_all(&mut self) {
        let (stale, mut row) = (std::mem::take(&mut self.stale), std::mem::take(&mut self.row));
        let mut dabs = std::mem::take(&mut self.dabs);
        let DabState { staged, entries, mean, .. } = &mut dabs;
        staged.clear();
        entries.clear();
        for &point in &stale {
            let coverage = self.coverage(point).max(self.mirrored_coverage(point));
            if coverage <= 0.0 || !self.is_chosen(point) {
                continue;
            }
            self.rows.read_current(&self.canvas, point, &mut row);
            if self.smooth(point, coverage, &mut row, mean) {
                entries.extend_from_slice(&row);
                staged.push((point, entries.len() as u32));
            }
        }
        let mut start = 0;
        for &(point, end) in &*staged {
            self.rows.set(point, &entries[start as usize..end as usize]);
            start = end;
        }
        self.dabs = dabs;
        (self.stale, self.row) = (stale, row);
    }

    /// Blends a row towards the mean of its neighbours; returns false if they have no weights. `mean`:
    /// scratch memory.
    fn smooth(&self, point: u32, coverage: f64, row: &mut Row, mean: &mut Row) -> bool {
        mean.clear();
        let mut total = 0.0;
        for link in self.canvas.edges(point) {
            let stiffness = 1.0 / f64::from(link.length);
            let has_weights = self.rows.for_each_current(&self.canvas, link.to, |bone, weight| {
                match mean.binary_search_by_key(&bone, |(bone, _)| *bone) {
                    Ok(i) => mean[i].1 += stiffness * weight,
                    Err(i) => mean.insert(i, (bone, stiffness * weight)),
                }
            });
            total += if has_weights { stiffness } else { 0.0 };
        }
        if total <= 0.0 {
            return false;
        }
        mean.iter_mut().for_each(|(_, weight)| *weight /= total);
        self.rules.blend(row, mean, coverage, self.canvas.points[point as usize]);
        true
    }
}
