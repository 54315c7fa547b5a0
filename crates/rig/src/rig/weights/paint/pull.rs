//! Solves for the weights that move the skin to where it is pulled in a pose: for a vertex at `x` in the bind
//! pose, with bone transforms `T_b` from there to the pose, minimises `|sum w_b T_b x - y|² + e |w - w0|²`
//! with `w >= 0` and an unchanged sum. An active-set method (Nocedal and Wright, "Numerical Optimization",
//! 2006, algorithm 16.3) solves it over the bones that move the vertex and their neighbours.

use super::row::{Row, Rules};
use glam::{Affine3A, DVec3, Vec3};

/// The most bones that take part.
const MAX_BONES: usize = 8;
/// `e`, as a fraction of the squared distance between the positions to which the bones move the vertex.
const STIFFNESS: f64 = 1e-3;
/// Positions closer than this fraction of their distance from the origin count as equal up to rounding.
const TOLERANCE: f64 = 1e-6;
/// The most iterations of the active-set method; each removes or adds a bone.
const ITERATIONS: usize = 32;

/// Solves for the row of a vertex so that its posed position moves by `offset`. The weights of locked bones
/// stay.
///
/// Returns the fraction of the offset that the vertex moves, at most 1, or `None`, with the row unchanged, if
/// no bone could move it. `position`: of the vertex in the bind pose. `scratch`: any content.
pub fn pull(
    rules: &Rules,
    skinning: &[Affine3A],
    (row, scratch): (&mut Row, &mut Row),
    position: Vec3,
    offset: DVec3,
) -> Option<f64> {
    let available = rules.available_weight(row);
    scratch.clear();
    scratch.extend(row.iter().filter(|(bone, _)| !rules.is_locked(*bone)));
    scratch.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scratch.truncate(MAX_BONES);
    for i in 0..scratch.len() {
        for &bone in rules.neighbours(scratch[i].0) {
            let is_new = !rules.is_locked(bone) && scratch.iter().all(|(known, _)| *known != bone);
            if is_new && scratch.len() < MAX_BONES {
                scratch.push((bone, 0.0));
            }
        }
    }
    let n = scratch.len();
    if n < 2 || available <= 0.0 {
        return None;
    }
    let (mut posed, mut before) = ([DVec3::ZERO; MAX_BONES], [0.0; MAX_BONES]);
    for (i, &(bone, weight)) in scratch.iter().enumerate() {
        posed[i] = skinning.get(usize::from(bone))?.transform_point3(position).as_dvec3();
        before[i] = weight;
    }
    let largest_squared = posed[..n].iter().map(|p| p.length_squared()).fold(0.0, f64::max);
    // Relative to their mean, to preserve digits far from the origin; as the sum of weights is fixed, this
    // changes nothing else.
    let mean = posed[..n].iter().sum::<DVec3>() / n as f64;
    posed[..n].iter_mut().for_each(|p| *p -= mean);
    let (posed, before) = (&posed[..n], &before[..n]);
    let spread = posed.iter().map(|p| p.length_squared()).fold(0.0, f64::max);
    if !spread.is_finite() || spread <= TOLERANCE * TOLERANCE * largest_squared {
        return None;
    }
    let from = posed.iter().zip(before).map(|(p, w)| *p * *w).sum::<DVec3>();
    let weights = minimize(posed, from + offset, before, STIFFNESS * spread, available);
    let moved = posed.iter().zip(&weights).map(|(p, w)| *p * *w).sum::<DVec3>() - from;
    for (entry, weight) in scratch.iter_mut().zip(weights) {
        entry.1 = weight;
    }
    scratch.retain(|(_, weight)| *weight > 0.0);
    scratch.sort_unstable_by_key(|(bone, _)| *bone);
    rules.blend(row, scratch, 1.0, position);
    let length_squared = offset.length_squared();
    Some(if length_squared > 0.0 { (moved.dot(offset) / length_squared).min(1.0) } else { 1.0 })
}

/// Solves for weights of `posed`, non-negative and with the sum `available`, padded with zeros.
fn minimize(
    posed: &[DVec3],
    target: DVec3,
    before: &[f64],
    stiffness: f64,
    available: f64,
) -> [f64; MAX_BONES] {
    let n = posed.len();
    let hessian = |i: usize, j: usize| posed[i].dot(posed[j]) + if i == j { stiffness } else { 0.0 };
    let linear = |i: usize| posed[i].dot(target) + stiffness * before[i];
    let mut weights = [0.0; MAX_BONES];
    let mut is_free = [true; MAX_BONES];
    for round in 0..ITERATIONS {
        let (mut free, mut m) = ([0; MAX_BONES], 0);
        for i in (0..n).filter(|&i| is_free[i]) {
            free[m] = i;
            m += 1;
        }
        // The last unknown is the multiplier of the sum constraint; the last column, the right sides.
        let mut rows = [[0.0; MAX_BONES + 2]; MAX_BONES + 1];
        for a in 0..m {
            for b in 0..m {
                rows[a][b] = hessian(free[a], free[b]);
            }
            rows[a][m] = -1.0;
            rows[a][m + 1] = linear(free[a]);
            rows[m][a] = 1.0;
        }
        rows[m][m + 1] = available;
        let Some(solved) = solve_linear(&mut rows, m + 1) else {
            break;
        };
        weights = [0.0; MAX_BONES];
        for (&i, weight) in free[..m].iter().zip(solved) {
            weights[i] = weight;
        }
        let lowest = free[..m].iter().copied();
        let lowest = lowest.min_by(|a, b| weights[*a].total_cmp(&weights[*b]));
        if let Some(lowest) = lowest.filter(|&i| weights[i] < 0.0) {
            is_free[lowest] = false;
            continue;
        }
        // A dropped bone returns if that lowers the objective; late iterations stop instead, to avoid cycles.
        let multiplier = solved[m];
        let slope =
            |i: usize| (0..n).map(|j| hessian(i, j) * weights[j]).sum::<f64>() - linear(i) - multiplier;
        let returning = (0..n).filter(|&i| !is_free[i]).map(|i| (slope(i), i));
        match returning.min_by(|a, b| a.0.total_cmp(&b.0)) {
            Some((slope, i)) if slope < -1e-9 * stiffness && round < ITERATIONS / 2 => is_free[i] = true,
            _ => break,
        }
    }
    weights.map(|weight| weight.max(0.0))
}

/// Solves `n` equations, each with its right side in the last column, by Gaussian elimination with pivoting;
/// `None` if there is no unique solution.
fn solve_linear(rows: &mut [[f64; MAX_BONES + 2]; MAX_BONES + 1], n: usize) -> Option<[f64; MAX_BONES + 1]> {
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
    let mut solution = [0.0; MAX_BONES + 1];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| rows[i][j] * solution[j]).sum();
        solution[i] = (rows[i][n] - known) / rows[i][i];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::{Bone, Skeleton};
    use crate::testing::Random;
    use glam::Quat;

    fn arm(locked: Option<usize>) -> Rules {
        let bone = |i: usize| Bone {
            extent: Vec3::X,
            parent: i.checked_sub(1).map(|parent| parent as u32),
            channel_id: i as u32,
            lock_weights: locked == Some(i),
            ..Bone::default()
        };
        let skeleton = Skeleton { bones: (0..3).map(bone).collect(), ..Skeleton::default() };
        Rules::new(&skeleton, 0)
    }

    /// Skinning transforms with the second bone bent by 90 degrees and the third by 60 more.
    fn bent() -> Vec<Affine3A> {
        let rotation = |x: f32, angle: f32| {
            Affine3A::from_translation(Vec3::X * x)
                * Affine3A::from_quat(Quat::from_rotation_z(angle))
                * Affine3A::from_translation(Vec3::NEG_X * x)
        };
        let second = rotation(1.0, 1.57);
        vec![Affine3A::IDENTITY, second, second * rotation(2.0, 1.05)]
    }

    fn posed_position(row: &Row, position: Vec3) -> DVec3 {
        let skinning = bent();
        row.iter()
            .map(|(bone, w)| skinning[usize::from(*bone)].transform_point3(position).as_dvec3() * *w)
            .sum()
    }

    #[test]
    fn the_skin_moves_where_it_is_pulled_if_bones_can_move_it_there() {
        let (rules, mut random) = (arm(None), Random::new(5));
        for _ in 0..500 {
            let position = Vec3::new(random.range(0.6, 2.4), random.range(-0.3, 0.3), 0.1);
            let weights = [random.range(0.05, 1.0), random.range(0.05, 1.0), random.range(0.05, 1.0)];
            let sum: f32 = weights.iter().sum();
            let wanted: Row = (0..3).map(|i| (i as u16, f64::from(weights[i] / sum))).collect();
            let mut row: Row = vec![(0, 0.3), (1, 0.7)];
            let offset = posed_position(&wanted, position) - posed_position(&row, position);
            let moved = pull(&rules, &bent(), (&mut row, &mut Row::new()), position, offset);
            assert!(
                moved.is_some_and(|part| (0.8..=1.0).contains(&part)) || offset.length() < 0.05,
                "{moved:?}"
            );
            let missed = posed_position(&row, position).distance(posed_position(&wanted, position));
            assert!(missed < 0.02, "{missed} of {}", offset.length());
            assert!((row.iter().map(|(_, w)| w).sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(row.iter().all(|(_, w)| *w > 0.0));
        }
    }

    /// Among many other weights, none come closer to the target than the solution.
    #[test]
    fn skin_that_cannot_reach_its_target_comes_as_close_as_possible() {
        let (rules, mut random) = (arm(None), Random::new(6));
        let position = Vec3::new(1.3, 0.2, 0.0);
        for _ in 0..50 {
            let offset =
                DVec3::new(f64::from(random.range(-3.0, 3.0)), f64::from(random.range(-3.0, 3.0)), 0.0);
            let mut row: Row = vec![(0, 0.5), (1, 0.5)];
            let target = posed_position(&row, position) + offset;
            let moved = pull(&rules, &bent(), (&mut row, &mut Row::new()), position, offset).unwrap();
            let moved_by = posed_position(&row, position) - (target - offset);
            assert!((moved - moved_by.dot(offset) / offset.length_squared()).abs() < 1e-3, "{moved}");
            assert!(moved < 0.9 || offset.length() < 1.5);
            let found = posed_position(&row, position).distance(target);
            for a in 0..=20 {
                for b in 0..=20 - a {
                    let [a, b] = [a, b].map(|part| f64::from(part) / 20.0);
                    let other: Row = vec![(0, a), (1, b), (2, 1.0 - a - b)];
                    let missed = posed_position(&other, position).distance(target);
                    assert!(found <= missed + 0.01, "{found} is further away than {missed} of {other:?}");
                }
            }
        }
    }

    #[test]
    fn locked_bones_keep_their_weights_and_immovable_vertices_stay() {
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
        assert_eq!(pull(&rules, &at_rest, (&mut row, &mut Row::new()), Vec3::X, DVec3::Y), None);
        assert_eq!(row, vec![(0, 1.0)]);
    }
}
