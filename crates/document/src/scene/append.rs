//! Appending one scene to another. Names that are taken are replaced; references and animation channels of
//! the added content follow.

use super::names::{Kind, with_table};
use super::property::Resource;
use super::references::map_references;
use super::{Scene, Table};
use crate::anim::channel::Animation;
use crate::extra::Extra;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Adds the content of `added` to `scene` and returns what was added, as kinds and new names.
///
/// Existing content does not change; added content keeps its names as far as they are free. Objects that
/// share a name (channels drive them together) still share one afterwards. References to objects that are
/// missing in `added` become null. Takes are appended to the takes of `scene`. The clip is extended to cover
/// all keys and takes; a scene without animation takes over the clip of `added`.
pub fn append(scene: &mut Scene, added: &Scene) -> Vec<(Kind, String)> {
    let mut added = added.clone();
    let names = new_names(scene, &added);
    let present = by_kind(&added);
    for kind in Kind::ALL {
        with_table!(&mut added, kind, table => retarget(kind, table, &names, &present));
    }
    macro_rules! move_all {
        ($($table:ident $(.$member:ident)?),*) => {
            $(insert_renamed(
                &mut scene.$table$(.$member)?,
                std::mem::take(&mut added.$table$(.$member)?),
                &names,
            );)*
        };
    }
    move_all!(transforms, cameras, meshes, skinned_meshes, shapes, particles, textures, materials);
    move_all!(delta_lights, env_lights, instances.cameras, instances.meshes, instances.skinned_meshes);
    move_all!(instances.shapes, instances.particles, instances.delta_lights, instances.env_lights);
    let animation = &added.animation;
    if !animation.channels.is_empty()
        || !animation.spline_extra.is_empty()
        || !animation.takes.list.is_empty()
        || !animation.layers.is_empty()
        || animation.sound.is_some()
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
        for (name, layers) in &animation.layers {
            merged.layers.insert(new_name(&names, name), layers.clone());
        }
        for (name, extra) in &animation.spline_extra {
            merged.spline_extra.insert(new_name(&names, name), extra.clone());
        }
        // There is one sound: that of the scene stays.
        merged.sound = merged.sound.take().or_else(|| animation.sound.clone());
        merged.append_takes(&animation.takes);
        merged.clip = merged.clip.extended_to(merged.last_used_frame());
    }
    if added.extra != scene.extra {
        let extra = Arc::make_mut(&mut scene.extra);
        add_missing(&mut extra.document, &added.extra.document);
        add_missing(&mut extra.scene, &added.extra.scene);
        add_missing(&mut extra.instances, &added.extra.instances);
    }
    let renamed = |(kind, old_names): (&Kind, &BTreeSet<String>)| {
        let kind = *kind;
        let new_names = old_names.iter().map(|name| (kind, new_name(&names, name)));
        new_names.collect::<Vec<_>>()
    };
    present.iter().flat_map(renamed).collect()
}

/// Returns the new name for each name in `added`, including names that only channels have.
fn new_names(scene: &Scene, added: &Scene) -> BTreeMap<String, String> {
    let named = |scene: &Scene| -> BTreeSet<String> {
        let objects = scene.names().into_iter().map(|(_, name)| name.to_owned());
        let channels = scene.animation.channels.keys().cloned();
        let others = scene.animation.spline_extra.keys().cloned();
        let layers = scene.animation.layers.keys().cloned();
        objects.chain(channels).chain(others).chain(layers).collect()
    };
    let (mut taken, wanted) = (named(scene), named(added));
    let mut names = BTreeMap::new();
    for name in &wanted {
        let mut new = name.clone();
        let mut number = 0;
        // The new name must not be one that another object of `added` keeps, either.
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
    present: &BTreeMap<Kind, BTreeSet<String>>,
) {
    for shared in table.values_mut() {
        map_references(shared, kind, |to, slot| {
            let slot = slot.as_ref()?;
            let known = present.get(&to).is_some_and(|names| names.contains(slot));
            known.then(|| new_name(names, slot))
        });
    }
}

fn insert_renamed<T>(table: &mut Table<T>, added: Table<T>, names: &BTreeMap<String, String>) {
    table.extend(added.into_iter().map(|(name, resource)| (new_name(names, &name), resource)));
}

/// Adds the members that `extra` does not have yet.
fn add_missing(extra: &mut Extra, added: &Extra) {
    for (name, value) in &added.0 {
        if extra.get(name).is_none() {
            extra.set(name, value.clone());
        }
    }
}
