//! Spreading: a change of the pose at one frame also changes the keys around it, less with distance, so that a curve with
//! a key on every frame does not pop. In a take or play range that loops, the distance goes around the loop.

use crate::anim::channel::{Animation, Channel, ChannelRef, SkeletonChannel, Value};
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::edit::settings::view::View;
use crate::math::angles::{degrees, next_euler};
use crate::math::rotation::from_euler;
use crate::rig::property::POSE;
use crate::scene::Scene;
use glam::{DMat3, DQuat, Vec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The greatest number of frames before and after a change that it spreads to.
pub const MOST_SPREAD: u32 = 120;

/// The keys that a change at a frame spreads to.
#[derive(Clone, Debug)]
pub struct Spread {
    frame: f32,
    frames: u32,
    /// The first and last frame of the take that the frame belongs to.
    range: [u32; 2],
    /// By resource, the first frame of a loop that the frame belongs to, and the closing one, which has the same pose.
    loops: BTreeMap<String, [f32; 2]>,
    /// The scene at the press.
    scene: Scene,
}

impl Spread {
    /// Returns the spread that the settings ask for; `None` if it is 0 frames.
    pub fn from_view(view: &View) -> Option<Self> {
        let frames = view.settings.tools.spread;
        let session = view.session;
        let (frame, scene) = (session.frame(), session.scene().clone());
        (frames > 0).then(|| {
            let animation = &scene.animation;
            let (range, loops) = (take_range(animation, frame), loops(animation, frame));
            Self { frame, frames, range, loops, scene }
        })
    }

    /// Returns the command that keys new values of channels at the frame, and changes their keys nearby. Channels without
    /// keys are left out: they have the new value at all frames anyway. `None` if no channel has keys.
    pub fn command(&self, values: &[(ChannelRef, Value)]) -> Option<Command> {
        let knots: Vec<KeyframeValues> =
            values.iter().filter_map(|(channel, value)| self.keys(channel, *value)).collect();
        let purpose = Purpose::Spread;
        (!knots.is_empty()).then_some(Command::Keys(KeyCommand::Put { purpose, knots }))
    }

    fn keys(&self, channel: &ChannelRef, after: Value) -> Option<KeyframeValues> {
        let animation = &self.scene.animation;
        let keys = animation.get(channel).filter(|keys| keys.key_count() > 0)?;
        if animation.mute(&channel.resource, &channel.channel).is_whole() {
            return None;
        }
        let before = keys.at(self.frame)?;
        let (Value::Vec3(before), Value::Vec3(to)) = (before, after) else {
            return None;
        };
        let is_pose =
            SkeletonChannel::parse(&channel.channel).is_some_and(|channel| channel.info().id == POSE.info.id);
        let closes = |[first, end]: &&[f32; 2]| keys.key(*first) == keys.key(*end);
        let cycle = self.loops.get(&channel.resource).filter(closes);
        let [first, last] = cycle.copied().unwrap_or(self.range.map(|frame| frame as f32));
        let distance = |time: f32| {
            let distance = (time - self.frame).abs();
            cycle.map_or(distance, |[first, end]| distance.min(end - first - distance))
        };
        let mut knots = vec![(self.frame, after)];
        for time in keys.times() {
            let share = share(distance(time), self.frames);
            let is_reached = share > 0.0 && time != self.frame && (first..=last).contains(&time);
            if share == 1.0 && is_reached {
                // The other end of the loop.
                knots.push((time, after));
            } else if let (Some(Value::Vec3(key)), true) = (keys.key(time), is_reached) {
                let value =
                    if is_pose { turned(key, before, to, share) } else { key + (to - before) * share };
                knots.push((time, Value::Vec3(value)));
            }
        }
        knots.sort_by(|a, b| a.0.total_cmp(&b.0));
        Some(KeyframeValues { channel: channel.clone(), knots, modes: Vec::new() })
    }
}

/// Returns the range of the take at a frame, the chosen one first; all frames if there is none.
fn take_range(animation: &Animation, frame: f32) -> [u32; 2] {
    let takes = animation.takes.chosen().into_iter().chain(&animation.takes.list);
    let mut ranges = takes.map(|take| take.range);
    let has_frame = |[first, last]: &[u32; 2]| (*first as f32..=*last as f32).contains(&frame);
    ranges.find(has_frame).unwrap_or([0, u32::MAX])
}

/// Returns the loops that a frame belongs to: in the range of its take, or else in the play range, most channels of the
/// resource that move have a key at the first frame, and an equal one at the last frame or at the one after it.
fn loops(animation: &Animation, frame: f32) -> BTreeMap<String, [f32; 2]> {
    let takes = animation.takes.chosen().into_iter().chain(&animation.takes.list).map(|take| take.range);
    let ranges: Vec<[f32; 2]> = takes
        .chain([animation.clip.play_range()])
        .map(|range| range.map(|frame| frame as f32))
        .filter(|[first, last]| (*first..=last + 1.0).contains(&frame))
        .collect();
    let closes = |channels: &BTreeMap<String, Arc<Channel>>, [first, end]: [f32; 2]| {
        let (mut closed, mut open) = (0, 0);
        for channel in channels.values() {
            let keys = channel.times().into_iter().filter(|time| (first..=end).contains(time));
            let start = channel.key(first);
            if keys.into_iter().any(|time| channel.key(time) != start) {
                let is_closed = start.is_some() && channel.key(end) == start;
                *if is_closed { &mut closed } else { &mut open } += 1;
            }
        }
        end > first && end >= frame && closed > open
    };
    let found = animation.channels.iter().filter_map(|(resource, channels)| {
        let mut ends = ranges.iter().flat_map(|[first, last]| [[*first, last + 1.0], [*first, *last]]);
        Some((resource.clone(), ends.find(|ends| closes(channels, *ends))?))
    });
    found.collect()
}

/// Returns the share of the change that reaches a key at a distance in frames: smoothly from 1 at the frame itself to 0 at
/// the first whole frame beyond the last one that is reached.
fn share(distance: f32, frames: u32) -> f32 {
    let left = (1.0 - distance / (frames + 1) as f32).max(0.0);
    left * left * (3.0 - 2.0 * left)
}

/// Returns the Euler angles (degrees) of a key, turned by a share of the rotation that leads from `before` to `after`.
fn turned(key: Vec3, before: Vec3, after: Vec3, share: f32) -> Vec3 {
    let radians = |angles: Vec3| angles.as_dvec3().map(f64::to_radians);
    let [key_matrix, before, after] = [key, before, after].map(|angles| from_euler(radians(angles)));
    let change = DQuat::from_mat3(&(after * before.transpose())).normalize();
    let part = DQuat::IDENTITY.slerp(change, f64::from(share));
    degrees(next_euler(radians(key), DMat3::from_quat(part) * key_matrix))
}
