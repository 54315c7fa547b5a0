//! From temperatures to the weights that are kept: small parts fade out, and of the rest the largest stay.

/// Below this a weight is nothing, ...
pub const FADED: f64 = 0.025;
/// ... and from here on it is whole (both as in Blender).
pub const WHOLE: f64 = 0.05;

/// Sums of weights are rounded; below this a weight is nothing but that.
pub const NOTHING: f64 = 1e-9;

/// A row without its small parts, not normalised. Where nothing would be left (many equal parts), it stays
/// as it is.
pub fn faded(row: Vec<(u16, f64)>) -> Vec<(u16, f64)> {
    let fade = |weight: f64| ((weight - FADED) / (WHOLE - FADED)).clamp(0.0, 1.0) * weight;
    let faded: Vec<_> = row.iter().map(|&(bone, weight)| (bone, fade(weight))).collect();
    match faded.iter().any(|(_, weight)| *weight > 0.0) {
        true => faded,
        false => row,
    }
}

/// The largest of a row, bones ascending, not normalised: what the first bone beyond the `most` largest has is
/// taken from all, so that weights stay continuous where bones change places ("continuous top-k"). `None`:
/// all. Where nothing would be left, the largest stay as they are; some jump there must be.
pub fn largest(row: Vec<(u16, f64)>, most: Option<usize>) -> Vec<(u16, f64)> {
    let Some(most) = most.filter(|&most| most < row.len()) else {
        return row;
    };
    let mut sorted = row;
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let beyond = sorted[most].1;
    sorted.truncate(most);
    if sorted.iter().any(|(_, weight)| *weight > beyond) {
        sorted.iter_mut().for_each(|(_, weight)| *weight -= beyond);
    }
    sorted.retain(|(_, weight)| *weight > NOTHING);
    sorted.sort_by_key(|(bone, _)| *bone);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_parts_fade_and_the_largest_stay() {
        let row = vec![(0, 0.02), (1, 0.55), (3, 0.03125), (4, 0.3925)];
        let all = faded(row);
        assert_eq!(largest(all.clone(), None), all);
        let expected = [(0, 0.0), (1, 0.55), (3, 0.25 * 0.03125), (4, 0.3925)];
        assert!(
            all.iter()
                .zip(expected)
                .all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-12)
        );
        let two = largest(all, Some(2));
        let expected = [(1, 0.55 - 0.0078125), (4, 0.3925 - 0.0078125)];
        assert!(
            two.iter()
                .zip(expected)
                .all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-12)
        );
    }

    #[test]
    fn equal_parts_leave_something() {
        let row: Vec<_> = (0..50).map(|bone| (bone, 0.02)).collect();
        assert_eq!(faded(row.clone()), row);
        assert_eq!(largest(row, Some(3)), [(0, 0.02), (1, 0.02), (2, 0.02)]);
    }

    /// Two bones change places in the ranks: no jump.
    #[test]
    fn it_is_continuous() {
        let at = |t: f64| {
            let row = vec![(0, 0.4), (1, 0.3 - t), (2, 0.3 + t)];
            let kept = largest(row, Some(2));
            let sum: f64 = kept.iter().map(|(_, weight)| weight).sum();
            let of = |bone| {
                kept.iter()
                    .find(|(b, _)| *b == bone)
                    .map_or(0.0, |(_, w)| w / sum)
            };
            [of(0), of(1), of(2)]
        };
        let (before, after) = (at(-1e-6), at(1e-6));
        assert!(
            before.iter().zip(after).all(|(a, b)| (a - b).abs() < 1e-4),
            "{before:?} {after:?}"
        );
    }
}
