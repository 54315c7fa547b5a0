//! The effects of commands, recorded while they run: what they created, removed and renamed, what became of
//! bones and handles, and which values and keys they changed. Selection, auto-key, messages and history rely
//! on this record instead of comparing scenes.

use super::channel_keys::ChannelKeys;
use crate::anim::channel::{Animation, ChannelRef};
use crate::anim::channel_set::ChannelSet;
use crate::rig::skeleton::{Part, Skeleton, number_duplicate_ids};
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::property::{self, PropertyValue};
use crate::scene::resource::{Mesh, Texture};
use crate::scene::skinned::SkinnedMesh;
use crate::scene::{Scene, Table, channels, is_same};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// The effects of one or more commands; the default is no effect.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// Created resources and instances.
    pub created: Vec<ObjectRef>,
    pub removed: Vec<ObjectRef>,
    /// The old and new names of renamed objects.
    pub renamed: Vec<[ObjectRef; 2]>,
    /// Changes to the bones and handles of skinned meshes: added, removed or reordered.
    pub parts: Vec<PartEffects>,
    /// Channels of existing objects whose stored values were changed.
    pub values: ChannelSet,
    /// Channels whose keys were changed.
    pub keys: ChannelSet,
    /// The new positions of keys that the user moved or inserted.
    pub placed: Vec<ChannelKeys>,
    /// The frames of all keys, ascending, each with that to which it has moved; empty unless time was inserted, removed or
    /// stretched.
    pub moved_frames: Vec<[f32; 2]>,
    /// Whether the animation was changed: keys or the play range.
    animated: bool,
    /// Whether anything was changed at all, including things not listed above.
    touched: bool,
}

/// Returns the frame to which the keys at a frame have moved; `None` if they are gone.
pub fn moved_frame(moved: &[[f32; 2]], frame: f32) -> Option<f32> {
    let index = moved.binary_search_by(|[old, _]| old.total_cmp(&frame)).ok()?;
    Some(moved[index][1])
}

/// The changes to the bones and handles of a skinned mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartEffects {
    pub mesh: String,
    /// New bones except links, or if there are none new handles; last first.
    pub created: Vec<Part>,
    successors: HashMap<Part, Part>,
}

impl PartEffects {
    /// Returns the part that replaces a previous part: the part itself, the nearest remaining ancestor of a
    /// deleted bone, or the bone of a deleted handle.
    pub fn successor(&self, part: Part) -> Option<Part> {
        match part {
            Part::Base | Part::Shape(_) => Some(part),
            Part::Pole(handle) => match self.successors.get(&Part::Handle(handle))? {
                Part::Handle(handle) => Some(Part::Pole(*handle)),
                other => Some(*other),
            },
            _ => self.successors.get(&part).copied(),
        }
    }

    /// Compares two skeletons by the channel ids of their parts. `None` if all bones and handles have the
    /// same indices.
    fn compare(mesh: &str, old: &Skeleton, new: &Skeleton) -> Option<Self> {
        if ids(old).eq(ids(new)) {
            return None;
        }
        let (before, after) = (parts_by_id(old), parts_by_id(new));
        let mut successors = HashMap::new();
        let current: HashMap<_, Part> = after.iter().copied().collect();
        // Parents come before their children.
        for (id, part) in &before {
            let owner = match *part {
                Part::Bone(bone) => old.bones[bone].parent,
                Part::Handle(handle) => Some(old.handles[handle].bone),
                Part::Pole(_) | Part::Base | Part::Shape(_) => None,
            };
            let owner = owner.and_then(|bone| successors.get(&Part::Bone(bone as usize)).copied());
            if let Some(successor) = current.get(id).copied().or(owner) {
                successors.insert(*part, successor);
            }
        }
        let known: HashSet<_> = before.iter().map(|(id, _)| *id).collect();
        let is_new = |(id, part): &(_, Part)| match *part {
            Part::Bone(bone) => !known.contains(id) && !new.bones[bone].link,
            _ => !known.contains(id),
        };
        let mut created: Vec<Part> = after.into_iter().rev().filter(is_new).map(|(_, part)| part).collect();
        let is_bone = |part: &Part| matches!(part, Part::Bone(_));
        if created.iter().any(is_bone) {
            created.retain(is_bone);
        }
        Some(Self { mesh: mesh.to_owned(), created, successors })
    }
}

/// Iterates over the channel ids of bones, then of handles, in order.
fn ids(skeleton: &Skeleton) -> impl Iterator<Item = (bool, u32)> {
    let bones = skeleton.bones.iter().map(|bone| (false, bone.channel_id));
    bones.chain(skeleton.handles.iter().map(|handle| (true, handle.channel_id)))
}

/// Returns bones, then handles, with their ids.
fn parts_by_id(skeleton: &Skeleton) -> Vec<((bool, u32, u32), Part)> {
    let bones = number_duplicate_ids(skeleton.bones.iter().map(|bone| bone.channel_id));
    let handles = number_duplicate_ids(skeleton.handles.iter().map(|handle| handle.channel_id));
    let bones = bones.into_iter().enumerate();
    let bones = bones.map(|(bone, (id, twin))| ((false, id, twin), Part::Bone(bone)));
    let handles = handles.into_iter().enumerate();
    let handles = handles.map(|(handle, (id, twin))| ((true, id, twin), Part::Handle(handle)));
    bones.chain(handles).collect()
}

impl Effects {
    /// Returns the effects of a change to the given values only.
    pub fn from_values(values: impl IntoIterator<Item = ChannelRef>) -> Self {
        Self { values: values.into_iter().collect(), touched: true, ..Self::default() }
    }

    /// Whether the effects depend on the frame: they change animatable values or the animation.
    pub fn depend_on_frame(&self) -> bool {
        self.animated || !self.values.is_empty() || !self.keys.is_empty()
    }

    /// Whether nothing was changed, for example because a value was already set.
    pub fn is_empty(&self) -> bool {
        !self.touched
    }

    /// Adds the effects of a subsequent command.
    pub fn extend(&mut self, next: Effects) {
        self.created.extend(next.created);
        self.removed.extend(next.removed);
        self.renamed.extend(next.renamed);
        self.parts.extend(next.parts);
        self.values.extend(next.values.iter());
        self.keys.extend(next.keys.iter());
        self.placed.extend(next.placed);
        if self.moved_frames.is_empty() {
            self.moved_frames = next.moved_frames;
        } else if !next.moved_frames.is_empty() {
            self.moved_frames.retain_mut(|[_, frame]| {
                let moved = moved_frame(&next.moved_frames, *frame);
                *frame = moved.unwrap_or(*frame);
                moved.is_some()
            });
        }
        self.animated |= next.animated;
        self.touched |= next.touched;
    }

    /// Returns the new name of the object previously named `name`.
    pub fn new_name<'a>(&'a self, name: &'a str) -> &'a str {
        let renamed = self.renamed.iter();
        renamed.fold(name, |name, [old, new]| if old.name == name { &new.name } else { name })
    }

    /// Returns the previous name of the object now named `name`.
    pub fn old_name<'a>(&'a self, name: &'a str) -> &'a str {
        let renamed = self.renamed.iter().rev();
        renamed.fold(name, |name, [old, new]| if new.name == name { &old.name } else { name })
    }

    /// Returns the channels whose values differ between two scenes; changes that cancel out are left out.
    pub fn changed_values(&self, before: &Scene, after: &Scene) -> Vec<ChannelRef> {
        let differs = |channel: &ChannelRef| {
            let values = [before, after].map(|scene| channels::value(scene, channel));
            matches!(values, [Some(old), Some(new)] if old != new)
        };
        self.values.iter().filter(differs).collect()
    }
}

/// A scene that is being edited by a command, with the effects so far.
pub struct Edit<'a> {
    pub scene: &'a mut Scene,
    pub effects: Effects,
    /// The original skeletons of changed skinned meshes.
    skeletons: BTreeMap<String, Arc<Skeleton>>,
}

impl<'a> Edit<'a> {
    pub fn new(scene: &'a mut Scene) -> Self {
        Self { scene, effects: Effects::default(), skeletons: BTreeMap::new() }
    }

    /// Returns the effects of the edit.
    pub fn finish(self) -> Effects {
        let mut effects = self.effects;
        if !effects.touched {
            return Effects::default();
        }
        for (mesh, old) in self.skeletons {
            if let Some(new) = self.scene.skinned_meshes.get(&mesh) {
                let changed = channels::changed(&old, &new.skeleton).into_iter();
                effects.values.extend(changed.map(|channel| ChannelRef::new(&mesh, channel)));
                effects.parts.extend(PartEffects::compare(&mesh, &old, &new.skeleton));
            }
        }
        effects
    }

    pub fn record_created(&mut self, kind: Kind, name: &str) {
        self.effects.created.push(ObjectRef::new(kind, name));
        self.effects.touched = true;
    }

    pub fn record_removed(&mut self, kind: Kind, name: &str) {
        self.effects.removed.push(ObjectRef::new(kind, name));
        self.effects.touched = true;
    }

    pub fn record_renamed(&mut self, object: &ObjectRef, name: &str) {
        let renamed = ObjectRef::new(object.kind, name);
        self.effects.renamed.push([object.clone(), renamed]);
        self.effects.touched = true;
    }

    /// Changes an existing skinned mesh. Unchanged data stays shared.
    pub fn change_skinned(&mut self, mesh: &str, change: impl FnOnce(&mut SkinnedMesh)) {
        let changed = change_entry(&mut self.scene.skinned_meshes, mesh, |old, new| {
            change(new);
            keep_shared(&old.surface, &mut new.surface);
            keep_shared(&old.weights, &mut new.weights);
            keep_shared(&old.skeleton, &mut new.skeleton);
        });
        let Some([old, new]) = changed else { return };
        self.effects.touched = true;
        // What is created has no parts before.
        let is_new = self.effects.created.contains(&ObjectRef::new(Kind::SkinnedMesh, mesh));
        if !is_new && !Arc::ptr_eq(&old.skeleton, &new.skeleton) {
            let before = self.skeletons.entry(mesh.to_owned());
            before.or_insert_with(|| old.skeleton.clone());
        }
    }

    /// Changes an existing mesh. Unchanged data stays shared.
    pub fn change_mesh(&mut self, mesh: &str, change: impl FnOnce(&mut Mesh)) {
        let changed = change_entry(&mut self.scene.meshes, mesh, |old, new| {
            change(new);
            keep_shared(&old.surface, &mut new.surface);
            keep_shared(&old.weights, &mut new.weights);
        });
        self.effects.touched |= changed.is_some();
    }

    /// Changes an existing texture.
    pub fn change_texture(&mut self, name: &str, change: impl FnOnce(&mut Texture)) {
        let changed = change_entry(&mut self.scene.textures, name, |_, new| change(new));
        self.effects.touched |= changed.is_some();
    }

    /// Runs `change`, which must only change properties of `object`, and records the differences.
    pub fn change_properties<R>(&mut self, object: &ObjectRef, change: impl FnOnce(&mut Scene) -> R) -> R {
        let values = |scene: &Scene| -> Vec<(&'static property::Info, PropertyValue)> {
            let rows = property::rows(scene, object).into_iter();
            rows.map(|row| (row.info, row.value)).collect()
        };
        let before = values(self.scene);
        let result = change(self.scene);
        for (info, value) in values(self.scene) {
            let old = before.iter().find(|(old, _)| old.id == info.id);
            if old.is_some_and(|(_, old)| *old == value) {
                continue;
            }
            self.effects.touched = true;
            if info.channel.is_some() && old.is_some() {
                self.effects.values.insert(ChannelRef::new(&object.name, info.id));
            }
        }
        result
    }

    /// Changes the animation. Unchanged data stays shared.
    pub fn change_animation(&mut self, change: impl FnOnce(&mut Animation)) {
        let mut new = (*self.scene.animation).clone();
        change(&mut new);
        self.replace_animation(new);
    }

    /// Replaces the animation if it differs. Takes that are cycles stay closed.
    pub fn replace_animation(&mut self, mut new: Animation) {
        let old = Arc::clone(&self.scene.animation);
        new.keep_cycles(&old);
        let keys: ChannelSet = differing_channels(&old, &new).chain(differing_channels(&new, &old)).collect();
        if !keys.is_empty() || *old != new {
            (self.effects.touched, self.effects.animated) = (true, true);
            self.effects.keys.extend(keys.iter());
            self.scene.animation = Arc::new(new);
        }
    }
}

/// Changes an entry of a table. Returns the old and new values if they differ.
fn change_entry<T: Clone + PartialEq>(
    table: &mut Table<T>,
    name: &str,
    change: impl FnOnce(&T, &mut T),
) -> Option<[Arc<T>; 2]> {
    let old = Arc::clone(table.get(name)?);
    let mut new = (*old).clone();
    change(&old, &mut new);
    if *old == new {
        return None;
    }
    let new = Arc::new(new);
    table.insert(name.to_owned(), new.clone());
    Some([old, new])
}

/// Makes `new` share the value of `old` if they are equal.
fn keep_shared<T: PartialEq>(old: &Arc<T>, new: &mut Arc<T>) {
    if !Arc::ptr_eq(old, new) && **old == **new {
        new.clone_from(old);
    }
}

/// Iterates over the channels of `animation` that are missing or have other keys in `other`.
fn differing_channels<'a>(
    animation: &'a Animation,
    other: &'a Animation,
) -> impl Iterator<Item = ChannelRef> + 'a {
    animation.channels.iter().flat_map(|(name, channels)| {
        let others = other.channels.get(name);
        let differing = channels.iter().filter(move |(channel, keys)| {
            let other = others.and_then(|others| others.get(*channel));
            !other.is_some_and(|other| is_same(other, keys))
        });
        differing.map(move |(channel, _)| ChannelRef::new(name, channel))
    })
}
