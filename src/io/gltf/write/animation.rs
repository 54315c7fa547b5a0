//! Takes as animations: which tracks get channels, how long a take is, its keys.

use super::super::schema::{Animation, AnimationSampler, Channel, Interpolation as Written, Path, Target};
use super::binary::Binary;
use super::keys;
use super::motion::{Samples, TICKS, Track};
use super::options::{ExportError, Interpolation};
use super::takes::Take;
use super::tracks::PART;
use glam::{DVec4, Vec3, Vec4};

/// Differences below this part of a track's tolerance are none.
const STILL: f64 = 1e-3 / PART;
/// A pose is another if it differs by more than so many tolerances.
const SAME: f64 = 1.0 / PART;

/// The animations of `takes`; none where nothing is moved and nothing stands otherwise than its node.
/// `rate`: frames per second.
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
) -> Result<Vec<Animation>, ExportError> {
    let mut ranges: Vec<[i64; 2]> = Vec::new();
    for take in takes {
        let [first, last] = take.range.map(|frame| i64::from(frame) * TICKS);
        samples.prepare((first..=last + TICKS).step_by(TICKS as usize / 2))?;
        let is_loop = closes(samples, tracks, [first, last]);
        ranges.push([first, if is_loop { last + TICKS } else { last }]);
        check(samples, tracks, take)?;
    }
    let moves: Vec<Vec<bool>> = ranges
        .iter()
        .map(|range| moving(samples, tracks, *range))
        .collect();
    let differs = |track: usize| {
        let of = &tracks[track];
        ranges
            .iter()
            .any(|&[first, _]| of.distance(samples.get(first, track), of.rest) > STILL * of.tolerance)
    };
    let channels: Vec<usize> = (0..tracks.len())
        .filter(|&track| moves.iter().any(|of_take| of_take[track]) || differs(track))
        .collect();
    if channels.is_empty() {
        return Ok(Vec::new());
    }
    // Nobody wants seconds of a character that stands still.
    let is_pose = !moves.iter().flatten().any(|moves| *moves) && takes.iter().all(|take| take.is_implied);
    let mut writer = Writer {
        binary,
        samples,
        tracks,
        ticks_per_second: TICKS as f64 * rate,
        interpolation,
    };
    let mut written = Vec::new();
    for ((take, range), moves) in takes.iter().zip(ranges).zip(&moves) {
        let (name, range) = match is_pose {
            true => ("Pose", [range[0]; 2]),
            false => (&*take.name, range),
        };
        written.push(writer.animation(name, range, &channels, moves)?);
    }
    Ok(written)
}

/// For each track whether it moves.
fn moving(samples: &Samples, tracks: &[Track], [first, last]: [i64; 2]) -> Vec<bool> {
    let moves = |(index, track): (usize, &Track)| {
        let from = samples.get(first, index);
        let mut ticks = (first..=last).step_by(TICKS as usize / 2);
        ticks.any(|tick| track.distance(samples.get(tick, index), from) > STILL * track.tolerance)
    };
    tracks.iter().enumerate().map(moves).collect()
}

/// Whether the frame after the last shows what the first does, and the last does not: without that frame, a loop would
/// jump.
fn closes(samples: &Samples, tracks: &[Track], [first, last]: [i64; 2]) -> bool {
    let as_first = |tick| {
        let mut tracks = tracks.iter().enumerate();
        tracks.all(|(index, track)| {
            track.distance(samples.get(tick, index), samples.get(first, index)) <= SAME * track.tolerance
        })
    };
    first < last && as_first(last + TICKS) && !as_first(last)
}

fn check(samples: &Samples, tracks: &[Track], take: &Take) -> Result<(), ExportError> {
    let Take { name, range, .. } = take;
    for frame in range[0]..=range[1] {
        let is_finite = |track| samples.get(i64::from(frame) * TICKS, track).is_finite();
        if !(0..tracks.len()).all(is_finite) {
            let at = format!("a pose at frame {frame} of take “{name}”");
            return Err(ExportError::NotFinite { at });
        }
    }
    Ok(())
}

/// Writes animations of the same tracks.
struct Writer<'a, 'm, 'w> {
    binary: &'a mut Binary,
    samples: &'a mut Samples<'m, 'w>,
    tracks: &'a [Track],
    ticks_per_second: f64,
    interpolation: Interpolation,
}

impl Writer<'_, '_, '_> {
    /// `channels`: tracks that are written. `moves`: for each track, whether it needs more keys than the first and the
    /// last.
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
        let moving: Vec<usize> = channels.iter().copied().filter(|&track| moves[track]).collect();
        let keys = keys::place(
            self.samples,
            self.tracks,
            &moving,
            [first, last],
            self.interpolation,
        )?;
        let mut keys = keys.into_iter();
        let mut animation = Animation {
            name: Some(name.to_owned()),
            ..Animation::default()
        };
        for &index in channels {
            let keys = match moves[index] {
                true => keys.next().unwrap_or_default(),
                false if first == last => vec![first],
                false => vec![first, last],
            };
            let track = &self.tracks[index];
            for &node in &track.nodes {
                let target = Target {
                    node: Some(node),
                    path: track.path,
                };
                animation.channels.push(Channel {
                    sampler: animation.samplers.len(),
                    target,
                });
            }
            animation.samplers.push(self.sampler(index, &keys, first)?);
        }
        Ok(animation)
    }

    /// The curve of a track through keys, `first` being the time 0.
    fn sampler(&mut self, index: usize, keys: &[i64], first: i64) -> Result<AnimationSampler, ExportError> {
        let seconds = |tick: &i64| ((tick - first) as f64 / self.ticks_per_second) as f32;
        let seconds: Vec<f32> = keys.iter().map(seconds).collect();
        let input = self.binary.times(&seconds);
        let values = self.values(index, keys)?.into_iter();
        let output = if self.tracks[index].path == Path::Rotation {
            let values: Vec<Vec4> = values.map(|value| value.as_vec4()).collect();
            self.binary.values(&values)
        } else {
            let values: Vec<Vec3> = values.map(|value| value.truncate().as_vec3()).collect();
            self.binary.values(&values)
        };
        let interpolation = match self.interpolation {
            Interpolation::Linear => Written::Linear,
            Interpolation::Cubic => Written::CubicSpline,
        };
        Ok(AnimationSampler {
            input,
            interpolation,
            output,
        })
    }

    /// Values at keys; for cubic pieces each between its tangents per second. Neighbouring rotations are of the same
    /// spelling.
    fn values(&mut self, index: usize, keys: &[i64]) -> Result<Vec<DVec4>, ExportError> {
        let track = &self.tracks[index];
        let is_cubic = self.interpolation == Interpolation::Cubic;
        if is_cubic {
            let around = keys.iter().flat_map(|key| [-2, -1, 1, 2].map(|step| key + step));
            self.samples.prepare(around)?;
        }
        let mut values = Vec::new();
        let mut before = self.samples.get(keys[0], index);
        for (at, &key) in keys.iter().enumerate() {
            let value = self.samples.get(key, index);
            let near = track.aligned(value, before);
            let sign = if near.dot(value) < 0.0 { -1.0 } else { 1.0 };
            let slope = |side: i64, is_used: bool| match is_used && keys.len() > 1 {
                true => keys::tangent(self.samples, track, index, key, side) * (sign * self.ticks_per_second),
                false => DVec4::ZERO,
            };
            if is_cubic {
                values.push(slope(-1, at > 0));
            }
            values.push(near);
            if is_cubic {
                values.push(slope(1, at + 1 < keys.len()));
            }
            before = near;
        }
        Ok(values)
    }
}
