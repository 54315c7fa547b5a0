//! Which bones are a left and a right limb: two of one parent, each the mirror image of the other, that part.

use crate::rig::kinematics::{parent_of, parent_past_links};
use crate::rig::skeleton::Skeleton;
use glam::DVec3;
use std::ops::Range;

/// A pair's cosine of the angle between one bone and the mirror image of the other: none, whole.
const ALIKE: Range<f64> = 0.7..0.9;
/// Squared sine of half the angle between two mirror images: none (45 degrees: strips of a skirt, fingers),
/// whole.
const APART: Range<f64> = 0.15..0.2;

/// Two limbs: a bone at the left (x above zero) and one at the right, each with all its descendants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub bones: [usize; 2],
    /// How much they are a pair, above 0 to 1.
    pub much: f64,
    /// Gets what the limbs lose: their parent, past links.
    pub parent: u16,
}

/// All pairs of a skeleton. Two roots are none: they have no parent that could get what they lose.
pub fn find(skeleton: &Skeleton) -> Vec<Pair> {
    let bones = skeleton.bones.len().min(usize::from(u16::MAX) + 1);
    let mut children = vec![Vec::new(); bones];
    let mut starts = vec![Start::default(); bones];
    for bone in (0..bones).rev() {
        let extent = skeleton.bones[bone].extent.as_dvec3();
        starts[bone] = match (skeleton.bones[bone].link, children[bone].last()) {
            (false, _) => Start::at_parent(extent),
            (true, first) => Start {
                way: extent,
                extent: first.map_or(DVec3::ZERO, |&child: &usize| {
                    skeleton.bones[child].extent.as_dvec3()
                }),
            },
        };
        if let Some(parent) = parent_of(skeleton, bone) {
            children[parent].push(bone);
        }
    }
    let mut pairs = Vec::new();
    for siblings in &children {
        for (at, &b) in siblings.iter().enumerate() {
            for &c in &siblings[at + 1..] {
                let much = starts[b].pair(&starts[c]);
                let parent = match parent_of(skeleton, b) {
                    Some(parent) if skeleton.bones[parent].link => parent_past_links(skeleton, b),
                    parent => parent,
                };
                let parent = parent.and_then(|parent| u16::try_from(parent).ok());
                if let (true, Some(parent)) = (much > 0.0, parent) {
                    let bones = if starts[b].side() > 0.0 { [b, c] } else { [c, b] };
                    pairs.push(Pair { bones, much, parent });
                }
            }
        }
    }
    pairs
}

/// How a limb begins.
#[derive(Clone, Copy, Debug, Default)]
struct Start {
    /// From the parent's tip to where its first bone starts.
    way: DVec3,
    /// The extent of its first bone.
    extent: DVec3,
}

impl Start {
    fn at_parent(extent: DVec3) -> Self {
        let way = DVec3::ZERO;
        Self { way, extent }
    }

    /// Positive at the left.
    fn side(&self) -> f64 {
        if self.way == DVec3::ZERO {
            self.extent.x
        } else {
            self.way.x
        }
    }

    /// How much two limbs of one parent are a left and a right one, 0 to 1. Lengths do not matter.
    fn pair(&self, other: &Self) -> f64 {
        let [a, b] = [self, other].map(|start| start.extent.normalize_or_zero());
        if (self.way, other.way) == (DVec3::ZERO, DVec3::ZERO) {
            return alike(a, b) * apart(a, b);
        }
        let [from, to] = [self.way, other.way].map(DVec3::normalize_or_zero);
        let limbs = if a == DVec3::ZERO || b == DVec3::ZERO {
            1.0
        } else {
            alike(a, b)
        };
        // Thighs go down side by side: they part in how they start, across the direction that both have.
        let along = ((a + b) * DVec3::new(0.0, 1.0, 1.0)).normalize_or_zero();
        let [u, v] = [from, to].map(|way| (way - along * way.dot(along)).normalize_or_zero());
        alike(from, to) * limbs * apart(from, to).max(apart(u, v))
    }
}

/// How much one unit vector is the mirror image of the other.
fn alike(a: DVec3, b: DVec3) -> f64 {
    part(a.dot(b * DVec3::new(-1.0, 1.0, 1.0)), ALIKE)
}

/// How much unit vectors lead away from each other along x.
fn apart(a: DVec3, b: DVec3) -> f64 {
    part(-a.x * b.x, APART)
}

fn part(value: f64, range: Range<f64>) -> f64 {
    ((value - range.start) / (range.end - range.start)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;
    use glam::Vec3;

    fn bone(parent: Option<u32>, extent: [f32; 3]) -> Bone {
        Bone {
            extent: Vec3::from(extent),
            parent,
            ..Bone::default()
        }
    }

    fn link(parent: u32, extent: [f32; 3]) -> Bone {
        Bone {
            link: true,
            ..bone(Some(parent), extent)
        }
    }

    fn pairs(bones: Vec<Bone>) -> Vec<Pair> {
        find(&Skeleton {
            bones,
            ..Skeleton::default()
        })
    }

    /// How much two children of one bone are a pair.
    fn much(a: [f32; 3], b: [f32; 3]) -> f64 {
        let siblings = [bone(Some(0), a), bone(Some(0), b)];
        let root = bone(None, [0.0, 1.0, 0.0]);
        let found = pairs([vec![root], siblings.to_vec()].concat());
        found.first().map_or(0.0, |pair| pair.much)
    }

    #[test]
    fn left_and_right_are_mirror_images_that_part_widely() {
        assert_eq!(much([0.3, -0.2, 0.0], [-0.3, -0.2, 0.0]), 1.0);
        // Lengths may differ, directions a little.
        assert_eq!(much([0.3, -0.4, 0.1], [-0.8, -0.9, 0.0]), 1.0);
        let half = 29f32.to_radians();
        assert_eq!(
            much([half.sin(), -half.cos(), 0.0], [-half.sin(), -half.cos(), 0.0]),
            1.0
        );
        // Strips of a skirt, 45 degrees apart.
        assert_eq!(much([0.7, 0.0, 0.7], [0.0, 0.0, 1.0]), 0.0);
        let half = 22.5f32.to_radians();
        assert_eq!(
            much([half.sin(), 0.0, half.cos()], [-half.sin(), 0.0, half.cos()]),
            0.0
        );
        // Neck and shoulder, wherever the neck leans; thumb and palm; two up the same side; no direction.
        assert_eq!(much([-0.1, 0.5, 0.1], [0.6, -0.1, 0.0]), 0.0);
        assert_eq!(much([0.1, -0.1, 0.0], [0.1, -0.1, 0.1]), 0.0);
        assert_eq!(much([0.5, 0.1, 0.0], [0.5, 0.1, 0.0]), 0.0);
        assert_eq!(much([0.0; 3], [-0.5, 0.1, 0.0]), 0.0);
    }

    /// Limbs that start beside their parent are a pair wherever its tip is; strips of a skirt are none there
    /// either.
    #[test]
    fn limbs_on_links_are_pairs() {
        let legs = |way: [f32; 3], thigh: [f32; 3]| {
            let [mirrored_way, mirrored] = [way, thigh].map(|[x, y, z]| [-x, y, z]);
            pairs(vec![
                bone(None, [0.0, 0.4, 0.0]),
                link(0, mirrored_way),
                bone(Some(1), mirrored),
                link(0, way),
                bone(Some(3), thigh),
            ])
        };
        let expected = Pair {
            bones: [3, 1],
            much: 1.0,
            parent: 0,
        };
        for tip in [0.1, 0.45, 1.05, 3.0] {
            assert_eq!(legs([0.3, -tip, -0.07], [0.02, -1.25, 0.1]), [expected], "{tip}");
        }
        assert_eq!(legs([0.18, -0.1, 0.48], [0.08, -1.0, 0.0]), []);
    }

    #[test]
    fn limbs_on_a_link_give_to_the_bone_above_it() {
        let found = pairs(vec![
            bone(None, [0.0, 0.4, 0.0]),
            link(0, [0.0, 0.1, 0.0]),
            bone(Some(1), [-0.3, -0.2, 0.0]),
            bone(Some(1), [0.3, -0.2, 0.0]),
        ]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].bones, found[0].parent), ([3, 2], 0));
    }

    /// Two roots have no bone that could get what both have; a broken parent is none.
    #[test]
    fn roots_are_no_pairs() {
        let found = pairs(vec![
            bone(None, [0.5, 0.0, 0.0]),
            bone(Some(1), [-0.5, 0.0, 0.0]),
            bone(Some(9), [-0.5, 0.0, 0.0]),
        ]);
        assert_eq!(found, []);
    }
}
