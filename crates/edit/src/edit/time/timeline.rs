//! The dope sheet as data: rows with their keys, and the selection of keys. Time is in frames, and positions
//! are (row, frame); pixels are the panel's concern.

use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::anim::channel_set::ChannelSet;
use crate::anim::layer::base_name;
use crate::anim::mode::Mode;
use crate::edit::command::effects::{Effects, moved_frame};
use crate::edit::command::keys::{ChannelKeys, KeyCommand};
use crate::edit::select::selection::{Part, Selection};
use crate::edit::time::keying;
use crate::scene::names::Kind;
use crate::scene::{Scene, channels};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The subject whose keys a row shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowSubject {
    /// All rows together.
    Summary,
    /// All channels of the objects of this name. For a skinned mesh, rows of its parts follow.
    Named(String),
    Part {
        mesh: String,
        part: Part,
    },
    /// The keys of the weight of a layer, by the layer's id.
    Layer {
        mesh: String,
        layer: u32,
    },
    /// A channel that drives nothing: its bone or resource no longer exists.
    Orphan(ChannelRef),
}

/// A row of the dope sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub subject: RowSubject,
    /// The label that users see.
    pub label: String,
    /// 0 to 2.
    pub depth: u8,
    /// The channels with keys; for selected objects also those without.
    pub channels: Vec<ChannelRef>,
    /// The frames of the keys of all its channels, ascending, without duplicates.
    pub keys: Vec<f32>,
    /// The mode of each key; `None` if its channels differ.
    pub modes: Vec<Option<Mode>>,
    /// Whether all values stay the same from a key to the next.
    pub flat: Vec<bool>,
    /// Whether all its channels with keys are muted entirely.
    pub muted: bool,
    /// The muted components, if the row shows a single channel with keys whose values are three numbers, and
    /// has no rows below it.
    pub muted_components: Option<[bool; 3]>,
}

/// Which rows there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowChoice {
    /// Only rows of the selection, if anything is selected, which then need no keys, and those that are pinned.
    pub only_selected: bool,
    pub pinned: BTreeSet<ChannelRef>,
    /// Only rows whose label contains this text, and those of the parts of such characters.
    pub search: String,
    /// The names of skinned meshes whose parts have no rows.
    pub folded: BTreeSet<String>,
}

impl RowChoice {
    /// Whether a label contains what is searched, in capital letters or not.
    fn finds(&self, label: &str) -> bool {
        label.to_lowercase().contains(&self.search.to_lowercase())
    }
}

/// Returns the rows: a summary, then a row for each object that has keys. Returns no rows if there would only be the summary. Of a
/// character with an active layer, the channels are those of the layer. All its layers whose weights have keys have rows.
pub fn rows(scene: &Scene, selection: &Selection, choice: &RowChoice) -> Vec<Row> {
    let selected: Option<ChannelSet> = (choice.only_selected && !selection.is_empty())
        .then(|| keying::selection_channels(scene, selection).into_iter().collect());
    let shown = |channel: &ChannelRef| match &selected {
        Some(selected) => {
            selected.contains(&channel.resource, base_name(&channel.channel))
                || choice.pinned.contains(channel)
        }
        None => keying::has_keys(scene, channel),
    };
    let mut rows = Vec::new();
    let mut visited = BTreeSet::new();
    for name in names(scene) {
        let known = if scene.skinned_meshes.contains_key(name) {
            keying::character_channels(scene, name)
        } else {
            keying::resource_channels(scene, name)
        };
        let layer = scene.animation.active_layer(name);
        let known = keying::in_active_layers(scene, known);
        let mut all: Vec<ChannelRef> = known.into_iter().filter(shown).collect();
        let mut parts = parts(scene, name, &all);
        let mut weights = weights(scene, name);
        weights.retain(|(.., weight)| !all.is_empty() || shown(&weight[0]));
        all.splice(0..0, weights.iter().flat_map(|(.., weight)| weight.clone()));
        parts.splice(0..0, weights);
        if all.is_empty() || !visited.insert(name) {
            continue;
        }
        let label = layer.map_or_else(|| name.to_owned(), |layer| format!("{name}: {}", layer.name));
        if !choice.finds(&label) {
            parts.retain(|(_, label, _)| choice.finds(label));
            all = parts.iter().flat_map(|(.., channels)| channels.iter().cloned()).collect();
        }
        if all.is_empty() {
            continue;
        }
        rows.push(row(scene, RowSubject::Named(name.to_owned()), label, 1, all));
        if !choice.folded.contains(name) || !choice.search.is_empty() {
            rows.extend(
                parts.into_iter().map(|(subject, label, channels)| row(scene, subject, label, 2, channels)),
            );
        }
    }
    if selected.is_none() {
        rows.extend(orphans(scene).into_iter().filter(|row| choice.finds(&row.label)));
    }
    if rows.is_empty() {
        return rows;
    }
    let top = rows.iter().filter(|row| row.depth == 1);
    let all = top.flat_map(|row| row.channels.iter().cloned()).collect();
    rows.insert(0, row(scene, RowSubject::Summary, "Summary".into(), 0, all));
    rows
}

/// Returns names: characters first, then transforms, then the rest in the order of the format.
fn names(scene: &Scene) -> Vec<&str> {
    let mut names = scene.names();
    // A stable sort: the order of the format within each group.
    names.sort_by_key(|(kind, _)| match kind {
        Kind::SkinnedMesh => 0,
        Kind::Transform => 1,
        _ => 2,
    });
    names.into_iter().map(|(_, name)| name).collect()
}

/// The subject of a row of a character, its label, and its channels.
type Labeled = (RowSubject, String, Vec<ChannelRef>);

/// Returns the layers of a character whose weights have keys, the lowest first.
fn weights(scene: &Scene, name: &str) -> Vec<Labeled> {
    let layers = scene.animation.layers_of(name).into_iter().flat_map(|stack| &stack.list);
    let keyed = layers.filter_map(|layer| {
        let channel = ChannelRef::new(name, layer.weight_channel());
        let subject = RowSubject::Layer { mesh: name.to_owned(), layer: layer.id };
        let label = format!("{} weight", layer.name);
        keying::has_keys(scene, &channel).then(|| (subject, label, vec![channel]))
    });
    keyed.collect()
}

/// Returns the base, bones and handles of a skinned mesh, with their channels among `all`.
fn parts(scene: &Scene, name: &str, all: &[ChannelRef]) -> Vec<Labeled> {
    let Some(skinned) = scene.skinned_meshes.get(name) else {
        return Vec::new();
    };
    let skeleton = &skinned.skeleton;
    let bones = (0..skeleton.bones.len()).map(|b| (Part::Bone(b), skeleton.bone_name(b)));
    let handles = skeleton.handle_names().into_iter().enumerate();
    let handles = handles.map(|(handle, name)| (Part::Handle(handle), name));
    let shapes = (0..skeleton.shapes.len()).map(|shape| (Part::Shape(shape), skeleton.shape_name(shape)));
    let labels = [(Part::Base, "Base".to_owned())].into_iter().chain(bones).chain(handles).chain(shapes);
    let all: BTreeSet<&ChannelRef> = all.iter().collect();
    let parts = labels.map(|(part, label)| {
        let mut channels = keying::in_active_layers(scene, keying::part_channels(name, skeleton, part));
        channels.retain(|channel| all.contains(channel));
        (RowSubject::Part { mesh: name.to_owned(), part }, label, channels)
    });
    parts.filter(|(.., channels)| !channels.is_empty()).collect()
}

fn orphans(scene: &Scene) -> Vec<Row> {
    let keys = keying::all_keys(scene).into_iter();
    let orphans = keys.filter(|keys| channels::value(scene, &keys.channel).is_none());
    orphans
        .map(|keys| {
            let channel = keys.channel;
            let label = match SkeletonChannel::parse(&channel.channel) {
                Some(_) => format!("{} of {} (gone)", channel.channel, channel.resource),
                None => format!("{} {} (gone)", channel.resource, channel.channel),
            };
            row(scene, RowSubject::Orphan(channel.clone()), label, 1, vec![channel])
        })
        .collect()
}

fn row(scene: &Scene, subject: RowSubject, label: String, depth: u8, channels: Vec<ChannelRef>) -> Row {
    let found = channels.iter().filter_map(|channel| scene.animation.get(channel));
    let mut keys: Vec<f32> = found.flat_map(|channel| channel.times()).collect();
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let with_keys = channels.iter().filter(|channel| keying::has_keys(scene, channel));
    let with_keys: Vec<ChannelRef> = with_keys.cloned().collect();
    let has_children = match &subject {
        RowSubject::Summary => true,
        RowSubject::Named(name) => scene.skinned_meshes.contains_key(name),
        RowSubject::Part { .. } | RowSubject::Layer { .. } | RowSubject::Orphan(_) => false,
    };
    let muted_components = match &with_keys[..] {
        [one] if !has_children && scene.animation.get(one).is_some_and(|c| c.has_components()) => {
            Some(scene.animation.mute(&one.resource, &one.channel).0)
        }
        _ => None,
    };
    let (modes, flat) = segments(scene, &channels, &keys);
    Row {
        modes,
        flat,
        muted: keying::are_muted(scene, &with_keys),
        muted_components,
        subject,
        label,
        depth,
        channels,
        keys,
    }
}

/// Returns the modes of the keys of a row, and whether everything stays the same until the next key.
fn segments(scene: &Scene, channels: &[ChannelRef], keys: &[f32]) -> (Vec<Option<Mode>>, Vec<bool>) {
    let mut modes: Vec<Option<Option<Mode>>> = vec![None; keys.len()];
    let mut flat = vec![true; keys.len()];
    let index = |time: f32| keys.binary_search_by(|key| key.total_cmp(&time)).ok();
    for channel in channels.iter().filter_map(|channel| scene.animation.get(channel)) {
        let indices: Vec<_> = channel.times().into_iter().filter_map(index).collect();
        for (&index, mode) in indices.iter().zip(channel.key_modes()) {
            let mode = if mode == Mode::Auto { Mode::Smooth } else { mode };
            modes[index] = match modes[index] {
                Some(other) if other != Some(mode) => Some(None),
                _ => Some(Some(mode)),
            };
        }
        for (pair, is_flat) in indices.windows(2).zip(channel.flat_segments()) {
            if !is_flat {
                flat[pair[0]..pair[1]].fill(false);
            }
        }
    }
    if let Some(last) = flat.last_mut() {
        *last = false;
    }
    (modes.into_iter().map(Option::flatten).collect(), flat)
}

impl Row {
    /// Returns the command that mutes or unmutes the row; with `component`, only that component if it can be
    /// muted separately.
    pub fn toggled_mute(&self, scene: &Scene, component: Option<usize>) -> KeyCommand {
        let mut channels = self.channels.clone();
        channels.retain(|channel| keying::has_keys(scene, channel));
        match (component, self.muted_components) {
            (Some(one), Some(muted)) => KeyCommand::Mute {
                channels,
                components: std::array::from_fn(|i| i == one),
                muted: !muted[one],
            },
            _ => keying::toggled_mute(scene, channels),
        }
    }

    /// Returns the key nearest to `frame`, if it is at most `tolerance` frames away.
    pub fn key_at(&self, frame: f32, tolerance: f32) -> Option<f32> {
        let after = self.keys.partition_point(|&key| key < frame);
        let nearest = [after.checked_sub(1), Some(after)].into_iter().flatten();
        let nearest = nearest.filter_map(|index| self.keys.get(index).copied());
        nearest
            .filter(|key| (key - frame).abs() <= tolerance)
            .min_by(|a, b| (a - frame).abs().total_cmp(&(b - frame).abs()))
    }
}

/// The selection of keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<ChannelKeys>", into = "Vec<ChannelKeys>")]
pub struct KeySelection {
    /// The frames of each channel in ascending order, never empty.
    frames: BTreeMap<ChannelRef, Vec<f32>>,
}

impl From<Vec<ChannelKeys>> for KeySelection {
    fn from(keys: Vec<ChannelKeys>) -> Self {
        Self::new(keys)
    }
}

impl From<KeySelection> for Vec<ChannelKeys> {
    fn from(selection: KeySelection) -> Self {
        selection.keys()
    }
}

impl KeySelection {
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub fn count(&self) -> usize {
        self.frames.values().map(Vec::len).sum()
    }

    pub fn contains(&self, channel: &ChannelRef, frame: f32) -> bool {
        let frames = self.frames.get(channel);
        frames.is_some_and(|frames| frames.binary_search_by(|f| f.total_cmp(&frame)).is_ok())
    }

    /// Returns the frames of the selected keys of a channel, ascending.
    pub fn frames_of(&self, channel: &ChannelRef) -> &[f32] {
        self.frames.get(channel).map_or(&[], |frames| frames)
    }

    /// Returns the frames of the first and the last selected key.
    pub fn span(&self) -> Option<[f32; 2]> {
        let firsts = self.frames.values().filter_map(|frames| frames.first());
        let lasts = self.frames.values().filter_map(|frames| frames.last());
        let first = firsts.copied().reduce(f32::min)?;
        Some([first, lasts.copied().reduce(f32::max)?])
    }

    /// Returns the selected keys as arguments for commands.
    pub fn keys(&self) -> Vec<ChannelKeys> {
        let keys = self
            .frames
            .iter()
            .map(|(channel, frames)| ChannelKeys { channel: channel.clone(), frames: frames.clone() });
        keys.collect()
    }

    /// Returns the selection without the keys of some channels; `None` if it has none of them.
    pub fn without(&self, is_left_out: impl Fn(&ChannelRef) -> bool) -> Option<Self> {
        self.frames.keys().any(&is_left_out).then(|| {
            let frames = self.frames.iter().filter(|(channel, _)| !is_left_out(channel));
            Self { frames: frames.map(|(channel, frames)| (channel.clone(), frames.clone())).collect() }
        })
    }

    /// Selects exactly these keys.
    pub fn new(keys: impl IntoIterator<Item = ChannelKeys>) -> Self {
        let mut selection = Self::default();
        for ChannelKeys { channel, frames } in keys {
            frames.into_iter().for_each(|frame| selection.add(&channel, frame));
        }
        selection
    }

    fn add(&mut self, channel: &ChannelRef, frame: f32) {
        let frames = self.frames.entry(channel.clone()).or_default();
        if let Err(index) = frames.binary_search_by(|f| f.total_cmp(&frame)) {
            frames.insert(index, frame);
        }
    }

    fn remove(&mut self, channel: &ChannelRef, frame: f32) {
        if let Some(frames) = self.frames.get_mut(channel) {
            frames.retain(|f| *f != frame);
            if frames.is_empty() {
                self.frames.remove(channel);
            }
        }
    }

    /// Whether all keys that the row shows at `frame` are selected; `None` if only some are.
    pub fn row_state(&self, scene: &Scene, row: &Row, frame: f32) -> Option<bool> {
        let keys = keying::keys_at(scene, &row.channels, frame);
        let selected = keys.iter().filter(|keys| self.contains(&keys.channel, frame)).count();
        match selected {
            0 => Some(false),
            all if all == keys.len() => Some(true),
            _ => None,
        }
    }

    /// Returns [`Self::row_state`] for each key of a row in order, in a single pass over its channels.
    pub fn states(&self, scene: &Scene, row: &Row) -> Vec<Option<bool>> {
        let mut counts = vec![[0_u32; 2]; row.keys.len()];
        for channel in &row.channels {
            let selected = self.frames_of(channel);
            let times = scene.animation.get(channel).map_or(Vec::new(), |c| c.times());
            for time in times {
                if let Ok(index) = row.keys.binary_search_by(|key| key.total_cmp(&time)) {
                    counts[index][0] += 1;
                    let is_selected = selected.binary_search_by(|f| f.total_cmp(&time)).is_ok();
                    counts[index][1] += u32::from(is_selected);
                }
            }
        }
        let state = |[all, selected]: [u32; 2]| match selected {
            0 => Some(false),
            some if some == all => Some(true),
            _ => None,
        };
        counts.into_iter().map(state).collect()
    }

    /// Returns all keys that the row shows at frames where one of them is selected.
    pub fn columns(&self, scene: &Scene, row: &Row) -> Self {
        let states = self.states(scene, row);
        let selected = row.keys.iter().zip(states).filter(|(_, state)| *state != Some(false));
        Self::new(selected.flat_map(|(frame, _)| keying::keys_at(scene, &row.channels, *frame)))
    }

    /// Returns the selection after a click on the keys that a row shows at `frame`: see [`Self::toggled`].
    pub fn clicked(&self, scene: &Scene, row: &Row, frame: f32, extend: bool) -> Self {
        self.toggled(keying::keys_at(scene, &row.channels, frame), extend)
    }

    /// Returns the selection after a click on something that shows `keys`: only these keys; with `extend` (Shift), they are
    /// added, or removed if all of them are selected already.
    pub fn toggled(&self, keys: Vec<ChannelKeys>, extend: bool) -> Self {
        if !extend {
            return Self::new(keys);
        }
        let mut selection = self.clone();
        let all = keys.iter().flat_map(|keys| keys.frames.iter().map(move |frame| (&keys.channel, *frame)));
        let deselect = all.clone().all(|(channel, frame)| self.contains(channel, frame));
        all.for_each(
            |(channel, frame)| {
                if deselect { selection.remove(channel, frame) } else { selection.add(channel, frame) }
            },
        );
        selection
    }

    /// Returns the selection of these keys, with `extend` in addition to the selected ones.
    pub fn combined(&self, keys: impl IntoIterator<Item = ChannelKeys>, extend: bool) -> Self {
        let selected = if extend { self.keys() } else { Vec::new() };
        Self::new(selected.into_iter().chain(keys))
    }

    /// Returns the selection after a box selection over rows and frames: the keys inside, and with `extend`
    /// also the old ones.
    pub fn boxed(&self, scene: &Scene, rows: &[Row], frames: RangeInclusive<f32>, extend: bool) -> Self {
        let mut selection = if extend { self.clone() } else { Self::default() };
        for channel in rows.iter().flat_map(|row| &row.channels) {
            let times = scene.animation.get(channel).map_or(Vec::new(), |c| c.times());
            for frame in times.into_iter().filter(|time| frames.contains(time)) {
                selection.add(channel, frame);
            }
        }
        selection
    }

    /// Returns the selection after commands that made `scene`, with their effects: keys that were moved or
    /// inserted. Keys that went along with their frames stay selected.
    pub fn after(keys: &Arc<Self>, scene: &Scene, effects: &Effects) -> Arc<Self> {
        if !effects.placed.is_empty() {
            return Arc::new(Self::new(effects.placed.iter().cloned()));
        }
        let moved = &effects.moved_frames;
        if moved.is_empty() || keys.is_empty() {
            return Self::existing_in(keys, scene);
        }
        let moved = keys.keys().into_iter().map(|ChannelKeys { channel, frames }| ChannelKeys {
            channel,
            frames: frames.into_iter().filter_map(|frame| moved_frame(moved, frame)).collect(),
        });
        Self::existing_in(&Arc::new(Self::new(moved)), scene)
    }

    /// Returns the selection without keys that are missing in the scene.
    pub fn existing_in(keys: &Arc<Self>, scene: &Scene) -> Arc<Self> {
        let exists = |channel: &ChannelRef, frame: &f32| {
            let found = scene.animation.get(channel);
            found.is_some_and(|channel| channel.key(*frame).is_some())
        };
        let mut all = keys.frames.iter();
        if all.all(|(channel, frames)| frames.iter().all(|frame| exists(channel, frame))) {
            return Arc::clone(keys);
        }
        let existing = keys.keys().into_iter().map(|ChannelKeys { channel, mut frames }| {
            frames.retain(|frame| exists(&channel, frame));
            ChannelKeys { channel, frames }
        });
        Arc::new(Self::new(existing))
    }
}
