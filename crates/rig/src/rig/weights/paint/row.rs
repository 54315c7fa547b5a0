//! Edits of the row of a vertex by painting. Rows always sum to 1, and the weights of locked bones are
//! preserved bit for bit.

use super::super::heat::largest::keep_largest;
use super::super::segments::Segment;
use crate::rig::kinematics::{parent_of, parent_past_links};
use crate::rig::skeleton::Skeleton;
use glam::Vec3;

/// Bones in ascending order with their weights.
pub type Row = Vec<(u16, f64)>;

/// Smaller weights are dropped.
pub const FAINT: f64 = 1e-4;

/// The properties of a skeleton that constrain painting.
pub struct Rules {
    locked: Vec<bool>,
    /// The nearest ancestor of each bone that is neither locked nor a link.
    heirs: Vec<Option<u16>>,
    parents: Vec<Option<usize>>,
    segments: Vec<Segment>,
    /// The parent of each bone, then its children, past links.
    neighbours: Vec<Vec<u16>>,
    /// The most bones per vertex; 0 for no limit.
    pub most: usize,
}

impl Rules {
    /// Creates the rules for a skeleton. `most`: the most bones per vertex; 0 for no limit.
    pub fn new(skeleton: &Skeleton, most: usize) -> Self {
        let locked: Vec<bool> = skeleton.bones.iter().map(|bone| bone.lock_weights).collect();
        let count = locked.len().min(usize::from(u16::MAX) + 1);
        let heir = |bone: usize| {
            let mut above = std::iter::successors(parent_past_links(skeleton, bone), |&bone| {
                parent_past_links(skeleton, bone)
            });
            above.find(|&bone| !locked[bone] && bone < count).map(|bone| bone as u16)
        };
        let mut neighbours = vec![Vec::new(); count];
        for bone in skeleton.shown_bones().take_while(|bone| *bone < count) {
            if let Some(parent) = parent_past_links(skeleton, bone).filter(|parent| *parent < count) {
                neighbours[bone].insert(0, parent as u16);
                neighbours[parent].push(bone as u16);
            }
        }
        Self {
            neighbours,
            heirs: (0..count).map(heir).collect(),
            parents: (0..skeleton.bones.len()).map(|bone| parent_of(skeleton, bone)).collect(),
            segments: Segment::all(skeleton),
            locked,
            most,
        }
    }

    pub fn is_locked(&self, bone: u16) -> bool {
        self.locked.get(usize::from(bone)).copied().unwrap_or(false)
    }

    /// Returns the parent of a bone, if any, then its children.
    pub fn neighbours(&self, bone: u16) -> &[u16] {
        self.neighbours.get(usize::from(bone)).map_or(&[], Vec::as_slice)
    }

    /// Returns the total weight available to unlocked bones.
    pub fn available_weight(&self, row: &Row) -> f64 {
        let locked = row.iter().filter(|(bone, _)| self.is_locked(*bone));
        (1.0 - locked.map(|(_, weight)| weight).sum::<f64>()).max(0.0)
    }

    /// Returns the bone that gets the weight left over by `bones` if no other bone has any: an ancestor, else
    /// the bone nearest to `position` in the bind pose.
    fn heir(&self, bones: &[(u16, f64)], position: Vec3) -> Option<u16> {
        let is_free = |bone: u16| !self.is_locked(bone) && bones.iter().all(|(other, _)| *other != bone);
        let above =
            bones.iter().filter_map(|(bone, _)| self.heirs.get(usize::from(*bone)).copied().flatten());
        above.into_iter().find(|bone| is_free(*bone)).or_else(|| {
            let all = self.segments.iter().enumerate().filter(|(_, segment)| !segment.link);
            let free = all.filter(|(bone, _)| is_free(*bone as u16));
            let near = free.map(|(bone, segment)| (bone as u16, segment.distance(position.as_dvec3())));
            near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(bone, _)| bone)
        })
    }

    /// Sets the weights of `chosen` bones, which must not be locked, as far as weight is available, and
    /// distributes the rest among the other unlocked bones in their current proportions. `position`: of the
    /// vertex in the bind pose.
    pub fn set(&self, row: &mut Row, chosen: &mut [(u16, f64)], position: Vec3) {
        let available = self.available_weight(row);
        for (_, weight) in chosen.iter_mut() {
            *weight = weight.clamp(0.0, available);
            if *weight < FAINT {
                *weight = 0.0;
            }
        }
        let sum: f64 = chosen.iter().map(|(_, weight)| weight).sum();
        if row.is_empty() && sum == 0.0 {
            return;
        }
        if sum > available {
            chosen.iter_mut().for_each(|(_, weight)| *weight *= available / sum);
        }
        let taken = sum.min(available);
        let is_chosen = |bone: u16| chosen.iter().any(|(other, _)| *other == bone);
        let is_other = |bone: u16| !is_chosen(bone) && !self.is_locked(bone);
        let rest = available - taken;
        let before: f64 = row.iter().filter(|(bone, _)| is_other(*bone)).map(|(_, weight)| weight).sum();
        row.retain(|(bone, _)| !is_chosen(*bone));
        if before > 0.0 {
            let scale = rest / before;
            let others = row.iter_mut().filter(|(bone, _)| is_other(*bone));
            others.for_each(|(_, weight)| *weight *= scale);
        }
        row.extend(chosen.iter().filter(|(_, weight)| *weight > 0.0));
        row.sort_unstable_by_key(|(bone, _)| *bone);
        self.settle(row, chosen, rest, position);
    }

    /// Drops faint weights of bones that are neither locked nor `chosen`, scales the others of these to sum
    /// to `rest`, and applies the limit of bones.
    fn settle(&self, row: &mut Row, chosen: &[(u16, f64)], rest: f64, position: Vec3) {
        let is_other = |bone: u16| !self.is_locked(bone) && chosen.iter().all(|(other, _)| *other != bone);
        row.retain(|(bone, weight)| !is_other(*bone) || *weight >= FAINT);
        let left = row.iter().filter(|(bone, _)| is_other(*bone));
        let sum: f64 = left.map(|(_, weight)| weight).sum();
        if sum > 0.0 {
            let others = row.iter_mut().filter(|(bone, _)| is_other(*bone));
            others.for_each(|(_, weight)| *weight *= rest / sum);
        } else if rest > 0.0 {
            // A faint rest goes to the painted bones; any other needs an heir.
            let painted: f64 = chosen.iter().map(|(_, weight)| weight).sum();
            let is_faint = painted > 0.0 && rest < FAINT * 8.0;
            let heir = if is_faint { None } else { self.heir(chosen, position) };
            if let Some(bone) = heir.or(chosen.first().map(|(bone, _)| *bone)) {
                match row.iter().position(|(other, _)| *other == bone) {
                    Some(i) => row[i].1 += rest,
                    None => {
                        row.push((bone, rest));
                        row.sort_unstable_by_key(|(bone, _)| *bone);
                    }
                }
            }
        }
        self.limit(row);
    }

    /// Applies the limit of bones: keeps the locked ones, and the largest of the others whether painted or
    /// not. A bone with almost no weight changes almost nothing.
    fn limit(&self, row: &mut Row) {
        if self.most == 0 || row.len() <= self.most {
            return;
        }
        let available = self.available_weight(row);
        // Unlocked bones first.
        row.sort_unstable_by_key(|(bone, _)| (self.is_locked(*bone), *bone));
        let free = row.iter().filter(|(bone, _)| !self.is_locked(*bone)).count();
        let locked = row.len() - free;
        let strongest = row[..free].iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
        let slots = self.most.saturating_sub(locked).max(1);
        if free > slots {
            keep_largest(row, free, slots, &self.parents);
        } else {
            row.rotate_left(free);
        }
        // The smallest remaining weight fades to 0 where another bone replaces it.
        row.retain(|(bone, weight)| self.is_locked(*bone) || *weight >= FAINT);
        let sum: f64 = row[locked..].iter().map(|(_, weight)| weight).sum();
        if sum > 0.0 {
            row[locked..].iter_mut().for_each(|(_, weight)| *weight *= available / sum)
        } else {
            row.truncate(locked);
            row.extend(strongest.map(|(bone, _)| (bone, available)));
        }
        row.sort_unstable_by_key(|(bone, _)| *bone);
    }

    /// Scales the weights of unlocked bones to the available weight.
    pub fn normalize(&self, row: &mut Row, position: Vec3) {
        let (available, is_free) = (self.available_weight(row), |bone: u16| !self.is_locked(bone));
        if row.iter().any(|(bone, weight)| is_free(*bone) && *weight > 0.0) {
            let sum: f64 = row.iter().filter(|(bone, _)| is_free(*bone)).map(|(_, w)| w).sum();
            row.iter_mut().filter(|(bone, _)| is_free(*bone)).for_each(|(_, w)| *w *= available / sum);
            self.settle(row, &[], available, position);
        }
    }

    /// Raises the weights of unlocked bones to the power of `1 + coverage`.
    pub fn sharpen(&self, row: &mut Row, coverage: f64, position: Vec3) {
        for (_, weight) in row.iter_mut().filter(|(bone, _)| !self.is_locked(*bone)) {
            *weight = weight.max(0.0).powf(1.0 + coverage);
        }
        self.normalize(row, position);
    }

    /// Blends the weights of unlocked bones towards `mean`, by `coverage`.
    pub fn blend(&self, row: &mut Row, mean: &Row, coverage: f64, position: Vec3) {
        let coverage = if row.is_empty() { 1.0 } else { coverage };
        row.iter_mut().filter(|(bone, _)| !self.is_locked(*bone)).for_each(|(_, w)| *w *= 1.0 - coverage);
        for &(bone, weight) in mean.iter().filter(|(bone, _)| !self.is_locked(*bone)) {
            match row.binary_search_by_key(&bone, |(bone, _)| *bone) {
                Ok(i) => row[i].1 += coverage * weight,
                Err(i) => row.insert(i, (bone, coverage * weight)),
            }
        }
        self.normalize(row, position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;
    use crate::testing::Random;

    const BONES: usize = 8;

    fn rules(locked: &[bool], most: usize) -> Rules {
        let bones = (0..BONES).map(|bone| Bone {
            extent: Vec3::new(0.3 * bone as f32, 1.0, 0.0),
            parent: (bone > 0).then(|| (bone as u32 - 1) / 2),
            lock_weights: locked[bone],
            ..Bone::default()
        });
        let bones = bones.collect();
        let skeleton = Skeleton { bones, ..Skeleton::default() };
        Rules::new(&skeleton, most)
    }

    fn weight_of(row: &Row, bone: u16) -> f64 {
        row.iter().find(|(b, _)| *b == bone).map_or(0.0, |(_, weight)| *weight)
    }

    /// With a limit of bones, a touch of the brush changes weights as little as without one, and weight
    /// subtracted from a bone does not return to it, whichever bones are locked.
    #[test]
    fn a_limit_of_bones_causes_no_jumps() {
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
            if locked[usize::from(bone)] || rules.available_weight(&row) < 0.05 {
                continue;
            }
            let (before, little) = (weight_of(&row, bone), 1e-3);
            for change in [little, -little, -0.1] {
                let mut painted = row.clone();
                rules.set(&mut painted, &mut [(bone, before + change)], Vec3::ZERO);
                let context =
                    format!("case {case}, limit {most}: {row:?} {bone} {change} {painted:?} {locked:?}");
                let sum: f64 = painted.iter().map(|(_, weight)| weight).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{context}");
                let is_locked = |(bone, _): &&(u16, f64)| locked[usize::from(*bone)];
                let slots = most.saturating_sub(painted.iter().filter(is_locked).count());
                let free = painted.len() - painted.iter().filter(is_locked).count();
                assert!(free <= slots.max(1), "{context}");
                assert!(change > 0.0 || weight_of(&painted, bone) <= before + 1e-9, "{context}");
                let moved: f64 = (0..BONES as u16)
                    .map(|bone| (weight_of(&painted, bone) - weight_of(&row, bone)).abs())
                    .sum();
                assert!(change < -little || moved < 50.0 * little, "{context}");
                for (bone, weight) in row.iter().filter(|(bone, _)| locked[usize::from(*bone)]) {
                    assert!(weight_of(&painted, *bone) == *weight, "{context}");
                }
            }
        }
    }

    #[test]
    fn a_limit_leaves_no_faint_weights() {
        let rules = rules(&[false; BONES], 2);
        let mut row: Row = vec![(0, 0.4), (1, 0.30001), (2, 0.29999)];
        rules.limit(&mut row);
        assert!(row.len() == 1 && (weight_of(&row, 0) - 1.0).abs() < 1e-9, "{row:?}");
    }
}
