//! The channels of a handle: the name of each in files, and how it is read and set.

use super::value::Value;
use crate::rig::skeleton::Handle;
use glam::Quat;

/// A channel of a handle. All except `Target` and `Enabled` are Ossature's own: Scotty3D keeps such channels,
/// but they drive nothing there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandleChannel {
    /// Vec3, in the mesh's space.
    Target,
    /// bool.
    Enabled,
    /// Float from 0 to 1, like the other weights.
    Weight,
    /// Vec3: the pole's point, in the mesh's space.
    Pole,
    PoleWeight,
    /// Quat: the bone's rotation in the mesh's space.
    Orientation,
    OrientationWeight,
    LookAtWeight,
}

impl HandleChannel {
    pub const ALL: [Self; 8] = [
        Self::Target,
        Self::Enabled,
        Self::Weight,
        Self::Pole,
        Self::PoleWeight,
        Self::Orientation,
        Self::OrientationWeight,
        Self::LookAtWeight,
    ];

    /// Returns the name in files, after `handle.N.`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Target => "target",
            Self::Enabled => "enabled",
            Self::Weight => "weight",
            Self::Pole => "pole",
            Self::PoleWeight => "pole_weight",
            Self::Orientation => "orientation",
            Self::OrientationWeight => "orientation_weight",
            Self::LookAtWeight => "look_at_weight",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.name() == name)
    }

    /// Returns the handle's value; `None` if the handle has no such constraint.
    pub fn value(self, handle: &Handle) -> Option<Value> {
        Some(match self {
            Self::Target => Value::Vec3(handle.target),
            Self::Enabled => Value::Bool(handle.enabled),
            Self::Weight => Value::Float(handle.weight),
            Self::Pole => Value::Vec3(handle.pole?.point),
            Self::PoleWeight => Value::Float(handle.pole?.weight),
            Self::Orientation => Value::Quat(handle.orientation?.rotation),
            Self::OrientationWeight => Value::Float(handle.orientation?.weight),
            Self::LookAtWeight => Value::Float(handle.look_at?.weight),
        })
    }

    /// Returns the nearest valid value: weights are clamped to 0 to 1 and rotations normalized, since splines
    /// overshoot. `None` if the value is of another type or cannot be normalized.
    pub fn sanitized(self, value: Value) -> Option<Value> {
        match (self, value) {
            (Self::Target | Self::Pole, Value::Vec3(_)) | (Self::Enabled, Value::Bool(_)) => Some(value),
            (
                Self::Weight | Self::PoleWeight | Self::OrientationWeight | Self::LookAtWeight,
                Value::Float(weight),
            ) => Some(Value::Float(weight.clamp(0.0, 1.0))),
            (Self::Orientation, Value::Quat(rotation)) => {
                let length = rotation.length();
                let is_rotation = length.is_finite() && length > 0.0;
                is_rotation.then(|| Value::Quat(normalized(rotation)))
            }
            _ => None,
        }
    }

    /// Sets the value. Does nothing if the handle has no such constraint, or if the value is of another type.
    pub fn set(self, handle: &mut Handle, value: Value) {
        match (self, self.sanitized(value)) {
            (Self::Target, Some(Value::Vec3(v))) => handle.target = v,
            (Self::Enabled, Some(Value::Bool(v))) => handle.enabled = v,
            (Self::Weight, Some(Value::Float(v))) => handle.weight = v,
            (Self::Pole, Some(Value::Vec3(v))) => {
                handle.pole.iter_mut().for_each(|pole| pole.point = v);
            }
            (Self::PoleWeight, Some(Value::Float(v))) => {
                handle.pole.iter_mut().for_each(|pole| pole.weight = v);
            }
            (Self::Orientation, Some(Value::Quat(v))) => {
                handle.orientation.iter_mut().for_each(|goal| goal.rotation = v);
            }
            (Self::OrientationWeight, Some(Value::Float(v))) => {
                handle.orientation.iter_mut().for_each(|goal| goal.weight = v);
            }
            (Self::LookAtWeight, Some(Value::Float(v))) => {
                handle.look_at.iter_mut().for_each(|look_at| look_at.weight = v);
            }
            _ => {}
        }
    }
}

/// Normalizes a rotation; one that is normalized already stays bit for bit the same.
fn normalized(rotation: Quat) -> Quat {
    if rotation.is_normalized() { rotation } else { rotation.normalize() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::{LookAt, Orientation, Pole};
    use glam::Vec3;

    #[test]
    fn every_channel_reads_back_as_set() {
        let mut handle = Handle {
            pole: Some(Pole { point: Vec3::X, weight: 1.0 }),
            orientation: Some(Orientation { rotation: Quat::IDENTITY, weight: 1.0 }),
            look_at: Some(LookAt { axis: Vec3::Z, weight: 1.0 }),
            ..Handle::default()
        };
        for channel in HandleChannel::ALL {
            let value = match channel.value(&handle).unwrap() {
                Value::Vec3(v) => Value::Vec3(v + Vec3::new(1.0, 2.0, 3.0)),
                Value::Bool(v) => Value::Bool(!v),
                Value::Float(_) => Value::Float(0.25),
                _ => Value::Quat(Quat::from_rotation_z(0.5)),
            };
            let before = handle.clone();
            channel.set(&mut handle, value);
            assert_eq!(channel.value(&handle), Some(value));
            for other in HandleChannel::ALL.into_iter().filter(|other| *other != channel) {
                assert_eq!(other.value(&handle), other.value(&before), "{channel:?} {other:?}");
            }
            let set = handle.clone();
            channel.set(&mut handle, Value::Vec4(glam::Vec4::ONE));
            assert_eq!(handle, set);
        }
        HandleChannel::PoleWeight.set(&mut handle, Value::Float(1.5));
        assert_eq!(handle.pole.unwrap().weight, 1.0);
        let mut plain = Handle::default();
        HandleChannel::Pole.set(&mut plain, Value::Vec3(Vec3::X));
        assert_eq!(plain, Handle::default());
    }
}
