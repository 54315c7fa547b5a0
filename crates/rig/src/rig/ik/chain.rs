//! The chains of bones that handles rotate.

use crate::rig::body::limb::with_ancestors;
use crate::rig::kinematics::parent_of;
use crate::rig::skeleton::{Handle, Skeleton};

/// Returns the bones that a handle rotates, from its own bone upwards.
pub fn chain<'a>(skeleton: &'a Skeleton, handle: &Handle) -> impl Iterator<Item = usize> + 'a {
    let max_count = handle.chain.map_or(usize::MAX, |bones| bones.max(1) as usize);
    with_ancestors(skeleton, handle.bone as usize).take(max_count)
}

/// Returns, for each bone, how many bones remain in the longest chain of `handles`, including itself; 0 if
/// none rotates it.
pub fn remaining_chain<'a>(skeleton: &Skeleton, handles: impl IntoIterator<Item = &'a Handle>) -> Vec<u32> {
    let mut remaining = Vec::new();
    remaining_chain_into(skeleton, handles, &mut remaining);
    remaining
}

/// Like [`remaining_chain`], but reuses the buffer.
pub fn remaining_chain_into<'a>(
    skeleton: &Skeleton,
    handles: impl IntoIterator<Item = &'a Handle>,
    remaining: &mut Vec<u32>,
) {
    remaining.clear();
    remaining.resize(skeleton.bones.len(), 0);
    for handle in handles {
        if let Some(remaining) = remaining.get_mut(handle.bone as usize) {
            *remaining = handle.chain.unwrap_or(u32::MAX).max(1).max(*remaining);
        }
        if let Some(toes) = flat_toes(skeleton, handle) {
            remaining[toes] = remaining[toes].max(1);
        }
    }
    for bone in (0..remaining.len()).rev() {
        if let Some(parent) = parent_of(skeleton, bone) {
            remaining[parent] = remaining[parent].max(remaining[bone].saturating_sub(1));
        }
    }
}

/// Returns the bone that keeps its orientation together with a bone whose orientation is pinned, as toes do
/// when the heel has to lift: the only child, if it has at most one child, which is a leaf, and if no handle
/// pulls at either.
pub fn flat_toes(skeleton: &Skeleton, handle: &Handle) -> Option<usize> {
    handle.orientation.filter(|orientation| handle.pinned && orientation.weight > 0.0)?;
    let bones = skeleton.bones.len();
    let children_of =
        |bone: usize| (bone + 1..bones).filter(move |other| parent_of(skeleton, *other) == Some(bone));
    let mut children = children_of(handle.bone as usize);
    let toes = children.next().filter(|toes| children.next().is_none() && !skeleton.bones[*toes].link)?;
    let ends =
        children_of(toes).count() <= 1 && children_of(toes).all(|end| children_of(end).next().is_none());
    let is_pulled = skeleton.handles.iter().any(|other| {
        let bone = other.bone as usize;
        skeleton.pulls(other) && (bone == toes || parent_of(skeleton, bone) == Some(toes))
    });
    (ends && !is_pulled).then_some(toes)
}

/// Adds `more` bones to the chains of handles that rotate all of `bones`, before one of these is split or
/// removed, so that the chains still end at the same bone.
pub fn lengthen(skeleton: &mut Skeleton, bones: &[usize], more: i64) {
    for index in 0..skeleton.handles.len() {
        let handle = &skeleton.handles[index];
        let Some(count) = handle.chain else { continue };
        let affected_count = chain(skeleton, handle).filter(|bone| bones.contains(bone)).count();
        if affected_count == bones.len() {
            let count = (i64::from(count) + more).clamp(1, i64::from(u32::MAX));
            skeleton.handles[index].chain = Some(count as u32);
        }
    }
}

/// Returns the first bone of a handle's chain, and the length of the chain: the greatest distance of the tip
/// from its start, in skeleton units. `None` if the handle has no bone.
pub fn span(skeleton: &Skeleton, handle: &Handle) -> Option<(usize, f64)> {
    let first = chain(skeleton, handle).last()?;
    let lengths = chain(skeleton, handle).map(|bone| skeleton.bones[bone].extent.as_dvec3().length());
    Some((first, lengths.sum()))
}
