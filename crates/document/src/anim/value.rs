//! A value that a channel drives.

use crate::rig::property::{Info, PropertyValue};
use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use serde::{Deserialize, Serialize};

/// The value of a channel at a frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    Bool(bool),
    Float(f32),
    Vec2(Vec2),
    Vec3(Vec3),
    Vec4(Vec4),
    Quat(Quat),
    /// Linear r, g, b.
    Spectrum(Vec3),
    Mat4(Mat4),
}

impl Value {
    /// Returns the value of a property; `None` for types that channels do not have.
    pub fn from_property(value: &PropertyValue) -> Option<Self> {
        Some(match *value {
            PropertyValue::Bool(v) => Self::Bool(v),
            PropertyValue::Float(v) => Self::Float(v),
            PropertyValue::Vec3(v) => Self::Vec3(v),
            PropertyValue::Rotation(v) => Self::Quat(v),
            PropertyValue::Color(v) => Self::Spectrum(v),
            _ => return None,
        })
    }

    /// Returns it as the value of a property; `None` for types that properties do not have.
    pub fn to_property(self) -> Option<PropertyValue> {
        Some(match self {
            Self::Bool(v) => PropertyValue::Bool(v),
            Self::Float(v) => PropertyValue::Float(v),
            Self::Vec3(v) => PropertyValue::Vec3(v),
            Self::Quat(v) => PropertyValue::Rotation(v),
            Self::Spectrum(v) => PropertyValue::Color(v),
            Self::Vec2(_) | Self::Vec4(_) | Self::Mat4(_) => return None,
        })
    }

    /// Returns the type's name in files.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Bool(_) => "bool",
            Value::Float(_) => "float",
            Value::Vec2(_) => "Vec2",
            Value::Vec3(_) => "Vec3",
            Value::Vec4(_) => "Vec4",
            Value::Quat(_) => "Quat",
            Value::Spectrum(_) => "Spectrum",
            Value::Mat4(_) => "Mat4",
        }
    }

    /// Returns a number of the value: x, y, z, w, or r, g, b; a switch is 0 or 1. `None` if there is no such number, and for
    /// matrices.
    pub fn component(&self, index: usize) -> Option<f32> {
        let number = |numbers: &[f32]| numbers.get(index).copied();
        match self {
            Value::Bool(v) => number(&[f32::from(u8::from(*v))]),
            Value::Float(v) => number(&[*v]),
            Value::Vec2(v) => number(&v.to_array()),
            Value::Vec3(v) | Value::Spectrum(v) => number(&v.to_array()),
            Value::Vec4(v) => number(&v.to_array()),
            Value::Quat(v) => number(&v.to_array()),
            Value::Mat4(_) => None,
        }
    }

    /// Returns the value with another number; `None` if there is no such number, and for switches, rotations and matrices,
    /// whose numbers do not change alone.
    pub fn with_component(self, index: usize, number: f32) -> Option<Self> {
        fn changed<const N: usize>(mut numbers: [f32; N], index: usize, number: f32) -> Option<[f32; N]> {
            *numbers.get_mut(index)? = number;
            Some(numbers)
        }
        Some(match self {
            Value::Float(v) => Value::Float(changed([v], index, number)?[0]),
            Value::Vec2(v) => Value::Vec2(changed(v.to_array(), index, number)?.into()),
            Value::Vec3(v) => Value::Vec3(changed(v.to_array(), index, number)?.into()),
            Value::Spectrum(v) => Value::Spectrum(changed(v.to_array(), index, number)?.into()),
            Value::Vec4(v) => Value::Vec4(changed(v.to_array(), index, number)?.into()),
            Value::Bool(_) | Value::Quat(_) | Value::Mat4(_) => return None,
        })
    }

    pub fn is_finite(&self) -> bool {
        match self {
            Value::Bool(_) => true,
            Value::Float(v) => v.is_finite(),
            Value::Vec2(v) => v.is_finite(),
            Value::Vec3(v) | Value::Spectrum(v) => v.is_finite(),
            Value::Vec4(v) => v.is_finite(),
            Value::Quat(v) => v.is_finite(),
            Value::Mat4(v) => v.is_finite(),
        }
    }

    /// Returns the value with the nearest numbers that a property allows; booleans and rotations are themselves.
    pub fn clamped(self, info: &Info) -> Self {
        self.combined(self, |value, _| info.clamped(value))
    }

    /// Returns a slope times a number; booleans and rotations have none.
    pub fn scaled(self, factor: f32) -> Self {
        self.combined(self, |value, _| value * factor)
    }

    /// Returns the result of a function of each component and the same of another value. It is this value if the types
    /// differ, and for booleans and rotations.
    pub fn combined(self, other: Self, combine: impl Fn(f32, f32) -> f32) -> Self {
        fn each<const N: usize>(a: [f32; N], b: [f32; N], combine: impl Fn(f32, f32) -> f32) -> [f32; N] {
            std::array::from_fn(|i| combine(a[i], b[i]))
        }
        match (self, other) {
            (Value::Float(a), Value::Float(b)) => Value::Float(combine(a, b)),
            (Value::Vec2(a), Value::Vec2(b)) => Value::Vec2(each(a.to_array(), b.to_array(), combine).into()),
            (Value::Vec3(a), Value::Vec3(b)) => Value::Vec3(each(a.to_array(), b.to_array(), combine).into()),
            (Value::Vec4(a), Value::Vec4(b)) => Value::Vec4(each(a.to_array(), b.to_array(), combine).into()),
            (Value::Spectrum(a), Value::Spectrum(b)) => {
                Value::Spectrum(each(a.to_array(), b.to_array(), combine).into())
            }
            (Value::Mat4(a), Value::Mat4(b)) => {
                Value::Mat4(Mat4::from_cols_array(&each(a.to_cols_array(), b.to_cols_array(), combine)))
            }
            _ => self,
        }
    }
}

/// The value of a type of spline, from a value of any type.
macro_rules! from_value {
    ($($type:ty, $($kind:ident)|+;)*) => {$(
        impl TryFrom<Value> for $type {
            type Error = ();

            fn try_from(value: Value) -> Result<Self, ()> {
                match value {
                    $(Value::$kind(value) => Ok(value),)+
                    _ => Err(()),
                }
            }
        }
    )*};
}
from_value! {
    bool, Bool;
    f32, Float;
    Vec2, Vec2;
    Vec3, Vec3 | Spectrum;
    Vec4, Vec4;
    Quat, Quat;
    Mat4, Mat4;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_changed_alone() {
        let value = Value::Vec3(Vec3::new(1.0, 2.0, 3.0));
        assert_eq!([0, 1, 2, 3].map(|index| value.component(index)), [Some(1.0), Some(2.0), Some(3.0), None]);
        assert_eq!(value.with_component(1, 7.0), Some(Value::Vec3(Vec3::new(1.0, 7.0, 3.0))));
        assert_eq!(value.with_component(3, 7.0), None);
        assert_eq!(Value::Bool(true).component(0), Some(1.0));
        assert_eq!(Value::Quat(Quat::IDENTITY).with_component(0, 1.0), None);
        assert_eq!(Value::Float(1.0).with_component(0, 2.0), Some(Value::Float(2.0)));
    }
}
