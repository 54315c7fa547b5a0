//! How far up a handle reaches: the chain of bones that it turns, and which of them are a limb.
//!
//! A limb ends where its bones leave the trunk. Shapes say where that is, not names: see [`limb`].

use crate::rig::kinematics::{bind_pose, parent_of, parent_past_links, tips};
use crate::rig::skeleton::{Handle, Skeleton};
use glam::DVec3;

/// Where a branch has at least this part of what else descends from a joint, it may be the trunk that goes on.
const EVEN: f64 = 0.9;
/// A bone leads aside where this part of its length goes across the plane of symmetry.
const ASIDE: f64 = 0.25;
/// Joints are in the plane of symmetry up to this part of the skeleton's size.
pub(super) const IN_PLANE: f64 = 0.02;

/// The bones that a handle turns, from the one that it pulls upwards.
pub fn chain<'a>(skeleton: &'a Skeleton, handle: &Handle) -> impl Iterator<Item = usize> + 'a {
    let most = handle.chain.map_or(usize::MAX, |bones| bones.max(1) as usize);
    upwards(skeleton, handle.bone as usize).take(most)
}

/// How many bones of the longest chain of `handles` are left at each bone, itself included: 0 where none turns it.
pub fn turned<'a>(skeleton: &Skeleton, handles: impl IntoIterator<Item = &'a Handle>) -> Vec<u32> {
    let mut left = Vec::new();
    turned_into(skeleton, handles, &mut left);
    left
}

/// As [`turned`], in place.
pub fn turned_into<'a>(
    skeleton: &Skeleton,
    handles: impl IntoIterator<Item = &'a Handle>,
    left: &mut Vec<u32>,
) {
    left.clear();
    left.resize(skeleton.bones.len(), 0);
    for handle in handles {
        if let Some(left) = left.get_mut(handle.bone as usize) {
            *left = handle.chain.unwrap_or(u32::MAX).max(1).max(*left);
        }
        if let Some(toes) = kept_flat(skeleton, handle) {
            left[toes] = left[toes].max(1);
        }
    }
    for bone in (0..left.len()).rev() {
        if let Some(parent) = parent_of(skeleton, bone) {
            left[parent] = left[parent].max(left[bone].saturating_sub(1));
        }
    }
}

/// What keeps its orientation with a bone that is pinned with its own, as toes do where the heel has to lift: the only
/// bone that goes on from it, if it has at most a leaf as child and no handle pulls at it.
pub fn kept_flat(skeleton: &Skeleton, handle: &Handle) -> Option<usize> {
    handle
        .orientation
        .filter(|kept| handle.pinned && kept.weight > 0.0)?;
    let bones = skeleton.bones.len();
    let on = |bone: usize| (bone + 1..bones).filter(move |other| parent_of(skeleton, *other) == Some(bone));
    let mut first = on(handle.bone as usize);
    let toes = first
        .next()
        .filter(|toes| first.next().is_none() && !skeleton.bones[*toes].link)?;
    let ends = on(toes).count() <= 1 && on(toes).all(|end| on(end).next().is_none());
    let is_pulled = skeleton.handles.iter().any(|other| {
        let bone = other.bone as usize;
        skeleton.pulls(other) && (bone == toes || parent_of(skeleton, bone) == Some(toes))
    });
    (ends && !is_pulled).then_some(toes)
}

/// The two longest neighbours in the chain of a handle, the upper one first: between them is the elbow or knee. `None`
/// for a chain of one bone.
pub fn bend(skeleton: &Skeleton, handle: &Handle) -> Option<[usize; 2]> {
    let mut left = handle.chain.unwrap_or(u32::MAX).max(1) as usize;
    let mut lower = handle.bone as usize;
    let mut longest: Option<(f32, [usize; 2])> = None;
    while let Some(upper) = parent_past_links(skeleton, lower) {
        // Links between count as bones of the chain.
        let mut at = lower;
        while at != upper && left > 0 {
            at = parent_of(skeleton, at)?;
            left -= 1;
        }
        if left == 0 {
            break;
        }
        let length: f32 = [upper, lower]
            .map(|bone| skeleton.bones[bone].extent.length())
            .iter()
            .sum();
        if longest.is_none_or(|(most, _)| length > most) {
            longest = Some((length, [upper, lower]));
        }
        lower = upper;
    }
    longest.map(|(_, pair)| pair)
}

/// Adds `more` bones to the chains of handles that turn all of `bones`, before one of them is cut or removed: so that
/// chains still end where they did.
pub fn lengthen(skeleton: &mut Skeleton, bones: &[usize], more: i64) {
    for at in 0..skeleton.handles.len() {
        let handle = &skeleton.handles[at];
        let Some(count) = handle.chain else { continue };
        let turned = chain(skeleton, handle)
            .filter(|bone| bones.contains(bone))
            .count();
        if turned == bones.len() {
            let count = (i64::from(count) + more).clamp(1, i64::from(u32::MAX));
            skeleton.handles[at].chain = Some(count as u32);
        }
    }
}

/// The first bone of a handle's chain, and how far the tip can get from where that starts, in skeleton units: as long as
/// the chain is stretched. `None` where the handle has no bone.
pub fn span(skeleton: &Skeleton, handle: &Handle) -> Option<(usize, f64)> {
    let first = chain(skeleton, handle).last()?;
    let lengths = chain(skeleton, handle).map(|bone| skeleton.bones[bone].extent.as_dvec3().length());
    Some((first, lengths.sum()))
}

/// How many bones there are from `bone` up to its root, itself included.
pub fn depth(skeleton: &Skeleton, bone: usize) -> usize {
    upwards(skeleton, bone).count()
}

/// The bone and its ancestors.
fn upwards(skeleton: &Skeleton, bone: usize) -> impl Iterator<Item = usize> + '_ {
    let first = Some(bone).filter(|bone| *bone < skeleton.bones.len());
    std::iter::successors(first, |bone| parent_of(skeleton, *bone))
}

/// How many bones, from `bone` upwards, are the limb that it is part of: at least the bone itself.
///
/// Going up, the trunk begins at a joint that carries more than the branch that comes from the bone (in length
/// of bones), or from which that branch leads aside, out of the plane of symmetry (x = that of the base). Where
/// several roots start, the base is such a joint too. The first bone behind it is a clavicle or a hip, and not part
/// of the limb, if it leads aside and is shorter than each of the two that follow. Where no joint is a
/// beginning of the trunk, the limb is all but the root. A root that does not lead aside is of no limb.
pub fn limb(skeleton: &Skeleton, bone: usize) -> u32 {
    let path: Vec<usize> = upwards(skeleton, bone).collect();
    if path.is_empty() {
        return 1;
    }
    let tree = Tree::new(skeleton);
    let end = path.iter().position(|&bone| tree.leaves_trunk(skeleton, bone));
    let bones = match end {
        Some(end) if end > 0 && tree.is_girdle(skeleton, &path[..=end]) => end,
        // A root is of a limb only where it leads away from the base like one.
        Some(end) if end > 0 && end + 1 == path.len() && !leads_aside(extent(skeleton, path[end])) => end,
        Some(end) => end + 1,
        None => (path.len() - 1).max(1),
    };
    // A link at the end turns nothing.
    let links = path[1..bones].iter().rev();
    let links = links.take_while(|&&bone| skeleton.bones[bone].link).count();
    (bones - links) as u32
}

/// Measures of a skeleton in its bind pose.
struct Tree {
    tips: Vec<DVec3>,
    /// Length of a bone and of all its descendants.
    length: Vec<f64>,
    /// The length of all roots together.
    whole: f64,
    /// Largest extent along an axis.
    size: f64,
}

impl Tree {
    fn new(skeleton: &Skeleton) -> Self {
        let tips = tips(skeleton, &bind_pose(skeleton));
        let mut length: Vec<f64> = skeleton.bones.iter().map(length_of).collect();
        let mut whole = 0.0;
        for bone in (0..length.len()).rev() {
            match parent_of(skeleton, bone) {
                Some(parent) => length[parent] += length[bone],
                None => whole += length[bone],
            }
        }
        let base = skeleton.base.as_dvec3();
        let (low, high) = tips
            .iter()
            .fold((base, base), |(low, high), tip| (low.min(*tip), high.max(*tip)));
        Self {
            tips,
            length,
            whole,
            size: (high - low).max_element(),
        }
    }

    /// Whether the bone starts at a joint of the trunk, and is not of the trunk itself.
    fn leaves_trunk(&self, skeleton: &Skeleton, bone: usize) -> bool {
        let base = skeleton.base.as_dvec3();
        let (start, rest) = match parent_of(skeleton, bone) {
            Some(parent) => {
                let below = self.length[parent] - length_of(&skeleton.bones[parent]);
                (self.tips[parent], below - self.length[bone])
            }
            None => (base, self.whole - self.length[bone]),
        };
        let own = self.length[bone];
        // What is nothing but rounding belongs to no joint.
        let forks = rest > 1e-9 * self.whole;
        let in_plane = (start.x - base.x).abs() <= IN_PLANE * self.size;
        forks && (rest >= EVEN * own || in_plane && leads_aside(extent(skeleton, bone)))
    }

    /// Whether the last bone of a path upwards is a clavicle or a hip.
    fn is_girdle(&self, skeleton: &Skeleton, path: &[usize]) -> bool {
        let [.., second, first] = *path else { return false };
        let third = match path {
            [.., third, _, _] => Some(*third),
            // The handle is on the second: the limb goes on along the longest branch.
            _ => (0..self.length.len())
                .filter(|&bone| parent_of(skeleton, bone) == Some(second))
                .max_by(|&a, &b| self.length[a].total_cmp(&self.length[b])),
        };
        let long = |bone: usize| length_of(&skeleton.bones[bone]) > length_of(&skeleton.bones[first]);
        leads_aside(extent(skeleton, first)) && long(second) && third.is_some_and(long)
    }
}

fn extent(skeleton: &Skeleton, bone: usize) -> DVec3 {
    skeleton.bones[bone].extent.as_dvec3()
}

fn length_of(bone: &crate::rig::skeleton::Bone) -> f64 {
    bone.extent.as_dvec3().length()
}

/// Whether a bone with this extent leads out of the plane of symmetry.
pub(super) fn leads_aside(extent: DVec3) -> bool {
    extent.x.abs() > ASIDE * extent.length()
}
