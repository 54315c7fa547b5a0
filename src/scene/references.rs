//! Which things name which: every reference of the document in one place, to find them and to turn them.

use super::names::{Kind, ObjectRef, with_table};
use super::property::{Access, Property, PropertyValue, Resource};
use super::{Scene, Table, parts};
use std::sync::Arc;

/// A member that holds the name of a thing, the kind that it names, and that name.
type Slot<'a, T> = (&'static Property<T>, Kind, &'a Option<String>);

/// The references that a thing of a kind has.
pub fn slots<T: Resource>(resource: &T, kind: Kind) -> impl Iterator<Item = Slot<'_, T>> {
    T::properties(kind)
        .iter()
        .filter_map(move |row| match &row.access {
            Access::Reference(slot, to) => Some((row, *to, (slot.get)(resource)?)),
            _ => None,
        })
}

/// Makes each reference name what `to` says. What stays the same stays shared.
pub fn turn<T: Resource>(
    shared: &mut Arc<T>,
    kind: Kind,
    to: impl Fn(Kind, &Option<String>) -> Option<String>,
) {
    let old = Arc::clone(shared);
    for (row, kind, name) in slots(&*old, kind) {
        let new = to(kind, name);
        if new != *name {
            row.put(Arc::make_mut(shared), &PropertyValue::Reference(new));
        }
    }
    let turned = |name: &Option<String>| to(Kind::Material, name);
    if part_materials(&*old).any(|name| turned(&Some(name.clone())).as_ref() != Some(&name))
        && let Some(extra) = Arc::make_mut(shared).surface_extra_mut()
    {
        parts::turn(extra, turned);
    }
}

/// Materials of the parts of a surface, each once.
fn part_materials<T: Resource>(resource: &T) -> impl Iterator<Item = String> {
    resource
        .surface_extra()
        .map(parts::materials)
        .into_iter()
        .flatten()
}

/// Who names whom, and where there is no such thing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    pub from: ObjectRef,
    pub to: ObjectRef,
}

/// Every reference of the scene; null ones are left out.
pub fn all(scene: &Scene) -> Vec<Reference> {
    fn add<T: Resource>(all: &mut Vec<Reference>, kind: Kind, table: &Table<T>) {
        for (name, thing) in table {
            for (_, to, slot) in slots(&**thing, kind) {
                all.extend(slot.as_ref().map(|slot| Reference {
                    from: ObjectRef::new(kind, name.clone()),
                    to: ObjectRef::new(to, slot.clone()),
                }));
            }
            all.extend(part_materials(&**thing).map(|material| Reference {
                from: ObjectRef::new(kind, name.clone()),
                to: ObjectRef::new(Kind::Material, material),
            }));
        }
    }
    let mut found = Vec::new();
    for kind in Kind::ALL {
        with_table!(&scene, kind, table => add(&mut found, kind, table));
    }
    found
}

/// Things that name `thing`, each once.
pub fn users(scene: &Scene, thing: &ObjectRef) -> Vec<ObjectRef> {
    let references = all(scene).into_iter().filter(|reference| reference.to == *thing);
    let mut users: Vec<ObjectRef> = references.map(|reference| reference.from).collect();
    users.dedup();
    users
}

/// Things that `thing` names and that are there.
pub fn named_by(scene: &Scene, thing: &ObjectRef) -> Vec<ObjectRef> {
    let mut named = all_of(scene, thing);
    named.retain(|named| scene.holds(named));
    named
}

/// Things that `thing` names, whether they are there or not.
pub fn all_of(scene: &Scene, thing: &ObjectRef) -> Vec<ObjectRef> {
    fn named_in<T: Resource>(table: &Table<T>, thing: &ObjectRef) -> Vec<ObjectRef> {
        let Some(found) = table.get(&thing.name) else {
            return Vec::new();
        };
        let named = slots(&**found, thing.kind)
            .filter_map(|(_, kind, slot)| Some(ObjectRef::new(kind, slot.clone()?)));
        let of_parts = part_materials(&**found).map(|name| ObjectRef::new(Kind::Material, name));
        named.chain(of_parts).collect()
    }
    with_table!(&scene, thing.kind, table => named_in(table, thing))
}

/// Makes every reference to `thing` name `to` instead, or nothing. What does not name it stays shared.
pub fn retarget(scene: &mut Scene, thing: &ObjectRef, to: Option<&str>) {
    fn turn_all<T: Resource>(kind: Kind, table: &mut Table<T>, thing: &ObjectRef, to: Option<&str>) {
        if T::properties(kind)
            .iter()
            .all(|row| row.access.target().is_none())
            && !matches!(kind, Kind::Mesh | Kind::SkinnedMesh)
        {
            return;
        }
        for shared in table.values_mut() {
            turn(shared, kind, |kind, slot| {
                let is_it = kind == thing.kind && slot.as_deref() == Some(thing.name.as_str());
                if is_it {
                    to.map(str::to_owned)
                } else {
                    slot.clone()
                }
            });
        }
    }
    for kind in Kind::ALL {
        with_table!(&mut scene, kind, table => turn_all(kind, table, thing, to));
    }
}

/// Sets the reference of `from` to things of `kind`. Whether there is such a reference. What has the value
/// already stays shared.
pub fn set(scene: &mut Scene, from: &ObjectRef, kind: Kind, to: Option<&str>) -> bool {
    fn set_in<T: Resource>(table: &mut Table<T>, from: &ObjectRef, kind: Kind, to: Option<&str>) -> bool {
        let Some(shared) = table.get_mut(&from.name) else {
            return false;
        };
        let found = slots(&**shared, from.kind).find(|(_, of, _)| *of == kind);
        let row = found.map(|(row, ..)| row);
        if let Some(row) = row {
            row.put_shared(shared, &PropertyValue::Reference(to.map(str::to_owned)));
        }
        row.is_some()
    }
    with_table!(&mut scene, from.kind, table => set_in(table, from, kind, to))
}
