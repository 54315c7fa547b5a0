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
    let moving = |track: usize, &[first, last]: &[i64; 2]| {
        let of = &tracks[track];
        let from = samples.get(first, track);
        let mut ticks = (first..=last).step_by(TICKS as usize / 2);
        ticks.any(|tick| of.distance(samples.get(tick, track), from) > STILL * of.tolerance)
    };
    let moves: Vec<Vec<bool>> = ranges
        .iter()
        .map(|range| (0..tracks.len()).map(|track| moving(track, range)).collect())
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
    let mut written = Vec::new();
    for ((take, &range), moves) in takes.iter().zip(&ranges).zip(&moves) {
        let [first, last] = if is_pose { [range[0]; 2] } else { range };
        let moving: Vec<usize> = channels.iter().copied().filter(|&track| moves[track]).collect();
        let mut keys = keys::place(samples, tracks, &moving, [first, last], interpolation)?.into_iter();
        let mut animation = Animation {
            name: Some(if is_pose {
                "Pose".to_owned()
            } else {
                take.name.clone()
            }),
            ..Animation::default()
        };
        for &track in &channels {
            let still = if first == last {
                vec![first]
            } else {
                vec![first, last]
            };
            let keys = if moves[track] {
                keys.next().unwrap_or_default()
            } else {
                still
            };
            let seconds = |tick: &i64| ((tick - first) as f64 / (TICKS as f64 * rate)) as f32;
            let input = binary.times(&keys.iter().map(seconds).collect::<Vec<_>>());
            let values = values(
                samples,
                &tracks[track],
                track,
                &keys,
                interpolation,
                rate * TICKS as f64,
            )?;
            let output = match tracks[track].path {
                Path::Rotation => {
                    binary.values(&values.iter().map(|value| value.as_vec4()).collect::<Vec<Vec4>>())
                }
                _ => binary.values(
                    &values
                        .iter()
                        .map(|v| v.truncate().as_vec3())
                        .collect::<Vec<Vec3>>(),
                ),
            };
            for &node in &tracks[track].nodes {
                let target = Target {
                    node: Some(node),
                    path: tracks[track].path,
                };
                animation.channels.push(Channel {
                    sampler: animation.samplers.len(),
                    target,
                });
            }
            animation.samplers.push(AnimationSampler {
                input,
                interpolation: match interpolation {
                    Interpolation::Linear => Written::Linear,
                    Interpolation::Cubic => Written::CubicSpline,
                },
                output,
            });
        }
        written.push(animation);
    }
    Ok(written)
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

/// Values at keys; for cubic pieces each between its tangents per second. Neighbouring rotations are of the same
/// spelling.
///
/// # Errors
/// [`ExportError::Cancelled`].
fn values(
    samples: &mut Samples,
    track: &Track,
    index: usize,
    keys: &[i64],
    interpolation: Interpolation,
    ticks_per_second: f64,
) -> Result<Vec<DVec4>, ExportError> {
    let is_cubic = interpolation == Interpolation::Cubic;
    if is_cubic {
        samples.prepare(keys.iter().flat_map(|key| [-2, -1, 1, 2].map(|step| key + step)))?;
    }
    let mut values = Vec::new();
    let mut before = samples.get(keys[0], index);
    for (at, &key) in keys.iter().enumerate() {
        let value = samples.get(key, index);
        let near = track.aligned(value, before);
        let sign = if near.dot(value) < 0.0 { -1.0 } else { 1.0 };
        let slope = |side: i64, is_used: bool| match is_used && keys.len() > 1 {
            true => keys::tangent(samples, track, index, key, side) * (sign * ticks_per_second),
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
