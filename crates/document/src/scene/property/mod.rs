//! Properties: the members of resources and instances, one row of a table each. Reading and writing of files,
//! channels, the command that sets a value, its undo label, the rows of panels and `info --json` are all
//! derived from the row. The rows of bones, handles and skeletons are in [`crate::rig::property`]; surfaces have none:
//! they are lists, with commands of their own.

mod instances;
mod lights;
mod materials;
mod resources;

use super::names::{Kind, ObjectRef, with_table};
use super::{Scene, Table};
use crate::anim::channel::Value;
use crate::extra::Extra;
pub use crate::rig::property::{Access, Info, PropertyError, PropertyValue, Slot};
use std::sync::Arc;

/// A type of resource or instance with rows for its properties.
pub trait Resource: Clone + Default + PartialEq + 'static {
    /// Returns the properties in the order of the file. `kind`: all kinds of geometry share a type, as do
    /// those of lights.
    fn properties(kind: Kind) -> &'static [Property<Self>];
    /// Returns the unknown members of the file.
    fn extra(&self) -> &Extra;
    fn extra_mut(&mut self) -> &mut Extra;
    /// Returns the unknown members of its surface, if it has one; they may divide it into parts
    /// (`scene::parts`).
    fn surface_extra(&self) -> Option<&Extra> {
        None
    }
    fn surface_extra_mut(&mut self) -> Option<&mut Extra> {
        None
    }
    /// Replaces each name of an instance in whose space a handle is by the result of `to`.
    fn map_spaces(_shared: &mut Arc<Self>, _to: &dyn Fn(&str) -> Option<String>) {}
}

/// A row of the table; see [`Info`] for the part that users see.
pub type Property<T> = crate::rig::property::Property<T, Kind>;

/// A property of a resource or instance, with its values.
#[derive(Clone, Debug)]
pub struct Row {
    pub info: &'static Info,
    pub value: PropertyValue,
    /// The value in a new resource or instance.
    pub default: PropertyValue,
    /// The words to choose from.
    pub choices: &'static [&'static str],
    /// The kind of resource that it refers to.
    pub target: Option<Kind>,
}

/// Returns the current properties of an object, in the order of the file; none if it is missing.
pub fn rows(scene: &Scene, object: &ObjectRef) -> Vec<Row> {
    fn rows_in<T: Resource>(table: &Table<T>, object: &ObjectRef) -> Vec<Row> {
        let Some(resource) = table.get(&object.name) else {
            return Vec::new();
        };
        let rows = T::properties(object.kind);
        let mut new = T::default();
        for row in rows {
            if let (Access::Type { .. }, Some(kind)) = (&row.access, row.get(resource)) {
                row.set(&mut new, &kind);
            }
        }
        let present = rows.iter().filter_map(|row| {
            Some(Row {
                info: &row.info,
                value: row.get(resource)?,
                default: row.get(&new)?,
                choices: row.access.choices(),
                target: row.access.target(),
            })
        });
        present.collect()
    }
    with_table!(&scene, object.kind, table => rows_in(table, object))
}

/// Returns the properties of a newly created object.
pub fn default_rows(kind: Kind) -> Vec<Row> {
    let mut scene = Scene::default();
    with_table!(&mut scene, kind, table => drop(table.insert(String::new(), Arc::default())));
    rows(&scene, &ObjectRef::new(kind, ""))
}

/// Returns the row called `id` for a kind, whether or not each object of the kind has that property.
pub fn info(kind: Kind, id: &str) -> Option<&'static Info> {
    fn info_in<T: Resource>(_: &Table<T>, kind: Kind, id: &str) -> Option<&'static Info> {
        let mut rows = T::properties(kind).iter();
        rows.find(|row| row.info.id == id).map(|row| &row.info)
    }
    let scene = Scene::default();
    with_table!(&scene, kind, table => info_in(table, kind, id))
}

/// Returns the value of a property; `None` if the object is missing or has no such property.
pub fn value(scene: &Scene, object: &ObjectRef, id: &str) -> Option<PropertyValue> {
    fn value_in<T: Resource>(table: &Table<T>, object: &ObjectRef, id: &str) -> Option<PropertyValue> {
        let resource = table.get(&object.name)?;
        T::properties(object.kind).iter().find(|row| row.info.id == id)?.get(resource)
    }
    with_table!(&scene, object.kind, table => value_in(table, object, id))
}

/// Sets a property. A resource that has the value already stays shared. A rotation is normalized.
///
/// # Errors
/// If the object does not have the property, or the row does not allow the value. The scene does not
/// change.
pub fn set(
    scene: &mut Scene,
    object: &ObjectRef,
    id: &str,
    value: &PropertyValue,
) -> Result<(), PropertyError> {
    fn validate_in<T: Resource>(
        table: &Table<T>,
        object: &ObjectRef,
        id: &str,
        value: &PropertyValue,
    ) -> Result<(&'static Property<T>, PropertyValue), PropertyError> {
        let resource = table
            .get(&object.name)
            .ok_or_else(|| PropertyError::NoSuch { kind: object.kind.text(), name: object.name.clone() })?;
        let rows = T::properties(object.kind).iter();
        let available = rows.filter(|row| row.get(resource).is_some());
        let row = available.clone().find(|row| row.info.id == id);
        let row = row.ok_or_else(|| PropertyError::Unknown {
            name: object.name.clone(),
            property: id.to_owned(),
            available: available.map(|row| row.info.id).collect(),
        })?;
        Ok((row, row.validated(value)?))
    }
    if let PropertyValue::Reference(Some(name)) = value {
        let target = with_table!(&scene, object.kind, table => validate_in(table, object, id, value)?.0.access.target());
        let exists = target.is_none_or(|kind| scene.contains(&ObjectRef::new(kind, name.clone())));
        if !exists {
            return Err(PropertyError::NoSuch {
                kind: target.map_or("resource", Kind::text),
                name: name.clone(),
            });
        }
    }
    with_table!(&mut scene, object.kind, table => {
        let (row, value) = validate_in(table, object, id, value)?;
        if let Some(shared) = table.get_mut(&object.name) {
            row.set_shared(shared, &value);
        }
    });
    Ok(())
}

/// Returns the channels of an object, with the values that the scene stores. Skinned meshes have none here:
/// see `channels`.
pub(super) fn channels<T: Resource>(table: &Table<T>, kind: Kind, name: &str) -> Vec<(&'static str, Value)> {
    let Some(resource) = table.get(name) else {
        return Vec::new();
    };
    let keyable = T::properties(kind).iter().filter(|row| row.info.channel.is_some());
    keyable.filter_map(|row| Some((row.info.id, Value::from_property(&row.get(resource)?)?))).collect()
}

/// Returns the value that the scene stores for one channel of an object.
pub(super) fn channel<T: Resource>(table: &Table<T>, kind: Kind, name: &str, id: &str) -> Option<Value> {
    let resource = table.get(name)?;
    let mut rows = T::properties(kind).iter().filter(|row| row.info.channel.is_some() && row.info.id == id);
    rows.find_map(|row| Value::from_property(&row.get(resource)?))
}
