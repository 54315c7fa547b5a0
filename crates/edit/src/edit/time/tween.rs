//! Tweening: blends the poses of the selected parts of a character, or of all parts, by one number: between
//! the keys before and after the current frame, towards either of them, away from or towards the
//! interpolation between them, or towards the bind pose.
//!
//! Angles are blended as the numbers that keys store, so that the ends equal the keys exactly.

use crate::anim::channel::{SkeletonChannel, Value};
use crate::edit::command::Command;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::{Tab, View};
use crate::edit::time::keying::part_channels;
use crate::edit::time::playback::{next_key, previous_key};
use crate::rig::skeleton::{Bone, Shape, Skeleton};
use crate::scene::channels::{self, skeleton_value};
use crate::scene::layers::{active_channel, driven_value};
use glam::Vec3;

/// The meaning of the number of a blend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TweenKind {
    /// From the key before, 0, to the key after, 1.
    Between,
    /// From the current pose, 0, to the key before, -1, or the key after, 1.
    Neighbors,
    /// From the current pose, 0, to the interpolation between the keys, -1 (relaxed), or the same distance
    /// away from it, 1 (pushed).
    PushRelax,
    /// From the current pose, 0, to the bind pose, 1.
    Rest,
}

/// A blend of poses.
#[derive(Clone, Debug, PartialEq)]
pub struct Tween {
    mesh: String,
    kind: TweenKind,
    blends: Vec<Blend>,
    /// The number that best matches the current pose.
    pub factor: f32,
}

/// The blend of a channel.
#[derive(Clone, Debug, PartialEq)]
struct Blend {
    channel: SkeletonChannel,
    current: Value,
    /// The values at -1 and 1; for [`TweenKind::Between`] at 0 and 1.
    ends: [Value; 2],
}

impl Tween {
    /// Begins a blend of the selected parts, or of all parts of the character if none is selected.
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
                let shapes = (0..skeleton.shapes.len()).map(Part::Shape);
                [Part::Base].into_iter().chain(bones).chain(handles).chain(shapes).collect()
            }
        };
        let animation = &session.scene().animation;
        let channels = parts.into_iter().flat_map(|part| part_channels(mesh, skeleton, part));
        let blends = channels.filter_map(|channel| {
            if animation.mute(&channel.resource, &channel.channel).is_whole() {
                return None;
            }
            let driven = SkeletonChannel::parse(&channel.channel)?;
            let current = skeleton_value(skeleton, driven, 0)?;
            let neighbors = || {
                // In a character with layers, what is shown at the keys of the active one counts.
                let keys = animation.get(&active_channel(animation, &channel))?;
                let (times, frame) = (keys.times(), session.frame());
                let times = [previous_key(&times, frame)?, next_key(&times, frame)?];
                let unlayered = channels::value(session.scene(), &channel)?;
                let value = |time| match animation.layers_of(&channel.resource) {
                    Some(_) => Some(driven_value(animation, &channel, time, unlayered)),
                    None => keys.key(time),
                };
                let [before, after] = times.map(value);
                Some((times, [before?, after?]))
            };
            let ends = match kind {
                TweenKind::Between | TweenKind::Neighbors => neighbors()?.1,
                TweenKind::PushRelax => {
                    let ([from, to], [before, after]) = neighbors()?;
                    let factor = (session.frame() - from) / (to - from);
                    let middle = mix(before, after, factor)?;
                    [middle, mix(middle, current, 2.0)?]
                }
                TweenKind::Rest => [current, rest(driven)?],
            };
            mix(ends[0], ends[1], 0.5)?;
            Some(Blend { channel: driven, current, ends })
        });
        let mut tween = Self { mesh: mesh.clone(), kind, blends: blends.collect(), factor: 0.0 };
        if tween.blends.is_empty() {
            return Err(match kind {
                TweenKind::Rest => "Select bones or the base: handles have no bind pose.",
                _ => "Go to a frame between two keys of the selection.",
            });
        }
        if kind == TweenKind::Between {
            tween.factor = tween.nearest_factor();
        }
        Ok(tween)
    }

    pub fn kind(&self) -> TweenKind {
        self.kind
    }

    /// Returns the factor between the first and the second ends at which the blend is nearest to the current
    /// pose.
    fn nearest_factor(&self) -> f32 {
        let (mut along, mut length) = (0.0, 0.0);
        for Blend { current, ends, .. } in &self.blends {
            let [start, end] = ends.map(vector);
            along += (end - start).dot(vector(*current) - start);
            length += (end - start).length_squared();
        }
        if length > 0.0 { along / length } else { 0.0 }
    }

    /// Returns the commands that blend the parts of `skeleton` by `factor`. At the ends, the values equal
    /// those of the keys exactly, and at [`Self::factor`] the current ones, except for
    /// [`TweenKind::Between`]; beyond the ends, they are extrapolated.
    pub fn commands(&self, skeleton: &Skeleton, factor: f32) -> Vec<Command> {
        let command = |blend: &Blend| {
            let [first, second] = blend.ends;
            let value = match self.kind {
                TweenKind::Between => mix(first, second, factor),
                TweenKind::Rest => mix(blend.current, second, factor),
                TweenKind::Neighbors | TweenKind::PushRelax if factor < 0.0 => {
                    mix(blend.current, first, -factor)
                }
                TweenKind::Neighbors | TweenKind::PushRelax => mix(blend.current, second, factor),
            };
            let (part, info) = (blend.channel.part(skeleton, 0)?, blend.channel.info());
            let value = blend.channel.sanitized(value?)?.to_property()?;
            Some(Command::set_part(self.mesh.clone(), part, info.id, value))
        };
        self.blends.iter().filter_map(command).collect()
    }
}

/// Returns the value in the bind pose; none for handles, which it does not have.
fn rest(channel: SkeletonChannel) -> Option<Value> {
    Value::from_property(&match channel {
        SkeletonChannel::Base(row) => row.get(&Skeleton::default())?,
        SkeletonChannel::Bone(_, row) => row.get(&Bone::default())?,
        SkeletonChannel::Shape(_, row) => row.get(&Shape::default())?,
        SkeletonChannel::Handle(..) => return None,
    })
}

/// Returns the interpolation from `a` to `b` by `factor`, exact at 0 and 1; `None` for values that cannot be
/// blended.
fn mix(a: Value, b: Value, factor: f32) -> Option<Value> {
    if factor == 0.0 || factor == 1.0 {
        let end = if factor == 0.0 { a } else { b };
        return mix(a, b, 0.5).map(|_| end);
    }
    match (a, b) {
        (Value::Vec3(a), Value::Vec3(b)) => Some(Value::Vec3(a + (b - a) * factor)),
        (Value::Float(a), Value::Float(b)) => Some(Value::Float(a + (b - a) * factor)),
        (Value::Quat(a), Value::Quat(b)) => Some(Value::Quat(a.slerp(b, factor))),
        _ => None,
    }
}

/// Returns a value as a vector, for comparisons.
fn vector(value: Value) -> Vec3 {
    match value {
        Value::Vec3(value) => value,
        Value::Float(value) => Vec3::X * value,
        Value::Quat(value) => value.to_scaled_axis(),
        _ => Vec3::ZERO,
    }
}
