//! References between the objects of a document: finds them and changes them.

use super::names::{Kind, ObjectRef, with_table};
use super::property::{Access, Property, PropertyValue, Resource};
use super::{Scene, Table, parts};
use std::sync::Arc;

/// A member that holds the name of an object, the kind of that object, and its name.
type Slot<'a, T> = (&'static Property<T>, Kind, &'a Option<String>);

/// Returns the references of a resource of a kind.
pub fn slots<T: Resource>(resource: &T, kind: Kind) -> impl Iterator<Item = Slot<'_, T>> {
    T::properties(kind).iter().filter_map(move |row| match &row.access {
        Access::Reference(slot, to) => Some((row, *to, (slot.get)(resource)?)),
        _ => None,
    })
}

/// Replaces each reference by the result of `to`. Resources that do not change stay shared.
pub fn map_references<T: Resource>(
    shared: &mut Arc<T>,
    kind: Kind,
    to: impl Fn(Kind, &Option<String>) -> Option<String>,
) {
    let old = Arc::clone(shared);
    for (row, kind, name) in slots(&*old, kind) {
        let new = to(kind, name);
        if new != *name {
            row.set(Arc::make_mut(shared), &PropertyValue::Reference(new));
        }
    }
    let renamed = |name: &Option<String>| to(Kind::Material, name);
    if part_materials(&*old).any(|name| renamed(&Some(name.clone())).as_ref() != Some(&name))
        && let Some(extra) = Arc::make_mut(shared).surface_extra_mut()
    {
        parts::map_materials(extra, renamed);
    }
    T::map_spaces(shared, &|name| {
        let old = Some(name.to_owned());
        // The name alone does not tell its kind.
        let kinds = Kind::ALL.into_iter().filter(|kind| matches!(kind, Kind::Instance(_)));
        kinds.filter_map(|kind| to(kind, &old)).max_by_key(|new| Some(new) != old.as_ref())
    });
}

/// Returns the materials of the parts of a surface, without duplicates.
fn part_materials<T: Resource>(resource: &T) -> impl Iterator<Item = String> {
    resource.surface_extra().map(parts::materials).into_iter().flatten()
}

/// A reference from one object to another, which may not exist.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    pub from: ObjectRef,
    pub to: ObjectRef,
}

/// Returns every reference of the scene, except null ones.
pub fn all(scene: &Scene) -> Vec<Reference> {
    fn add<T: Resource>(all: &mut Vec<Reference>, kind: Kind, table: &Table<T>) {
        for (name, resource) in table {
            for (_, to, slot) in slots(&**resource, kind) {
                all.extend(slot.as_ref().map(|slot| Reference {
                    from: ObjectRef::new(kind, name.clone()),
                    to: ObjectRef::new(to, slot.clone()),
                }));
            }
            all.extend(part_materials(&**resource).map(|material| Reference {
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

/// Returns the objects that refer to `object`, without duplicates.
pub fn users(scene: &Scene, object: &ObjectRef) -> Vec<ObjectRef> {
    let references = all(scene).into_iter().filter(|reference| reference.to == *object);
    let mut users: Vec<ObjectRef> = references.map(|reference| reference.from).collect();
    users.dedup();
    users
}

/// Returns the existing objects that `object` refers to.
pub fn existing_targets(scene: &Scene, object: &ObjectRef) -> Vec<ObjectRef> {
    let mut targets = targets(scene, object);
    targets.retain(|target| scene.contains(target));
    targets
}

/// Returns the objects that `object` refers to, whether they exist or not.
pub fn targets(scene: &Scene, object: &ObjectRef) -> Vec<ObjectRef> {
    fn targets_in<T: Resource>(table: &Table<T>, object: &ObjectRef) -> Vec<ObjectRef> {
        let Some(found) = table.get(&object.name) else {
            return Vec::new();
        };
        let targets = slots(&**found, object.kind)
            .filter_map(|(_, kind, slot)| Some(ObjectRef::new(kind, slot.clone()?)));
        let materials = part_materials(&**found).map(|name| ObjectRef::new(Kind::Material, name));
        targets.chain(materials).collect()
    }
    with_table!(&scene, object.kind, table => targets_in(table, object))
}

/// Redirects every reference to `object` to the object called `to`, or to nothing. Resources without such a
/// reference stay shared.
pub fn retarget(scene: &mut Scene, object: &ObjectRef, to: Option<&str>) {
    fn retarget_in<T: Resource>(kind: Kind, table: &mut Table<T>, object: &ObjectRef, to: Option<&str>) {
        if T::properties(kind).iter().all(|row| row.access.target().is_none())
            && !matches!(kind, Kind::Mesh | Kind::SkinnedMesh)
        {
            return;
        }
        for shared in table.values_mut() {
            map_references(shared, kind, |kind, slot| {
                let matches = kind == object.kind && slot.as_deref() == Some(object.name.as_str());
                if matches { to.map(str::to_owned) } else { slot.clone() }
            });
        }
    }
    for kind in Kind::ALL {
        with_table!(&mut scene, kind, table => retarget_in(kind, table, object, to));
    }
}

/// Sets the reference of `from` to an object of `kind`, and returns whether `from` has such a reference. A
/// resource that has the value already stays shared.
pub fn set(scene: &mut Scene, from: &ObjectRef, kind: Kind, to: Option<&str>) -> bool {
    fn set_in<T: Resource>(table: &mut Table<T>, from: &ObjectRef, kind: Kind, to: Option<&str>) -> bool {
        let Some(shared) = table.get_mut(&from.name) else {
            return false;
        };
        let found = slots(&**shared, from.kind).find(|(_, target, _)| *target == kind);
        let row = found.map(|(row, ..)| row);
        if let Some(row) = row {
            row.set_shared(shared, &PropertyValue::Reference(to.map(str::to_owned)));
        }
        row.is_some()
    }
    with_table!(&mut scene, from.kind, table => set_in(table, from, kind, to))
}
