//! From temperatures to the weights that are kept: small parts fade out, and of the rest the largest stay.

use super::diffusion::Row;

/// Below this a weight is nothing (as in Blender), ...
pub const FADED: f64 = 0.025;
/// ... and from here on it is whole; straight between: the steeper, the more an edge would grow there.
pub const WHOLE: f64 = 0.1;

/// Sums of weights are rounded; below this a weight is nothing but that.
pub const NOTHING: f64 = 1e-9;

/// What counts of another bone where one loses weight: so much for each step up the tree, and each down again.
const UP: f64 = 0.22;
const DOWN: f64 = 0.02;

/// A row without its small parts, not normalised. Where nothing would be left (many equal parts), it stays
/// as it is.
pub fn faded(row: Row) -> Row {
    let fade = |weight: f64| (WHOLE * (weight - FADED) / (WHOLE - FADED)).clamp(0.0, weight);
    let faded: Row = row.iter().map(|&(bone, weight)| (bone, fade(weight))).collect();
    match faded.iter().any(|(_, weight)| *weight > 0.0) {
        true => faded,
        false => row,
    }
}

/// The largest of a row, bones ascending, with the same sum. `most`, if there is such a limit; `parents`: of
/// every bone.
///
/// What the first bone beyond the `most` largest has is taken from all, so that weights stay continuous where
/// bones change places ("continuous top-k"). What a bone loses goes to its next relatives, in proportion to
/// what they have left, rather up the tree than down ([`kinship`]): divided among all, it would make the small ones
/// change several times as fast, and what a spine loses would go to an arm. Where nothing would be left, the largest
/// stay as they are; some jump there must be.
pub fn largest(mut row: Row, most: Option<usize>, parents: &[Option<usize>]) -> Row {
    if let Some(most) = most {
        let count = row.len();
        keep_largest(&mut row, count, most, parents);
    }
    row
}

/// As [`largest`], of the first `count` entries of a row, if they are more than `most`: they go, and what stays of them
/// is put behind the others. With room for `most` more the row asks for no memory.
pub fn keep_largest(row: &mut Row, count: usize, most: usize, parents: &[Option<usize>]) {
    if count <= most {
        return;
    }
    row[..count].sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let (others, beyond) = (row.len(), row[most].1);
    row.extend_from_within(..most);
    if row[..most].iter().any(|(_, weight)| *weight > beyond) {
        row[others..].iter_mut().for_each(|(_, weight)| *weight -= beyond);
        for i in 0..count {
            let (bone, weight) = row[i];
            let part = |(other, before): (u16, f64)| kinship(bone, other, parents) * (before - beyond);
            let sum: f64 = row[..most].iter().map(|entry| part(*entry)).sum();
            for j in 0..most {
                row[others + j].1 += weight.min(beyond) * part(row[j]) / sum;
            }
        }
    }
    row.drain(..count);
    let mut at = 0;
    row.retain(|(_, weight)| {
        at += 1;
        at + count <= others || *weight > NOTHING
    });
    let others = others - count;
    row[others..].sort_unstable_by_key(|(bone, _)| *bone);
}

/// [`UP`] for each step from a bone to the nearest ancestor that both have (to the base, if they have none), [`DOWN`]
/// for each from there to the other. A bone that stays counts for itself as a child does; never 0.
fn kinship(bone: u16, other: u16, parents: &[Option<usize>]) -> f64 {
    let [mut from, mut to] = [bone, other].map(|bone| Some(usize::from(bone)));
    let mut counts = if from == to { DOWN } else { 1.0 };
    // Bones come after their parents.
    while from != to {
        let (bone, step) = if from > to {
            (&mut from, UP)
        } else {
            (&mut to, DOWN)
        };
        *bone = bone.and_then(|bone| parents[bone]);
        counts *= step;
    }
    counts.max(1e-100)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bones in a row, each hanging on the one before.
    fn chain() -> Vec<Option<usize>> {
        (0..60).map(|bone: usize| bone.checked_sub(1)).collect()
    }

    #[test]
    fn small_parts_fade_and_the_largest_stay() {
        let row = vec![(0, 0.02), (1, 0.55), (3, 0.04), (4, 0.39)];
        let all = faded(row);
        assert_eq!(largest(all.clone(), None, &chain()), all);
        let expected = [(0, 0.0), (1, 0.55), (3, 0.02), (4, 0.39)];
        let same = |(a, b): (&(u16, f64), &(u16, f64))| a.0 == b.0 && (a.1 - b.1).abs() < 1e-12;
        assert!(all.iter().zip(&expected).all(same), "{all:?}");
        let two = largest(all, Some(2), &chain());
        // Each loses 0.02. That of bone 3 goes two steps up to bone 1, or one down to bone 4; bone 1 keeps its own, and
        // bone 4 passes it on, three steps up.
        let first: f64 = [[UP * UP, DOWN], [DOWN, DOWN.powi(3)], [UP.powi(3), DOWN]]
            .iter()
            .map(|[one, four]| 0.02 * one * 0.53 / (one * 0.53 + four * 0.37))
            .sum();
        let first = 0.53 + first;
        assert!(
            two.len() == 2 && (two[0].1 - first).abs() < 1e-12 && (two[0].1 + two[1].1 - 0.96).abs() < 1e-12,
            "{two:?}"
        );
    }

    #[test]
    fn equal_parts_leave_something() {
        let row: Vec<_> = (0..50).map(|bone| (bone, 0.02)).collect();
        assert_eq!(faded(row.clone()), row);
        assert_eq!(largest(row, Some(3), &chain()), [(0, 0.02), (1, 0.02), (2, 0.02)]);
    }

    /// Of two arms on a chest, with a spine below it.
    #[test]
    fn relatives_count_by_the_way_between_them() {
        let parents = [None, Some(0), Some(1), Some(1)];
        let expect = |bone, other, counts: f64| {
            assert!(
                (kinship(bone, other, &parents) - counts).abs() < 1e-12,
                "{bone} {other}"
            );
        };
        expect(2, 1, UP);
        expect(2, 0, UP * UP);
        expect(0, 3, DOWN * DOWN);
        expect(2, 3, UP * DOWN);
        expect(2, 2, DOWN);
        // Trees of their own meet at the base; the longest way counts a little still.
        assert!((kinship(0, 1, &[None, None]) - UP * DOWN).abs() < 1e-12);
        let long: Vec<_> = (0..1000usize).map(|bone| bone.checked_sub(1)).collect();
        assert!(kinship(0, 999, &long) > 0.0);
    }

    /// Two bones change places in the ranks: no jump.
    #[test]
    fn it_is_continuous() {
        let at = |t: f64| {
            let row = vec![(0, 0.4), (1, 0.3 - t), (2, 0.3 + t)];
            let kept = largest(row, Some(2), &chain());
            let weight = |bone| kept.iter().find(|(b, _)| *b == bone).map_or(0.0, |(_, w)| *w);
            [weight(0), weight(1), weight(2)]
        };
        let (before, after) = (at(-1e-6), at(1e-6));
        assert!(
            before.iter().zip(after).all(|(a, b)| (a - b).abs() < 1e-4),
            "{before:?} {after:?}"
        );
    }
}
