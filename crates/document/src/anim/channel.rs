//! Channels: splines of the file format's types, identified by a resource name and a channel name.

use super::clip::Clip;
use super::layer::LayerStack;
use super::sound::Sound;
use super::spline::Spline;
use super::take::Takes;
pub use super::value::Value;
use crate::extra::Extra;
use crate::rig::property::{BONE, Info, POLE_POINT, Property, SHAPE, SKELETON, handle_rows};
use crate::rig::skeleton::{Bone, Handle, Part, Shape, Skeleton};
use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A spline of one of the format's types. `Spectrum` is linear r, g, b.
#[derive(Clone, Debug, PartialEq)]
pub enum Channel {
    Bool(Spline<bool>),
    Float(Spline<f32>),
    Vec2(Spline<Vec2>),
    Vec3(Spline<Vec3>),
    Vec4(Spline<Vec4>),
    Quat(Spline<Quat>),
    Spectrum(Spline<Vec3>),
    Mat4(Spline<Mat4>),
}

/// A reference to a channel by the names that files use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ChannelRef {
    /// The name of a resource or an instance.
    pub resource: String,
    /// `bone.3.pose`, `translation`, ...
    pub channel: String,
}

impl ChannelRef {
    pub fn new(resource: &str, channel: impl ToString) -> Self {
        Self { resource: resource.to_owned(), channel: channel.to_string() }
    }

    /// Whether its values are Euler angles in degrees.
    pub fn is_angles(&self) -> bool {
        ["pose", "orientation"].contains(&self.channel.rsplit('.').next().unwrap_or_default())
    }
}

/// The value that a channel of a skinned mesh drives: a keyable row of the skeleton, or of the bone or handle with a
/// channel id. In files: the name in the row, after `bone.N.` or `handle.N.` with the id in decimal.
#[derive(Clone, Copy)]
pub enum SkeletonChannel {
    Base(&'static Property<Skeleton>),
    Bone(u32, &'static Property<Bone>),
    Handle(u32, &'static Property<Handle>),
    Shape(u32, &'static Property<Shape>),
}

impl SkeletonChannel {
    /// Parses a channel name; `None` if such a channel drives nothing.
    pub fn parse(name: &str) -> Option<Self> {
        fn row<T: 'static>(
            mut rows: impl Iterator<Item = &'static Property<T>>,
            name: &str,
        ) -> Option<&'static Property<T>> {
            rows.find(|row| row.info.channel == Some(name))
        }
        let Some((owner, rest)) = name.split_once('.') else {
            return Some(Self::Base(row(SKELETON.iter(), name)?));
        };
        let (id, name) = rest.split_once('.')?;
        match owner {
            "bone" => Some(Self::Bone(parse_id(id)?, row(BONE.iter(), name)?)),
            "handle" => Some(Self::Handle(parse_id(id)?, row(handle_rows(), name)?)),
            "shape" => Some(Self::Shape(parse_id(id)?, row(SHAPE.iter(), name)?)),
            _ => None,
        }
    }

    /// Passes every channel of a part to `add`, with its value. A pole has only that of its point.
    pub fn of_part(skeleton: &Skeleton, part: Part, mut add: impl FnMut(Self, Value)) {
        fn keyed<T: 'static>(
            rows: impl Iterator<Item = &'static Property<T>>,
            part: &T,
        ) -> impl Iterator<Item = (&'static Property<T>, Value)> {
            let rows = rows.filter(|row| row.info.channel.is_some());
            rows.filter_map(|row| Some((row, Value::from_property(&row.get(part)?)?)))
        }
        match part {
            Part::Base => {
                keyed(SKELETON.iter(), skeleton).for_each(|(row, value)| add(Self::Base(row), value));
            }
            Part::Bone(bone) => {
                let bone = skeleton.bones.get(bone).into_iter();
                let rows = bone.flat_map(|bone| keyed(BONE.iter(), bone).map(|row| (bone.channel_id, row)));
                rows.for_each(|(id, (row, value))| add(Self::Bone(id, row), value));
            }
            Part::Handle(handle) | Part::Pole(handle) => {
                let Some(handle) = skeleton.handles.get(handle) else { return };
                let is_pole = matches!(part, Part::Pole(_));
                let rows = handle_rows().filter(|row| !is_pole || row.info.id == POLE_POINT.info.id);
                keyed(rows, handle).for_each(|(row, value)| add(Self::Handle(handle.channel_id, row), value));
            }
            Part::Shape(shape) => {
                let Some(shape) = skeleton.shapes.get(shape) else { return };
                let rows = keyed(SHAPE.iter(), shape);
                rows.for_each(|(row, value)| add(Self::Shape(shape.channel_id, row), value));
            }
        }
    }

    /// The row, without the access to the value.
    pub fn info(self) -> &'static Info {
        match self {
            Self::Base(row) => &row.info,
            Self::Bone(_, row) => &row.info,
            Self::Handle(_, row) => &row.info,
            Self::Shape(_, row) => &row.info,
        }
    }

    /// Returns the part that it belongs to, if the skeleton has it. If several bones or handles of a file have the same
    /// id, it is the first, or the one with the index `hint`.
    pub fn part(self, skeleton: &Skeleton, hint: usize) -> Option<Part> {
        fn find<T>(list: &[T], hint: usize, matches: impl Fn(&T) -> bool) -> Option<usize> {
            let hinted = list.get(hint).is_some_and(&matches);
            if hinted { Some(hint) } else { list.iter().position(matches) }
        }
        Some(match self {
            Self::Base(_) => Part::Base,
            Self::Bone(id, _) => Part::Bone(find(&skeleton.bones, hint, |bone| bone.channel_id == id)?),
            Self::Handle(id, _) => {
                Part::Handle(find(&skeleton.handles, hint, |handle| handle.channel_id == id)?)
            }
            Self::Shape(id, _) => Part::Shape(find(&skeleton.shapes, hint, |shape| shape.channel_id == id)?),
        })
    }

    /// Returns the value that a skeleton stores; `None` if it has no such bone, handle or goal. `index`: that of the
    /// bone or handle.
    pub fn value(self, skeleton: &Skeleton, index: usize) -> Option<Value> {
        Value::from_property(&match self {
            Self::Base(row) => row.get(skeleton)?,
            Self::Bone(_, row) => row.get(skeleton.bones.get(index)?)?,
            Self::Handle(_, row) => row.get(skeleton.handles.get(index)?)?,
            Self::Shape(_, row) => row.get(skeleton.shapes.get(index)?)?,
        })
    }

    /// Returns the nearest valid value, since splines overshoot: numbers are clamped to the range, and rotations
    /// normalized. `None` if a rotation cannot be normalized.
    pub fn sanitized(self, value: Value) -> Option<Value> {
        Some(match value.clamped(self.info()) {
            Value::Quat(v) if !v.is_normalized() => {
                let length = v.length();
                Value::Quat((length.is_finite() && length > 0.0).then(|| v.normalize())?)
            }
            value => value,
        })
    }

    /// Sets the value in the bone or handle with an index. Does nothing if it has no such goal, or if the value is of
    /// another type.
    pub fn set(self, skeleton: &mut Skeleton, index: usize, value: Value) {
        let Some(value) = value.to_property() else { return };
        match self {
            Self::Base(row) => row.set(skeleton, &value),
            Self::Bone(_, row) => row.set(&mut skeleton.bones[index], &value),
            Self::Handle(_, row) => row.set(&mut skeleton.handles[index], &value),
            Self::Shape(_, row) => row.set(&mut skeleton.shapes[index], &value),
        }
    }
}

impl fmt::Display for SkeletonChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.info().channel.unwrap_or(self.info().id);
        match self {
            Self::Base(_) => write!(f, "{name}"),
            Self::Bone(id, _) => write!(f, "bone.{id}.{name}"),
            Self::Handle(id, _) => write!(f, "handle.{id}.{name}"),
            Self::Shape(id, _) => write!(f, "shape.{id}.{name}"),
        }
    }
}

impl fmt::Debug for SkeletonChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for SkeletonChannel {
    fn eq(&self, other: &Self) -> bool {
        let is_same_owner = match (self, other) {
            (Self::Base(_), Self::Base(_)) => true,
            (Self::Bone(a, _), Self::Bone(b, _))
            | (Self::Handle(a, _), Self::Handle(b, _))
            | (Self::Shape(a, _), Self::Shape(b, _)) => a == b,
            _ => false,
        };
        is_same_owner && self.info().id == other.info().id
    }
}

/// Parses a number in its canonical form: without a sign or leading zeros.
fn parse_id(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    plain.then(|| text.parse().ok())?
}

/// The components (x, y, z or r, g, b) of its value that a channel does not drive. A channel whose value is
/// not three numbers is muted entirely or not at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mute(pub [bool; 3]);

impl Mute {
    pub const NONE: Mute = Mute([false; 3]);
    pub const WHOLE: Mute = Mute([true; 3]);

    pub fn is_none(self) -> bool {
        self == Self::NONE
    }

    pub fn is_whole(self) -> bool {
        self == Self::WHOLE
    }
}

/// The animation of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// Resource or instance name -> channel name (`bone.3.pose`, `translation`, ...) -> channel.
    pub channels: BTreeMap<String, BTreeMap<String, Arc<Channel>>>,
    /// Frame rate, length and play range.
    pub clip: Clip,
    /// Named ranges of frames.
    pub takes: Takes,
    /// The layers of each character that has any.
    pub layers: BTreeMap<String, LayerStack>,
    /// The sound that it plays to.
    pub sound: Option<Sound>,
    /// Channels that are muted, entirely or in part; channels that are not muted have no entry.
    pub muted: BTreeMap<String, BTreeMap<String, Mute>>,
    /// Unknown members of spline objects, by resource and channel name. An entry with a member `type` for
    /// which `channels` has no channel is an entire spline that this program does not understand: it has no
    /// effect and is written back.
    pub spline_extra: BTreeMap<String, BTreeMap<String, Extra>>,
    /// Unknown members of the `animator` object.
    pub extra: Extra,
}

impl Animation {
    pub fn get(&self, channel: &ChannelRef) -> Option<&Arc<Channel>> {
        self.channels.get(&channel.resource)?.get(&channel.channel)
    }

    /// Removes a spline that this program does not understand, with all its members, because keys replace it.
    pub fn drop_unreadable(&mut self, channel: &ChannelRef) {
        if self.get(channel).is_some() {
            return;
        }
        if let Some(extras) = self.spline_extra.get_mut(&channel.resource) {
            extras.retain(|name, extra| *name != channel.channel || extra.get("type").is_none());
            if extras.is_empty() {
                self.spline_extra.remove(&channel.resource);
            }
        }
    }

    /// Removes channels without keys.
    pub fn drop_empty(&mut self) {
        for channels in self.channels.values_mut() {
            channels.retain(|_, channel| channel.key_count() > 0);
        }
        self.channels.retain(|_, channels| !channels.is_empty());
    }

    /// Returns the time of the last key of any channel.
    pub fn last_key(&self) -> Option<f32> {
        let channels = self.channels.values().flat_map(|by_name| by_name.values());
        channels.filter_map(|channel| channel.times().last().copied()).reduce(f32::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::{LookAt, Orientation, Pole};

    /// A skeleton with every goal.
    fn skeleton() -> Skeleton {
        let handle = Handle {
            channel_id: 7,
            pole: Some(Pole { point: Vec3::X, weight: 1.0 }),
            orientation: Some(Orientation { rotation: Quat::IDENTITY, weight: 1.0 }),
            look_at: Some(LookAt { axis: Vec3::Z, weight: 1.0 }),
            ..Handle::default()
        };
        let bone = Bone { channel_id: u32::MAX, ..Bone::default() };
        Skeleton { bones: vec![bone], handles: vec![handle], ..Skeleton::default() }
    }

    fn values(skeleton: &Skeleton) -> Vec<(SkeletonChannel, Value)> {
        let mut values = Vec::new();
        for part in [Part::Base, Part::Bone(0), Part::Handle(0)] {
            SkeletonChannel::of_part(skeleton, part, |channel, value| values.push((channel, value)));
        }
        values
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        let names: Vec<String> = values(&skeleton()).iter().map(|(channel, _)| channel.to_string()).collect();
        for name in ["base_offset", "bone.4294967295.pose", "handle.7.pole", "handle.7.look_at_weight"] {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
        for (channel, _) in values(&skeleton()) {
            assert_eq!(SkeletonChannel::parse(&channel.to_string()), Some(channel));
        }
    }

    #[test]
    fn every_channel_reads_back_as_set_and_changes_no_other() {
        let before = values(&skeleton());
        for (index, (channel, value)) in before.iter().enumerate() {
            let value = match *value {
                Value::Vec3(v) => Value::Vec3(v + Vec3::new(1.0, 2.0, 3.0)),
                Value::Bool(v) => Value::Bool(!v),
                Value::Float(_) => Value::Float(0.25),
                _ => Value::Quat(Quat::from_rotation_z(0.5)),
            };
            let mut set = skeleton();
            channel.set(&mut set, 0, value);
            channel.set(&mut set, 0, Value::Vec4(Vec4::ONE));
            let mut expected = before.clone();
            expected[index].1 = value;
            assert_eq!(values(&set), expected);
        }
        let pole = SkeletonChannel::Handle(7, POLE_POINT);
        let mut plain = Skeleton { handles: vec![Handle::default()], ..Skeleton::default() };
        pole.set(&mut plain, 0, Value::Vec3(Vec3::X));
        assert_eq!(plain.handles, [Handle::default()]);
    }

    #[test]
    fn values_that_overshoot_are_corrected() {
        let weight = SkeletonChannel::parse("handle.7.pole_weight").unwrap();
        assert_eq!(weight.sanitized(Value::Float(1.5)), Some(Value::Float(1.0)));
        let orientation = SkeletonChannel::parse("handle.7.orientation").unwrap();
        let twice = Value::Quat(Quat::from_xyzw(2.0, 0.0, 0.0, 0.0));
        assert_eq!(orientation.sanitized(twice), Some(Value::Quat(Quat::from_xyzw(1.0, 0.0, 0.0, 0.0))));
        assert_eq!(orientation.sanitized(Value::Quat(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0))), None);
        let pose = SkeletonChannel::parse("bone.1.pose").unwrap();
        let far = Value::Vec3(Vec3::splat(f32::INFINITY));
        assert_eq!(pose.sanitized(far), Some(far), "without a limit");
    }

    #[test]
    fn other_names_drive_nothing() {
        for name in [
            "",
            "pose",
            "bone.pose",
            "bone..pose",
            "bone.01.pose",
            "bone.+1.pose",
            "bone.-1.pose",
            "bone.4294967296.pose",
            "bone.1.target",
            "handle.1.pose",
            "bone.1.pose.x",
            "Base_offset",
        ] {
            assert_eq!(SkeletonChannel::parse(name), None, "{name}");
        }
    }
}
