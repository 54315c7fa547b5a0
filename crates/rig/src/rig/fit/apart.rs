//! Parts of a body that only touch come apart.

use super::tuning::{ERODED, FAR_APART, LANDMARKS, REGROWN};
use super::voxels::{FAR, STEP, Voxels};
use std::collections::BinaryHeap;

/// No voxel.
const NONE: u32 = u32::MAX;

/// How parts that only touch come apart.
#[derive(Clone, Copy, Debug)]
pub enum Apart {
    Not,
    /// The outer layer of the body is ignored, this deep in voxels.
    Eroded(f32),
    /// The layer grows back, and what is thinner than it, but not where parts meet that are far apart through the inside.
    Regrown(f32),
}

/// The ways that are tried, in this order.
pub const WAYS: [Apart; 2] = [Apart::Eroded(ERODED), Apart::Regrown(REGROWN)];

/// Takes a body apart, and removes all but the largest piece. `depths`: of its voxels. Returns the share of that piece; without the
/// layer if there is one.
pub fn take_apart(voxels: &mut Voxels, depths: &[f32], apart: Apart) -> f32 {
    let (Apart::Eroded(erosion) | Apart::Regrown(erosion)) = apart else { return voxels.retain_largest() };
    let whole = voxels.inside.clone();
    voxels.inside.iter_mut().zip(depths).for_each(|(inside, depth)| *inside &= *depth > erosion);
    let share = voxels.retain_largest();
    if let Apart::Regrown(erosion) = apart {
        regrow(voxels, &whole, depths, erosion);
    }
    share
}

/// Grows what is inside by a layer, and then by all that is thinner, within the `whole` body.
fn regrow(voxels: &mut Voxels, whole: &[bool], depths: &[f32], erosion: f32) {
    let ways = ways(voxels, depths);
    let Some(from_middle) = ways.first() else { return };
    let far_apart = (FAR_APART * voxels.longest_side() as f32) as u32 * STEP;
    // Distances from landmarks differ by at most the way from one to the other.
    let is_far =
        |a: u32, b: u32| ways.iter().any(|way| way[a as usize].abs_diff(way[b as usize]) > far_apart);
    let neighbours = voxels.neighbours();
    // The voxel without the layer that each has grown from.
    let mut origins: Vec<u32> =
        (0..whole.len()).map(|index| if voxels.inside[index] { index as u32 } else { NONE }).collect();
    // Returns the neighbours that are new; those that would join parts which are far apart stay outside.
    let grow = |origins: &mut Vec<u32>, from: usize| {
        let origin = origins[from];
        let mut grown = Vec::new();
        for (offset, _) in neighbours {
            let next = from.wrapping_add_signed(offset);
            if !whole[next] || origins[next] != NONE {
                continue;
            }
            let mut around = neighbours.iter().map(|(offset, _)| origins[next.wrapping_add_signed(*offset)]);
            if !around.any(|other| other != NONE && is_far(other, origin)) {
                origins[next] = origin;
                grown.push(next);
            }
        }
        grown
    };
    let mut layer: Vec<usize> = voxels.filled().collect();
    for _ in 0..erosion.ceil() as usize {
        layer = layer.into_iter().flat_map(|from| grow(&mut origins, from)).collect();
    }
    // What is thinner than the layer: fingers, before the thigh that they touch takes them.
    let key = |origins: &[u32], index: usize| (from_middle[origins[index] as usize], index);
    let mut thin: BinaryHeap<(u32, usize)> =
        (0..whole.len()).filter(|&index| origins[index] != NONE).map(|index| key(&origins, index)).collect();
    while let Some((_, from)) = thin.pop() {
        for next in grow(&mut origins, from) {
            thin.push(key(&origins, next));
        }
    }
    voxels.inside = origins.iter().map(|origin| *origin != NONE).collect();
}

/// The distances from landmarks through the inside: from the thickest place, and then from what is farthest from all before.
fn ways(voxels: &Voxels, depths: &[f32]) -> Vec<Vec<u32>> {
    let Some(middle) = voxels.filled().max_by(|&a, &b| depths[a].total_cmp(&depths[b])) else {
        return Vec::new();
    };
    let mut ways = vec![voxels.distances(&[middle])];
    let mut nearest = ways[0].clone();
    while ways.len() < LANDMARKS {
        let farthest =
            voxels.filled().filter(|&index| nearest[index] != FAR).max_by_key(|&index| nearest[index]);
        let Some(farthest) = farthest else { break };
        let way = voxels.distances(&[farthest]);
        nearest.iter_mut().zip(&way).for_each(|(nearest, way)| *nearest = (*nearest).min(*way));
        ways.push(way);
    }
    ways
}
