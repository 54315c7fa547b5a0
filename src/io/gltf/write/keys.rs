//! Where the keys of a track have to lie so that what other programs show between them is near enough.

use super::super::schema::Path;
use super::motion::{Samples, TICKS, Track};
use super::options::{ExportError, Interpolation};
use glam::DVec4;

/// Frames are divided into so many parts at most.
pub const FRAME_PARTS: i64 = TICKS;
const FINEST: i64 = TICKS / FRAME_PARTS;

/// Keys of several tracks, by ticks from `first` to `last`: enough that no track is off by more than its tolerance
/// in the middle between two. `tracks`: places in `all`. Values at the keys are prepared.
///
/// # Errors
/// [`ExportError::Cancelled`].
pub fn place(
    samples: &mut Samples,
    all: &[Track],
    tracks: &[usize],
    [first, last]: [i64; 2],
    interpolation: Interpolation,
) -> Result<Vec<Vec<i64>>, ExportError> {
    let mut keys: Vec<Vec<i64>> = Vec::new();
    let mut pending: Vec<(usize, i64, i64)> = Vec::new();
    for (at, &track) in tracks.iter().enumerate() {
        let mut of_track: Vec<i64> = match (interpolation, &all[track].knots) {
            (Interpolation::Cubic, Some(knots)) => knots.clone(),
            _ => (first..=last).step_by(TICKS as usize).collect(),
        };
        of_track.retain(|tick| (first..=last).contains(tick));
        of_track.extend([first, last]);
        of_track.sort_unstable();
        of_track.dedup();
        pending.extend(of_track.windows(2).map(|pair| (at, pair[0], pair[1])));
        keys.push(of_track);
    }
    while !pending.is_empty() {
        samples.prepare(pending.iter().flat_map(|&(_, a, b)| needed(a, b, interpolation)))?;
        let mut next = Vec::new();
        for (at, a, b) in pending {
            let middle = middle(a, b);
            if middle == a || is_near(samples, &all[tracks[at]], tracks[at], (a, b), interpolation) {
                continue;
            }
            keys[at].push(middle);
            next.extend([(at, a, middle), (at, middle, b)]);
        }
        pending = next;
    }
    keys.iter_mut().for_each(|keys| keys.sort_unstable());
    Ok(keys)
}

/// A multiple of [`FINEST`] from `a`; `a` itself where there is none between.
fn middle(a: i64, b: i64) -> i64 {
    a + (b - a) / (2 * FINEST) * FINEST
}

/// Ticks at which a piece is compared: between its ends, at multiples of [`FINEST`].
fn compared(a: i64, b: i64, interpolation: Interpolation) -> impl Iterator<Item = i64> {
    let middle = middle(a, b);
    let quarters = [self::middle(a, middle), middle, self::middle(middle, b)];
    let from = if interpolation == Interpolation::Linear {
        1..2
    } else {
        0..3
    };
    quarters.into_iter().skip(from.start).take(from.len())
}

fn needed(a: i64, b: i64, interpolation: Interpolation) -> impl Iterator<Item = i64> {
    let tangents = (interpolation == Interpolation::Cubic).then_some([a + 1, a + 2, b - 1, b - 2]);
    compared(a, b, interpolation)
        .chain([a, b])
        .chain(tangents.into_iter().flatten())
}

fn is_near(
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
        // Of the same spelling of the rotation.
        let sign = if samples.get(b, index).dot(to) < 0.0 {
            -1.0
        } else {
            1.0
        };
        [leave, arrive * sign]
    });
    compared(a, b, interpolation).all(|tick| {
        let part = (tick - a) as f64 / (b - a) as f64;
        let shown = match tangents {
            None => from.lerp(to, part),
            Some(tangents) => hermite([from, to], tangents, (b - a) as f64, part),
        };
        let shown = match track.path {
            Path::Rotation => shown.normalize_or(from),
            _ => shown,
        };
        track.distance(shown, samples.get(tick, index)) <= track.tolerance
    })
}

/// The cubic through two values with tangents per tick, `width` ticks apart.
fn hermite([from, to]: [DVec4; 2], [leave, arrive]: [DVec4; 2], width: f64, u: f64) -> DVec4 {
    let (u2, u3) = (u * u, u * u * u);
    from * (2.0 * u3 - 3.0 * u2 + 1.0)
        + leave * width * (u3 - 2.0 * u2 + u)
        + to * (3.0 * u2 - 2.0 * u3)
        + arrive * width * (u3 - u2)
}

/// Change per tick after (`side` 1) or before (-1) a key: second-order differences to that side alone, so that a bend
/// in the curve stays one. Of the spelling of the value at the key. The two ticks on that side are prepared.
pub fn tangent(samples: &Samples, track: &Track, index: usize, key: i64, side: i64) -> DVec4 {
    let at = samples.get(key, index);
    let [one, two] = [1, 2].map(|step| track.aligned(samples.get(key + side * step, index), at));
    (4.0 * one - 3.0 * at - two) * (0.5 * side as f64)
}
