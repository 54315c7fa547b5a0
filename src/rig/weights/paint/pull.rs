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
/// Of the active set; a bone is dropped or taken in by each.
const ROUNDS: usize = 32;

/// The row of a vertex whose place in the bind pose is `place`, so that the pose moves by `by` there. What is locked
/// stays. False, with the row as it was, where no bone could move it.
pub fn pull(rules: &Rules, skinning: &[Affine3A], row: &mut Row, place: Vec3, by: DVec3) -> bool {
    let taken = |bone: u16| {
        skinning
            .get(usize::from(bone))
            .map(|matrix| matrix.transform_point3(place).as_dvec3())
    };
    let room = rules.room(row);
    let mut free: Vec<(u16, f64)> = row
        .iter()
        .copied()
        .filter(|(bone, _)| !rules.is_locked(*bone))
        .collect();
    free.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    free.truncate(MOST);
    for at in 0..free.len() {
        for &bone in rules.next_to(free[at].0) {
            let is_new = !rules.is_locked(bone) && free.iter().all(|(of, _)| *of != bone);
            if is_new && free.len() < MOST {
                free.push((bone, 0.0));
            }
        }
    }
    let places: Vec<DVec3> = free.iter().filter_map(|(bone, _)| taken(*bone)).collect();
    if places.len() != free.len() || free.len() < 2 || room <= 0.0 {
        return false;
    }
    // Around their mean, lest far from the origin digits are lost; the sum is fixed, so that it changes nothing else.
    let mean = places.iter().sum::<DVec3>() / places.len() as f64;
    let ways: Vec<DVec3> = places.iter().map(|place| *place - mean).collect();
    let spread = ways.iter().map(|way| way.length_squared()).fold(0.0, f64::max);
    if !spread.is_finite() || spread <= 0.0 {
        return false;
    }
    let before: Vec<f64> = free.iter().map(|(_, weight)| *weight).collect();
    let target = ways.iter().zip(&before).map(|(way, w)| *way * *w).sum::<DVec3>() + by;
    let weights = least(&ways, target, &before, STIFFNESS * spread, room);
    let mut mean: Row = free
        .iter()
        .zip(weights)
        .map(|((bone, _), w)| (*bone, w))
        .collect();
    mean.retain(|(_, weight)| *weight > 0.0);
    mean.sort_unstable_by_key(|(bone, _)| *bone);
    rules.blend(row, &mean, 1.0, place);
    true
}

/// The weights, at least 0 and with the sum `room`.
fn least(ways: &[DVec3], target: DVec3, before: &[f64], stiffness: f64, room: f64) -> Vec<f64> {
    let n = ways.len();
    let hessian = |i: usize, j: usize| ways[i].dot(ways[j]) + if i == j { stiffness } else { 0.0 };
    let linear = |i: usize| ways[i].dot(target) + stiffness * before[i];
    let mut weights = vec![0.0; n];
    let mut is_free = vec![true; n];
    for round in 0..ROUNDS {
        let free: Vec<usize> = (0..n).filter(|&i| is_free[i]).collect();
        let m = free.len();
        // With the multiplier of the sum as the last unknown.
        let mut rows: Vec<Vec<f64>> = free
            .iter()
            .map(|&i| {
                let mut row: Vec<f64> = free.iter().map(|&j| hessian(i, j)).collect();
                row.extend([-1.0, linear(i)]);
                row
            })
            .collect();
        rows.push((0..m).map(|_| 1.0).chain([0.0, room]).collect());
        let Some(solved) = eliminated(rows) else { break };
        weights.iter_mut().for_each(|weight| *weight = 0.0);
        free.iter()
            .zip(&solved)
            .for_each(|(&i, weight)| weights[i] = *weight);
        let lowest = free
            .iter()
            .copied()
            .min_by(|a, b| weights[*a].total_cmp(&weights[*b]));
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
    weights.iter_mut().for_each(|weight| *weight = weight.max(0.0));
    weights
}

/// Solves equations, each with its right side last, by elimination with pivots; `None` where they have no one solution.
fn eliminated(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = rows.len();
    for column in 0..n {
        let size = |row: &usize| rows[*row][column].abs();
        let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        if size(&pivot) <= f64::MIN_POSITIVE {
            return None;
        }
        rows.swap(column, pivot);
        let (above, below) = rows.split_at_mut(column + 1);
        let pivot = &above[column];
        for row in below {
            let factor = row[column] / pivot[column];
            row.iter_mut().zip(pivot).for_each(|(a, b)| *a -= factor * b);
        }
    }
    let mut solution = vec![0.0; n];
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
            assert!(pull(&rules, &bent(), &mut row, place, by));
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
            assert!(pull(&rules, &bent(), &mut row, place, by));
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
            &mut row,
            Vec3::new(1.5, 0.1, 0.0),
            DVec3::new(0.1, 0.2, 0.0),
        );
        assert_eq!(row.iter().find(|(bone, _)| *bone == 1), Some(&(1, 0.4)));
        let rules = arm(None);
        let mut row: Row = vec![(0, 1.0)];
        let at_rest = vec![Affine3A::IDENTITY; 3];
        assert!(!pull(&rules, &at_rest, &mut row, Vec3::X, DVec3::Y));
        assert_eq!(row, vec![(0, 1.0)]);
    }
}
