//! Channels at a frame, written into a copy of the scene.
//!
//! Which channels exist: docs/js3d.md, section 9. A channel finds its targets by name alone; where several
//! maps hold that name, it drives each of them that has such a member.

use super::eval_cache::Ring;
use super::names::{Kind, with_table};
use super::property::{self, Resource};
use super::skinned::SkinnedMesh;
use super::{Scene, Table, channels};
use crate::anim::channel::{Animation, ChannelRef, SkeletonChannel, Value};
use crate::anim::channel_set::ChannelSet;
use std::sync::Arc;

/// The scene with every channel's value at `frame` in place. Channels without a target, of another type
/// than their target, or muted have no effect. Resources that no channel changes stay shared.
pub fn driven(scene: &Scene, frame: f32) -> Scene {
    Driver::default().driven(scene, frame, &ChannelSet::default())
}

/// Drives scenes, remembering where in each spline the last frame was, so that the next one is found
/// without a search, and writing skinned meshes where those of an earlier frame were, if nobody holds them any
/// more. What comes out does not depend on what was driven before.
#[derive(Clone, Debug, Default)]
pub struct Driver {
    /// Per channel, in the order of the animation.
    hints: Vec<usize>,
    /// Per channel of one name.
    values: Vec<Option<Value>>,
    places: Places,
    /// One more than an [`super::evaluate::Evaluator`] and who shows its results hold.
    driven: Ring<Driven, 4>,
}

/// A table of skinned meshes as driven, and what it was made of.
#[derive(Clone, Debug)]
struct Driven {
    animation: Arc<Animation>,
    stored: Table<SkinnedMesh>,
    driven: Table<SkinnedMesh>,
}

impl Driver {
    /// As [`driven`]; channels in `unkeyed` have no effect either: the scene's own values count.
    pub fn driven(&mut self, scene: &Scene, frame: f32, unkeyed: &ChannelSet) -> Scene {
        let mut out = scene.clone();
        let (animation, stored) = (&scene.animation, &scene.skinned_meshes);
        let fits = |old: &Driven| Arc::ptr_eq(&old.animation, animation) && old.stored.is_shared(stored);
        if let Some(old) = self.driven.take(fits) {
            out.skinned_meshes = old.driven;
        }
        let mut place = 0;
        for (name, channels) in &animation.channels {
            self.values.clear();
            for (channel, spline) in channels {
                if self.hints.len() == place {
                    self.hints.push(0);
                }
                let value = spline.at_from(frame, &mut self.hints[place]);
                let value = value.filter(|_| !unkeyed.contains(name, channel));
                let value = value.and_then(|value| unmuted(scene, name, channel, value));
                self.values.push(value);
                place += 1;
            }
            let values = channels.keys().zip(&self.values);
            let values = values.filter_map(|(channel, value)| Some((channel.as_str(), (*value)?)));
            set_in(&mut out, stored, name, values, &mut self.places);
        }
        self.driven.push(Driven {
            animation: animation.clone(),
            stored: stored.clone(),
            driven: out.skinned_meshes.clone(),
        });
        out
    }
}

/// Where bones and handles are, by channel id: scratch of [`skinned_mesh`], kept for its memory.
#[derive(Clone, Debug, Default)]
struct Places {
    bones: Vec<(u32, usize)>,
    handles: Vec<(u32, usize)>,
}

/// What a channel with this value drives its target to; `None` where it is muted as a whole.
fn unmuted(scene: &Scene, name: &str, channel: &str, value: Value) -> Option<Value> {
    let mute = scene.animation.mute(name, channel);
    if mute.is_none() {
        return Some(value);
    }
    let stored = channels::value(scene, &ChannelRef::new(name, channel));
    stored
        .filter(|_| !mute.is_whole())
        .map(|stored| mute.blend(value, stored))
}

/// Stores values in everything called `name`. Channels that it does not have, and values of another type
/// than theirs, have no effect.
pub fn set(scene: &mut Scene, name: &str, values: &[(&str, Value)]) {
    let stored = scene.skinned_meshes.clone();
    let values = values.iter().copied();
    set_in(scene, &stored, name, values, &mut Places::default());
}

/// `stored`: the skinned meshes that are driven; those of the scene may be driven ones, to be written over.
fn set_in<'v>(
    scene: &mut Scene,
    stored: &Table<SkinnedMesh>,
    name: &str,
    values: impl Iterator<Item = (&'v str, Value)> + Clone,
    places: &mut Places,
) {
    for kind in Kind::ALL {
        with_table!(&mut scene, kind, table => drive(table, kind, name, values.clone()));
    }
    if let (Some(mesh), Some(stored)) = (existing(&mut scene.skinned_meshes, name), stored.get(name)) {
        skinned_mesh(mesh, stored, values, places);
    }
}

/// Whether things of a kind have a member that the channel called `channel` drives.
pub fn is_driven(kind: Kind, channel: &str) -> bool {
    match kind {
        Kind::SkinnedMesh => SkeletonChannel::parse(channel).is_some(),
        _ => property::info(kind, channel).is_some_and(|info| info.keyable),
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
            if let Some(row) = rows.iter().find(|row| row.info.id == channel) {
                row.drive(resource, value);
            }
        }
    }
}

/// A resource to change. Where there is none of that name, the table stays shared.
fn existing<'t, T>(table: &'t mut Table<T>, name: &str) -> Option<&'t mut Arc<T>> {
    if table.contains_key(name) {
        table.get_mut(name)
    } else {
        None
    }
}

/// Makes `mesh` what `stored` is with the values in place: all at once, so that the skeleton is copied once.
/// `mesh`: `stored` itself, or what an earlier call made of it.
fn skinned_mesh<'v>(
    mesh: &mut Arc<SkinnedMesh>,
    stored: &Arc<SkinnedMesh>,
    values: impl Iterator<Item = (&'v str, Value)>,
    places: &mut Places,
) {
    let old = &*stored.skeleton;
    let mut changed = false;
    sort_places(&mut places.bones, old.bones.iter().map(|b| b.channel_id));
    sort_places(&mut places.handles, old.handles.iter().map(|h| h.channel_id));
    for (channel, value) in values {
        let Some(channel) = SkeletonChannel::parse(channel) else {
            continue;
        };
        let places = match channel {
            SkeletonChannel::BaseOffset => &[(0, 0)][..],
            SkeletonChannel::BonePose(id) => of_id(&places.bones, id),
            SkeletonChannel::Handle(id, _) => of_id(&places.handles, id),
        };
        for &(_, at) in places {
            let now = if changed { &*mesh.skeleton } else { old };
            let differs = match (channel, value) {
                (SkeletonChannel::BaseOffset, Value::Vec3(v)) => now.base_offset != v,
                (SkeletonChannel::BonePose(_), Value::Vec3(v)) => now.bones[at].pose_deg != v,
                (SkeletonChannel::Handle(_, channel), value) => {
                    let was = channel.value(&now.handles[at]);
                    let held = channel.held(value);
                    was.is_some_and(|was| held.is_some_and(|held| held != was))
                }
                _ => false,
            };
            if !differs {
                continue;
            }
            let was_driven = !Arc::ptr_eq(mesh, stored);
            let new = Arc::make_mut(&mut Arc::make_mut(mesh).skeleton);
            if was_driven && !changed {
                new.clone_from(old);
            }
            changed = true;
            match (channel, value) {
                (SkeletonChannel::BaseOffset, Value::Vec3(v)) => new.base_offset = v,
                (SkeletonChannel::BonePose(_), Value::Vec3(v)) => new.bones[at].pose_deg = v,
                (SkeletonChannel::Handle(_, channel), value) => channel.set(&mut new.handles[at], value),
                _ => {}
            }
        }
    }
    if !changed {
        mesh.clone_from(stored);
    }
}

/// Indices by channel id.
fn sort_places(places: &mut Vec<(u32, usize)>, ids: impl Iterator<Item = u32>) {
    places.clear();
    places.extend(ids.enumerate().map(|(at, id)| (id, at)));
    places.sort_unstable();
}

/// Those of an id. Files may give several the same.
fn of_id(places: &[(u32, usize)], id: u32) -> &[(u32, usize)] {
    let from = places.partition_point(|(other, _)| *other < id);
    let to = from + places[from..].partition_point(|(other, _)| *other == id);
    &places[from..to]
}
