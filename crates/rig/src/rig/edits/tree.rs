//! Changes of parents. All tips stay where they are in the bind pose.
//!
//! Pose angles stay too: a bone rotates with its parent, so its current pose can change.

use super::order::{self, clean_parents};
use super::{children, links, move_tip, names, weights};
use crate::rig::ik::chain::lengthen;
use crate::rig::kinematics::{bind_pose, parent_of, parent_past_links};
use crate::rig::kinematics::{bind_tips, child_start, link_of};
use crate::rig::skeleton::{Bone, Skeleton};
use crate::rig::weights::VertexWeights;
use glam::DVec3;

/// Parents `bones` to `parent`, or makes them roots. Tips stay: a bone whose start moves gets another extent;
/// its children, which start at its tip, do not change. A bone with its own link stays where it is, and only
/// its link moves. Bones that already have this parent do not change at all.
///
/// Returns the new index of each bone (parents come first); `None`, with nothing changed, if a bone would
/// become its own ancestor.
pub fn reparent(skeleton: &mut Skeleton, bones: &[usize], parent: Option<usize>) -> Option<Vec<usize>> {
    let tips = bind_tips(skeleton);
    let mut changed = skeleton.clone();
    clean_parents(&mut changed);
    let start = child_start(skeleton, &tips, parent);
    for &bone in bones {
        if bone >= tips.len() || parent_past_links(skeleton, bone) == parent {
            continue;
        }
        let own_link = link_of(skeleton, bone).filter(|&link| {
            let offset = tips[link] - start;
            let carries_only_these = children(skeleton, link).iter().all(|child| bones.contains(child));
            carries_only_these && links::is_link_needed(offset, tips[link] - skeleton.base.as_dvec3())
        });
        let moved = own_link.unwrap_or(bone);
        let this = &mut changed.bones[moved];
        this.parent = parent.map(|parent| parent as u32);
        this.extent = (tips[moved] - start).as_vec3();
    }
    let new_from_old = order::sort_by_key(&mut changed, |bone| bone)?;
    *skeleton = changed;
    Some(new_from_old)
}

/// Merges a bone into its parent (past links): the parent's tip moves to the bone's tip, the bone's children
/// and handles are attached to the parent, and the parent's other children keep their tips. Returns the new
/// index of each bone, for the merged one that of its parent; `None`, with nothing changed, for a root.
pub fn merge_into_parent(skeleton: &mut Skeleton, bone: usize) -> Option<Vec<Option<usize>>> {
    let parent = parent_past_links(skeleton, bone)?;
    lengthen(skeleton, &[bone, parent], -1);
    let merged_extent = (bind_tips(skeleton)[bone] - bind_pose(skeleton)[parent].translation).as_vec3();
    let child_bones = children(skeleton, bone);
    move_tip(skeleton, parent, merged_extent);
    // They still start at the same point.
    for &child in &child_bones {
        skeleton.bones[child].parent = Some(parent as u32);
    }
    for handle in &mut skeleton.handles {
        if handle.bone as usize == bone {
            handle.bone = parent as u32;
        }
    }
    let removed: Vec<bool> = (0..skeleton.bones.len()).map(|b| b == bone).collect();
    let mut new_from_old = order::remove(skeleton, &removed);
    new_from_old[bone] = Some(parent);
    Some(new_from_old)
}

/// Duplicates bones in place, after all others. A copy is a child of the copy of its parent if that is copied
/// too, else of the same parent; each has its own name. Handles are not copied. `channel_ids` are the ids for
/// the copies, one per bone.
pub fn duplicate(skeleton: &mut Skeleton, bones: &[usize], channel_ids: &[u32]) {
    let mut copies = vec![None; skeleton.bones.len()];
    let mut bones: Vec<usize> = bones.iter().copied().filter(|&b| b < copies.len()).collect();
    bones.sort_unstable();
    bones.dedup();
    for (&bone, &channel_id) in bones.iter().zip(channel_ids) {
        let parent = parent_of(skeleton, bone);
        let parent = parent.map(|parent| copies[parent].unwrap_or(parent as u32));
        let source = &skeleton.bones[bone];
        let name = source.name.as_deref().unwrap_or(names::NEW_BONE);
        let copy = Bone {
            parent,
            channel_id,
            name: Some(names::unique(skeleton, name, None).into()),
            ..source.clone()
        };
        copies[bone] = Some(skeleton.bones.len() as u32);
        skeleton.bones.push(copy);
    }
}

/// Splits a bone into `pieces` equal ones (at least two). The first remains the original bone with its pose
/// and channels; the others are not rotated, so that the current pose is unchanged. Children and handles are
/// attached to the last piece, whose tip is the old one. `channel_ids` are the ids for the new pieces, one
/// less than `pieces`.
///
/// Returns the new index of each bone and the indices of the pieces; `None` if the bone does not exist or
/// there is nothing to split.
pub fn split(
    skeleton: &mut Skeleton,
    bone: usize,
    pieces: usize,
    channel_ids: &[u32],
) -> Option<(Vec<usize>, Vec<usize>)> {
    let count = skeleton.bones.len();
    if bone >= count || pieces < 2 || channel_ids.len() + 1 != pieces {
        return None;
    }
    clean_parents(skeleton);
    lengthen(skeleton, &[bone], pieces as i64 - 1);
    let whole = skeleton.bones[bone].extent.as_dvec3();
    let last = count + pieces - 2;
    for child in children(skeleton, bone) {
        skeleton.bones[child].parent = Some(last as u32);
    }
    for handle in &mut skeleton.handles {
        if handle.bone as usize == bone {
            handle.bone = last as u32;
        }
    }
    let name = skeleton.bones[bone].name.as_deref().unwrap_or(names::NEW_BONE);
    let names = names::continued(skeleton, name, pieces - 1);
    let mut reached = DVec3::ZERO;
    for piece in 0..pieces {
        // From the actual, rounded tip, so that errors do not accumulate.
        let tip = whole * ((piece + 1) as f64 / pieces as f64);
        let extent = (tip - reached).as_vec3();
        reached += extent.as_dvec3();
        if piece == 0 {
            skeleton.bones[bone].extent = extent;
            continue;
        }
        let previous = if piece == 1 { bone } else { count + piece - 2 };
        let new = Bone {
            extent,
            parent: Some(previous as u32),
            pose_deg: glam::Vec3::ZERO,
            channel_id: channel_ids[piece - 1],
            name: Some(names[piece - 1].as_str().into()),
            ..skeleton.bones[bone].clone()
        };
        skeleton.bones.push(new);
    }
    // Each piece comes directly after the previous one.
    let key = |b: usize| match b.checked_sub(count) {
        Some(piece) => (bone, piece + 1),
        None => (b, 0),
    };
    let mut new_from_old = order::sort_by_key(skeleton, key)?;
    let pieces = [bone].into_iter().chain(count..count + pieces - 1);
    let pieces = pieces.map(|piece| new_from_old[piece]).collect();
    new_from_old.truncate(count);
    Some((new_from_old, pieces))
}

/// Updates weights after [`split`]: remaps them to the new indices, then distributes them among the pieces.
/// `before` is the skeleton that was split.
pub fn split_weights(
    old: &VertexWeights,
    positions: &[glam::Vec3],
    before: &Skeleton,
    bone: usize,
    (new_from_old, pieces): &(Vec<usize>, Vec<usize>),
) -> VertexWeights {
    let new_indices: Vec<_> = new_from_old.iter().copied().map(Some).collect();
    let remapped = weights::remap(old, &new_indices);
    let pieces: Vec<u16> = pieces.iter().filter_map(|&p| u16::try_from(p).ok()).collect();
    let start = child_start(before, &bind_tips(before), parent_of(before, bone));
    let segment = [start, before.bones[bone].extent.as_dvec3()];
    weights::split(&remapped, positions, new_from_old[bone], segment, &pieces)
}
