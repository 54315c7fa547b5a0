//! Live symmetry: what an edit did to bones and handles on one side of a skeleton is done to those on the other side.
//!
//! Bones in the plane stay in it. Bones without another side are edited alone. Which bones there are is left alone: see
//! `edit::command::symmetry`.

use super::links::bind_tips;
use super::mirror::{OPPOSITE, mirrored_handle, mirrored_roll, new_handle, put_tips};
use super::names::{self, Axis};
use super::sides::{is_near_plane, other_sides, reflected};
use crate::math::rotation;
use crate::rig::kinematics::{axes_matrix, parent_of};
use crate::rig::skeleton::{Bone, Handle, Skeleton, twins_apart};
use glam::{DMat3, DVec3, Vec3};
use std::collections::HashMap;

/// Both sides are mirror images across the plane where this is 0.
pub const AXIS: Axis = Axis::X;

/// Moving less than this, as part of the skeleton's size, is rounding.
const NOISE: f64 = 1e-6;
/// Tips that were images of each other except for this, as part of the skeleton's size, stay so whatever moves both.
const IMAGES: f64 = 1e-3;
/// In degrees.
const SAME_ROLL: f32 = 1e-3;
/// A new bone that leans less out of the plane that it starts in, as part of its length, is meant to lie in it.
const LEANS: f64 = 0.1;

/// Which bones of the skeleton before an edit are edited together, and which of them leads: of two that are each other's
/// other side and both changed, the one on the side of the active bone counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct SymmetryOptions<'a> {
    pub selected: &'a [usize],
    pub active: Option<usize>,
    /// For pose angles too.
    pub poses: bool,
    /// Bones whose poses were set, if only to what they were.
    pub posed: &'a [usize],
}

/// Two bones that are each other's other side, the one with the lower index first.
struct Pair {
    before: [usize; 2],
    after: [usize; 2],
    /// Which counts if both were changed.
    lead: Option<usize>,
}

impl Pair {
    /// Which of the two the other is made from.
    fn source(&self, changed: [bool; 2]) -> Option<usize> {
        match changed {
            [true, false] => Some(0),
            [false, true] => Some(1),
            [true, true] => self.lead,
            [false, false] => None,
        }
    }
}

/// Does to the other side what an edit did that made `after` of `before`. `handle_ids`: channel ids for new handles, at
/// least as many as `after` has more of.
pub fn follow(before: &Skeleton, after: &mut Skeleton, lead: &SymmetryOptions, handle_ids: &[u32]) {
    let others = other_sides(before, AXIS);
    let places = places(before, after);
    let pairs = pairs(before, &others, &places, lead);
    let in_plane: Vec<[usize; 2]> = (0..others.len())
        .filter(|&bone| others[bone] == Some(bone))
        .filter_map(|bone| Some([bone, places[bone]?]))
        .collect();
    let was_mirrored: Vec<bool> = pairs
        .iter()
        .map(|pair| rolls_mirrored(before, pair.before))
        .collect();
    follow_tips(before, after, &pairs, &in_plane);
    for (pair, was_mirrored) in pairs.iter().zip(was_mirrored) {
        follow_shape(before, after, pair, was_mirrored);
        follow_pose(before, after, pair, lead);
    }
    follow_handles(before, after, &pairs, handle_ids);
}

/// Handles of `after` whose other side an edit has removed, in ascending order.
pub fn orphaned_handles(before: &Skeleton, after: &Skeleton) -> Vec<usize> {
    let handles = handle_places(before, after);
    if handles.iter().all(Option::is_some) {
        return Vec::new();
    }
    let (others, bones) = (other_sides(before, AXIS), places(before, after));
    let pairs = pairs(before, &others, &bones, &SymmetryOptions::default());
    let mut orphaned: Vec<usize> = handle_pairs(before, &pairs)
        .into_iter()
        .filter_map(|[a, b]| match [handles[a], handles[b]] {
            [Some(left), None] | [None, Some(left)] => Some(left),
            _ => None,
        })
        .collect();
    orphaned.sort_unstable();
    orphaned
}

/// Bones that an edit made and that have no other side, without links.
pub fn new_and_alone(before: &Skeleton, after: &Skeleton) -> Vec<usize> {
    let is_old = old_places(before, after);
    let mut new: Vec<usize> = after
        .shown_bones()
        .filter(|&bone| is_old[bone].is_none())
        .collect();
    if !new.is_empty() {
        let others = other_sides(after, AXIS);
        new.retain(|&bone| others[bone].is_none());
    }
    new
}

/// Angles of bone `to` that turn it by S R S, where R is the turn of bone `from` by `pose_deg` and S the
/// reflection x -> -x. Those nearest to the angles times 1, -1, -1, which they are where the axes of the
/// bones are mirror images. Degrees.
pub fn mirrored_pose(from: &Bone, to: &Bone, pose_deg: Vec3) -> Vec3 {
    let reflection = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
    let angles = pose_deg.as_dvec3().map(f64::to_radians);
    let turn = rotation::about_axes(&axes_matrix(from), angles);
    let axes = axes_matrix(to);
    let wanted = axes.transpose() * reflection * turn * reflection * axes;
    let simple = angles * OPPOSITE.as_dvec3();
    if rotation::from_euler(simple).abs_diff_eq(wanted, 1e-6) {
        return pose_deg * OPPOSITE;
    }
    let near = rotation::to_euler(wanted);
    let far = DVec3::new(
        near.x + std::f64::consts::PI,
        std::f64::consts::PI - near.y,
        near.z + std::f64::consts::PI,
    );
    // The turns that bring each angle nearest.
    let unwound = |solution: DVec3| {
        let turns = ((simple - solution) / std::f64::consts::TAU).round();
        solution + turns * std::f64::consts::TAU
    };
    let (near, far) = (unwound(near), unwound(far));
    let nearest = match near.distance(simple) <= far.distance(simple) {
        true => near,
        false => far,
    };
    nearest.map(f64::to_degrees).as_vec3()
}

/// Where each of these ids is found among others.
fn found(ids: Vec<(u32, u32)>, among: Vec<(u32, u32)>) -> Vec<Option<usize>> {
    let places: HashMap<_, usize> = among.into_iter().enumerate().map(|(at, id)| (id, at)).collect();
    ids.iter().map(|id| places.get(id).copied()).collect()
}

fn bone_ids(skeleton: &Skeleton) -> Vec<(u32, u32)> {
    twins_apart(skeleton.bones.iter().map(|bone| bone.channel_id))
}

/// Where each bone is after the edit.
fn places(before: &Skeleton, after: &Skeleton) -> Vec<Option<usize>> {
    found(bone_ids(before), bone_ids(after))
}

/// Where each bone was before it.
fn old_places(before: &Skeleton, after: &Skeleton) -> Vec<Option<usize>> {
    found(bone_ids(after), bone_ids(before))
}

fn handle_places(before: &Skeleton, after: &Skeleton) -> Vec<Option<usize>> {
    let ids = |skeleton: &Skeleton| twins_apart(skeleton.handles.iter().map(|handle| handle.channel_id));
    found(ids(before), ids(after))
}

fn pairs(
    before: &Skeleton,
    others: &[Option<usize>],
    places: &[Option<usize>],
    lead: &SymmetryOptions,
) -> Vec<Pair> {
    let tips = bind_tips(before);
    let across = |bone: usize| tips[bone][AXIS as usize];
    let side = lead
        .active
        .filter(|&active| active < tips.len())
        .map_or(0.0, across);
    let leading = |[a, b]: [usize; 2]| {
        let both = lead.selected.contains(&a) && lead.selected.contains(&b);
        let first = match (lead.active, across(a) >= across(b)) {
            (Some(active), _) if active == a => true,
            (Some(active), _) if active == b => false,
            (_, a_is_positive) => a_is_positive == (side >= 0.0),
        };
        both.then_some(usize::from(!first))
    };
    let pair = |(bone, other): (usize, &Option<usize>)| {
        let before = [bone, other.filter(|&other| other > bone)?];
        // By name the one may be the other's, and that a third's.
        let mutual = others[before[1]] == Some(bone);
        let after = [places[before[0]]?, places[before[1]]?];
        let lead = leading(before);
        mutual.then_some(Pair { before, after, lead })
    };
    others.iter().enumerate().filter_map(pair).collect()
}

fn rolls_mirrored(skeleton: &Skeleton, [a, b]: [usize; 2]) -> bool {
    let (a, b) = (&skeleton.bones[a], &skeleton.bones[b]);
    same_roll(mirrored_roll(a, b.extent, AXIS), b.roll_deg)
}

fn same_roll(a: f32, b: f32) -> bool {
    let turns = (a - b) / 360.0;
    (turns - turns.round()).abs() * 360.0 < SAME_ROLL
}

/// Base and tips. What moves a bone in the plane moves both sides: then they move by the mean of their ways, so that what
/// leads out of the plane cancels.
fn follow_tips(before: &Skeleton, after: &mut Skeleton, pairs: &[Pair], in_plane: &[[usize; 2]]) {
    let (old, new) = (bind_tips(before), bind_tips(after));
    let size = old
        .iter()
        .fold(before.base.as_dvec3().abs().max_element(), |size: f64, tip| {
            size.max(tip.abs().max_element())
        });
    let (noise, near) = (NOISE * size, IMAGES * size);
    let axis = AXIS as usize;
    let mut tips = new.clone();
    if before.base != after.base && is_near_plane(before, AXIS, before.base.as_dvec3()) {
        after.base[axis] = before.base[axis];
    }
    for &[was, is] in in_plane {
        if old[was] != new[is] {
            tips[is][axis] = old[was][axis];
        }
    }
    for pair in pairs {
        let ([a, b], [was_a, was_b]) = (pair.after, pair.before);
        let ways = [new[a] - old[was_a], new[b] - old[was_b]];
        let lengths = ways.map(DVec3::length);
        if lengths == [0.0; 2] {
            continue;
        }
        let were_images = reflected(AXIS, old[was_a]).distance(old[was_b]) <= near;
        let moved = lengths.map(|length| length > noise);
        let source = match moved {
            [false, false] => were_images.then_some(usize::from(lengths[1] > lengths[0])),
            moved => pair.source(moved),
        };
        match source {
            Some(source) => tips[pair.after[1 - source]] = reflected(AXIS, new[pair.after[source]]),
            None if moved == [true; 2] => {
                let mean = (ways[0] + reflected(AXIS, ways[1])) * 0.5;
                tips[a] = old[was_a] + mean;
                tips[b] = match were_images {
                    true => reflected(AXIS, tips[a]),
                    false => old[was_b] + reflected(AXIS, mean),
                };
            }
            None => {}
        }
    }
    lay_into_plane(before, after, in_plane, &mut tips);
    put_tips(after, &tips);
}

/// New bones on what lies in the plane, that hardly lean out of it.
fn lay_into_plane(before: &Skeleton, after: &Skeleton, in_plane: &[[usize; 2]], tips: &mut [DVec3]) {
    let was = old_places(before, after);
    if was.iter().all(Option::is_some) {
        return;
    }
    let axis = AXIS as usize;
    let mut is_in_plane = vec![false; after.bones.len()];
    in_plane.iter().for_each(|&[_, is]| is_in_plane[is] = true);
    let base = after.base.as_dvec3();
    let is_base_near = is_near_plane(after, AXIS, base);
    for bone in 0..after.bones.len() {
        let this = &after.bones[bone];
        if was[bone].is_some() || this.link {
            continue;
        }
        let (start, starts_in_plane) = match parent_of(after, bone) {
            Some(parent) => (tips[parent], is_in_plane[parent] || tips[parent][axis] == 0.0),
            None => (base, is_base_near),
        };
        let leans = (tips[bone][axis] - start[axis]).abs() > LEANS * f64::from(this.extent.length());
        if starts_in_plane && !leans {
            tips[bone][axis] = start[axis];
            is_in_plane[bone] = true;
        }
    }
}

/// Roll, radius, name, and what inverse kinematics goes by.
fn follow_shape(before: &Skeleton, after: &mut Skeleton, pair: &Pair, was_mirrored: bool) {
    let source = |after: &Skeleton, differs: fn(&Bone, &Bone) -> bool| {
        let changed =
            [0, 1].map(|side| differs(&before.bones[pair.before[side]], &after.bones[pair.after[side]]));
        let source = pair.source(changed)?;
        Some((pair.after[source], pair.after[1 - source]))
    };
    let rolled = source(after, |old, new| old.roll_deg != new.roll_deg);
    let [a, b] = pair.after;
    let bent = source(after, |old, new| old.extent != new.extent).or(Some((a, b)));
    if let Some((from, to)) = rolled.or(bent.filter(|_| was_mirrored)) {
        let roll = mirrored_roll(&after.bones[from], after.bones[to].extent, AXIS);
        let this = &mut after.bones[to];
        if !same_roll(roll, this.roll_deg) {
            this.roll_deg = roll;
        }
    }
    if let Some((from, to)) = source(after, |old, new| old.radius != new.radius) {
        after.bones[to].radius = after.bones[from].radius;
    }
    if let Some((from, to)) = source(after, |old, new| old.limits_deg != new.limits_deg) {
        after.bones[to].limits_deg = after.bones[from].limits_deg.mirrored();
    }
    if let Some((from, to)) = source(after, |old, new| old.stiffness != new.stiffness) {
        after.bones[to].stiffness = after.bones[from].stiffness;
    }
    if let Some((from, to)) = source(after, |old, new| old.preferred_deg != new.preferred_deg) {
        let (this, that) = (&after.bones[from], &after.bones[to]);
        let pose = this.preferred_deg.map(|pose| mirrored_pose(this, that, pose));
        after.bones[to].preferred_deg = pose;
    }
    if let Some((from, to)) = source(after, |old, new| old.name != new.name)
        && let Some(name) = after.bones[from].name.as_deref()
        && let Some(flipped) = names::flipped(name, AXIS)
    {
        after.bones[to].name = Some(names::unique(after, &flipped, Some(to)).into());
    }
}

fn follow_pose(before: &Skeleton, after: &mut Skeleton, pair: &Pair, lead: &SymmetryOptions) {
    let changed = [0, 1].map(|side| {
        let (was, is) = (pair.before[side], pair.after[side]);
        before.bones[was].pose_deg != after.bones[is].pose_deg || lead.posed.contains(&was)
    });
    let source = match changed {
        [true, true] if !lead.poses => None,
        changed => pair.source(changed),
    };
    if let Some(source) = source {
        let (from, to) = (pair.after[source], pair.after[1 - source]);
        let (this, that) = (&after.bones[from], &after.bones[to]);
        after.bones[to].pose_deg = mirrored_pose(this, that, this.pose_deg);
    }
}

/// The n-th handle of a bone and the n-th of its other side, before the edit.
fn handle_pairs(before: &Skeleton, pairs: &[Pair]) -> Vec<[usize; 2]> {
    let pairs = pairs.iter().flat_map(|pair| {
        let [a, b] = pair.before.map(|bone| on_bone(before, bone));
        a.into_iter().zip(b).map(|(a, b)| [a, b])
    });
    pairs.collect()
}

fn on_bone(skeleton: &Skeleton, bone: usize) -> Vec<usize> {
    let handles = skeleton.handles.iter().enumerate();
    let on_bone = handles.filter(|(_, handle)| handle.bone as usize == bone);
    on_bone.map(|(handle, _)| handle).collect()
}

fn follow_handles(before: &Skeleton, after: &mut Skeleton, pairs: &[Pair], ids: &[u32]) {
    let places = handle_places(before, after);
    for [a, b] in handle_pairs(before, pairs) {
        let (Some(at_a), Some(at_b)) = (places[a], places[b]) else {
            continue;
        };
        let sides = [(a, at_a), (b, at_b)];
        follow_handle(after, sides.map(|(was, is)| (&before.handles[was], is)));
    }
    let mut is_old = vec![false; after.handles.len()];
    places.into_iter().flatten().for_each(|at| is_old[at] = true);
    let mut ids = ids.iter();
    for handle in (0..is_old.len()).filter(|&handle| !is_old[handle]) {
        let bone = after.handles[handle].bone as usize;
        let pair = pairs.iter().find(|pair| pair.after.contains(&bone));
        let Some([a, b]) = pair.map(|pair| pair.after) else {
            continue;
        };
        let other = if a == bone { b } else { a };
        if on_bone(after, other).len() >= on_bone(after, bone).len() {
            continue;
        }
        let Some(&channel_id) = ids.next() else {
            return;
        };
        let this = after.handles[handle].clone();
        let image = new_handle(after, this, other, channel_id, AXIS);
        after.handles.push(image);
    }
}

/// Each side: what it was, and where it is now. What was changed on both sides is left alone.
fn follow_handle(after: &mut Skeleton, sides: [(&Handle, usize); 2]) {
    let now = sides.map(|(_, at)| after.handles[at].clone());
    for (this, other) in [(0, 1), (1, 0)] {
        let (was, that_was) = (sides[this].0, sides[other].0);
        let (is, that_is) = (&now[this], &now[other]);
        let image = mirrored_handle(is.clone(), AXIS);
        let name = is.name.as_deref().and_then(|name| names::flipped(name, AXIS));
        let name = name.map(|name| names::unique_handle(after, &name, Some(sides[other].1)));
        let that = &mut after.handles[sides[other].1];
        macro_rules! follow {
            ($($field:ident),*) => {
                $(if was.$field != is.$field && that_was.$field == that_is.$field {
                    that.$field = image.$field;
                })*
            };
        }
        follow!(target, enabled, chain, weight, orientation, pole, look_at, pinned);
        if was.name != is.name && that_was.name == that_is.name && name.is_some() {
            that.name = name.map(Into::into);
        }
    }
}
