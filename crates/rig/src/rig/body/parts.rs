//! The bones of a body part: an arm from the trunk to its fingertips, or the trunk with the head.

use super::middle::BothSides;
use crate::rig::body::limb::limb;
use crate::rig::kinematics::{parent_of, with_descendants};
use crate::rig::skeleton::Skeleton;

/// Returns, for each bone, whether it belongs to the same body part as one of `bones`. For a bone off the
/// middle plane, that is its limb with all descendants; for a bone in the middle, that limb (a neck, a tail)
/// or the whole trunk, without the limbs at its sides.
pub fn body_parts(skeleton: &Skeleton, bones: &[usize]) -> Vec<bool> {
    let others = BothSides::new(skeleton).others;
    let is_middle = |bone: usize| others[bone] == Some(bone);
    let mut included = vec![false; skeleton.bones.len()];
    for &bone in bones.iter().filter(|bone| **bone < skeleton.bones.len()) {
        let top = (1..limb(skeleton, bone)).try_fold(bone, |bone, _| parent_of(skeleton, bone));
        let part = with_descendants(skeleton, &[top.unwrap_or(bone)]);
        for (other, _) in part.iter().enumerate().filter(|(_, in_part)| **in_part) {
            included[other] |= !is_middle(bone) || is_middle(other);
        }
    }
    included
}
