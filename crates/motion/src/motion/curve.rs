//! Curves through a few keys, and waves: what motions are described with.

use std::f64::consts::TAU;

/// A key of a curve: where, and its value.
pub type Key = [f64; 2];

/// Returns `amplitude` times the cosine that has its maximum at `peak`, with `cycles` periods per unit of phase.
pub fn wave(phase: f64, cycles: f64, amplitude: f64, peak: f64) -> f64 {
    amplitude * (TAU * cycles * (phase - peak)).cos()
}

/// Returns 0 up to `x` = 0, 1 from `x` = 1 on, and between them 3x² - 2x³.
pub fn smoothstep(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// Evaluates the curve through `keys`, which repeats after `period`. See [`through`].
pub fn repeating(keys: &[Key], period: f64, x: f64) -> f64 {
    let Some(first) = keys.first() else { return 0.0 };
    let x = first[0] + (x - first[0]).rem_euclid(period);
    let count = keys.len() as isize;
    let key = |index: isize| {
        let [at, value] = keys[index.rem_euclid(count) as usize];
        [at + period * index.div_euclid(count) as f64, value]
    };
    let index = keys.iter().rposition(|key| key[0] <= x).unwrap_or(0) as isize;
    let slope = |index: isize| monotone_slope(key(index - 1), key(index), key(index + 1));
    hermite(key(index), key(index + 1), [slope(index), slope(index + 1)], x)
}

/// Evaluates the curve through `keys`, constant outside, with the slopes `ends` at its ends: piecewise cubic, with
/// continuous slope, and without extrema between inner keys (Fritsch and Butland 1984).
pub fn through(keys: &[Key], ends: [f64; 2], x: f64) -> f64 {
    let last = keys.len() - 1;
    if last == 0 || x <= keys[0][0] {
        return keys[0][1];
    }
    let Some(next) = keys.iter().position(|key| key[0] > x) else { return keys[last][1] };
    let slope = |index: usize| match index {
        0 => ends[0],
        _ if index == last => ends[1],
        _ => monotone_slope(keys[index - 1], keys[index], keys[index + 1]),
    };
    hermite(keys[next - 1], keys[next], [slope(next - 1), slope(next)], x)
}

/// Evaluates a rule with linear pieces, constant outside.
pub fn rule(keys: &[Key], x: f64) -> f64 {
    let last = keys[keys.len() - 1];
    let Some(next) = keys.iter().position(|key| key[0] > x) else { return last[1] };
    let Some(before) = next.checked_sub(1) else { return keys[0][1] };
    let [[x0, y0], [x1, y1]] = [keys[before], keys[next]];
    y0 + (y1 - y0) * (x - x0) / (x1 - x0)
}

/// Returns the slope at the key in the middle: 0 at an extremum, else a weighted harmonic mean of the slopes beside it.
fn monotone_slope(before: Key, key: Key, after: Key) -> f64 {
    let (left, right) = (key[0] - before[0], after[0] - key[0]);
    let slopes = [(key[1] - before[1]) / left, (after[1] - key[1]) / right];
    if slopes[0] * slopes[1] <= 0.0 {
        return 0.0;
    }
    let weights = [left + 2.0 * right, 2.0 * left + right];
    (weights[0] + weights[1]) / (weights[0] / slopes[0] + weights[1] / slopes[1])
}

fn hermite(from: Key, to: Key, slopes: [f64; 2], x: f64) -> f64 {
    let width = to[0] - from[0];
    let u = (x - from[0]) / width;
    let (u2, u3) = (u * u, u * u * u);
    from[1] * (2.0 * u3 - 3.0 * u2 + 1.0)
        + to[1] * (3.0 * u2 - 2.0 * u3)
        + width * (slopes[0] * (u3 - 2.0 * u2 + u) + slopes[1] * (u3 - u2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_pass_their_keys_and_stay_flat_between_equal_ones() {
        let keys = [[0.1, 2.0], [0.3, 0.0], [0.6, 0.0], [0.9, -1.0]];
        for [at, value] in keys {
            assert!((repeating(&keys, 1.0, at + 3.0) - value).abs() < 1e-12);
            assert_eq!(through(&keys, [0.0; 2], at), value);
        }
        assert_eq!(repeating(&keys, 1.0, 0.45), 0.0);
        assert!((repeating(&keys, 1.0, 0.05) - repeating(&keys, 1.0, 1.05)).abs() < 1e-12);
        let slope = |x: f64| (through(&keys, [3.0, 5.0], x + 1e-6) - through(&keys, [3.0, 5.0], x)) / 1e-6;
        assert!((slope(0.1) - 3.0).abs() < 1e-3 && (slope(0.9 - 1e-6) - 5.0).abs() < 1e-3);
        assert_eq!([through(&keys, [1.0; 2], 0.0), through(&keys, [1.0; 2], 1.0)], [2.0, -1.0]);
    }
}
