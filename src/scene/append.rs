//! Putting the content of one scene into another. Names that are taken get another one; references and
//! animation channels of what is put in follow.

use super::names::{Kind, with_table};
use super::property::Resource;
use super::references::turn;
use super::{Scene, Table};
use crate::anim::channel::Animation;
use crate::extra::Extra;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Adds everything of `added` to `scene`. What is in `scene` already stays as it is; what is added keeps
/// its names as far as they are free. Things that share a name (channels drive them together) share it
/// afterwards too. References to things that are not in `added` become null. Takes are
/// added to the takes. The clip is made long enough for all keys and takes; a scene without animation takes that of
/// `added`. Gives what was added, under its new names.
pub fn append(scene: &mut Scene, added: &Scene) -> Vec<(Kind, String)> {
    let mut added = added.clone();
    let names = new_names(scene, &added);
    let there = by_kind(&added);
    for kind in Kind::ALL {
        with_table!(&mut added, kind, table => retarget(kind, table, &names, &there));
    }
    macro_rules! put_all {
        ($($table:ident $(.$of:ident)?),*) => {
            $(put(&mut scene.$table$(.$of)?, std::mem::take(&mut added.$table$(.$of)?), &names);)*
        };
    }
    put_all!(
        transforms,
        cameras,
        meshes,
        skinned_meshes,
        shapes,
        particles,
        textures,
        materials
    );
    put_all!(
        delta_lights,
        env_lights,
        instances.cameras,
        instances.meshes,
        instances.skinned_meshes
    );
    put_all!(
        instances.shapes,
        instances.particles,
        instances.delta_lights,
        instances.env_lights
    );
    let animation = &added.animation;
    if !animation.channels.is_empty()
        || !animation.spline_extra.is_empty()
        || !animation.takes.list.is_empty()
    {
        let is_first = *scene.animation == Animation::default();
        let merged = Arc::make_mut(&mut scene.animation);
        if is_first {
            merged.clip = animation.clip;
            merged.takes.chosen = animation.takes.chosen;
        }
        for (name, channels) in &animation.channels {
            merged.channels.insert(new_name(&names, name), channels.clone());
        }
        for (name, muted) in &animation.muted {
            merged.muted.insert(new_name(&names, name), muted.clone());
        }
        for (name, extra) in &animation.spline_extra {
            merged.spline_extra.insert(new_name(&names, name), extra.clone());
        }
        merged.append_takes(&animation.takes);
        merged.clip = merged.clip.holding(merged.last_used());
    }
    if added.extra != scene.extra {
        let extra = Arc::make_mut(&mut scene.extra);
        fill(&mut extra.document, &added.extra.document);
        fill(&mut extra.scene, &added.extra.scene);
        fill(&mut extra.instances, &added.extra.instances);
    }
    let new = |(kind, of): (&Kind, &BTreeSet<String>)| {
        let kind = *kind;
        let renamed = of.iter().map(|name| (kind, new_name(&names, name)));
        renamed.collect::<Vec<_>>()
    };
    there.iter().flat_map(new).collect()
}

/// The name that each name of `added` gets, channels of nothing included.
fn new_names(scene: &Scene, added: &Scene) -> BTreeMap<String, String> {
    let named = |scene: &Scene| -> BTreeSet<String> {
        let things = scene.names().into_iter().map(|(_, name)| name.to_owned());
        let channels = scene.animation.channels.keys().cloned();
        let others = scene.animation.spline_extra.keys().cloned();
        things.chain(channels).chain(others).collect()
    };
    let (mut taken, wanted) = (named(scene), named(added));
    let mut names = BTreeMap::new();
    for name in &wanted {
        let mut new = name.clone();
        let mut number = 0;
        // Not a name either that another of them keeps.
        while taken.contains(&new) || (new != *name && wanted.contains(&new)) {
            number += 1;
            new = format!("{name} {number}");
        }
        taken.insert(new.clone());
        names.insert(name.clone(), new);
    }
    names
}

fn new_name(names: &BTreeMap<String, String>, name: &str) -> String {
    names.get(name).map_or(name, String::as_str).to_owned()
}

fn by_kind(scene: &Scene) -> BTreeMap<Kind, BTreeSet<String>> {
    let mut kinds: BTreeMap<Kind, BTreeSet<String>> = BTreeMap::new();
    for (kind, name) in scene.names() {
        kinds.entry(kind).or_default().insert(name.to_owned());
    }
    kinds
}

fn retarget<T: Resource>(
    kind: Kind,
    table: &mut Table<T>,
    names: &BTreeMap<String, String>,
    there: &BTreeMap<Kind, BTreeSet<String>>,
) {
    for shared in table.values_mut() {
        turn(shared, kind, |to, slot| {
            let slot = slot.as_ref()?;
            let known = there.get(&to).is_some_and(|names| names.contains(slot));
            known.then(|| new_name(names, slot))
        });
    }
}

fn put<T>(table: &mut Table<T>, added: Table<T>, names: &BTreeMap<String, String>) {
    table.extend(
        added
            .into_iter()
            .map(|(name, thing)| (new_name(names, &name), thing)),
    );
}

/// Members that are not there yet.
fn fill(extra: &mut Extra, added: &Extra) {
    for (name, value) in &added.0 {
        if extra.get(name).is_none() {
            extra.set(name, value.clone());
        }
    }
}
