//! Finds pairs of left and right limbs: two bones with the same parent that mirror each other and diverge.

use crate::rig::kinematics::{parent_of, parent_past_links};
use crate::rig::skeleton::Skeleton;
use glam::DVec3;
use std::ops::Range;

/// The cosine of the angle between one bone and the mirror image of the other, from no pair to a full pair.
const MIRROR_COSINE: Range<f64> = 0.7..0.9;
/// The squared sine of half the angle between two mirror images, from no pair (45 degrees: strips of a skirt,
/// fingers) to a full pair.
const DIVERGENCE: Range<f64> = 0.15..0.2;

/// Two limbs: a bone on the left (x above zero) and one on the right, each with all its descendants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub bones: [usize; 2],
    /// The confidence that they are a pair, above 0 to 1.
    pub score: f64,
    /// The parent past links, which gets the weights that the limbs lose.
    pub parent: u16,
}

/// Finds all pairs of a skeleton. Two roots are no pair: they have no parent to take what they lose.
pub fn find(skeleton: &Skeleton) -> Vec<Pair> {
    let bones = skeleton.bones.len().min(usize::from(u16::MAX) + 1);
    let mut children = vec![Vec::new(); bones];
    let mut starts = vec![LimbStart::default(); bones];
    for bone in (0..bones).rev() {
        let extent = skeleton.bones[bone].extent.as_dvec3();
        starts[bone] = match (skeleton.bones[bone].link, children[bone].last()) {
            (false, _) => LimbStart::at_parent(extent),
            (true, first) => LimbStart {
                offset: extent,
                extent: first.map_or(DVec3::ZERO, |&child: &usize| skeleton.bones[child].extent.as_dvec3()),
            },
        };
        if let Some(parent) = parent_of(skeleton, bone) {
            children[parent].push(bone);
        }
    }
    let mut pairs = Vec::new();
    for siblings in &children {
        for (i, &b) in siblings.iter().enumerate() {
            for &c in &siblings[i + 1..] {
                let score = starts[b].pair_score(&starts[c]);
                let parent = match parent_of(skeleton, b) {
                    Some(parent) if skeleton.bones[parent].link => parent_past_links(skeleton, b),
                    parent => parent,
                };
                let parent = parent.and_then(|parent| u16::try_from(parent).ok());
                if let (true, Some(parent)) = (score > 0.0, parent) {
                    let bones = if starts[b].side() > 0.0 { [b, c] } else { [c, b] };
                    pairs.push(Pair { bones, score, parent });
                }
            }
        }
    }
    pairs
}

/// The start and direction of a limb.
#[derive(Clone, Copy, Debug, Default)]
struct LimbStart {
    /// The vector from the parent's tip to the start of the limb's first bone.
    offset: DVec3,
    /// The extent of the first bone.
    extent: DVec3,
}

impl LimbStart {
    fn at_parent(extent: DVec3) -> Self {
        let offset = DVec3::ZERO;
        Self { offset, extent }
    }

    /// Positive on the left.
    fn side(&self) -> f64 {
        if self.offset == DVec3::ZERO { self.extent.x } else { self.offset.x }
    }

    /// Returns how clearly two limbs of one parent are a left and a right one, 0 to 1. Lengths do not matter.
    fn pair_score(&self, other: &Self) -> f64 {
        let [a, b] = [self, other].map(|start| start.extent.normalize_or_zero());
        if (self.offset, other.offset) == (DVec3::ZERO, DVec3::ZERO) {
            return mirror_similarity(a, b) * divergence(a, b);
        }
        let [from, to] = [self.offset, other.offset].map(DVec3::normalize_or_zero);
        let limbs = if a == DVec3::ZERO || b == DVec3::ZERO { 1.0 } else { mirror_similarity(a, b) };
        // Thighs point down side by side: they diverge in where they start, across their common direction.
        let along = ((a + b) * DVec3::new(0.0, 1.0, 1.0)).normalize_or_zero();
        let [u, v] = [from, to].map(|offset| (offset - along * offset.dot(along)).normalize_or_zero());
        mirror_similarity(from, to) * limbs * divergence(from, to).max(divergence(u, v))
    }
}

/// Returns how close one unit vector is to the mirror image of the other, 0 to 1.
fn mirror_similarity(a: DVec3, b: DVec3) -> f64 {
    ramp(a.dot(b * DVec3::new(-1.0, 1.0, 1.0)), MIRROR_COSINE)
}

/// Returns how much two unit vectors lead away from each other along x, 0 to 1.
fn divergence(a: DVec3, b: DVec3) -> f64 {
    ramp(-a.x * b.x, DIVERGENCE)
}

/// Maps a range linearly to 0 to 1, clamped.
fn ramp(value: f64, range: Range<f64>) -> f64 {
    ((value - range.start) / (range.end - range.start)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;
    use glam::Vec3;

    fn bone(parent: Option<u32>, extent: [f32; 3]) -> Bone {
        Bone { extent: Vec3::from(extent), parent, ..Bone::default() }
    }

    fn link(parent: u32, extent: [f32; 3]) -> Bone {
        Bone { link: true, ..bone(Some(parent), extent) }
    }

    fn pairs(bones: Vec<Bone>) -> Vec<Pair> {
        find(&Skeleton { bones, ..Skeleton::default() })
    }

    /// Returns the pair score of two children of one bone.
    fn score(a: [f32; 3], b: [f32; 3]) -> f64 {
        let siblings = [bone(Some(0), a), bone(Some(0), b)];
        let root = bone(None, [0.0, 1.0, 0.0]);
        let found = pairs([vec![root], siblings.to_vec()].concat());
        found.first().map_or(0.0, |pair| pair.score)
    }

    #[test]
    fn left_and_right_limbs_mirror_each_other_and_diverge() {
        assert_eq!(score([0.3, -0.2, 0.0], [-0.3, -0.2, 0.0]), 1.0);
        // Lengths may differ, directions a little.
        assert_eq!(score([0.3, -0.4, 0.1], [-0.8, -0.9, 0.0]), 1.0);
        let half = 29f32.to_radians();
        assert_eq!(score([half.sin(), -half.cos(), 0.0], [-half.sin(), -half.cos(), 0.0]), 1.0);
        // Strips of a skirt, 45 degrees apart.
        assert_eq!(score([0.7, 0.0, 0.7], [0.0, 0.0, 1.0]), 0.0);
        let half = 22.5f32.to_radians();
        assert_eq!(score([half.sin(), 0.0, half.cos()], [-half.sin(), 0.0, half.cos()]), 0.0);
        // Neck and shoulder, with a leaning neck; thumb and palm; two bones on the same side; a bone of no
        // length.
        assert_eq!(score([-0.1, 0.5, 0.1], [0.6, -0.1, 0.0]), 0.0);
        assert_eq!(score([0.1, -0.1, 0.0], [0.1, -0.1, 0.1]), 0.0);
        assert_eq!(score([0.5, 0.1, 0.0], [0.5, 0.1, 0.0]), 0.0);
        assert_eq!(score([0.0; 3], [-0.5, 0.1, 0.0]), 0.0);
    }

    /// Limbs that start away from their parent are a pair wherever its tip is; strips of a skirt are still
    /// not.
    #[test]
    fn limbs_on_links_are_pairs() {
        let legs = |offset: [f32; 3], thigh: [f32; 3]| {
            let [mirrored_offset, mirrored] = [offset, thigh].map(|[x, y, z]| [-x, y, z]);
            pairs(vec![
                bone(None, [0.0, 0.4, 0.0]),
                link(0, mirrored_offset),
                bone(Some(1), mirrored),
                link(0, offset),
                bone(Some(3), thigh),
            ])
        };
        let expected = Pair { bones: [3, 1], score: 1.0, parent: 0 };
        for tip in [0.1, 0.45, 1.05, 3.0] {
            assert_eq!(legs([0.3, -tip, -0.07], [0.02, -1.25, 0.1]), [expected], "{tip}");
        }
        assert_eq!(legs([0.18, -0.1, 0.48], [0.08, -1.0, 0.0]), []);
    }

    #[test]
    fn the_parent_of_limbs_on_a_link_is_the_bone_above_it() {
        let found = pairs(vec![
            bone(None, [0.0, 0.4, 0.0]),
            link(0, [0.0, 0.1, 0.0]),
            bone(Some(1), [-0.3, -0.2, 0.0]),
            bone(Some(1), [0.3, -0.2, 0.0]),
        ]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].bones, found[0].parent), ([3, 2], 0));
    }

    /// Roots have no parent to take what they lose, and a broken parent counts as none.
    #[test]
    fn roots_are_not_pairs() {
        let found = pairs(vec![
            bone(None, [0.5, 0.0, 0.0]),
            bone(Some(1), [-0.5, 0.0, 0.0]),
            bone(Some(9), [-0.5, 0.0, 0.0]),
        ]);
        assert_eq!(found, []);
    }
}
