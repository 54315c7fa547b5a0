//! The plane between both sides of a character whose names tell nothing: from where its bones lie in the bind pose.
//!
//! Two bones that hang on one bone as mirror images of each other have a plane between them. Of the planes of those that
//! carry most, the one counts about which most bones are pairs.

use super::mirror_plane::{EXACT, MirrorPlane, NOT_TURNED, fits, others_about};
use crate::rig::edits::links::{bind_tips, start_on};
use crate::rig::kinematics::{parent_of, parent_past_links};
use crate::rig::skeleton::Skeleton;
use glam::DVec3;
use std::collections::BTreeMap;

/// No more bones of one parent are compared, and no more planes are tried.
const MOST: usize = 32;
const MOST_PLANES: usize = 8;
/// How far bones may be from each other's images, as part of the largest side of the box around all bones.
const NEAR: f64 = 0.03;
/// Planes whose normals are nearer to each other are one: the cosine of 5 degrees.
const ONE_WAY: f64 = 0.996;

/// What was found.
pub(super) enum Found {
    Nothing,
    /// A plane, and the other side of each bone.
    Plane(MirrorPlane, Vec<Option<usize>>),
    /// Bones could be paired in several ways.
    Several,
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

pub(super) fn search(skeleton: &Skeleton) -> Found {
    let bones = Bones::new(skeleton);
    let mut found: Vec<(usize, Plane, Vec<Option<usize>>)> = Vec::new();
    for plane in bones.candidates() {
        let others = others_about(skeleton, &plane.rounded());
        let pairs = bones.pairs(&others);
        let Some(plane) = bones.between(&pairs) else {
            continue;
        };
        if found.iter().any(|(_, of, _)| plane.is_like(of, bones.near)) {
            continue;
        }
        let others = others_about(skeleton, &plane.rounded());
        if fits(skeleton, &others) {
            found.push((bones.pairs(&others).len(), plane, others));
        }
    }
    found.sort_by_key(|(pairs, ..)| std::cmp::Reverse(*pairs));
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (None, _) => Found::Nothing,
        (Some((pairs, ..)), Some((others, ..))) if others == pairs => Found::Several,
        (Some((_, plane, others)), _) if bones.is_unclear(&plane, &others) => Found::Several,
        (Some((_, plane, others)), _) => Found::Plane(plane.rounded(), others),
    }
}

impl<'a> Bones<'a> {
    fn new(skeleton: &'a Skeleton) -> Self {
        let tips = bind_tips(skeleton);
        let starts: Vec<DVec3> = (0..tips.len())
            .map(|bone| start_on(skeleton, &tips, parent_of(skeleton, bone)))
            .collect();
        let points = || tips.iter().chain(&starts).filter(|point| point.is_finite());
        let low = points().copied().reduce(DVec3::min).unwrap_or_default();
        let high = points().copied().reduce(DVec3::max).unwrap_or_default();
        let largest = points().fold(0.0, |most: f64, p| most.max(p.abs().max_element()));
        Self {
            skeleton,
            near: NEAR * (high - low).max_element(),
            exact: EXACT * largest,
            tips,
            starts,
        }
    }

    /// How far one is from the image of the other.
    fn apart(&self, plane: &Plane, a: usize, b: usize) -> f64 {
        let off = |points: &[DVec3]| plane.reflected(points[a]).distance(points[b]);
        off(&self.tips).max(off(&self.starts))
    }

    /// Planes between bones of one parent, those first that carry most.
    fn candidates(&self) -> Vec<Plane> {
        let mut carries = vec![1_usize; self.tips.len()];
        let mut of_one: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
        let shown: Vec<usize> = self.skeleton.shown_bones().collect();
        for &bone in shown.iter().rev() {
            let parent = parent_past_links(self.skeleton, bone);
            if let Some(parent) = parent {
                carries[parent] += carries[bone];
            }
            of_one.entry(parent).or_default().push(bone);
        }
        let mut planes: Vec<(usize, Plane)> = Vec::new();
        for mut bones in of_one.into_values() {
            bones.sort_by_key(|&bone| (std::cmp::Reverse(carries[bone]), bone));
            bones.truncate(MOST);
            for (at, &a) in bones.iter().enumerate() {
                for &b in &bones[at + 1..] {
                    let Some(plane) = self.between(&[[a, b]]) else {
                        continue;
                    };
                    if self.apart(&plane, a, b) <= self.near {
                        planes.push((carries[a].min(carries[b]), plane));
                    }
                }
            }
        }
        planes.sort_by_key(|(carried, _)| std::cmp::Reverse(*carried));
        let mut few: Vec<Plane> = Vec::new();
        for (_, plane) in planes {
            if few.len() < MOST_PLANES && !few.iter().any(|of| plane.is_like(of, self.near)) {
                few.push(plane);
            }
        }
        few
    }

    /// Bones that are each other's other side, each pair once.
    fn pairs(&self, others: &[Option<usize>]) -> Vec<[usize; 2]> {
        let shown = self.skeleton.shown_bones();
        let pairs = shown.filter_map(|bone| Some([bone, others.get(bone).copied()??]));
        pairs.filter(|[a, b]| a < b).collect()
    }

    /// The plane that most of the pairs have between them, upright or level if it is all but that.
    fn between(&self, pairs: &[[usize; 2]]) -> Option<Plane> {
        let tips = pairs.iter().map(|pair| pair.map(|bone| self.tips[bone]));
        let ways = tips.clone().filter_map(|[a, b]| {
            let way = (a - b).try_normalize()?;
            let first = [way.x, way.z, way.y].into_iter().find(|part| part.abs() > 1e-3)?;
            Some(way * first.signum())
        });
        let normal = ways.sum::<DVec3>().try_normalize()?;
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].into_iter();
        let normal = axes
            .into_iter()
            .find(|axis| normal.dot(*axis) > NOT_TURNED)
            .unwrap_or(normal);
        let mut middles: Vec<f64> = tips.map(|[a, b]| normal.dot((a + b) / 2.0)).collect();
        middles.sort_unstable_by(f64::total_cmp);
        let offset = *middles.get(middles.len() / 2)?;
        let offset = if offset.abs() <= self.exact { 0.0 } else { offset };
        Some(Plane { normal, offset })
    }

    /// Whether a bone of a pair has another bone where its partner is.
    fn is_unclear(&self, plane: &Plane, others: &[Option<usize>]) -> bool {
        self.pairs(others).into_iter().any(|[a, b]| {
            let apart = self.apart(plane, a, b) + self.exact;
            let mut third = self.skeleton.shown_bones().filter(|&bone| bone != a && bone != b);
            third.any(|bone| self.apart(plane, a, bone) <= apart || self.apart(plane, bone, b) <= apart)
        })
    }
}

impl Plane {
    fn reflected(&self, point: DVec3) -> DVec3 {
        point - self.normal * (2.0 * (self.normal.dot(point) - self.offset))
    }

    fn is_like(&self, other: &Self, near: f64) -> bool {
        self.normal.dot(other.normal).abs() > ONE_WAY && (self.offset - other.offset).abs() <= near
    }

    fn rounded(&self) -> MirrorPlane {
        MirrorPlane {
            normal: self.normal.as_vec3(),
            offset: self.offset as f32,
        }
    }
}
