//! Changes of parents. All tips stay where they are in the bind pose.
//!
//! Pose angles stay too: a bone turns with its parent, so its current pose may change.

use super::links::{bind_tips, start_on};
use super::order::{self, clean_parents};
use super::{children, links, move_tip, names, weights};
use crate::rig::ik::chain::lengthen;
use crate::rig::kinematics::{bind_pose, parent_of, parent_past_links};
use crate::rig::skeleton::{Bone, Skeleton};
use crate::rig::weights::VertexWeights;
use glam::DVec3;

/// Parents `bones` to `parent`, or makes them roots. Tips stay: a bone whose start moves gets another extent,
/// its children, which start at its tip, do not change. A bone with a link of its own stays where it is: its
/// link moves. Bones that already have this parent do not change at all.
///
/// Returns the new index of each bone (parents come first); `None`, with nothing changed, if a bone would
/// become its own ancestor.
pub fn reparent(skeleton: &mut Skeleton, bones: &[usize], parent: Option<usize>) -> Option<Vec<usize>> {
    let tips = bind_tips(skeleton);
    let mut changed = skeleton.clone();
    clean_parents(&mut changed);
    let start = start_on(skeleton, &tips, parent);
    for &bone in bones {
        if bone >= tips.len() || parent_past_links(skeleton, bone) == parent {
            continue;
        }
        let own_link = links::link_of(skeleton, bone).filter(|&link| {
            let way = tips[link] - start;
            let alone = children(skeleton, link).iter().all(|child| bones.contains(child));
            alone && links::is_link_needed(way, tips[link] - skeleton.base.as_dvec3())
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

/// Joins a bone with its parent (past links): the parent's tip goes to the bone's tip, the bone's children and handles go
/// to the parent, the parent's other children keep their tips. Returns the new index of each bone, of the
/// joined one its parent's; `None` for a root, which changes nothing.
pub fn merge_into_parent(skeleton: &mut Skeleton, bone: usize) -> Option<Vec<Option<usize>>> {
    let parent = parent_past_links(skeleton, bone)?;
    lengthen(skeleton, &[bone, parent], -1);
    let joined = (bind_tips(skeleton)[bone] - bind_pose(skeleton)[parent].translation).as_vec3();
    let own_children = children(skeleton, bone);
    move_tip(skeleton, parent, joined);
    // They start where they did.
    for &child in &own_children {
        skeleton.bones[child].parent = Some(parent as u32);
    }
    for handle in &mut skeleton.handles {
        if handle.bone as usize == bone {
            handle.bone = parent as u32;
        }
    }
    let gone: Vec<bool> = (0..skeleton.bones.len()).map(|b| b == bone).collect();
    let mut new_from_old = order::remove(skeleton, &gone);
    new_from_old[bone] = Some(parent);
    Some(new_from_old)
}

/// Copies bones in place, behind all others. A copy is a child of the copy of its parent, where that is copied
/// too, else on the same parent; each has a name of its own. Handles are not copied. `channel_ids`: of the copies, one per bone.
pub fn duplicate(skeleton: &mut Skeleton, bones: &[usize], channel_ids: &[u32]) {
    let mut copy_of = vec![None; skeleton.bones.len()];
    let mut bones: Vec<usize> = bones.iter().copied().filter(|&b| b < copy_of.len()).collect();
    bones.sort_unstable();
    bones.dedup();
    for (&bone, &channel_id) in bones.iter().zip(channel_ids) {
        let parent = parent_of(skeleton, bone);
        let parent = parent.map(|parent| copy_of[parent].unwrap_or(parent as u32));
        let source = &skeleton.bones[bone];
        let name = source.name.as_deref().unwrap_or(names::NEW_BONE);
        let copy = Bone {
            parent,
            channel_id,
            name: Some(names::unique(skeleton, name, None).into()),
            ..source.clone()
        };
        copy_of[bone] = Some(skeleton.bones.len() as u32);
        skeleton.bones.push(copy);
    }
}

/// Cuts a bone into `pieces` equal ones (at least two). The first stays the bone that it was, with its pose
/// and channels; the others are not turned, so that the current pose is the same. Children and handles go
/// to the last piece, whose tip is the old one. `channel_ids`: of the new pieces, one less than `pieces`.
///
/// Returns the new index of each bone and the indices of the pieces, or `None` where there is no such bone or
/// nothing to cut.
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
    let mut reached = DVec3::ZERO;
    for piece in 0..pieces {
        // From the tip that rounding has really led to: errors do not add up.
        let tip = whole * ((piece + 1) as f64 / pieces as f64);
        let extent = (tip - reached).as_vec3();
        reached += extent.as_dvec3();
        if piece == 0 {
            skeleton.bones[bone].extent = extent;
            continue;
        }
        let before = if piece == 1 { bone } else { count + piece - 2 };
        let source = &skeleton.bones[bone];
        let name = source.name.as_deref().unwrap_or(names::NEW_BONE);
        let new = Bone {
            extent,
            parent: Some(before as u32),
            pose_deg: glam::Vec3::ZERO,
            channel_id: channel_ids[piece - 1],
            name: Some(names::unique(skeleton, name, None).into()),
            ..source.clone()
        };
        skeleton.bones.push(new);
    }
    // Each piece directly behind the one before it.
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

/// Weights to go with [`split`]: first under the new indices, then shared among the pieces. `before`: the
/// skeleton that was split.
pub fn split_weights(
    old: &VertexWeights,
    positions: &[glam::Vec3],
    before: &Skeleton,
    bone: usize,
    (new_from_old, pieces): &(Vec<usize>, Vec<usize>),
) -> VertexWeights {
    let places: Vec<_> = new_from_old.iter().copied().map(Some).collect();
    let moved = weights::remap(old, &places);
    let pieces: Vec<u16> = pieces.iter().filter_map(|&p| u16::try_from(p).ok()).collect();
    let start = start_on(before, &bind_tips(before), parent_of(before, bone));
    let segment = [start, before.bones[bone].extent.as_dvec3()];
    weights::split(&moved, positions, new_from_old[bone], segment, &pieces)
}
