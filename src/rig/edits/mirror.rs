//! Mirroring bones to the other side of a plane through the origin: x = 0, y = 0 or z = 0.
//!
//! With S the reflection, a mirrored bone has its tip at S tip, and its pose turns it by S R S. A turn by an
//! angle about an axis a becomes one by the same angle about -S a. The mirrored bone's y points along S y; its
//! local x is made -S x, so that z = x cross y becomes S z, and the angles about x, y, z become those of the
//! original times 1, -1, -1: a hinge about x bends by the same angle on both sides.

use super::links::{self, start_on};
use super::names::{self, Axis};
use super::order;
use super::roll::roll_toward;
use super::sides::{Sides, is_near_plane, reflected, side_names};
use crate::rig::kinematics::{parent_of, parent_past_links, rotation_axes};
use crate::rig::skeleton::{Bone, Handle, LookAt, Orientation, Pole, Skeleton};
use glam::{DVec3, Quat, Vec3};
use std::collections::HashSet;

/// Times the pose angles of a bone: those of its mirror image.
pub const OPPOSITE: Vec3 = Vec3::new(1.0, -1.0, -1.0);

/// Mirrors bones, with the handles on them, and returns the new index of each bone that there was. `None`,
/// with nothing changed, if no bone is off the plane, or if one would become its own ancestor.
///
/// The other side of a bone is what [`super::sides`] says. Where there is one it is made
/// the mirror image, keeping its own name and channel; else a new bone is. Names get their sides where they
/// had none. Given bones that lie in the plane, except for a little, are laid into it, and the base with their root. Of two bones that are each other's mirror image and both given, the one on the positive side
/// counts. A mirrored bone is a child of the other side of its parent, or of the same parent if there is
/// none. Other bones keep their tips.
///
/// Links are mirrored with the bones that they carry.
///
/// `bone_ids`, `handle_ids`: channel ids for new ones, at least as many as there are bones given, with their
/// links, and handles on them.
pub fn mirror(
    skeleton: &mut Skeleton,
    bones: &[usize],
    axis: Axis,
    bone_ids: &[u32],
    handle_ids: &[u32],
) -> Option<Vec<usize>> {
    let sides = Sides::new(skeleton, axis);
    let sources = sides.sources(&links::with_links(skeleton, bones));
    if sources.is_empty() {
        return None;
    }
    let old_count = skeleton.bones.len();
    let mut changed = skeleton.clone();
    order::clean_parents(&mut changed);
    let targets = add_targets(&mut changed, &sides, &sources, bone_ids)?;
    let other = |bone: usize| match sources.binary_search(&bone) {
        Ok(at) => targets[at],
        Err(_) => sides.others[bone].unwrap_or(bone),
    };
    for (&source, &target) in sources.iter().zip(&targets) {
        let parent = parent_of(skeleton, source).map(other);
        changed.bones[target].parent = parent.map(|parent| parent as u32);
    }
    let mut new_from_old = order::sort_by_key(&mut changed, |bone| bone)?;
    let pairs: Vec<[usize; 2]> = sources
        .iter()
        .zip(&targets)
        .map(|(&source, &target)| [source, target].map(|b| new_from_old[b]))
        .collect();
    let mut tips = sides.tips().to_vec();
    if bones
        .iter()
        .any(|&bone| parent_past_links(skeleton, bone).is_none())
        && is_near_plane(skeleton, axis, skeleton.base.as_dvec3())
    {
        changed.base[axis as usize] = 0.0;
    }
    for &bone in bones.iter().filter(|&&bone| sides.is_in_plane(bone)) {
        tips[bone][axis as usize] = 0.0;
    }
    tips.resize(changed.bones.len(), DVec3::ZERO);
    let mut new_tips = vec![DVec3::ZERO; tips.len()];
    for (old, &new) in new_from_old.iter().enumerate() {
        new_tips[new] = tips[old];
    }
    for &[source, target] in &pairs {
        new_tips[target] = reflected(axis, new_tips[source]);
    }
    put_tips(&mut changed, &new_tips);
    for &[source, target] in &pairs {
        shape(&mut changed, source, target, axis);
        mirror_handles(&mut changed, source, target, axis, handle_ids);
    }
    *skeleton = changed;
    new_from_old.truncate(old_count);
    Some(new_from_old)
}

/// What [`mirror`] does, for people; links, which they do not see, are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effect {
    /// Bones on the positive and on the negative side that the other side is made from.
    pub from: [usize; 2],
    /// Bones of the other side that were something else before.
    pub updated: usize,
    /// Bones that the other side lacks.
    pub new: usize,
    /// Bones that are laid into the plane.
    pub straightened: usize,
}

impl Effect {
    pub fn new(skeleton: &Skeleton, bones: &[usize], axis: Axis) -> Self {
        let sides = Sides::new(skeleton, axis);
        let mut effect = Self::default();
        let is_beside = |&&bone: &&usize| {
            let off = sides.tips().get(bone).map_or(0.0, |tip| tip[axis as usize]);
            off != 0.0 && sides.is_in_plane(bone) && !skeleton.bones[bone].link
        };
        effect.straightened = bones.iter().filter(is_beside).count();
        for source in sides.sources(bones) {
            let this = &skeleton.bones[source];
            if this.link {
                continue;
            }
            effect.from[usize::from(sides.across(source) < 0.0)] += 1;
            match sides.others[source] {
                Some(other) => {
                    let that = &skeleton.bones[other];
                    let pose_deg = this.pose_deg * OPPOSITE;
                    let same = (that.radius, that.pose_deg) == (this.radius, pose_deg);
                    effect.updated += usize::from(!same || !sides.opposite(source, other));
                }
                None => effect.new += 1,
            }
        }
        effect
    }

    /// `8 bones updated from the left, 2 new`; counts of 0 are left out.
    pub fn text(&self, axis: Axis) -> String {
        let [positive, negative] = side_names(axis);
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
            (0, 0) => "Both sides are alike".to_owned(),
            (0, new) => format!("{} made from {from}", bones(new)),
            (updated, 0) => format!("{} updated from {from}", bones(updated)),
            (updated, new) => format!("{} updated from {from}, {new} new", bones(updated)),
        };
        match (self.updated + self.new, self.straightened) {
            (0, 0) => format!("{sides}: nothing changed"),
            (_, 0) => sides,
            (_, straightened) => format!("{sides}; {} laid into the middle", bones(straightened)),
        }
    }
}

/// The mirrored bone of each source, made where there is none; parents and shapes are still to come. Gives
/// names their sides. `None` if the ids do not suffice.
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
        let (axis, has_name) = (sides.axis(), |bone: &Bone| bone.name.is_some());
        if !sides.names_side(source) && !has_name(&skeleton.bones[target]) {
            let name = names::with_side(&skeleton.bone_name(source), axis, sides.across(source) > 0.0);
            skeleton.bones[source].name = Some(names::unique(skeleton, &name, Some(source)).into());
        }
        if !has_name(&skeleton.bones[target]) {
            let name = skeleton.bones[source].name.as_deref().unwrap_or("");
            let flipped = names::flipped(name, axis);
            let unique = flipped.map(|name| names::unique(skeleton, &name, Some(target)).into());
            skeleton.bones[target].name = unique;
        }
    }
    Some(targets)
}

/// Gives bones the extents that put their tips at `tips` in the bind pose. Extents that do so already stay.
pub(super) fn put_tips(skeleton: &mut Skeleton, tips: &[DVec3]) {
    let mut reached: Vec<DVec3> = Vec::with_capacity(tips.len());
    for (bone, &tip) in tips.iter().enumerate() {
        let start = start_on(skeleton, &reached, parent_of(skeleton, bone));
        let extent = &mut skeleton.bones[bone].extent;
        if start + extent.as_dvec3() != tip {
            *extent = (tip - start).as_vec3();
        }
        reached.push(start + extent.as_dvec3());
    }
}

/// The roll of a bone with this extent whose axes are the mirror image of those of `source`.
pub(super) fn mirrored_roll(source: &Bone, extent: Vec3, axis: Axis) -> f32 {
    let x = -reflected(axis, rotation_axes(source)[0]);
    let found = roll_toward(extent, x).unwrap_or(0.0) as f32;
    // Mostly it is minus the old one: then without rounding.
    let turns = (found + source.roll_deg) / 360.0;
    match (turns - turns.round()).abs() < 1e-6 {
        true => -source.roll_deg,
        false => found,
    }
}

/// Roll, radius and pose of the mirrored bone, and how it turns.
fn shape(skeleton: &mut Skeleton, source: usize, target: usize, axis: Axis) {
    let source = &skeleton.bones[source];
    let roll_deg = mirrored_roll(source, skeleton.bones[target].extent, axis);
    let shaped = Bone {
        roll_deg,
        radius: source.radius,
        pose_deg: source.pose_deg * OPPOSITE,
        limits_deg: source.limits_deg.mirrored(),
        stiffness: source.stiffness,
        preferred_deg: source.preferred_deg.map(|preferred| preferred * OPPOSITE),
        ..skeleton.bones[target].clone()
    };
    skeleton.bones[target] = shaped;
}

/// What a handle asks for, on the other side; names and bones are still those of this one.
pub fn mirrored_handle(handle: Handle, axis: Axis) -> Handle {
    let point = |point: Vec3| reflected(axis, point.as_dvec3()).as_vec3();
    let rotation = |q: Quat| {
        // S R S turns about -S of the axis of R.
        let Vec3 { x, y, z } = -point(q.xyz());
        Quat::from_xyzw(x, y, z, q.w)
    };
    Handle {
        target: point(handle.target),
        orientation: handle.orientation.map(|this| Orientation {
            rotation: rotation(this.rotation),
            ..this
        }),
        pole: handle.pole.map(|this| Pole {
            point: point(this.point),
            ..this
        }),
        look_at: handle.look_at.map(|this| LookAt {
            axis: point(this.axis),
            ..this
        }),
        ..handle
    }
}

/// The n-th handle of the target becomes the mirror image of the source's n-th, or a new one does.
fn mirror_handles(skeleton: &mut Skeleton, source: usize, target: usize, axis: Axis, ids: &[u32]) {
    let on = |skeleton: &Skeleton, bone: usize| -> Vec<usize> {
        let handles = skeleton.handles.iter().enumerate();
        let on_bone = handles.filter(|(_, h)| h.bone as usize == bone);
        on_bone.map(|(handle, _)| handle).collect()
    };
    let (theirs, ours) = (on(skeleton, source), on(skeleton, target));
    let used: HashSet<u32> = skeleton.handles.iter().map(|handle| handle.channel_id).collect();
    let mut free = ids.iter().filter(|id| !used.contains(id));
    for (nth, handle) in theirs.into_iter().enumerate() {
        let this = skeleton.handles[handle].clone();
        if let Some(&mine) = ours.get(nth) {
            let mine = &mut skeleton.handles[mine];
            *mine = Handle {
                bone: mine.bone,
                channel_id: mine.channel_id,
                name: mine.name.take(),
                extra: std::mem::take(&mut mine.extra),
                ..mirrored_handle(this, axis)
            };
            continue;
        }
        let Some(&channel_id) = free.next() else { return };
        let other = new_handle(skeleton, this, target, channel_id, axis);
        skeleton.handles.push(other);
    }
}

/// The mirror image of a handle, for the bone on the other side that has none. A name that speaks of no side is made
/// unique.
pub fn new_handle(skeleton: &Skeleton, this: Handle, bone: usize, channel_id: u32, axis: Axis) -> Handle {
    let name = this.name.as_deref().map(|name| {
        let flipped = names::flipped(name, axis);
        names::unique_handle(skeleton, flipped.as_deref().unwrap_or(name), None).into()
    });
    Handle {
        bone: bone as u32,
        channel_id,
        name,
        extra: Default::default(),
        ..mirrored_handle(this, axis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::edits::add_bone;

    #[test]
    fn the_effect_says_which_side_is_overwritten_and_by_how_much() {
        let mut skeleton = Skeleton::default();
        for (id, extent) in [(0_u32, Vec3::Y), (1, Vec3::X), (2, Vec3::NEG_X)] {
            add_bone(&mut skeleton, id.checked_sub(1).map(|_| 0), extent, 0.1, id);
        }
        for (bone, name) in [(1, "Arm.L"), (2, "Arm.R")] {
            skeleton.bones[bone].name = Some(name.into());
        }
        let both = [0, 1, 2];
        let text = |skeleton: &Skeleton, bones: &[usize]| {
            let effect = Effect::new(skeleton, bones, Axis::X);
            effect.text(Axis::X)
        };
        assert_eq!(text(&skeleton, &both), "Both sides are alike: nothing changed");
        mirror(&mut skeleton, &both, Axis::X, &[7, 8, 9], &[]).unwrap();
        skeleton.bones[2].extent.z = 0.5;
        assert_eq!(text(&skeleton, &both), "1 bone updated from the left");
        assert_eq!(text(&skeleton, &[2]), "1 bone updated from the right");
        skeleton.bones.pop();
        assert_eq!(text(&skeleton, &both), "1 bone made from the left");
    }
}
