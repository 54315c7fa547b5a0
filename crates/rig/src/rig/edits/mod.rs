//! Edits of a skeleton that keep it valid: the order of bones, tips of children, handles, weights.
//!
//! Indices out of range change nothing. Channels and undo are handled elsewhere.

pub mod links;
pub mod mirror;
pub mod names;
pub mod order;
pub mod radius;
pub mod rename;
pub mod roll;
pub mod symmetry;
pub mod tree;
pub mod turn;
pub mod weights;

use super::ik::chain::lengthen;
use super::kinematics::{bind_pose, parent_of, parent_past_links};
use super::skeleton::{Bone, Skeleton};
use glam::Vec3;
pub use weights::remove_bone_weights;

/// Appends a bone that starts at the tip of `parent` (or at the base), with the channel id `channel_id` and a
/// unique name. Returns its index.
pub fn add_bone(
    skeleton: &mut Skeleton,
    parent: Option<usize>,
    extent: Vec3,
    radius: f32,
    channel_id: u32,
) -> usize {
    let index = skeleton.bones.len();
    let name = names::unique(skeleton, names::NEW_BONE, None);
    skeleton.bones.push(Bone {
        extent,
        radius,
        name: Some(name.into()),
        parent: parent.filter(|&p| p < index).and_then(|p| u32::try_from(p).ok()),
        channel_id,
        ..Bone::default()
    });
    index
}

/// Deletes a bone. Its children are attached to its parent and gain its extent, so that their tips stay; its
/// handles are deleted; higher indices shift down by one. Weights are remapped with [`remove_bone_weights`].
pub fn delete_bone(skeleton: &mut Skeleton, bone: usize) {
    if bone >= skeleton.bones.len() {
        return;
    }
    lengthen(skeleton, &[bone], -1);
    for child in children(skeleton, bone) {
        skeleton.bones[child].parent = skeleton.bones[bone].parent;
        let extent = sum(skeleton.bones[bone].extent, skeleton.bones[child].extent);
        skeleton.bones[child].extent = extent;
    }
    skeleton.bones.remove(bone);
    for parent in skeleton.bones.iter_mut().filter_map(|b| b.parent.as_mut()) {
        if *parent as usize > bone {
            *parent -= 1;
        }
    }
    skeleton.handles.retain(|handle| handle.bone as usize != bone);
    for handle in &mut skeleton.handles {
        if handle.bone as usize > bone {
            handle.bone -= 1;
        }
    }
}

/// Sets the extent of a bone; its children change theirs so that their tips stay in the bind pose.
pub fn move_tip(skeleton: &mut Skeleton, bone: usize, extent: Vec3) {
    if bone >= skeleton.bones.len() || skeleton.bones[bone].extent == extent {
        return;
    }
    for child in children(skeleton, bone) {
        let tip = skeleton.bones[bone].extent.as_dvec3() + skeleton.bones[child].extent.as_dvec3();
        skeleton.bones[child].extent = (tip - extent.as_dvec3()).as_vec3();
    }
    skeleton.bones[bone].extent = extent;
}

/// Moves the start and tip of a bone to positions in skeleton space, in the bind pose. Its parent's tip, or
/// for a root the base, moves to the new start. All other tips stay.
pub fn move_bone(skeleton: &mut Skeleton, bone: usize, start: Vec3, tip: Vec3) {
    if bone >= skeleton.bones.len() {
        return;
    }
    match parent_of(skeleton, bone) {
        Some(parent) => {
            let parent_start = bind_pose(skeleton)[parent].translation;
            move_tip(skeleton, parent, (start.as_dvec3() - parent_start).as_vec3());
        }
        None => {
            let moved = start.as_dvec3() - skeleton.base.as_dvec3();
            skeleton.base = start;
            let roots = (0..skeleton.bones.len()).filter(|&b| parent_of(skeleton, b).is_none());
            for root in roots.collect::<Vec<_>>() {
                let extent = &mut skeleton.bones[root].extent;
                *extent = (extent.as_dvec3() - moved).as_vec3();
            }
        }
    }
    let extent = (tip.as_dvec3() - bind_pose(skeleton)[bone].translation).as_vec3();
    move_tip(skeleton, bone, extent);
}

/// Returns the children of a bone.
pub fn children(skeleton: &Skeleton, bone: usize) -> Vec<usize> {
    (0..skeleton.bones.len()).filter(|&b| parent_of(skeleton, b) == Some(bone)).collect()
}

/// Returns for each bone its place in the tree as the window shows it: depth first, children in the order of the
/// skeleton, those of a link among the children of the link's parent.
pub fn tree_ranks(skeleton: &Skeleton) -> Vec<usize> {
    let count = skeleton.bones.len();
    let mut children = vec![Vec::new(); count];
    let mut stack = Vec::new();
    for bone in (0..count).rev() {
        match parent_past_links(skeleton, bone) {
            Some(parent) => children[parent].push(bone),
            None => stack.push(bone),
        }
    }
    let mut ranks = vec![count; count];
    let mut rank = 0;
    while let Some(bone) = stack.pop() {
        ranks[bone] = rank;
        rank += 1;
        stack.append(&mut children[bone]);
    }
    ranks
}

fn sum(a: Vec3, b: Vec3) -> Vec3 {
    (a.as_dvec3() + b.as_dvec3()).as_vec3()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::kinematics::{bind_pose, tips};
    use crate::rig::skeleton::Handle;
    use glam::DVec3;

    /// Returns a skeleton with root 0 with children 1 and 2; 3 under 1; 4 another root.
    fn tree() -> Skeleton {
        let mut skeleton = Skeleton { base: Vec3::new(0.5, 0.0, 0.0), ..Skeleton::default() };
        let parents = [None, Some(0), Some(0), Some(1), None];
        for (i, parent) in parents.into_iter().enumerate() {
            let k = i as f32;
            add_bone(&mut skeleton, parent, Vec3::new(k, 1.0, -k), 0.5, 10 + i as u32);
            skeleton.handles.push(Handle {
                bone: i as u32,
                target: Vec3::ZERO,
                enabled: true,
                channel_id: i as u32,
                ..Handle::default()
            });
        }
        skeleton
    }

    fn bind_tips(skeleton: &Skeleton) -> Vec<DVec3> {
        tips(skeleton, &bind_pose(skeleton))
    }

    #[test]
    fn deleting_a_bone_keeps_all_other_tips() {
        for deleted in 0..5 {
            let mut skeleton = tree();
            let mut expected = bind_tips(&skeleton);
            expected.remove(deleted);
            delete_bone(&mut skeleton, deleted);
            assert_eq!(bind_tips(&skeleton), expected, "deleted {deleted}");
            let ids: Vec<_> = skeleton.bones.iter().map(|b| b.channel_id).collect();
            let expected_ids: Vec<_> = (0..5).filter(|&i| i != deleted).map(|i| 10 + i as u32).collect();
            assert_eq!(ids, expected_ids);
            // Each remaining handle is still on its original bone.
            assert_eq!(skeleton.handles.len(), 4);
            for handle in &skeleton.handles {
                assert_eq!(skeleton.bones[handle.bone as usize].channel_id, 10 + handle.channel_id);
            }
        }
    }

    #[test]
    fn deleting_all_bones_one_by_one_leaves_none() {
        let mut skeleton = tree();
        for _ in 0..5 {
            delete_bone(&mut skeleton, 0);
        }
        assert!(skeleton.bones.is_empty() && skeleton.handles.is_empty());
        delete_bone(&mut skeleton, 0);
    }

    #[test]
    fn moving_a_tip_moves_only_that_tip() {
        let mut skeleton = tree();
        let mut expected = bind_tips(&skeleton);
        move_tip(&mut skeleton, 0, Vec3::new(-0.5, 2.0, 0.25));
        expected[0] = DVec3::new(0.0, 2.0, 0.25);
        assert_eq!(bind_tips(&skeleton), expected);
    }

    #[test]
    fn moving_a_bone_moves_its_two_ends_and_no_other_tip() {
        let (start, tip) = (Vec3::new(2.0, -1.0, 0.5), Vec3::new(3.0, 1.0, 0.25));
        for bone in 0..5 {
            let mut skeleton = tree();
            let mut expected = bind_tips(&skeleton);
            move_bone(&mut skeleton, bone, start, tip);
            expected[bone] = tip.as_dvec3();
            match tree().bones[bone].parent {
                Some(parent) => expected[parent as usize] = start.as_dvec3(),
                None => assert_eq!(skeleton.base, start),
            }
            assert_eq!(bind_pose(&skeleton)[bone].translation, start.as_dvec3());
            assert_eq!(bind_tips(&skeleton), expected, "moved {bone}");
            let moved_once = skeleton.clone();
            move_bone(&mut skeleton, bone, start, tip);
            assert_eq!(skeleton, moved_once);
        }
    }

    #[test]
    fn a_missing_parent_makes_a_root() {
        let mut skeleton = tree();
        let bone = add_bone(&mut skeleton, Some(99), Vec3::Y, 0.1, 7);
        assert_eq!((bone, skeleton.bones[bone].parent), (5, None));
    }

    #[test]
    fn the_place_in_the_tree_is_depth_first() {
        let bone = |parent| Bone { parent, ..Bone::default() };
        // 0 has the children 1 and 3; 2 hangs on 1; 4 is a second root.
        let skeleton = Skeleton {
            bones: [None, Some(0), Some(1), Some(0), None].map(bone).into(),
            ..Skeleton::default()
        };
        assert_eq!(tree_ranks(&skeleton), [0, 1, 2, 3, 4]);
        let skeleton = Skeleton {
            bones: [None, Some(0), Some(0), Some(1), Some(2)].map(bone).into(),
            ..Skeleton::default()
        };
        assert_eq!(tree_ranks(&skeleton), [0, 1, 3, 2, 4]);
    }
}
