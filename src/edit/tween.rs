//! Poses blended by one number: of the selected parts of a character, or of all. Between the keys before and after the
//! frame that is shown, towards either of them, away from or towards what lies between them, or to the bind pose.
//!
//! Angles are blended as the numbers that keys hold, so that the ends are the keys, bit for bit.

use super::command::{Command, Posing};
use super::keying::of_part;
use super::playback::{next_key, previous_key};
use super::selection::Part;
use super::view::{Tab, View};
use crate::anim::channel::{SkeletonChannel, Value};
use crate::anim::handle_channel::HandleChannel;
use crate::rig::skeleton::Skeleton;
use crate::scene::channels::skeleton_value;
use glam::Vec3;

/// What the number of a blend means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TweenKind {
    /// The part of the way from the key before, 0, to the one after, 1.
    Between,
    /// From the present pose, 0, to the key before, -1, or the one after, 1.
    Neighbors,
    /// From the present pose, 0, to what lies between the keys, -1 (relaxed), or as far again from it, 1 (pushed).
    PushRelax,
    /// From the present pose, 0, to the bind pose, 1.
    Rest,
}

/// What is blended.
#[derive(Clone, Debug, PartialEq)]
pub struct Tween {
    mesh: String,
    kind: TweenKind,
    blends: Vec<Blend>,
    /// The number for the present pose, as nearly as can be said.
    pub part: f32,
}

#[derive(Clone, Debug, PartialEq)]
struct Blend {
    channel: SkeletonChannel,
    now: Value,
    /// At -1 and at 1; of [`TweenKind::Between`] at 0 and at 1.
    ends: [Value; 2],
}

impl Tween {
    /// Of the selected parts; of all that the character has where none is selected.
    ///
    /// # Errors
    /// A sentence for the tooltip.
    pub fn begin(view: &View, kind: TweenKind) -> Result<Self, &'static str> {
        if view.settings.tab != Tab::Animate {
            return Err("Poses are blended in the Animate tab.");
        }
        let session = view.session;
        let selection = session.selection();
        let found = selection.mesh.as_ref();
        let found = found.and_then(|mesh| Some((mesh, session.animated().skinned_meshes.get(mesh)?)));
        let (mesh, skinned) = found.ok_or("Select a skinned mesh first.")?;
        let skeleton = &skinned.skeleton;
        let parts: Vec<Part> = match selection.part {
            Some(_) => selection.parts().collect(),
            None => {
                let handles = (0..skeleton.handles.len()).map(Part::Handle);
                let bones = skeleton.shown_bones().map(Part::Bone);
                [Part::Base].into_iter().chain(bones).chain(handles).collect()
            }
        };
        let animation = &session.scene().animation;
        let channels = parts.into_iter().flat_map(|part| of_part(mesh, skeleton, part));
        let blends = channels.filter_map(|channel| {
            if animation.mute(&channel.resource, &channel.channel).is_whole() {
                return None;
            }
            let driven = SkeletonChannel::parse(&channel.channel)?;
            let now = skeleton_value(skeleton, driven, 0)?;
            let neighbors = || {
                let keys = animation.get(&channel)?;
                let (times, frame) = (keys.times(), session.frame());
                let times = [previous_key(&times, frame)?, next_key(&times, frame)?];
                let [before, after] = times.map(|time| keys.key(time));
                Some((times, [before?, after?]))
            };
            let ends = match kind {
                TweenKind::Between | TweenKind::Neighbors => neighbors()?.1,
                TweenKind::PushRelax => {
                    let ([from, to], [before, after]) = neighbors()?;
                    let part = (session.frame() - from) / (to - from);
                    let middle = mix(before, after, part)?;
                    [middle, mix(middle, now, 2.0)?]
                }
                TweenKind::Rest => [now, rest(driven)?],
            };
            mix(ends[0], ends[1], 0.5)?;
            Some(Blend {
                channel: driven,
                now,
                ends,
            })
        });
        let mut tween = Self {
            mesh: mesh.clone(),
            kind,
            blends: blends.collect(),
            part: 0.0,
        };
        if tween.blends.is_empty() {
            return Err(match kind {
                TweenKind::Rest => "Select bones or the base: handles have no bind pose.",
                _ => "Go to a frame between two keys of the selection.",
            });
        }
        if kind == TweenKind::Between {
            tween.part = tween.nearest();
        }
        Ok(tween)
    }

    pub fn kind(&self) -> TweenKind {
        self.kind
    }

    /// The part of the way from the first ends to the second at which the blend is nearest to what is there.
    fn nearest(&self) -> f32 {
        let (mut along, mut length) = (0.0, 0.0);
        for Blend { now, ends, .. } in &self.blends {
            let [start, end] = ends.map(vector);
            along += (end - start).dot(vector(*now) - start);
            length += (end - start).length_squared();
        }
        if length > 0.0 { along / length } else { 0.0 }
    }

    /// What blends the parts of `skeleton` by `part`. At the ends the values are those of the keys, bit for bit, and
    /// at [`Self::part`] those that were there, except for [`TweenKind::Between`]; beyond, they go on.
    pub fn commands(&self, skeleton: &Skeleton, part: f32) -> Vec<Command> {
        // Commands set all of a task: each after what those before it have changed.
        let mut blended = skeleton.clone();
        let command = |blend: &Blend| {
            let [first, second] = blend.ends;
            let value = match self.kind {
                TweenKind::Between => mix(first, second, part),
                TweenKind::Rest => mix(blend.now, second, part),
                TweenKind::Neighbors | TweenKind::PushRelax if part < 0.0 => mix(blend.now, first, -part),
                TweenKind::Neighbors | TweenKind::PushRelax => mix(blend.now, second, part),
            };
            self.command(&mut blended, blend.channel, value?)
        };
        self.blends.iter().filter_map(command).collect()
    }

    fn command(&self, skeleton: &mut Skeleton, channel: SkeletonChannel, value: Value) -> Option<Command> {
        let mesh = self.mesh.clone();
        match (channel, value) {
            (SkeletonChannel::BaseOffset, Value::Vec3(base_offset)) => {
                Some(Command::SetBaseOffset { mesh, base_offset })
            }
            (SkeletonChannel::BonePose(id), Value::Vec3(pose_deg)) => {
                let bone = skeleton.bones.iter().position(|bone| bone.channel_id == id)?;
                Some(Command::SetPose { mesh, bone, pose_deg })
            }
            (SkeletonChannel::Handle(id, channel), value) => {
                let mut handles = skeleton.handles.iter();
                let handle = handles.position(|handle| handle.channel_id == id)?;
                let changed = &mut skeleton.handles[handle];
                channel.set(changed, value);
                let posing = match channel {
                    HandleChannel::Enabled => return None,
                    HandleChannel::Target => {
                        let target = changed.target;
                        return Some(Command::SetHandleTarget { mesh, handle, target });
                    }
                    HandleChannel::Weight => {
                        let weight = changed.weight;
                        return Some(Command::SetHandleWeight { mesh, handle, weight });
                    }
                    HandleChannel::Pole | HandleChannel::PoleWeight => {
                        let pole = changed.pole;
                        Posing::Pole { handle, pole }
                    }
                    HandleChannel::Orientation | HandleChannel::OrientationWeight => {
                        let orientation = changed.orientation;
                        Posing::Orientation { handle, orientation }
                    }
                    HandleChannel::LookAtWeight => {
                        let look_at = changed.look_at;
                        Posing::LookAt { handle, look_at }
                    }
                };
                Some(Command::SetPosing { mesh, value: posing })
            }
            _ => None,
        }
    }
}

/// In the bind pose.
fn rest(channel: SkeletonChannel) -> Option<Value> {
    match channel {
        SkeletonChannel::BaseOffset | SkeletonChannel::BonePose(_) => Some(Value::Vec3(Vec3::ZERO)),
        SkeletonChannel::Handle(..) => None,
    }
}

/// `part` of the way from `a` to `b`, at 0 and 1 exactly; `None` for what cannot be blended.
fn mix(a: Value, b: Value, part: f32) -> Option<Value> {
    if part == 0.0 || part == 1.0 {
        let end = if part == 0.0 { a } else { b };
        return mix(a, b, 0.5).map(|_| end);
    }
    match (a, b) {
        (Value::Vec3(a), Value::Vec3(b)) => Some(Value::Vec3(a + (b - a) * part)),
        (Value::Float(a), Value::Float(b)) => Some(Value::Float(a + (b - a) * part)),
        (Value::Quat(a), Value::Quat(b)) => Some(Value::Quat(a.slerp(b, part))),
        _ => None,
    }
}

/// To compare values by.
fn vector(value: Value) -> Vec3 {
    match value {
        Value::Vec3(value) => value,
        Value::Float(value) => Vec3::X * value,
        Value::Quat(value) => value.to_scaled_axis(),
        _ => Vec3::ZERO,
    }
}
