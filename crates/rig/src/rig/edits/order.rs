//! The order of bones, parents before children, which is maintained when parents change, together with all
//! indices of bones.

use crate::rig::kinematics::parent_of;
use crate::rig::skeleton::Skeleton;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Sorts parents before children. Of the valid orders it chooses the first one by `key`, so that a skeleton
/// whose keys are already in order is unchanged. The input may have parents after their children.
///
/// Returns the new index of each bone; parents and handles are updated. `None`, with nothing changed, if a
/// bone would be its own ancestor or has a missing parent.
pub fn sort_by_key<K: Ord + Copy>(skeleton: &mut Skeleton, key: impl Fn(usize) -> K) -> Option<Vec<usize>> {
    let count = skeleton.bones.len();
    let mut children = vec![Vec::new(); count];
    let mut ready = BinaryHeap::new();
    for (bone, b) in skeleton.bones.iter().enumerate() {
        match b.parent {
            Some(parent) => children.get_mut(parent as usize)?.push(bone),
            None => ready.push(Reverse((key(bone), bone))),
        }
    }
    let mut order = Vec::with_capacity(count);
    while let Some(Reverse((_, bone))) = ready.pop() {
        order.push(bone);
        ready.extend(children[bone].iter().map(|&child| Reverse((key(child), child))));
    }
    if order.len() != count {
        return None;
    }
    let mut new_from_old = vec![0; count];
    for (new, &old) in order.iter().enumerate() {
        new_from_old[old] = new;
    }
    let new_index = |old: u32| new_from_old.get(old as usize).map_or(old, |&new| new as u32);
    let mut bones = Vec::with_capacity(count);
    for &old in &order {
        let mut bone = std::mem::take(&mut skeleton.bones[old]);
        bone.parent = bone.parent.map(new_index);
        bones.push(bone);
    }
    skeleton.bones = bones;
    for handle in &mut skeleton.handles {
        handle.bone = new_index(handle.bone);
    }
    Some(new_from_old)
}

/// Removes bones (a flag each), which must have no remaining children, and their handles. Returns the new
/// index of each remaining bone.
pub fn remove(skeleton: &mut Skeleton, removed: &[bool]) -> Vec<Option<usize>> {
    let mut count = 0;
    let new_index = |&removed: &bool| {
        count += usize::from(!removed);
        (!removed).then(|| count - 1)
    };
    let new_from_old: Vec<Option<usize>> = removed.iter().map(new_index).collect();
    let updated = |old: u32| {
        let new = new_from_old.get(old as usize).copied().flatten();
        new.map(|new| new as u32)
    };
    let mut stays = new_from_old.iter().map(Option::is_some);
    skeleton.bones.retain(|_| stays.next().unwrap_or(true));
    for bone in &mut skeleton.bones {
        bone.parent = bone.parent.and_then(updated);
    }
    skeleton.handles.retain_mut(|handle| {
        let bone = updated(handle.bone);
        handle.bone = bone.unwrap_or_default();
        bone.is_some()
    });
    new_from_old
}

/// Removes invalid parents, that is, those that do not come before their bones.
pub fn clean_parents(skeleton: &mut Skeleton) {
    for bone in 0..skeleton.bones.len() {
        let parent = parent_of(skeleton, bone);
        skeleton.bones[bone].parent = parent.map(|parent| parent as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::kinematics::with_descendants;
    use crate::rig::skeleton::{Bone, Handle};

    /// Returns bones with these parents; the channel ids are the indices, and each bone has a handle.
    fn skeleton(parents: &[Option<u32>]) -> Skeleton {
        let bone =
            |(id, &parent): (usize, &Option<u32>)| Bone { parent, channel_id: id as u32, ..Bone::default() };
        let handle = |id: usize| Handle {
            bone: id as u32,
            target: glam::Vec3::ZERO,
            enabled: false,
            channel_id: id as u32,
            ..Handle::default()
        };
        Skeleton {
            bones: parents.iter().enumerate().map(bone).collect(),
            handles: (0..parents.len()).map(handle).collect(),
            ..Skeleton::default()
        }
    }

    fn ids(skeleton: &Skeleton) -> Vec<u32> {
        skeleton.bones.iter().map(|b| b.channel_id).collect()
    }

    #[test]
    fn bones_move_only_if_they_must() {
        let mut sorted = skeleton(&[None, Some(0), Some(0), Some(1), None]);
        let before = sorted.clone();
        assert_eq!(sort_by_key(&mut sorted, |b| b), Some(vec![0, 1, 2, 3, 4]));
        assert_eq!(sorted, before);

        // 1 is now a child of 4; 3 still of 1.
        let mut moved = skeleton(&[None, Some(4), Some(0), Some(1), None]);
        assert_eq!(sort_by_key(&mut moved, |b| b), Some(vec![0, 3, 1, 4, 2]));
        assert_eq!(ids(&moved), [0, 2, 4, 1, 3]);
        let parents: Vec<_> = moved.bones.iter().map(|b| b.parent).collect();
        assert_eq!(parents, [None, Some(0), None, Some(2), Some(3)]);
        for handle in &moved.handles {
            assert_eq!(moved.bones[handle.bone as usize].channel_id, handle.channel_id);
        }
    }

    #[test]
    fn circles_and_missing_parents_change_nothing() {
        for parents in [&[None, Some(2), Some(1)][..], &[Some(0)], &[None, Some(9)]] {
            let mut skeleton = skeleton(parents);
            let before = skeleton.clone();
            assert_eq!(sort_by_key(&mut skeleton, |b| b), None);
            assert_eq!(skeleton, before);
        }
    }

    #[test]
    fn removing_shifts_the_remaining_bones() {
        let mut skeleton = skeleton(&[None, Some(0), Some(0), Some(2)]);
        let new_from_old = remove(&mut skeleton, &[false, true, false, false]);
        assert_eq!(new_from_old, [Some(0), None, Some(1), Some(2)]);
        assert_eq!(ids(&skeleton), [0, 2, 3]);
        assert_eq!(skeleton.bones[2].parent, Some(1));
        let bones_of_handles: Vec<_> = skeleton.handles.iter().map(|h| (h.channel_id, h.bone)).collect();
        assert_eq!(bones_of_handles, [(0, 0), (2, 1), (3, 2)]);
    }

    #[test]
    fn descendants_are_found_at_any_depth() {
        let skeleton = skeleton(&[None, Some(0), Some(1), Some(0), Some(2), None]);
        assert_eq!(with_descendants(&skeleton, &[1]), [false, true, true, false, true, false]);
    }
}
