//! Animation channels of things that are renamed, copied or deleted. Channels know things by name alone:
//! where a file gave one name to several things, each keeps what drives it.

use super::effects::Edit;
use crate::anim::channel::Animation;
use crate::scene::Scene;
use crate::scene::apply_animation::is_driven;
use crate::scene::names::{Kind, ObjectRef};
use std::collections::{BTreeMap, BTreeSet};

/// The channels of a thing, and of them those that drive something else of the same name too.
struct Owned {
    channels: BTreeSet<String>,
    shared: BTreeSet<String>,
}

impl Owned {
    fn new(scene: &Scene, thing: &ObjectRef) -> Self {
        let all: BTreeSet<String> = channel_names(&scene.animation, &thing.name).cloned().collect();
        if all.is_empty() {
            return Self {
                channels: all,
                shared: BTreeSet::new(),
            };
        }
        let same_name = scene.names().into_iter().filter(|(_, name)| *name == thing.name);
        let others: Vec<Kind> = same_name
            .map(|(kind, _)| kind)
            .filter(|kind| *kind != thing.kind)
            .collect();
        let mine = |channel: &String| others.is_empty() || is_driven(thing.kind, channel);
        let channels: BTreeSet<String> = all.into_iter().filter(mine).collect();
        let theirs = |channel: &&String| others.iter().any(|kind| is_driven(*kind, channel));
        let shared = channels.iter().filter(theirs).cloned().collect();
        Self { channels, shared }
    }
}

/// Moves the channels of `thing` to `name`, before it is renamed.
pub fn rename(edit: &mut Edit, thing: &ObjectRef, name: &str) {
    copy(edit, thing, name);
    remove(edit, thing);
}

/// Gives the thing called `name` copies of the channels of `thing`.
pub fn copy(edit: &mut Edit, thing: &ObjectRef, name: &str) {
    let owned = Owned::new(edit.scene, thing);
    if owned.channels.is_empty() {
        return;
    }
    edit.change_animation(|animation| {
        copy_keys(&mut animation.channels, &thing.name, name, &owned.channels);
        copy_keys(&mut animation.muted, &thing.name, name, &owned.channels);
        copy_keys(&mut animation.spline_extra, &thing.name, name, &owned.channels);
    });
}

/// Removes the channels of `thing`, before it is deleted.
pub fn remove(edit: &mut Edit, thing: &ObjectRef) {
    let Owned { channels, shared } = Owned::new(edit.scene, thing);
    let gone: BTreeSet<String> = channels.difference(&shared).cloned().collect();
    remove_channels(edit, &thing.name, |channel| gone.contains(channel));
}

/// Names of the channels of a resource, those that this program does not understand included.
pub fn channel_names<'a>(animation: &'a Animation, resource: &str) -> impl Iterator<Item = &'a String> {
    let known = animation.channels.get(resource).into_iter();
    let other = animation.spline_extra.get(resource).into_iter();
    known
        .flat_map(|of| of.keys())
        .chain(other.flat_map(|of| of.keys()))
}

/// Removes channels of a resource, if it has any of those.
pub fn remove_channels(edit: &mut Edit, resource: &str, is_gone: impl Fn(&str) -> bool) {
    if channel_names(&edit.scene.animation, resource).any(|channel| is_gone(channel)) {
        edit.change_animation(|animation| {
            remove_keys(&mut animation.channels, resource, &is_gone);
            remove_keys(&mut animation.muted, resource, &is_gone);
            remove_keys(&mut animation.spline_extra, resource, &is_gone);
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

fn remove_keys<T>(all: &mut Keyed<T>, of: &str, is_gone: impl Fn(&str) -> bool) {
    if let Some(channels) = all.get_mut(of) {
        channels.retain(|channel, _| !is_gone(channel));
        if channels.is_empty() {
            all.remove(of);
        }
    }
}
