//! Limits from the poses that a person shows.

use super::Limits;
use crate::rig::skeleton::Bone;

/// Sets the limits of bones from the pose that they are in: see [`Limits::from_pose`]. Given again in another pose, the
/// ranges grow to hold both.
pub fn from_pose(bones: &mut [Bone], which: &[usize]) {
    for &bone in which {
        let Some(bone) = bones.get_mut(bone).filter(|bone| !bone.link) else {
            continue;
        };
        let Limits(found) = Limits::from_pose(bone.pose_deg);
        for (range, found) in bone.limits_deg.0.iter_mut().zip(found) {
            *range = match (*range, found) {
                (Some([low, high]), Some([l, h])) => Some([low.min(l), high.max(h)]),
                (_, found) => found,
            };
        }
    }
}
