//! Where the value of a property lies, and of which type it is.

use super::{Info, PropertyError, PropertyValue};
use crate::anim::channel::Value;
use crate::scene::names::Kind;
use glam::{Quat, Vec3};
use std::sync::Arc;

/// Id, label and about of [`Info`].
type Words = [&'static str; 3];

/// A row of the table: see [`Info`] for what people see.
pub struct Property<T> {
    pub info: Info,
    pub access: Access<T>,
}

/// The member of a resource that holds a value; `None` where its type has no such member.
pub struct Slot<T, V> {
    pub get: fn(&T) -> Option<&V>,
    pub get_mut: fn(&mut T) -> Option<&mut V>,
}

/// The type of a property.
pub enum Access<T> {
    Bool(Slot<T, bool>),
    Float(Slot<T, f32>),
    Unsigned(Slot<T, u32>),
    Vec3(Slot<T, Vec3>),
    Rotation(Slot<T, Quat>),
    Color(Slot<T, Vec3>),
    /// One of these words; files with another one have the first.
    Choice(Slot<T, String>, &'static [&'static str]),
    /// The name of a resource of a kind.
    Reference(Slot<T, Option<String>>, Kind),
    /// The member `type`, which decides what other members there are. Setting another one keeps what both have.
    Type {
        get: fn(&T) -> &'static str,
        set: fn(&mut T, &str),
        names: &'static [&'static str],
    },
}

/// A member that is always there: `at!(film.width)`.
macro_rules! at {
    ($($member:tt)+) => {
        $crate::scene::property::Slot {
            get: |it| Some(&it.$($member)+),
            get_mut: |it| Some(&mut it.$($member)+),
        }
    };
}

/// A member of some variants of `kind`: `of_kind!(DeltaLightKind::Spot { inner_angle, .. } => inner_angle)`.
macro_rules! of_kind {
    ($pattern:pat => $member:ident) => {
        $crate::scene::property::Slot {
            get: |it| match &it.kind {
                $pattern => Some($member),
                _ => None,
            },
            get_mut: |it| match &mut it.kind {
                $pattern => Some($member),
                _ => None,
            },
        }
    };
}
pub(super) use {at, of_kind};

impl<T, V: PartialEq> Slot<T, V> {
    fn put(&self, resource: &mut T, value: V) {
        if let Some(slot) = (self.get_mut)(resource) {
            *slot = value;
        }
    }
}

impl<T> Access<T> {
    pub fn choices(&self) -> &'static [&'static str] {
        match self {
            Self::Choice(_, words) | Self::Type { names: words, .. } => words,
            _ => &[],
        }
    }

    /// The kind of resource that it names.
    pub fn target(&self) -> Option<Kind> {
        match self {
            Self::Reference(_, kind) => Some(*kind),
            _ => None,
        }
    }

    /// What a value must be, for messages.
    fn expected(&self) -> &'static str {
        match self {
            Self::Bool(_) => "on or off",
            Self::Float(_) => "a number",
            Self::Unsigned(_) => "a whole number",
            Self::Vec3(_) | Self::Color(_) => "three numbers",
            Self::Rotation(_) => "four finite numbers that are not all zero",
            Self::Choice(..) | Self::Type { .. } => "a word",
            Self::Reference(..) => "the name of a resource",
        }
    }
}

impl<T> Property<T> {
    const fn new([id, label, about]: Words, access: Access<T>) -> Self {
        let largest = f32::MAX as f64;
        let info = Info {
            id,
            label,
            about,
            unit: "",
            range: [-largest, largest],
            slider: None,
            keyable: false,
            fixed: false,
            verbs: None,
            names: &[],
            shown: &[],
        };
        Self { info, access }
    }

    pub const fn bool(words: Words, slot: Slot<T, bool>) -> Self {
        Self::new(words, Access::Bool(slot))
    }

    pub const fn float(words: Words, slot: Slot<T, f32>) -> Self {
        Self::new(words, Access::Float(slot))
    }

    pub const fn unsigned(words: Words, slot: Slot<T, u32>) -> Self {
        Self::new(words, Access::Unsigned(slot)).within(0.0, u32::MAX as f64)
    }

    pub const fn vec3(words: Words, slot: Slot<T, Vec3>) -> Self {
        Self::new(words, Access::Vec3(slot))
    }

    pub const fn rotation(words: Words, slot: Slot<T, Quat>) -> Self {
        Self::new(words, Access::Rotation(slot))
    }

    pub const fn color(words: Words, slot: Slot<T, Vec3>) -> Self {
        Self::new(words, Access::Color(slot)).within(0.0, f32::MAX as f64)
    }

    pub const fn choice(words: Words, slot: Slot<T, String>, choices: &'static [&'static str]) -> Self {
        Self::new(words, Access::Choice(slot, choices))
    }

    pub const fn reference(words: Words, slot: Slot<T, Option<String>>, kind: Kind) -> Self {
        Self::new(words, Access::Reference(slot, kind))
    }

    /// The member `type`. Files with another word have the first of `names`.
    pub const fn kind(
        about: &'static str,
        get: fn(&T) -> &'static str,
        set: fn(&mut T, &str),
        names: &'static [&'static str],
    ) -> Self {
        Self::new(["type", "Type", about], Access::Type { get, set, names })
    }

    pub const fn within(mut self, least: f64, largest: f64) -> Self {
        self.info.range = [least, largest];
        self
    }

    pub const fn not_negative(self) -> Self {
        self.within(0.0, f32::MAX as f64)
    }

    pub const fn slider(mut self, from: f64, to: f64) -> Self {
        self.info.slider = Some([from, to]);
        self
    }

    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.info.unit = unit;
        self
    }

    /// What people call some words of the file: word, name.
    pub const fn shown(mut self, names: &'static [(&'static str, &'static str)]) -> Self {
        self.info.shown = names;
        self
    }

    pub const fn keyable(mut self) -> Self {
        self.info.keyable = true;
        self
    }

    pub const fn fixed(mut self) -> Self {
        self.info.fixed = true;
        self
    }

    pub const fn verbs(mut self, on: &'static str, off: &'static str) -> Self {
        self.info.verbs = Some([on, off]);
        self
    }

    pub const fn names(mut self, names: &'static [(u32, &'static str)]) -> Self {
        self.info.names = names;
        self
    }

    /// `None` where the type of the resource has no such property.
    pub fn get(&self, resource: &T) -> Option<PropertyValue> {
        Some(match &self.access {
            Access::Bool(slot) => PropertyValue::Bool(*(slot.get)(resource)?),
            Access::Float(slot) => PropertyValue::Float(*(slot.get)(resource)?),
            Access::Unsigned(slot) => PropertyValue::Unsigned(*(slot.get)(resource)?),
            Access::Vec3(slot) => PropertyValue::Vec3(*(slot.get)(resource)?),
            Access::Rotation(slot) => PropertyValue::Rotation(*(slot.get)(resource)?),
            Access::Color(slot) => PropertyValue::Color(*(slot.get)(resource)?),
            Access::Choice(slot, _) => PropertyValue::Choice((slot.get)(resource)?.clone()),
            Access::Reference(slot, _) => PropertyValue::Reference((slot.get)(resource)?.clone()),
            Access::Type { get, .. } => PropertyValue::Choice(get(resource).to_owned()),
        })
    }

    /// Stores a value of the right type; any other has no effect.
    pub fn put(&self, resource: &mut T, value: &PropertyValue) {
        match (&self.access, value) {
            (Access::Bool(slot), PropertyValue::Bool(v)) => slot.put(resource, *v),
            (Access::Float(slot), PropertyValue::Float(v)) => slot.put(resource, *v),
            (Access::Unsigned(slot), PropertyValue::Unsigned(v)) => slot.put(resource, *v),
            (Access::Vec3(slot), PropertyValue::Vec3(v)) => slot.put(resource, *v),
            (Access::Rotation(slot), PropertyValue::Rotation(v)) => slot.put(resource, *v),
            (Access::Color(slot), PropertyValue::Color(v)) => slot.put(resource, *v),
            (Access::Choice(slot, _), PropertyValue::Choice(v)) => slot.put(resource, v.clone()),
            (Access::Reference(slot, _), PropertyValue::Reference(v)) => slot.put(resource, v.clone()),
            (Access::Type { get, set, .. }, PropertyValue::Choice(v)) if get(resource) != v => {
                set(resource, v)
            }
            _ => {}
        }
    }

    /// As [`Property::put`]; what has the value already, or no such property, stays shared.
    pub fn put_shared(&self, shared: &mut Arc<T>, value: &PropertyValue)
    where
        T: Clone,
    {
        let now = self.get(shared);
        let same_type = |now: &PropertyValue| std::mem::discriminant(now) == std::mem::discriminant(value);
        if now.is_some_and(|now| same_type(&now) && now != *value) {
            self.put(Arc::make_mut(shared), value);
        }
    }

    /// As [`Property::put_shared`], what a channel says.
    pub fn drive(&self, shared: &mut Arc<T>, value: Value)
    where
        T: Clone,
    {
        if let Some(value) = PropertyValue::of_channel(value).filter(|_| self.info.keyable) {
            self.put_shared(shared, &value);
        }
    }

    /// The value as it is set: numbers within the range, a rotation made unit.
    pub(super) fn checked(&self, value: &PropertyValue) -> Result<PropertyValue, PropertyError> {
        let label = || self.info.lower();
        if self.info.fixed {
            return Err(PropertyError::Fixed { label: label() });
        }
        let expected = self.access.expected();
        let wrong_type = || PropertyError::Type {
            label: label(),
            expected,
        };
        let number = |v: f32| match self.info.holds(v) {
            true => Ok(()),
            false if !v.is_finite() => Err(wrong_type()),
            false => Err(PropertyError::Range {
                label: label(),
                rule: self.info.rule(),
            }),
        };
        let numbers = |v: Vec3| v.to_array().into_iter().try_for_each(number);
        match (&self.access, value) {
            (Access::Float(_), PropertyValue::Float(v)) => number(*v)?,
            (Access::Unsigned(_), PropertyValue::Unsigned(v)) => number(*v as f32)?,
            (Access::Vec3(_), PropertyValue::Vec3(v)) | (Access::Color(_), PropertyValue::Color(v)) => {
                numbers(*v)?
            }
            (Access::Rotation(_), PropertyValue::Rotation(v)) => {
                let unit = unit(*v).ok_or_else(wrong_type)?;
                return Ok(PropertyValue::Rotation(unit));
            }
            (Access::Choice(..) | Access::Type { .. }, PropertyValue::Choice(word)) => {
                let choices = self.access.choices();
                if !choices.contains(&word.as_str()) {
                    return Err(PropertyError::Choice {
                        label: label(),
                        choices,
                    });
                }
            }
            (Access::Bool(_), PropertyValue::Bool(_))
            | (Access::Reference(..), PropertyValue::Reference(_)) => {}
            _ => return Err(wrong_type()),
        }
        Ok(value.clone())
    }
}

/// One that is unit except for rounding is kept bit for bit.
fn unit(rotation: Quat) -> Option<Quat> {
    let length = rotation.length();
    if !(length.is_finite() && length > 1e-6) {
        return None;
    }
    Some(match (length - 1.0).abs() < 1e-5 {
        true => rotation,
        false => rotation / length,
    })
}
