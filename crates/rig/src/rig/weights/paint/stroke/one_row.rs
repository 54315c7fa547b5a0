//! Paints the row of a single point, for brushes that paint one bone or sharpen.

use super::Stroke;
use crate::rig::weights::paint::brush::Mode;
use crate::rig::weights::paint::row::Row;
use glam::Vec3;

impl Stroke {
    /// Paints a row. Returns false if the point is not painted.
    pub(super) fn paint(&self, point: u32, row: &mut Row) -> bool {
        if !self.is_chosen(point) {
            return false;
        }
        let position = self.canvas.points[point as usize];
        let (direct, mirrored) = (self.coverage(point), self.mirrored_coverage(point));
        let most = direct.max(mirrored);
        if most <= 0.0 {
            return false;
        }
        if self.brush.mode == Mode::Sharpen {
            self.rules.sharpen(row, most, position);
            return true;
        }
        let other = self.mirrored.as_ref().map(|mirrored| mirrored.bone);
        match other.filter(|other| *other != self.bone) {
            None => self.paint_bone(row, (self.bone, most), position),
            Some(other) => self.paint_pair(row, [(self.bone, direct), (other, mirrored)], position),
        }
    }

    fn paint_bone(&self, row: &mut Row, (bone, coverage): (u16, f64), position: Vec3) -> bool {
        if self.rules.is_locked(bone) {
            return false;
        }
        let weight = self.brush.painted(weight_of(row, bone), coverage);
        self.rules.set(row, &mut [(bone, weight)], position);
        true
    }

    /// Paints a point that both sides may reach: first both bones at once with their common coverage, so that
    /// neither takes precedence, then the bone with the larger coverage.
    fn paint_pair(&self, row: &mut Row, pair: [(u16, f64); 2], position: Vec3) -> bool {
        let free = pair.map(|(bone, coverage)| coverage > 0.0 && !self.rules.is_locked(bone));
        match free {
            [false, false] => return false,
            [true, false] => return self.paint_bone(row, pair[0], position),
            [false, true] => return self.paint_bone(row, pair[1], position),
            [true, true] => {}
        }
        let before = pair.map(|(bone, _)| weight_of(row, bone));
        let common = pair[0].1.min(pair[1].1);
        let mut chosen = [0, 1].map(|i| (pair[i].0, self.brush.painted(before[i], common)));
        self.rules.set(row, &mut chosen, position);
        let ahead = usize::from(pair[1].1 > pair[0].1);
        let (bone, coverage) = pair[ahead];
        if coverage > common {
            let increase =
                self.brush.painted(before[ahead], coverage) - self.brush.painted(before[ahead], common);
            let weight = weight_of(row, bone) + increase;
            self.rules.set(row, &mut [(bone, weight)], position);
        }
        true
    }
}

fn weight_of(row: &Row, bone: u16) -> f64 {
    let found = row.binary_search_by_key(&bone, |(b, _)| *b);
    found.map_or(0.0, |i| row[i].1)
}
