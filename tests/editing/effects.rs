//! Checks the effects of commands by comparing scenes.

use ossature::anim::channel::ChannelRef;
use ossature::edit::command::Command;
use ossature::edit::command::effects::Effects;
use ossature::rig::skeleton::{Part, Skeleton};
use ossature::scene::names::{Kind, ObjectRef};
use ossature::scene::{Scene, channels};
use std::collections::BTreeSet;

/// Asserts that the effects of a command report exactly what it did.
pub fn check(command: &Command, before: &Scene, after: &Scene, effects: &Effects) {
    assert_eq!(effects.is_empty(), before == after, "{command:?}: {effects:?}");
    if effects.is_empty() {
        assert!(before.is_shared(after), "{command:?} copies what it does not change");
        assert_eq!(*effects, Effects::default(), "{command:?}");
    }
    let mut things = all_things(before);
    for gone in &effects.removed {
        assert!(things.remove(gone), "{command:?}: {effects:?}");
    }
    for [old, new] in &effects.renamed {
        assert!(things.remove(old) && things.insert(new.clone()), "{command:?}: {effects:?}");
    }
    for new in &effects.created {
        assert!(things.insert(new.clone()), "{command:?}: {effects:?}");
    }
    assert!(things == all_things(after), "{command:?}: {effects:?}");
    let values: BTreeSet<ChannelRef> = effects.values.iter().collect();
    assert_eq!(values, changed_values(before, after), "{command:?}");
    let keys: BTreeSet<ChannelRef> = effects.keys.iter().collect();
    assert_eq!(keys, changed_keys(before, after), "{command:?}");
    for moved in &effects.parts {
        let [old, new] = [before, after].map(|scene| &*scene.skinned_meshes[&moved.mesh].skeleton);
        for (bone, id) in ids(old).iter().enumerate() {
            let now = moved.successor(Part::Bone(bone));
            let mut ancestor = Some(bone);
            while ancestor.is_some_and(|bone| !ids(new).contains(&ids(old)[bone])) {
                ancestor = old.bones[ancestor.unwrap()].parent.map(|parent| parent as usize);
            }
            let place = ancestor.and_then(|bone| ids(new).iter().position(|new| *new == ids(old)[bone]));
            assert_eq!(now, place.map(Part::Bone), "{command:?}: bone {id}");
        }
    }
    for (name, new) in &after.skinned_meshes {
        let Some(old) = before.skinned_meshes.get(name) else {
            continue;
        };
        let told = effects.parts.iter().any(|moved| moved.mesh == *name);
        let handles = |skeleton: &Skeleton| skeleton.handles.iter().map(|h| h.channel_id).collect::<Vec<_>>();
        let moved =
            ids(&old.skeleton) != ids(&new.skeleton) || handles(&old.skeleton) != handles(&new.skeleton);
        assert_eq!(told, moved, "{command:?}");
    }
}

fn ids(skeleton: &Skeleton) -> Vec<u32> {
    skeleton.bones.iter().map(|bone| bone.channel_id).collect()
}

fn all_things(scene: &Scene) -> BTreeSet<ObjectRef> {
    let names = scene.names().into_iter();
    names.map(|(kind, name): (Kind, &str)| ObjectRef::new(kind, name)).collect()
}

/// Returns the channels of resources and instances in both scenes whose values differ.
fn changed_values(before: &Scene, after: &Scene) -> BTreeSet<ChannelRef> {
    let names = all_things(after).into_iter().map(|thing| thing.name);
    let changed = names.flat_map(|name| {
        let old = channels::values(before, &name);
        let new = channels::values(after, &name).into_iter();
        let differs = new.filter(|(channel, value)| old.get(channel).is_some_and(|old| old != value));
        differs.map(|(channel, _)| ChannelRef::new(&name, channel)).collect::<Vec<_>>()
    });
    changed.collect()
}

fn changed_keys(before: &Scene, after: &Scene) -> BTreeSet<ChannelRef> {
    let all = |scene: &Scene| -> BTreeSet<ChannelRef> {
        let channels = scene.animation.channels.iter();
        let of = channels.flat_map(|(name, of)| of.keys().map(move |channel| ChannelRef::new(name, channel)));
        of.collect()
    };
    let either = &all(before) | &all(after);
    let differs = |channel: &ChannelRef| before.animation.get(channel) != after.animation.get(channel);
    either.into_iter().filter(differs).collect()
}
