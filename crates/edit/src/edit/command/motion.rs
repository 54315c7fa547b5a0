//! Animation channels of objects that are renamed, copied or deleted. Channels refer to objects by name only;
//! if several objects in a file share a name, each keeps the channels that drive it.

use super::effects::Edit;
use crate::anim::channel::Animation;
use crate::scene::Scene;
use crate::scene::apply_animation::is_driven;
use crate::scene::names::{Kind, ObjectRef};
use std::collections::{BTreeMap, BTreeSet};

/// The channels of an object.
struct OwnedChannels {
    channels: BTreeSet<String>,
    /// The subset that also drives another object with the same name.
    shared: BTreeSet<String>,
}

impl OwnedChannels {
    fn new(scene: &Scene, object: &ObjectRef) -> Self {
        let all: BTreeSet<String> = channel_names(&scene.animation, &object.name).cloned().collect();
        if all.is_empty() {
            return Self { channels: all, shared: BTreeSet::new() };
        }
        let same_name = scene.names().into_iter().filter(|(_, name)| *name == object.name);
        let others: Vec<Kind> = same_name.map(|(kind, _)| kind).filter(|kind| *kind != object.kind).collect();
        let is_own = |channel: &String| others.is_empty() || is_driven(object.kind, channel);
        let channels: BTreeSet<String> = all.into_iter().filter(is_own).collect();
        let is_shared = |channel: &&String| others.iter().any(|kind| is_driven(*kind, channel));
        let shared = channels.iter().filter(is_shared).cloned().collect();
        Self { channels, shared }
    }
}

/// Moves the channels of `object` to `name`, before it is renamed.
pub fn rename(edit: &mut Edit, object: &ObjectRef, name: &str) {
    copy(edit, object, name);
    remove(edit, object);
}

/// Copies the channels of `object` to the object named `name`.
pub fn copy(edit: &mut Edit, object: &ObjectRef, name: &str) {
    if let Some(layers) =
        edit.scene.animation.layers.get(&object.name).filter(|_| has_layers(object)).cloned()
    {
        edit.change_animation(|animation| drop(animation.layers.insert(name.to_owned(), layers)));
    }
    let owned = OwnedChannels::new(edit.scene, object);
    if owned.channels.is_empty() {
        return;
    }
    edit.change_animation(|animation| {
        copy_keys(&mut animation.channels, &object.name, name, &owned.channels);
        copy_keys(&mut animation.muted, &object.name, name, &owned.channels);
        copy_keys(&mut animation.spline_extra, &object.name, name, &owned.channels);
    });
}

/// Removes the channels of `object`, before it is deleted.
pub fn remove(edit: &mut Edit, object: &ObjectRef) {
    let OwnedChannels { channels, shared } = OwnedChannels::new(edit.scene, object);
    let removed: BTreeSet<String> = channels.difference(&shared).cloned().collect();
    remove_channels(edit, &object.name, |channel| removed.contains(channel));
    if has_layers(object) && edit.scene.animation.layers.contains_key(&object.name) {
        edit.change_animation(|animation| drop(animation.layers.remove(&object.name)));
    }
}

/// Whether objects of its kind have animation layers.
fn has_layers(object: &ObjectRef) -> bool {
    object.kind == Kind::SkinnedMesh
}

/// Iterates over the names of all channels of a resource, including those that this program does not
/// understand.
pub fn channel_names<'a>(animation: &'a Animation, resource: &str) -> impl Iterator<Item = &'a String> {
    let known = animation.channels.get(resource).into_iter();
    let other = animation.spline_extra.get(resource).into_iter();
    known.flat_map(|channels| channels.keys()).chain(other.flat_map(|channels| channels.keys()))
}

/// Removes the channels of a resource that satisfy `is_removed`.
pub fn remove_channels(edit: &mut Edit, resource: &str, is_removed: impl Fn(&str) -> bool) {
    if channel_names(&edit.scene.animation, resource).any(|channel| is_removed(channel)) {
        edit.change_animation(|animation| {
            remove_keys(&mut animation.channels, resource, &is_removed);
            remove_keys(&mut animation.muted, resource, &is_removed);
            remove_keys(&mut animation.spline_extra, resource, &is_removed);
        });
    }
}

type Keyed<T> = BTreeMap<String, BTreeMap<String, T>>;

fn copy_keys<T: Clone>(all: &mut Keyed<T>, from: &str, to: &str, which: &BTreeSet<String>) {
    let Some(channels) = all.get(from) else { return };
    let copied = channels.iter().filter(|(channel, _)| which.contains(*channel));
    let copied: BTreeMap<String, T> = copied.map(|(k, v)| (k.clone(), v.clone())).collect();
    if !copied.is_empty() {
        all.entry(to.to_owned()).or_default().extend(copied);
    }
}

fn remove_keys<T>(all: &mut Keyed<T>, resource: &str, is_removed: impl Fn(&str) -> bool) {
    if let Some(channels) = all.get_mut(resource) {
        channels.retain(|channel, _| !is_removed(channel));
        if channels.is_empty() {
            all.remove(resource);
        }
    }
}
