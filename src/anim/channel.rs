//! Channels: a spline of one of the file's types, under (resource name, channel name).

use super::clip::Clip;
use super::spline::Spline;
use super::take::Takes;
use crate::extra::Extra;
use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A spline of one of the types of the format. `Spectrum` is linear r, g, b.
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
    /// The type as files spell it.
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

/// A channel by the names under which files hold it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ChannelRef {
    /// Of a resource or an instance.
    pub resource: String,
    /// `bone.3.pose`, `translation`, ...
    pub channel: String,
}

impl ChannelRef {
    pub fn new(resource: &str, channel: impl ToString) -> Self {
        Self {
            resource: resource.to_owned(),
            channel: channel.to_string(),
        }
    }
}

/// What a channel of a skinned mesh drives. Bones and handles are named by their channel ids, in decimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkeletonChannel {
    /// `base_offset`, Vec3.
    BaseOffset,
    /// `bone.N.pose`, Vec3 in degrees.
    BonePose(u32),
    /// `handle.N.target`, Vec3.
    HandleTarget(u32),
    /// `handle.N.enabled`, bool.
    HandleEnabled(u32),
    /// `handle.N.weight`, float from 0 to 1. One of our own: Scotty3D keeps it, and lets it drive nothing.
    HandleWeight(u32),
    /// `handle.N.pole`, Vec3: the point of the pole of a handle that has one. Of our own too.
    HandlePole(u32),
}

impl SkeletonChannel {
    /// What the channel called `name` drives, if anything.
    pub fn parse(name: &str) -> Option<Self> {
        if name == "base_offset" {
            return Some(Self::BaseOffset);
        }
        let (owner, rest) = name.split_once('.')?;
        let (id, member) = rest.split_once('.')?;
        let id = parse_id(id)?;
        match (owner, member) {
            ("bone", "pose") => Some(Self::BonePose(id)),
            ("handle", "target") => Some(Self::HandleTarget(id)),
            ("handle", "enabled") => Some(Self::HandleEnabled(id)),
            ("handle", "weight") => Some(Self::HandleWeight(id)),
            ("handle", "pole") => Some(Self::HandlePole(id)),
            _ => None,
        }
    }
}

impl fmt::Display for SkeletonChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BaseOffset => write!(f, "base_offset"),
            Self::BonePose(id) => write!(f, "bone.{id}.pose"),
            Self::HandleTarget(id) => write!(f, "handle.{id}.target"),
            Self::HandleEnabled(id) => write!(f, "handle.{id}.enabled"),
            Self::HandleWeight(id) => write!(f, "handle.{id}.weight"),
            Self::HandlePole(id) => write!(f, "handle.{id}.pole"),
        }
    }
}

/// A number as it is printed: no sign, no zeros before it.
fn parse_id(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    plain.then(|| text.parse().ok())?
}

/// Which components of its value a channel does not drive: x, y, z, or r, g, b. A channel whose value is not
/// three numbers is muted as a whole or not at all.
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

/// All channels: resource or instance name -> channel name (`bone.3.pose`, `translation`, ...).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    pub channels: BTreeMap<String, BTreeMap<String, Arc<Channel>>>,
    /// Frame rate, length and play range.
    pub clip: Clip,
    /// Named ranges of frames.
    pub takes: Takes,
    /// Channels that do not drive, or not all of their value; those that are not muted are left out.
    pub muted: BTreeMap<String, BTreeMap<String, Mute>>,
    /// Unknown members of spline objects, by resource and channel name. Where `channels` has no such
    /// channel and there is a member `type`, it is a whole spline that this program does not understand:
    /// it has no effect and is written back.
    pub spline_extra: BTreeMap<String, BTreeMap<String, Extra>>,
    /// Unknown members of the `animator` object.
    pub extra: Extra,
}

impl Animation {
    pub fn get(&self, channel: &ChannelRef) -> Option<&Arc<Channel>> {
        self.channels.get(&channel.resource)?.get(&channel.channel)
    }

    /// Drops a spline that this program does not understand, with all its members: keys take its place.
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

    /// Time of the last key of all channels.
    pub fn last_key(&self) -> Option<f32> {
        let channels = self.channels.values().flat_map(|of| of.values());
        channels
            .filter_map(|channel| channel.times().last().copied())
            .reduce(f32::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for channel in [
            SkeletonChannel::BaseOffset,
            SkeletonChannel::BonePose(0),
            SkeletonChannel::BonePose(u32::MAX),
            SkeletonChannel::HandleTarget(10),
            SkeletonChannel::HandleEnabled(7),
            SkeletonChannel::HandleWeight(3),
            SkeletonChannel::HandlePole(4),
        ] {
            assert_eq!(SkeletonChannel::parse(&channel.to_string()), Some(channel));
        }
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
