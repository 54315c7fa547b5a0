//! What a stroke makes of the row of one point, for a brush of one bone or one that sharpens.

use super::Stroke;
use crate::rig::weights::paint::brush::Mode;
use crate::rig::weights::paint::row::Row;
use glam::Vec3;

impl Stroke {
    /// Paints a row. False where it is not painted.
    pub(super) fn paint(&self, point: u32, row: &mut Row) -> bool {
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
}

fn weight_of(row: &Row, bone: u16) -> f64 {
    let at = row.binary_search_by_key(&bone, |(of, _)| *of);
    at.map_or(0.0, |at| row[at].1)
}
