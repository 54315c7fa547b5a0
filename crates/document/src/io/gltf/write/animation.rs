//! Writes takes as animations: the tracks that get channels, the range of a take, its keys. Curves that glTF can hold are
//! written as they are (`exact`), all others by samples.

use super::super::schema::{
    Animation, AnimationSampler, Channel, Index, Interpolation as SamplerInterpolation, Path, Target,
};
use super::binary::Binary;
use super::error::ExportError;
use super::exact::{self, ExactCurve};
use super::keys;
use super::motion::{Samples, TICKS, Track};
use super::takes::Take;
use super::tracks::TRACK_SHARE;
use crate::io::export::Interpolation;
use glam::{DVec4, Vec3, Vec4};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Smaller differences, relative to a track's tolerance, are no motion.
const MOTION_THRESHOLD: f64 = 1e-3 / TRACK_SHARE;
/// Poses differ if a track differs by more than this many tolerances.
const POSE_THRESHOLD: f64 = 1.0 / TRACK_SHARE;

/// Returns the animations of `takes`, none if nothing moves and no value differs from its node; and the number of cubic curves
/// that need their tangents. `rate` is in frames per second.
///
/// # Errors
/// [`ExportError::NotFinite`], [`ExportError::Cancelled`].
pub fn animations(
    binary: &mut Binary,
    samples: &mut Samples,
    tracks: &[Track],
    takes: &[Take],
    rate: f64,
    interpolation: Interpolation,
) -> Result<(Vec<Animation>, usize), ExportError> {
    let mut ranges: Vec<[i64; 2]> = Vec::new();
    let (mut moves, mut changes): (Vec<Vec<bool>>, _) = (Vec::new(), vec![false; tracks.len()]);
    for take in takes {
        let [first, last] = take.range.map(|frame| i64::from(frame) * TICKS);
        samples.prepare((first..=last + TICKS).step_by(TICKS as usize / 2))?;
        let is_loop = is_loop(samples, tracks, [first, last]);
        let range = [first, if is_loop { last + TICKS } else { last }];
        check(samples, tracks, take)?;
        let moving = moving_tracks(samples, tracks, range);
        for (track, changes) in changes.iter_mut().enumerate() {
            let Track { tolerance, rest, .. } = &tracks[track];
            let difference = tracks[track].distance(samples.get(first, track), *rest);
            *changes |= moving[track] || difference > MOTION_THRESHOLD * tolerance;
        }
        ranges.push(range);
        moves.push(moving);
        samples.limit(tracks.len());
    }
    let channels: Vec<usize> = (0..tracks.len()).filter(|&track| changes[track]).collect();
    if channels.is_empty() {
        return Ok(Default::default());
    }
    // A character that does not move needs no seconds of animation.
    let is_pose = !moves.iter().flatten().any(|moves| *moves) && takes.iter().all(|take| take.is_implied);
    let mut writer =
        Writer { binary, samples, tracks, ticks_per_second: TICKS as f64 * rate, interpolation, bent: 0 };
    let mut animations = Vec::new();
    for ((take, range), moves) in takes.iter().zip(ranges).zip(&moves) {
        let (name, range) = if is_pose { ("Pose", [range[0]; 2]) } else { (&*take.name, range) };
        let animation = writer.animation(name, range, &channels, moves)?;
        let extras = take.extra.0.iter().map(|(name, value)| (name.clone(), json!(value)));
        let extras = Some(Value::Object(extras.collect())).filter(|_| !take.extra.0.is_empty());
        animations.push(Animation { extras, ..animation });
        writer.samples.limit(tracks.len());
    }
    Ok((animations, writer.bent))
}

/// Returns whether each track moves.
fn moving_tracks(samples: &Samples, tracks: &[Track], [first, last]: [i64; 2]) -> Vec<bool> {
    let moves = |(index, track): (usize, &Track)| {
        let first_value = samples.get(first, index);
        let mut ticks = (first..=last).step_by(TICKS as usize / 2);
        ticks.any(|tick| {
            track.distance(samples.get(tick, index), first_value) > MOTION_THRESHOLD * track.tolerance
        })
    };
    tracks.iter().enumerate().map(moves).collect()
}

/// Whether the frame after the last one equals the first frame and the last does not: without it, a loop
/// would jump.
fn is_loop(samples: &Samples, tracks: &[Track], [first, last]: [i64; 2]) -> bool {
    let equals_first = |tick| {
        let mut tracks = tracks.iter().enumerate();
        tracks.all(|(index, track)| {
            track.distance(samples.get(tick, index), samples.get(first, index))
                <= POSE_THRESHOLD * track.tolerance
        })
    };
    first < last && equals_first(last + TICKS) && !equals_first(last)
}

fn check(samples: &Samples, tracks: &[Track], take: &Take) -> Result<(), ExportError> {
    let Take { name, range, .. } = take;
    for frame in range[0]..=range[1] {
        let is_finite = |track| samples.get(i64::from(frame) * TICKS, track).is_finite();
        if !(0..tracks.len()).all(is_finite) {
            let place = format!("a pose at frame {frame} of take “{name}”");
            return Err(ExportError::NotFinite { place });
        }
    }
    Ok(())
}

/// Writes several animations of the same tracks.
struct Writer<'a, 'm, 'w> {
    binary: &'a mut Binary,
    samples: &'a mut Samples<'m, 'w>,
    tracks: &'a [Track],
    ticks_per_second: f64,
    interpolation: Interpolation,
    /// The cubic curves so far that need their tangents.
    bent: usize,
}

impl Writer<'_, '_, '_> {
    /// Writes an animation. `channels` are the tracks to write; `moves` states for each track whether it
    /// needs more keys than the first and the last.
    ///
    /// # Errors
    /// [`ExportError::Cancelled`].
    fn animation(
        &mut self,
        name: &str,
        [first, last]: [i64; 2],
        channels: &[usize],
        moves: &[bool],
    ) -> Result<Animation, ExportError> {
        self.samples.prepare([first, last])?;
        let mut exact = BTreeMap::new();
        for &track in channels.iter().filter(|&&track| moves[track]) {
            let (samples, interpolation) = (&mut *self.samples, self.interpolation);
            let found = exact::curve(samples, (&self.tracks[track], track), [first, last], interpolation)?;
            exact.extend(found.map(|curve| (track, curve)));
        }
        let is_bent = |(track, curve): &(&usize, &ExactCurve)| {
            !curve.is_within(self.samples, (&self.tracks[**track], **track), [first, last], false)
        };
        self.bent += exact.iter().filter(is_bent).count();
        let is_sampled = |track: &usize| moves[*track] && !exact.contains_key(track);
        let moving: Vec<usize> = channels.iter().copied().filter(is_sampled).collect();
        let keys = keys::place_keys(self.samples, self.tracks, &moving, [first, last], self.interpolation)?;
        let mut keys = keys.into_iter();
        let mut animation = Animation { name: Some(name.to_owned()), ..Animation::default() };
        for &index in channels {
            let exact = exact.get(&index);
            let keys = match moves[index] {
                true if exact.is_some() => Vec::new(),
                true => keys.next().unwrap_or_default(),
                false if first == last => vec![first],
                false => vec![first, last],
            };
            let track = &self.tracks[index];
            for &node in &track.nodes {
                let target = Target { node: Some(node), path: track.path };
                animation.channels.push(Channel { sampler: animation.samplers.len(), target });
            }
            animation.samplers.push(match exact {
                Some(curve) => self.exact_sampler(index, curve, first),
                None => self.sampler(index, &keys, first)?,
            });
            self.binary.check_finite(|| format!("a key, or a tangent of one, in take “{name}”"))?;
        }
        Ok(animation)
    }

    /// Writes the curve of a track through `keys`, with time 0 at `first`.
    fn sampler(&mut self, index: usize, keys: &[i64], first: i64) -> Result<AnimationSampler, ExportError> {
        let seconds = |tick: &i64| ((tick - first) as f64 / self.ticks_per_second) as f32;
        let seconds: Vec<f32> = keys.iter().map(seconds).collect();
        let input = self.binary.add_times(&seconds);
        let values = self.values(index, keys)?;
        let interpolation = match self.interpolation {
            Interpolation::Keyed | Interpolation::Linear => SamplerInterpolation::Linear,
            Interpolation::Cubic => SamplerInterpolation::CubicSpline,
        };
        let output = self.output(index, values);
        Ok(AnimationSampler { input, interpolation, output })
    }

    /// Writes a curve as it is.
    fn exact_sampler(&mut self, index: usize, curve: &ExactCurve, first: i64) -> AnimationSampler {
        let seconds = |tick: &f64| ((tick - first as f64) / self.ticks_per_second) as f32;
        let seconds: Vec<f32> = curve.ticks.iter().map(seconds).collect();
        let input = self.binary.add_times(&seconds);
        let is_cubic = curve.interpolation == SamplerInterpolation::CubicSpline;
        let values = curve.values.iter().enumerate().map(|(place, value)| {
            if is_cubic && place % 3 != 1 { *value * self.ticks_per_second } else { *value }
        });
        let output = self.output(index, values.collect());
        AnimationSampler { input, interpolation: curve.interpolation, output }
    }

    fn output(&mut self, index: usize, values: Vec<DVec4>) -> Index {
        let values = values.into_iter();
        if self.tracks[index].path == Path::Rotation {
            let values: Vec<Vec4> = values.map(|value| value.as_vec4()).collect();
            self.binary.add_values(&values)
        } else {
            let values: Vec<Vec3> = values.map(|value| value.truncate().as_vec3()).collect();
            self.binary.add_values(&values)
        }
    }

    /// Returns the values at keys; for cubic curves each between its tangents per second. Adjacent
    /// quaternions have the same sign.
    fn values(&mut self, index: usize, keys: &[i64]) -> Result<Vec<DVec4>, ExportError> {
        let track = &self.tracks[index];
        let is_cubic = self.interpolation == Interpolation::Cubic;
        if is_cubic {
            let around = keys.iter().flat_map(|key| [-2, -1, 1, 2].map(|step| key + step));
            self.samples.prepare(around)?;
        }
        let mut values = Vec::new();
        let mut previous = self.samples.get(keys[0], index);
        for (position, &key) in keys.iter().enumerate() {
            let value = self.samples.get(key, index);
            let aligned = track.aligned(value, previous);
            let sign = if aligned.dot(value) < 0.0 { -1.0 } else { 1.0 };
            let slope = |side: i64, is_used: bool| {
                if is_used && keys.len() > 1 {
                    keys::tangent(self.samples, track, index, key, side) * (sign * self.ticks_per_second)
                } else {
                    DVec4::ZERO
                }
            };
            if is_cubic {
                values.push(slope(-1, position > 0));
            }
            values.push(aligned);
            if is_cubic {
                values.push(slope(1, position + 1 < keys.len()));
            }
            previous = aligned;
        }
        Ok(values)
    }
}
