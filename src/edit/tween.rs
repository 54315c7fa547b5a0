//! Poses between the keys before and after the frame that is shown: of the selected parts of a character, or of all.

use super::command::{Command, Posing};
use super::keying::of_part;
use super::playback::{next_key, previous_key};
use super::selection::Part;
use super::view::{Tab, View};
use crate::anim::channel::{SkeletonChannel, Value};
use crate::rig::skeleton::{Pole, Skeleton};
use glam::Vec3;

/// What is blended: values between two keys each.
#[derive(Clone, Debug, PartialEq)]
pub struct Tween {
    mesh: String,
    blends: Vec<Blend>,
    /// Where the present pose is between the two, as nearly as can be said.
    pub part: f32,
}

#[derive(Clone, Debug, PartialEq)]
struct Blend {
    channel: SkeletonChannel,
    /// The values of the key before and of the one after; a weight is in x alone.
    ends: [Vec3; 2],
}

impl Tween {
    /// The tween of the selected parts, or of the whole character where none is selected.
    ///
    /// # Errors
    /// A sentence for the tooltip.
    pub fn from_view(view: &View) -> Result<Self, &'static str> {
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
            let keys = animation.get(&channel)?;
            let times = keys.times();
            let frame = session.frame();
            let ends = [previous_key(&times, frame)?, next_key(&times, frame)?];
            let [Some(before), Some(after)] = ends.map(|time| keys.key(time).and_then(numbers)) else {
                return None;
            };
            let channel = SkeletonChannel::parse(&channel.channel)?;
            let ends = [before, after];
            Some(Blend { channel, ends })
        });
        let mut tween = Self {
            mesh: mesh.clone(),
            blends: blends.collect(),
            part: 0.0,
        };
        if tween.blends.is_empty() {
            return Err("Go to a frame between two keys of what is selected.");
        }
        tween.part = tween.nearest(skeleton);
        Ok(tween)
    }

    /// The part of the way at which the blend is nearest to what the skeleton has.
    fn nearest(&self, skeleton: &Skeleton) -> f32 {
        let (mut along, mut length) = (0.0, 0.0);
        for Blend { channel, ends } in &self.blends {
            let way = ends[1] - ends[0];
            along += way.dot(value(skeleton, *channel).unwrap_or(ends[0]) - ends[0]);
            length += way.length_squared();
        }
        if length > 0.0 { along / length } else { 0.0 }
    }

    /// What puts the parts of `skeleton` at `part` of the way from the key before, 0, to the one after, 1. There the
    /// values are those of the keys, bit for bit; beyond, they go on.
    pub fn commands(&self, skeleton: &Skeleton, part: f32) -> Vec<Command> {
        let command = |blend: &Blend| {
            let [before, after] = blend.ends;
            let value = match part {
                1.0 => after,
                part => before + (after - before) * part,
            };
            self.command(skeleton, blend.channel, value)
        };
        self.blends.iter().filter_map(command).collect()
    }

    fn command(&self, skeleton: &Skeleton, channel: SkeletonChannel, value: Vec3) -> Option<Command> {
        let mesh = self.mesh.clone();
        let handle = |id| skeleton.handles.iter().position(|handle| handle.channel_id == id);
        Some(match channel {
            SkeletonChannel::BaseOffset => Command::SetBaseOffset {
                mesh,
                base_offset: value,
            },
            SkeletonChannel::BonePose(id) => Command::SetPose {
                mesh,
                bone: skeleton.bones.iter().position(|bone| bone.channel_id == id)?,
                pose_deg: value,
            },
            SkeletonChannel::HandleTarget(id) => Command::SetHandleTarget {
                mesh,
                handle: handle(id)?,
                target: value,
            },
            SkeletonChannel::HandleWeight(id) => Command::SetHandleWeight {
                mesh,
                handle: handle(id)?,
                weight: value.x.clamp(0.0, 1.0),
            },
            SkeletonChannel::HandlePole(id) => {
                let handle = handle(id)?;
                let pole = Some(Pole {
                    point: value,
                    ..skeleton.handles[handle].pole?
                });
                let value = Posing::Pole { handle, pole };
                Command::SetPosing { mesh, value }
            }
            SkeletonChannel::HandleEnabled(_) => return None,
        })
    }
}

/// The numbers of a value that can be blended.
fn numbers(value: Value) -> Option<Vec3> {
    match value {
        Value::Vec3(value) => Some(value),
        Value::Float(value) => Some(Vec3::new(value, 0.0, 0.0)),
        _ => None,
    }
}

fn value(skeleton: &Skeleton, channel: SkeletonChannel) -> Option<Vec3> {
    let bone = |id| skeleton.bones.iter().find(|bone| bone.channel_id == id);
    let handle = |id| skeleton.handles.iter().find(|handle| handle.channel_id == id);
    match channel {
        SkeletonChannel::BaseOffset => Some(skeleton.base_offset),
        SkeletonChannel::BonePose(id) => Some(bone(id)?.pose_deg),
        SkeletonChannel::HandleTarget(id) => Some(handle(id)?.target),
        SkeletonChannel::HandleWeight(id) => Some(Vec3::new(handle(id)?.weight, 0.0, 0.0)),
        SkeletonChannel::HandlePole(id) => Some(handle(id)?.pole?.point),
        SkeletonChannel::HandleEnabled(_) => None,
    }
}
