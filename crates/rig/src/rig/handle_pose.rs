//! The state of a handle in a pose: it can be saved, mirrored, and blended into another state.

use super::body::mirror_plane::MirrorPlane;
use super::edits::mirror::mirrored_handle;
use super::property::{HANDLE, Property, PropertyValue};
use super::skeleton::{Handle, Orientation, Skeleton};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The values of a handle that belong to a pose, in the space of the handle. Its bone, chain and name are not among them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, PropertyValue>", into = "BTreeMap<String, PropertyValue>")]
pub struct HandlePose(Handle);

impl HandlePose {
    pub fn new(handle: &Handle) -> Self {
        let mut pose = Self::default();
        Self::rows().for_each(|row| copy(row, handle, &mut pose.0));
        pose
    }

    /// Returns the state of the same handle when it does not pull.
    #[must_use]
    pub fn disabled(&self) -> Self {
        Self(Handle { enabled: false, ..self.0.clone() })
    }

    /// The values, as those of a handle of no bone.
    pub fn handle(&self) -> &Handle {
        &self.0
    }

    /// The same, to be changed in place.
    pub fn handle_mut(&mut self) -> &mut Handle {
        &mut self.0
    }

    /// The rows whose values belong to a pose.
    pub fn rows() -> impl Iterator<Item = &'static Property<Handle>> {
        HANDLE.iter().filter(|row| row.info.id != "chain")
    }

    pub fn row(id: &str) -> Option<&'static Property<Handle>> {
        Self::rows().find(|row| row.info.id == id)
    }

    /// The values, without those that are the default.
    pub fn values(&self) -> impl Iterator<Item = (&'static Property<Handle>, PropertyValue)> + '_ {
        let initial = Handle::default();
        let values = Self::rows().filter_map(|row| Some((row, row.get(&self.0)?)));
        values.filter(move |(row, value)| row.get(&initial).as_ref() != Some(value))
    }

    /// Returns the values that differ from those of `handle`.
    pub fn changes(&self, handle: &Handle) -> impl Iterator<Item = (&'static str, PropertyValue)> + '_ {
        let handle = handle.clone();
        let values = Self::rows().filter_map(|row| Some((row, row.get(&self.0)?)));
        let changed = values.filter(move |(row, value)| row.get(&handle).as_ref() != Some(value));
        changed.map(|(row, value)| (row.info.id, value))
    }

    /// Sets the value of a row. Returns whether the row accepts it.
    #[must_use]
    pub fn set(&mut self, row: &Property<Handle>, value: &PropertyValue) -> bool {
        let accepted = row.accepts(value);
        if accepted {
            row.set(&mut self.0, value);
        }
        accepted
    }

    /// Returns the state of the handle on the other side of `skeleton` in the mirror image.
    #[must_use]
    pub fn mirrored(&self, skeleton: &Skeleton, plane: &MirrorPlane) -> Self {
        Self(mirrored_handle(skeleton, self.0.clone(), plane))
    }

    /// Blends a handle into this state by `amount`, from 0 (no change) to 1. Where only one of both pulls, its weight is
    /// blended, so that the handle blends in or out; goals that only one of them has appear at once.
    pub fn apply(&self, handle: &mut Handle, amount: f32) {
        let set = |handle: &mut Handle| Self::rows().for_each(|row| copy(row, &self.0, handle));
        let pull = |handle: &Handle| if handle.enabled { handle.weight } else { 0.0 };
        let weight = pull(handle) + (pull(&self.0) - pull(handle)) * amount;
        match (pull(handle) > 0.0, pull(&self.0) > 0.0) {
            _ if amount <= 0.0 => {}
            _ if amount >= 1.0 => set(handle),
            (false, false) => {}
            (false, true) => {
                set(handle);
                handle.weight = weight;
            }
            (true, false) => handle.weight = weight,
            (true, true) => {
                let old = handle.clone();
                set(handle);
                handle.weight = weight;
                let mixed = |old: f32, new: f32| old + (new - old) * amount;
                handle.target = old.target.lerp(self.0.target, amount);
                handle.stretch = mixed(old.stretch, self.0.stretch);
                if let (Some(from), Some(to)) = (old.orientation, self.0.orientation) {
                    let rotation = from.rotation.normalize().slerp(to.rotation.normalize(), amount);
                    handle.orientation = Some(Orientation::new(rotation, mixed(from.weight, to.weight)));
                }
                if let (Some(from), Some(to), Some(pole)) = (old.pole, self.0.pole, &mut handle.pole) {
                    pole.point = from.point.lerp(to.point, amount);
                    pole.weight = mixed(from.weight, to.weight);
                }
            }
        }
    }
}

fn copy(row: &Property<Handle>, from: &Handle, to: &mut Handle) {
    row.get(from).iter().for_each(|value| row.set(to, value));
}

impl From<HandlePose> for BTreeMap<String, PropertyValue> {
    fn from(pose: HandlePose) -> Self {
        pose.values().map(|(row, value)| (row.info.id.to_owned(), value)).collect()
    }
}

impl TryFrom<BTreeMap<String, PropertyValue>> for HandlePose {
    type Error = String;

    fn try_from(values: BTreeMap<String, PropertyValue>) -> Result<Self, String> {
        let mut pose = Self::default();
        for (id, value) in values {
            let row = Self::row(&id).filter(|row| pose.set(row, &value));
            row.ok_or_else(|| format!("“{id}” of a handle in a pose is unknown, or its value is not valid"))?;
        }
        Ok(pose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Pole;
    use glam::{Quat, Vec3};

    fn pulling() -> Handle {
        Handle {
            target: Vec3::new(1.0, 2.0, 3.0),
            enabled: true,
            weight: 0.5,
            pinned: true,
            chain: Some(2),
            orientation: Some(Orientation::new(Quat::from_rotation_y(1.0), 1.0)),
            pole: Some(Pole { point: Vec3::X, weight: 1.0 }),
            ..Handle::default()
        }
    }

    #[test]
    fn a_state_is_written_read_and_applied() {
        let pose = HandlePose::new(&pulling());
        let text = serde_json::to_string(&pose).unwrap();
        assert_eq!(serde_json::from_str::<HandlePose>(&text).unwrap(), pose);
        assert!(serde_json::from_str::<HandlePose>(&text.replace("pinned", "pined")).is_err());
        let mut other = Handle { bone: 3, ..Handle::default() };
        pose.apply(&mut other, 1.0);
        assert_eq!(other, Handle { bone: 3, chain: None, ..pulling() });
        assert_eq!(pose.changes(&other).count(), 0);
    }

    #[test]
    fn a_blend_goes_from_one_state_to_the_other_without_a_jump() {
        let pose = HandlePose::new(&pulling());
        // From a handle that does not pull: it blends in. To one that does not: it blends out.
        let mut idle = Handle { target: Vec3::NEG_X, ..Handle::default() };
        pose.apply(&mut idle, 0.25);
        assert_eq!((idle.enabled, idle.weight, idle.target), (true, 0.125, pulling().target));
        let mut active = pulling();
        HandlePose::new(&pulling()).disabled().apply(&mut active, 0.5);
        assert_eq!((active.enabled, active.weight), (true, 0.25));
        // Between two that pull, values are blended.
        let mut moved = Handle {
            target: Vec3::ZERO,
            weight: 1.0,
            orientation: Some(Orientation::new(Quat::IDENTITY, 0.0)),
            ..pulling()
        };
        pose.apply(&mut moved, 0.5);
        let Orientation { rotation, weight } = moved.orientation.unwrap();
        assert_eq!((moved.target, moved.weight, weight), (pulling().target * 0.5, 0.75, 0.5));
        assert!((rotation.to_axis_angle().1 - 0.5).abs() < 1e-5);
    }
}
