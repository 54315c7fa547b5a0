//! Applies the channels at a frame to a copy of the scene.
//!
//! docs/js3d.md, section 9, lists the channels. A channel finds its targets by name alone; if several maps
//! have that name, it drives each entry that has such a member.

use super::eval_cache::Ring;
use super::names::{Kind, with_table};
use super::property::{self, Resource};
use super::skinned::SkinnedMesh;
use super::{Scene, Table, channels, layers};
use crate::anim::channel::{Animation, ChannelRef, SkeletonChannel, Value};
use crate::anim::channel_set::ChannelSet;
use crate::anim::layer::{base_name, is_weight};
use std::sync::Arc;

/// Returns the scene with the value of every channel at `frame` applied. Channels that are muted, have no
/// target, or are of another type than their target have no effect. Resources that no channel changes stay
/// shared.
pub fn animate(scene: &Scene, frame: f32) -> Scene {
    Animator::default().animate(scene, frame, &ChannelSet::default())
}

/// Applies the animation of scenes. It remembers the position in each spline, so that the next frame is found
/// without a search, and reuses the skinned meshes of an earlier frame once nothing else refers to them. The
/// result does not depend on earlier calls.
#[derive(Clone, Debug, Default)]
pub struct Animator {
    /// Per channel, in the order of the animation.
    hints: Vec<usize>,
    /// Per channel of one resource name.
    values: Vec<Option<Value>>,
    indices: ChannelIndices,
    /// One more than an [`super::evaluate::Evaluator`] and the viewer of its results hold.
    driven: Ring<DrivenMeshes, 4>,
}

/// A table of driven skinned meshes, and the input that it was made from.
#[derive(Clone, Debug)]
struct DrivenMeshes {
    animation: Arc<Animation>,
    stored: Table<SkinnedMesh>,
    driven: Table<SkinnedMesh>,
}

impl Animator {
    /// Returns the same as [`animate`], except that channels in `unkeyed` have no effect: the values that the
    /// scene stores apply.
    pub fn animate(&mut self, scene: &Scene, frame: f32, unkeyed: &ChannelSet) -> Scene {
        let mut out = scene.clone();
        let (animation, stored) = (&scene.animation, &scene.skinned_meshes);
        let fits =
            |old: &DrivenMeshes| Arc::ptr_eq(&old.animation, animation) && old.stored.is_shared(stored);
        if let Some(old) = self.driven.take(fits) {
            out.skinned_meshes = old.driven;
        }
        let mut index = 0;
        for (name, channels) in &animation.channels {
            self.values.clear();
            for (channel, spline) in channels {
                if self.hints.len() == index {
                    self.hints.push(0);
                }
                let value = spline.at_with_hint(frame, &mut self.hints[index]);
                let value = value.filter(|_| !unkeyed.contains(name, channel));
                let value = value.and_then(|value| unmuted(scene, name, channel, value));
                self.values.push(value);
                index += 1;
            }
            let layered = layered_values(scene, name, frame, unkeyed);
            let values = channels.keys().map(String::as_str).zip(&self.values);
            let values = values.filter_map(|(channel, value)| Some((channel, (*value)?)));
            let is_base = |channel: &str| layered.iter().all(|(other, _)| *other != channel);
            let values = values.filter(|(channel, _)| is_base(channel)).chain(layered.iter().copied());
            set_all(&mut out, stored, name, values, &mut self.indices);
        }
        self.driven.push(DrivenMeshes {
            animation: animation.clone(),
            stored: stored.clone(),
            driven: out.skinned_meshes.clone(),
        });
        out
    }
}

/// Indices of bones and handles by channel id: scratch memory of [`animate_skeleton`].
#[derive(Clone, Debug, Default)]
struct ChannelIndices {
    bones: Vec<(u32, usize)>,
    handles: Vec<(u32, usize)>,
    shapes: Vec<(u32, usize)>,
}

/// Returns the values of the channels of a character that its layers change.
fn layered_values<'s>(
    scene: &'s Scene,
    name: &str,
    frame: f32,
    unkeyed: &ChannelSet,
) -> Vec<(&'s str, Value)> {
    let animation = &scene.animation;
    let channels = animation.layered_channels(name).into_iter();
    let values = channels.filter(|channel| !unkeyed.contains(name, channel)).filter_map(|channel| {
        let unlayered = channels::value_by_name(scene, name, channel)?;
        Some((channel, layers::driven_value(animation, &ChannelRef::new(name, channel), frame, unlayered)))
    });
    values.collect()
}

/// Returns the value that a channel with this value drives its target to; `None` if it is muted entirely.
fn unmuted(scene: &Scene, name: &str, channel: &str, value: Value) -> Option<Value> {
    let mute = scene.animation.mute(name, channel);
    if mute.is_none() {
        return Some(value);
    }
    let stored = channels::value(scene, &ChannelRef::new(name, channel));
    stored.filter(|_| !mute.is_whole()).map(|stored| mute.blend(value, stored))
}

/// Stores values in every object called `name`. Channels that it does not have, and values of the wrong type,
/// have no effect.
pub fn set(scene: &mut Scene, name: &str, values: &[(&str, Value)]) {
    let stored = scene.skinned_meshes.clone();
    let values = values.iter().copied();
    set_all(scene, &stored, name, values, &mut ChannelIndices::default());
}

/// Stores values in every object called `name`. `stored`: the skinned meshes without animation; those of the
/// scene may be driven already, and are overwritten.
fn set_all<'v>(
    scene: &mut Scene,
    stored: &Table<SkinnedMesh>,
    name: &str,
    values: impl Iterator<Item = (&'v str, Value)> + Clone,
    indices: &mut ChannelIndices,
) {
    for kind in Kind::ALL {
        with_table!(&mut scene, kind, table => drive(table, kind, name, values.clone()));
    }
    if let (Some(mesh), Some(stored)) = (existing(&mut scene.skinned_meshes, name), stored.get(name)) {
        animate_skeleton(mesh, stored, values, indices);
    }
}

/// Whether objects of a kind have a member that the channel called `channel` drives.
pub fn is_driven(kind: Kind, channel: &str) -> bool {
    match kind {
        Kind::SkinnedMesh => SkeletonChannel::parse(base_name(channel)).is_some() || is_weight(channel),
        _ => property::info(kind, channel).is_some_and(|info| info.channel.is_some()),
    }
}

fn drive<'v, T: Resource>(
    table: &mut Table<T>,
    kind: Kind,
    name: &str,
    values: impl Iterator<Item = (&'v str, Value)>,
) {
    let rows = T::properties(kind);
    if rows.is_empty() {
        return;
    }
    if let Some(resource) = existing(table, name) {
        for (channel, value) in values {
            let row = rows.iter().find(|row| row.info.channel == Some(channel));
            if let (Some(row), Some(value)) = (row, value.to_property()) {
                row.set_shared(resource, &value);
            }
        }
    }
}

/// Returns a resource to change. The table stays shared if it has no resource of that name.
fn existing<'t, T>(table: &'t mut Table<T>, name: &str) -> Option<&'t mut Arc<T>> {
    if table.contains_key(name) { table.get_mut(name) } else { None }
}

/// Makes `mesh` a copy of `stored` with the values applied, all at once, so that the skeleton is copied only
/// once. `mesh`: `stored` itself, or the result of an earlier call with it.
fn animate_skeleton<'v>(
    mesh: &mut Arc<SkinnedMesh>,
    stored: &Arc<SkinnedMesh>,
    values: impl Iterator<Item = (&'v str, Value)>,
    indices: &mut ChannelIndices,
) {
    let old = &*stored.skeleton;
    let mut changed = false;
    sort_by_id(&mut indices.bones, old.bones.iter().map(|b| b.channel_id));
    sort_by_id(&mut indices.handles, old.handles.iter().map(|h| h.channel_id));
    sort_by_id(&mut indices.shapes, old.shapes.iter().map(|shape| shape.channel_id));
    for (channel, value) in values {
        let Some(channel) = SkeletonChannel::parse(channel) else {
            continue;
        };
        let Some(value) = channel.sanitized(value) else {
            continue;
        };
        let indices = match channel {
            SkeletonChannel::Base(_) => &[(0, 0)][..],
            SkeletonChannel::Bone(id, _) => find_id(&indices.bones, id),
            SkeletonChannel::Handle(id, _) => find_id(&indices.handles, id),
            SkeletonChannel::Shape(id, _) => find_id(&indices.shapes, id),
        };
        for &(_, index) in indices {
            let current = channel.value(if changed { &mesh.skeleton } else { old }, index);
            let differs = |current: &Value| current.type_name() == value.type_name() && *current != value;
            if !current.as_ref().is_some_and(differs) {
                continue;
            }
            let was_driven = !Arc::ptr_eq(mesh, stored);
            let new = Arc::make_mut(&mut Arc::make_mut(mesh).skeleton);
            if was_driven && !changed {
                new.clone_from(old);
            }
            changed = true;
            channel.set(new, index, value);
        }
    }
    if !changed {
        mesh.clone_from(stored);
    }
}

/// Fills `indices` with pairs of channel id and index, sorted by id.
fn sort_by_id(indices: &mut Vec<(u32, usize)>, ids: impl Iterator<Item = u32>) {
    indices.clear();
    indices.extend(ids.enumerate().map(|(index, id)| (id, index)));
    indices.sort_unstable();
}

/// Returns the entries of an id. Files may give the same id to several bones or handles.
fn find_id(indices: &[(u32, usize)], id: u32) -> &[(u32, usize)] {
    let from = indices.partition_point(|(other, _)| *other < id);
    let to = from + indices[from..].partition_point(|(other, _)| *other == id);
    &indices[from..to]
}
