//! Several bodies in one mesh: pieces that touch nowhere, are about equally large and stand side by side. What is worn is around the
//! body, and eyes, hair and what is carried are smaller or thinner.

use crate::math::bounds::Bounds;
use glam::Vec3;

/// The least size of another body, as a fraction of that of the largest piece: of each side of its box, the longest with the
/// longest. A child half as tall has 0.5, a helmet that touches nothing 0.2, a sword or a shield less.
const AS_LARGE: f32 = 0.4;
/// The greatest part of the smaller box that is in the other. Of two humans whose forearms cross side by side it is 0.25, of what is
/// worn nearly all.
const WITHIN: f32 = 0.5;

/// Returns the boxes of the bodies: the first of these pieces, which is the largest, and those like it.
pub fn bodies(pieces: Vec<Bounds>) -> Vec<Bounds> {
    let mut bodies: Vec<Bounds> = Vec::new();
    for piece in pieces {
        if bodies.first().is_none_or(|largest| is_as_large(&piece, largest))
            && bodies.iter().all(|other| is_beside(&piece, other))
        {
            bodies.push(piece);
        }
    }
    bodies
}

/// The sides of a box, the longest first.
fn sides(bounds: &Bounds) -> [f32; 3] {
    let mut sides = (bounds.max - bounds.min).to_array();
    sides.sort_by(|a, b| b.total_cmp(a));
    sides
}

fn is_as_large(piece: &Bounds, largest: &Bounds) -> bool {
    sides(piece).into_iter().zip(sides(largest)).all(|(side, of_largest)| side > AS_LARGE * of_largest)
}

fn is_beside(one: &Bounds, other: &Bounds) -> bool {
    let common = (one.max.min(other.max) - one.min.max(other.min)).max(Vec3::ZERO).element_product();
    let [one, other] = [one, other].map(|bounds| (bounds.max - bounds.min).element_product());
    common < WITHIN * one.min(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(pieces: &[([f32; 3], [f32; 3])]) -> usize {
        let pieces = pieces.iter().map(|(middle, size)| {
            let (middle, half) = (Vec3::from(*middle), 0.5 * Vec3::from(*size));
            Bounds { min: middle - half, max: middle + half }
        });
        bodies(pieces.collect()).len()
    }

    #[test]
    fn bodies_are_pieces_side_by_side_that_are_as_large() {
        let body = ([0.0; 3], [1.5, 1.8, 0.4]);
        assert_eq!((count(&[]), count(&[body])), (0, 1));
        // Another one behind it, one turned aside, and a child.
        let others = [
            ([0.2, 0.0, -0.6], [1.5, 1.8, 0.4]),
            ([2.0, 0.0, 0.0], [0.4, 1.8, 1.5]),
            ([-2.0, -0.4, 0.0], [0.8, 1.0, 0.25]),
        ];
        assert_eq!(count(&[body, others[0], others[1], others[2]]), 4);
        // A coat around it, a staff, a shield, hair, and a tail that floats.
        let worn = [
            ([0.0, 0.0, 0.0], [1.2, 1.4, 0.5]),
            ([0.9, 0.0, 0.0], [0.04, 1.8, 0.04]),
            ([1.0, 0.0, 0.3], [0.7, 0.9, 0.05]),
            ([0.0, 0.9, 0.0], [0.3, 0.3, 0.3]),
            ([0.0, 0.0, -0.6], [0.2, 0.2, 0.7]),
        ];
        for piece in worn {
            assert_eq!(count(&[body, piece]), 1, "{piece:?}");
        }
    }
}
