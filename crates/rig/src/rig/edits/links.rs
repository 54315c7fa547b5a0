//! Link bones: bones whose only purpose is to carry the start of another bone away from its parent's tip,
//! since a bone in a js3d file starts where its parent ends. They move no vertex, are not rotated, and are
//! hidden from users: a child of a link counts as a child of the link's parent.
//!
//! The New Bone tool creates one link per bone. Deleting a bone that starts at a link leaves its children
//! there, so a link can come to carry several bones. If some of these move away, they get a copy of the link
//! ([`split_shared`]).

use super::order;
use crate::rig::kinematics::{bind_tips, child_start, link_of, parent_of};
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};

/// A bone whose start is closer than this to its parent's tip, as a fraction of its distance from the base,
/// needs no link.
const NO_LINK_DISTANCE: f64 = 1e-6;

/// Appends a bone that starts at `start` (skeleton space, bind pose), as a child of `parent` or as a root,
/// with a link before it if `start` is not the parent's tip. `channel_ids` are those of the bone and the
/// link. Returns the index of the bone.
pub fn add_linked_bone(
    skeleton: &mut Skeleton,
    parent: Option<usize>,
    start: Vec3,
    (extent, radius): (Vec3, f32),
    channel_ids: [u32; 2],
) -> usize {
    let from = child_start(skeleton, &bind_tips(skeleton), parent);
    let offset = start.as_dvec3() - from;
    let [id, link_id] = channel_ids;
    if !is_link_needed(offset, start.as_dvec3() - skeleton.base.as_dvec3()) {
        return super::add_bone(skeleton, parent, extent, radius, id);
    }
    let link = super::add_bone(skeleton, parent, offset.as_vec3(), 0.0, link_id);
    let link_bone = &mut skeleton.bones[link];
    (link_bone.link, link_bone.name) = (true, None);
    super::add_bone(skeleton, Some(link), extent, radius, id)
}

pub(super) fn is_link_needed(offset: DVec3, from_base: DVec3) -> bool {
    offset.length() > NO_LINK_DISTANCE * from_base.length().max(f64::MIN_POSITIVE)
}

/// Returns `bones` and the links that carry them, in ascending order without duplicates.
pub fn with_links(skeleton: &Skeleton, bones: &[usize]) -> Vec<usize> {
    let mut all = bones.to_vec();
    for &bone in bones {
        let mut next = link_of(skeleton, bone);
        while let Some(link) = next {
            all.push(link);
            next = link_of(skeleton, link);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the links that carry some of `bones` and also others, in ascending order.
fn shared_links(skeleton: &Skeleton, bones: &[usize]) -> Vec<usize> {
    let mut links: Vec<usize> = bones.iter().filter_map(|&bone| link_of(skeleton, bone)).collect();
    links.sort_unstable();
    links.dedup();
    links.retain(|&link| {
        let mut carried = super::children(skeleton, link).into_iter();
        carried.any(|child| !bones.contains(&child))
    });
    links
}

/// The number of links that [`split_shared`] creates.
pub fn shared_count(skeleton: &Skeleton, bones: &[usize]) -> usize {
    shared_links(skeleton, bones).len()
}

/// Separates `bones` from others that start at the same link by giving them a copy of it, so that it can move
/// without those. `channel_ids` are the ids for the copies, at least [`shared_count`]. Returns the new index
/// of each old bone; `None`, with nothing changed, if there are too few ids.
pub fn split_shared(skeleton: &mut Skeleton, bones: &[usize], channel_ids: &[u32]) -> Option<Vec<usize>> {
    let links = shared_links(skeleton, bones);
    let count = skeleton.bones.len();
    let mut changed = skeleton.clone();
    // A copy is placed just before the first bone that it carries.
    let mut keys: Vec<(usize, usize)> = (0..count).map(|bone| (bone, 1)).collect();
    for (i, &link) in links.iter().enumerate() {
        let mut copy = skeleton.bones[link].clone();
        copy.channel_id = *channel_ids.get(i)?;
        changed.bones.push(copy);
        let carried = bones.iter().filter(|bone| link_of(skeleton, **bone) == Some(link));
        let mut first = count;
        for &bone in carried {
            changed.bones[bone].parent = Some((count + i) as u32);
            first = first.min(bone);
        }
        keys.push((first, 0));
    }
    let mut new_from_old = order::sort_by_key(&mut changed, |bone| keys[bone])?;
    new_from_old.truncate(count);
    *skeleton = changed;
    Some(new_from_old)
}

/// Removes links that no longer carry a bone. Returns the new index of each bone.
pub fn prune(skeleton: &mut Skeleton) -> Vec<Option<usize>> {
    let count = skeleton.bones.len();
    let mut carries = vec![false; count];
    let mut removed = vec![false; count];
    for bone in (0..count).rev() {
        removed[bone] = skeleton.bones[bone].link && !carries[bone];
        if let Some(parent) = parent_of(skeleton, bone).filter(|_| !removed[bone]) {
            carries[parent] = true;
        }
    }
    order::remove(skeleton, &removed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::body::mirror_plane::MirrorPlane;
    use crate::rig::edits::mirror::mirror;
    use crate::rig::edits::{delete_bone, tree};
    use crate::rig::kinematics::{bind_pose, parent_past_links};

    /// A pelvis that goes up from the base, a spine on it, and a left leg that starts next to the start of
    /// the pelvis.
    fn hips() -> Skeleton {
        let mut skeleton = Skeleton { base: Vec3::new(0.0, 1.0, 0.0), ..Skeleton::default() };
        super::super::add_bone(&mut skeleton, None, Vec3::Y * 0.2, 0.1, 1);
        super::super::add_bone(&mut skeleton, Some(0), Vec3::Y * 0.3, 0.1, 2);
        let hip = Vec3::new(0.1, 0.95, 0.0);
        let thigh = add_linked_bone(&mut skeleton, Some(0), hip, (Vec3::Y * -0.4, 0.05), [3, 4]);
        super::super::add_bone(&mut skeleton, Some(thigh), Vec3::Y * -0.4, 0.05, 5);
        skeleton
    }

    fn start(skeleton: &Skeleton, bone: usize) -> Vec3 {
        bind_pose(skeleton)[bone].translation.as_vec3()
    }

    fn bone_with_id(skeleton: &Skeleton, channel_id: u32) -> usize {
        let mut bones = skeleton.bones.iter();
        bones.position(|bone| bone.channel_id == channel_id).unwrap()
    }

    fn ids(skeleton: &Skeleton) -> Vec<u32> {
        skeleton.bones.iter().map(|bone| bone.channel_id).collect()
    }

    #[test]
    fn only_a_bone_away_from_its_parents_tip_gets_a_link() {
        let mut skeleton = hips();
        assert_eq!(ids(&skeleton), [1, 2, 4, 3, 5]);
        let thigh = bone_with_id(&skeleton, 3);
        assert!(skeleton.bones[2].link && !skeleton.bones[thigh].link);
        assert!(start(&skeleton, thigh).distance(Vec3::new(0.1, 0.95, 0.0)) < 1e-6);
        assert_eq!(parent_past_links(&skeleton, thigh), Some(0), "past the link");
        let tip = Vec3::new(0.0, 1.2, 0.0);
        let neck = add_linked_bone(&mut skeleton, Some(0), tip, (Vec3::Y, 0.1), [8, 9]);
        assert_eq!((neck, skeleton.bones[neck].parent), (5, Some(0)));
    }

    #[test]
    fn a_link_is_removed_with_the_last_bone_that_it_carries() {
        let mut skeleton = hips();
        let (thigh, knee) = (bone_with_id(&skeleton, 3), start(&skeleton, 4));
        delete_bone(&mut skeleton, thigh);
        // The shin now starts where the thigh started; its tip stays.
        assert!(prune(&mut skeleton).iter().all(Option::is_some));
        let shin = bone_with_id(&skeleton, 5);
        assert!(start(&skeleton, shin).distance(Vec3::new(0.1, 0.95, 0.0)) < 1e-6 && knee.y < 0.6);
        delete_bone(&mut skeleton, shin);
        assert_eq!(prune(&mut skeleton), [Some(0), Some(1), None]);
        assert_eq!(ids(&skeleton), [1, 2]);
    }

    #[test]
    fn deleting_its_parent_extends_a_link() {
        let mut skeleton = hips();
        delete_bone(&mut skeleton, 0);
        let thigh = bone_with_id(&skeleton, 3);
        assert!(start(&skeleton, thigh).distance(Vec3::new(0.1, 0.95, 0.0)) < 1e-6);
        assert_eq!(parent_past_links(&skeleton, thigh), None);
        assert!(skeleton.bones[bone_with_id(&skeleton, 4)].link);
    }

    #[test]
    fn another_parent_moves_the_link_and_not_the_bone() {
        let mut skeleton = hips();
        let thigh = bone_with_id(&skeleton, 3);
        let new_from_old = tree::reparent(&mut skeleton, &[thigh], Some(1)).unwrap();
        let thigh = new_from_old[thigh];
        assert_eq!(parent_past_links(&skeleton, thigh), Some(1));
        assert!(start(&skeleton, thigh).distance(Vec3::new(0.1, 0.95, 0.0)) < 1e-6);
        assert!(skeleton.bones[thigh].extent.distance(Vec3::Y * -0.4) < 1e-6);
        // Parenting a bone to its current parent changes nothing.
        let before = skeleton.clone();
        tree::reparent(&mut skeleton, &[thigh], Some(1)).unwrap();
        assert_eq!(skeleton, before);
        // Its own shin cannot become its parent.
        assert_eq!(tree::reparent(&mut skeleton, &[thigh], Some(thigh + 1)), None);
    }

    /// A skeleton with two bones that start at one link, after the thigh there was deleted.
    fn shared_hip() -> Skeleton {
        let mut skeleton = hips();
        let thigh = bone_with_id(&skeleton, 3);
        super::super::add_bone(&mut skeleton, Some(thigh), Vec3::new(0.1, -0.4, 0.0), 0.05, 6);
        delete_bone(&mut skeleton, thigh);
        assert_eq!(
            link_of(&skeleton, bone_with_id(&skeleton, 5)),
            link_of(&skeleton, bone_with_id(&skeleton, 6))
        );
        skeleton
    }

    #[test]
    fn a_bone_that_leaves_a_shared_link_gets_a_copy_of_it() {
        for leaving in [5, 6] {
            let mut skeleton = shared_hip();
            let staying = 11 - leaving;
            let before = skeleton.clone();
            let ends = |skeleton: &Skeleton, id| {
                let bone = bone_with_id(skeleton, id);
                (start(skeleton, bone), bind_tips(skeleton)[bone])
            };
            let bone = bone_with_id(&skeleton, leaving);
            assert_eq!(shared_count(&skeleton, &[bone]), 1);
            assert_eq!(split_shared(&mut skeleton, &[bone], &[]), None);
            assert_eq!(skeleton, before);
            let new_from_old = split_shared(&mut skeleton, &[bone], &[9]).unwrap();
            for (old, new) in new_from_old.iter().enumerate() {
                assert_eq!(before.bones[old].channel_id, skeleton.bones[*new].channel_id);
            }
            for id in [5, 6] {
                assert_eq!(ends(&skeleton, id), ends(&before, id), "nothing has moved");
            }
            let copy = link_of(&skeleton, bone_with_id(&skeleton, leaving)).unwrap();
            assert!(skeleton.bones[copy].link && skeleton.bones[copy].channel_id == 9);
            assert_ne!(link_of(&skeleton, bone_with_id(&skeleton, staying)), Some(copy));
            assert!(
                skeleton.bones.iter().enumerate().all(|(i, b)| b.parent.is_none_or(|p| (p as usize) < i))
            );
            // Alone on its link, there is nothing to separate.
            let bone = bone_with_id(&skeleton, leaving);
            assert_eq!(shared_count(&skeleton, &[bone]), 0);
        }
        let skeleton = shared_hip();
        assert_eq!(shared_count(&skeleton, &[bone_with_id(&skeleton, 5), bone_with_id(&skeleton, 6)]), 0);
    }

    #[test]
    fn merging_skips_the_link() {
        let mut skeleton = hips();
        let (thigh, shin_tip) = (bone_with_id(&skeleton, 3), bind_tips(&skeleton)[4]);
        assert!(tree::merge_into_parent(&mut skeleton, thigh).is_some());
        prune(&mut skeleton);
        assert_eq!(ids(&skeleton), [1, 2, 5]);
        let tips = bind_tips(&skeleton);
        assert!(tips[0].distance(DVec3::new(0.1, 0.55, 0.0)) < 1e-6 && tips[2].distance(shin_tip) < 1e-6);
    }

    #[test]
    fn the_other_side_gets_its_own_link_and_follows_it() {
        let mut skeleton = hips();
        let legs = [bone_with_id(&skeleton, 3), bone_with_id(&skeleton, 5)];
        let ids = [10, 11, 12];
        mirror(&mut skeleton, &legs, &MirrorPlane::X, &ids, &[]).unwrap();
        assert_eq!(skeleton.bones.len(), 8);
        let links = skeleton.bones.iter().filter(|bone| bone.link);
        assert!(links.clone().count() == 2 && links.clone().all(|link| link.name.is_none()));
        let carried = |bone: &usize| link_of(&skeleton, *bone).is_some();
        let right = (0..8).find(|bone| carried(bone) && start(&skeleton, *bone).x < 0.0).unwrap();
        assert!(start(&skeleton, right).distance(Vec3::new(-0.1, 0.95, 0.0)) < 1e-6);
        assert_eq!(parent_past_links(&skeleton, right), Some(0));
        // Moved on the left, it also moves on the right; no bones are added.
        let link = link_of(&skeleton, bone_with_id(&skeleton, 3)).unwrap();
        let extent = skeleton.bones[link].extent + Vec3::X * 0.05;
        super::super::move_tip(&mut skeleton, link, extent);
        let legs = [bone_with_id(&skeleton, 3), bone_with_id(&skeleton, 5)];
        mirror(&mut skeleton, &legs, &MirrorPlane::X, &ids, &[]).unwrap();
        assert_eq!(skeleton.bones.len(), 8);
        assert!(start(&skeleton, right).distance(Vec3::new(-0.15, 0.95, 0.0)) < 1e-6);
    }
}
