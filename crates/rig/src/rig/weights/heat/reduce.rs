//! Reduces the temperatures of all points to few bones per point, such that what a point loses changes smoothly over the
//! surface.
//!
//! Where bones change ranks, [`largest`] is continuous in space but may be steep: along the side of a heavy body, a row goes from
//! pelvis, spine, chest and arm to spine, chest, arm and thigh within one edge. The bones of each point are thus kept, and the
//! difference between the reduced and the full rows is relaxed towards its mean around the point (one step of Jacobi's method for
//! the Laplace equation of the difference), as in E. Landreneau and S. Schaefer, "Poisson-based weight reduction of animated meshes",
//! Computer Graphics Forum 29(6), 2010.

use super::diffusion::Row;
use super::laplacian::Stiffness;
use super::largest::{ROUNDING, largest};
use rayon::prelude::*;

/// How often differences are relaxed. In the poses of the checking motion, the longest edges of 16 bodies are the same with 40.
const SWEEPS: usize = 20;
/// The share of the way to the mean in each sweep; all of it would oscillate.
const STEP: f64 = 0.9;
/// How far around points that lose bones differences may spread, in edges.
const SPREAD: usize = 4;

/// Keeps at most `most` weights of each row (P). Rows are in ascending order of bones and sum to 1 afterwards. `parents`: the
/// parent of each bone.
pub fn reduced(rows: Vec<Row>, most: usize, stiffness: &Stiffness, parents: &[Option<usize>]) -> Vec<Row> {
    let full: Vec<Row> = rows.into_par_iter().map(normalized).collect();
    let mut rows: Vec<Row> =
        full.par_iter().map(|row| normalized(largest(row.clone(), Some(most), parents))).collect();
    let mut around: Vec<Vec<(u32, f64)>> = vec![Vec::new(); full.len()];
    for &(i, j, weight) in &stiffness.edges {
        around[i as usize].push((j, weight));
        around[j as usize].push((i, weight));
    }
    let mut is_free: Vec<bool> = full.iter().map(|row| row.len() > most).collect();
    for _ in 0..SPREAD {
        let is_near = |(i, near): (usize, &Vec<(u32, f64)>)| {
            is_free[i] || near.iter().any(|(j, _)| is_free[*j as usize])
        };
        is_free = around.iter().enumerate().map(is_near).collect();
    }
    let free: Vec<usize> = (0..full.len()).filter(|&i| is_free[i]).collect();
    for _ in 0..SWEEPS {
        let relaxed: Vec<Row> = free.par_iter().map(|&i| relaxed(i, &around[i], &rows, &full)).collect();
        free.iter().zip(relaxed).for_each(|(&i, row)| rows[i] = row);
    }
    rows.into_par_iter()
        .map(|mut row| {
            row.retain(|(_, weight)| *weight > ROUNDING);
            normalized(row)
        })
        .collect()
}

/// The row of point `i` with its difference to the full row moved towards the weighted mean of those `around` it, for the same
/// bones.
fn relaxed(i: usize, around: &[(u32, f64)], rows: &[Row], full: &[Row]) -> Row {
    let total: f64 = around.iter().map(|(_, weight)| weight).sum();
    if total <= 0.0 {
        return rows[i].clone();
    }
    let moved = rows[i].iter().map(|&(bone, before)| {
        let difference = |j: usize| of_bone(&rows[j], bone) - of_bone(&full[j], bone);
        let mean = around.iter().map(|&(j, weight)| weight * difference(j as usize)).sum::<f64>() / total;
        let wanted = of_bone(&full[i], bone) + mean;
        (bone, (before + STEP * (wanted - before)).max(0.0))
    });
    let moved: Row = moved.collect();
    if moved.iter().any(|(_, weight)| *weight > ROUNDING) { normalized(moved) } else { rows[i].clone() }
}

fn of_bone(row: &Row, bone: u16) -> f64 {
    row.binary_search_by_key(&bone, |(bone, _)| *bone).map_or(0.0, |index| row[index].1)
}

/// A row that sums to 1; unchanged if it sums to 0.
fn normalized(mut row: Row) -> Row {
    let sum: f64 = row.iter().map(|(_, weight)| weight).sum();
    if sum > 0.0 {
        row.iter_mut().for_each(|(_, weight)| *weight /= sum);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// A strip along which six bones rise and fall one after the other, as along a spine.
    #[test]
    fn what_is_lost_changes_smoothly() {
        let count = 101;
        let edges = (1..count as u32).map(|i| (i - 1, i, 1.0));
        let stiffness = Stiffness {
            points: (0..count).map(|i| Vec3::X * i as f32).collect(),
            point_of_vertex: (0..count as u32).collect(),
            edges: edges.collect(),
            areas: vec![1.0; count],
            shell_of_point: vec![0; count],
            shells: 1,
        };
        let weight =
            |i: usize, bone: u16| (-((i as f64 / 100.0 - f64::from(bone) / 5.0) / 0.45).powi(2)).exp();
        let full: Vec<Row> =
            (0..count).map(|i| normalized((0..6).map(|bone| (bone, weight(i, bone))).collect())).collect();
        let parents: Vec<Option<usize>> = (0..6usize).map(|bone| bone.checked_sub(1)).collect();
        let steepest = |rows: &[Row]| {
            let steps = rows.windows(2).flat_map(|pair| {
                (0..6).map(|bone| (of_bone(&pair[1], bone) - of_bone(&pair[0], bone)).abs())
            });
            steps.fold(0.0, f64::max)
        };
        let before: Vec<Row> = full.iter().map(|row| largest(row.clone(), Some(3), &parents)).collect();
        let after = reduced(full, 3, &stiffness, &parents);
        assert!(steepest(&after) < 0.6 * steepest(&before), "{} {}", steepest(&after), steepest(&before));
        for row in &after {
            let sum: f64 = row.iter().map(|(_, weight)| weight).sum();
            assert!(row.len() <= 3 && row.is_sorted_by_key(|(bone, _)| *bone) && (sum - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn rows_with_few_bones_far_from_others_stay() {
        let stiffness = Stiffness {
            points: vec![Vec3::ZERO, Vec3::X],
            point_of_vertex: vec![0, 1],
            edges: vec![(0, 1, 1.0)],
            areas: vec![1.0; 2],
            shell_of_point: vec![0; 2],
            shells: 1,
        };
        let rows: Vec<Row> = vec![vec![(0, 0.25), (2, 0.75)], vec![]];
        assert_eq!(reduced(rows.clone(), 2, &stiffness, &[None, Some(0), Some(1)]), rows);
    }
}
