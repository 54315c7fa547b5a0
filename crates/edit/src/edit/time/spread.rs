//! Spreading: a change of the pose at one frame also changes the keys around it, less with distance, so that a curve with
//! a key on every frame does not pop.

use crate::anim::channel::{Animation, ChannelRef, SkeletonChannel, Value};
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::edit::settings::view::View;
use crate::math::angles::{degrees, next_euler};
use crate::math::rotation::from_euler;
use crate::rig::property::POSE;
use crate::scene::Scene;
use glam::{DMat3, DQuat, Vec3};

/// The greatest number of frames before and after a change that it spreads to.
pub const MOST_SPREAD: u32 = 120;

/// The keys that a change at a frame spreads to.
#[derive(Clone, Debug)]
pub struct Spread {
    frame: f32,
    frames: u32,
    /// The first and last frame of the take that the frame belongs to.
    range: [u32; 2],
    /// The scene at the press.
    scene: Scene,
}

impl Spread {
    /// Returns the spread that the settings ask for; `None` if it is 0 frames.
    pub fn from_view(view: &View) -> Option<Self> {
        let frames = view.settings.tools.spread;
        let session = view.session;
        let (frame, scene) = (session.frame(), session.scene().clone());
        (frames > 0).then(|| Self { frame, frames, range: take_range(&scene.animation, frame), scene })
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
        let mut knots = vec![(self.frame, after)];
        for time in keys.times() {
            let share = share((time - self.frame).abs(), self.frames);
            let [first, last] = self.range.map(|frame| frame as f32);
            let is_reached = share > 0.0 && time != self.frame && (first..=last).contains(&time);
            if let (Some(Value::Vec3(key)), true) = (keys.key(time), is_reached) {
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
