//! Fills an area with the smoothest weights that match its surroundings: Laplace's equation for each bone.
//!
//! Since every surrounding row sums to 1 without negative weights, so do the rows inside (maximum principle).

use super::canvas::Canvas;
use super::row::Row;
use crate::math::nested_dissection::nested_dissection;
use crate::math::sparse::{Factor, LANES, Symmetric};
use std::collections::BTreeSet;

/// The most points that can be healed at once: more would take too long and too much memory.
pub const MOST: usize = 20_000;

/// The relative stiffness towards a point's own weights, which keeps the system solvable for areas without
/// surroundings.
const OWN_STIFFNESS: f64 = 1e-9;
/// Weights of the solution up to this are only rounding errors.
const ROUNDING: f64 = 1e-7;

/// Returns the healed row of each point of `area`. `row` returns the original row of any point.
pub fn healed(canvas: &Canvas, area: &[u32], row: impl Fn(u32) -> Row) -> Vec<Row> {
    const NONE: u32 = u32::MAX;
    let mut index_in_area = vec![NONE; canvas.points.len()];
    for (i, &point) in area.iter().enumerate() {
        index_in_area[point as usize] = i as u32;
    }
    let mut matrix = Symmetric { diagonal: vec![0.0; area.len()], entries: Vec::new() };
    // The given rows, with their equations and stiffness.
    let mut given: Vec<(usize, f64, Row)> = Vec::new();
    for (i, &point) in area.iter().enumerate() {
        let mut sum = 0.0;
        for link in canvas.edges(point) {
            let stiffness = 1.0 / f64::from(link.length);
            sum += stiffness;
            match index_in_area[link.to as usize] {
                NONE => given.push((i, stiffness, row(link.to))),
                other if other < i as u32 => matrix.entries.push((i as u32, other, -stiffness)),
                _ => {}
            }
        }
        let own_stiffness = OWN_STIFFNESS * sum.max(f64::MIN_POSITIVE);
        matrix.diagonal[i] = sum + own_stiffness;
        given.push((i, own_stiffness, row(point)));
    }
    let points: Vec<_> = area.iter().map(|&point| canvas.points[point as usize]).collect();
    let order = nested_dissection(&points, matrix.entries.iter().map(|&(i, j, _)| (i, j)));
    let mut rows = vec![Row::new(); area.len()];
    let Ok(factor) = Factor::new(&matrix, order, |_| true) else {
        return area.iter().map(|&point| row(point)).collect();
    };
    let bones: BTreeSet<u16> =
        given.iter().flat_map(|(_, _, row)| row.iter().map(|(bone, _)| *bone)).collect();
    let bones: Vec<u16> = bones.into_iter().collect();
    for lanes in bones.chunks(LANES) {
        let mut sides = vec![[0.0; LANES]; area.len()];
        for (i, stiffness, row) in &given {
            for (bone, weight) in row {
                if let Ok(lane) = lanes.binary_search(bone) {
                    sides[*i][lane] += stiffness * weight;
                }
            }
        }
        factor.solve(&mut sides);
        for (row, side) in rows.iter_mut().zip(&sides) {
            let found = lanes.iter().zip(side).filter(|(_, weight)| **weight > ROUNDING);
            row.extend(found.map(|(bone, weight)| (*bone, *weight)));
        }
    }
    rows
}
