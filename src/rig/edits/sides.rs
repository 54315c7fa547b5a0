//! Which bone is on the other side of which: of the plane x = 0, y = 0 or z = 0 through the origin.
//!
//! Pairs that were chosen by hand come first, then names (`Hand.L`, `Hand.R`). Bones that have no partner so are matched along the parents: roots with
//! roots, children with those of their parent's partner. Of these, two are partners that are each other's nearest, by
//! where they lie or by how they lie on their parents, within [`NEAR`] of the skeleton's height; a bone to which none is
//! nearer than it is to its own image lies in the plane. What is left is matched by place alone, if that is all but exact.

use super::links;
use super::links::{bind_tips, start_on};
use super::names::{self, Axis};
use crate::rig::kinematics::{parent_of, parent_past_links};
use crate::rig::skeleton::Skeleton;
use glam::DVec3;
use std::collections::{BTreeMap, HashMap};

/// How far a bone may lie from the mirror image of its partner, as part of the largest side of the box around all
/// bones.
const NEAR: f64 = 0.03;

/// The same place except for rounding, and for what nobody sees; as part of the largest coordinate.
const EXACT: f64 = 1e-3;

/// A bone near the plane that leans more out of it, as part of its length, does not lie in it.
const LEANS: f64 = 0.25;

/// The bone on the other side of each: itself where it lies in the plane, `None` where there is none.
pub fn other_sides(skeleton: &Skeleton, axis: Axis) -> Vec<Option<usize>> {
    Sides::new(skeleton, axis).others
}

/// Bones off the plane that have no other side, without links.
pub fn unmatched(skeleton: &Skeleton, axis: Axis) -> Vec<usize> {
    let others = other_sides(skeleton, axis);
    skeleton
        .shown_bones()
        .filter(|&bone| others[bone].is_none())
        .collect()
}

/// Whether there is anything that [`super::mirror::mirror`] would mirror.
pub fn can_mirror(skeleton: &Skeleton, bones: &[usize], axis: Axis) -> bool {
    !Sides::new(skeleton, axis).sources(bones).is_empty()
}

/// The bones on one side, 0 the positive and 1 the negative, and in the plane: of `bones` those that are there, and the
/// other sides of those that are not. Ascending, without links.
pub fn on_side(skeleton: &Skeleton, bones: &[usize], axis: Axis, side: usize) -> Vec<usize> {
    let sides = Sides::new(skeleton, axis);
    let is_there = |across: f64| usize::from(across < 0.0) == side;
    let shown = bones.iter().copied().filter(|&bone| !skeleton.bones[bone].link);
    let there = shown.filter_map(|bone| match sides.others[bone] {
        Some(other) if other == bone => Some(bone),
        Some(other) if is_there(sides.across(bone) - sides.across(other)) => Some(bone),
        Some(other) => Some(other),
        None => is_there(sides.across(bone)).then_some(bone),
    });
    let mut there: Vec<usize> = there.collect();
    there.sort_unstable();
    there.dedup();
    there
}

/// The pairs of bones, the one on the positive side first, that [`super::mirror::mirror`] makes alike where one of both
/// is among `bones`; without links.
pub fn pairs(skeleton: &Skeleton, bones: &[usize], axis: Axis) -> Vec<[usize; 2]> {
    let sides = Sides::new(skeleton, axis);
    let shown = bones
        .iter()
        .filter(|&&bone| skeleton.bones.get(bone).is_some_and(|bone| !bone.link));
    let mut pairs: Vec<[usize; 2]> = shown
        .filter_map(|&bone| match sides.others[bone]? {
            other if other == bone => None,
            other if sides.across(bone) >= sides.across(other) => Some([bone, other]),
            other => Some([other, bone]),
        })
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Whether the bones of each pair lie in mirrored places and have the same radius.
pub fn are_mirrored(skeleton: &Skeleton, pairs: &[[usize; 2]], axis: Axis) -> bool {
    let places = Places::new(skeleton, axis);
    let radius = |bone: usize| skeleton.bones[bone].radius;
    let mut pairs = pairs.iter();
    pairs.all(|&[a, b]| places.opposite(a, b) && radius(a) == radius(b))
}

/// What people call the positive and the negative side.
pub fn side_names(axis: Axis) -> [&'static str; 2] {
    match axis {
        Axis::X => ["the left", "the right"],
        Axis::Y => ["above", "below"],
        Axis::Z => ["the front", "the back"],
    }
}

/// `point` on the other side of the plane.
pub fn reflected(axis: Axis, mut point: DVec3) -> DVec3 {
    point[axis as usize] = -point[axis as usize];
    point
}

/// Whether a point is as near to the plane as bones that lie in it are.
pub(super) fn is_near_plane(skeleton: &Skeleton, axis: Axis, point: DVec3) -> bool {
    2.0 * point[axis as usize].abs() <= Places::new(skeleton, axis).near
}

/// Where bones lie in the bind pose.
struct Places<'a> {
    skeleton: &'a Skeleton,
    axis: Axis,
    tips: Vec<DVec3>,
    starts: Vec<DVec3>,
    /// How far partners may be from each other's images.
    near: f64,
    /// What counts as the same place.
    exact: f64,
}

impl<'a> Places<'a> {
    fn new(skeleton: &'a Skeleton, axis: Axis) -> Self {
        let tips = bind_tips(skeleton);
        let starts: Vec<DVec3> = (0..tips.len())
            .map(|bone| start_on(skeleton, &tips, parent_of(skeleton, bone)))
            .collect();
        let points = || tips.iter().chain(&starts).copied();
        let exact = EXACT * points().fold(0.0, |size: f64, p| size.max(p.abs().max_element()));
        let corners = points()
            .map(|p| (p, p))
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let size = corners.map_or(0.0, |(low, high)| (high - low).max_element());
        Self {
            skeleton,
            axis,
            near: exact.max(NEAR * size),
            exact,
            tips,
            starts,
        }
    }

    /// How far one is from the image of the other.
    fn apart(&self, a: usize, b: usize) -> f64 {
        let off = |p: &[DVec3]| reflected(self.axis, p[a]).distance(p[b]);
        off(&self.tips).max(off(&self.starts))
    }

    fn opposite(&self, a: usize, b: usize) -> bool {
        self.apart(a, b) <= self.exact
    }

    /// How far one is from the image of the other as they lie on their parents.
    fn shapes_apart(&self, a: usize, b: usize) -> f64 {
        let root = |bone| start_on(self.skeleton, &self.tips, parent_past_links(self.skeleton, bone));
        let (root_a, root_b) = (root(a), root(b));
        let off = |p: &[DVec3]| reflected(self.axis, p[a] - root_a).distance(p[b] - root_b);
        off(&self.tips).max(off(&self.starts))
    }

    /// How far a bone is from its own image; none at all if nobody sees it. `None` if it leans out of the plane.
    fn off_plane(&self, bone: usize) -> Option<f64> {
        let apart = self.apart(bone, bone);
        if apart <= 2.0 * self.exact {
            return Some(0.0);
        }
        let along = self.tips[bone] - self.starts[bone];
        let leans = along[self.axis as usize].abs() > LEANS * along.length();
        (apart <= self.near && !leans).then_some(apart)
    }
}

/// Two bones that may be partners, and how far apart they are.
struct Candidate {
    apart: f64,
    pair: [usize; 2],
}

/// What is on which side.
pub(super) struct Sides<'a> {
    places: Places<'a>,
    /// Of each bone its other side: itself if it lies in the plane.
    pub others: Vec<Option<usize>>,
    /// The name of the other side, of bones whose names speak of one.
    flipped: Vec<Option<String>>,
}

impl<'a> Sides<'a> {
    pub fn new(skeleton: &'a Skeleton, axis: Axis) -> Self {
        let names = skeleton.bones.iter().map(|bone| bone.name.as_deref());
        let flipped = names.map(|name| names::flipped(name?, axis)).collect();
        let mut sides = Self {
            places: Places::new(skeleton, axis),
            others: vec![None; skeleton.bones.len()],
            flipped,
        };
        sides.match_chosen();
        sides.match_names();
        sides.match_children();
        sides.match_places();
        sides.match_links();
        sides
    }

    pub fn tips(&self) -> &[DVec3] {
        &self.places.tips
    }

    pub fn axis(&self) -> Axis {
        self.places.axis
    }

    /// Whether the name of the bone speaks of a side.
    pub fn names_side(&self, bone: usize) -> bool {
        self.flipped[bone].is_some()
    }

    pub fn is_in_plane(&self, bone: usize) -> bool {
        self.others[bone] == Some(bone)
    }

    /// Whether two lie in mirrored places, except for what nobody sees.
    pub fn opposite(&self, a: usize, b: usize) -> bool {
        self.places.opposite(a, b)
    }

    /// Where the bone is, across the plane: twice its middle, or its tip if that is in the plane.
    pub fn across(&self, bone: usize) -> f64 {
        let [tip, start] = [&self.places.tips, &self.places.starts].map(|p| p[bone][self.axis() as usize]);
        if tip + start == 0.0 { tip } else { tip + start }
    }

    /// The given bones that are mirrored, in ascending order.
    pub fn sources(&self, bones: &[usize]) -> Vec<usize> {
        let mut sources: Vec<usize> = bones.to_vec();
        sources.retain(|&bone| bone < self.others.len());
        sources.sort_unstable();
        sources.dedup();
        let given = sources.clone();
        sources.retain(|&bone| match self.others[bone] {
            Some(other) if other == bone => false,
            None => true,
            Some(other) => {
                let both = given.binary_search(&other).is_ok();
                !both || (self.across(bone), other) > (self.across(other), bone)
            }
        });
        sources
    }

    fn is_free(&self, bone: usize) -> bool {
        self.others[bone].is_none() && !self.places.skeleton.bones[bone].link
    }

    /// Two that name each other.
    fn match_chosen(&mut self) {
        let bones = &self.places.skeleton.bones;
        if bones.iter().all(|bone| bone.mirror_of.is_none()) {
            return;
        }
        let ids = bones.iter().enumerate().map(|(at, bone)| (bone.channel_id, at));
        let ids: HashMap<u32, usize> = ids.collect();
        for (this, bone) in bones.iter().enumerate() {
            let other = bone.mirror_of.and_then(|id| ids.get(&id).copied());
            let other = other.filter(|&other| bones[other].mirror_of == Some(bone.channel_id));
            self.others[this] = other.filter(|&other| other != this && !bone.link && !bones[other].link);
        }
    }

    fn match_names(&mut self) {
        let bones = &self.places.skeleton.bones;
        let mut named: HashMap<&str, usize> = HashMap::new();
        for (at, bone) in bones.iter().enumerate().filter(|(_, bone)| !bone.link) {
            if let Some(name) = bone.name.as_deref() {
                named.entry(name).or_insert(at);
            }
        }
        let mut named_pairs = Vec::new();
        for (bone, flipped) in self.flipped.iter().enumerate().filter(|(at, _)| !bones[*at].link) {
            let other = flipped.as_deref().and_then(|name| named.get(name));
            let is_free = |at: usize| self.others[at].is_none();
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

    /// From the roots down, and from partners by name.
    fn match_children(&mut self) {
        let skeleton = self.places.skeleton;
        let mut children: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
        for bone in skeleton.shown_bones() {
            let parent = parent_past_links(skeleton, bone);
            children.entry(parent).or_default().push(bone);
        }
        let named = self.others.iter().enumerate();
        let named = named.filter_map(|(bone, &other)| Some([Some(bone), Some(other?)]));
        let mut parents: Vec<[Option<usize>; 2]> = named.filter(|[a, b]| a < b).collect();
        parents.push([None; 2]);
        let none = Vec::new();
        while let Some([a, b]) = parents.pop() {
            let [ours, theirs] = [a, b].map(|parent| children.get(&parent).unwrap_or(&none));
            let candidates = self.candidates(ours, theirs, a == b);
            let found = self.take(candidates);
            parents.extend(found.into_iter().map(|pair| pair.map(Some)));
        }
    }

    fn candidates(&self, ours: &[usize], theirs: &[usize], of_one_parent: bool) -> Vec<Candidate> {
        let places = &self.places;
        let mut candidates = Vec::new();
        for &a in ours.iter().filter(|bone| self.is_free(**bone)) {
            if of_one_parent && let Some(apart) = self.in_plane(a) {
                candidates.push(Candidate { apart, pair: [a, a] });
            }
            let theirs = theirs.iter().filter(|&&b| self.is_free(b) && b != a);
            for &b in theirs.filter(|&&b| (!of_one_parent || a < b) && self.may_pair(a, b)) {
                let apart = places.apart(a, b).min(places.shapes_apart(a, b));
                if apart <= places.near {
                    candidates.push(Candidate { apart, pair: [a, b] });
                }
            }
        }
        candidates
    }

    fn in_plane(&self, bone: usize) -> Option<f64> {
        self.places.off_plane(bone).filter(|_| !self.names_side(bone))
    }

    /// Names that both speak of a side have their partners by name, or none.
    fn may_pair(&self, a: usize, b: usize) -> bool {
        !self.names_side(a) || !self.names_side(b)
    }

    /// Makes partners of those that are each other's nearest, and returns them. Of several that are equally near, the
    /// first.
    fn take(&mut self, mut candidates: Vec<Candidate>) -> Vec<[usize; 2]> {
        candidates.sort_by(|a, b| {
            let key = |c: &Candidate| (c.pair[0] != c.pair[1], c.pair);
            a.apart.total_cmp(&b.apart).then_with(|| key(a).cmp(&key(b)))
        });
        let same = 1e-3 * self.places.exact;
        let mut nearest: HashMap<usize, f64> = HashMap::new();
        for candidate in &candidates {
            for bone in candidate.pair {
                nearest.entry(bone).or_insert(candidate.apart);
            }
        }
        let mut taken = Vec::new();
        for Candidate { apart, pair } in candidates {
            let is_nearest = |bone: usize| apart <= nearest[&bone] + same;
            if pair.iter().all(|&bone| self.is_free(bone) && is_nearest(bone)) {
                self.others[pair[0]] = Some(pair[1]);
                self.others[pair[1]] = Some(pair[0]);
                taken.push(pair);
            }
        }
        taken
    }

    /// By place alone, whatever they hang on.
    fn match_places(&mut self) {
        let tip = |bone: usize| self.places.tips[bone];
        // Across another axis than that of the plane partners have the same place.
        let along = (self.axis() as usize + 1) % 3;
        let mut left: Vec<usize> = (0..self.others.len()).filter(|&b| self.is_free(b)).collect();
        left.sort_by(|&a, &b| tip(a)[along].total_cmp(&tip(b)[along]));
        let mut candidates = Vec::new();
        for (at, &a) in left.iter().enumerate() {
            if self.in_plane(a) == Some(0.0) {
                let pair = [a, a];
                candidates.push(Candidate { apart: 0.0, pair });
            }
            let reach = tip(a)[along] + self.places.exact;
            for &b in left[at + 1..].iter().take_while(|&&b| tip(b)[along] <= reach) {
                if self.may_pair(a, b) && self.places.opposite(a, b) {
                    let (apart, pair) = (self.places.apart(a, b), [a.min(b), a.max(b)]);
                    candidates.push(Candidate { apart, pair });
                }
            }
        }
        self.take(candidates);
    }

    /// The other side of a link is the link of what the first bone that it carries has on the other side.
    fn match_links(&mut self) {
        let skeleton = self.places.skeleton;
        let mut first: Vec<Option<usize>> = vec![None; self.others.len()];
        for bone in (0..first.len()).rev() {
            if let Some(link) = links::link_of(skeleton, bone) {
                first[link] = Some(bone);
            }
        }
        // A link may carry another one, which comes after it.
        for link in (0..first.len()).rev().filter(|&bone| skeleton.bones[bone].link) {
            let carried = first[link];
            self.others[link] = carried.and_then(|bone| match self.others[bone] {
                Some(other) if other == bone => Some(link),
                other => links::link_of(skeleton, other?),
            });
        }
    }
}
