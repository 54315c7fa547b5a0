//! Separates left and right limbs, so that they share no vertex except in a narrow band between them.
//!
//! Heat stops neither at the crotch, where one thigh adjoins the other, nor at the breastbone between the
//! clavicles. The border is where the left limbs of all pairs ([`super::pairs`]) together are as warm as the
//! right ones. The bones of each limb are solved again with the surface fixed at 0 beyond the border plus the
//! width of the band; what they lose goes to their parent.
//!
//! Thus no vertex beyond the band follows the other side, rows still sum to 1, and the weights solve the same
//! equation, as smoothly as its boundary allows. Without the band, weights would fall to 0 within half the
//! distance and change twice as fast.
//!
//! This step is not part of Baran and Popović's method or Blender's.

use super::super::method::MethodError;
use super::super::progress::Progress;
use super::super::segments::Segment;
use super::diffusion::{Diffusion, Row};
use super::laplacian::Stiffness;
use super::pairs::{self, Pair};
use crate::rig::kinematics::parent_of;
use crate::rig::skeleton::Skeleton;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// The width of the band beyond the border, as a fraction of the smallest distance between the first tip of a
/// limb and the midpoint of its pair.
const BAND: f64 = 1.0 / 6.0;
/// The minimum width of the band in edges, for meshes with large faces.
const MIN_EDGES: f64 = 1.2;
/// The factor of distances along the border relative to those across it.
const ALONG: f64 = 1.0 / 3.0;
/// The shares of the first solve and of each side in the progress.
const FIRST_SHARE: f32 = 0.5;
const SIDE_SHARE: f32 = 0.25;

/// The limb that a bone belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Limb {
    /// 0 for left, 1 for right.
    side: usize,
    /// The confidence that the limb is one of a pair, above 0 to 1.
    score: f64,
    /// The bone that gets what the limb loses.
    parent: u16,
}

/// The limbs of a skeleton.
pub struct Sides {
    /// The limb of each bone.
    limbs: Vec<Option<Limb>>,
    /// The distance that limbs may reach beyond the border, in the space of the segments.
    band: f64,
}

impl Sides {
    /// Finds the limbs of a skeleton. `segments`: all of its bones, in any unit.
    pub fn new(skeleton: &Skeleton, segments: &[Segment]) -> Self {
        let pairs = pairs::find(skeleton);
        let mut limbs: Vec<Option<Limb>> = vec![None; segments.len()];
        for bone in 0..segments.len() {
            let above = parent_of(skeleton, bone).and_then(|parent| limbs[parent]);
            let starting = pairs.iter().flat_map(|pair| Limb::new(pair, bone));
            // Among equal scores, the limb further up the tree wins.
            limbs[bone] = starting.fold(above, |best, limb| match best {
                Some(best) if best.score >= limb.score => Some(best),
                _ => Some(limb),
            });
        }
        let half_distance = |pair: &Pair| {
            let [left, right] = pair.bones.map(|bone| segments[bone].tip);
            0.5 * left.distance(right)
        };
        let band = BAND * pairs.iter().map(half_distance).fold(f64::INFINITY, f64::min);
        Self { limbs, band }
    }

    /// Solves for the temperatures of all bones at each point, with the sides separated.
    ///
    /// # Errors
    /// See [`Diffusion::solve`].
    pub fn solve(&self, diffusion: &Diffusion<'_>, progress: &Progress<'_>) -> Result<Vec<Row>, MethodError> {
        let all: Vec<usize> = (0..diffusion.bones).collect();
        if self.limbs.iter().all(Option::is_none) {
            return diffusion.solve(&all, None, progress);
        }
        let mut rows = diffusion.solve(&all, None, &|part| progress(FIRST_SHARE * part))?;
        let beyond = self.beyond(diffusion.stiffness, &rows);
        // Both at the same time: each has half of the surface.
        let parts = [0, 0].map(AtomicU32::new);
        let solve = |side: usize| {
            let is_on_side = |bone: &usize| self.limbs[*bone].is_some_and(|limb| limb.side == side);
            let bones: Vec<usize> = all.iter().copied().filter(is_on_side).collect();
            diffusion.solve(&bones, Some(&beyond[side]), &|part| {
                parts[side].store((1000.0 * part) as u32, Relaxed);
                let both: u32 = parts.iter().map(|part| part.load(Relaxed)).sum();
                progress(FIRST_SHARE + SIDE_SHARE * both as f32 / 1000.0)
            })
        };
        let (left, right) = rayon::join(|| solve(0), || solve(1));
        for (side, limited) in [left?, right?].into_iter().enumerate() {
            for (row, limited) in rows.iter_mut().zip(limited) {
                self.apply_limit(row, &limited, side);
            }
        }
        Ok(rows)
    }

    /// Returns, for each side and point, whether the point is beyond the reach of the side's limbs.
    fn beyond(&self, stiffness: &Stiffness, rows: &[Row]) -> [Vec<bool>; 2] {
        let differences: Vec<f64> = rows.iter().map(|row| self.left_minus_right(row)).collect();
        let near = near_border(stiffness, &differences, self.band);
        [-1.0, 1.0].map(|sign| {
            let is_beyond =
                differences.iter().zip(&near).map(|(difference, near)| sign * difference > 0.0 && !near);
            is_beyond.collect()
        })
    }

    /// Returns by how much the left limbs warm a point more than the right ones.
    fn left_minus_right(&self, row: &Row) -> f64 {
        let limbs = row.iter().filter_map(|&(bone, heat)| Some((self.limbs[usize::from(bone)]?, heat)));
        limbs.map(|(limb, heat)| if limb.side == 0 { limb.score * heat } else { -limb.score * heat }).sum()
    }

    /// Lowers the bones of a side to their temperatures in `limited` and gives the difference to their
    /// parents.
    fn apply_limit(&self, row: &mut Row, limited: &Row, side: usize) {
        let mut gained: Vec<(u16, f64)> = Vec::new();
        for (bone, heat) in row.iter_mut() {
            let Some(limb) = self.limbs[usize::from(*bone)].filter(|limb| limb.side == side) else {
                continue;
            };
            let found = limited.binary_search_by_key(bone, |(bone, _)| *bone);
            let remaining = found.map_or(0.0, |i| limited[i].1);
            let lost = limb.score * (*heat - remaining).max(0.0);
            *heat -= lost;
            gained.push((limb.parent, lost));
        }
        for (parent, heat) in gained {
            match row.binary_search_by_key(&parent, |(bone, _)| *bone) {
                Ok(i) => row[i].1 += heat,
                Err(i) => row.insert(i, (parent, heat)),
            }
        }
        row.retain(|(_, heat)| *heat > super::largest::ROUNDING);
    }
}

impl Limb {
    fn new(pair: &Pair, bone: usize) -> Option<Self> {
        let side = pair.bones.iter().position(|&first| first == bone)?;
        Some(Self { side, score: pair.score, parent: pair.parent })
    }
}

/// Returns whether each point is within `band` of where `values`, P, change sign, or within [`MIN_EDGES`]
/// edges of the typical length there. Distances are measured along x, or along the surface where that is much
/// longer.
fn near_border(stiffness: &Stiffness, values: &[f64], band: f64) -> Vec<bool> {
    let edge_length = |i: usize, j: usize| {
        let edge = (stiffness.points[i] - stiffness.points[j]).as_dvec3();
        edge.x.abs().max(ALONG * edge.length())
    };
    let mut around = vec![Vec::new(); values.len()];
    let mut distance = vec![f64::INFINITY; values.len()];
    let (mut steps, mut lengths) = (0.0, 0.0);
    for &(i, j, _) in &stiffness.edges {
        let (i, j) = (i as usize, j as usize);
        let length = edge_length(i, j);
        around[i].push((j, length));
        around[j].push((i, length));
        let step = (values[i] - values[j]).abs();
        if step > 0.0 && values[i] * values[j] <= 0.0 {
            for end in [i, j] {
                distance[end] = distance[end].min(length * values[end].abs() / step);
            }
            // Weighted by the step: on a plane of symmetry, values are only rounding errors and must not
            // count.
            (steps, lengths) = (steps + step, lengths + step * length);
        }
    }
    let band = if steps > 0.0 { band.max(MIN_EDGES * lengths / steps) } else { band };
    // Non-negative floats sort like their bits.
    let start = |(point, distance): (usize, &f64)| {
        (*distance <= band).then_some(Reverse((distance.to_bits(), point)))
    };
    let mut queue: BinaryHeap<_> = distance.iter().enumerate().filter_map(start).collect();
    while let Some(Reverse((bits, point))) = queue.pop() {
        let so_far = f64::from_bits(bits);
        if so_far > distance[point] {
            continue;
        }
        for &(other, length) in &around[point] {
            let total = so_far + length;
            if total < distance[other] && total <= band {
                distance[other] = total;
                queue.push(Reverse((total.to_bits(), other)));
            }
        }
    }
    distance.into_iter().map(|distance| distance <= band).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn line(xs: &[f32]) -> Stiffness {
        let edges = (1..xs.len() as u32).map(|i| (i - 1, i, 1.0));
        Stiffness {
            points: xs.iter().map(|&x| Vec3::X * x).collect(),
            point_of_vertex: (0..xs.len() as u32).collect(),
            edges: edges.collect(),
            areas: vec![1.0; xs.len()],
            shell_of_point: vec![0; xs.len()],
            shells: 1,
        }
    }

    #[test]
    fn the_band_has_the_given_width_and_at_least_that_of_an_edge() {
        let fine: Vec<f32> = (-50..50).map(|i| i as f32 + 0.5).collect();
        let values: Vec<f64> = fine.iter().map(|&x| f64::from(x)).collect();
        let near = near_border(&line(&fine), &values, 10.0);
        for (x, near) in fine.iter().zip(near) {
            assert_eq!(near, x.abs() < 10.0, "{x}");
        }
        // On coarse surfaces, the points next to the border: 1.2 edges.
        let near = near_border(&line(&fine), &values, 0.01);
        assert_eq!(near.iter().filter(|near| **near).count(), 2);
        // Values in the middle that are 0 except for rounding.
        let middle = [-2.0, -1.0, 0.0, 1.0, 2.0];
        let near = near_border(&line(&middle), &[-1.0, -0.5, -1e-17, 0.5, 1.0], 0.01);
        assert_eq!(near, [false, true, true, true, false]);
        // Without a border nothing is near it.
        assert_eq!(near_border(&line(&middle), &[1.0; 5], 10.0), [false; 5]);
    }

    #[test]
    fn lost_heat_goes_to_the_parent_and_rows_keep_their_sum() {
        let limb = |side, score| Some(Limb { side, score, parent: 1 });
        let sides = Sides { limbs: vec![None, None, limb(0, 1.0), limb(1, 0.5), limb(0, 1.0)], band: 1.0 };
        let mut row = vec![(0, 0.1), (2, 0.4), (3, 0.2), (4, 0.3)];
        sides.apply_limit(&mut row, &vec![(2, 0.3)], 0);
        let close = |row: &Row, expected: &[(u16, f64)]| {
            assert!(
                row.len() == expected.len()
                    && row.iter().zip(expected).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-12),
                "{row:?}"
            );
        };
        close(&row, &[(0, 0.1), (1, 0.4), (2, 0.3), (3, 0.2)]);
        sides.apply_limit(&mut row, &vec![], 1);
        close(&row, &[(0, 0.1), (1, 0.5), (2, 0.3), (3, 0.1)]);
    }
}
