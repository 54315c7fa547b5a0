//! Places keys such that the curves which other programs interpolate between them are accurate enough.

use super::super::FRAME_SUBDIVISIONS;
use super::super::schema::Path;
use super::error::ExportError;
use super::motion::{Samples, TICKS, Track};
use crate::io::export::Interpolation;
use glam::DVec4;

const MIN_STEP: i64 = TICKS / FRAME_SUBDIVISIONS;

/// Returns the keys of several tracks, as ticks from `first` to `last`: enough that no track is off by more
/// than its tolerance in the middle between two keys. `tracks` are indices into `all_tracks`. Samples at the
/// keys are prepared.
///
/// # Errors
/// [`ExportError::Cancelled`].
pub fn place_keys(
    samples: &mut Samples,
    all_tracks: &[Track],
    tracks: &[usize],
    [first, last]: [i64; 2],
    interpolation: Interpolation,
) -> Result<Vec<Vec<i64>>, ExportError> {
    let mut keys: Vec<Vec<i64>> = Vec::new();
    let mut pending: Vec<(usize, i64, i64)> = Vec::new();
    for (position, &track) in tracks.iter().enumerate() {
        let mut ticks: Vec<i64> = match (interpolation, &all_tracks[track].knots) {
            (Interpolation::Cubic, Some(knots)) => knots.clone(),
            _ => (first..=last).step_by(TICKS as usize).collect(),
        };
        ticks.retain(|tick| (first..=last).contains(tick));
        ticks.extend([first, last]);
        ticks.sort_unstable();
        ticks.dedup();
        pending.extend(ticks.windows(2).map(|pair| (position, pair[0], pair[1])));
        keys.push(ticks);
    }
    while !pending.is_empty() {
        samples.prepare(pending.iter().flat_map(|&(_, a, b)| required_ticks(a, b, interpolation)))?;
        let mut next = Vec::new();
        for (position, a, b) in pending {
            let middle = middle(a, b);
            if middle == a
                || is_accurate(
                    samples,
                    &all_tracks[tracks[position]],
                    tracks[position],
                    (a, b),
                    interpolation,
                )
            {
                continue;
            }
            keys[position].push(middle);
            next.extend([(position, a, middle), (position, middle, b)]);
        }
        pending = next;
    }
    for (keys, &track) in keys.iter_mut().zip(tracks) {
        keys.sort_unstable();
        // The tangents of cubics lead to each key.
        if interpolation == Interpolation::Cubic {
            continue;
        }
        drop_still(keys, &all_tracks[track], |tick| samples.get(tick, track));
    }
    Ok(keys)
}

/// Removes keys where nothing moves: those whose value is that of the last one that stays and of the next one.
fn drop_still(keys: &mut Vec<i64>, track: &Track, value: impl Fn(i64) -> DVec4) {
    /// The part of the tolerance within which values are the same: about the rounding of the file.
    const STILL: f64 = 1e-3;
    let is_same = |a: i64, b: i64| track.distance(value(a), value(b)) <= STILL * track.tolerance;
    let mut last = None;
    let stays: Vec<bool> = (0..keys.len())
        .map(|key| {
            let still = last
                .zip(keys.get(key + 1))
                .is_some_and(|(last, next)| is_same(last, keys[key]) && is_same(last, *next));
            if !still {
                last = Some(keys[key]);
            }
            !still
        })
        .collect();
    let mut stays = stays.into_iter();
    keys.retain(|_| stays.next().unwrap_or(true));
}

/// Returns the middle, a multiple of [`MIN_STEP`] from `a`; `a` itself if there is none in between.
fn middle(a: i64, b: i64) -> i64 {
    a + (b - a) / (2 * MIN_STEP) * MIN_STEP
}

/// Returns the ticks at which a piece is compared: between its ends, at multiples of [`MIN_STEP`].
fn comparison_ticks(a: i64, b: i64, interpolation: Interpolation) -> impl Iterator<Item = i64> {
    let middle = middle(a, b);
    let quarters = [self::middle(a, middle), middle, self::middle(middle, b)];
    let chosen = if interpolation == Interpolation::Cubic { 0..3 } else { 1..2 };
    quarters.into_iter().skip(chosen.start).take(chosen.len())
}

fn required_ticks(a: i64, b: i64, interpolation: Interpolation) -> impl Iterator<Item = i64> {
    let tangents = (interpolation == Interpolation::Cubic).then_some([a + 1, a + 2, b - 1, b - 2]);
    comparison_ticks(a, b, interpolation).chain([a, b]).chain(tangents.into_iter().flatten())
}

fn is_accurate(
    samples: &Samples,
    track: &Track,
    index: usize,
    (a, b): (i64, i64),
    interpolation: Interpolation,
) -> bool {
    let from = samples.get(a, index);
    let to = track.aligned(samples.get(b, index), from);
    let tangents = (interpolation == Interpolation::Cubic).then(|| {
        let leave = tangent(samples, track, index, a, 1);
        let arrive = tangent(samples, track, index, b, -1);
        // The quaternions of both ends have the same sign.
        let sign = if samples.get(b, index).dot(to) < 0.0 { -1.0 } else { 1.0 };
        [leave, arrive * sign]
    });
    comparison_ticks(a, b, interpolation).all(|tick| {
        let fraction = (tick - a) as f64 / (b - a) as f64;
        let interpolated = match tangents {
            None => from.lerp(to, fraction),
            Some(tangents) => hermite([from, to], tangents, (b - a) as f64, fraction),
        };
        let interpolated = match track.path {
            Path::Rotation => interpolated.normalize_or(from),
            _ => interpolated,
        };
        track.distance(interpolated, samples.get(tick, index)) <= track.tolerance
    })
}

/// Evaluates the cubic through two values with tangents per tick, `width` ticks apart.
pub fn hermite([from, to]: [DVec4; 2], [leave, arrive]: [DVec4; 2], width: f64, u: f64) -> DVec4 {
    let (u2, u3) = (u * u, u * u * u);
    from * (2.0 * u3 - 3.0 * u2 + 1.0)
        + leave * width * (u3 - 2.0 * u2 + u)
        + to * (3.0 * u2 - 2.0 * u3)
        + arrive * width * (u3 - u2)
}

/// Returns the change per tick after (`side` 1) or before (-1) a key: a second-order difference to that side
/// only, so that a kink in the curve is preserved. Quaternions have the sign of the value at the key. The two
/// ticks on that side must be prepared.
pub fn tangent(samples: &Samples, track: &Track, index: usize, key: i64, side: i64) -> DVec4 {
    let value = samples.get(key, index);
    let [one, two] = [1, 2].map(|step| track.aligned(samples.get(key + side * step, index), value));
    (4.0 * one - 3.0 * value - two) * (0.5 * side as f64)
}
