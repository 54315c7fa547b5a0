//! Updates of weights after bones were deleted, merged, reordered or split.
//!
//! Rows that an edit does not concern keep their weights bit for bit, and sums are preserved if no bone is
//! deleted. Nothing is recalculated from radii.

use crate::math::segment::closest_parameter;
use crate::rig::weights::VertexWeights;
use glam::{DVec3, Vec3};

/// Remaps weights to new bone indices. `new_from_old` has the new index of each old bone; several may share
/// one, and their weights then add up. The entries of a deleted bone (`None`) are dropped and the rest of the
/// vertex is scaled up to a sum of 1, unless no other bone moved it.
///
/// Rows whose order the new indices would break are sorted by bone.
pub fn remap(weights: &VertexWeights, new_from_old: &[Option<usize>]) -> VertexWeights {
    let mut out = with_capacity(weights);
    let mut row: Vec<(u16, f32)> = Vec::new();
    let remaining = new_from_old.iter().flatten();
    let in_order = remaining.clone().zip(remaining.skip(1)).all(|(a, b)| a < b);
    for vertex in 0..weights.ends.len() {
        row.clear();
        let mut dropped = false;
        for (bone, weight) in weights.influences(vertex) {
            let new = new_from_old.get(usize::from(bone)).copied().flatten();
            match new.and_then(|new| u16::try_from(new).ok()) {
                Some(new) => row.push((new, weight)),
                None => dropped = true,
            }
        }
        if !in_order {
            row.sort_by_key(|&(bone, _)| bone);
            row.dedup_by(|next, first| {
                let is_same_bone = next.0 == first.0;
                if is_same_bone {
                    first.1 += next.1;
                }
                is_same_bone
            });
        }
        let rest: f64 = row.iter().map(|&(_, w)| f64::from(w)).sum();
        if dropped && rest > 0.0 {
            for (_, weight) in &mut row {
                *weight = (f64::from(*weight) / rest) as f32;
            }
        }
        push_row(&mut out, &row);
    }
    out
}

/// Updates weights after bone `bone` was deleted; see [`remap`].
pub fn remove_bone_weights(weights: &VertexWeights, bone: usize) -> VertexWeights {
    let bones = weights.bones.iter().max().map_or(0, |&b| usize::from(b) + 1);
    let new_index = |b: usize| (b != bone).then(|| b - usize::from(b > bone));
    remap(weights, &(0..bones).map(new_index).collect::<Vec<_>>())
}

/// Distributes each vertex's weight of `bone` among equal pieces of it, by the position of the vertex along
/// the bone: all to one piece at its middle, half and half where two pieces meet. The two shares add up to
/// the old weight exactly.
///
/// `pieces` are the indices of the pieces from the start to the tip; `bone` may be one of them. `positions`
/// (V) are in the space of `start` and `extent`, the bone's segment in the bind pose. Rows stay in ascending
/// order.
pub fn split(
    weights: &VertexWeights,
    positions: &[Vec3],
    bone: usize,
    [start, extent]: [DVec3; 2],
    pieces: &[u16],
) -> VertexWeights {
    let (Some(&first), Some(last)) = (pieces.first(), pieces.len().checked_sub(1)) else {
        return weights.clone();
    };
    let mut out = with_capacity(weights);
    let mut row: Vec<(u16, f32)> = Vec::new();
    for vertex in 0..weights.ends.len() {
        row.clear();
        let mut shared = false;
        for (b, weight) in weights.influences(vertex) {
            if usize::from(b) != bone {
                row.push((b, weight));
                continue;
            }
            shared = true;
            let Some(position) = positions.get(vertex) else {
                row.push((first, weight));
                continue;
            };
            let t = closest_parameter(start, start + extent, position.as_dvec3());
            // The position in pieces, from the middle of the first one.
            let piece_position = (t * pieces.len() as f64 - 0.5).clamp(0.0, last as f64);
            let piece = (piece_position as usize).min(last);
            let toward_next = piece_position - piece as f64;
            // The larger share is at least half of the whole, so the difference has no rounding error.
            let larger = (f64::from(weight) * toward_next.max(1.0 - toward_next)) as f32;
            let (this, next) =
                if toward_next <= 0.5 { (larger, weight - larger) } else { (weight - larger, larger) };
            row.push((pieces[piece], this));
            if next != 0.0 {
                row.push((pieces[(piece + 1).min(last)], next));
            }
        }
        if shared {
            row.sort_by_key(|&(bone, _)| bone);
        }
        push_row(&mut out, &row);
    }
    out
}

fn with_capacity(weights: &VertexWeights) -> VertexWeights {
    VertexWeights {
        ends: Vec::with_capacity(weights.ends.len()),
        bones: Vec::with_capacity(weights.bones.len()),
        weights: Vec::with_capacity(weights.weights.len()),
    }
}

fn push_row(out: &mut VertexWeights, row: &[(u16, f32)]) {
    out.bones.extend(row.iter().map(|&(bone, _)| bone));
    out.weights.extend(row.iter().map(|&(_, weight)| weight));
    // Entries are counted in u32; a row gets at most one more per bone, so this holds for any file.
    out.ends.push(u32::try_from(out.weights.len()).unwrap_or(u32::MAX));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_a_deleted_bone_go_to_the_remaining_ones() {
        let weights = VertexWeights {
            ends: vec![3, 4, 4, 6],
            bones: vec![0, 1, 2, 1, 0, 2],
            weights: vec![0.5, 0.25, 0.25, 1.0, 0.3, 0.6],
        };
        let out = remove_bone_weights(&weights, 1);
        // Vertex 0 is scaled up, 1 loses everything, 2 had nothing, 3 (not normalized) is unchanged.
        assert_eq!(out.ends, [2, 2, 2, 4]);
        assert_eq!(out.bones, [0, 1, 0, 1]);
        assert_eq!(out.weights, [(0.5 / 0.75) as f32, (0.25 / 0.75) as f32, 0.3, 0.6]);
    }

    #[test]
    fn weights_of_merged_bones_add_up_and_a_new_order_sorts_rows() {
        let weights = VertexWeights {
            ends: vec![3, 4, 6],
            bones: vec![0, 1, 2, 2, 1, 2],
            weights: vec![0.5, 0.25, 0.25, 1.0, 0.75, 0.25],
        };
        let merged = remap(&weights, &[Some(0), Some(1), Some(1)]);
        assert_eq!(merged.ends, [2, 3, 4]);
        assert_eq!(merged.bones, [0, 1, 1, 1]);
        assert_eq!(merged.weights, [0.5, 0.5, 1.0, 1.0]);

        let swapped = remap(&weights, &[Some(2), Some(1), Some(0)]);
        assert_eq!(swapped.ends, weights.ends);
        assert_eq!(swapped.bones, [0, 1, 2, 0, 0, 1]);
        assert_eq!(swapped.weights, [0.25, 0.25, 0.5, 1.0, 0.25, 0.75]);
    }

    /// A bone from 0 to 8 on x in four pieces, with middles at 1, 3, 5, 7.
    #[test]
    fn pieces_share_by_nearness_along_the_bone() {
        let xs = [-5.0, 1.0, 1.5, 2.0, 2.5, 6.9, 7.0, 30.0];
        let positions: Vec<Vec3> = xs.iter().map(|&x| Vec3::new(x, 3.0, -2.0)).collect();
        let weights = VertexWeights {
            ends: (1..=8).map(|v| 2 * v).collect(),
            bones: [0, 1].repeat(8),
            weights: [0.3, 0.7].repeat(8),
        };
        let segment = [DVec3::ZERO, DVec3::new(8.0, 0.0, 0.0)];
        let out = split(&weights, &positions, 1, segment, &[1, 2, 3, 4]);
        let expected: [&[(u16, f32)]; 8] = [
            &[(1, 1.0)],
            &[(1, 1.0)],
            &[(1, 0.75), (2, 0.25)],
            &[(1, 0.5), (2, 0.5)],
            &[(1, 0.25), (2, 0.75)],
            &[(3, 0.05), (4, 0.95)],
            &[(4, 1.0)],
            &[(4, 1.0)],
        ];
        for (v, expected) in expected.iter().enumerate() {
            let row: Vec<_> = out.influences(v).collect();
            assert_eq!(row[0], (0, 0.3), "vertex {v}");
            assert_eq!(row.len(), expected.len() + 1, "vertex {v}: {row:?}");
            for (&(bone, weight), &(b, share)) in row[1..].iter().zip(*expected) {
                assert!(bone == b && (weight - 0.7 * share).abs() < 1e-6, "vertex {v}: {row:?}");
            }
            // The sum of two f32 is exact in f64.
            let sum: f64 = row[1..].iter().map(|&(_, w)| f64::from(w)).sum();
            assert_eq!(sum, f64::from(0.7f32), "vertex {v}");
        }
    }
}
