//! Left and right limbs do not share a vertex: what both would have goes to the bone that both hang on.
//!
//! Heat does not stop at the crotch, where one thigh goes over into the other, nor at the breastbone between
//! the clavicles. So, with S_b the sum of the weights of bone b and of all bones that hang on it, of a pair of
//! bones b and c of one parent the branches of both lose min(S_b, S_c), each bone in proportion to what it
//! has, and the parent gets it:
//!
//! ```text
//! w_i' = w_i max(0, S_b - r S_c) / S_b    for i in the branch of b, and so on with b and c exchanged,
//! ```
//!
//! where r says how much b and c are a pair, 0 to 1. With r = 1 no vertex follows bones of both branches. The
//! result is continuous in the temperatures, and changes from one side to the other at most twice as fast.
//!
//! Where mesh and skeleton are mirror images of themselves, nothing of a left limb is left at the right of the
//! plane: the difference of the temperatures of a bone and of its mirror image solves the same equation,
//! vanishes in the plane, and has its sources on the bone's own side. So it has no negative value there (as
//! all solutions of these equations), fading keeps that order, S_b is not above S_c on the side of c, and
//! nothing remains.
//!
//! This step is our own; Baran and Popović do without, and so does Blender.

use crate::rig::kinematics::{parent_of, parent_past_links};
use crate::rig::skeleton::{Bone, Skeleton};
use glam::DVec3;
use std::ops::Range;

/// A pair's cosine of the angle between one bone and the mirror image of the other: none, whole.
const ALIKE: Range<f64> = 0.7..0.9;
/// Squared sine of half the angle between two mirror images: none (45 degrees: strips of a skirt, fingers),
/// whole.
const APART: Range<f64> = 0.15..0.2;

/// Pairs of limbs.
pub struct Sides {
    parents: Vec<Option<usize>>,
    /// What gets the weights that the children of a bone lose: the bone itself, above links.
    receivers: Vec<Option<usize>>,
    /// Of each bone: the one on the other side, and how much they are a pair; mostly empty.
    others: Vec<Vec<(usize, f64)>>,
}

impl Sides {
    pub fn new(skeleton: &Skeleton) -> Self {
        let bones = skeleton.bones.len().min(usize::from(u16::MAX) + 1);
        let parents: Vec<_> = (0..bones).map(|bone| parent_of(skeleton, bone)).collect();
        let mut children = vec![Vec::new(); bones];
        for (bone, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                children[*parent].push(bone);
            }
        }
        let mut others = vec![Vec::new(); bones];
        for siblings in children {
            for (at, &b) in siblings.iter().enumerate() {
                for &c in &siblings[at + 1..] {
                    let much = pair(&skeleton.bones[b], &skeleton.bones[c]);
                    if much > 0.0 {
                        others[b].push((c, much));
                        others[c].push((b, much));
                    }
                }
            }
        }
        let receiver = |bone: usize| match skeleton.bones[bone].link {
            true => parent_past_links(skeleton, bone),
            false => Some(bone),
        };
        let receivers = (0..bones).map(receiver).collect();
        Self {
            parents,
            receivers,
            others,
        }
    }

    /// A row without what both sides had; bones ascend. `row`: not normalised, of bones of this skeleton.
    pub fn parted(&self, row: Vec<(u16, f64)>) -> Vec<(u16, f64)> {
        if self.others.iter().all(Vec::is_empty) {
            return row;
        }
        let bones = self.parents.len();
        let mut weights = vec![0.0; bones];
        for (bone, weight) in row {
            weights[usize::from(bone)] = weight;
        }
        let mut branches = weights.clone();
        for bone in (0..bones).rev() {
            if let Some(parent) = self.parents[bone] {
                branches[parent] += branches[bone];
            }
        }
        // What is left of each branch's weights.
        let mut left = vec![1.0; bones];
        for bone in 0..bones {
            if let Some(parent) = self.parents[bone] {
                let of_others = self.others[bone]
                    .iter()
                    .map(|&(other, much)| much * branches[other]);
                let lost = of_others.fold(0.0, f64::max).min(branches[bone]);
                if let Some(receiver) = self.receivers[parent] {
                    weights[receiver] += left[parent] * lost;
                }
                if lost > 0.0 {
                    left[bone] = 1.0 - lost / branches[bone];
                }
                left[bone] *= left[parent];
            }
            weights[bone] *= left[bone];
        }
        (0..=u16::MAX)
            .zip(weights)
            .filter(|(_, weight)| *weight > super::largest::NOTHING)
            .collect()
    }
}

/// How much two bones of one parent are a left and a right one, 0 to 1: by their directions.
fn pair(a: &Bone, b: &Bone) -> f64 {
    let [a, b] = [a, b].map(|bone| bone.extent.as_dvec3().normalize_or_zero());
    let alike = a.dot(b * DVec3::new(-1.0, 1.0, 1.0));
    let apart = -a.x * b.x;
    let part =
        |value: f64, range: Range<f64>| ((value - range.start) / (range.end - range.start)).clamp(0.0, 1.0);
    part(alike, ALIKE) * part(apart, APART)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn bone(parent: Option<u32>, extent: [f32; 3]) -> Bone {
        Bone {
            extent: Vec3::from(extent),
            parent,
            ..Bone::default()
        }
    }

    /// Pelvis 0, spine 1, legs 2 to 4 and 5 to 6, of which the left one has a toe more.
    fn hips() -> Sides {
        let bones = vec![
            bone(None, [0.0, 0.4, 0.0]),
            bone(Some(0), [0.0, 0.4, 0.1]),
            bone(Some(0), [0.3, -0.2, 0.0]),
            bone(Some(2), [0.0, -1.0, 0.0]),
            bone(Some(3), [0.0, 0.0, 0.2]),
            bone(Some(0), [-0.3, -0.2, 0.0]),
            bone(Some(5), [0.0, -1.0, 0.0]),
        ];
        Sides::new(&Skeleton {
            bones,
            ..Skeleton::default()
        })
    }

    #[track_caller]
    fn expect(row: &[(u16, f64)], expected: &[(u16, f64)]) {
        let parted = hips().parted(row.to_vec());
        let same = |(a, b): (&(u16, f64), &(u16, f64))| a.0 == b.0 && (a.1 - b.1).abs() < 1e-12;
        assert!(
            parted.len() == expected.len() && parted.iter().zip(expected).all(same),
            "{parted:?} {expected:?}"
        );
    }

    #[test]
    fn what_both_legs_have_goes_to_the_pelvis() {
        expect(&[(3, 0.5), (6, 0.5)], &[(0, 1.0)]);
        // 0.5 against 0.2: three fifths are left of the left leg's weights.
        expect(
            &[(0, 0.1), (1, 0.2), (2, 0.3), (4, 0.2), (5, 0.1), (6, 0.1)],
            &[(0, 0.5), (1, 0.2), (2, 0.18), (4, 0.12)],
        );
        expect(&[(1, 0.5), (3, 0.5)], &[(1, 0.5), (3, 0.5)]);
        // A row need not be normalised.
        expect(&[(3, 3.0), (5, 1.0)], &[(0, 2.0), (3, 2.0)]);
    }

    #[test]
    fn left_and_right_are_mirror_images_that_part_widely() {
        let pair = |a, b| pair(&bone(Some(0), a), &bone(Some(0), b));
        assert_eq!(pair([0.3, -0.2, 0.0], [-0.3, -0.2, 0.0]), 1.0);
        // Lengths may differ, directions a little.
        assert_eq!(pair([0.3, -0.4, 0.1], [-0.8, -0.9, 0.0]), 1.0);
        let half = 29f32.to_radians();
        assert_eq!(
            pair([half.sin(), -half.cos(), 0.0], [-half.sin(), -half.cos(), 0.0]),
            1.0
        );
        // Strips of a skirt, 45 degrees apart.
        assert_eq!(pair([0.7, 0.0, 0.7], [0.0, 0.0, 1.0]), 0.0);
        let half = 22.5f32.to_radians();
        assert_eq!(
            pair([half.sin(), 0.0, half.cos()], [-half.sin(), 0.0, half.cos()]),
            0.0
        );
        // Neck and shoulder, wherever the neck leans; thumb and palm; two up the same side; no direction.
        assert_eq!(pair([-0.1, 0.5, 0.1], [0.6, -0.1, 0.0]), 0.0);
        assert_eq!(pair([0.1, -0.1, 0.0], [0.1, -0.1, 0.1]), 0.0);
        assert_eq!(pair([0.5, 0.1, 0.0], [0.5, 0.1, 0.0]), 0.0);
        assert_eq!(pair([0.0; 3], [-0.5, 0.1, 0.0]), 0.0);
    }

    /// Along a path from one leg into the other.
    #[test]
    fn it_is_continuous() {
        let sides = hips();
        let at = |t: f64| {
            let row = vec![(0, 0.1), (2, 0.3 * (1.0 - t)), (3, 0.6 * (1.0 - t)), (6, 0.9 * t)];
            let mut all = [0.0; 7];
            for (bone, weight) in sides.parted(row) {
                all[usize::from(bone)] = weight;
            }
            all
        };
        for step in 0..1000 {
            let t = f64::from(step) / 1000.0;
            let (now, next) = (at(t), at(t + 0.001));
            assert!((now.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(now.iter().zip(next).all(|(a, b)| (a - b).abs() < 0.0019), "{t}");
            assert!(now[3] == 0.0 || now[6] == 0.0, "{t}: {now:?}");
        }
    }

    /// Two roots have no bone that could take what both have; a broken parent is none.
    #[test]
    fn roots_are_no_pairs() {
        let bones = vec![
            bone(None, [0.5, 0.0, 0.0]),
            bone(Some(1), [-0.5, 0.0, 0.0]),
            bone(Some(9), [-0.5, 0.0, 0.0]),
        ];
        let sides = Sides::new(&Skeleton {
            bones,
            ..Skeleton::default()
        });
        let row = vec![(0, 0.5), (1, 0.25), (2, 0.25)];
        assert_eq!(sides.parted(row.clone()), row);
    }
}
