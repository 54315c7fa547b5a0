//! Reduces temperatures to the stored weights: small ones fade out, and only the largest of the others
//! remain.

use super::diffusion::Row;

/// Weights up to this fade to 0 (Blender's threshold).
const FADE_START: f64 = 0.025;
/// Weights from this on are not faded; linear between both. A steeper fade would stretch edges more.
const FADE_END: f64 = 0.1;

/// Weights below this are only rounding errors.
pub const ROUNDING: f64 = 1e-9;

/// The factors of [`kinship`] for each step up the tree and down again.
const UP: f64 = 0.22;
const DOWN: f64 = 0.02;

/// Fades the small weights of a row, without normalising. If nothing would remain (many equal weights), the
/// row is unchanged.
pub fn faded(row: Row) -> Row {
    let fade = |weight: f64| (FADE_END * (weight - FADE_START) / (FADE_END - FADE_START)).clamp(0.0, weight);
    let faded: Row = row.iter().map(|&(bone, weight)| (bone, fade(weight))).collect();
    if faded.iter().any(|(_, weight)| *weight > 0.0) { faded } else { row }
}

/// Keeps the `most` largest weights of a row (`None` for all), in ascending order of bones, with the same
/// sum. `parents`: the parent of each bone.
///
/// The weight of the largest dropped bone is subtracted from all, so that weights stay continuous where bones
/// change ranks ("continuous top-k"). What a bone loses goes to its closest relatives, in proportion to their
/// remaining weights and rather up the tree than down ([`kinship`]). Distributed among all bones, it would
/// make small weights change several times as fast, and weight lost by a spine would go to an arm. If all of
/// the largest are equal, they are unchanged; a jump is unavoidable there.
pub fn largest(mut row: Row, most: Option<usize>, parents: &[Option<usize>]) -> Row {
    if let Some(most) = most {
        let count = row.len();
        keep_largest(&mut row, count, most, parents);
    }
    row
}

/// Reduces the first `count` entries of a row to the `most` largest as [`largest`] does, and moves these
/// behind the other entries. Does nothing if `count` is at most `most`. Allocates nothing if the row has
/// capacity for `most` more entries.
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
    let mut visited = 0;
    row.retain(|(_, weight)| {
        visited += 1;
        visited + count <= others || *weight > ROUNDING
    });
    let others = others - count;
    row[others..].sort_unstable_by_key(|(bone, _)| *bone);
}

/// Returns how much `other` gains of what `bone` loses: the product of [`UP`] for each step from `bone` to
/// the nearest common ancestor (the base, if there is none) and [`DOWN`] for each step from there to `other`.
/// For itself, a bone counts like a child. Never 0.
fn kinship(bone: u16, other: u16, parents: &[Option<usize>]) -> f64 {
    let [mut from, mut to] = [bone, other].map(|bone| Some(usize::from(bone)));
    let mut factor = if from == to { DOWN } else { 1.0 };
    // Bones come after their parents.
    while from != to {
        let (bone, step) = if from > to { (&mut from, UP) } else { (&mut to, DOWN) };
        *bone = bone.and_then(|bone| parents[bone]);
        factor *= step;
    }
    factor.max(1e-100)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of bones, each the child of the one before.
    fn chain() -> Vec<Option<usize>> {
        (0..60).map(|bone: usize| bone.checked_sub(1)).collect()
    }

    #[test]
    fn small_weights_fade_and_the_largest_remain() {
        let row = vec![(0, 0.02), (1, 0.55), (3, 0.04), (4, 0.39)];
        let all = faded(row);
        assert_eq!(largest(all.clone(), None, &chain()), all);
        let expected = [(0, 0.0), (1, 0.55), (3, 0.02), (4, 0.39)];
        let is_close = |(a, b): (&(u16, f64), &(u16, f64))| a.0 == b.0 && (a.1 - b.1).abs() < 1e-12;
        assert!(all.iter().zip(&expected).all(is_close), "{all:?}");
        let two = largest(all, Some(2), &chain());
        // Each bone loses 0.02. The loss of bone 3 goes two steps up to bone 1 or one step down to bone 4;
        // bone 1 mostly regains its own, and bone 4 passes its own on, three steps up.
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
    fn equal_weights_do_not_vanish() {
        let row: Vec<_> = (0..50).map(|bone| (bone, 0.02)).collect();
        assert_eq!(faded(row.clone()), row);
        assert_eq!(largest(row, Some(3), &chain()), [(0, 0.02), (1, 0.02), (2, 0.02)]);
    }

    /// Two arms on a chest, with a spine below it.
    #[test]
    fn kinship_depends_on_the_path_between_bones() {
        let parents = [None, Some(0), Some(1), Some(1)];
        let expect = |bone, other, expected: f64| {
            assert!((kinship(bone, other, &parents) - expected).abs() < 1e-12, "{bone} {other}");
        };
        expect(2, 1, UP);
        expect(2, 0, UP * UP);
        expect(0, 3, DOWN * DOWN);
        expect(2, 3, UP * DOWN);
        expect(2, 2, DOWN);
        // Separate trees meet at the base; even a very long path counts a little.
        assert!((kinship(0, 1, &[None, None]) - UP * DOWN).abs() < 1e-12);
        let long: Vec<_> = (0..1000usize).map(|bone| bone.checked_sub(1)).collect();
        assert!(kinship(0, 999, &long) > 0.0);
    }

    /// Two bones swap ranks without a jump.
    #[test]
    fn weights_are_continuous() {
        let weights_at = |t: f64| {
            let row = vec![(0, 0.4), (1, 0.3 - t), (2, 0.3 + t)];
            let reduced = largest(row, Some(2), &chain());
            let weight = |bone| reduced.iter().find(|(b, _)| *b == bone).map_or(0.0, |(_, w)| *w);
            [weight(0), weight(1), weight(2)]
        };
        let (before, after) = (weights_at(-1e-6), weights_at(1e-6));
        assert!(before.iter().zip(after).all(|(a, b)| (a - b).abs() < 1e-4), "{before:?} {after:?}");
    }
}
