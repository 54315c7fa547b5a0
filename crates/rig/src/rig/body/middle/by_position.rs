//! The symmetry plane of a character whose names do not include sides, found from the positions of its bones
//! in the bind pose.
//!
//! Two children of one bone that are mirror images have a plane between them. Of the planes of the pairs with
//! the most descendants, the result is the one about which most bones form pairs.

use crate::rig::body::mirror_plane::MirrorPlane;
use crate::rig::body::sides::other_sides;
use crate::rig::kinematics::{bind_tips, child_start};
use crate::rig::kinematics::{parent_of, parent_past_links};
use crate::rig::skeleton::Skeleton;
use glam::DVec3;
use std::collections::BTreeMap;

/// The distance, as a fraction of the largest coordinate, below which two positions count as equal.
pub(super) const EXACT: f64 = 1e-3;
/// The cosine of half a degree: planes that are rotated by less count as not rotated.
pub(super) const NOT_ROTATED: f64 = 0.999_962;
/// The greatest number of children of one parent that are compared.
const MAX_CHILDREN: usize = 32;
/// The greatest number of planes that are tried.
const MAX_PLANES: usize = 8;
/// The greatest distance of bones from each other's mirror images, as a fraction of the largest side of the
/// box around all bones.
const NEAR: f64 = 0.03;
/// The cosine of the angle, 5 degrees, below which the normals of two planes count as equal.
const SAME_NORMAL: f64 = 0.996;

/// Whether at least half of the bones, without links, have another side or are in the plane.
pub(super) fn fits(skeleton: &Skeleton, others: &[Option<usize>]) -> bool {
    let (mut matched, mut total) = (0, 0);
    for bone in skeleton.shown_bones() {
        total += 1;
        matched += usize::from(others.get(bone).is_some_and(Option::is_some));
    }
    2 * matched >= total
}

/// The result of the search.
pub(super) enum SearchResult {
    None,
    /// The plane, and the other side of each bone.
    Plane(MirrorPlane, Vec<Option<usize>>),
    /// Bones can be paired in several ways.
    Ambiguous,
}

struct Bones<'a> {
    skeleton: &'a Skeleton,
    tips: Vec<DVec3>,
    starts: Vec<DVec3>,
    near: f64,
    exact: f64,
}

#[derive(Clone, Copy)]
struct Plane {
    normal: DVec3,
    offset: f64,
}

pub(super) fn search(skeleton: &Skeleton) -> SearchResult {
    let bones = Bones::new(skeleton);
    let mut found: Vec<(usize, Plane, Vec<Option<usize>>)> = Vec::new();
    for plane in bones.candidates() {
        let others = other_sides(skeleton, &plane.to_mirror_plane());
        let pairs = bones.pairs(&others);
        let Some(plane) = bones.between(&pairs) else {
            continue;
        };
        if found.iter().any(|(_, other, _)| plane.is_like(other, bones.near)) {
            continue;
        }
        let others = other_sides(skeleton, &plane.to_mirror_plane());
        if fits(skeleton, &others) {
            found.push((bones.pairs(&others).len(), plane, others));
        }
    }
    found.sort_by_key(|(pairs, ..)| std::cmp::Reverse(*pairs));
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (None, _) => SearchResult::None,
        (Some((pairs, ..)), Some((others, ..))) if others == pairs => SearchResult::Ambiguous,
        (Some((_, plane, others)), _) if bones.is_ambiguous(&plane, &others) => SearchResult::Ambiguous,
        (Some((_, plane, others)), _) => SearchResult::Plane(plane.to_mirror_plane(), others),
    }
}

impl<'a> Bones<'a> {
    fn new(skeleton: &'a Skeleton) -> Self {
        let tips = bind_tips(skeleton);
        let starts: Vec<DVec3> =
            (0..tips.len()).map(|bone| child_start(skeleton, &tips, parent_of(skeleton, bone))).collect();
        let points = || tips.iter().chain(&starts).filter(|point| point.is_finite());
        let low = points().copied().reduce(DVec3::min).unwrap_or_default();
        let high = points().copied().reduce(DVec3::max).unwrap_or_default();
        let largest = points().fold(0.0, |most: f64, p| most.max(p.abs().max_element()));
        Self { skeleton, near: NEAR * (high - low).max_element(), exact: EXACT * largest, tips, starts }
    }

    /// The distance between one bone and the mirror image of the other.
    fn mismatch(&self, plane: &Plane, a: usize, b: usize) -> f64 {
        let max_distance = |points: &[DVec3]| plane.reflect(points[a]).distance(points[b]);
        max_distance(&self.tips).max(max_distance(&self.starts))
    }

    /// Returns the planes between children of one parent, those with the most descendants first.
    fn candidates(&self) -> Vec<Plane> {
        let mut subtree_size = vec![1_usize; self.tips.len()];
        let mut siblings: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
        let shown: Vec<usize> = self.skeleton.shown_bones().collect();
        for &bone in shown.iter().rev() {
            let parent = parent_past_links(self.skeleton, bone);
            if let Some(parent) = parent {
                subtree_size[parent] += subtree_size[bone];
            }
            siblings.entry(parent).or_default().push(bone);
        }
        let mut planes: Vec<(usize, Plane)> = Vec::new();
        for mut bones in siblings.into_values() {
            bones.sort_by_key(|&bone| (std::cmp::Reverse(subtree_size[bone]), bone));
            bones.truncate(MAX_CHILDREN);
            for (index, &a) in bones.iter().enumerate() {
                for &b in &bones[index + 1..] {
                    let Some(plane) = self.between(&[[a, b]]) else {
                        continue;
                    };
                    if self.mismatch(&plane, a, b) <= self.near {
                        planes.push((subtree_size[a].min(subtree_size[b]), plane));
                    }
                }
            }
        }
        planes.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
        let mut distinct: Vec<Plane> = Vec::new();
        for (_, plane) in planes {
            if distinct.len() < MAX_PLANES && !distinct.iter().any(|other| plane.is_like(other, self.near)) {
                distinct.push(plane);
            }
        }
        distinct
    }

    /// Returns the bones that are each other's other side, each pair once.
    fn pairs(&self, others: &[Option<usize>]) -> Vec<[usize; 2]> {
        let shown = self.skeleton.shown_bones();
        let pairs = shown.filter_map(|bone| Some([bone, others.get(bone).copied()??]));
        pairs.filter(|[a, b]| a < b).collect()
    }

    /// Returns the median plane between the pairs, snapped to an axis if it is nearly perpendicular to one.
    fn between(&self, pairs: &[[usize; 2]]) -> Option<Plane> {
        let tips = pairs.iter().map(|pair| pair.map(|bone| self.tips[bone]));
        let directions = tips.clone().filter_map(|[a, b]| {
            let direction = (a - b).try_normalize()?;
            let first = [direction.x, direction.z, direction.y]
                .into_iter()
                .find(|component| component.abs() > 1e-3)?;
            Some(direction * first.signum())
        });
        let normal = directions.sum::<DVec3>().try_normalize()?;
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].into_iter();
        let normal = axes.into_iter().find(|axis| normal.dot(*axis) > NOT_ROTATED).unwrap_or(normal);
        let mut middles: Vec<f64> = tips.map(|[a, b]| normal.dot((a + b) / 2.0)).collect();
        middles.sort_unstable_by(f64::total_cmp);
        let offset = *middles.get(middles.len() / 2)?;
        let offset = if offset.abs() <= self.exact { 0.0 } else { offset };
        Some(Plane { normal, offset })
    }

    /// Whether a bone of a pair has another bone at the position of its partner.
    fn is_ambiguous(&self, plane: &Plane, others: &[Option<usize>]) -> bool {
        self.pairs(others).into_iter().any(|[a, b]| {
            let mismatch = self.mismatch(plane, a, b) + self.exact;
            let mut third = self.skeleton.shown_bones().filter(|&bone| bone != a && bone != b);
            third.any(|bone| {
                self.mismatch(plane, a, bone) <= mismatch || self.mismatch(plane, bone, b) <= mismatch
            })
        })
    }
}

impl Plane {
    fn reflect(&self, point: DVec3) -> DVec3 {
        point - self.normal * (2.0 * (self.normal.dot(point) - self.offset))
    }

    fn is_like(&self, other: &Self, near: f64) -> bool {
        self.normal.dot(other.normal).abs() > SAME_NORMAL && (self.offset - other.offset).abs() <= near
    }

    fn to_mirror_plane(self) -> MirrorPlane {
        MirrorPlane::between_sides(self.normal, self.offset)
    }
}
