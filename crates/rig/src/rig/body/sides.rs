//! The pairing of bones across a plane.
//!
//! Manually chosen pairs come first, then names (`Hand.L`, `Hand.R`). The remaining bones are matched along
//! the hierarchy: roots with roots, children with those of their parent's partner. Two of these are partners
//! if each is the other's closest, by position or by shape relative to their parents, within [`NEAR`] of the
//! skeleton's size; a bone that is closer to its own mirror image than to any other is in the plane. The rest
//! is matched by position alone, if that is nearly exact.

use super::mirror_plane::MirrorPlane;
use super::side_names;
use crate::rig::kinematics::{bind_tips, child_start, link_of, parent_of, parent_past_links};
use crate::rig::skeleton::Skeleton;
use glam::DVec3;
use std::collections::{BTreeMap, HashMap};

/// The greatest distance of a bone from the mirror image of its partner, as a fraction of the largest side of
/// the box around all bones.
const NEAR: f64 = 0.03;

/// The distance, as a fraction of the largest coordinate, below which two positions count as equal: rounding,
/// and differences too small to see.
const EXACT: f64 = 1e-3;

/// A bone near the plane whose component perpendicular to it exceeds this fraction of its length is not in
/// the plane.
const MAX_LEAN: f64 = 0.25;

/// Returns the bone on the other side of each: itself if it is in the plane, `None` if there is none.
pub fn other_sides(skeleton: &Skeleton, plane: &MirrorPlane) -> Vec<Option<usize>> {
    Sides::new(skeleton, plane).others
}

/// Whether [`super::mirror::mirror`] would mirror anything.
pub fn can_mirror(skeleton: &Skeleton, bones: &[usize], plane: &MirrorPlane) -> bool {
    !Sides::new(skeleton, plane).sources(bones).is_empty()
}

/// Returns the bones on the first or the second side (0, 1) and in the plane: those `bones` that are there,
/// and the other sides of those that are not. Ascending, without links.
pub fn bones_on_side(skeleton: &Skeleton, bones: &[usize], plane: &MirrorPlane, side: usize) -> Vec<usize> {
    let sides = Sides::new(skeleton, plane);
    let is_on_side = |offset: f64| usize::from(offset < 0.0) == side;
    let shown = bones.iter().copied().filter(|&bone| !skeleton.bones[bone].link);
    let result = shown.filter_map(|bone| match sides.others[bone] {
        Some(other) if other == bone => Some(bone),
        Some(other) if is_on_side(sides.position_across(bone) - sides.position_across(other)) => Some(bone),
        Some(other) => Some(other),
        None => is_on_side(sides.position_across(bone)).then_some(bone),
    });
    let mut result: Vec<usize> = result.collect();
    result.sort_unstable();
    result.dedup();
    result
}

/// Returns the pairs of bones, the one on the first side first, that [`super::mirror::mirror`] makes equal
/// if one of them is among `bones`; without links.
pub fn pairs(skeleton: &Skeleton, bones: &[usize], plane: &MirrorPlane) -> Vec<[usize; 2]> {
    let sides = Sides::new(skeleton, plane);
    let shown = bones.iter().filter(|&&bone| skeleton.bones.get(bone).is_some_and(|bone| !bone.link));
    let mut pairs: Vec<[usize; 2]> = shown
        .filter_map(|&bone| match sides.others[bone]? {
            other if other == bone => None,
            other if sides.position_across(bone) >= sides.position_across(other) => Some([bone, other]),
            other => Some([other, bone]),
        })
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Whether the bones of each pair have mirrored positions and the same radius.
pub fn are_mirrored(skeleton: &Skeleton, pairs: &[[usize; 2]], plane: &MirrorPlane) -> bool {
    let positions = Positions::new(skeleton, plane);
    let radius = |bone: usize| skeleton.bones[bone].radius;
    let mut pairs = pairs.iter();
    pairs.all(|&[a, b]| positions.is_opposite(a, b) && radius(a) == radius(b))
}

/// Whether a point is as close to the plane as bones that are in it.
pub fn is_near_plane(skeleton: &Skeleton, plane: &MirrorPlane, point: DVec3) -> bool {
    2.0 * plane.signed_distance(point).abs() <= Positions::new(skeleton, plane).near
}

/// The positions of the bones in the bind pose.
struct Positions<'a> {
    skeleton: &'a Skeleton,
    plane: MirrorPlane,
    tips: Vec<DVec3>,
    starts: Vec<DVec3>,
    /// The greatest distance between partners' mirror images.
    near: f64,
    /// The greatest distance between equal positions.
    exact: f64,
}

impl<'a> Positions<'a> {
    fn new(skeleton: &'a Skeleton, plane: &MirrorPlane) -> Self {
        let tips = bind_tips(skeleton);
        let starts: Vec<DVec3> =
            (0..tips.len()).map(|bone| child_start(skeleton, &tips, parent_of(skeleton, bone))).collect();
        let points = || tips.iter().chain(&starts).copied();
        let exact = EXACT * points().fold(0.0, |size: f64, p| size.max(p.abs().max_element()));
        let corners = points().map(|p| (p, p)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let size = corners.map_or(0.0, |(low, high)| (high - low).max_element());
        Self { skeleton, plane: *plane, near: exact.max(NEAR * size), exact, tips, starts }
    }

    /// The distance between one bone and the mirror image of the other.
    fn mismatch(&self, a: usize, b: usize) -> f64 {
        let max_distance = |p: &[DVec3]| self.plane.reflect(p[a]).distance(p[b]);
        max_distance(&self.tips).max(max_distance(&self.starts))
    }

    fn is_opposite(&self, a: usize, b: usize) -> bool {
        self.mismatch(a, b) <= self.exact
    }

    fn has_opposite_tip(&self, a: usize, b: usize) -> bool {
        self.plane.reflect(self.tips[a]).distance(self.tips[b]) <= self.exact
    }

    /// The distance between one bone and the mirror image of the other, relative to their parents.
    fn shape_mismatch(&self, a: usize, b: usize) -> f64 {
        let root = |bone| child_start(self.skeleton, &self.tips, parent_past_links(self.skeleton, bone));
        let (root_a, root_b) = (root(a), root(b));
        let image = |direction: DVec3| self.plane.reflect_direction(direction);
        let max_distance = |p: &[DVec3]| image(p[a] - root_a).distance(p[b] - root_b);
        max_distance(&self.tips).max(max_distance(&self.starts))
    }

    /// The distance of a bone from its own mirror image; zero if it is too small to see. `None` if the bone
    /// leans out of the plane.
    fn off_plane(&self, bone: usize) -> Option<f64> {
        let mismatch = self.mismatch(bone, bone);
        if mismatch <= 2.0 * self.exact {
            return Some(0.0);
        }
        let extent = self.tips[bone] - self.starts[bone];
        let leans = self.plane.normal().dot(extent).abs() > MAX_LEAN * extent.length();
        (mismatch <= self.near && !leans).then_some(mismatch)
    }
}

/// Two bones that may be partners, and their mismatch.
struct Candidate {
    mismatch: f64,
    pair: [usize; 2],
}

/// The pairing of the bones of a skeleton.
pub struct Sides<'a> {
    positions: Positions<'a>,
    /// The other side of each bone: itself if it is in the plane.
    pub others: Vec<Option<usize>>,
    /// For bones whose names include a side, the name of the other side.
    flipped: Vec<Option<String>>,
}

impl<'a> Sides<'a> {
    pub fn new(skeleton: &'a Skeleton, plane: &MirrorPlane) -> Self {
        let names = skeleton.bones.iter().map(|bone| bone.name.as_deref());
        let flipped = names.map(|name| side_names::flipped(name?, plane.sides())).collect();
        let mut sides = Self {
            positions: Positions::new(skeleton, plane),
            others: vec![None; skeleton.bones.len()],
            flipped,
        };
        sides.match_chosen();
        sides.match_names();
        sides.match_children();
        sides.match_positions();
        sides.match_links();
        sides
    }

    pub fn tips(&self) -> &[DVec3] {
        &self.positions.tips
    }

    pub fn plane(&self) -> &MirrorPlane {
        &self.positions.plane
    }

    /// Whether the name of the bone includes a side.
    pub fn has_side_in_name(&self, bone: usize) -> bool {
        self.flipped[bone].is_some()
    }

    /// Whether the name of the bone includes the first side, such as the left; `None` if it includes none.
    pub fn is_left(&self, bone: usize) -> Option<bool> {
        let name = self.positions.skeleton.bones[bone].name.as_deref()?;
        side_names::is_positive(name, self.plane().sides())
    }

    pub fn is_in_plane(&self, bone: usize) -> bool {
        self.others[bone] == Some(bone)
    }

    /// Whether two bones have mirrored positions, except for differences too small to see.
    pub fn is_opposite(&self, a: usize, b: usize) -> bool {
        self.positions.is_opposite(a, b)
    }

    /// The position of the bone across the plane: twice that of its middle, or that of its tip if the middle
    /// is in the plane.
    pub fn position_across(&self, bone: usize) -> f64 {
        let [tip, start] =
            [&self.positions.tips, &self.positions.starts].map(|p| self.plane().signed_distance(p[bone]));
        if tip + start == 0.0 { tip } else { tip + start }
    }

    /// Returns the bones that are mirrored, in ascending order: those of the given ones that count, and where a bone is
    /// missing on the other side, its parent, whose other side must end where the new bone begins.
    pub fn sources(&self, bones: &[usize]) -> Vec<usize> {
        let mut sources: Vec<usize> = bones.to_vec();
        sources.retain(|&bone| bone < self.others.len());
        sources.sort_unstable();
        sources.dedup();
        let requested = sources.clone();
        sources.retain(|&bone| match self.others[bone] {
            Some(other) if other == bone => false,
            None => true,
            Some(other) => {
                let both_requested = requested.binary_search(&other).is_ok();
                !both_requested || (self.position_across(bone), other) > (self.position_across(other), bone)
            }
        });
        let missing = sources.iter().filter(|&&bone| self.others[bone].is_none());
        let parents = missing.filter_map(|&bone| parent_of(self.positions.skeleton, bone));
        let reaching_elsewhere: Vec<usize> = parents
            .filter(|&parent| match self.others[parent] {
                Some(other) => other != parent && !self.positions.has_opposite_tip(parent, other),
                None => false,
            })
            .collect();
        sources.extend(reaching_elsewhere);
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    fn is_free(&self, bone: usize) -> bool {
        self.others[bone].is_none() && !self.positions.skeleton.bones[bone].link
    }

    /// Matches bones that name each other.
    fn match_chosen(&mut self) {
        let bones = &self.positions.skeleton.bones;
        if bones.iter().all(|bone| bone.mirror_of.is_none()) {
            return;
        }
        let ids = bones.iter().enumerate().map(|(index, bone)| (bone.channel_id, index));
        let ids: HashMap<u32, usize> = ids.collect();
        for (index, bone) in bones.iter().enumerate() {
            let other = bone.mirror_of.and_then(|id| ids.get(&id).copied());
            let other = other.filter(|&other| bones[other].mirror_of == Some(bone.channel_id));
            self.others[index] = other.filter(|&other| other != index && !bone.link && !bones[other].link);
        }
    }

    fn match_names(&mut self) {
        let bones = &self.positions.skeleton.bones;
        let mut bone_by_name: HashMap<&str, usize> = HashMap::new();
        for (index, bone) in bones.iter().enumerate().filter(|(_, bone)| !bone.link) {
            if let Some(name) = bone.name.as_deref() {
                bone_by_name.entry(name).or_insert(index);
            }
        }
        let mut named_pairs = Vec::new();
        for (bone, flipped) in self.flipped.iter().enumerate().filter(|(index, _)| !bones[*index].link) {
            let other = flipped.as_deref().and_then(|name| bone_by_name.get(name));
            let is_free = |index: usize| self.others[index].is_none();
            if is_free(bone)
                && let Some(&other) = other.filter(|&&other| is_free(other))
            {
                named_pairs.push([bone, other]);
            }
        }
        for [bone, other] in named_pairs {
            self.others[bone] = Some(other);
        }
    }

    /// Matches from the roots down, and below partners by name.
    fn match_children(&mut self) {
        let skeleton = self.positions.skeleton;
        let mut children: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
        for bone in skeleton.shown_bones() {
            let parent = parent_past_links(skeleton, bone);
            children.entry(parent).or_default().push(bone);
        }
        let named = self.others.iter().enumerate();
        let named = named.filter_map(|(bone, &other)| Some([Some(bone), Some(other?)]));
        let mut parents: Vec<[Option<usize>; 2]> = named.filter(|[a, b]| a < b).collect();
        parents.push([None; 2]);
        let empty = Vec::new();
        while let Some([a, b]) = parents.pop() {
            let [children_a, children_b] = [a, b].map(|parent| children.get(&parent).unwrap_or(&empty));
            let candidates = self.candidates(children_a, children_b, a == b);
            let found = self.pair_nearest(candidates);
            parents.extend(found.into_iter().map(|pair| pair.map(Some)));
        }
    }

    fn candidates(&self, children_a: &[usize], children_b: &[usize], same_parent: bool) -> Vec<Candidate> {
        let positions = &self.positions;
        let mut candidates = Vec::new();
        for &a in children_a.iter().filter(|bone| self.is_free(**bone)) {
            if same_parent && let Some(mismatch) = self.in_plane(a) {
                candidates.push(Candidate { mismatch, pair: [a, a] });
            }
            let children_b = children_b.iter().filter(|&&b| self.is_free(b) && b != a);
            for &b in children_b.filter(|&&b| (!same_parent || a < b) && self.may_pair(a, b)) {
                let mismatch = positions.mismatch(a, b).min(positions.shape_mismatch(a, b));
                if mismatch <= positions.near {
                    candidates.push(Candidate { mismatch, pair: [a, b] });
                }
            }
        }
        candidates
    }

    fn in_plane(&self, bone: usize) -> Option<f64> {
        self.positions.off_plane(bone).filter(|_| !self.has_side_in_name(bone))
    }

    /// Two bones that both have sides in their names are partners by name or not at all.
    fn may_pair(&self, a: usize, b: usize) -> bool {
        !self.has_side_in_name(a) || !self.has_side_in_name(b)
    }

    /// Pairs the bones that are each other's closest, and returns the pairs. Of several equally close ones,
    /// the first counts.
    fn pair_nearest(&mut self, mut candidates: Vec<Candidate>) -> Vec<[usize; 2]> {
        candidates.sort_by(|a, b| {
            let key = |c: &Candidate| (c.pair[0] != c.pair[1], c.pair);
            a.mismatch.total_cmp(&b.mismatch).then_with(|| key(a).cmp(&key(b)))
        });
        let tolerance = 1e-3 * self.positions.exact;
        let mut nearest: HashMap<usize, f64> = HashMap::new();
        for candidate in &candidates {
            for bone in candidate.pair {
                nearest.entry(bone).or_insert(candidate.mismatch);
            }
        }
        let mut taken = Vec::new();
        for Candidate { mismatch, pair } in candidates {
            let is_nearest = |bone: usize| mismatch <= nearest[&bone] + tolerance;
            if pair.iter().all(|&bone| self.is_free(bone) && is_nearest(bone)) {
                self.others[pair[0]] = Some(pair[1]);
                self.others[pair[1]] = Some(pair[0]);
                taken.push(pair);
            }
        }
        taken
    }

    /// Matches by position alone, regardless of parents.
    fn match_positions(&mut self) {
        let tip = |bone: usize| self.positions.tips[bone];
        // Partners are equally far along any direction in the plane.
        let direction = self.plane().normal().any_orthonormal_vector();
        let along = |bone: usize| direction.dot(tip(bone));
        let mut unpaired: Vec<usize> = (0..self.others.len()).filter(|&b| self.is_free(b)).collect();
        unpaired.sort_by(|&a, &b| along(a).total_cmp(&along(b)));
        let mut candidates = Vec::new();
        for (index, &a) in unpaired.iter().enumerate() {
            if self.in_plane(a) == Some(0.0) {
                let pair = [a, a];
                candidates.push(Candidate { mismatch: 0.0, pair });
            }
            let farthest = along(a) + self.positions.exact;
            for &b in unpaired[index + 1..].iter().take_while(|&&b| along(b) <= farthest) {
                if self.may_pair(a, b) && self.positions.is_opposite(a, b) {
                    let (mismatch, pair) = (self.positions.mismatch(a, b), [a.min(b), a.max(b)]);
                    candidates.push(Candidate { mismatch, pair });
                }
            }
        }
        self.pair_nearest(candidates);
    }

    /// The other side of a link is the link of the other side of the first bone that it carries.
    fn match_links(&mut self) {
        let skeleton = self.positions.skeleton;
        let mut first: Vec<Option<usize>> = vec![None; self.others.len()];
        for bone in (0..first.len()).rev() {
            if let Some(link) = link_of(skeleton, bone) {
                first[link] = Some(bone);
            }
        }
        // A link can carry another link, which comes after it.
        for link in (0..first.len()).rev().filter(|&bone| skeleton.bones[bone].link) {
            let carried = first[link];
            self.others[link] = carried.and_then(|bone| match self.others[bone] {
                Some(other) if other == bone => Some(link),
                other => link_of(skeleton, other?),
            });
        }
    }
}
