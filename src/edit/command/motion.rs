//! Animation channels of things that are renamed, copied or deleted. Channels know things by name alone:
//! where a file gave one name to several things, each keeps what drives it.

use super::effects::Edit;
use crate::scene::Scene;
use crate::scene::drive::is_driven;
use crate::scene::names::{Kind, Thing};
use std::collections::{BTreeMap, BTreeSet};

/// The channels of a thing, and of them those that drive something else of the same name too.
struct Owned {
    channels: BTreeSet<String>,
    shared: BTreeSet<String>,
}

impl Owned {
    fn of(scene: &Scene, thing: &Thing) -> Self {
        let animation = &scene.animation;
        let known = animation.channels.get(&thing.name).into_iter();
        let other = animation.spline_extra.get(&thing.name).into_iter();
        let all: BTreeSet<String> = known
            .flat_map(|of| of.keys().cloned())
            .chain(other.flat_map(|of| of.keys().cloned()))
            .collect();
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
pub fn rename(edit: &mut Edit<'_>, thing: &Thing, name: &str) {
    copy(edit, thing, name);
    remove(edit, thing);
}

/// Gives the thing called `name` copies of the channels of `thing`.
pub fn copy(edit: &mut Edit<'_>, thing: &Thing, name: &str) {
    let owned = Owned::of(edit.scene, thing);
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
pub fn remove(edit: &mut Edit<'_>, thing: &Thing) {
    let Owned { channels, shared } = Owned::of(edit.scene, thing);
    let gone: BTreeSet<String> = channels.difference(&shared).cloned().collect();
    if gone.is_empty() {
        return;
    }
    edit.change_animation(|animation| {
        remove_keys(&mut animation.channels, &thing.name, &gone);
        remove_keys(&mut animation.muted, &thing.name, &gone);
        remove_keys(&mut animation.spline_extra, &thing.name, &gone);
    });
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

fn remove_keys<T>(all: &mut Keyed<T>, of: &str, which: &BTreeSet<String>) {
    if let Some(channels) = all.get_mut(of) {
        channels.retain(|channel, _| !which.contains(channel));
        if channels.is_empty() {
            all.remove(of);
        }
    }
}
