//! Mirroring of bones about a plane.
//!
//! With S the reflection, a mirrored bone has its tip at S tip, and its pose rotates it by S R S. A rotation
//! by an angle about an axis a becomes one by the same angle about -S a. The mirrored bone's y points along S
//! y; its local x is made -S x, so that z = x cross y becomes S z, and the angles about x, y, z become those
//! of the original times 1, -1, -1: a hinge about x bends by the same angle on both sides.

use super::links;
use super::names;
use super::order;
use super::roll::roll_toward;
use crate::rig::body::mirror_plane::MirrorPlane;
use crate::rig::body::side_names;
use crate::rig::body::sides::{Sides, is_near_plane, other_sides};
use crate::rig::handle_space::space_bone;
use crate::rig::kinematics::child_start;
use crate::rig::kinematics::{parent_of, parent_past_links, rotation_axes};
use crate::rig::property::{BONE, HANDLE, Mirror, Property, PropertyValue};
use crate::rig::skeleton::{Bone, Handle, Skeleton};
use glam::{DVec3, Vec3};
use std::collections::HashSet;

/// The factors that turn the pose angles of a bone into those of its mirror image.
pub const MIRROR_ANGLES: Vec3 = Vec3::new(1.0, -1.0, -1.0);

/// Mirrors bones with their handles, and returns the new index of each old bone. `None`, with nothing
/// changed, if no bone is off the plane, or if one would become its own ancestor.
///
/// The other side of a bone is determined by [`super::sides`]. If it exists, it becomes the mirror image and
/// keeps its own name and channel; else a new bone is created. Names without a side get one. Given bones that
/// are nearly in the plane are moved into it, and the base with their root. If two given bones are each
/// other's mirror image, the one on the positive side counts. A mirrored bone is a child of the other side of
/// its parent, or of the same parent if there is none. Where a new bone comes between a bone and its children, as for a
/// piece of a split bone, that bone is mirrored too, and ends where the new one begins. Other bones keep their tips.
///
/// Links are mirrored with the bones that they carry.
///
/// `bone_ids` and `handle_ids` are channel ids for new ones: at least as many as there are given bones with
/// their links, and handles on them.
pub fn mirror(
    skeleton: &mut Skeleton,
    bones: &[usize],
    plane: &MirrorPlane,
    bone_ids: &[u32],
    handle_ids: &[u32],
) -> Option<Vec<usize>> {
    let sides = Sides::new(skeleton, plane);
    let sources = sides.sources(&links::with_links(skeleton, bones));
    if sources.is_empty() {
        return None;
    }
    let old_count = skeleton.bones.len();
    let mut changed = skeleton.clone();
    order::clean_parents(&mut changed);
    let targets = add_targets(&mut changed, &sides, &sources, bone_ids)?;
    let other = |bone: usize| match sources.binary_search(&bone) {
        Ok(index) => targets[index],
        Err(_) => sides.others[bone].unwrap_or(bone),
    };
    for (&source, &target) in sources.iter().zip(&targets) {
        let parent = parent_of(skeleton, source).map(other);
        changed.bones[target].parent = parent.map(|parent| parent as u32);
    }
    // A new bone in the middle of the other side's chain takes over the children that its mirror image has.
    for bone in (0..old_count).filter(|bone| sources.binary_search(bone).is_err()) {
        let Some(other_side) = sides.others[bone].filter(|&other_side| other_side != bone) else {
            continue;
        };
        let Some(parent) = parent_of(skeleton, other_side) else {
            continue;
        };
        let is_new = sides.others[parent].is_none() && other(parent) != parent;
        let grandparent = parent_of(skeleton, parent).map(other);
        if is_new && grandparent.is_some() && parent_of(skeleton, bone) == grandparent {
            changed.bones[bone].parent = Some(other(parent) as u32);
        }
    }
    let mut new_from_old = order::sort_by_key(&mut changed, |bone| bone)?;
    let pairs: Vec<[usize; 2]> = sources
        .iter()
        .zip(&targets)
        .map(|(&source, &target)| [source, target].map(|b| new_from_old[b]))
        .collect();
    let mut tips = sides.tips().to_vec();
    if bones.iter().any(|&bone| parent_past_links(skeleton, bone).is_none())
        && is_near_plane(skeleton, plane, skeleton.base.as_dvec3())
    {
        changed.base = plane.projected(changed.base.as_dvec3()).as_vec3();
    }
    for &bone in bones.iter().filter(|&&bone| sides.is_in_plane(bone)) {
        tips[bone] = plane.projected(tips[bone]);
    }
    tips.resize(changed.bones.len(), DVec3::ZERO);
    let mut new_tips = vec![DVec3::ZERO; tips.len()];
    for (old, &new) in new_from_old.iter().enumerate() {
        new_tips[new] = tips[old];
    }
    for &[source, target] in &pairs {
        new_tips[target] = plane.reflect(new_tips[source]);
    }
    set_tips(&mut changed, &new_tips);
    for &[source, target] in &pairs {
        copy_mirrored_values(&mut changed, source, target, plane);
        mirror_handles(&mut changed, source, target, plane, handle_ids);
    }
    *skeleton = changed;
    new_from_old.truncate(old_count);
    Some(new_from_old)
}

/// A summary of the changes that [`mirror`] makes, for users; links, which are hidden, are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effect {
    /// The number of bones on the positive and on the negative side from which the other side is made.
    pub from: [usize; 2],
    /// The number of bones on the other side that change.
    pub updated: usize,
    /// The number of bones missing on the other side.
    pub new: usize,
    /// The number of bones that are moved into the plane.
    pub straightened: usize,
}

impl Effect {
    pub fn new(skeleton: &Skeleton, bones: &[usize], plane: &MirrorPlane) -> Self {
        let sides = Sides::new(skeleton, plane);
        let mut effect = Self::default();
        let is_off_plane = |&&bone: &&usize| {
            let offset = sides.tips().get(bone).map_or(0.0, |tip| plane.signed_distance(*tip));
            offset != 0.0 && sides.is_in_plane(bone) && !skeleton.bones[bone].link
        };
        effect.straightened = bones.iter().filter(is_off_plane).count();
        for source in sides.sources(bones) {
            let this = &skeleton.bones[source];
            if this.link {
                continue;
            }
            effect.from[usize::from(sides.position_across(source) < 0.0)] += 1;
            match sides.others[source] {
                Some(other) => {
                    let that = &skeleton.bones[other];
                    let is_equal =
                        mirrored_values(BONE, this, plane).all(|(row, value)| row.get(that) == Some(value));
                    effect.updated += usize::from(!is_equal || !sides.is_opposite(source, other));
                }
                None => effect.new += 1,
            }
        }
        effect
    }

    /// Describes the effect: `8 bones updated from the left, 2 new`; zero counts are omitted.
    pub fn text(&self, plane: &MirrorPlane) -> String {
        let [positive, negative] = plane.side_names();
        let from = match self.from {
            [_, 0] => positive.to_owned(),
            [0, _] => negative.to_owned(),
            _ => format!("{positive} and {negative}"),
        };
        let bones = |count: usize| match count {
            1 => "1 bone".to_owned(),
            count => format!("{count} bones"),
        };
        let sides = match (self.updated, self.new) {
            (0, 0) => "Both sides already match".to_owned(),
            (0, new) => format!("{} made from {from}", bones(new)),
            (updated, 0) => format!("{} updated from {from}", bones(updated)),
            (updated, new) => format!("{} updated from {from}, {new} new", bones(updated)),
        };
        match (self.updated + self.new, self.straightened) {
            (0, 0) => format!("{sides}: nothing changed"),
            (_, 0) => sides,
            (_, straightened) => format!("{sides}; {} moved to the middle", bones(straightened)),
        }
    }
}

/// Returns the mirrored bone of each source, creating missing ones; their parents and shapes are set later.
/// Adds sides to names. `None` if there are too few ids.
fn add_targets(
    skeleton: &mut Skeleton,
    sides: &Sides<'_>,
    sources: &[usize],
    bone_ids: &[u32],
) -> Option<Vec<usize>> {
    let mut ids = bone_ids.iter();
    let mut targets = Vec::with_capacity(sources.len());
    for &source in sources {
        let target = match sides.others[source] {
            Some(other) => other,
            None => {
                skeleton.bones.push(Bone {
                    channel_id: *ids.next()?,
                    name: None,
                    ..skeleton.bones[source].clone()
                });
                skeleton.bones.len() - 1
            }
        };
        targets.push(target);
        if skeleton.bones[source].link {
            continue;
        }
        let (axis, has_name) = (sides.plane().sides(), |bone: &Bone| bone.name.is_some());
        if !sides.has_side_in_name(source) && !has_name(&skeleton.bones[target]) {
            let name =
                side_names::with_side(&skeleton.bone_name(source), axis, sides.position_across(source) > 0.0);
            skeleton.bones[source].name = Some(names::unique(skeleton, &name, Some(source)).into());
        }
        if !has_name(&skeleton.bones[target]) {
            let name = skeleton.bones[source].name.as_deref().unwrap_or("");
            let flipped = side_names::flipped(name, axis);
            let unique = flipped.map(|name| names::unique(skeleton, &name, Some(target)).into());
            skeleton.bones[target].name = unique;
        }
    }
    Some(targets)
}

/// Sets the extents so that the tips are at `tips` in the bind pose. Extents that are already right are not
/// touched.
pub(super) fn set_tips(skeleton: &mut Skeleton, tips: &[DVec3]) {
    let mut tips_so_far: Vec<DVec3> = Vec::with_capacity(tips.len());
    for (bone, &tip) in tips.iter().enumerate() {
        let start = child_start(skeleton, &tips_so_far, parent_of(skeleton, bone));
        let extent = &mut skeleton.bones[bone].extent;
        if start + extent.as_dvec3() != tip {
            *extent = (tip - start).as_vec3();
        }
        tips_so_far.push(start + extent.as_dvec3());
    }
}

/// Returns the roll that makes the axes of a bone with this extent the mirror image of those of `source`.
pub(super) fn mirrored_roll(source: &Bone, extent: Vec3, plane: &MirrorPlane) -> f32 {
    let x = -plane.reflect_direction(rotation_axes(source)[0]);
    let found = roll_toward(extent, x).unwrap_or(0.0) as f32;
    // Usually it is the negated old roll; then avoid the rounding error.
    let turns = (found + source.roll_deg) / 360.0;
    if (turns - turns.round()).abs() < 1e-6 { -source.roll_deg } else { found }
}

/// Gives the mirrored bone the values of the source: the roll and what has a row.
fn copy_mirrored_values(skeleton: &mut Skeleton, source: usize, target: usize, plane: &MirrorPlane) {
    let source = skeleton.bones[source].clone();
    let target = &mut skeleton.bones[target];
    target.roll_deg = mirrored_roll(&source, target.extent, plane);
    for (row, value) in mirrored_values(BONE, &source, plane) {
        row.set(target, &value);
    }
}

/// Returns the values for the other side of what is mirrored by no rule of its own.
fn mirrored_values<T>(
    rows: &'static [Property<T>],
    source: &T,
    plane: &MirrorPlane,
) -> impl Iterator<Item = (&'static Property<T>, PropertyValue)> {
    let rows = rows.iter().filter(|row| !matches!(row.info.mirror, Mirror::Special | Mirror::Never));
    rows.filter_map(move |row| {
        let angles = |angles| angles * MIRROR_ANGLES;
        Some((row, row.get(source)?.mirrored(row.info.mirror, plane, angles)))
    })
}

/// Returns a handle with the mirrored goals, in the space of the other side; its name and bone are still those of the
/// original.
pub fn mirrored_handle(skeleton: &Skeleton, mut handle: Handle, plane: &MirrorPlane) -> Handle {
    if let Some(bone) = space_bone(skeleton, &handle) {
        let other = other_sides(skeleton, plane)[bone].unwrap_or(bone);
        handle.space = Some(skeleton.bones[other].channel_id);
    }
    let values: Vec<_> = mirrored_values(HANDLE, &handle, plane).collect();
    values.iter().for_each(|(row, value)| row.set(&mut handle, value));
    handle
}

/// Makes the n-th handle of the target the mirror image of the source's n-th, or creates it.
fn mirror_handles(skeleton: &mut Skeleton, source: usize, target: usize, plane: &MirrorPlane, ids: &[u32]) {
    let [source_handles, target_handles] =
        [source, target].map(|bone| skeleton.handles_on(bone).collect::<Vec<_>>());
    let used: HashSet<u32> = skeleton.handles.iter().map(|handle| handle.channel_id).collect();
    let mut free = ids.iter().filter(|id| !used.contains(id));
    for (nth, handle) in source_handles.into_iter().enumerate() {
        let this = skeleton.handles[handle].clone();
        if let Some(&target_handle) = target_handles.get(nth) {
            let image = mirrored_handle(skeleton, this, plane);
            let target_handle = &mut skeleton.handles[target_handle];
            *target_handle = Handle {
                bone: target_handle.bone,
                channel_id: target_handle.channel_id,
                name: target_handle.name.take(),
                extra: std::mem::take(&mut target_handle.extra),
                ..image
            };
            continue;
        }
        let Some(&channel_id) = free.next() else { return };
        let other = new_handle(skeleton, this, target, channel_id, plane);
        skeleton.handles.push(other);
    }
}

/// Returns the mirror image of a handle, for a bone on the other side without one. A name without a side is
/// made unique.
pub fn new_handle(
    skeleton: &Skeleton,
    source: Handle,
    bone: usize,
    channel_id: u32,
    plane: &MirrorPlane,
) -> Handle {
    let name = source.name.as_deref().map(|name| {
        let flipped = side_names::flipped(name, plane.sides());
        names::unique_handle(skeleton, flipped.as_deref().unwrap_or(name), None).into()
    });
    Handle {
        bone: bone as u32,
        channel_id,
        name,
        extra: Default::default(),
        ..mirrored_handle(skeleton, source, plane)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::edits::add_bone;

    #[test]
    fn the_effect_names_the_side_and_the_number_of_bones() {
        let mut skeleton = Skeleton::default();
        for (id, extent) in [(0_u32, Vec3::Y), (1, Vec3::X), (2, Vec3::NEG_X)] {
            add_bone(&mut skeleton, id.checked_sub(1).map(|_| 0), extent, 0.1, id);
        }
        for (bone, name) in [(1, "Arm.L"), (2, "Arm.R")] {
            skeleton.bones[bone].name = Some(name.into());
        }
        let both = [0, 1, 2];
        let text = |skeleton: &Skeleton, bones: &[usize]| {
            let effect = Effect::new(skeleton, bones, &MirrorPlane::X);
            effect.text(&MirrorPlane::X)
        };
        assert_eq!(text(&skeleton, &both), "Both sides already match: nothing changed");
        mirror(&mut skeleton, &both, &MirrorPlane::X, &[7, 8, 9], &[]).unwrap();
        skeleton.bones[2].extent.z = 0.5;
        assert_eq!(text(&skeleton, &both), "1 bone updated from the left");
        assert_eq!(text(&skeleton, &[2]), "1 bone updated from the right");
        skeleton.bones.pop();
        assert_eq!(text(&skeleton, &both), "1 bone made from the left");
    }

    #[test]
    fn a_mirrored_piece_of_a_split_bone_splits_the_other_side() {
        let mut skeleton = Skeleton::default();
        let bones = [
            ("Hips", None, Vec3::Y),
            ("Thigh.L", Some(0), Vec3::new(0.5, -1.0, 0.0)),
            ("Shin.L", Some(1), Vec3::NEG_Y),
            ("Foot.L", Some(2), Vec3::Z),
        ];
        for (id, (name, parent, extent)) in (0..).zip(bones) {
            add_bone(&mut skeleton, parent, extent, 0.1, id);
            skeleton.bones[id as usize].name = Some(name.into());
        }
        mirror(&mut skeleton, &[1, 2, 3], &MirrorPlane::X, &[10, 11, 12], &[]).unwrap();
        let tree = |skeleton: &Skeleton| -> Vec<(String, String, Vec3)> {
            let bones = 0..skeleton.bones.len();
            let mut tree: Vec<_> = bones
                .map(|bone| {
                    let parent = parent_of(skeleton, bone).map_or(String::new(), |p| skeleton.bone_name(p));
                    (skeleton.bone_name(bone), parent, skeleton.bones[bone].extent)
                })
                .collect();
            tree.sort_by(|a, b| a.0.cmp(&b.0));
            tree
        };
        let shin = skeleton.bones.iter().position(|bone| bone.name.as_deref() == Some("Shin.R"));
        let (_, pieces) = super::super::tree::split(&mut skeleton, shin.unwrap(), 2, &[20]).unwrap();
        let effect = Effect::new(&skeleton, &pieces[1..], &MirrorPlane::X).text(&MirrorPlane::X);
        assert_eq!(effect, "1 bone updated from the right, 1 new");
        mirror(&mut skeleton, &pieces[1..], &MirrorPlane::X, &[30], &[]).unwrap();
        let half = Vec3::NEG_Y / 2.0;
        let expected = [
            ("Foot.L", "Shin.L.001", Vec3::Z),
            ("Foot.R", "Shin.R.001", Vec3::Z),
            ("Hips", "", Vec3::Y),
            ("Shin.L", "Thigh.L", half),
            ("Shin.L.001", "Shin.L", half),
            ("Shin.R", "Thigh.R", half),
            ("Shin.R.001", "Shin.R", half),
            ("Thigh.L", "Hips", Vec3::new(0.5, -1.0, 0.0)),
            ("Thigh.R", "Hips", Vec3::new(-0.5, -1.0, 0.0)),
        ];
        let expected = expected.map(|(name, parent, extent)| (name.to_owned(), parent.to_owned(), extent));
        assert_eq!(tree(&skeleton), expected);
    }
}
