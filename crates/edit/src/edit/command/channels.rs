//! Channel ids: numbers that link bones and handles to their animation channels.
//!
//! A new bone or handle never gets an id that an animation channel of its mesh still uses, so that it cannot
//! inherit the motion of something that was deleted.

use super::effects::Edit;
use super::motion;
use crate::anim::channel::Animation;
use crate::anim::layer::base_name;
use crate::rig::skeleton::Skeleton;
use std::collections::BTreeSet;

/// The kind of object that a channel belongs to: the first part of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Bone,
    Handle,
}

impl Owner {
    fn prefix(self) -> &'static str {
        match self {
            Owner::Bone => "bone",
            Owner::Handle => "handle",
        }
    }

    /// Extracts the id from a channel name: `bone.3.pose` -> 3, also in a layer.
    fn parse_id(self, channel: &str) -> Option<u32> {
        let rest = base_name(channel).strip_prefix(self.prefix())?.strip_prefix('.')?;
        rest.split('.').next()?.parse().ok()
    }
}

/// Returns `count` ids above all ids used by the skeleton's bones (or handles) and the mesh's channels, or the smallest
/// free ones if there are none above; none of them is `reserved`. `None` if all 2^32 are taken.
pub fn unused_ids(
    owner: Owner,
    mesh: &str,
    skeleton: &Skeleton,
    animation: &Animation,
    reserved: impl IntoIterator<Item = u32>,
    count: usize,
) -> Option<Vec<u32>> {
    let mut used: BTreeSet<u32> = match owner {
        Owner::Bone => skeleton.bones.iter().map(|b| b.channel_id).collect(),
        Owner::Handle => skeleton.handles.iter().map(|h| h.channel_id).collect(),
    };
    used.extend(motion::channel_names(animation, mesh).filter_map(|channel| owner.parse_id(channel)));
    used.extend(reserved);
    let highest = used.last().copied();
    let above = highest.map_or(Some(0), |highest| highest.checked_add(1));
    let above = above.into_iter().flat_map(|first| first..=u32::MAX);
    let below = (0..highest.unwrap_or(0)).filter(|id| !used.contains(id));
    let ids: Vec<u32> = above.chain(below).take(count).collect();
    (ids.len() == count).then_some(ids)
}

/// Removes the channels of the given bones and handles (by channel id) of `mesh`. The animation stays shared
/// if there are none.
pub fn remove(edit: &mut Edit, mesh: &str, removed: &[(Owner, u32)]) {
    let is_removed = |channel: &str| removed.iter().any(|&(owner, id)| owner.parse_id(channel) == Some(id));
    motion::remove_channels(edit, mesh, is_removed);
    let is_masked = |id: &u32| removed.contains(&(Owner::Bone, *id));
    let layers = edit.scene.animation.layers.get(mesh).into_iter().flat_map(|stack| &stack.list);
    if layers.filter_map(|layer| layer.bones.as_ref()).flatten().any(is_masked) {
        edit.change_animation(|animation| {
            let layers = animation.layers.get_mut(mesh).into_iter().flat_map(|stack| &mut stack.list);
            layers
                .filter_map(|layer| layer.bones.as_mut())
                .for_each(|bones| bones.retain(|id| !is_masked(id)));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::channel::Channel;
    use crate::anim::spline::Spline;
    use crate::extra::Extra;
    use crate::rig::skeleton::Bone;
    use crate::scene::Scene;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    fn animation(mesh: &str, names: &[&str]) -> Animation {
        let channel = Arc::new(Channel::Float(Spline::default()));
        let channels = names.iter().map(|n| ((*n).to_owned(), Arc::clone(&channel))).collect();
        let mut animation = Animation::default();
        animation.channels.insert(mesh.to_owned(), channels);
        animation
    }

    fn skeleton(ids: &[u32]) -> Skeleton {
        let bones = ids.iter().map(|&channel_id| Bone { channel_id, ..Bone::default() });
        Skeleton { bones: bones.collect(), ..Skeleton::default() }
    }

    fn unused_id(owner: Owner, mesh: &str, skeleton: &Skeleton, animation: &Animation) -> Option<u32> {
        unused_ids(owner, mesh, skeleton, animation, [], 1)?.pop()
    }

    #[test]
    fn new_ids_avoid_skeleton_and_animation() {
        let id =
            |ids: &[u32], names: &[&str]| unused_id(Owner::Bone, "M", &skeleton(ids), &animation("M", names));
        assert_eq!(id(&[], &[]), Some(0));
        assert_eq!(id(&[0, 5], &[]), Some(6));
        assert_eq!(id(&[0, 5], &["bone.9.pose"]), Some(10));
        assert_eq!(id(&[0, 5], &["handle.9.target", "bonet.12.pose", "bone.x.pose"]), Some(6));
        assert_eq!(id(&[0, u32::MAX], &["bone.1.pose"]), Some(2));
        let other = animation("Other", &["bone.9.pose"]);
        assert_eq!(unused_id(Owner::Bone, "M", &skeleton(&[0]), &other), Some(1));
    }

    #[test]
    fn only_the_named_channels_are_removed() {
        let names = ["bone.1.pose", "bone.11.pose", "handle.1.target", "handle.1.enabled", "base_offset"];
        let mut scene = Scene { animation: Arc::new(animation("M", &names)), ..Scene::default() };
        let before = Arc::clone(&scene.animation);
        remove(&mut Edit::new(&mut scene), "M", &[(Owner::Bone, 2)]);
        assert!(Arc::ptr_eq(&before, &scene.animation));
        let removed = [(Owner::Bone, 1), (Owner::Handle, 1)];
        remove(&mut Edit::new(&mut scene), "M", &removed);
        let remaining: Vec<_> = scene.animation.channels["M"].keys().cloned().collect();
        assert_eq!(remaining, ["base_offset", "bone.11.pose"]);
    }

    /// Splines of a type unknown to this program are channels too.
    #[test]
    fn splines_of_unknown_type_count() {
        let mut animation = animation("M", &["bone.1.pose"]);
        let unknown = BTreeMap::from([("bone.7.pose".to_owned(), Extra::default())]);
        animation.spline_extra.insert("M".into(), unknown);
        assert_eq!(unused_id(Owner::Bone, "M", &skeleton(&[0]), &animation), Some(8));
        let mut scene = Scene { animation: Arc::new(animation), ..Scene::default() };
        remove(&mut Edit::new(&mut scene), "M", &[(Owner::Bone, 7)]);
        assert!(scene.animation.spline_extra.is_empty());
        assert_eq!(scene.animation.channels["M"].len(), 1);
    }
}
