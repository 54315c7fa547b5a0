//! Weights that take the skin where it is pulled to in a pose: for a vertex at `x` in the bind pose, with `T_b` from there
//! to the pose, those that make `|sum w_b T_b x - y|² + e |w - w0|²` least, with `w >= 0` and the sum as it was. It is
//! solved by an active set (Nocedal and Wright, "Numerical Optimization", 2006, algorithm 16.3), over the bones that move
//! the vertex and those next to them.

use super::row::{Row, Rules};
use glam::{Affine3A, DVec3, Vec3};

/// No more bones take part.
const MOST: usize = 8;
/// `e`, as part of the square of how far apart bones would take the vertex.
const STIFFNESS: f64 = 1e-3;
/// Places that differ by no more than this part of how far they are from the origin are one except for rounding.
const SAME: f64 = 1e-6;
/// Of the active set; a bone is dropped or taken in by each.
const ROUNDS: usize = 32;

/// The row of a vertex whose place in the bind pose is `place`, so that the pose moves by `by` there. What is locked
/// stays. Which part of the way the vertex goes, at most 1; `None`, with the row as it was, where no bone could move it.
/// `scratch`: of any content.
pub fn pull(
    rules: &Rules,
    skinning: &[Affine3A],
    (row, scratch): (&mut Row, &mut Row),
    place: Vec3,
    by: DVec3,
) -> Option<f64> {
    let room = rules.room(row);
    scratch.clear();
    scratch.extend(row.iter().filter(|(bone, _)| !rules.is_locked(*bone)));
    scratch.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scratch.truncate(MOST);
    for at in 0..scratch.len() {
        for &bone in rules.next_to(scratch[at].0) {
            let is_new = !rules.is_locked(bone) && scratch.iter().all(|(of, _)| *of != bone);
            if is_new && scratch.len() < MOST {
                scratch.push((bone, 0.0));
            }
        }
    }
    let n = scratch.len();
    if n < 2 || room <= 0.0 {
        return None;
    }
    let (mut ways, mut before) = ([DVec3::ZERO; MOST], [0.0; MOST]);
    for (i, &(bone, weight)) in scratch.iter().enumerate() {
        ways[i] = skinning
            .get(usize::from(bone))?
            .transform_point3(place)
            .as_dvec3();
        before[i] = weight;
    }
    let far = ways[..n]
        .iter()
        .map(|way| way.length_squared())
        .fold(0.0, f64::max);
    // Around their mean, lest far from the origin digits are lost; the sum is fixed, so that it changes nothing else.
    let mean = ways[..n].iter().sum::<DVec3>() / n as f64;
    ways[..n].iter_mut().for_each(|way| *way -= mean);
    let (ways, before) = (&ways[..n], &before[..n]);
    let spread = ways.iter().map(|way| way.length_squared()).fold(0.0, f64::max);
    if !spread.is_finite() || spread <= SAME * SAME * far {
        return None;
    }
    let from = ways.iter().zip(before).map(|(way, w)| *way * *w).sum::<DVec3>();
    let weights = least(ways, from + by, before, STIFFNESS * spread, room);
    let went = ways.iter().zip(&weights).map(|(way, w)| *way * *w).sum::<DVec3>() - from;
    for (entry, weight) in scratch.iter_mut().zip(weights) {
        entry.1 = weight;
    }
    scratch.retain(|(_, weight)| *weight > 0.0);
    scratch.sort_unstable_by_key(|(bone, _)| *bone);
    rules.blend(row, scratch, 1.0, place);
    let asked = by.length_squared();
    Some(match asked > 0.0 {
        true => (went.dot(by) / asked).min(1.0),
        false => 1.0,
    })
}

/// The weights, at least 0 and with the sum `room`; behind those of all `ways`, zeros.
fn least(ways: &[DVec3], target: DVec3, before: &[f64], stiffness: f64, room: f64) -> [f64; 8] {
    let n = ways.len();
    let hessian = |i: usize, j: usize| ways[i].dot(ways[j]) + if i == j { stiffness } else { 0.0 };
    let linear = |i: usize| ways[i].dot(target) + stiffness * before[i];
    let mut weights = [0.0; MOST];
    let mut is_free = [true; MOST];
    for round in 0..ROUNDS {
        let (mut free, mut m) = ([0; MOST], 0);
        for i in (0..n).filter(|&i| is_free[i]) {
            free[m] = i;
            m += 1;
        }
        // With the multiplier of the sum as the last unknown, and the right sides behind.
        let mut rows = [[0.0; MOST + 2]; MOST + 1];
        for a in 0..m {
            for b in 0..m {
                rows[a][b] = hessian(free[a], free[b]);
            }
            rows[a][m] = -1.0;
            rows[a][m + 1] = linear(free[a]);
            rows[m][a] = 1.0;
        }
        rows[m][m + 1] = room;
        let Some(solved) = eliminated(&mut rows, m + 1) else {
            break;
        };
        weights = [0.0; MOST];
        for (&i, weight) in free[..m].iter().zip(solved) {
            weights[i] = weight;
        }
        let lowest = free[..m].iter().copied();
        let lowest = lowest.min_by(|a, b| weights[*a].total_cmp(&weights[*b]));
        if let Some(lowest) = lowest.filter(|&i| weights[i] < 0.0) {
            is_free[lowest] = false;
            continue;
        }
        // A bone that was dropped comes back where that makes it less; late rounds end instead, lest they go round.
        let multiplier = solved[m];
        let slope =
            |i: usize| (0..n).map(|j| hessian(i, j) * weights[j]).sum::<f64>() - linear(i) - multiplier;
        let back = (0..n).filter(|&i| !is_free[i]).map(|i| (slope(i), i));
        match back.min_by(|a, b| a.0.total_cmp(&b.0)) {
            Some((slope, i)) if slope < -1e-9 * stiffness && round < ROUNDS / 2 => is_free[i] = true,
            _ => break,
        }
    }
    weights.map(|weight| weight.max(0.0))
}

/// Solves `n` equations, each with its right side last, by elimination with pivots; `None` where they have no one solution.
fn eliminated(rows: &mut [[f64; 10]; 9], n: usize) -> Option<[f64; 9]> {
    for column in 0..n {
        let size = |row: &usize| rows[*row][column].abs();
        let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        if size(&pivot) <= f64::MIN_POSITIVE {
            return None;
        }
        rows.swap(column, pivot);
        let pivot = rows[column];
        for row in &mut rows[column + 1..n] {
            let factor = row[column] / pivot[column];
            for (a, b) in row.iter_mut().zip(pivot) {
                *a -= factor * b;
            }
        }
    }
    let mut solution = [0.0; 9];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| rows[i][j] * solution[j]).sum();
        solution[i] = (rows[i][n] - known) / rows[i][i];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::testing::Random;
    use crate::rig::skeleton::{Bone, Skeleton};
    use glam::Quat;

    fn arm(locked: Option<usize>) -> Rules {
        let bone = |at: usize| Bone {
            extent: Vec3::X,
            parent: at.checked_sub(1).map(|parent| parent as u32),
            channel_id: at as u32,
            lock_weights: locked == Some(at),
            ..Bone::default()
        };
        let skeleton = Skeleton {
            bones: (0..3).map(bone).collect(),
            ..Skeleton::default()
        };
        Rules::new(&skeleton, 0)
    }

    /// The second bone bent by 90 degrees, the third by 60 more.
    fn bent() -> Vec<Affine3A> {
        let turn = |at: f32, angle: f32| {
            Affine3A::from_translation(Vec3::X * at)
                * Affine3A::from_quat(Quat::from_rotation_z(angle))
                * Affine3A::from_translation(Vec3::NEG_X * at)
        };
        let second = turn(1.0, 1.57);
        vec![Affine3A::IDENTITY, second, second * turn(2.0, 1.05)]
    }

    fn placed(row: &Row, place: Vec3) -> DVec3 {
        let skinning = bent();
        row.iter()
            .map(|(bone, w)| skinning[usize::from(*bone)].transform_point3(place).as_dvec3() * *w)
            .sum()
    }

    #[test]
    fn the_skin_goes_where_it_is_pulled_if_bones_can_take_it_there() {
        let (rules, mut random) = (arm(None), Random::new(5));
        for _ in 0..500 {
            let place = Vec3::new(random.range(0.6, 2.4), random.range(-0.3, 0.3), 0.1);
            let weights = [
                random.range(0.05, 1.0),
                random.range(0.05, 1.0),
                random.range(0.05, 1.0),
            ];
            let sum: f32 = weights.iter().sum();
            let wanted: Row = (0..3).map(|i| (i as u16, f64::from(weights[i] / sum))).collect();
            let mut row: Row = vec![(0, 0.3), (1, 0.7)];
            let by = placed(&wanted, place) - placed(&row, place);
            let went = pull(&rules, &bent(), (&mut row, &mut Row::new()), place, by);
            assert!(
                went.is_some_and(|part| (0.8..=1.0).contains(&part)) || by.length() < 0.05,
                "{went:?}"
            );
            let missed = placed(&row, place).distance(placed(&wanted, place));
            assert!(missed < 0.02, "{missed} of {}", by.length());
            assert!((row.iter().map(|(_, w)| w).sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(row.iter().all(|(_, w)| *w > 0.0));
        }
    }

    /// No weights are nearer to where it is pulled than those that are found, among many.
    #[test]
    fn out_of_reach_it_goes_as_near_as_it_can() {
        let (rules, mut random) = (arm(None), Random::new(6));
        let place = Vec3::new(1.3, 0.2, 0.0);
        for _ in 0..50 {
            let by = DVec3::new(
                f64::from(random.range(-3.0, 3.0)),
                f64::from(random.range(-3.0, 3.0)),
                0.0,
            );
            let mut row: Row = vec![(0, 0.5), (1, 0.5)];
            let target = placed(&row, place) + by;
            let went = pull(&rules, &bent(), (&mut row, &mut Row::new()), place, by).unwrap();
            let way = placed(&row, place) - (target - by);
            assert!((went - way.dot(by) / by.length_squared()).abs() < 1e-3, "{went}");
            assert!(went < 0.9 || by.length() < 1.5);
            let found = placed(&row, place).distance(target);
            for a in 0..=20 {
                for b in 0..=20 - a {
                    let [a, b] = [a, b].map(|part| f64::from(part) / 20.0);
                    let other: Row = vec![(0, a), (1, b), (2, 1.0 - a - b)];
                    let missed = placed(&other, place).distance(target);
                    assert!(
                        found <= missed + 0.01,
                        "{found} is further than {missed} by {other:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn locked_bones_keep_their_weights_and_what_no_bone_moves_stays() {
        let rules = arm(Some(1));
        let mut row: Row = vec![(0, 0.6), (1, 0.4)];
        pull(
            &rules,
            &bent(),
            (&mut row, &mut Row::new()),
            Vec3::new(1.5, 0.1, 0.0),
            DVec3::new(0.1, 0.2, 0.0),
        );
        assert_eq!(row.iter().find(|(bone, _)| *bone == 1), Some(&(1, 0.4)));
        let rules = arm(None);
        let mut row: Row = vec![(0, 1.0)];
        let at_rest = vec![Affine3A::IDENTITY; 3];
        assert_eq!(
            pull(&rules, &at_rest, (&mut row, &mut Row::new()), Vec3::X, DVec3::Y),
            None
        );
        assert_eq!(row, vec![(0, 1.0)]);
    }
}
