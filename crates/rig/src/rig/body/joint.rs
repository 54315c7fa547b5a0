//! Elbows and knees: the joint between the two long bones of a limb.

use super::axes::BodyAxes;
use super::limb::{depth, limb};
use crate::rig::kinematics::{parent_of, parent_past_links};
use crate::rig::skeleton::{Handle, Skeleton};

/// The distance of a joint from the line between the ends, as a fraction of the limb's length, below which
/// the limb counts as straight.
pub const STRAIGHT: f64 = 0.02;

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

/// Whether a bone is in the plane of symmetry of a skeleton that forks above it, like the bones of a neck or
/// a tail.
pub fn is_in_middle(skeleton: &Skeleton, bone: usize) -> bool {
    let with_ancestors = |from: usize| std::iter::successors(Some(from), |&bone| parent_of(skeleton, bone));
    let forks = with_ancestors(bone).any(|bone| {
        let is_sibling =
            |other: &usize| *other != bone && parent_of(skeleton, *other) == parent_of(skeleton, bone);
        parent_of(skeleton, bone).is_some() && (0..skeleton.bones.len()).any(|other| is_sibling(&other))
    });
    let axes = BodyAxes::new(skeleton);
    forks && with_ancestors(bone).all(|bone| !axes.leads_aside(skeleton.bones[bone].extent.as_dvec3()))
}

/// Returns, for any bone of a limb from the upper long bone to the end, the lower of the two long bones, and
/// the number of bones, including links, from it up to the upper one. `None` for bones that are not part of a
/// limb with an elbow or knee.
pub fn two_bones(skeleton: &Skeleton, bone: usize) -> Option<(usize, u32)> {
    let lower_of = |lower: usize| {
        let found = two_bones_above(skeleton, lower);
        found.filter(|_| parent_past_links(skeleton, lower) == Some(bone))
    };
    let length = |bone: usize| skeleton.bones[bone].extent.length();
    let from_children = || {
        let children = (bone + 1..skeleton.bones.len()).filter_map(lower_of);
        children.max_by(|a, b| length(a.0).total_cmp(&length(b.0)))
    };
    two_bones_above(skeleton, bone).or_else(from_children)
}

/// Like [`two_bones`], for a bone from the lower long bone to the end.
fn two_bones_above(skeleton: &Skeleton, bone: usize) -> Option<(usize, u32)> {
    let handle =
        Handle { bone: u32::try_from(bone).ok()?, chain: Some(limb(skeleton, bone)), ..Handle::default() };
    let [upper, lower] = bend_bones(skeleton, &handle)?;
    let bones = depth(skeleton, lower) - depth(skeleton, upper) + 1;
    Some((lower, bones as u32))
}
