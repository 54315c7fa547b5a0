//! The curves of the visible rows: which there are, and how they are shown. Rebuilt only when the rows, the keys, the selection
//! or the switches change.

use super::samples::{COMPONENTS, Columns, Drawn, Samples};
use super::value::{Heights, Normal, ValueScale};
use crate::anim::channel::{Channel, ChannelRef};
use crate::edit::select::selection::Selection;
use crate::edit::settings::view::View;
use crate::edit::time::key_values;
use crate::edit::time::timeline::{KeySelection, RowSubject};
use crate::editor::panels::timeline::lines::{Line, Lines, channel_text};
use crate::editor::panels::timeline::time::Scale;
use crate::editor::ui::digits::display_number;
use crate::scene::Scene;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The names of components.
const NAMES: [&str; COMPONENTS] = ["x", "y", "z", "w"];

/// The greatest number of curves that are drawn in all detail.
pub const FEW: usize = 40;
/// The greatest number of columns of more curves than that, together.
const MOST_COLUMNS: f32 = 16_000.0;

/// A component of a key, as it is drawn on its curve.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyDot {
    pub channel: ChannelRef,
    pub frame: f32,
    pub component: usize,
}

/// The components of a row that are hidden.
pub type Hidden = BTreeMap<RowSubject, [bool; 4]>;

/// A component of a channel with keys.
pub struct Curve {
    /// The index of its row.
    pub line: usize,
    /// The number of curves above it, in the order of the rows.
    place: usize,
    pub channel: ChannelRef,
    pub component: usize,
    /// Whether its values have one number, so that it has no axis.
    pub is_single: bool,
    pub unit: &'static str,
    are_speeds: bool,
    /// Whether it belongs to the active part, or no part is active.
    pub is_active: bool,
    pub is_muted: bool,
    /// Whether it cannot be clicked.
    pub is_locked: bool,
    pub normal: Normal,
}

impl Curve {
    /// Returns the name: "thigh.L x", "thigh.L translation x".
    pub fn name(&self, line: &Line) -> String {
        let mut name = line.name.clone();
        let property = channel_text(&self.channel.channel);
        if property != "pose" && !matches!(line.row.subject, RowSubject::Layer { .. }) {
            name += &format!(" {property}");
        }
        if !self.is_single {
            name += &format!(" {}", NAMES[self.component]);
        }
        name
    }

    /// Returns a value, or a speed, with its unit.
    pub fn text(&self, value: f32) -> String {
        let per = if self.are_speeds { " per frame" } else { "" };
        format!("{}{}{per}", display_number(f64::from(value), 2), self.unit)
    }

    pub fn dot(&self, frame: f32) -> KeyDot {
        KeyDot { channel: self.channel.clone(), frame, component: self.component }
    }

    pub fn has(&self, dot: &KeyDot) -> bool {
        self.component == dot.component && self.channel == dot.channel
    }
}

/// Samples by channel.
#[derive(Default)]
pub struct SampleCache(BTreeMap<ChannelRef, Samples>);

impl SampleCache {
    /// Returns the samples of a channel, which are made anew if it is another one than before.
    pub fn update(&mut self, name: &ChannelRef, channel: &Arc<Channel>, are_speeds: bool) -> &mut Samples {
        let new = || Samples::new(Arc::clone(channel), are_speeds);
        let is_current = self.0.get(name).is_some_and(|samples| samples.is_from(channel, are_speeds));
        if !is_current {
            self.0.insert(name.clone(), new());
        }
        self.0.entry(name.clone()).or_insert_with(new)
    }

    pub fn get(&self, name: &ChannelRef) -> Option<&Samples> {
        self.0.get(name)
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// What the list of curves was made from.
struct Inputs {
    scene: Scene,
    selection: Selection,
    rows: usize,
    hidden: Hidden,
    heights: Heights,
}

#[derive(Default)]
pub struct Curves {
    inputs: Option<Inputs>,
    list: Vec<Curve>,
    samples: SampleCache,
}

impl Curves {
    /// The curves, those of the active part last.
    pub fn all(&self) -> &[Curve] {
        &self.list
    }

    /// The curves with their samples, in the same order.
    pub fn sampled(&self) -> impl DoubleEndedIterator<Item = (&Curve, &Samples)> {
        self.list.iter().filter_map(|curve| Some((curve, self.samples.get(&curve.channel)?)))
    }

    /// Returns the curve of a key.
    pub fn find(&self, dot: &KeyDot) -> Option<&Curve> {
        self.list.iter().find(|curve| curve.has(dot))
    }

    /// The curves that can be clicked, with their samples, in the same order.
    pub fn free(&self) -> impl DoubleEndedIterator<Item = (&Curve, &Samples)> {
        self.sampled().filter(|(curve, _)| !curve.is_locked)
    }

    pub fn samples(&self, curve: &Curve) -> Option<&Samples> {
        self.samples.get(&curve.channel)
    }

    /// Updates the list and the samples of the visible frames. During a drag, curves keep the ranges in which they are shown.
    pub fn update(
        &mut self,
        view: &View,
        lines: &Lines,
        (hidden, locked): (&Hidden, &BTreeSet<ChannelRef>),
        heights: Heights,
        scale: &Scale,
    ) {
        let (scene, selection) = (view.session.scene(), view.session.selection());
        let is_current = self.inputs.as_ref().is_some_and(|inputs| {
            inputs.scene.is_shared(scene)
                && inputs.selection == *selection
                && inputs.rows == lines.build_count()
                && inputs.hidden == *hidden
                && inputs.heights == heights
        });
        if !is_current {
            let are_normals_kept = view.session.in_transaction()
                && self.inputs.as_ref().is_some_and(|inputs| inputs.heights == heights);
            let old: BTreeMap<(ChannelRef, usize), Normal> = match are_normals_kept {
                true => self.list.iter().map(|c| ((c.channel.clone(), c.component), c.normal)).collect(),
                false => BTreeMap::new(),
            };
            self.list = self.build(scene, selection, lines.all(), (hidden, heights == Heights::Speeds));
            let count = self.list.len();
            for curve in &mut self.list {
                let old = old.get(&(curve.channel.clone(), curve.component));
                let samples = self.samples.0.get_mut(&curve.channel);
                let range = || samples.map_or([0.0; 2], |samples| samples.extremes(curve.component));
                curve.normal = old.copied().unwrap_or_else(|| match heights {
                    Heights::Values | Heights::Speeds => Normal::NONE,
                    Heights::Normalized => Normal::from_range(range()),
                    Heights::Stacked => Normal::in_band(range(), count - 1 - curve.place),
                });
            }
            self.inputs = Some(Inputs {
                scene: scene.clone(),
                selection: selection.clone(),
                rows: lines.build_count(),
                hidden: hidden.clone(),
                heights,
            });
        }
        self.list.iter_mut().for_each(|curve| curve.is_locked = locked.contains(&curve.channel));
        for index in 0..self.list.len() {
            let shown = self.columns(&self.list[index], scale);
            if let Some(samples) = self.samples.0.get_mut(&self.list[index].channel) {
                samples.sample(shown);
            }
        }
    }

    /// Returns the columns in which a curve is drawn: wider ones than a point if there are many curves, unless it is one of a few
    /// of the active part.
    pub fn columns(&self, curve: &Curve, scale: &Scale) -> Columns {
        let [left, right] = scale.edges();
        // Those of the active part are the last.
        let active = self.list.iter().rev().take(FEW + 1).take_while(|curve| curve.is_active).count();
        let is_detailed = curve.is_active && active <= FEW;
        let wide = (self.list.len() as f32 * (right - left) / MOST_COLUMNS).ceil().max(1.0) as u32;
        Columns { scale: *scale, width: if is_detailed { 1 } else { wide } }
    }

    /// Whether there is time for dashes.
    pub fn are_few(&self) -> bool {
        self.list.len() <= FEW
    }

    /// Updates the lines of the visible curves, if there are few with the repeated cycle whose ends are given.
    pub fn update_lines(&mut self, values: &ValueScale, cycle: Option<[f32; 2]>) {
        let cycle = cycle.filter(|_| self.are_few());
        for curve in &self.list {
            if let Some(samples) = self.samples.0.get_mut(&curve.channel) {
                samples.update_line(curve.component, Drawn { normal: curve.normal, values: *values, cycle });
            }
        }
    }

    /// Returns the curves of the channels with keys. A channel belongs to the last of its rows, the most special one.
    fn build(
        &mut self,
        scene: &Scene,
        selection: &Selection,
        lines: &[Line],
        (hidden, are_speeds): (&Hidden, bool),
    ) -> Vec<Curve> {
        let mut owners: BTreeMap<&ChannelRef, usize> = BTreeMap::new();
        for (index, line) in lines.iter().enumerate() {
            owners.extend(line.row.channels.iter().map(|channel| (channel, index)));
        }
        let is_hidden = |subject: &RowSubject, component: usize| {
            hidden.get(subject).is_some_and(|hidden| hidden[component])
        };
        let is_active = |line: &Line| match (&line.row.subject, &selection.mesh) {
            (RowSubject::Part { mesh, part }, Some(active)) => {
                mesh == active && selection.part == Some(*part)
            }
            _ => false,
        };
        let is_any_active = lines.iter().any(is_active);
        let mut list = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            for channel in line.row.channels.iter().filter(|channel| owners.get(channel) == Some(&index)) {
                let Some(found) = scene.animation.get(channel) else { continue };
                let components = self.samples.update(channel, found, are_speeds).components;
                let mute = scene.animation.mute(&channel.resource, &channel.channel);
                let shown = (0..components).filter(|&component| {
                    !is_hidden(&RowSubject::Summary, component) && !is_hidden(&line.row.subject, component)
                });
                list.extend(shown.map(|component| Curve {
                    line: index,
                    place: 0,
                    channel: channel.clone(),
                    component,
                    is_single: components == 1,
                    unit: key_values::unit(scene, channel),
                    are_speeds,
                    is_active: !is_any_active || is_active(line),
                    is_muted: mute.is_whole() || mute.0.get(component) == Some(&true),
                    is_locked: false,
                    normal: Normal::NONE,
                }));
            }
        }
        list.iter_mut().enumerate().for_each(|(place, curve)| curve.place = place);
        list.sort_by_key(|curve| curve.is_active);
        list
    }

    /// The curves with the numbers of their bands, from the bottom, and the ranges of their values.
    pub fn bands(&mut self) -> impl Iterator<Item = (&Curve, usize, [f32; 2])> {
        let Self { list, samples, .. } = self;
        let count = list.len();
        list.iter().filter_map(move |curve| {
            let range = samples.0.get_mut(&curve.channel)?.extremes(curve.component);
            Some((curve, count - 1 - curve.place, range))
        })
    }

    /// Returns the range of the shown values of all curves; `None` if there is none.
    pub fn shown_range(&mut self) -> Option<[f32; 2]> {
        let ranges: Vec<[f32; 2]> = self
            .list
            .iter()
            .filter_map(|curve| {
                let samples = self.samples.0.get_mut(&curve.channel)?;
                Some(samples.extremes(curve.component).map(|value| curve.normal.shown(value)))
            })
            .collect();
        united(ranges)
    }

    /// Returns the range of the shown values of the curves with selected keys, from the first of these to the last; `None` if
    /// there is none.
    pub fn selected_range(&self, keys: &KeySelection) -> Option<[f32; 2]> {
        let ranges = self.sampled().filter_map(|(curve, samples)| {
            let frames = keys.frames_of(&curve.channel);
            let span = [*frames.first()?, *frames.last()?];
            Some(samples.range(curve.component, span).map(|value| curve.normal.shown(value)))
        });
        united(ranges)
    }
}

fn united(ranges: impl IntoIterator<Item = [f32; 2]>) -> Option<[f32; 2]> {
    let finite = ranges.into_iter().filter(|range| range.iter().all(|value| value.is_finite()));
    finite.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_united_without_what_is_not_finite() {
        assert_eq!(united([[0.0, 1.0], [f32::INFINITY, 1.0], [-2.0, 0.5]]), Some([-2.0, 1.0]));
        assert_eq!(united([]), None);
    }
}
