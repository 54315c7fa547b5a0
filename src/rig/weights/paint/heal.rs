//! The smoothest weights that fit to what lies around: Laplace's equation inside of an area, for each bone.
//!
//! Since every row around it sums to 1 and has nothing negative, so do the rows inside (maximum principle).

use super::canvas::Canvas;
use super::row::Row;
use crate::math::nested_dissection::nested_dissection;
use crate::math::sparse::{Factor, LANES, Symmetric};
use std::collections::BTreeSet;

/// Points that are healed at once: more take too long, and too much memory.
pub const MOST: usize = 20_000;

/// How much a point holds on to its own weights: enough for areas that nothing lies around.
const OWN: f64 = 1e-9;
/// Of the solution, what is no more than its rounding.
const ROUNDING: f64 = 1e-7;

/// The row of each point of `area`. `row`: of any point, before.
pub fn healed(canvas: &Canvas, area: &[u32], row: impl Fn(u32) -> Row) -> Vec<Row> {
    const NONE: u32 = u32::MAX;
    let mut place = vec![NONE; canvas.points.len()];
    for (i, &point) in area.iter().enumerate() {
        place[point as usize] = i as u32;
    }
    let mut matrix = Symmetric {
        diagonal: vec![0.0; area.len()],
        entries: Vec::new(),
    };
    // The rows that are given, with the equations that they are in.
    let mut given: Vec<(usize, f64, Row)> = Vec::new();
    for (i, &point) in area.iter().enumerate() {
        let mut sum = 0.0;
        for link in canvas.edges(point) {
            let stiffness = 1.0 / f64::from(link.length);
            sum += stiffness;
            match place[link.to as usize] {
                NONE => given.push((i, stiffness, row(link.to))),
                other if other < i as u32 => matrix.entries.push((i as u32, other, -stiffness)),
                _ => {}
            }
        }
        let own = OWN * sum.max(f64::MIN_POSITIVE);
        matrix.diagonal[i] = sum + own;
        given.push((i, own, row(point)));
    }
    let points: Vec<_> = area.iter().map(|&point| canvas.points[point as usize]).collect();
    let order = nested_dissection(&points, matrix.entries.iter().map(|&(i, j, _)| (i, j)));
    let mut rows = vec![Row::new(); area.len()];
    let Ok(factor) = Factor::new(&matrix, order, |_| true) else {
        return area.iter().map(|&point| row(point)).collect();
    };
    let bones: BTreeSet<u16> = given
        .iter()
        .flat_map(|(_, _, row)| row.iter().map(|(bone, _)| *bone))
        .collect();
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
