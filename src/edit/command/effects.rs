//! What commands did, written down while they do it: what they created, removed and renamed, where bones and
//! handles went, which values and keys they touched. Selection, auto-key, messages and history read it; nobody
//! compares scenes to find out.

use super::channel_keys::ChannelKeys;
use crate::anim::channel::{Animation, ChannelRef};
use crate::anim::channel_set::ChannelSet;
use crate::rig::skeleton::{Part, Skeleton, twins_apart};
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::property::{self, PropertyValue};
use crate::scene::resource::{Mesh, Texture};
use crate::scene::skinned::SkinnedMesh;
use crate::scene::{Scene, Table, channels, is_same};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// What one command or several did. The default: nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// Resources and instances.
    pub created: Vec<ObjectRef>,
    pub removed: Vec<ObjectRef>,
    /// What each was called, and what it is called now.
    pub renamed: Vec<[ObjectRef; 2]>,
    /// Skinned meshes with other bones and handles, or others at their places.
    pub parts: Vec<PartEffects>,
    /// Channels of things that were there before whose stored values were touched.
    pub values: ChannelSet,
    /// Channels whose keys were touched.
    pub keys: ChannelSet,
    /// Where the keys are now that were moved or put by hand.
    pub placed: Vec<ChannelKeys>,
    /// Whether the animation was touched: keys, or the frames that are played.
    animated: bool,
    /// Whether anything was touched at all, of the above or beside it.
    touched: bool,
}

/// What became of the bones and handles of a skinned mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartEffects {
    pub mesh: String,
    /// Bones without links, else handles, that were not there before; the last first.
    pub created: Vec<Part>,
    successors: HashMap<Part, Part>,
}

impl PartEffects {
    /// What stands for a part that was there before: itself; for a bone that is gone its nearest ancestor left, for a
    /// handle its bone.
    pub fn successor(&self, part: Part) -> Option<Part> {
        match part {
            Part::Base => Some(part),
            Part::Pole(handle) => match self.successors.get(&Part::Handle(handle))? {
                Part::Handle(handle) => Some(Part::Pole(*handle)),
                other => Some(*other),
            },
            _ => self.successors.get(&part).copied(),
        }
    }

    /// `None` where all bones and handles are at their places. They are told apart by their channel ids.
    fn between(mesh: &str, old: &Skeleton, new: &Skeleton) -> Option<Self> {
        if ids(old).eq(ids(new)) {
            return None;
        }
        let (before, after) = (parts_by_id(old), parts_by_id(new));
        let mut successors = HashMap::new();
        let now: HashMap<_, Part> = after.iter().copied().collect();
        // Parents come before their children.
        for (id, part) in &before {
            let owner = match *part {
                Part::Bone(bone) => old.bones[bone].parent,
                Part::Handle(handle) => Some(old.handles[handle].bone),
                Part::Pole(_) | Part::Base => None,
            };
            let owner = owner.and_then(|bone| successors.get(&Part::Bone(bone as usize)).copied());
            if let Some(successor) = now.get(id).copied().or(owner) {
                successors.insert(*part, successor);
            }
        }
        let known: HashSet<_> = before.iter().map(|(id, _)| *id).collect();
        let is_new = |(id, part): &(_, Part)| match *part {
            Part::Bone(bone) => !known.contains(id) && !new.bones[bone].link,
            _ => !known.contains(id),
        };
        let mut created: Vec<Part> = after
            .into_iter()
            .rev()
            .filter(is_new)
            .map(|(_, part)| part)
            .collect();
        let is_bone = |part: &Part| matches!(part, Part::Bone(_));
        if created.iter().any(is_bone) {
            created.retain(is_bone);
        }
        Some(Self {
            mesh: mesh.to_owned(),
            created,
            successors,
        })
    }
}

/// The channel ids of bones, then of handles, in order.
fn ids(skeleton: &Skeleton) -> impl Iterator<Item = (bool, u32)> {
    let bones = skeleton.bones.iter().map(|bone| (false, bone.channel_id));
    bones.chain(skeleton.handles.iter().map(|handle| (true, handle.channel_id)))
}

/// Bones, then handles, by their ids.
fn parts_by_id(skeleton: &Skeleton) -> Vec<((bool, u32, u32), Part)> {
    let bones = twins_apart(skeleton.bones.iter().map(|bone| bone.channel_id));
    let handles = twins_apart(skeleton.handles.iter().map(|handle| handle.channel_id));
    let bones = bones.into_iter().enumerate();
    let bones = bones.map(|(bone, (id, twin))| ((false, id, twin), Part::Bone(bone)));
    let handles = handles.into_iter().enumerate();
    let handles = handles.map(|(handle, (id, twin))| ((true, id, twin), Part::Handle(handle)));
    bones.chain(handles).collect()
}

impl Effects {
    /// The effects of something that touched these values alone.
    pub fn of_values(values: impl IntoIterator<Item = ChannelRef>) -> Self {
        Self {
            values: values.into_iter().collect(),
            touched: true,
            ..Self::default()
        }
    }

    /// Whether it shows at some frames more than at others: values that could have keys, or the animation.
    pub fn are_of_a_frame(&self) -> bool {
        self.animated || !self.values.is_empty() || !self.keys.is_empty()
    }

    /// Nothing was touched: what was set had its value already.
    pub fn is_empty(&self) -> bool {
        !self.touched
    }

    /// Those of a command that followed.
    pub fn extend(&mut self, next: Effects) {
        self.created.extend(next.created);
        self.removed.extend(next.removed);
        self.renamed.extend(next.renamed);
        self.parts.extend(next.parts);
        self.values.extend(next.values.iter());
        self.keys.extend(next.keys.iter());
        self.placed.extend(next.placed);
        self.animated |= next.animated;
        self.touched |= next.touched;
    }

    /// What something called `name` before is called now.
    pub fn new_name<'a>(&'a self, name: &'a str) -> &'a str {
        let renamed = self.renamed.iter();
        renamed.fold(
            name,
            |name, [old, new]| if old.name == name { &new.name } else { name },
        )
    }

    /// What something called `name` now was called before.
    pub fn old_name<'a>(&'a self, name: &'a str) -> &'a str {
        let renamed = self.renamed.iter().rev();
        renamed.fold(
            name,
            |name, [old, new]| if new.name == name { &old.name } else { name },
        )
    }

    /// The touched values that differ: there and back is no change.
    pub fn changed_values(&self, before: &Scene, after: &Scene) -> Vec<ChannelRef> {
        let differs = |channel: &ChannelRef| {
            let values = [before, after].map(|scene| channels::value(scene, channel));
            matches!(values, [Some(old), Some(new)] if old != new)
        };
        self.values.iter().filter(differs).collect()
    }
}

/// A scene that a command changes, and what it did to it so far.
pub struct Edit<'a> {
    pub scene: &'a mut Scene,
    pub effects: Effects,
    /// The skeletons of changed skinned meshes, as they were before.
    skeletons: BTreeMap<String, Arc<Skeleton>>,
}

impl<'a> Edit<'a> {
    pub fn new(scene: &'a mut Scene) -> Self {
        Self {
            scene,
            effects: Effects::default(),
            skeletons: BTreeMap::new(),
        }
    }

    /// What was done.
    pub fn finish(self) -> Effects {
        let mut effects = self.effects;
        if !effects.touched {
            return Effects::default();
        }
        for (mesh, old) in self.skeletons {
            if let Some(new) = self.scene.skinned_meshes.get(&mesh) {
                let changed = channels::changed(&old, &new.skeleton).into_iter();
                effects
                    .values
                    .extend(changed.map(|channel| ChannelRef::new(&mesh, channel)));
                effects
                    .parts
                    .extend(PartEffects::between(&mesh, &old, &new.skeleton));
            }
        }
        effects
    }

    pub fn created(&mut self, kind: Kind, name: &str) {
        self.effects.created.push(ObjectRef::new(kind, name));
        self.effects.touched = true;
    }

    pub fn removed(&mut self, kind: Kind, name: &str) {
        self.effects.removed.push(ObjectRef::new(kind, name));
        self.effects.touched = true;
    }

    pub fn renamed(&mut self, thing: &ObjectRef, name: &str) {
        let now = ObjectRef::new(thing.kind, name);
        self.effects.renamed.push([thing.clone(), now]);
        self.effects.touched = true;
    }

    /// Changes a skinned mesh that is there. What is equal stays shared.
    pub fn change_skinned(&mut self, mesh: &str, change: impl FnOnce(&mut SkinnedMesh)) {
        let changed = changed(&mut self.scene.skinned_meshes, mesh, |old, new| {
            change(new);
            keep_shared(&old.surface, &mut new.surface);
            keep_shared(&old.weights, &mut new.weights);
            keep_shared(&old.skeleton, &mut new.skeleton);
        });
        let Some([old, new]) = changed else { return };
        self.effects.touched = true;
        if !Arc::ptr_eq(&old.skeleton, &new.skeleton) {
            let before = self.skeletons.entry(mesh.to_owned());
            before.or_insert_with(|| old.skeleton.clone());
        }
    }

    /// Changes a mesh that is there. What is equal stays shared.
    pub fn change_mesh(&mut self, mesh: &str, change: impl FnOnce(&mut Mesh)) {
        let changed = changed(&mut self.scene.meshes, mesh, |old, new| {
            change(new);
            keep_shared(&old.surface, &mut new.surface);
            keep_shared(&old.weights, &mut new.weights);
        });
        self.effects.touched |= changed.is_some();
    }

    /// Changes a texture that is there.
    pub fn change_texture(&mut self, name: &str, change: impl FnOnce(&mut Texture)) {
        let changed = changed(&mut self.scene.textures, name, |_, new| change(new));
        self.effects.touched |= changed.is_some();
    }

    /// Changes properties of a thing with `change`, which does nothing to others.
    pub fn change_properties<R>(&mut self, thing: &ObjectRef, change: impl FnOnce(&mut Scene) -> R) -> R {
        let values = |scene: &Scene| -> Vec<(&'static property::Info, PropertyValue)> {
            let rows = property::rows(scene, thing).into_iter();
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
            if info.keyable && old.is_some() {
                self.effects.values.insert(ChannelRef::new(&thing.name, info.id));
            }
        }
        result
    }

    /// Changes the animation with `change`. What is equal stays shared.
    pub fn change_animation(&mut self, change: impl FnOnce(&mut Animation)) {
        let mut new = (*self.scene.animation).clone();
        change(&mut new);
        self.put_animation(new);
    }

    /// Puts an animation in place if it differs.
    pub fn put_animation(&mut self, new: Animation) {
        let old = Arc::clone(&self.scene.animation);
        let keys: ChannelSet = keys_apart(&old, &new).chain(keys_apart(&new, &old)).collect();
        if !keys.is_empty() || *old != new {
            (self.effects.touched, self.effects.animated) = (true, true);
            self.effects.keys.extend(keys.iter());
            self.scene.animation = Arc::new(new);
        }
    }
}

/// Puts what `change` makes of a thing in its place. What was there and what is there now, if they differ.
fn changed<T: Clone + PartialEq>(
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

/// `new` becomes what it was where it is equal.
fn keep_shared<T: PartialEq>(old: &Arc<T>, new: &mut Arc<T>) {
    if !Arc::ptr_eq(old, new) && **old == **new {
        new.clone_from(old);
    }
}

/// Channels of `one` that `other` has not, or with other keys.
fn keys_apart<'a>(one: &'a Animation, other: &'a Animation) -> impl Iterator<Item = ChannelRef> + 'a {
    one.channels.iter().flat_map(|(name, channels)| {
        let others = other.channels.get(name);
        let apart = channels.iter().filter(move |(channel, keys)| {
            let same = others.and_then(|others| others.get(*channel));
            !same.is_some_and(|same| is_same(same, keys))
        });
        apart.map(move |(channel, _)| ChannelRef::new(name, channel))
    })
}
