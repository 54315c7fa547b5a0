//! Properties: the members of resources and instances, one row of a table each. Reading and writing of files,
//! channels, the command that sets a value, its undo label, the rows of panels and `info --json` are all
//! derived from the row. Bones, handles and surfaces have no rows: they are lists, with commands of their
//! own.

mod access;
mod instances;
mod lights;
mod materials;
mod resources;

use super::names::{Kind, ObjectRef, with_table};
use super::{Scene, Table};
use crate::anim::channel::Value;
use crate::extra::Extra;
pub use access::{Access, Property, Slot};
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
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
}

/// A row of the table, except for the access to the value.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// The member of the file, and the name of the channel if it can be keyed.
    pub id: &'static str,
    /// The label that users see, in sentence case.
    pub label: &'static str,
    /// The description, a full sentence.
    pub description: &'static str,
    /// The unit after the number, such as "°", or nothing.
    pub unit: &'static str,
    /// The minimum and maximum that can be set, for each component of a vector. Files may contain other
    /// numbers.
    pub range: [f64; 2],
    /// The range of a slider, if one helps.
    pub slider: Option<[f64; 2]>,
    /// Whether the format has a channel for it.
    pub keyable: bool,
    /// Whether it is read-only: it is as in the file and cannot be set.
    pub fixed: bool,
    /// Whether it is rarely used, so that panels show it among the advanced ones.
    pub advanced: bool,
    /// The verbs of the undo label when a switch is set and cleared; otherwise "Change … of".
    pub verbs: Option<[&'static str; 2]>,
    /// The names of numbers that are offered as a choice instead of a field.
    pub names: &'static [(u32, &'static str)],
    /// The labels of some words of the file: (word, label).
    pub labels: &'static [(&'static str, &'static str)],
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PropertyValue {
    Bool(bool),
    Float(f32),
    Unsigned(u32),
    Vec3(Vec3),
    Rotation(Quat),
    /// Linear r, g, b.
    Color(Vec3),
    /// One of the words of the row.
    Choice(String),
    /// The name of a resource of the row's kind.
    Reference(Option<String>),
}

impl PropertyValue {
    /// Returns the value for a channel; `None` for types that channels do not have.
    pub fn channel(&self) -> Option<Value> {
        Some(match *self {
            Self::Bool(v) => Value::Bool(v),
            Self::Float(v) => Value::Float(v),
            Self::Vec3(v) => Value::Vec3(v),
            Self::Rotation(v) => Value::Quat(v),
            Self::Color(v) => Value::Spectrum(v),
            Self::Unsigned(_) | Self::Choice(_) | Self::Reference(_) => return None,
        })
    }

    /// Returns the value of a channel as a property value; `None` for types that properties do not have.
    pub fn from_channel(value: Value) -> Option<Self> {
        Some(match value {
            Value::Bool(v) => Self::Bool(v),
            Value::Float(v) => Self::Float(v),
            Value::Vec3(v) => Self::Vec3(v),
            Value::Quat(v) => Self::Rotation(v),
            Value::Spectrum(v) => Self::Color(v),
            Value::Vec2(_) | Value::Vec4(_) | Value::Mat4(_) => return None,
        })
    }
}

/// The reason why a property rejects a value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PropertyError {
    #[error("“{name}” has no property “{property}”; it has {}", available.join(", "))]
    Unknown { name: String, property: String, available: Vec<&'static str> },
    #[error("the {label} cannot be changed here; change it in the program that made the file")]
    Fixed { label: String },
    #[error("the {label} must be {expected}")]
    Type { label: String, expected: &'static str },
    #[error("the {label} must be {rule}")]
    Range { label: String, rule: String },
    #[error("the {label} must be one of {}", choices.join(", "))]
    Choice { label: String, choices: &'static [&'static str] },
    #[error("there is no {kind} called “{name}”; check the name, including capitals and spaces")]
    NoSuch { kind: &'static str, name: String },
}

impl Info {
    /// Returns the label for the middle of a sentence.
    pub fn lower(&self) -> String {
        if self.label.chars().nth(1).is_some_and(char::is_lowercase) {
            self.label.to_lowercase()
        } else {
            self.label.to_owned()
        }
    }

    /// Returns the undo label of setting it, for the Edit menu.
    pub fn undo_label(&self, name: &str, value: &PropertyValue) -> String {
        match self.verbs {
            Some([on, off]) => {
                let verb = if *value == PropertyValue::Bool(false) { off } else { on };
                format!("{verb} {name}")
            }
            None => format!("Change {} of {name}", self.lower()),
        }
    }

    /// Returns the label of a word of the file.
    pub fn label_of<'a>(&self, word: &'a str) -> &'a str {
        let found = self.labels.iter().find(|(file_word, _)| *file_word == word);
        found.map_or(word, |(_, label)| label)
    }

    /// Whether a number can be set.
    pub fn allows(&self, number: f32) -> bool {
        let [least, largest] = self.range.map(|limit| limit as f32);
        (least..=largest).contains(&number)
    }

    /// Returns a description of the numbers that can be set.
    pub fn rule(&self) -> String {
        let ([least, largest], unit) = (self.range, self.unit);
        if largest < f64::from(f32::MAX) {
            format!("between {least} and {largest}{unit}")
        } else {
            format!("{least}{unit} or more")
        }
    }
}

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
/// # Errors If the object does not have the property, or the row does not allow the value. The scene does not
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
    let keyable = T::properties(kind).iter().filter(|row| row.info.keyable);
    keyable.filter_map(|row| Some((row.info.id, row.get(resource)?.channel()?))).collect()
}

/// Returns the value that the scene stores for one channel of an object.
pub(super) fn channel<T: Resource>(table: &Table<T>, kind: Kind, name: &str, id: &str) -> Option<Value> {
    let resource = table.get(name)?;
    let mut rows = T::properties(kind).iter().filter(|row| row.info.keyable && row.info.id == id);
    rows.find_map(|row| row.get(resource)?.channel())
}
