//! The order of bones, parents before children: kept through changes of parents, together with
//! everything that names bones by index.

use crate::rig::kinematics::parent_of;
use crate::rig::skeleton::Skeleton;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Puts parents before children. Among the orders that do so it takes the one that is first by `key`, so
/// that a skeleton whose keys are already in order stays as it is. Parents may come after their bones here.
///
/// Returns the new index of each bone; parents and handles follow. `None` if a bone would be its own
/// ancestor or have a parent that is not there: the skeleton is then as it was.
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
    let place = |old: u32| new_from_old.get(old as usize).map_or(old, |&new| new as u32);
    let mut bones = Vec::with_capacity(count);
    for &old in &order {
        let mut bone = std::mem::take(&mut skeleton.bones[old]);
        bone.parent = bone.parent.map(place);
        bones.push(bone);
    }
    skeleton.bones = bones;
    for handle in &mut skeleton.handles {
        handle.bone = place(handle.bone);
    }
    Some(new_from_old)
}

/// Removes bones (a flag each), which must have no children that stay; handles on them go too. Returns
/// the new index of each bone that is left.
pub fn remove(skeleton: &mut Skeleton, gone: &[bool]) -> Vec<Option<usize>> {
    let mut left = 0;
    let place = |&gone: &bool| {
        left += usize::from(!gone);
        (!gone).then(|| left - 1)
    };
    let new_from_old: Vec<Option<usize>> = gone.iter().map(place).collect();
    let now = |old: u32| {
        let new = new_from_old.get(old as usize).copied().flatten();
        new.map(|new| new as u32)
    };
    let mut stays = new_from_old.iter().map(Option::is_some);
    skeleton.bones.retain(|_| stays.next().unwrap_or(true));
    for bone in &mut skeleton.bones {
        bone.parent = bone.parent.and_then(now);
    }
    skeleton.handles.retain_mut(|handle| {
        let bone = now(handle.bone);
        handle.bone = bone.unwrap_or_default();
        bone.is_some()
    });
    new_from_old
}

/// Makes parents that count as none (those that do not come before their bones) none.
pub fn clean_parents(skeleton: &mut Skeleton) {
    for bone in 0..skeleton.bones.len() {
        let parent = parent_of(skeleton, bone);
        skeleton.bones[bone].parent = parent.map(|parent| parent as u32);
    }
}

/// The given bones and all their descendants, per bone.
pub fn with_descendants(skeleton: &Skeleton, bones: &[usize]) -> Vec<bool> {
    let mut inside = vec![false; skeleton.bones.len()];
    for bone in 0..inside.len() {
        let parent = parent_of(skeleton, bone);
        inside[bone] = bones.contains(&bone) || parent.is_some_and(|parent| inside[parent]);
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::{Bone, Handle};

    /// Bones with these parents; channel ids are the indices; a handle on each.
    fn skeleton(parents: &[Option<u32>]) -> Skeleton {
        let bone = |(id, &parent): (usize, &Option<u32>)| Bone {
            parent,
            channel_id: id as u32,
            ..Bone::default()
        };
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
    fn only_what_must_move_moves() {
        let mut sorted = skeleton(&[None, Some(0), Some(0), Some(1), None]);
        let before = sorted.clone();
        assert_eq!(sort_by_key(&mut sorted, |b| b), Some(vec![0, 1, 2, 3, 4]));
        assert_eq!(sorted, before);

        // 1 is a child of 4 now; 3 of 1, as before.
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
    fn removing_shifts_what_is_left() {
        let mut skeleton = skeleton(&[None, Some(0), Some(0), Some(2)]);
        let left = remove(&mut skeleton, &[false, true, false, false]);
        assert_eq!(left, [Some(0), None, Some(1), Some(2)]);
        assert_eq!(ids(&skeleton), [0, 2, 3]);
        assert_eq!(skeleton.bones[2].parent, Some(1));
        let on: Vec<_> = skeleton.handles.iter().map(|h| (h.channel_id, h.bone)).collect();
        assert_eq!(on, [(0, 0), (2, 1), (3, 2)]);
    }

    #[test]
    fn descendants_are_found_at_any_depth() {
        let skeleton = skeleton(&[None, Some(0), Some(1), Some(0), Some(2), None]);
        assert_eq!(
            with_descendants(&skeleton, &[1]),
            [false, true, true, false, true, false]
        );
    }
}
