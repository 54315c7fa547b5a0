//! What painting does to the row of a vertex. Rows always sum to 1, and what locked bones have stays, bit for bit.

use super::super::heat::largest::keep_largest;
use super::super::segments::Segment;
use crate::rig::kinematics::{parent_of, parent_past_links};
use crate::rig::skeleton::Skeleton;
use glam::Vec3;

/// Bones, ascending, with their weights.
pub type Row = Vec<(u16, f64)>;

/// Smaller weights are none.
pub const FAINT: f64 = 1e-4;

/// What of a skeleton painting goes by.
pub struct Rules {
    locked: Vec<bool>,
    /// Per bone, the nearest ancestor that is not locked and no link.
    heirs: Vec<Option<u16>>,
    parents: Vec<Option<usize>>,
    segments: Vec<Segment>,
    /// Per bone, those that start where it ends, or end where it starts, without links.
    next_to: Vec<Vec<u16>>,
    /// Bones that move a vertex; 0: as many as there are.
    pub most: usize,
}

impl Rules {
    /// `most`: bones that move a vertex; 0: as many as there are.
    pub fn new(skeleton: &Skeleton, most: usize) -> Self {
        let locked: Vec<bool> = skeleton.bones.iter().map(|bone| bone.lock_weights).collect();
        let count = locked.len().min(usize::from(u16::MAX) + 1);
        let heir = |bone: usize| {
            let mut above = std::iter::successors(parent_past_links(skeleton, bone), |&bone| {
                parent_past_links(skeleton, bone)
            });
            above
                .find(|&bone| !locked[bone] && bone < count)
                .map(|bone| bone as u16)
        };
        let mut next_to = vec![Vec::new(); count];
        for bone in skeleton.shown_bones().take_while(|bone| *bone < count) {
            if let Some(parent) = parent_past_links(skeleton, bone).filter(|parent| *parent < count) {
                next_to[bone].insert(0, parent as u16);
                next_to[parent].push(bone as u16);
            }
        }
        Self {
            next_to,
            heirs: (0..count).map(heir).collect(),
            parents: (0..skeleton.bones.len())
                .map(|bone| parent_of(skeleton, bone))
                .collect(),
            segments: Segment::all(skeleton),
            locked,
            most,
        }
    }

    pub fn is_locked(&self, bone: u16) -> bool {
        self.locked.get(usize::from(bone)).copied().unwrap_or(false)
    }

    /// Its parent, if any, first, then its children.
    pub fn next_to(&self, bone: u16) -> &[u16] {
        self.next_to.get(usize::from(bone)).map_or(&[], Vec::as_slice)
    }

    /// What is left to bones that are not locked.
    pub fn room(&self, row: &Row) -> f64 {
        let locked = row.iter().filter(|(bone, _)| self.is_locked(*bone));
        (1.0 - locked.map(|(_, weight)| weight).sum::<f64>()).max(0.0)
    }

    /// Who gets what `bones` leave over where nobody else has anything: an ancestor, else the nearest bone, at `place`
    /// in the bind pose.
    fn heir(&self, bones: &[(u16, f64)], place: Vec3) -> Option<u16> {
        let is_free = |bone: u16| !self.is_locked(bone) && bones.iter().all(|(of, _)| *of != bone);
        let above = bones
            .iter()
            .filter_map(|(bone, _)| self.heirs.get(usize::from(*bone)).copied().flatten());
        above.into_iter().find(|bone| is_free(*bone)).or_else(|| {
            let all = self
                .segments
                .iter()
                .enumerate()
                .filter(|(_, segment)| !segment.link);
            let free = all.filter(|(bone, _)| is_free(*bone as u16));
            let near = free.map(|(bone, segment)| (bone as u16, segment.distance(place.as_dvec3())));
            near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(bone, _)| bone)
        })
    }

    /// Gives `chosen` bones, which are not locked, these weights as far as there is room, and the others what is
    /// left, in proportion to what they have. `place`: of the vertex in the bind pose.
    pub fn set(&self, row: &mut Row, chosen: &mut [(u16, f64)], place: Vec3) {
        let room = self.room(row);
        for (_, weight) in chosen.iter_mut() {
            *weight = weight.clamp(0.0, room);
            if *weight < FAINT {
                *weight = 0.0;
            }
        }
        let sum: f64 = chosen.iter().map(|(_, weight)| weight).sum();
        if row.is_empty() && sum == 0.0 {
            return;
        }
        if sum > room {
            chosen.iter_mut().for_each(|(_, weight)| *weight *= room / sum);
        }
        let taken = sum.min(room);
        let is_chosen = |bone: u16| chosen.iter().any(|(of, _)| *of == bone);
        let is_other = |bone: u16| !is_chosen(bone) && !self.is_locked(bone);
        let rest = room - taken;
        let had: f64 = row
            .iter()
            .filter(|(bone, _)| is_other(*bone))
            .map(|(_, weight)| weight)
            .sum();
        row.retain(|(bone, _)| !is_chosen(*bone));
        if had > 0.0 {
            let scale = rest / had;
            let others = row.iter_mut().filter(|(bone, _)| is_other(*bone));
            others.for_each(|(_, weight)| *weight *= scale);
        }
        row.extend(chosen.iter().filter(|(_, weight)| *weight > 0.0));
        row.sort_unstable_by_key(|(bone, _)| *bone);
        self.settle(row, chosen, rest, place);
    }

    /// Drops what is faint among the bones that are neither locked nor `chosen`, which then have `rest`; and then, of all
    /// that are not locked, those that are too many.
    fn settle(&self, row: &mut Row, chosen: &[(u16, f64)], rest: f64, place: Vec3) {
        let is_other = |bone: u16| !self.is_locked(bone) && chosen.iter().all(|(of, _)| *of != bone);
        row.retain(|(bone, weight)| !is_other(*bone) || *weight >= FAINT);
        let left = row.iter().filter(|(bone, _)| is_other(*bone));
        let sum: f64 = left.map(|(_, weight)| weight).sum();
        if sum > 0.0 {
            let others = row.iter_mut().filter(|(bone, _)| is_other(*bone));
            others.for_each(|(_, weight)| *weight *= rest / sum);
        } else if rest > 0.0 {
            let has = |row: &Row, bone: u16| row.iter().position(|(of, _)| *of == bone);
            // What was too faint goes to those that are painted; else somebody has to have it.
            let mine: f64 = chosen.iter().map(|(_, weight)| weight).sum();
            let faint = mine > 0.0 && rest < FAINT * 8.0;
            let heir = if faint { None } else { self.heir(chosen, place) };
            if let Some(bone) = heir.or(chosen.first().map(|(bone, _)| *bone)) {
                match has(row, bone) {
                    Some(at) => row[at].1 += rest,
                    None => {
                        row.push((bone, rest));
                        row.sort_unstable_by_key(|(bone, _)| *bone);
                    }
                }
            }
        }
        self.limit(row);
    }

    /// Keeps as many bones as may move a vertex: the locked ones, and of the others the largest, painted or not. A bone
    /// with next to nothing changes next to nothing.
    fn limit(&self, row: &mut Row) {
        if self.most == 0 || row.len() <= self.most {
            return;
        }
        let room = self.room(row);
        // Those that are not locked first.
        row.sort_unstable_by_key(|(bone, _)| (self.is_locked(*bone), *bone));
        let free = row.iter().filter(|(bone, _)| !self.is_locked(*bone)).count();
        let locked = row.len() - free;
        let most = row[..free].iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
        let places = self.most.saturating_sub(locked).max(1);
        if free > places {
            keep_largest(row, free, places, &self.parents);
        } else {
            row.rotate_left(free);
        }
        // The last of those that are kept falls to nothing as it gives way to another.
        row.retain(|(bone, weight)| self.is_locked(*bone) || *weight >= FAINT);
        let sum: f64 = row[locked..].iter().map(|(_, weight)| weight).sum();
        match sum > 0.0 {
            true => row[locked..]
                .iter_mut()
                .for_each(|(_, weight)| *weight *= room / sum),
            false => {
                row.truncate(locked);
                row.extend(most.map(|(bone, _)| (bone, room)));
            }
        }
        row.sort_unstable_by_key(|(bone, _)| *bone);
    }

    /// Scales what is not locked to the room that there is.
    pub fn normalize(&self, row: &mut Row, place: Vec3) {
        let (room, is_free) = (self.room(row), |bone: u16| !self.is_locked(bone));
        if row.iter().any(|(bone, weight)| is_free(*bone) && *weight > 0.0) {
            let sum: f64 = row
                .iter()
                .filter(|(bone, _)| is_free(*bone))
                .map(|(_, w)| w)
                .sum();
            row.iter_mut()
                .filter(|(bone, _)| is_free(*bone))
                .for_each(|(_, w)| *w *= room / sum);
            self.settle(row, &[], room, place);
        }
    }

    /// Unlocked bones to the power of `1 + coverage`.
    pub fn sharpen(&self, row: &mut Row, coverage: f64, place: Vec3) {
        for (_, weight) in row.iter_mut().filter(|(bone, _)| !self.is_locked(*bone)) {
            *weight = weight.max(0.0).powf(1.0 + coverage);
        }
        self.normalize(row, place);
    }

    /// Unlocked bones towards `mean`, by `coverage`.
    pub fn blend(&self, row: &mut Row, mean: &Row, coverage: f64, place: Vec3) {
        let coverage = if row.is_empty() { 1.0 } else { coverage };
        row.iter_mut()
            .filter(|(bone, _)| !self.is_locked(*bone))
            .for_each(|(_, w)| *w *= 1.0 - coverage);
        for &(bone, weight) in mean.iter().filter(|(bone, _)| !self.is_locked(*bone)) {
            match row.binary_search_by_key(&bone, |(of, _)| *of) {
                Ok(at) => row[at].1 += coverage * weight,
                Err(at) => row.insert(at, (bone, coverage * weight)),
            }
        }
        self.normalize(row, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::testing::Random;
    use crate::rig::skeleton::Bone;

    const BONES: usize = 8;

    fn rules(locked: &[bool], most: usize) -> Rules {
        let bones = (0..BONES).map(|bone| Bone {
            extent: Vec3::new(0.3 * bone as f32, 1.0, 0.0),
            parent: (bone > 0).then(|| (bone as u32 - 1) / 2),
            lock_weights: locked[bone],
            ..Bone::default()
        });
        let bones = bones.collect();
        let skeleton = Skeleton {
            bones,
            ..Skeleton::default()
        };
        Rules::new(&skeleton, most)
    }

    fn weight_of(row: &Row, bone: u16) -> f64 {
        row.iter()
            .find(|(of, _)| *of == bone)
            .map_or(0.0, |(_, weight)| *weight)
    }

    /// With a limit of bones a touch of the brush moves weights by as little as without one, and what is taken from a bone
    /// does not come back to it, whatever is locked.
    #[test]
    fn a_limit_of_bones_makes_nothing_jump() {
        let mut random = Random::new(11);
        for case in 0..20_000 {
            let most = 1 + (random.next() % 4) as usize;
            let locked: Vec<bool> = (0..BONES).map(|_| random.next().is_multiple_of(5)).collect();
            let rules = rules(&locked, most);
            let mut row: Row = Vec::new();
            while row.is_empty() || row.len() < most && !random.next().is_multiple_of(4) {
                let bone = (random.next() % BONES as u64) as u16;
                if weight_of(&row, bone) == 0.0 {
                    row.push((bone, f64::from(random.range(0.05, 1.0))));
                }
            }
            row.sort_unstable_by_key(|(bone, _)| *bone);
            let sum: f64 = row.iter().map(|(_, weight)| weight).sum();
            row.iter_mut().for_each(|(_, weight)| *weight /= sum);
            let bone = (random.next() % BONES as u64) as u16;
            if locked[usize::from(bone)] || rules.room(&row) < 0.05 {
                continue;
            }
            let (before, little) = (weight_of(&row, bone), 1e-3);
            for change in [little, -little, -0.1] {
                let mut painted = row.clone();
                rules.set(&mut painted, &mut [(bone, before + change)], Vec3::ZERO);
                let at = format!("case {case}, limit {most}: {row:?} {bone} {change} {painted:?} {locked:?}");
                let sum: f64 = painted.iter().map(|(_, weight)| weight).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{at}");
                let is_locked = |(bone, _): &&(u16, f64)| locked[usize::from(*bone)];
                let places = most.saturating_sub(painted.iter().filter(is_locked).count());
                let free = painted.len() - painted.iter().filter(is_locked).count();
                assert!(free <= places.max(1), "{at}");
                assert!(change > 0.0 || weight_of(&painted, bone) <= before + 1e-9, "{at}");
                let moved: f64 = (0..BONES as u16)
                    .map(|bone| (weight_of(&painted, bone) - weight_of(&row, bone)).abs())
                    .sum();
                assert!(change < -little || moved < 50.0 * little, "{at}");
                for (bone, weight) in row.iter().filter(|(bone, _)| locked[usize::from(*bone)]) {
                    assert!(weight_of(&painted, *bone) == *weight, "{at}");
                }
            }
        }
    }

    #[test]
    fn what_gives_way_under_a_limit_leaves_nothing_faint() {
        let rules = rules(&[false; BONES], 2);
        let mut row: Row = vec![(0, 0.4), (1, 0.30001), (2, 0.29999)];
        rules.limit(&mut row);
        assert!(
            row.len() == 1 && (weight_of(&row, 0) - 1.0).abs() < 1e-9,
            "{row:?}"
        );
    }
}
