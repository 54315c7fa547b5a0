//! Dual quaternion skinning: the weighted sum of the bones' dual quaternions, normalised, is one rigid
//! motion for each vertex. A twisted limb keeps its girth, where blended matrices let it collapse.
//!
//! Kavan, Collins, Žára, O'Sullivan 2008 (see [`crate::math::dual`]). Bones give rigid motions only:
//! whatever else a matrix did (scale, shear) is left out.

#![allow(
    clippy::needless_range_loop,
    reason = "closures of iterators are not compiled for the instructions that a kernel runs on"
)]

use super::blocks::{self, Blend, Fours, How, Moves, Out, TABLE, Walk};
use super::linear::{cross, dot};
use crate::math::dual::DualQuat;
use crate::math::simd::{MOST_LANES, Path, Portable, Rows, Simd};
use crate::mesh::render::RenderMesh;
use crate::rig::weights::VertexWeights;
use glam::{DAffine3, Vec3, Vec4};

/// A bone's motion from the bind pose to the current one, in skeleton space: the real part's x, y, z, w, then
/// the dual part's.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub struct BoneMotion([f32; 8]);

const AT_REST: BoneMotion = BoneMotion([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);

impl BoneMotion {
    fn real(&self) -> Vec4 {
        Vec4::from_slice(&self.0)
    }
}

/// P_b * inverse(B_b) per bone as dual quaternions, worked out in f64. `bind` and `current`:
/// `skeleton_from_bone` per bone.
pub fn bone_motions(bind: &[DAffine3], current: &[DAffine3]) -> Vec<BoneMotion> {
    let mut motions = Vec::new();
    fill(&mut motions, bind, current);
    motions
}

pub(super) fn fill(motions: &mut Vec<BoneMotion>, bind: &[DAffine3], current: &[DAffine3]) {
    motions.clear();
    motions.extend(bind.iter().zip(current).map(|(bind, current)| {
        let q = DualQuat::from_affine(&(*current * bind.inverse()));
        let [x, y, z, w] = q.real.as_quat().to_array();
        let [a, b, c, d] = q.dual.as_quat().to_array();
        BoneMotion([x, y, z, w, a, b, c, d])
    }));
}

/// As [`super::linear::skin`], with dual quaternions instead of matrices. Weights need not sum to 1: the
/// normalisation divides by their sum.
///
/// A quaternion and its negative are one motion: each is given the sign that brings it nearer to that of
/// the vertex' heaviest bone (of equals, the one with the lowest index), so that the blend takes the
/// shorter way round and the order of the weights does not matter.
pub fn skin(
    bones: &[BoneMotion],
    weights: &VertexWeights,
    positions: &[Vec3],
    render: &RenderMesh,
    out_positions: &mut Vec<Vec3>,
    out_normals: &mut Vec<Vec3>,
) {
    let mut table = Table::default();
    table.fill(bones);
    let blend = DualQuaternions {
        table: &table,
        weights,
    };
    let out = Out::normals(positions, render, out_positions, out_normals);
    let how = How {
        path: Path::best(),
        stale: None,
    };
    blocks::skin(how, &blend, positions, render, out_positions, out);
}

/// The bones, laid out to be summed, and which of them point away from which: for as many bones as a small
/// table holds, so that vertices look it up instead of multiplying.
#[derive(Default)]
pub(super) struct Table {
    /// At least [`TABLE`], the last at rest.
    motions: Vec<BoneMotion>,
    bones: usize,
    /// Per pivot and bone -1 where the product of the real parts is negative, else 1; unless there are too
    /// many.
    signs: Vec<[f32; TABLE]>,
}

impl Table {
    pub fn fill(&mut self, bones: &[BoneMotion]) {
        self.bones = bones.len();
        self.motions.clear();
        self.motions.extend(bones);
        self.motions.resize(TABLE.max(bones.len() + 1), AT_REST);
        if self.small() {
            self.signs.resize(TABLE, [1.0; TABLE]);
            // Those between the bones and the last are never looked up.
            let used = || (0..bones.len()).chain([TABLE - 1]);
            for a in used() {
                for b in used() {
                    let away = self.motions[a].real().dot(self.motions[b].real()) < 0.0;
                    self.signs[a][b] = if away { -1.0 } else { 1.0 };
                }
            }
        }
    }

    fn small(&self) -> bool {
        self.bones < TABLE
    }

    /// If there are few enough.
    #[inline(always)]
    fn small_table(&self) -> Option<Small<'_>> {
        let small = Small {
            motions: self.motions.first_chunk()?,
            signs: self.signs.first_chunk()?,
            bones: self.bones as u16,
        };
        self.small().then_some(small)
    }

    #[inline(always)]
    fn of(&self, bone: u16) -> &BoneMotion {
        self.motions.get(usize::from(bone)).unwrap_or(&AT_REST)
    }

    /// `weight`, negated where the bone points away from the pivot.
    #[inline(always)]
    fn signed(&self, pivot: &BoneMotion, bone: u16, weight: f32) -> f32 {
        let away = pivot.real().dot(self.of(bone).real()) < 0.0;
        if away { -weight } else { weight }
    }
}

/// A table whose places need no check.
#[derive(Clone, Copy)]
struct Small<'a> {
    motions: &'a [BoneMotion; TABLE],
    signs: &'a [[f32; TABLE]; TABLE],
    bones: u16,
}

impl Small<'_> {
    #[inline(always)]
    fn of(&self, place: u8) -> &[f32; 8] {
        &self.motions[usize::from(place)].0
    }
}

/// Blends dual quaternions.
pub(super) struct DualQuaternions<'a> {
    pub table: &'a Table,
    pub weights: &'a VertexWeights,
}

/// Of a row that is not empty.
#[inline(always)]
fn heaviest(bones: &[u16], weights: &[f32]) -> u16 {
    // Weights are not negative, and then in the order of their bits; the lower bone wins among equals.
    let mut most = i64::MIN;
    for i in 0..bones.len().min(weights.len()) {
        let weight = i64::from(weights[i].to_bits() as i32);
        most = most.max(weight << 16 | i64::from(!bones[i]));
    }
    !(most as u16)
}

/// Which of the four is the heaviest, the first of equals: numbers 0 to 3, in the bits of what it returns.
#[inline(always)]
fn pivots<S: Simd>(s: S, fours: &Fours<'_>) -> [f32; MOST_LANES] {
    let mut pivots = [0.0; MOST_LANES];
    let weights = s.transposed_fours(fours.weights);
    let number = |k: u32| f32::from_bits(k);
    let [a, b, c, d] = weights;
    let ab = s.pick_less(a, b, s.splat(number(1)), s.splat(number(0)));
    let cd = s.pick_less(c, d, s.splat(number(3)), s.splat(number(2)));
    let heaviest = s.pick_less(s.max(a, b), s.max(c, d), cd, ab);
    s.store(&mut pivots, heaviest);
    pivots
}

impl Blend for DualQuaternions<'_> {
    type Moves<S: Simd> = Rigid<S>;

    #[inline(always)]
    fn block<S: Simd>(&self, simd: S, first: usize, count: usize, rows: &mut Rows) -> Rigid<S> {
        if let Some(small) = self.table.small_table()
            && let Some(fours) = Fours::of(simd, self.weights, first, count, small.bones)
            && fours.ascending
        {
            let pivots = pivots(simd, &fours);
            for lane in 0..S::LANES {
                let ([a, b, c, d], weights) = (fours.bones[lane], &fours.weights[lane]);
                let pivot = fours.bones[lane][pivots[lane].to_bits() as usize % 4];
                let signs = &small.signs[usize::from(pivot)];
                let sum = simd.eight_scaled(small.of(a), weights[0] * signs[usize::from(a)]);
                let sum = simd.eight_plus(sum, small.of(b), weights[1] * signs[usize::from(b)]);
                let sum = simd.eight_plus(sum, small.of(c), weights[2] * signs[usize::from(c)]);
                let sum = simd.eight_plus(sum, small.of(d), weights[3] * signs[usize::from(d)]);
                simd.store_eight(&mut rows.0[lane], sum);
            }
        } else {
            let mut walk = Walk::new(self.weights, first);
            for (lane, row) in rows.0[..count].iter_mut().enumerate() {
                match walk.row(lane) {
                    ([bone], [weight]) => {
                        simd.store_eight(row, simd.eight_scaled(&self.table.of(*bone).0, *weight));
                    }
                    (all @ [bone, bones @ ..], every @ [weight, weights @ ..]) => {
                        let pivot = self.table.of(heaviest(all, every));
                        let weight = self.table.signed(pivot, *bone, *weight);
                        let mut sum = simd.eight_scaled(&self.table.of(*bone).0, weight);
                        for i in 0..bones.len().min(weights.len()) {
                            let weight = self.table.signed(pivot, bones[i], weights[i]);
                            sum = simd.eight_plus(sum, &self.table.of(bones[i]).0, weight);
                        }
                        simd.store_eight(row, sum);
                    }
                    _ => row[..8].copy_from_slice(&AT_REST.0),
                }
            }
        }
        for row in rows.0.iter_mut().take(S::LANES).skip(count) {
            row[..8].copy_from_slice(&AT_REST.0);
        }
        let rigid = Rigid::of(simd, rows);
        let not = rigid.not;
        if not == 0 {
            return rigid;
        }
        // Weights of zero, or not numbers: as the heaviest bone moves.
        self.replace(first, not, rows);
        Rigid::of(simd, rows)
    }

    /// A turned unit vector is a unit vector: there is none that is too short.
    fn normal_in_f64(&self, _vertex: usize, bind: Vec3) -> Vec3 {
        bind
    }
}

impl DualQuaternions<'_> {
    /// The normal of a corner of `vertex`, on its own.
    pub fn normal_slowly(&self, vertex: usize, bind: Vec3) -> Vec3 {
        let moves = self.block(Portable, vertex, 1, &mut { Rows::ZERO });
        let bind = bind.to_array().map(|x| Portable.splat(x));
        moves.normals(Portable, bind).0.map(|lanes| lanes[0]).into()
    }

    #[cold]
    #[inline(never)]
    fn replace(&self, first: usize, not: u32, rows: &mut Rows) {
        for (lane, row) in rows
            .0
            .iter_mut()
            .enumerate()
            .filter(|(lane, _)| not >> lane & 1 == 1)
        {
            let (bones, weights) = self.weights.row(first + lane);
            if !bones.is_empty() {
                row[..8].copy_from_slice(&self.table.of(heaviest(bones, weights)).0);
            }
        }
    }
}

/// A block of dual quaternions q + ε q' of any length, q = (r, w), q' = (d, e). The component of q' along q
/// has no part in it.
#[derive(Clone, Copy)]
pub(super) struct Rigid<S: Simd> {
    r: [S::F; 3],
    w: S::F,
    d: [S::F; 3],
    e: S::F,
    /// 2 / |q|².
    twice: S::F,
    /// A bit per lane where q has no length.
    not: u32,
}

impl<S: Simd> Rigid<S> {
    #[inline(always)]
    fn of(s: S, rows: &Rows) -> Self {
        let ([x, y, z, w], [a, b, c, e]) = (s.transposed(rows, 0), s.transposed(rows, 1));
        let r = [x, y, z];
        let squared = s.mul_add(w, w, dot(s, r, r));
        let inverse = s.inverse(squared);
        Self {
            r,
            w,
            d: [a, b, c],
            e,
            twice: s.add(inverse, inverse),
            not: s.outside(squared, 1e-30, 1e30),
        }
    }
}

impl<S: Simd> Moves<S> for Rigid<S> {
    /// p + 2 (r x (r x p + w p + d) + w d - e r) / |q|².
    #[inline(always)]
    fn points(&self, s: S, p: [S::F; 3]) -> [S::F; 3] {
        let Self { r, w, d, e, .. } = *self;
        let mut inner = cross(s, r, p);
        for axis in 0..3 {
            inner[axis] = s.add(inner[axis], s.mul_add(w, p[axis], d[axis]));
        }
        let outer = cross(s, r, inner);
        let mut moved = p;
        for axis in 0..3 {
            let slide = s.mul_sub(w, d[axis], s.mul(e, r[axis]));
            moved[axis] = s.mul_add(s.add(outer[axis], slide), self.twice, p[axis]);
        }
        moved
    }

    /// n + 2 r x (r x n + w n) / |q|².
    #[inline(always)]
    fn normals(&self, s: S, n: [S::F; 3]) -> ([S::F; 3], u32) {
        let mut inner = cross(s, self.r, n);
        for axis in 0..3 {
            inner[axis] = s.mul_add(self.w, n[axis], inner[axis]);
        }
        let outer = cross(s, self.r, inner);
        let mut turned = n;
        for axis in 0..3 {
            turned[axis] = s.mul_add(outer[axis], self.twice, n[axis]);
        }
        (turned, 0)
    }

    #[inline(always)]
    fn at(&self, s: S, places: S::Places) -> Self {
        Self {
            r: super::blocks::at_places(s, self.r, places),
            w: s.permuted(self.w, places),
            twice: s.permuted(self.twice, places),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::testing::Random;
    use crate::mesh::primitives;
    use crate::rig::weights::power::power_weights;
    use crate::rig::{edits, kinematics, skeleton::Skeleton};

    #[test]
    fn a_negated_quaternion_is_the_same_motion() {
        let mesh = primitives::tube(0.5, 5.0, 12, 20).unwrap();
        let render = RenderMesh::new(&mesh);
        let mut skeleton = Skeleton::default();
        for bone in 0..5u32 {
            edits::add_bone(
                &mut skeleton,
                bone.checked_sub(1).map(|b| b as usize),
                Vec3::Y,
                2.0,
                bone,
            );
        }
        let weights = power_weights(&skeleton, mesh.positions(), 2.0);
        let mut random = Random::new(5);
        for _ in 0..20 {
            for bone in &mut skeleton.bones {
                bone.pose_deg = random.vec3(170.0);
            }
            let bind = kinematics::bind_pose(&skeleton);
            let mut motions = bone_motions(&bind, &kinematics::current_pose(&skeleton));
            let skinned = |motions: &[BoneMotion]| {
                let (mut positions, mut normals) = (Vec::new(), Vec::new());
                skin(
                    motions,
                    &weights,
                    mesh.positions(),
                    &render,
                    &mut positions,
                    &mut normals,
                );
                (positions, normals)
            };
            let expected = skinned(&motions);
            for motion in &mut motions {
                if random.range(0.0, 1.0) < 0.5 {
                    motion.0 = motion.0.map(|number| -number);
                }
            }
            let found = skinned(&motions);
            for (a, b) in [(&found.0, &expected.0), (&found.1, &expected.1)] {
                let far = a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
                assert!(far < 1e-5, "{far}");
            }
        }
    }
}
