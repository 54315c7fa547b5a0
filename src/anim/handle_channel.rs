//! What of a handle channels drive. A row each: its name in files, how it is read and how it is set.

use super::value::Value;
use crate::rig::skeleton::Handle;
use glam::Quat;

/// All but target and enabled are of our own: Scotty3D keeps such channels, and lets them drive nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandleChannel {
    /// Vec3, in the mesh's space.
    Target,
    /// bool.
    Enabled,
    /// Float from 0 to 1, as the other weights.
    Weight,
    /// Vec3: the point of the pole, in the mesh's space.
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

    /// In files, after `handle.N.`.
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

    /// The value that the handle has; `None` where it has no such task.
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

    /// What a handle would hold of a value: weights within 0 to 1, rotations of length 1, since splines overshoot. `None`
    /// where the value is of another type.
    pub fn held(self, value: Value) -> Option<Value> {
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

    /// Sets what a handle has of it; a task that it does not have stays away, and a value of another type does nothing.
    pub fn set(self, handle: &mut Handle, value: Value) {
        match (self, self.held(value)) {
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
                handle.orientation.iter_mut().for_each(|this| this.rotation = v);
            }
            (Self::OrientationWeight, Some(Value::Float(v))) => {
                handle.orientation.iter_mut().for_each(|this| this.weight = v);
            }
            (Self::LookAtWeight, Some(Value::Float(v))) => {
                handle.look_at.iter_mut().for_each(|look| look.weight = v);
            }
            _ => {}
        }
    }
}

/// One that is a rotation already keeps its bits.
fn normalized(rotation: Quat) -> Quat {
    match rotation.is_normalized() {
        true => rotation,
        false => rotation.normalize(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::{LookAt, Orientation, Pole};
    use glam::Vec3;

    #[test]
    fn every_channel_is_read_as_it_was_set() {
        let mut handle = Handle {
            pole: Some(Pole {
                point: Vec3::X,
                weight: 1.0,
            }),
            orientation: Some(Orientation {
                rotation: Quat::IDENTITY,
                weight: 1.0,
            }),
            look_at: Some(LookAt {
                axis: Vec3::Z,
                weight: 1.0,
            }),
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
                assert_eq!(
                    other.value(&handle),
                    other.value(&before),
                    "{channel:?} {other:?}"
                );
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
