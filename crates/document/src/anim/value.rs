//! A value that a channel drives.

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
}
