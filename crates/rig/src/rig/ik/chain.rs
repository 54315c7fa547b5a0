//! The chains of bones that handles rotate, and the limbs of a skeleton.
//!
//! A limb ends where its bones leave the trunk. This is determined by shapes, not names: see [`limb`].

use crate::rig::kinematics::{bind_pose, parent_of, parent_past_links, tips};
use crate::rig::skeleton::{Handle, Skeleton};
use glam::DVec3;

/// The fraction of a branch's length from which on the length of the rest of the body ends the trunk.
const EVEN_FORK: f64 = 0.9;
/// The fraction of its length by which a bone points across the plane of symmetry if it leads aside.
const ASIDE: f64 = 0.25;
/// The distance, as a fraction of the skeleton's size, within which joints count as in the plane of symmetry.
pub(super) const IN_PLANE: f64 = 0.02;

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

/// Returns the two longest adjacent bones in the chain of a handle, the upper one first; the elbow or knee is
/// between them. `None` for a chain of one bone.
pub fn bend_bones(skeleton: &Skeleton, handle: &Handle) -> Option<[usize; 2]> {
    let mut remaining = handle.chain.unwrap_or(u32::MAX).max(1) as usize;
    let mut lower = handle.bone as usize;
    let mut longest: Option<(f32, [usize; 2])> = None;
    while let Some(upper) = parent_past_links(skeleton, lower) {
        // Links in between count as bones of the chain.
        let mut bone = lower;
        while bone != upper && remaining > 0 {
            bone = parent_of(skeleton, bone)?;
            remaining -= 1;
        }
        if remaining == 0 {
            break;
        }
        let length: f32 = [upper, lower].map(|bone| skeleton.bones[bone].extent.length()).iter().sum();
        if longest.is_none_or(|(greatest, _)| length > greatest) {
            longest = Some((length, [upper, lower]));
        }
        lower = upper;
    }
    longest.map(|(_, pair)| pair)
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

/// Returns the number of bones from `bone` up to its root, including itself.
pub fn depth(skeleton: &Skeleton, bone: usize) -> usize {
    with_ancestors(skeleton, bone).count()
}

/// Iterates over the bone and its ancestors.
fn with_ancestors(skeleton: &Skeleton, bone: usize) -> impl Iterator<Item = usize> + '_ {
    let first = Some(bone).filter(|bone| *bone < skeleton.bones.len());
    std::iter::successors(first, |bone| parent_of(skeleton, *bone))
}

/// Returns the number of bones, from `bone` upwards, in its limb: at least one.
///
/// Going up, the trunk begins at a joint that carries more (in length of bones) than the branch with the
/// bone, or from which that branch leads aside, out of the plane of symmetry (x = that of the base). If
/// several roots start at the base, it is such a joint too. The first bone after that joint is a clavicle or
/// a hip, and not part of the limb, if it leads aside and is shorter than each of the two bones that follow.
/// If there is no such joint, the limb is everything except the root. A root that does not lead aside belongs
/// to no limb.
pub fn limb(skeleton: &Skeleton, bone: usize) -> u32 {
    let path: Vec<usize> = with_ancestors(skeleton, bone).collect();
    if path.is_empty() {
        return 1;
    }
    let tree = Tree::new(skeleton);
    let end = path.iter().position(|&bone| tree.leaves_trunk(skeleton, bone));
    let bones = match end {
        Some(end) if end > 0 && tree.is_girdle(skeleton, &path[..=end]) => end,
        // A root belongs to a limb only if it leads aside from the base.
        Some(end) if end > 0 && end + 1 == path.len() && !leads_aside(extent(skeleton, path[end])) => end,
        Some(end) => end + 1,
        None => (path.len() - 1).max(1),
    };
    // A link at the end rotates nothing.
    let links = path[1..bones].iter().rev();
    let links = links.take_while(|&&bone| skeleton.bones[bone].link).count();
    (bones - links) as u32
}

/// Measurements of a skeleton in its bind pose.
struct Tree {
    tips: Vec<DVec3>,
    /// The length of each bone and all its descendants.
    length: Vec<f64>,
    /// The total length of all roots and their descendants.
    total_length: f64,
    /// The greatest extent along an axis.
    size: f64,
}

impl Tree {
    fn new(skeleton: &Skeleton) -> Self {
        let tips = tips(skeleton, &bind_pose(skeleton));
        let mut length: Vec<f64> = skeleton.bones.iter().map(length_of).collect();
        let mut total_length = 0.0;
        for bone in (0..length.len()).rev() {
            match parent_of(skeleton, bone) {
                Some(parent) => length[parent] += length[bone],
                None => total_length += length[bone],
            }
        }
        let base = skeleton.base.as_dvec3();
        let (low, high) = tips.iter().fold((base, base), |(low, high), tip| (low.min(*tip), high.max(*tip)));
        Self { tips, length, total_length, size: (high - low).max_element() }
    }

    /// Whether the bone starts at a joint of the trunk, but is not part of the trunk itself.
    fn leaves_trunk(&self, skeleton: &Skeleton, bone: usize) -> bool {
        let base = skeleton.base.as_dvec3();
        let (start, rest) = match parent_of(skeleton, bone) {
            Some(parent) => {
                let descendants = self.length[parent] - length_of(&skeleton.bones[parent]);
                (self.tips[parent], descendants - self.length[bone])
            }
            None => (base, self.total_length - self.length[bone]),
        };
        let length = self.length[bone];
        // Ignore lengths within the rounding error.
        let forks = rest > 1e-9 * self.total_length;
        let in_plane = (start.x - base.x).abs() <= IN_PLANE * self.size;
        forks && (rest >= EVEN_FORK * length || in_plane && leads_aside(extent(skeleton, bone)))
    }

    /// Whether the last bone of an upward path is a clavicle or a hip.
    fn is_girdle(&self, skeleton: &Skeleton, path: &[usize]) -> bool {
        let [.., second, first] = *path else { return false };
        let third = match path {
            [.., third, _, _] => Some(*third),
            // The handle is on the second bone: the limb continues along the longest branch.
            _ => (0..self.length.len())
                .filter(|&bone| parent_of(skeleton, bone) == Some(second))
                .max_by(|&a, &b| self.length[a].total_cmp(&self.length[b])),
        };
        let is_longer = |bone: usize| length_of(&skeleton.bones[bone]) > length_of(&skeleton.bones[first]);
        leads_aside(extent(skeleton, first)) && is_longer(second) && third.is_some_and(is_longer)
    }
}

fn extent(skeleton: &Skeleton, bone: usize) -> DVec3 {
    skeleton.bones[bone].extent.as_dvec3()
}

fn length_of(bone: &crate::rig::skeleton::Bone) -> f64 {
    bone.extent.as_dvec3().length()
}

/// Whether a bone with this extent points out of the plane of symmetry.
pub(super) fn leads_aside(extent: DVec3) -> bool {
    extent.x.abs() > ASIDE * extent.length()
}
