//! Live symmetry: an edit of bones and handles on one side of a skeleton is repeated on the other side.
//!
//! Bones in the plane stay in it. Bones without another side are edited alone. Bones are neither added nor
//! removed here: see `edit::command::symmetry`.

use super::mirror::{MIRROR_ANGLES, mirrored_handle, mirrored_roll, new_handle, set_tips};
use super::names;
use crate::math::rotation;
use crate::rig::body::middle::BothSides;
use crate::rig::body::mirror_plane::MirrorPlane;
use crate::rig::body::side_names;
use crate::rig::body::sides::{is_near_plane, other_sides};
use crate::rig::kinematics::bind_tips;
use crate::rig::kinematics::{axes_matrix, parent_of};
use crate::rig::property::{BONE, HANDLE, Mirror, POSE, SCALE, TRANSLATION};
use crate::rig::skeleton::{Bone, Handle, Skeleton, number_duplicate_ids};
use glam::{DVec3, Vec3};
use std::collections::HashMap;

/// Movements below this fraction of the skeleton's size are rounding.
const NOISE: f64 = 1e-6;
/// The tolerance, as a fraction of the skeleton's size, within which tips count as mirror images; such tips
/// stay mirror images when something moves both.
const IMAGES: f64 = 1e-3;
/// The tolerance for equal rolls, in degrees.
const SAME_ROLL: f32 = 1e-3;
/// A new bone from the plane whose lean out of it is less than this fraction of its length is meant to be in
/// it.
const MAX_LEAN: f64 = 0.1;

/// The bones, as of before an edit, that are edited together, and which of them leads: if two bones that are
/// each other's other side have both changed, the one on the side of the active bone counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct SymmetryOptions<'a> {
    pub selected: &'a [usize],
    pub active: Option<usize>,
    /// Whether to mirror pose angles too if both sides changed.
    pub poses: bool,
    /// The bones whose poses were set, even if to the same values.
    pub posed: &'a [usize],
    /// The handles that were set, even if to the same values.
    pub posed_handles: &'a [usize],
}

/// Two bones that are each other's other side, the one with the lower index first.
struct Pair {
    before: [usize; 2],
    after: [usize; 2],
    /// The side that counts if both changed.
    lead: Option<usize>,
}

impl Pair {
    /// The side from which the other is made.
    fn source(&self, changed: [bool; 2]) -> Option<usize> {
        match changed {
            [true, false] => Some(0),
            [false, true] => Some(1),
            [true, true] => self.lead,
            [false, false] => None,
        }
    }
}

/// Repeats on the other side the edit that turned `before` into `after`. `handle_ids` are channel ids for new
/// handles, at least as many as `after` has more than `before`.
pub fn mirror_edit(before: &Skeleton, after: &mut Skeleton, options: &SymmetryOptions, handle_ids: &[u32]) {
    let BothSides { plane, others, .. } = BothSides::new(before);
    let new_indices = new_indices(before, after);
    let pairs = pairs(before, &plane, &others, &new_indices, options);
    let in_plane: Vec<[usize; 2]> = (0..others.len())
        .filter(|&bone| others[bone] == Some(bone))
        .filter_map(|bone| Some([bone, new_indices[bone]?]))
        .collect();
    let was_mirrored: Vec<bool> =
        pairs.iter().map(|pair| rolls_mirrored(before, pair.before, &plane)).collect();
    mirror_tips(before, after, &plane, &pairs, &in_plane);
    for (pair, was_mirrored) in pairs.iter().zip(was_mirrored) {
        mirror_bone(before, after, &plane, pair, was_mirrored, options);
    }
    mirror_handle_edits(before, after, &plane, &pairs, options, handle_ids);
}

/// Returns the handles of `after` whose other side was removed by an edit, in ascending order.
pub fn orphaned_handles(before: &Skeleton, after: &Skeleton) -> Vec<usize> {
    let new_index = new_handle_indices(before, after);
    if new_index.iter().all(Option::is_some) {
        return Vec::new();
    }
    let (sides, bones) = (BothSides::new(before), new_indices(before, after));
    let pairs = pairs(before, &sides.plane, &sides.others, &bones, &SymmetryOptions::default());
    let mut orphaned: Vec<usize> = handle_pairs(before, &pairs)
        .into_iter()
        .filter_map(|[a, b]| match [new_index[a], new_index[b]] {
            [Some(remaining), None] | [None, Some(remaining)] => Some(remaining),
            _ => None,
        })
        .collect();
    orphaned.sort_unstable();
    orphaned
}

/// Returns the bones added by an edit that have no other side, without links, and the plane of symmetry from before it.
pub fn new_unpaired_bones(before: &Skeleton, after: &Skeleton) -> (Vec<usize>, MirrorPlane) {
    let old_index = old_indices(before, after);
    let mut new: Vec<usize> = after.shown_bones().filter(|&bone| old_index[bone].is_none()).collect();
    if new.is_empty() {
        return (new, MirrorPlane::X);
    }
    let plane = BothSides::new(before).plane;
    let others = other_sides(after, &plane);
    new.retain(|&bone| others[bone].is_none());
    (new, plane)
}

/// Returns the angles that rotate bone `to` by S R S, where R is the rotation of bone `from` by `pose_deg`
/// and S the reflection in the plane of symmetry. Of the solutions, returns the one closest to the angles times 1, -1, -1,
/// which is exact if the axes of the bones are mirror images. Degrees.
pub fn mirrored_pose(from: &Bone, to: &Bone, pose_deg: Vec3, plane: &MirrorPlane) -> Vec3 {
    let reflection = plane.reflection();
    let angles = pose_deg.as_dvec3().map(f64::to_radians);
    let rotation_from = rotation::from_euler_about(&axes_matrix(from), angles);
    let axes = axes_matrix(to);
    let wanted = axes.transpose() * reflection * rotation_from * reflection * axes;
    let simple = angles * MIRROR_ANGLES.as_dvec3();
    if rotation::from_euler(simple).abs_diff_eq(wanted, 1e-6) {
        return pose_deg * MIRROR_ANGLES;
    }
    let near = rotation::to_euler(wanted);
    let far = DVec3::new(
        near.x + std::f64::consts::PI,
        std::f64::consts::PI - near.y,
        near.z + std::f64::consts::PI,
    );
    // Add the full turns that bring each angle closest.
    let unwound = |solution: DVec3| {
        let turns = ((simple - solution) / std::f64::consts::TAU).round();
        solution + turns * std::f64::consts::TAU
    };
    let (near, far) = (unwound(near), unwound(far));
    let nearest = if near.distance(simple) <= far.distance(simple) { near } else { far };
    nearest.map(f64::to_degrees).as_vec3()
}

/// Returns the index of each of these ids among others.
fn find_indices(ids: Vec<(u32, u32)>, among: Vec<(u32, u32)>) -> Vec<Option<usize>> {
    let index_by_id: HashMap<_, usize> =
        among.into_iter().enumerate().map(|(index, id)| (id, index)).collect();
    ids.iter().map(|id| index_by_id.get(id).copied()).collect()
}

fn bone_ids(skeleton: &Skeleton) -> Vec<(u32, u32)> {
    number_duplicate_ids(skeleton.bones.iter().map(|bone| bone.channel_id))
}

/// Returns the index of each bone after the edit.
fn new_indices(before: &Skeleton, after: &Skeleton) -> Vec<Option<usize>> {
    find_indices(bone_ids(before), bone_ids(after))
}

/// Returns the index that each bone had before the edit.
fn old_indices(before: &Skeleton, after: &Skeleton) -> Vec<Option<usize>> {
    find_indices(bone_ids(after), bone_ids(before))
}

fn new_handle_indices(before: &Skeleton, after: &Skeleton) -> Vec<Option<usize>> {
    let ids =
        |skeleton: &Skeleton| number_duplicate_ids(skeleton.handles.iter().map(|handle| handle.channel_id));
    find_indices(ids(before), ids(after))
}

fn pairs(
    before: &Skeleton,
    plane: &MirrorPlane,
    others: &[Option<usize>],
    new_indices: &[Option<usize>],
    options: &SymmetryOptions,
) -> Vec<Pair> {
    let tips = bind_tips(before);
    let coordinate = |bone: usize| plane.signed_distance(tips[bone]);
    let side = options.active.filter(|&active| active < tips.len()).map_or(0.0, coordinate);
    let leading = |[a, b]: [usize; 2]| {
        let both = options.selected.contains(&a) && options.selected.contains(&b);
        let first = match (options.active, coordinate(a) >= coordinate(b)) {
            (Some(active), _) if active == a => true,
            (Some(active), _) if active == b => false,
            (_, a_is_positive) => a_is_positive == (side >= 0.0),
        };
        both.then_some(usize::from(!first))
    };
    let pair = |(bone, other): (usize, &Option<usize>)| {
        let before = [bone, other.filter(|&other| other > bone)?];
        // Names are not always mutual: one may name the other, and that a third.
        let mutual = others[before[1]] == Some(bone);
        let after = [new_indices[before[0]]?, new_indices[before[1]]?];
        let lead = leading(before);
        mutual.then_some(Pair { before, after, lead })
    };
    others.iter().enumerate().filter_map(pair).collect()
}

fn rolls_mirrored(skeleton: &Skeleton, [a, b]: [usize; 2], plane: &MirrorPlane) -> bool {
    let (a, b) = (&skeleton.bones[a], &skeleton.bones[b]);
    same_roll(mirrored_roll(a, b.extent, plane), b.roll_deg)
}

fn same_roll(a: f32, b: f32) -> bool {
    let turns = (a - b) / 360.0;
    (turns - turns.round()).abs() * 360.0 < SAME_ROLL
}

/// Mirrors the base and the tips. Moving a bone in the plane moves both sides: they then move by the mean of
/// their movements, so that components out of the plane cancel.
fn mirror_tips(
    before: &Skeleton,
    after: &mut Skeleton,
    plane: &MirrorPlane,
    pairs: &[Pair],
    in_plane: &[[usize; 2]],
) {
    let (old, new) = (bind_tips(before), bind_tips(after));
    let size = old
        .iter()
        .fold(before.base.as_dvec3().abs().max_element(), |size: f64, tip| size.max(tip.abs().max_element()));
    let (noise, near) = (NOISE * size, IMAGES * size);
    let mut tips = new.clone();
    let [old_base, new_base] = [before.base, after.base].map(|base| base.as_dvec3());
    if old_base != new_base && is_near_plane(before, plane, old_base) {
        after.base = plane.leveled(new_base, old_base).as_vec3();
    }
    for &[old_bone, new_bone] in in_plane {
        if old[old_bone] != new[new_bone] {
            tips[new_bone] = plane.leveled(new[new_bone], old[old_bone]);
        }
    }
    for pair in pairs {
        let ([a, b], [old_a, old_b]) = (pair.after, pair.before);
        let movements = [new[a] - old[old_a], new[b] - old[old_b]];
        let lengths = movements.map(DVec3::length);
        if lengths == [0.0; 2] {
            continue;
        }
        let were_images = plane.reflect(old[old_a]).distance(old[old_b]) <= near;
        let moved = lengths.map(|length| length > noise);
        let source = match moved {
            [false, false] => were_images.then_some(usize::from(lengths[1] > lengths[0])),
            moved => pair.source(moved),
        };
        match source {
            Some(source) => tips[pair.after[1 - source]] = plane.reflect(new[pair.after[source]]),
            None if moved == [true; 2] => {
                let mean = (movements[0] + plane.reflect_direction(movements[1])) * 0.5;
                tips[a] = old[old_a] + mean;
                tips[b] = if were_images {
                    plane.reflect(tips[a])
                } else {
                    old[old_b] + plane.reflect_direction(mean)
                };
            }
            None => {}
        }
    }
    flatten_into_plane(before, after, plane, in_plane, &mut tips);
    set_tips(after, &tips);
}

/// Moves new bones that start in the plane and hardly lean out of it into the plane.
fn flatten_into_plane(
    before: &Skeleton,
    after: &Skeleton,
    plane: &MirrorPlane,
    in_plane: &[[usize; 2]],
    tips: &mut [DVec3],
) {
    let old_index = old_indices(before, after);
    if old_index.iter().all(Option::is_some) {
        return;
    }
    let mut is_in_plane = vec![false; after.bones.len()];
    in_plane.iter().for_each(|&[_, bone]| is_in_plane[bone] = true);
    let base = after.base.as_dvec3();
    let is_base_near = is_near_plane(after, plane, base);
    for bone in 0..after.bones.len() {
        let this = &after.bones[bone];
        if old_index[bone].is_some() || this.link {
            continue;
        }
        let (start, starts_in_plane) = match parent_of(after, bone) {
            Some(parent) => (tips[parent], is_in_plane[parent] || plane.signed_distance(tips[parent]) == 0.0),
            None => (base, is_base_near),
        };
        let leans = plane.normal().dot(tips[bone] - start).abs() > MAX_LEAN * f64::from(this.extent.length());
        if starts_in_plane && !leans {
            tips[bone] = plane.leveled(tips[bone], start);
            is_in_plane[bone] = true;
        }
    }
}

/// Mirrors the roll, then what has a row, since angles are about the mirrored axes, and the name.
fn mirror_bone(
    before: &Skeleton,
    after: &mut Skeleton,
    plane: &MirrorPlane,
    pair: &Pair,
    was_mirrored: bool,
    options: &SymmetryOptions,
) {
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
        let roll = mirrored_roll(&after.bones[from], after.bones[to].extent, plane);
        let this = &mut after.bones[to];
        if !same_roll(roll, this.roll_deg) {
            this.roll_deg = roll;
        }
    }
    let repeated =
        |mirror| matches!(mirror, Mirror::Copy | Mirror::Point | Mirror::Direction | Mirror::Angles);
    for row in BONE.iter().filter(|row| repeated(row.info.mirror)) {
        let is_pose = row.info.id == POSE.info.id;
        let changed = [0, 1].map(|side| {
            let (old, new) = (pair.before[side], pair.after[side]);
            row.get(&before.bones[old]) != row.get(&after.bones[new])
                || is_pose && options.posed.contains(&old)
        });
        let source =
            if changed == [true; 2] && is_pose && !options.poses { None } else { pair.source(changed) };
        if let Some(source) = source {
            let (from, to) = (pair.after[source], pair.after[1 - source]);
            let (this, that) = (&after.bones[from], &after.bones[to]);
            let moves = [TRANSLATION.info.id, SCALE.info.id].contains(&row.info.id);
            if moves && that.lock_transform {
                continue;
            }
            let angles = |angles| mirrored_pose(this, that, angles, plane);
            let value = row.get(this).map(|value| value.mirrored(row.info.mirror, plane, angles));
            if let Some(value) = value {
                row.set(&mut after.bones[to], &value);
            }
        }
    }
    if let Some((from, to)) = source(after, |old, new| old.name != new.name)
        && let Some(name) = after.bones[from].name.as_deref()
        && let Some(flipped) = side_names::flipped(name, plane.sides())
    {
        after.bones[to].name = Some(names::unique(after, &flipped, Some(to)).into());
    }
}

/// Returns the pairs of the n-th handle of a bone and the n-th of its other side, before the edit.
fn handle_pairs(before: &Skeleton, pairs: &[Pair]) -> Vec<[usize; 2]> {
    let pairs = pairs.iter().flat_map(|pair| {
        let [a, b] = pair.before.map(|bone| before.handles_on(bone));
        a.zip(b).map(|(a, b)| [a, b])
    });
    pairs.collect()
}

fn mirror_handle_edits(
    before: &Skeleton,
    after: &mut Skeleton,
    plane: &MirrorPlane,
    pairs: &[Pair],
    options: &SymmetryOptions,
    ids: &[u32],
) {
    let new_index = new_handle_indices(before, after);
    for [a, b] in handle_pairs(before, pairs) {
        let (Some(new_a), Some(new_b)) = (new_index[a], new_index[b]) else {
            continue;
        };
        if [a, b].iter().all(|handle| options.posed_handles.contains(handle)) {
            continue;
        }
        let sides = [(a, new_a), (b, new_b)];
        mirror_handle_edit(after, plane, sides.map(|(old, new)| (&before.handles[old], new)));
    }
    let mut is_old = vec![false; after.handles.len()];
    new_index.into_iter().flatten().for_each(|handle| is_old[handle] = true);
    let mut ids = ids.iter();
    for handle in (0..is_old.len()).filter(|&handle| !is_old[handle]) {
        let bone = after.handles[handle].bone as usize;
        let pair = pairs.iter().find(|pair| pair.after.contains(&bone));
        let Some([a, b]) = pair.map(|pair| pair.after) else {
            continue;
        };
        let other = if a == bone { b } else { a };
        if after.handles_on(other).count() >= after.handles_on(bone).count() {
            continue;
        }
        let Some(&channel_id) = ids.next() else {
            return;
        };
        let this = after.handles[handle].clone();
        let image = new_handle(after, this, other, channel_id, plane);
        after.handles.push(image);
    }
}

/// Mirrors the edit of a handle. Each side has its old state and its new index. Properties that changed on
/// both sides are left alone.
fn mirror_handle_edit(after: &mut Skeleton, plane: &MirrorPlane, sides: [(&Handle, usize); 2]) {
    let current = sides.map(|(_, index)| after.handles[index].clone());
    for (this, other) in [(0, 1), (1, 0)] {
        let (old, other_old) = (sides[this].0, sides[other].0);
        let (new, other_new) = (&current[this], &current[other]);
        let image = mirrored_handle(after, new.clone(), plane);
        let name = new.name.as_deref().and_then(|name| side_names::flipped(name, plane.sides()));
        let name = name.map(|name| names::unique_handle(after, &name, Some(sides[other].1)));
        let target = &mut after.handles[sides[other].1];
        for row in HANDLE {
            if row.get(old) != row.get(new) && row.get(other_old) == row.get(other_new) {
                row.get(&image).iter().for_each(|value| row.set(target, value));
            }
        }
        if old.name != new.name && other_old.name == other_new.name && name.is_some() {
            target.name = name.map(Into::into);
        }
    }
}
