//! A value that a channel drives.

use crate::rig::property::PropertyValue;
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
