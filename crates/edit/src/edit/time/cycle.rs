//! Completing a cycle: the second half of a walk as the mirror image of the first. Only reads the scene.

use super::keying::other_channel;
use super::mirror_keys::paste_mirrored;
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::anim::mode::{KeyShape, Mode};
use crate::edit::command::Command;
use crate::edit::command::keys::{ChannelKeys, KeyCommand, KeyframeValues, Purpose};
use crate::rig::body::axes::BodyAxes;
use crate::rig::body::middle::{BothSides, Fault};
use crate::rig::kinematics::bind_tips;
use crate::rig::property::{BASE_OFFSET, POLE_POINT, TARGET, TRANSLATION};
use crate::rig::skeleton::{Handle, Skeleton};
use crate::scene::{Scene, channels};
use glam::{DVec3, Vec3};
use std::collections::BTreeSet;

/// The way in half a cycle from which on a body travels, as a fraction of its size. Less is how exact a key is.
const TRAVEL: f64 = 0.02;

/// The reason why a cycle cannot be completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleError {
    NoMesh,
    NoSides(Fault),
    /// The range has too few frames.
    TooShort,
    NoKeys,
}

impl CycleError {
    pub fn sentence(self) -> &'static str {
        match self {
            Self::NoMesh => "Select a skinned mesh first.",
            Self::NoSides(fault) => fault.sentence(),
            Self::TooShort => "The play range is too short to have two halves.",
            Self::NoKeys => "The character has no keys in the first half of the play range.",
        }
    }
}

/// The two halves of a range, and what has keys there.
pub struct Halves<'a> {
    scene: &'a Scene,
    mesh: &'a str,
    skeleton: &'a Skeleton,
    sides: BothSides,
    first: f32,
    pub middle: f32,
    /// The frame at which the cycle begins again.
    pub end: f32,
    /// The channels with keys in the first half, and those of the other sides.
    channels: BTreeSet<ChannelRef>,
}

/// A completed cycle.
pub struct Cycle {
    /// One undo step.
    pub commands: Vec<Command>,
    /// The number of keys that are set.
    pub keys: usize,
    /// The channels with keys in the first half that have no other side; they do not change.
    pub left_out: Vec<ChannelRef>,
}

impl<'a> Halves<'a> {
    /// Divides a range of frames. It begins again with the key that closes the loop right after it, or else at its last
    /// frame, or the one after it if the middle is then a whole frame.
    ///
    /// # Errors
    /// If the character has no two sides, or no keys in the first half.
    pub fn new(scene: &'a Scene, mesh: &'a str, range: [u32; 2]) -> Result<Self, CycleError> {
        let skinned = scene.skinned_meshes.get(mesh).ok_or(CycleError::NoMesh)?;
        let skeleton = &*skinned.skeleton;
        let [first, last] = range;
        let end = scene.animation.closing_frame(range).unwrap_or(last + (last - first) % 2);
        if end < first + 2 {
            return Err(CycleError::TooShort);
        }
        let (first, end) = (first as f32, end as f32);
        let middle = (first + end) / 2.0;
        let keyed = scene.animation.channels.get(mesh).into_iter().flatten();
        let keyed = keyed.filter(|(_, keys)| keys.times().iter().any(|time| (first..middle).contains(time)));
        let keyed: Vec<SkeletonChannel> =
            keyed.filter_map(|(name, _)| SkeletonChannel::parse(name)).collect();
        if keyed.is_empty() {
            return Err(CycleError::NoKeys);
        }
        let sides = BothSides::new(skeleton);
        let has_pair =
            || sides.others.iter().enumerate().any(|(bone, other)| other.is_some_and(|other| other != bone));
        if let Some(fault) = sides.fault(skeleton).or_else(|| (!has_pair()).then_some(Fault::Unlike)) {
            return Err(CycleError::NoSides(fault));
        }
        let others = keyed.iter().filter_map(|channel| other_channel(skeleton, &sides.others, *channel));
        let channels =
            keyed.iter().copied().chain(others).map(|channel| ChannelRef::new(mesh, channel)).collect();
        Ok(Self { scene, mesh, skeleton, sides, first, middle, end, channels })
    }

    /// Returns what completes the cycle: the keys of the first half mirrored into the second, and those of the first frame
    /// at its end. Keys that are in the second half are deleted. A body that travels goes on by the same way.
    pub fn complete(&self) -> Cycle {
        let copied: Vec<KeyframeValues> =
            self.channels.iter().filter_map(|channel| self.first_half(self.scene, channel)).collect();
        let (mut commands, left_out) = paste_mirrored(self.scene, &copied, self.middle);
        let progress = self.progress();
        let mut put = Vec::new();
        for command in &mut commands {
            if let Command::Keys(KeyCommand::Put { purpose, knots }) = command {
                *purpose = Purpose::Cycle;
                knots.iter_mut().for_each(|keys| progress.advance(keys, 1.0));
                put.extend(knots.iter().cloned());
            }
        }
        let mut with_keys = self.scene.clone();
        // This cannot fail: the keys are those of other channels of the same types.
        let is_applied = commands.iter().all(|command| command.apply(&mut with_keys).is_ok());
        debug_assert!(is_applied, "the mirrored keys fit the scene");
        let targets: BTreeSet<ChannelRef> = put.iter().map(|keys| keys.channel.clone()).collect();
        let ends: Vec<KeyframeValues> =
            targets.iter().flat_map(|channel| self.ends(&with_keys, channel, &progress)).collect();
        put.extend(ends.iter().cloned());
        let keys = put.iter().map(|keys| keys.knots.len()).sum();
        commands.push(Command::Keys(KeyCommand::Put { purpose: Purpose::Cycle, knots: ends }));
        let old: Vec<ChannelKeys> =
            targets.into_iter().filter_map(|channel| self.old_keys(channel, &put)).collect();
        if !old.is_empty() {
            commands.push(Command::Keys(KeyCommand::Delete { keys: old }));
        }
        Cycle { commands, keys, left_out }
    }

    /// Returns the keys of a channel in the first half, with one at its first frame.
    fn first_half(&self, scene: &Scene, channel: &ChannelRef) -> Option<KeyframeValues> {
        let keys = scene.animation.get(channel);
        let times = keys.map_or(Vec::new(), |keys| keys.times());
        let in_half = times.into_iter().filter(|time| (self.first..self.middle).contains(time));
        let mut found: Vec<(f32, Value, KeyShape)> =
            in_half.filter_map(|time| Some((time, keys?.key(time)?, keys?.key_shape(time)?))).collect();
        if found.first().is_none_or(|first| first.0 > self.first) {
            let value =
                keys.and_then(|keys| keys.at(self.first)).or_else(|| channels::value(scene, channel))?;
            found.insert(0, (self.first, value, Mode::Clamped.into()));
        }
        let (knots, modes) = found.into_iter().map(|(time, value, shape)| ((time, value), shape)).unzip();
        Some(KeyframeValues { channel: channel.clone(), knots, modes })
    }

    /// Returns the key of a channel at the end, which is that of the first frame, and the latter if it is missing.
    fn ends(&self, scene: &Scene, channel: &ChannelRef, progress: &Progress) -> Vec<KeyframeValues> {
        let own = self.first_half(self.scene, channel);
        let Some(mut first) = own.or_else(|| self.first_half(scene, channel)) else { return Vec::new() };
        first.knots.truncate(1);
        first.modes.truncate(1);
        let mut end = first.clone();
        end.knots.iter_mut().for_each(|knot| knot.0 = self.end);
        progress.advance(&mut end, 2.0);
        let is_new = scene.animation.get(channel).is_none_or(|keys| keys.key(self.first).is_none());
        is_new.then_some(first).into_iter().chain([end]).collect()
    }

    /// Returns the keys in the second half that are not replaced.
    fn old_keys(&self, channel: ChannelRef, put: &[KeyframeValues]) -> Option<ChannelKeys> {
        let is_put = |time: f32| {
            let mut put = put.iter().filter(|keys| keys.channel == channel);
            put.any(|keys| keys.knots.iter().any(|knot| knot.0 == time))
        };
        let times = self.scene.animation.get(&channel)?.times().into_iter();
        let frames: Vec<f32> =
            times.filter(|time| (self.middle..=self.end).contains(time) && !is_put(*time)).collect();
        (!frames.is_empty()).then_some(ChannelKeys { channel, frames })
    }

    /// Returns how far the body travels in the first half.
    fn progress(&self) -> Progress {
        let tips = bind_tips(self.skeleton);
        let base = self.skeleton.base.as_dvec3();
        let bounds = tips.iter().fold([base; 2], |[low, high], tip| [low.min(*tip), high.max(*tip)]);
        let least = TRAVEL * (bounds[1] - bounds[0]).max_element();
        let front = self.sides.plane.normal().cross(BodyAxes::new(self.skeleton).up).normalize_or_zero();
        let travelled = |channel: SkeletonChannel| {
            let keys = self.scene.animation.get(&ChannelRef::new(self.mesh, channel))?;
            let at = |frame: f32| match keys.at(frame) {
                Some(Value::Vec3(v)) => Some(v.as_dvec3()),
                _ => None,
            };
            let way = front.dot(at(self.middle)? - at(self.first)?);
            Some(if way.abs() < least { DVec3::ZERO } else { front * way })
        };
        let roots = self.skeleton.bones.iter().filter(|bone| bone.parent.is_none());
        let roots = roots.map(|bone| SkeletonChannel::Bone(bone.channel_id, TRANSLATION));
        let moved = [SkeletonChannel::Base(BASE_OFFSET)].into_iter().chain(roots);
        let roots: Vec<(SkeletonChannel, Vec3)> =
            moved.filter_map(|channel| Some((channel, travelled(channel)?.as_vec3()))).collect();
        let is_elsewhere = |handle: &&Handle| handle.space.is_some() || handle.space_instance.is_some();
        let elsewhere = self.skeleton.handles.iter().filter(is_elsewhere);
        Progress {
            mesh: self.mesh.to_owned(),
            handles: roots.iter().map(|(_, way)| *way).sum(),
            roots,
            elsewhere: elsewhere.map(|handle| handle.channel_id).collect(),
        }
    }
}

/// How far a body travels in half a cycle.
struct Progress {
    mesh: String,
    /// The ways of the base and of root bones.
    roots: Vec<(SkeletonChannel, Vec3)>,
    /// The way of what handles pull to, which goes along with the body.
    handles: Vec3,
    /// The channel ids of handles that go along with something else.
    elsewhere: Vec<u32>,
}

impl Progress {
    fn way(&self, channel: &ChannelRef) -> Option<Vec3> {
        let channel = SkeletonChannel::parse(&channel.channel).filter(|_| channel.resource == self.mesh)?;
        match channel {
            SkeletonChannel::Handle(id, row) => {
                let is_point = [TARGET.info.id, POLE_POINT.info.id].contains(&row.info.id);
                (is_point && !self.elsewhere.contains(&id)).then_some(self.handles)
            }
            _ => self.roots.iter().find(|(root, _)| *root == channel).map(|(_, way)| *way),
        }
    }

    /// Moves the values of keys on by a number of half cycles.
    fn advance(&self, keys: &mut KeyframeValues, halves: f32) {
        let Some(way) = self.way(&keys.channel).filter(|way| *way != Vec3::ZERO) else { return };
        for (_, value) in &mut keys.knots {
            if let Value::Vec3(point) = value {
                *point += way * halves;
            }
        }
    }
}
