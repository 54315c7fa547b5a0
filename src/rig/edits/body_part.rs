//! Which bones a body part consists of: an arm from where it leaves the trunk to its fingertips, or the trunk with the head.

use super::order::with_descendants;
use super::sides::other_sides;
use super::symmetry::AXIS;
use crate::rig::ik::chain::limb;
use crate::rig::kinematics::parent_of;
use crate::rig::skeleton::Skeleton;

/// The bones of the parts that `bones` belong to, per bone. Of a bone beside the middle: the limb that it is of, with all
/// that hangs on it. Of one in the middle: that limb (a neck, a tail), or the whole trunk, without what hangs on its sides.
pub fn body_parts(skeleton: &Skeleton, bones: &[usize]) -> Vec<bool> {
    let others = other_sides(skeleton, AXIS);
    let is_middle = |bone: usize| others[bone] == Some(bone);
    let mut inside = vec![false; skeleton.bones.len()];
    for &bone in bones.iter().filter(|bone| **bone < skeleton.bones.len()) {
        let up = (1..limb(skeleton, bone)).try_fold(bone, |bone, _| parent_of(skeleton, bone));
        let part = with_descendants(skeleton, &[up.unwrap_or(bone)]);
        for (other, _) in part.iter().enumerate().filter(|(_, of_part)| **of_part) {
            inside[other] |= !is_middle(bone) || is_middle(other);
        }
    }
    inside
}
