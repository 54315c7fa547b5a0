//! Animations of a file: the nodes at any time.

use super::super::schema::{Animation, AnimationSampler, Document, Index, Interpolation, Path};
use super::nodes::{Nodes, trs};
use super::source::{Source, short};
use crate::io::count::counted;
use crate::io::file::ReadError;
use crate::io::gltf::write::FRAME_PARTS;
use crate::io::report::{Report, Severity};
use glam::{DAffine3, DQuat, DVec3};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What drives a property of a node.
struct Track {
    /// Ascending, in seconds.
    times: Arc<[f32]>,
    /// As many numbers as a value has for each time, or thrice as many with tangents.
    values: Vec<f32>,
    interpolation: Interpolation,
}

/// By node and property.
type Tracks = BTreeMap<usize, BTreeMap<Path, Track>>;

/// An animation.
pub struct Motion {
    pub name: String,
    tracks: Tracks,
    /// Seconds.
    pub first: f64,
    pub last: f64,
}

/// Rates that are tried, in frames per second.
const RATES: [f32; 7] = [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 120.0];
/// The rate where keys fall on the frames of none.
const ANY_RATE: f32 = 30.0;
/// A key is at a frame if it is as near as this, in frames.
const AT_FRAME: f64 = 0.01;

/// All animations that move a node.
pub fn motions(source: &Source, nodes: &Nodes, report: &mut Report) -> Result<Vec<Motion>, ReadError> {
    let mut motions = Vec::new();
    let mut reader = Reader {
        source,
        times: HashMap::new(),
        weights: 0,
        others: 0,
    };
    for (index, animation) in source.document.animations.iter().enumerate() {
        let at = format!("/animations/{index}");
        report_samplers(&source.document, animation, &at, report);
        let mut tracks = reader.tracks(animation, &at, report)?;
        tracks.retain(|node, _| nodes.shown[*node]);
        let times = || {
            tracks
                .values()
                .flat_map(BTreeMap::values)
                .map(|track| &track.times)
        };
        let first = times()
            .filter_map(|times| times.first())
            .copied()
            .reduce(f32::min);
        let last = times().filter_map(|times| times.last()).copied().reduce(f32::max);
        let (Some(first), Some(last)) = (first, last) else {
            let text = "the animation moves nothing that is shown; it is left out";
            report.add(Severity::Note, "empty-animation", at, text);
            continue;
        };
        let name = animation.name.as_deref().map(str::trim);
        let name = name.filter(|name| !name.is_empty());
        motions.push(Motion {
            name: name.map_or_else(|| format!("Animation {}", index + 1), short),
            tracks,
            first: f64::from(first),
            last: f64::from(last),
        });
    }
    reader.report(report);
    Ok(motions)
}

/// Reads the channels of animations.
struct Reader<'a> {
    source: &'a Source<'a>,
    /// Key times by accessor; `None` for those that do not ascend from 0.
    times: HashMap<Index, Option<Arc<[f32]>>>,
    /// Channels that are left out: of morph targets, and of an extension or of no node.
    weights: usize,
    others: usize,
}

impl Reader<'_> {
    fn tracks(&mut self, animation: &Animation, at: &str, report: &mut Report) -> Result<Tracks, ReadError> {
        let mut tracks = Tracks::new();
        let (mut bad, mut unnormal) = (0, 0);
        for channel in &animation.channels {
            let path = channel.target.path;
            let (node, width) = match (path, channel.target.node) {
                (Path::Translation | Path::Scale, Some(node)) => (node, 3),
                (Path::Rotation, Some(node)) => (node, 4),
                (Path::Weights, _) => {
                    self.weights += 1;
                    continue;
                }
                (Path::Other, _) | (_, None) => {
                    self.others += 1;
                    continue;
                }
            };
            let &AnimationSampler {
                input,
                interpolation,
                output,
            } = &animation.samplers[channel.sampler];
            let times = self.key_times(input)?;
            let values = self.source.finite(output)?;
            let is_cubic = interpolation == Interpolation::CubicSpline;
            if path == Path::Rotation && !is_cubic {
                unnormal += values.chunks_exact(width).filter(|turn| !is_unit(turn)).count();
            }
            let each = if is_cubic { 3 * width } else { width };
            let Some(times) = times.filter(|times| values.len() == each * times.len()) else {
                bad += 1;
                continue;
            };
            let track = Track {
                times,
                values,
                interpolation,
            };
            tracks.entry(node).or_default().insert(path, track);
        }
        if unnormal > 0 {
            let text = format!("{unnormal} rotations are not of length 1; they are made so");
            report.add(Severity::Warning, "forbidden-value", at, text);
        }
        if bad > 0 {
            let text = format!(
                "{bad} channels are left out: their times do not ascend from 0, or their values are not as many"
            );
            report.add(Severity::Warning, "bad-channels", at, text);
        }
        Ok(tracks)
    }

    fn key_times(&mut self, accessor: Index) -> Result<Option<Arc<[f32]>>, ReadError> {
        if let Some(times) = self.times.get(&accessor) {
            return Ok(times.clone());
        }
        let read = self.source.floats(accessor)?;
        let sound = read.iter().all(|time| time.is_finite() && *time >= 0.0)
            && read.windows(2).all(|pair| pair[0] < pair[1]);
        let read = sound.then(|| Arc::from(read));
        self.times.insert(accessor, read.clone());
        Ok(read)
    }

    /// Says what is left out of all animations.
    fn report(&self, report: &mut Report) {
        let mut left_out = |code, count, one, many| {
            if count > 0 {
                let text = format!("{} left out", counted(count, one, many));
                report.add(Severity::Warning, code, "/animations", text);
            }
        };
        left_out(
            "morph-targets",
            self.weights,
            "channel of morph targets is",
            "channels of morph targets are",
        );
        left_out(
            "left-out",
            self.others,
            "channel of an extension, or of no node, is",
            "channels of extensions, or of no node, are",
        );
    }
}

fn is_unit(turn: &[f32]) -> bool {
    (turn.iter().map(|part| part * part).sum::<f32>().sqrt() - 1.0).abs() < 1e-2
}

/// Reports what samplers lack that the specification asks for, and that does not keep them from being read.
fn report_samplers(document: &Document, animation: &Animation, at: &str, report: &mut Report) {
    let input = |sampler: &AnimationSampler| &document.accessors[sampler.input];
    let count = |lacks: &dyn Fn(&AnimationSampler) -> bool| {
        animation.samplers.iter().filter(|sampler| lacks(sampler)).count()
    };
    let unbounded = count(&|sampler| input(sampler).min.is_empty() || input(sampler).max.is_empty());
    if unbounded > 0 {
        let text =
            format!("{unbounded} lists of key times do not state their first and last time; they are read");
        report.add(Severity::Note, "no-time-bounds", at, text);
    }
    let single =
        count(&|sampler| sampler.interpolation == Interpolation::CubicSpline && input(sampler).count < 2);
    if single > 0 {
        let text = format!("{single} cubic curves have one key, where two are the least; they stand still");
        report.add(Severity::Note, "single-cubic-key", at, text);
    }
}

/// The least rate at which all keys are at frames, counted from the first of each animation; else that at which they are
/// at frames and where our own export divides frames.
pub fn rate(motions: &[Motion]) -> f32 {
    let all_at = |rate: f64| {
        motions.iter().all(|motion| {
            let at_frame = |time: &f32| {
                let frame = (f64::from(*time) - motion.first) * rate;
                // Times have as many digits as f32 has.
                let digits = f64::from(*time) * 1e-6 * rate;
                (frame - frame.round()).abs() <= AT_FRAME + digits
            };
            let mut tracks = motion.tracks.values().flat_map(BTreeMap::values);
            tracks.all(|track| track.times.iter().all(at_frame))
        })
    };
    let mut parts = [1.0, FRAME_PARTS as f64].into_iter();
    let found = parts.find_map(|parts| RATES.into_iter().find(|rate| all_at(f64::from(*rate) * parts)));
    found.unwrap_or(ANY_RATE)
}

impl Motion {
    /// How many frames there are behind the first.
    pub fn frames(&self, rate: f32) -> u64 {
        ((self.last - self.first) * f64::from(rate) - AT_FRAME)
            .ceil()
            .max(0.0) as u64
    }

    /// Nodes that something drives.
    pub fn driven(&self) -> impl Iterator<Item = usize> + '_ {
        self.tracks.keys().copied()
    }

    /// Whether a property of a node changes.
    pub fn changes(&self, node: usize, path: Path) -> bool {
        let track = self.tracks.get(&node).and_then(|tracks| tracks.get(&path));
        let width = if path == Path::Rotation { 4 } else { 3 };
        track.is_some_and(|track| {
            let differs = |values: &[f32]| {
                values
                    .iter()
                    .zip(&track.values)
                    .any(|(a, b)| (a - b).abs() > 1e-5 * b.abs().max(1e-2))
            };
            match track.interpolation {
                Interpolation::CubicSpline => true,
                _ => track.values.chunks_exact(width).any(differs),
            }
        })
    }

    /// `parent_from_node` of all nodes at a frame, counted from the first.
    pub fn pose(&self, nodes: &Nodes, frame: u64, rate: f32, local: &mut Vec<DAffine3>) {
        local.clone_from(&nodes.local);
        let near = AT_FRAME / f64::from(rate);
        let time = (self.first + frame as f64 / f64::from(rate)).min(self.last);
        for (&node, tracks) in &self.tracks {
            let (scale, rotation, translation) = self.trs_at(nodes, node, tracks, time, near);
            local[node] = DAffine3::from_scale_rotation_translation(scale, rotation, translation);
        }
    }

    fn trs_at(
        &self,
        nodes: &Nodes,
        node: usize,
        tracks: &BTreeMap<Path, Track>,
        time: f64,
        near: f64,
    ) -> (DVec3, DQuat, DVec3) {
        let (mut scale, mut rotation, mut translation) = trs(&nodes.of[node]);
        for (path, track) in tracks {
            match path {
                Path::Rotation => {
                    let value = DQuat::from_array(track.at::<4>(time, near, true));
                    rotation = match value.length_squared() > 0.0 {
                        true => value.normalize(),
                        false => DQuat::IDENTITY,
                    };
                }
                Path::Translation => translation = DVec3::from_array(track.at::<3>(time, near, false)),
                _ => scale = DVec3::from_array(track.at::<3>(time, near, false)),
            }
        }
        (scale, rotation, translation)
    }
}

impl Track {
    /// The value at a time; keys nearer than `near` are met.
    fn at<const N: usize>(&self, time: f64, near: f64, turns: bool) -> [f64; N] {
        let cubic = self.interpolation == Interpolation::CubicSpline;
        let number = |key: usize, part: usize| -> [f64; N] {
            let first = if cubic { (3 * key + part) * N } else { key * N };
            std::array::from_fn(|i| f64::from(self.values[first + i]))
        };
        let value = |key: usize| number(key, 1);
        let next = self.times.partition_point(|key| f64::from(*key) <= time + near);
        let Some(key) = next.checked_sub(1) else {
            return value(0);
        };
        let from = f64::from(self.times[key]);
        if next == self.times.len()
            || (time - from).abs() <= near
            || self.interpolation == Interpolation::Step
        {
            return value(key);
        }
        let width = f64::from(self.times[next]) - from;
        let u = (time - from) / width;
        let (a, b) = (value(key), value(next));
        if cubic {
            let (leave, arrive) = (number(key, 2), number(next, 0));
            let (u2, u3) = (u * u, u * u * u);
            return std::array::from_fn(|i| {
                (2.0 * u3 - 3.0 * u2 + 1.0) * a[i]
                    + width * (u3 - 2.0 * u2 + u) * leave[i]
                    + (3.0 * u2 - 2.0 * u3) * b[i]
                    + width * (u3 - u2) * arrive[i]
            });
        }
        if turns && N == 4 {
            let quat = |of: &[f64; N]| DQuat::from_xyzw(of[0], of[1], of[2], of[3]);
            let between = slerp(quat(&a), quat(&b), u).to_array();
            return std::array::from_fn(|i| between[i]);
        }
        std::array::from_fn(|i| a[i] + (b[i] - a[i]) * u)
    }
}

/// Along the shorter way.
fn slerp(a: DQuat, b: DQuat, u: f64) -> DQuat {
    match a.length_squared() > 0.0 && b.length_squared() > 0.0 {
        true => a.normalize().slerp(b.normalize(), u),
        false => a,
    }
}
