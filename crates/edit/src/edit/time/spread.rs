//! Spreading: a change of the pose at one frame also changes the keys around it, less with distance, so that a curve with
//! a key on every frame does not pop. In a take or play range that loops, the distance goes around the loop. What the
//! change at a key is, the caller solves: the same angles would move a tail elsewhere in another pose, and farther.

use super::loops::loop_at;
use crate::anim::channel::{Animation, ChannelRef, SkeletonChannel, Value};
use crate::anim::layer::{LayerKind, base_name};
use crate::anim::layer_blend::neutral;
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::edit::settings::view::View;
use crate::rig::property::{BASE_OFFSET, POSE};
use crate::scene::layers::writable_channel;
use std::sync::Arc;

/// The greatest number of frames before and after a change that it spreads to.
pub const MOST_SPREAD: u32 = 120;

/// The keys of a skinned mesh that a change of its pose at a frame spreads to.
#[derive(Clone, Debug)]
pub struct Spread {
    mesh: String,
    frame: f32,
    frames: u32,
    /// The first and last frame of the take that the frame belongs to.
    range: [f32; 2],
    /// The first frame of a loop that the frame belongs to, and the closing one, which has the same pose.
    cycle: Option<[f32; 2]>,
    /// The keys at the press.
    animation: Arc<Animation>,
}

impl Spread {
    /// Returns the spread that the settings ask for; `None` if it is 0 frames.
    pub fn from_view(view: &View, mesh: &str) -> Option<Self> {
        let frames = view.settings.tools.spread;
        let (frame, animation) = (view.session.frame(), Arc::clone(&view.session.scene().animation));
        (frames > 0).then(|| Self {
            mesh: mesh.to_owned(),
            frame,
            frames,
            range: take_range(&animation, frame),
            cycle: loop_at(&animation, mesh, frame),
            animation,
        })
    }

    /// Returns the frames of the keys that a change spreads to, except the frame itself, each with its share of the change:
    /// more than 0, and 1 at the other end of a loop.
    pub fn shares(&self) -> Vec<(f32, f32)> {
        let channels = self.animation.channels.get(&self.mesh).into_iter().flatten();
        let posing = channels.filter(|(name, _)| {
            let base = ChannelRef::new(&self.mesh, base_name(name));
            let id = SkeletonChannel::parse(&base.channel).map(|channel| channel.info().id);
            let poses = id == Some(POSE.info.id) || id == Some(BASE_OFFSET.info.id);
            poses && writable_channel(&self.animation, &base).channel == **name
        });
        let mut times: Vec<f32> = posing.flat_map(|(_, keys)| keys.times()).collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        let shares =
            times.into_iter().filter(|time| *time != self.frame).map(|time| (time, self.share(time)));
        shares.filter(|(_, share)| *share > 0.0).collect()
    }

    /// Returns the share of the change that reaches a key: smoothly from 1 at the frame itself to 0 at the first whole frame
    /// beyond the last one that is reached.
    fn share(&self, time: f32) -> f32 {
        let [first, last] = self.cycle.unwrap_or(self.range);
        if !(first..=last).contains(&time) {
            return 0.0;
        }
        let distance = (time - self.frame).abs();
        let distance = self.cycle.map_or(distance, |[first, end]| distance.min(end - first - distance));
        let left = (1.0 - distance / (self.frames + 1) as f32).max(0.0);
        left * left * (3.0 - 2.0 * left)
    }

    /// Returns the command that keys the values of channels at the frame, and changes their keys nearby to their values
    /// there, in the same order of channels: those of the active layer, if there is one. Curves stay as they are beyond the
    /// first keys that stay. Channels without keys are left out: they have the new value at all frames anyway.
    pub fn command(
        &self,
        values: &[(ChannelRef, Value)],
        nearby: &[(f32, Vec<(ChannelRef, Value)>)],
    ) -> Option<Command> {
        let keys = values.iter().enumerate().filter_map(|(index, (channel, value))| {
            let nearby = nearby.iter().filter_map(|(time, values)| Some((*time, values.get(index)?.1)));
            self.keys(channel, *value, nearby)
        });
        let (purpose, knots) = (Purpose::Spread, keys.collect::<Vec<_>>());
        (!knots.is_empty()).then_some(Command::Keys(KeyCommand::Put { purpose, knots }))
    }

    fn keys(
        &self,
        channel: &ChannelRef,
        value: Value,
        nearby: impl Iterator<Item = (f32, Value)>,
    ) -> Option<KeyframeValues> {
        let target = writable_channel(&self.animation, channel);
        if self.animation.mute(&target.resource, &target.channel).is_whole() {
            return None;
        }
        let keys = self.animation.get(&target).filter(|keys| keys.key_count() > 0);
        let Some(keys) = keys else {
            // The first key of a layer fades: see `layer_keys`.
            let below = self.animation.get(channel);
            let is_moved = target != *channel && below.is_some_and(|below| below.key_count() > 0);
            let knots = vec![(self.frame, value)];
            return is_moved.then(|| KeyframeValues { channel: channel.clone(), knots, modes: Vec::new() });
        };
        let kind = self.animation.layer_of(&target).map(|(layer, _)| layer.kind);
        let nearby = nearby.filter_map(|(time, nearby)| {
            // Where a correction begins and ends, it still does so.
            let key = keys
                .key(time)
                .filter(|key| kind != Some(LayerKind::Additive) || neutral(*key) != Some(*key))?;
            let closes = self.share(time) == 1.0 && keys.key(self.frame) == Some(key);
            Some((time, if closes { value } else { nearby }))
        });
        let mut knots: Vec<(f32, Value)> = [(self.frame, value)].into_iter().chain(nearby).collect();
        knots.sort_by(|a, b| a.0.total_cmp(&b.0));
        Some(KeyframeValues { channel: channel.clone(), knots, modes: Vec::new() })
    }
}

/// Returns the range of the take at a frame, the chosen one first; all frames if there is none.
fn take_range(animation: &Animation, frame: f32) -> [f32; 2] {
    let takes = animation.takes.chosen().into_iter().chain(&animation.takes.list);
    let mut ranges = takes.map(|take| take.range.map(|frame| frame as f32));
    let has_frame = |[first, last]: &[f32; 2]| (*first..=*last).contains(&frame);
    ranges.find(has_frame).unwrap_or([0.0, f32::INFINITY])
}
