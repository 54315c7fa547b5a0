//! Channels: splines of the file format's types, identified by a resource name and a channel name.

use super::clip::Clip;
use super::handle_channel::HandleChannel;
use super::spline::Spline;
use super::take::Takes;
pub use super::value::Value;
use crate::extra::Extra;
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
}

/// The value that a channel of a skinned mesh drives. Bones and handles are identified by their channel ids,
/// in decimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkeletonChannel {
    /// `base_offset`, Vec3.
    BaseOffset,
    /// `bone.N.pose`, Vec3 in degrees.
    BonePose(u32),
    /// `handle.N.target` and others.
    Handle(u32, HandleChannel),
}

impl HandleChannel {
    /// Returns this channel of the handle with the given channel id.
    pub fn for_handle(self, id: u32) -> SkeletonChannel {
        SkeletonChannel::Handle(id, self)
    }
}

impl SkeletonChannel {
    /// Parses a channel name; `None` if such a channel drives nothing.
    pub fn parse(name: &str) -> Option<Self> {
        if name == "base_offset" {
            return Some(Self::BaseOffset);
        }
        let (owner, rest) = name.split_once('.')?;
        let (id, member) = rest.split_once('.')?;
        let id = parse_id(id)?;
        match (owner, member) {
            ("bone", "pose") => Some(Self::BonePose(id)),
            ("handle", name) => Some(Self::Handle(id, HandleChannel::from_name(name)?)),
            _ => None,
        }
    }
}

impl fmt::Display for SkeletonChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BaseOffset => write!(f, "base_offset"),
            Self::BonePose(id) => write!(f, "bone.{id}.pose"),
            Self::Handle(id, channel) => write!(f, "handle.{id}.{}", channel.name()),
        }
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

    /// Returns the time of the last key of any channel.
    pub fn last_key(&self) -> Option<f32> {
        let channels = self.channels.values().flat_map(|by_name| by_name.values());
        channels.filter_map(|channel| channel.times().last().copied()).reduce(f32::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let channels =
            [SkeletonChannel::BaseOffset, SkeletonChannel::BonePose(0), SkeletonChannel::BonePose(u32::MAX)];
        let handle_channels = HandleChannel::ALL.map(|channel| channel.for_handle(7));
        for channel in channels.into_iter().chain(handle_channels) {
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
