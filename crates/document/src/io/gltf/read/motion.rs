//! Animations of a file: the transforms of nodes at any time.

use super::super::schema::{Animation, AnimationSampler, Document, Index, Interpolation, Path};
use super::nodes::{Nodes, trs};
use super::shapes::ShapeSource;
use super::shorten;
use super::source::Source;
use crate::anim::take::Take;
use crate::extra::Extra;
use crate::io::count::counted;
use crate::io::file::ReadError;
use crate::io::gltf::FRAME_SUBDIVISIONS;
use crate::io::report::{Report, Severity};
use glam::{DAffine3, DQuat, DVec3};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A curve that drives a property of a node.
struct Track {
    /// The key times, ascending, in seconds.
    times: Arc<[f32]>,
    /// The components of a value for each time; three values with tangents.
    values: Vec<f32>,
    interpolation: Interpolation,
}

/// Tracks by node and property.
type Tracks = BTreeMap<usize, BTreeMap<Path, Track>>;

/// The weights of the morph targets of a node.
struct WeightTrack {
    track: Track,
    /// The number of targets: that of values for each time.
    width: usize,
}

/// An animation.
pub struct Motion {
    pub name: String,
    tracks: Tracks,
    weights: BTreeMap<usize, WeightTrack>,
    /// The first and last time, in seconds.
    pub first: f64,
    pub last: f64,
    /// What the file says of it besides (extras).
    pub extra: Extra,
}

/// The frame rates that are tried, in frames per second.
const RATES: [f32; 7] = [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 120.0];
/// The frame rate if keys are at the frames of none.
const DEFAULT_RATE: f32 = 30.0;
/// The maximum distance of a key from a frame, in frames.
const FRAME_TOLERANCE: f64 = 0.01;

/// Returns all animations that move a node.
pub fn motions(source: &Source, nodes: &Nodes, report: &mut Report) -> Result<Vec<Motion>, ReadError> {
    let mut motions = Vec::new();
    let mut reader = Reader { source, times: HashMap::new(), others: 0, repeated: 0 };
    for (index, animation) in source.document.animations.iter().enumerate() {
        let pointer = format!("/animations/{index}");
        report_samplers(&source.document, animation, &pointer, report);
        let (mut tracks, mut weights) = reader.tracks(animation, nodes, &pointer, report)?;
        tracks.retain(|node, _| nodes.shown[*node]);
        weights.retain(|node, _| nodes.shown[*node]);
        let times = || all_times(&tracks, &weights);
        let first = times().filter_map(|times| times.first()).copied().reduce(f32::min);
        let last = times().filter_map(|times| times.last()).copied().reduce(f32::max);
        let (Some(first), Some(last)) = (first, last) else {
            let text = "the animation moves nothing that is shown; it is left out";
            report.add(Severity::Note, "empty-animation", pointer, text);
            continue;
        };
        let name = animation.name.as_deref().map(str::trim);
        let name = name.filter(|name| !name.is_empty());
        motions.push(Motion {
            name: name.map_or_else(|| format!("Animation {}", index + 1), shorten),
            tracks,
            weights,
            first: f64::from(first),
            last: f64::from(last),
            extra: extra(animation.extras.as_ref()),
        });
    }
    reader.report(report);
    let starts = motions.iter().map(|motion| motion.first).filter(|first| *first > 0.0);
    let (count, latest) = starts.fold((0, 0.0_f64), |(count, latest), first| (count + 1, latest.max(first)));
    if count > 0 {
        let text = format!(
            "{} after 0 seconds (up to {latest:.3}); the take begins with the first key",
            counted(count, "animation begins", "animations begin")
        );
        report.add(Severity::Note, "late-start", "/animations", text);
    }
    Ok(motions)
}

/// Iterates over the key times of all tracks.
fn all_times<'a>(
    tracks: &'a Tracks,
    weights: &'a BTreeMap<usize, WeightTrack>,
) -> impl Iterator<Item = &'a Arc<[f32]>> {
    let weights = weights.values().map(|weights| &weights.track);
    tracks.values().flat_map(BTreeMap::values).chain(weights).map(|track| &track.times)
}

/// Key times that ascend: of equal ones, the last counts.
#[derive(Clone)]
struct KeyTimes {
    times: Arc<[f32]>,
    /// The number of keys in the file, and the indices of those that count if these are not all.
    count: usize,
    chosen: Option<Arc<[usize]>>,
}

impl KeyTimes {
    fn new(times: &[f32]) -> Self {
        let is_last = |index: &usize| times.get(index + 1).is_none_or(|next| *next > times[*index]);
        let chosen: Vec<usize> = (0..times.len()).filter(is_last).collect();
        Self {
            times: chosen.iter().map(|index| times[*index]).collect(),
            count: times.len(),
            chosen: (chosen.len() < times.len()).then(|| chosen.into()),
        }
    }

    /// Returns the values of the keys that count, `width` each.
    fn chosen(&self, values: Vec<f32>, width: usize) -> Vec<f32> {
        match &self.chosen {
            None => values,
            Some(chosen) => {
                chosen.iter().flat_map(|key| values[key * width..(key + 1) * width].iter().copied()).collect()
            }
        }
    }
}

struct Reader<'a> {
    source: &'a Source<'a>,
    /// Key times by accessor, and which of them count; `None` for those that do not ascend from 0.
    times: HashMap<Index, Option<KeyTimes>>,
    /// The number of omitted channels: of extensions or without a node.
    others: usize,
    /// The number of channels whose property another channel of the animation drives as well.
    repeated: usize,
}

impl Reader<'_> {
    fn tracks(
        &mut self,
        animation: &Animation,
        nodes: &Nodes,
        pointer: &str,
        report: &mut Report,
    ) -> Result<(Tracks, BTreeMap<usize, WeightTrack>), ReadError> {
        let (mut tracks, mut weights) = (Tracks::new(), BTreeMap::new());
        let target_count = |node: usize| {
            let mesh = nodes.all[node].mesh.map(|mesh| &self.source.document.meshes[mesh]);
            mesh.and_then(|mesh| mesh.primitives.iter().map(|part| part.targets.len()).max()).unwrap_or(0)
        };
        let (mut bad_count, mut unnormalised) = (0, 0);
        for channel in &animation.channels {
            let path = channel.target.path;
            let (node, width) = match (path, channel.target.node) {
                (Path::Translation | Path::Scale, Some(node)) => (node, 3),
                (Path::Rotation, Some(node)) => (node, 4),
                (Path::Weights, Some(node)) => (node, target_count(node)),
                (Path::Other, _) | (_, None) => {
                    self.others += 1;
                    continue;
                }
            };
            let &AnimationSampler { input, interpolation, output } = &animation.samplers[channel.sampler];
            let times = self.key_times(input)?;
            let values = self.source.finite(output)?;
            let is_cubic = interpolation == Interpolation::CubicSpline;
            if path == Path::Rotation && !is_cubic {
                unnormalised += values.chunks_exact(width).filter(|rotation| !is_unit(rotation)).count();
            }
            let value_count = if is_cubic { 3 * width } else { width };
            let Some(keys) = times.filter(|keys| values.len() == value_count * keys.count) else {
                bad_count += 1;
                continue;
            };
            let (times, values) = (keys.times.clone(), keys.chosen(values, value_count));
            let track = Track { times, values, interpolation };
            if path == Path::Weights {
                if width > 0 {
                    self.repeated +=
                        usize::from(weights.insert(node, WeightTrack { track, width }).is_some());
                }
                continue;
            }
            self.repeated += usize::from(tracks.entry(node).or_default().insert(path, track).is_some());
        }
        if unnormalised > 0 {
            let text = format!(
                "{} of another length than 1, and normalised now",
                counted(unnormalised, "rotation is", "rotations are")
            );
            report.add(Severity::Warning, "forbidden-value", pointer, text);
        }
        if bad_count > 0 {
            let text = format!(
                "{} left out: times do not ascend from 0, or the number of values does not match",
                counted(bad_count, "channel is", "channels are")
            );
            report.add(Severity::Warning, "bad-channels", pointer, text);
        }
        Ok((tracks, weights))
    }

    fn key_times(&mut self, accessor: Index) -> Result<Option<KeyTimes>, ReadError> {
        if let Some(times) = self.times.get(&accessor) {
            return Ok(times.clone());
        }
        let times = self.source.floats(accessor)?;
        let is_valid = times.iter().all(|time| time.is_finite() && *time >= 0.0)
            && times.windows(2).all(|pair| pair[0] <= pair[1]);
        let times = is_valid.then(|| KeyTimes::new(&times));
        self.times.insert(accessor, times.clone());
        Ok(times)
    }

    /// Reports what is left out of all animations.
    fn report(&self, report: &mut Report) {
        let mut report_omitted = |code, count, singular, plural| {
            if count > 0 {
                let text = format!("{} left out", counted(count, singular, plural));
                report.add(Severity::Warning, code, "/animations", text);
            }
        };
        report_omitted(
            "left-out",
            self.others,
            "channel of an extension, or of no node, is",
            "channels of extensions, or of no node, are",
        );
        report_omitted(
            "repeated-channels",
            self.repeated,
            "channel whose property a later one of its animation drives too is",
            "channels whose properties later ones of their animations drive too are",
        );
    }
}

fn is_unit(rotation: &[f32]) -> bool {
    (rotation.iter().map(|component| component * component).sum::<f32>().sqrt() - 1.0).abs() < 1e-2
}

/// Reports violations of the specification by samplers that can still be read.
fn report_samplers(document: &Document, animation: &Animation, pointer: &str, report: &mut Report) {
    let input = |sampler: &AnimationSampler| &document.accessors[sampler.input];
    let count = |condition: &dyn Fn(&AnimationSampler) -> bool| {
        animation.samplers.iter().filter(|sampler| condition(sampler)).count()
    };
    let unbounded = count(&|sampler| input(sampler).min.is_empty() || input(sampler).max.is_empty());
    if unbounded > 0 {
        let text =
            format!("{unbounded} lists of key times do not state their first and last time; they are read");
        report.add(Severity::Note, "no-time-bounds", pointer, text);
    }
    let single =
        count(&|sampler| sampler.interpolation == Interpolation::CubicSpline && input(sampler).count < 2);
    if single > 0 {
        let text = format!("{single} cubic curves have one key, where two are the least; they stand still");
        report.add(Severity::Note, "single-cubic-key", pointer, text);
    }
}

/// Returns the lowest frame rate at which all keys are at frames, counted from the first key of each
/// animation; otherwise the lowest at which they are at subdivisions of frames, as in our own exports.
pub fn frame_rate(motions: &[Motion]) -> f32 {
    let fits = |rate: f32| {
        motions.iter().all(|motion| {
            let at_frame = |time: &f32| motion.frame(*time, rate).fract() == 0.0;
            all_times(&motion.tracks, &motion.weights).all(|times| times.iter().all(at_frame))
        })
    };
    let mut subdivisions = [1.0, FRAME_SUBDIVISIONS as f32].into_iter();
    let found =
        subdivisions.find_map(|subdivisions| RATES.into_iter().find(|rate| fits(rate * subdivisions)));
    found.unwrap_or(DEFAULT_RATE)
}

/// Returns the extras of an animation as members of a take.
fn extra(extras: Option<&Value>) -> Extra {
    let members = extras.and_then(Value::as_object).into_iter().flatten();
    let members = members.filter(|(name, _)| !Take::MEMBERS.contains(&&***name));
    Extra(members.map(|(name, value)| (name.clone(), value.clone().into())).collect())
}

impl Motion {
    /// Returns the number of frames after the first.
    pub fn frames(&self, rate: f32) -> u64 {
        ((self.last - self.first) * f64::from(rate) - FRAME_TOLERANCE).ceil().max(0.0) as u64
    }

    /// Whether weights of morph targets are animated.
    pub fn has_weights(&self) -> bool {
        !self.weights.is_empty()
    }

    /// Returns the nodes that are animated.
    pub fn driven(&self) -> impl Iterator<Item = usize> + '_ {
        self.tracks.keys().copied()
    }

    /// Returns the frames between whole ones at which properties with few keys have one, ascending and counted from the
    /// first. Cubics with less than two frames between their keys are sampled there twice more, which tells their
    /// tangents.
    pub fn frames_between(&self, rate: f32) -> Vec<f64> {
        let are_few = |track: &&Track| {
            let span = track.times.last().zip(track.times.first()).map_or(0.0, |(last, first)| last - first);
            2.0 * track.times.len() as f32 <= span * rate + 4.0
        };
        let weights = self.weights.values().map(|weights| &weights.track);
        let tracks = self.tracks.values().flat_map(BTreeMap::values).chain(weights);
        let mut frames = Vec::new();
        for track in tracks.filter(are_few) {
            let keys: Vec<f64> = track.times.iter().map(|time| self.frame(*time, rate)).collect();
            let is_cubic = track.interpolation == Interpolation::CubicSpline;
            let narrow = keys.windows(2).filter(|pair| is_cubic && pair[1].ceil() - pair[0].floor() < 3.0);
            let thirds =
                narrow.flat_map(|pair| [1.0, 2.0].map(|third| pair[0] + (pair[1] - pair[0]) * third / 3.0));
            frames.extend(keys.iter().copied().chain(thirds).filter(|frame| frame.fract() != 0.0));
        }
        frames.sort_by(f64::total_cmp);
        frames.dedup_by(|later, frame| *later - *frame <= FRAME_TOLERANCE);
        frames
    }

    /// Returns the frame of a time, counted from the first: a whole one where the difference is rounding.
    fn frame(&self, time: f32, rate: f32) -> f64 {
        let frame = (f64::from(time) - self.first) * f64::from(rate);
        // Times have the precision of f32.
        let rounding = f64::from(time) * 1e-6 * f64::from(rate);
        let is_whole = (frame - frame.round()).abs() <= FRAME_TOLERANCE + rounding;
        if is_whole { frame.round().max(0.0) } else { frame }
    }

    /// Returns the weight of a morph target of a node at a frame, counted from the first; `None` if it is not animated.
    pub fn shape_weight(&self, source: ShapeSource, frame: f64, rate: f32) -> Option<f32> {
        let WeightTrack { track, width } = self.weights.get(&source.node)?;
        let tolerance = FRAME_TOLERANCE / f64::from(rate);
        let time = (self.first + frame / f64::from(rate)).min(self.last);
        let value = || track.component_at(time, tolerance, source.target, *width);
        (source.target < *width).then(value).map(|weight| weight as f32)
    }

    /// Whether a property of a node changes.
    pub fn changes(&self, node: usize, path: Path) -> bool {
        let track = self.tracks.get(&node).and_then(|tracks| tracks.get(&path));
        let width = if path == Path::Rotation { 4 } else { 3 };
        track.is_some_and(|track| {
            let differs = |values: &[f32]| {
                values.iter().zip(&track.values).any(|(a, b)| (a - b).abs() > 1e-5 * b.abs().max(1e-2))
            };
            match track.interpolation {
                Interpolation::CubicSpline => true,
                _ => track.values.chunks_exact(width).any(differs),
            }
        })
    }

    /// Returns the frames of the keys of a property of a node, ascending and counted from the first; nothing if it is not
    /// animated.
    pub fn key_frames(&self, node: usize, path: Path, rate: f32) -> impl Iterator<Item = f64> {
        let track = match path {
            Path::Weights => self.weights.get(&node).map(|weights| &weights.track),
            _ => self.tracks.get(&node).and_then(|tracks| tracks.get(&path)),
        };
        track.into_iter().flat_map(move |track| track.times.iter().map(move |time| self.frame(*time, rate)))
    }

    /// Computes `parent_from_node` of all nodes at a frame, counted from the first.
    pub fn pose(&self, nodes: &Nodes, frame: f64, rate: f32, local: &mut Vec<DAffine3>) {
        local.clone_from(&nodes.local);
        let tolerance = FRAME_TOLERANCE / f64::from(rate);
        let time = (self.first + frame / f64::from(rate)).min(self.last);
        for (&node, tracks) in &self.tracks {
            let (scale, rotation, translation) = self.trs_at(nodes, node, tracks, time, tolerance);
            local[node] = DAffine3::from_scale_rotation_translation(scale, rotation, translation);
        }
    }

    fn trs_at(
        &self,
        nodes: &Nodes,
        node: usize,
        tracks: &BTreeMap<Path, Track>,
        time: f64,
        tolerance: f64,
    ) -> (DVec3, DQuat, DVec3) {
        let (mut scale, mut rotation, mut translation) = trs(&nodes.all[node]);
        for (path, track) in tracks {
            match path {
                Path::Rotation => {
                    let value = DQuat::from_array(track.value_at::<4>(time, tolerance, true));
                    rotation = if value.length_squared() > 0.0 { value.normalize() } else { DQuat::IDENTITY };
                }
                Path::Translation => {
                    translation = DVec3::from_array(track.value_at::<3>(time, tolerance, false))
                }
                _ => scale = DVec3::from_array(track.value_at::<3>(time, tolerance, false)),
            }
        }
        (scale, rotation, translation)
    }
}

impl Track {
    /// Returns the value at a time; at times within `tolerance` of a key, the value of that key.
    fn value_at<const N: usize>(&self, time: f64, tolerance: f64, is_rotation: bool) -> [f64; N] {
        self.components_at(time, tolerance, is_rotation, (0, N))
    }

    /// Returns a number of values that have `width`.
    fn component_at(&self, time: f64, tolerance: f64, component: usize, width: usize) -> f64 {
        let [value] = self.components_at(time, tolerance, false, (component, width));
        value
    }

    /// Returns N numbers, from the one with an index on, of the values with `width` numbers.
    fn components_at<const N: usize>(
        &self,
        time: f64,
        tolerance: f64,
        is_rotation: bool,
        (from, width): (usize, usize),
    ) -> [f64; N] {
        let cubic = self.interpolation == Interpolation::CubicSpline;
        let number = |key: usize, part: usize| -> [f64; N] {
            let first = if cubic { (3 * key + part) * width } else { key * width };
            std::array::from_fn(|i| f64::from(self.values[first + from + i]))
        };
        let value = |key: usize| number(key, 1);
        let next = self.times.partition_point(|key| f64::from(*key) <= time + tolerance);
        let Some(key) = next.checked_sub(1) else {
            return value(0);
        };
        let start = f64::from(self.times[key]);
        if next == self.times.len()
            || (time - start).abs() <= tolerance
            || self.interpolation == Interpolation::Step
        {
            return value(key);
        }
        let duration = f64::from(self.times[next]) - start;
        let u = (time - start) / duration;
        let (a, b) = (value(key), value(next));
        if cubic {
            let (leave, arrive) = (number(key, 2), number(next, 0));
            let (u2, u3) = (u * u, u * u * u);
            return std::array::from_fn(|i| {
                (2.0 * u3 - 3.0 * u2 + 1.0) * a[i]
                    + duration * (u3 - 2.0 * u2 + u) * leave[i]
                    + (3.0 * u2 - 2.0 * u3) * b[i]
                    + duration * (u3 - u2) * arrive[i]
            });
        }
        if is_rotation && N == 4 {
            let quat = |components: &[f64; N]| {
                DQuat::from_xyzw(components[0], components[1], components[2], components[3])
            };
            let interpolated = slerp(quat(&a), quat(&b), u).to_array();
            return std::array::from_fn(|i| interpolated[i]);
        }
        std::array::from_fn(|i| a[i] + (b[i] - a[i]) * u)
    }
}

/// Interpolates along the shorter arc.
fn slerp(a: DQuat, b: DQuat, u: f64) -> DQuat {
    if a.length_squared() > 0.0 && b.length_squared() > 0.0 {
        a.normalize().slerp(b.normalize(), u)
    } else {
        a
    }
}
