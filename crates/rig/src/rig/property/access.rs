//! The access to the value of a property, and its type.

use super::{Info, Mirror, PropertyError, PropertyValue};
use crate::rig::limits::Limits;
use crate::rig::skeleton::{LookAt, Orientation, Pole};
use glam::{Quat, Vec3};
use std::sync::Arc;

/// Id, label and description of [`Info`].
type Texts = [&'static str; 3];

/// A row of the table; see [`Info`] for the part that users see. `K`: the kinds of resources that it can refer to.
pub struct Property<T, K = PartTarget> {
    pub info: Info,
    pub access: Access<T, K>,
}

/// The kinds of objects that parts of a skeleton refer to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PartTarget {
    /// An instance of any kind.
    Instance,
}

/// The member of a resource that stores a value; `None` if its type has no such member.
pub struct Slot<T, V> {
    pub get: fn(&T) -> Option<&V>,
    pub get_mut: fn(&mut T) -> Option<&mut V>,
}

/// The type of a property.
pub enum Access<T, K> {
    Bool(Slot<T, bool>),
    Float(Slot<T, f32>),
    Unsigned(Slot<T, u32>),
    Vec3(Slot<T, Vec3>),
    Rotation(Slot<T, Quat>),
    Color(Slot<T, Vec3>),
    /// One of these words; the first one for files with any other.
    Choice(Slot<T, String>, &'static [&'static str]),
    /// The name of a resource of a kind.
    Reference(Slot<T, Option<String>>, K),
    /// The limits of three angles.
    Limits(Slot<T, Limits>),
    OptionalUnsigned(Slot<T, Option<u32>>),
    OptionalVec3(Slot<T, Option<Vec3>>),
    Orientation(Slot<T, Option<Orientation>>),
    Pole(Slot<T, Option<Pole>>),
    LookAt(Slot<T, Option<LookAt>>),
    /// The member `type`, which determines the other members. Changing it keeps the members that both types
    /// have.
    Type {
        get: fn(&T) -> &'static str,
        set: fn(&mut T, &str),
        names: &'static [&'static str],
    },
}

/// A member that always exists: `member!(film.width)`.
#[macro_export]
macro_rules! member {
    ($($path:tt)+) => {
        $crate::rig::property::Slot {
            get: |resource| Some(&resource.$($path)+),
            get_mut: |resource| Some(&mut resource.$($path)+),
        }
    };
}

/// A member of some variants of `kind`: `variant_member!(DeltaLightKind::Spot { inner_angle, .. } =>
/// inner_angle)`.
#[macro_export]
macro_rules! variant_member {
    ($pattern:pat => $member:ident) => {
        $crate::rig::property::Slot {
            get: |resource| match &resource.kind {
                $pattern => Some($member),
                _ => None,
            },
            get_mut: |resource| match &mut resource.kind {
                $pattern => Some($member),
                _ => None,
            },
        }
    };
}

impl<T, V: PartialEq> Slot<T, V> {
    fn set(&self, resource: &mut T, value: V) {
        if let Some(slot) = (self.get_mut)(resource) {
            *slot = value;
        }
    }
}

impl<T, K: Copy> Access<T, K> {
    pub fn choices(&self) -> &'static [&'static str] {
        match self {
            Self::Choice(_, names) | Self::Type { names, .. } => names,
            _ => &[],
        }
    }

    /// Returns the kind of resource that it refers to.
    pub fn target(&self) -> Option<K> {
        match self {
            Self::Reference(_, kind) => Some(*kind),
            _ => None,
        }
    }

    /// Returns a description of valid values, for messages.
    fn expected(&self) -> &'static str {
        match self {
            Self::Bool(_) => "on or off",
            Self::Limits(_) => "three ranges of degrees, the least first",
            Self::OptionalUnsigned(_) => "a whole number or nothing",
            Self::OptionalVec3(_) => "three numbers or nothing",
            Self::Orientation(_) => "a rotation with a weight, or nothing",
            Self::Pole(_) => "a point with a weight, or nothing",
            Self::LookAt(_) => "a direction with a weight, or nothing",
            Self::Float(_) => "a number",
            Self::Unsigned(_) => "a whole number",
            Self::Vec3(_) | Self::Color(_) => "three finite numbers",
            Self::Rotation(_) => "four finite numbers that are not all zero",
            Self::Choice(..) | Self::Type { .. } => "a word",
            Self::Reference(..) => "the name of a resource",
        }
    }
}

impl<T, K: Copy> Property<T, K> {
    const fn new([id, label, description]: Texts, access: Access<T, K>) -> Self {
        let largest = f32::MAX as f64;
        let info = Info {
            id,
            label,
            description,
            unit: "",
            range: [-largest, largest],
            slider: None,
            channel: None,
            fixed: false,
            advanced: false,
            verbs: None,
            names: &[],
            labels: &[],
            mirror: Mirror::Copy,
            ours: None,
        };
        Self { info, access }
    }

    pub const fn bool(texts: Texts, slot: Slot<T, bool>) -> Self {
        Self::new(texts, Access::Bool(slot))
    }

    pub const fn float(texts: Texts, slot: Slot<T, f32>) -> Self {
        Self::new(texts, Access::Float(slot))
    }

    pub const fn unsigned(texts: Texts, slot: Slot<T, u32>) -> Self {
        Self::new(texts, Access::Unsigned(slot)).within(0.0, u32::MAX as f64)
    }

    pub const fn vec3(texts: Texts, slot: Slot<T, Vec3>) -> Self {
        Self::new(texts, Access::Vec3(slot))
    }

    pub const fn rotation(texts: Texts, slot: Slot<T, Quat>) -> Self {
        Self::new(texts, Access::Rotation(slot))
    }

    pub const fn color(texts: Texts, slot: Slot<T, Vec3>) -> Self {
        Self::new(texts, Access::Color(slot)).within(0.0, f32::MAX as f64)
    }

    pub const fn choice(texts: Texts, slot: Slot<T, String>, choices: &'static [&'static str]) -> Self {
        Self::new(texts, Access::Choice(slot, choices))
    }

    pub const fn reference(texts: Texts, slot: Slot<T, Option<String>>, kind: K) -> Self {
        Self::new(texts, Access::Reference(slot, kind))
    }

    pub const fn limits(texts: Texts, slot: Slot<T, Limits>) -> Self {
        Self::new(texts, Access::Limits(slot))
    }

    pub const fn optional_unsigned(texts: Texts, slot: Slot<T, Option<u32>>) -> Self {
        Self::new(texts, Access::OptionalUnsigned(slot)).within(0.0, u32::MAX as f64)
    }

    pub const fn optional_vec3(texts: Texts, slot: Slot<T, Option<Vec3>>) -> Self {
        Self::new(texts, Access::OptionalVec3(slot))
    }

    pub const fn orientation(texts: Texts, slot: Slot<T, Option<Orientation>>) -> Self {
        Self::new(texts, Access::Orientation(slot)).fraction()
    }

    pub const fn pole(texts: Texts, slot: Slot<T, Option<Pole>>) -> Self {
        Self::new(texts, Access::Pole(slot)).fraction()
    }

    pub const fn look_at(texts: Texts, slot: Slot<T, Option<LookAt>>) -> Self {
        Self::new(texts, Access::LookAt(slot)).fraction()
    }

    /// Sets how the other side of a skeleton gets the value.
    pub const fn mirrored(mut self, mirror: Mirror) -> Self {
        self.info.mirror = mirror;
        self
    }

    /// Makes it an extra member of files, which is written only if it is not the default. `problem` is the finding
    /// about a value of another kind, which is kept.
    pub const fn ours(mut self, problem: &'static str) -> Self {
        self.info.ours = Some(problem);
        self
    }

    /// The member `type`. Files with any other word get the first of `names`.
    pub const fn kind(
        description: &'static str,
        get: fn(&T) -> &'static str,
        set: fn(&mut T, &str),
        names: &'static [&'static str],
    ) -> Self {
        Self::new(["type", "Type", description], Access::Type { get, set, names })
    }

    pub const fn within(mut self, least: f64, largest: f64) -> Self {
        self.info.range = [least, largest];
        self
    }

    /// A number from 0, nothing, to 1, all.
    pub const fn fraction(self) -> Self {
        self.within(0.0, 1.0)
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

    /// Sets the labels of some words of the file: (word, label).
    pub const fn labels(mut self, names: &'static [(&'static str, &'static str)]) -> Self {
        self.info.labels = names;
        self
    }

    /// Gives it a channel of the same name.
    pub const fn keyable(self) -> Self {
        let name = self.info.id;
        self.keyable_as(name)
    }

    pub const fn keyable_as(mut self, channel: &'static str) -> Self {
        self.info.channel = Some(channel);
        self
    }

    pub const fn fixed(mut self) -> Self {
        self.info.fixed = true;
        self
    }

    pub const fn advanced(mut self) -> Self {
        self.info.advanced = true;
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

    /// Returns the value; `None` if the type of the resource has no such property.
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
            Access::Limits(slot) => PropertyValue::Limits(*(slot.get)(resource)?),
            Access::OptionalUnsigned(slot) => PropertyValue::OptionalUnsigned(*(slot.get)(resource)?),
            Access::OptionalVec3(slot) => PropertyValue::OptionalVec3(*(slot.get)(resource)?),
            Access::Orientation(slot) => PropertyValue::Orientation(*(slot.get)(resource)?),
            Access::Pole(slot) => PropertyValue::Pole(*(slot.get)(resource)?),
            Access::LookAt(slot) => PropertyValue::LookAt(*(slot.get)(resource)?),
        })
    }

    /// Sets the value; one of the wrong type has no effect.
    pub fn set(&self, resource: &mut T, value: &PropertyValue) {
        match (&self.access, value) {
            (Access::Bool(slot), PropertyValue::Bool(v)) => slot.set(resource, *v),
            (Access::Float(slot), PropertyValue::Float(v)) => slot.set(resource, *v),
            (Access::Unsigned(slot), PropertyValue::Unsigned(v)) => slot.set(resource, *v),
            (Access::Vec3(slot), PropertyValue::Vec3(v)) => slot.set(resource, *v),
            (Access::Rotation(slot), PropertyValue::Rotation(v)) => slot.set(resource, *v),
            (Access::Color(slot), PropertyValue::Color(v)) => slot.set(resource, *v),
            (Access::Choice(slot, _), PropertyValue::Choice(v)) => slot.set(resource, v.clone()),
            (Access::Reference(slot, _), PropertyValue::Reference(v)) => slot.set(resource, v.clone()),
            (Access::Limits(slot), PropertyValue::Limits(v)) => slot.set(resource, *v),
            (Access::OptionalUnsigned(slot), PropertyValue::OptionalUnsigned(v)) => slot.set(resource, *v),
            (Access::OptionalVec3(slot), PropertyValue::OptionalVec3(v)) => slot.set(resource, *v),
            (Access::Orientation(slot), PropertyValue::Orientation(v)) => slot.set(resource, *v),
            (Access::Pole(slot), PropertyValue::Pole(v)) => slot.set(resource, *v),
            (Access::LookAt(slot), PropertyValue::LookAt(v)) => slot.set(resource, *v),
            (Access::Type { get, set, .. }, PropertyValue::Choice(v)) if get(resource) != v => {
                set(resource, v)
            }
            _ => {}
        }
    }

    /// Does the same as [`Property::set`]; a resource that has the value already, or has no such property,
    /// stays shared.
    pub fn set_shared(&self, shared: &mut Arc<T>, value: &PropertyValue)
    where
        T: Clone,
    {
        let current = self.get(shared);
        let same_type =
            |current: &PropertyValue| std::mem::discriminant(current) == std::mem::discriminant(value);
        if current.is_some_and(|current| same_type(&current) && current != *value) {
            self.set(Arc::make_mut(shared), value);
        }
    }

    /// Whether the value is of the row's type and within its range, whether or not it can be set.
    pub fn accepts(&self, value: &PropertyValue) -> bool {
        self.checked(value).is_ok()
    }

    /// Returns the value to store: numbers must be within the range, and rotations are normalized.
    pub fn validated(&self, value: &PropertyValue) -> Result<PropertyValue, PropertyError> {
        if self.info.fixed {
            return Err(PropertyError::Fixed { label: self.info.lower() });
        }
        self.checked(value)
    }

    fn checked(&self, value: &PropertyValue) -> Result<PropertyValue, PropertyError> {
        let label = || self.info.lower();
        let expected = self.access.expected();
        let wrong_type = || PropertyError::Type { label: label(), expected };
        let number = |v: f32| match self.info.allows(v) {
            true => Ok(()),
            false if !v.is_finite() => Err(wrong_type()),
            false => Err(PropertyError::Range { label: label(), rule: self.info.rule() }),
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
                    return Err(PropertyError::Choice { label: label(), choices });
                }
            }
            (Access::Limits(_), PropertyValue::Limits(limits)) if !limits.are_valid() => {
                return Err(wrong_type());
            }
            (Access::OptionalUnsigned(_), PropertyValue::OptionalUnsigned(Some(v))) => number(*v as f32)?,
            (Access::OptionalVec3(_), PropertyValue::OptionalVec3(Some(v))) => numbers(*v)?,
            (Access::Orientation(_), PropertyValue::Orientation(Some(v))) => {
                if !(v.rotation.is_finite() && v.rotation.length_squared() > 0.0) {
                    return Err(wrong_type());
                }
                number(v.weight)?;
            }
            (Access::Pole(_), PropertyValue::Pole(Some(v))) => {
                if !v.point.is_finite() {
                    return Err(wrong_type());
                }
                number(v.weight)?;
            }
            (Access::LookAt(_), PropertyValue::LookAt(Some(v))) => {
                if !v.axis.is_finite() || v.axis == Vec3::ZERO {
                    return Err(wrong_type());
                }
                number(v.weight)?;
            }
            (Access::Limits(_), PropertyValue::Limits(_))
            | (Access::OptionalUnsigned(_), PropertyValue::OptionalUnsigned(None))
            | (Access::OptionalVec3(_), PropertyValue::OptionalVec3(None))
            | (Access::Orientation(_), PropertyValue::Orientation(None))
            | (Access::Pole(_), PropertyValue::Pole(None))
            | (Access::LookAt(_), PropertyValue::LookAt(None)) => {}
            (Access::Bool(_), PropertyValue::Bool(_))
            | (Access::Reference(..), PropertyValue::Reference(_)) => {}
            _ => return Err(wrong_type()),
        }
        Ok(value.clone())
    }
}

/// Normalizes a rotation; one of unit length except for rounding stays bit for bit the same.
fn unit(rotation: Quat) -> Option<Quat> {
    let length = rotation.length();
    if !(length.is_finite() && length > 1e-6) {
        return None;
    }
    Some(if (length - 1.0).abs() < 1e-5 { rotation } else { rotation / length })
}
