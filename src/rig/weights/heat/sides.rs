//! Left and right limbs do not share a vertex, except for a narrow band between them.
//!
//! Heat does not stop at the crotch, where one thigh goes over into the other, nor at the breastbone between
//! the clavicles. So there is a border: where the left limbs of all pairs ([`super::pairs`]) together are as
//! warm as the right ones. A limb's bones are solved for once more, with the surface held at 0 from a band's
//! width beyond the border on; what that takes from them their parent gets.
//!
//! So no vertex beyond the band follows the other side, rows still sum to 1, and weights are a solution of the
//! same equation, as smooth as any that ends there. The band leaves room for it: without, weights would come
//! down to 0 in half the way, and change twice as fast.
//!
//! This step is our own; Baran and Popović do without, and so does Blender.

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

/// The band's width beyond the border: part of the smallest distance from a limb's first tip to the middle
/// between both.
const BAND: f64 = 1.0 / 6.0;
/// It is so many edges wide at least, where faces are large.
const EDGES: f64 = 1.2;
/// Way along the surface counts this much less than way across the border.
const ALONG: f64 = 1.0 / 3.0;
/// Parts of the work, for the progress: all limbs at once, and each side.
const ALL: f32 = 0.5;
const ONE: f32 = 0.25;

/// What a bone is of.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Limb {
    /// 0 is left, 1 right.
    side: usize,
    /// How much it is one of a pair.
    much: f64,
    /// Gets what it loses.
    parent: u16,
}

/// The limbs of a skeleton.
pub struct Sides {
    /// The limb of each bone.
    limbs: Vec<Option<Limb>>,
    /// How far a limb reaches beyond the border; in the space of the segments.
    band: f64,
}

impl Sides {
    /// `segments`: of all bones of the skeleton, in any unit.
    pub fn new(skeleton: &Skeleton, segments: &[Segment]) -> Self {
        let pairs = pairs::find(skeleton);
        let mut limbs: Vec<Option<Limb>> = vec![None; segments.len()];
        for bone in 0..segments.len() {
            let above = parent_of(skeleton, bone).and_then(|parent| limbs[parent]);
            let own = pairs.iter().flat_map(|pair| Limb::new(pair, bone));
            let much = |limb: &Limb| limb.much;
            // Among equals, the one further up.
            limbs[bone] = own.fold(above, |most, own| match most {
                Some(limb) if much(&limb) >= much(&own) => Some(limb),
                _ => Some(own),
            });
        }
        let half = |pair: &Pair| {
            let [left, right] = pair.bones.map(|bone| segments[bone].tip);
            0.5 * left.distance(right)
        };
        let band = BAND * pairs.iter().map(half).fold(f64::INFINITY, f64::min);
        Self { limbs, band }
    }

    /// P: the temperatures, parted.
    ///
    /// # Errors
    /// As [`Diffusion::solve`].
    pub fn parted(
        &self,
        diffusion: &Diffusion<'_>,
        progress: &Progress<'_>,
    ) -> Result<Vec<Row>, MethodError> {
        let all: Vec<usize> = (0..diffusion.bones).collect();
        if self.limbs.iter().all(Option::is_none) {
            return diffusion.solve(&all, None, progress);
        }
        let mut rows = diffusion.solve(&all, None, &|part| progress(ALL * part))?;
        let beyond = self.beyond(diffusion.stiffness, &rows);
        for (side, cold) in beyond.iter().enumerate() {
            let of_side = |bone: &usize| self.limbs[*bone].is_some_and(|limb| limb.side == side);
            let bones: Vec<usize> = all.iter().copied().filter(of_side).collect();
            let before = ALL + ONE * side as f32;
            let ended = diffusion.solve(&bones, Some(cold), &|part| progress(before + ONE * part))?;
            for (row, ended) in rows.iter_mut().zip(ended) {
                self.end(row, &ended, side);
            }
        }
        Ok(rows)
    }

    /// Per side, P: where its limbs have nothing.
    fn beyond(&self, stiffness: &Stiffness, rows: &[Row]) -> [Vec<bool>; 2] {
        let warmer: Vec<f64> = rows.iter().map(|row| self.warmer(row)).collect();
        let near = near_border(stiffness, &warmer, self.band);
        [-1.0, 1.0].map(|sign| {
            let far = warmer
                .iter()
                .zip(&near)
                .map(|(warmer, near)| sign * warmer > 0.0 && !near);
            far.collect()
        })
    }

    /// By how much a point is warmer from the left limbs than from the right ones.
    fn warmer(&self, row: &Row) -> f64 {
        let of_limbs = row
            .iter()
            .filter_map(|&(bone, heat)| Some((self.limbs[usize::from(bone)]?, heat)));
        of_limbs
            .map(|(limb, heat)| {
                if limb.side == 0 {
                    limb.much * heat
                } else {
                    -limb.much * heat
                }
            })
            .sum()
    }

    /// Takes from the bones of a side what they do not have in `ended`, and gives it to their parents.
    fn end(&self, row: &mut Row, ended: &Row, side: usize) {
        let mut gained: Vec<(u16, f64)> = Vec::new();
        for (bone, heat) in row.iter_mut() {
            let Some(limb) = self.limbs[usize::from(*bone)].filter(|limb| limb.side == side) else {
                continue;
            };
            let left = ended.binary_search_by_key(bone, |(bone, _)| *bone);
            let left = left.map_or(0.0, |at| ended[at].1);
            let lost = limb.much * (*heat - left).max(0.0);
            *heat -= lost;
            gained.push((limb.parent, lost));
        }
        for (parent, heat) in gained {
            match row.binary_search_by_key(&parent, |(bone, _)| *bone) {
                Ok(at) => row[at].1 += heat,
                Err(at) => row.insert(at, (parent, heat)),
            }
        }
        row.retain(|(_, heat)| *heat > super::largest::NOTHING);
    }
}

impl Limb {
    fn new(pair: &Pair, bone: usize) -> Option<Self> {
        let side = pair.bones.iter().position(|of_pair| *of_pair == bone)?;
        Some(Self {
            side,
            much: pair.much,
            parent: pair.parent,
        })
    }
}

/// Points within `band` of where `values`, P, change their sign, or within [`EDGES`] edges as they are there;
/// measured along x, and along the surface where that is much longer.
fn near_border(stiffness: &Stiffness, values: &[f64], band: f64) -> Vec<bool> {
    let length = |i: usize, j: usize| {
        let way = (stiffness.points[i] - stiffness.points[j]).as_dvec3();
        way.x.abs().max(ALONG * way.length())
    };
    let mut around = vec![Vec::new(); values.len()];
    let mut distance = vec![f64::INFINITY; values.len()];
    let (mut steps, mut ways) = (0.0, 0.0);
    for &(i, j, _) in &stiffness.edges {
        let (i, j) = (i as usize, j as usize);
        let way = length(i, j);
        around[i].push((j, way));
        around[j].push((i, way));
        let step = (values[i] - values[j]).abs();
        if step > 0.0 && values[i] * values[j] <= 0.0 {
            for end in [i, j] {
                distance[end] = distance[end].min(way * values[end].abs() / step);
            }
            // Points of a plane of symmetry have values that are nothing but rounding: their edges do not count.
            (steps, ways) = (steps + step, ways + step * way);
        }
    }
    let band = if steps > 0.0 {
        band.max(EDGES * ways / steps)
    } else {
        band
    };
    // Distances are not negative: their bits are in their order.
    let start = |(point, distance): (usize, &f64)| {
        (*distance <= band).then_some(Reverse((distance.to_bits(), point)))
    };
    let mut next: BinaryHeap<_> = distance.iter().enumerate().filter_map(start).collect();
    while let Some(Reverse((bits, point))) = next.pop() {
        let so_far = f64::from_bits(bits);
        if so_far > distance[point] {
            continue;
        }
        for &(other, way) in &around[point] {
            let there = so_far + way;
            if there < distance[other] && there <= band {
                distance[other] = there;
                next.push(Reverse((there.to_bits(), other)));
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
    fn the_band_is_as_wide_as_it_is_told_and_an_edge_at_least() {
        let fine: Vec<f32> = (-50..50).map(|i| i as f32 + 0.5).collect();
        let values: Vec<f64> = fine.iter().map(|&x| f64::from(x)).collect();
        let near = near_border(&line(&fine), &values, 10.0);
        for (x, near) in fine.iter().zip(near) {
            assert_eq!(near, x.abs() < 10.0, "{x}");
        }
        // On coarse surfaces the points next to the border: 1.2 edges.
        let near = near_border(&line(&fine), &values, 0.01);
        assert_eq!(near.iter().filter(|near| **near).count(), 2);
        // Values that vanish in the middle except for rounding.
        let middle = [-2.0, -1.0, 0.0, 1.0, 2.0];
        let near = near_border(&line(&middle), &[-1.0, -0.5, -1e-17, 0.5, 1.0], 0.01);
        assert_eq!(near, [false, true, true, true, false]);
        // No border: nothing is near.
        assert_eq!(near_border(&line(&middle), &[1.0; 5], 10.0), [false; 5]);
    }

    #[test]
    fn what_ends_goes_to_the_parent_and_rows_keep_their_sum() {
        let limb = |side, much| {
            Some(Limb {
                side,
                much,
                parent: 1,
            })
        };
        let sides = Sides {
            limbs: vec![None, None, limb(0, 1.0), limb(1, 0.5), limb(0, 1.0)],
            band: 1.0,
        };
        let mut row = vec![(0, 0.1), (2, 0.4), (3, 0.2), (4, 0.3)];
        sides.end(&mut row, &vec![(2, 0.3)], 0);
        let close = |row: &Row, expected: &[(u16, f64)]| {
            assert!(
                row.len() == expected.len()
                    && row
                        .iter()
                        .zip(expected)
                        .all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-12),
                "{row:?}"
            );
        };
        close(&row, &[(0, 0.1), (1, 0.4), (2, 0.3), (3, 0.2)]);
        sides.end(&mut row, &vec![], 1);
        close(&row, &[(0, 0.1), (1, 0.5), (2, 0.3), (3, 0.1)]);
    }
}
