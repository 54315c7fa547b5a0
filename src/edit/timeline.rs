//! The dope sheet as data: rows of what has keys, and which keys are selected. Time is in frames, places are
//! (row, frame); pixels are the panel's business.

use super::command::effects::Effects;
use super::command::keys::{ChannelKeys, KeyCommand};
use super::keying;
use super::selection::{Part, Selection};
use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::anim::channel_set::ChannelSet;
use crate::anim::mode::Mode;
use crate::scene::names::Kind;
use crate::scene::{Scene, channels};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// What a row shows the keys of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowOf {
    /// All rows together.
    Summary,
    /// All channels of everything of this name. Of a skinned mesh rows of its parts follow.
    Named(String),
    Part {
        mesh: String,
        part: Part,
    },
    /// A channel that drives nothing: its bone or resource is gone.
    Orphan(ChannelRef),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub of: RowOf,
    /// What the user calls it.
    pub label: String,
    /// 0 to 2.
    pub depth: u8,
    /// Those with keys, and of selected things those without.
    pub channels: Vec<ChannelRef>,
    /// Frames of the keys of all its channels, ascending, each once.
    pub keys: Vec<f32>,
    /// How they go on to the next; `None` where its channels differ.
    pub modes: Vec<Option<Mode>>,
    /// Whether nothing that it shows changes from a key to the next.
    pub holds: Vec<bool>,
    /// Whether all its channels with keys are muted as a whole.
    pub muted: bool,
    /// Where it shows one channel with keys, of three numbers: which of them are muted. Not of rows over others.
    pub muted_components: Option<[bool; 3]>,
}

/// Rows: a summary, then a row for each thing that has keys. With `only_selected` (and something selected)
/// only rows of what is selected, which then need no keys. Nothing at all where there would be only the
/// summary. Rows of the parts of skinned meshes in `folded` are left out.
pub fn rows(
    scene: &Scene,
    selection: &Selection,
    only_selected: bool,
    folded: &BTreeSet<String>,
) -> Vec<Row> {
    let chosen: Option<ChannelSet> = (only_selected && !selection.is_empty())
        .then(|| keying::of_selection(scene, selection).into_iter().collect());
    let shown = |channel: &ChannelRef| match &chosen {
        Some(chosen) => chosen.contains(&channel.resource, &channel.channel),
        None => keying::has_keys(scene, channel),
    };
    let mut rows = Vec::new();
    let mut seen = BTreeSet::new();
    for name in names(scene) {
        let known = match scene.skinned_meshes.contains_key(name) {
            true => keying::of_character(scene, name),
            false => keying::of_resource(scene, name),
        };
        let all: Vec<ChannelRef> = known.into_iter().filter(shown).collect();
        if all.is_empty() || !seen.insert(name) {
            continue;
        }
        let parts = parts(scene, name, &all);
        rows.push(row(scene, RowOf::Named(name.to_owned()), name.to_owned(), 1, all));
        if !folded.contains(name) {
            rows.extend(parts.into_iter().map(|(part, label, channels)| {
                let mesh = name.to_owned();
                row(scene, RowOf::Part { mesh, part }, label, 2, channels)
            }));
        }
    }
    if chosen.is_none() {
        rows.extend(orphans(scene));
    }
    if rows.is_empty() {
        return rows;
    }
    let top = rows.iter().filter(|row| row.depth == 1);
    let all = top.flat_map(|row| row.channels.iter().cloned()).collect();
    rows.insert(0, row(scene, RowOf::Summary, "Summary".into(), 0, all));
    rows
}

/// Characters first, then what places them, then the rest in the order of the format.
fn names(scene: &Scene) -> Vec<&str> {
    let mut names = scene.names();
    // Stable: the order of the format within each.
    names.sort_by_key(|(kind, _)| match kind {
        Kind::SkinnedMesh => 0,
        Kind::Transform => 1,
        _ => 2,
    });
    names.into_iter().map(|(_, name)| name).collect()
}

/// The base, bones and handles of a skinned mesh, with their channels among `all`.
fn parts(scene: &Scene, name: &str, all: &[ChannelRef]) -> Vec<(Part, String, Vec<ChannelRef>)> {
    let Some(skinned) = scene.skinned_meshes.get(name) else {
        return Vec::new();
    };
    let skeleton = &skinned.skeleton;
    let bones = (0..skeleton.bones.len()).map(|b| (Part::Bone(b), skeleton.bone_name(b)));
    let handles = skeleton.handle_names().into_iter().enumerate();
    let handles = handles.map(|(handle, name)| (Part::Handle(handle), name));
    let labels = [(Part::Base, "Base".to_owned())]
        .into_iter()
        .chain(bones)
        .chain(handles);
    let all: BTreeSet<&ChannelRef> = all.iter().collect();
    let parts = labels.map(|(part, label)| {
        let mut channels = keying::of_part(name, skeleton, part);
        channels.retain(|channel| all.contains(channel));
        (part, label, channels)
    });
    parts.filter(|(.., channels)| !channels.is_empty()).collect()
}

fn orphans(scene: &Scene) -> Vec<Row> {
    let keys = keying::all_keys(scene).into_iter();
    let orphans = keys.filter(|keys| channels::value(scene, &keys.channel).is_none());
    orphans
        .map(|keys| {
            let channel = keys.channel;
            let what = match SkeletonChannel::parse(&channel.channel) {
                Some(_) => format!("{} of {} (gone)", channel.channel, channel.resource),
                None => format!("{} {} (gone)", channel.resource, channel.channel),
            };
            row(scene, RowOf::Orphan(channel.clone()), what, 1, vec![channel])
        })
        .collect()
}

fn row(scene: &Scene, of: RowOf, label: String, depth: u8, channels: Vec<ChannelRef>) -> Row {
    let found = channels.iter().filter_map(|channel| scene.animation.get(channel));
    let mut keys: Vec<f32> = found.flat_map(|channel| channel.times()).collect();
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let with_keys = channels.iter().filter(|channel| keying::has_keys(scene, channel));
    let with_keys: Vec<ChannelRef> = with_keys.cloned().collect();
    let over_others = match &of {
        RowOf::Summary => true,
        RowOf::Named(name) => scene.skinned_meshes.contains_key(name),
        RowOf::Part { .. } | RowOf::Orphan(_) => false,
    };
    let muted_components = match &with_keys[..] {
        [one] if !over_others && scene.animation.get(one).is_some_and(|c| c.has_components()) => {
            Some(scene.animation.mute(&one.resource, &one.channel).0)
        }
        _ => None,
    };
    let (modes, holds) = stretches(scene, &channels, &keys);
    Row {
        modes,
        holds,
        muted: keying::are_muted(scene, &with_keys),
        muted_components,
        of,
        label,
        depth,
        channels,
        keys,
    }
}

/// How the keys of a row go on to the next, and whether everything stays the same up to there.
fn stretches(scene: &Scene, channels: &[ChannelRef], keys: &[f32]) -> (Vec<Option<Mode>>, Vec<bool>) {
    let mut modes: Vec<Option<Option<Mode>>> = vec![None; keys.len()];
    let mut holds = vec![true; keys.len()];
    let place = |time: f32| keys.binary_search_by(|key| key.total_cmp(&time)).ok();
    for channel in channels.iter().filter_map(|channel| scene.animation.get(channel)) {
        let places: Vec<_> = channel.times().into_iter().filter_map(place).collect();
        for (&at, mode) in places.iter().zip(channel.key_modes()) {
            let mode = if mode == Mode::Auto { Mode::Smooth } else { mode };
            modes[at] = match modes[at] {
                Some(other) if other != Some(mode) => Some(None),
                _ => Some(Some(mode)),
            };
        }
        for (pair, flat) in places.windows(2).zip(channel.flat_stretches()) {
            if !flat {
                holds[pair[0]..pair[1]].fill(false);
            }
        }
    }
    if let Some(last) = holds.last_mut() {
        *last = false;
    }
    (modes.into_iter().map(Option::flatten).collect(), holds)
}

impl Row {
    /// Mutes what it shows, or unmutes it; `component`: that alone, where it can be muted alone.
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

    /// The key nearest to `frame`, if it is not further than `tolerance` frames.
    pub fn key_at(&self, frame: f32, tolerance: f32) -> Option<f32> {
        let after = self.keys.partition_point(|&key| key < frame);
        let near = [after.checked_sub(1), Some(after)].into_iter().flatten();
        let near = near.filter_map(|at| self.keys.get(at).copied());
        near.filter(|key| (key - frame).abs() <= tolerance)
            .min_by(|a, b| (a - frame).abs().total_cmp(&(b - frame).abs()))
    }
}

/// Selected keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<ChannelKeys>", into = "Vec<ChannelKeys>")]
pub struct KeySelection {
    /// Frames in ascending order, never none.
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

    /// Frames of the selected keys of a channel, ascending.
    pub fn frames_of(&self, channel: &ChannelRef) -> &[f32] {
        self.frames.get(channel).map_or(&[], |frames| frames)
    }

    /// Frames of the first and of the last selected key.
    pub fn span(&self) -> Option<[f32; 2]> {
        let firsts = self.frames.values().filter_map(|frames| frames.first());
        let lasts = self.frames.values().filter_map(|frames| frames.last());
        let first = firsts.copied().reduce(f32::min)?;
        Some([first, lasts.copied().reduce(f32::max)?])
    }

    /// For commands.
    pub fn keys(&self) -> Vec<ChannelKeys> {
        let keys = self.frames.iter().map(|(channel, frames)| ChannelKeys {
            channel: channel.clone(),
            frames: frames.clone(),
        });
        keys.collect()
    }

    /// Exactly these.
    pub fn new(keys: impl IntoIterator<Item = ChannelKeys>) -> Self {
        let mut selection = Self::default();
        for ChannelKeys { channel, frames } in keys {
            frames
                .into_iter()
                .for_each(|frame| selection.add(&channel, frame));
        }
        selection
    }

    fn add(&mut self, channel: &ChannelRef, frame: f32) {
        let frames = self.frames.entry(channel.clone()).or_default();
        if let Err(at) = frames.binary_search_by(|f| f.total_cmp(&frame)) {
            frames.insert(at, frame);
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

    /// Whether all keys that the row shows at `frame` are selected; `None`: some are.
    pub fn of_row(&self, scene: &Scene, row: &Row, frame: f32) -> Option<bool> {
        let keys = keying::keys_at(scene, &row.channels, frame);
        let selected = keys.iter().filter(|of| self.contains(&of.channel, frame)).count();
        match selected {
            0 => Some(false),
            all if all == keys.len() => Some(true),
            _ => None,
        }
    }

    /// [`Self::of_row`] for each key of a row in order, in one walk over its channels.
    pub fn states(&self, scene: &Scene, row: &Row) -> Vec<Option<bool>> {
        let mut counts = vec![[0_u32; 2]; row.keys.len()];
        for channel in &row.channels {
            let selected = self.frames_of(channel);
            let times = scene.animation.get(channel).map_or(Vec::new(), |c| c.times());
            for time in times {
                if let Ok(at) = row.keys.binary_search_by(|key| key.total_cmp(&time)) {
                    counts[at][0] += 1;
                    let is_selected = selected.binary_search_by(|f| f.total_cmp(&time)).is_ok();
                    counts[at][1] += u32::from(is_selected);
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

    /// All keys that the row shows at frames where one of it is selected.
    pub fn columns(&self, scene: &Scene, row: &Row) -> Self {
        let states = self.states(scene, row);
        let chosen = row
            .keys
            .iter()
            .zip(states)
            .filter(|(_, state)| *state != Some(false));
        Self::new(chosen.flat_map(|(frame, _)| keying::keys_at(scene, &row.channels, *frame)))
    }

    /// A click on the keys that a row shows at `frame`: they alone are selected; with `extend` (Shift) they
    /// are too, or, if they all are already, no longer.
    pub fn clicked(&self, scene: &Scene, row: &Row, frame: f32, extend: bool) -> Self {
        let keys = keying::keys_at(scene, &row.channels, frame);
        if !extend {
            return Self::new(keys);
        }
        let mut selection = self.clone();
        let off = self.of_row(scene, row, frame) == Some(true);
        for of in &keys {
            match off {
                true => selection.remove(&of.channel, frame),
                false => selection.add(&of.channel, frame),
            }
        }
        selection
    }

    /// A box over rows and frames: the keys in it are selected, with `extend` besides those that were.
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

    /// After commands that made `scene`, with their effects: keys that were moved or put are selected.
    pub fn after(keys: &Arc<Self>, scene: &Scene, effects: &Effects) -> Arc<Self> {
        match effects.placed.is_empty() {
            true => Self::kept_in(keys, scene),
            false => Arc::new(Self::new(effects.placed.iter().cloned())),
        }
    }

    /// Without keys that the scene does not hold.
    pub fn kept_in(keys: &Arc<Self>, scene: &Scene) -> Arc<Self> {
        let is_there = |channel: &ChannelRef, frame: &f32| {
            let found = scene.animation.get(channel);
            found.is_some_and(|channel| channel.key(*frame).is_some())
        };
        let mut all = keys.frames.iter();
        if all.all(|(channel, frames)| frames.iter().all(|frame| is_there(channel, frame))) {
            return Arc::clone(keys);
        }
        let kept = keys
            .keys()
            .into_iter()
            .map(|ChannelKeys { channel, mut frames }| {
                frames.retain(|frame| is_there(&channel, frame));
                ChannelKeys { channel, frames }
            });
        Arc::new(Self::new(kept))
    }
}
