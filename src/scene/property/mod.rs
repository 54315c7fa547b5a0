//! Properties: what resources and instances consist of, one row of a table each. Reading and writing of files,
//! channels, the command that sets a value, its undo label, the rows of panels and `info --json` all come from
//! the row. Bones, handles and surfaces have no rows: they are lists, with commands of their own.

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

/// A kind of resource or instance with the rows of its properties.
pub trait Resource: Clone + Default + PartialEq + 'static {
    /// In the order of the file. `kind`: the kinds of geometry share a type, as those of lights do.
    fn properties(kind: Kind) -> &'static [Property<Self>];
    /// Unknown members of the file.
    fn extra(&self) -> &Extra;
    fn extra_mut(&mut self) -> &mut Extra;
    /// Unknown members of its surface, if it has one: they may divide it into parts (`scene::parts`).
    fn surface_extra(&self) -> Option<&Extra> {
        None
    }
    fn surface_extra_mut(&mut self) -> Option<&mut Extra> {
        None
    }
}

/// A row of the table, except for where the value lies.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Member of the file, and name of the channel where it can be keyed.
    pub id: &'static str,
    /// What people call it. Sentence case.
    pub label: &'static str,
    /// What it does, a sentence.
    pub about: &'static str,
    /// Behind the number: "°" or nothing.
    pub unit: &'static str,
    /// Least and largest number that can be set; each component of a vector. Files may hold others.
    pub range: [f64; 2],
    /// Range of a slider, where one helps.
    pub slider: Option<[f64; 2]>,
    /// The format has a channel for it.
    pub keyable: bool,
    /// It is as the file says, and cannot be set.
    pub fixed: bool,
    /// First word of the undo label: of a switch when it is set and when it is cleared. Else "Change … of".
    pub verbs: Option<[&'static str; 2]>,
    /// Names of some numbers, which are offered instead of a field.
    pub names: &'static [(u32, &'static str)],
    /// What people call some words of the file.
    pub shown: &'static [(&'static str, &'static str)],
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
    /// The name of a resource of the kind that the row says.
    Reference(Option<String>),
}

impl PropertyValue {
    /// As a channel drives it; `None` for what no channel can.
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

    /// The value that a channel has; `None` for types that no property has.
    pub fn of_channel(value: Value) -> Option<Self> {
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

/// Why a property does not take a value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PropertyError {
    #[error("“{name}” has no property “{property}”; it has {}", there.join(", "))]
    Unknown {
        name: String,
        property: String,
        there: Vec<&'static str>,
    },
    #[error("the {label} cannot be changed here; change it in the program that made the file")]
    Fixed { label: String },
    #[error("the {label} must be {expected}")]
    Type { label: String, expected: &'static str },
    #[error("the {label} must be {rule}")]
    Range { label: String, rule: String },
    #[error("the {label} must be one of {}", choices.join(", "))]
    Choice {
        label: String,
        choices: &'static [&'static str],
    },
    #[error("there is no {what} called “{name}”; check the name, in which capitals and spaces count")]
    NoSuch { what: &'static str, name: String },
}

impl Info {
    /// As in the middle of a sentence.
    pub fn lower(&self) -> String {
        match self.label.chars().nth(1).is_some_and(char::is_lowercase) {
            true => self.label.to_lowercase(),
            false => self.label.to_owned(),
        }
    }

    /// What setting it is called in the Edit menu.
    pub fn undo_label(&self, name: &str, value: &PropertyValue) -> String {
        match self.verbs {
            Some([on, off]) => {
                let verb = if *value == PropertyValue::Bool(false) {
                    off
                } else {
                    on
                };
                format!("{verb} {name}")
            }
            None => format!("Change {} of {name}", self.lower()),
        }
    }

    /// What people call a word of the file.
    pub fn shown<'a>(&self, word: &'a str) -> &'a str {
        let found = self.shown.iter().find(|(of_file, _)| *of_file == word);
        found.map_or(word, |(_, shown)| shown)
    }

    /// Whether a number may be set.
    pub fn holds(&self, number: f32) -> bool {
        let [least, largest] = self.range.map(|limit| limit as f32);
        (least..=largest).contains(&number)
    }

    /// What a number must be that may be set.
    pub fn rule(&self) -> String {
        let ([least, largest], unit) = (self.range, self.unit);
        match largest < f64::from(f32::MAX) {
            true => format!("between {least} and {largest}{unit}"),
            false => format!("{least}{unit} or more"),
        }
    }
}

/// A property that something has, with its values.
#[derive(Clone, Debug)]
pub struct Row {
    pub info: &'static Info,
    pub value: PropertyValue,
    /// The value in a new resource or instance.
    pub default: PropertyValue,
    /// The words that it may be.
    pub choices: &'static [&'static str],
    /// The kind of resource that it names.
    pub names: Option<Kind>,
}

/// The properties that a thing has now, in the order of the file; none where it is not there.
pub fn rows(scene: &Scene, thing: &ObjectRef) -> Vec<Row> {
    fn rows_in<T: Resource>(table: &Table<T>, thing: &ObjectRef) -> Vec<Row> {
        let Some(resource) = table.get(&thing.name) else {
            return Vec::new();
        };
        let rows = T::properties(thing.kind);
        let mut fresh = T::default();
        for row in rows {
            if let (Access::Type { .. }, Some(kind)) = (&row.access, row.get(resource)) {
                row.put(&mut fresh, &kind);
            }
        }
        let shown = rows.iter().filter_map(|row| {
            Some(Row {
                info: &row.info,
                value: row.get(resource)?,
                default: row.get(&fresh)?,
                choices: row.access.choices(),
                names: row.access.target(),
            })
        });
        shown.collect()
    }
    with_table!(&scene, thing.kind, table => rows_in(table, thing))
}

/// The properties of a thing that was just made.
pub fn fresh(kind: Kind) -> Vec<Row> {
    let mut scene = Scene::default();
    with_table!(&mut scene, kind, table => drop(table.insert(String::new(), Arc::default())));
    rows(&scene, &ObjectRef::new(kind, ""))
}

/// The row called `id` of things of a kind, whether or not each of them has that property.
pub fn info(kind: Kind, id: &str) -> Option<&'static Info> {
    fn info_in<T: Resource>(_: &Table<T>, kind: Kind, id: &str) -> Option<&'static Info> {
        let mut rows = T::properties(kind).iter();
        rows.find(|row| row.info.id == id).map(|row| &row.info)
    }
    let scene = Scene::default();
    with_table!(&scene, kind, table => info_in(table, kind, id))
}

/// The value of a property; `None` where the thing is not there or has no such property.
pub fn value(scene: &Scene, thing: &ObjectRef, id: &str) -> Option<PropertyValue> {
    fn value_in<T: Resource>(table: &Table<T>, thing: &ObjectRef, id: &str) -> Option<PropertyValue> {
        let resource = table.get(&thing.name)?;
        T::properties(thing.kind)
            .iter()
            .find(|row| row.info.id == id)?
            .get(resource)
    }
    with_table!(&scene, thing.kind, table => value_in(table, thing, id))
}

/// Sets a property. What has the value already stays shared. A rotation is made unit.
///
/// # Errors
/// If the thing does not have the property, or if the row does not allow the value. The scene is as it was.
pub fn set(
    scene: &mut Scene,
    thing: &ObjectRef,
    id: &str,
    value: &PropertyValue,
) -> Result<(), PropertyError> {
    fn checked<T: Resource>(
        table: &Table<T>,
        thing: &ObjectRef,
        id: &str,
        value: &PropertyValue,
    ) -> Result<(&'static Property<T>, PropertyValue), PropertyError> {
        let resource = table.get(&thing.name).ok_or_else(|| PropertyError::NoSuch {
            what: thing.kind.text(),
            name: thing.name.clone(),
        })?;
        let rows = T::properties(thing.kind).iter();
        let there = rows.filter(|row| row.get(resource).is_some());
        let row = there.clone().find(|row| row.info.id == id);
        let row = row.ok_or_else(|| PropertyError::Unknown {
            name: thing.name.clone(),
            property: id.to_owned(),
            there: there.map(|row| row.info.id).collect(),
        })?;
        Ok((row, row.checked(value)?))
    }
    if let PropertyValue::Reference(Some(name)) = value {
        let target =
            with_table!(&scene, thing.kind, table => checked(table, thing, id, value)?.0.access.target());
        let there = target.is_none_or(|kind| scene.holds(&ObjectRef::new(kind, name.clone())));
        if !there {
            return Err(PropertyError::NoSuch {
                what: target.map_or("resource", Kind::text),
                name: name.clone(),
            });
        }
    }
    with_table!(&mut scene, thing.kind, table => {
        let (row, value) = checked(table, thing, id, value)?;
        if let Some(shared) = table.get_mut(&thing.name) {
            row.put_shared(shared, &value);
        }
    });
    Ok(())
}

/// Channels that a thing has, with the values that the scene stores. None of a skinned mesh: see `channels`.
pub(super) fn channels<T: Resource>(table: &Table<T>, kind: Kind, name: &str) -> Vec<(&'static str, Value)> {
    let Some(resource) = table.get(name) else {
        return Vec::new();
    };
    let keyable = T::properties(kind).iter().filter(|row| row.info.keyable);
    keyable
        .filter_map(|row| Some((row.info.id, row.get(resource)?.channel()?)))
        .collect()
}

/// The value that the scene stores for one channel of a thing.
pub(super) fn channel<T: Resource>(table: &Table<T>, kind: Kind, name: &str, id: &str) -> Option<Value> {
    let resource = table.get(name)?;
    let mut rows = T::properties(kind)
        .iter()
        .filter(|row| row.info.keyable && row.info.id == id);
    rows.find_map(|row| row.get(resource)?.channel())
}
