//! A conservative test of which capsules may reach which points of a block: SIMD distances in f32, with a
//! margin for rounding, so that few pairs are left for the exact test.

use super::bone_capsule::Capsule;
use crate::math::simd::{Kernel, Path, Simd};
use glam::{DVec3, Vec3};

/// The number of points tested together.
pub(super) const BLOCK: usize = 64;
/// The margin for rounding, as a fraction of the lengths that go into a distance.
const MARGIN: f64 = 1e-5;

/// A block of points, relative to its centre.
pub(super) struct Block {
    x: [f32; BLOCK],
    y: [f32; BLOCK],
    z: [f32; BLOCK],
    /// For each point, a bit mask of the capsules that may reach it.
    pub near: [u64; BLOCK],
    capsules_in_block: Vec<SphereSweptSegment>,
}

/// A capsule, relative to the centre of the block.
struct SphereSweptSegment {
    start: Vec3,
    extent: Vec3,
    inverse_length_squared: f32,
    /// The square of the distance up to which it may reach a point.
    reach_squared: f32,
}

impl Block {
    pub fn new() -> Self {
        Self {
            x: [0.0; BLOCK],
            y: [0.0; BLOCK],
            z: [0.0; BLOCK],
            near: [0; BLOCK],
            capsules_in_block: Vec::new(),
        }
    }

    /// Finds which of at most 64 capsules may reach which of at most [`BLOCK`] points, all of which lie
    /// within `radius` of `center`.
    pub fn find(&mut self, path: Path, points: &[Vec3], center: DVec3, radius: f64, capsules: &[&Capsule]) {
        for (i, point) in points.iter().enumerate() {
            let point = (point.as_dvec3() - center).as_vec3();
            (self.x[i], self.y[i], self.z[i]) = (point.x, point.y, point.z);
        }
        self.near = [0; BLOCK];
        self.capsules_in_block.clear();
        self.capsules_in_block.extend(capsules.iter().map(|capsule| {
            let start = capsule.start - center;
            // All lengths whose rounding affects the distance.
            let lengths = radius + start.length() + capsule.extent.length() + capsule.radius;
            let reach = capsule.radius + MARGIN * lengths;
            SphereSweptSegment {
                start: start.as_vec3(),
                extent: capsule.extent.as_vec3(),
                inverse_length_squared: capsule.inverse_length_squared as f32,
                reach_squared: (reach * reach) as f32,
            }
        }));
        path.run(Find(self));
    }
}

struct Find<'a>(&'a mut Block);

impl Kernel for Find<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Block { x, y, z, near, capsules_in_block } = self.0;
        for (bit, capsule) in capsules_in_block.iter().enumerate() {
            let start = [s.splat(capsule.start.x), s.splat(capsule.start.y), s.splat(capsule.start.z)];
            let extent = [s.splat(capsule.extent.x), s.splat(capsule.extent.y), s.splat(capsule.extent.z)];
            let inverse = s.splat(capsule.inverse_length_squared);
            let reach_squared = s.splat(capsule.reach_squared);
            let mut reached = 0;
            let mut i = 0;
            while i < BLOCK {
                let from = [
                    s.sub(s.load(&x[i..]), start[0]),
                    s.sub(s.load(&y[i..]), start[1]),
                    s.sub(s.load(&z[i..]), start[2]),
                ];
                let along = s.mul(dot(s, from, extent), inverse);
                let t = s.max(s.min(along, s.splat(1.0)), s.splat(0.0));
                let offset = [
                    s.sub(from[0], s.mul(t, extent[0])),
                    s.sub(from[1], s.mul(t, extent[1])),
                    s.sub(from[2], s.mul(t, extent[2])),
                ];
                // NaN counts as near and is left to the exact test.
                let far = s.less_than(reach_squared, dot(s, offset, offset));
                reached |= u64::from(!far & (u32::MAX >> (32 - S::LANES))) << i;
                i += S::LANES;
            }
            while reached != 0 {
                near[reached.trailing_zeros() as usize] |= 1 << bit;
                reached &= reached - 1;
            }
        }
    }
}

#[inline(always)]
fn dot<S: Simd>(s: S, a: [S::F; 3], b: [S::F; 3]) -> S::F {
    s.mul_add(a[0], b[0], s.mul_add(a[1], b[1], s.mul(a[2], b[2])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::{Bone, Skeleton};
    use crate::testing::Random;

    /// Every SIMD path keeps all pairs within reach and rejects most others.
    #[test]
    fn pairs_within_reach_are_never_rejected() {
        let mut random = Random::new(11);
        for size in [1.0, 1e-18, 1e15] {
            let mut skeleton = Skeleton::default();
            for i in 0..40u32 {
                skeleton.bones.push(Bone {
                    extent: if i % 7 == 0 { Vec3::ZERO } else { random.vec3(size) },
                    radius: random.range(0.1, 0.9) * size,
                    parent: (i % 3 > 0).then(|| i - 1),
                    ..Bone::default()
                });
            }
            let capsules = Capsule::all(&skeleton);
            let capsules: Vec<&Capsule> = capsules.iter().collect();
            let points: Vec<Vec3> = (0..BLOCK - 3).map(|_| random.vec3(1.5 * size)).collect();
            for path in Path::all() {
                let mut block = Block::new();
                block.find(path, &points, DVec3::splat(0.1), 3.0 * f64::from(size) + 1.0, &capsules);
                let (mut candidates, mut reached) = (0, 0);
                for (v, point) in points.iter().enumerate() {
                    for (bit, capsule) in capsules.iter().enumerate() {
                        let is_candidate = block.near[v] >> bit & 1 == 1;
                        let reaches = capsule.weight(point.as_dvec3()) > 0.0;
                        assert!(is_candidate || !reaches, "{} rejects point {v}, capsule {bit}", path.name());
                        candidates += usize::from(is_candidate);
                        reached += usize::from(reaches);
                    }
                }
                assert!(
                    reached > 10 && (size != 1.0 || candidates < reached + reached / 50 + 5),
                    "{candidates} {reached}"
                );
            }
        }
    }
}
