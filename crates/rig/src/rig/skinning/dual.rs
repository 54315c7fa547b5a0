//! Dual quaternion skinning: the normalised weighted sum of the bones' dual quaternions is one rigid motion
//! for each vertex. Twisted limbs preserve their volume, where blended matrices would collapse.
//!
//! Kavan, Collins, Žára, O'Sullivan 2008 (see [`crate::math::dual`]). Motions of bones are rigid; for bones
//! that are scaled too see `scaled`.

#![allow(
    clippy::needless_range_loop,
    reason = "closures of iterators are not compiled for the instructions that a kernel runs on"
)]

use super::blend::{Blend, Motion, Sums, all_sums, gather_lanes, pop_lowest};
use super::blocks;
use super::dual_sums::{Pivots, SignedSum4, SignedSum8, Sum4, Sum8, lowest_among_equals, pivots};
use super::influences::{Block, Influences};
use super::linear::{cross, dot};
use super::rows::{Rows, SHIFT, heaviest};
use crate::math::dual::DualQuat;
use crate::math::simd::{LINES, Lanes, Line, MAX_LANES, Portable, RowOffset, Simd, Spread};
use crate::mesh::render::RenderMesh;
use crate::rig::weights::VertexWeights;
use glam::{DAffine3, Vec3, Vec4};

/// A bone's motion from the bind pose to the current one, in skeleton space: x, y, z, w of the real part,
/// then of the dual part.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub struct BoneMotion([f32; 8]);

const AT_REST: BoneMotion = BoneMotion([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);

impl BoneMotion {
    /// Scale and shear of the motion are ignored.
    pub(super) fn new(motion: &DAffine3) -> Self {
        let q = DualQuat::from_affine(motion);
        let [x, y, z, w] = q.real.as_quat().to_array();
        let [a, b, c, d] = q.dual.as_quat().to_array();
        Self([x, y, z, w, a, b, c, d])
    }

    fn real(&self) -> Vec4 {
        Vec4::from_slice(&self.0)
    }
}

/// Returns P_b * inverse(B_b) of each bone as a dual quaternion, calculated in f64. `bind` and `current`:
/// `skeleton_from_bone` per bone.
pub fn bone_motions(bind: &[DAffine3], current: &[DAffine3]) -> Vec<BoneMotion> {
    let mut motions = Vec::new();
    fill(&mut motions, bind, current);
    motions
}

pub(super) fn fill(motions: &mut Vec<BoneMotion>, bind: &[DAffine3], current: &[DAffine3]) {
    motions.clear();
    let motion = |(bind, current): (&DAffine3, &DAffine3)| BoneMotion::new(&(*current * bind.inverse()));
    motions.extend(bind.iter().zip(current).map(motion));
}

/// Skins like [`super::linear::skin`], with dual quaternions instead of matrices. Weights need not sum to 1,
/// since the normalisation divides by their sum.
///
/// A quaternion and its negative are the same motion. Each gets the sign that brings it closer to that of the
/// vertex's heaviest bone (the lowest index among equals), so that the blend takes the shorter path and the
/// order of the weights does not matter.
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
    let blend = DualQuaternions { table: &table, weights, rows: None };
    blocks::skin_all(&blend, positions, render, out_positions, out_normals);
}

/// The most bones for which there is a table of signs.
const MAX_SIGNED_BONES: usize = 1000;

/// The bones' motions in SIMD layout, and the sign of each relative to each other, which vertices look up
/// instead of calculating it.
#[derive(Default)]
pub(super) struct Table {
    /// [`LINES`] lines, each with a motion and its negative. The line after the last bone is at rest.
    lines: Vec<Line>,
    motions: Vec<BoneMotion>,
    /// For each pivot and bone, both including the one at rest: the offset of the bone's motion, or of its
    /// negative if the dot product of the real parts is negative. Valid only if `has_negatives`.
    signed_offsets: Vec<RowOffset>,
    /// Whether any dot product is negative. Impossible if no bone is rotated by more than a right angle.
    has_negatives: bool,
    /// x, y, z and w of all real parts.
    real: [Vec<f32>; 4],
}

impl Table {
    pub fn fill(&mut self, bones: &[BoneMotion]) {
        self.motions.clear();
        // The motion or its negative, whichever is closer to rest.
        self.motions.extend(bones.iter().map(|bone| {
            let sign = 1f32.copysign(bone.0[3]);
            BoneMotion(bone.0.map(|number| sign * number))
        }));
        self.motions.push(AT_REST);
        if bones.len() > MAX_SIGNED_BONES {
            return;
        }
        self.lines.resize(LINES, Line([0.0; 16]));
        for (line, motion) in self.lines.iter_mut().zip(&self.motions) {
            for i in 0..8 {
                line.0[i] = motion.0[i];
                line.0[8 + i] = -motion.0[i];
            }
        }
        // If all quaternions are within 45 degrees of rest, no two are more than 90 degrees apart.
        self.has_negatives = self.motions.iter().any(|motion| motion.0[3] < 0.7072);
        if self.has_negatives {
            self.find_signs();
        }
    }

    fn find_signs(&mut self) {
        for (i, real) in self.real.iter_mut().enumerate() {
            real.clear();
            real.extend(self.motions.iter().map(|motion| motion.0[i]));
        }
        let [x, y, z, w] = &self.real;
        self.signed_offsets.clear();
        for pivot in &self.motions {
            let [px, py, pz, pw] = pivot.real().to_array();
            let real = x.iter().zip(y).zip(z).zip(w);
            self.signed_offsets.extend(real.zip(0..).map(|((((x, y), z), w), bone): (_, RowOffset)| {
                let is_negative = px * x + py * y + pz * z + pw * w < 0.0;
                (bone << SHIFT) + if is_negative { 4 } else { 0 }
            }));
        }
        self.has_negatives = self.signed_offsets.iter().any(|offset| offset & 4 != 0);
    }

    /// The number of bones.
    fn bones(&self) -> usize {
        self.motions.len().saturating_sub(1)
    }

    /// The lines, unless there are too many bones.
    #[inline(always)]
    fn lines(&self) -> Option<&[Line; LINES]> {
        if self.bones() > MAX_SIGNED_BONES { None } else { self.lines.first_chunk() }
    }

    /// Returns the offset of a bone's motion with the sign that suits the pivot. Bones out of range are at
    /// rest.
    #[inline(always)]
    fn row_offset(&self, pivot: u16, bone: u16) -> RowOffset {
        let [pivot, bone] = [pivot, bone].map(|bone| usize::from(bone).min(self.bones()));
        if self.has_negatives {
            self.signed_offsets[pivot * self.motions.len() + bone]
        } else {
            (bone as RowOffset) << SHIFT
        }
    }

    fn motion(&self, bone: u16) -> &BoneMotion {
        self.motions.get(usize::from(bone)).unwrap_or(&AT_REST)
    }

    /// Sums a row without the table of signs.
    fn sum(&self, bones: &[u16], weights: &[f32]) -> [f32; 8] {
        if bones.is_empty() {
            return AT_REST.0;
        }
        let pivot = self.motion(heaviest(bones, weights)).real();
        let mut sum = [0.0; 8];
        for (bone, weight) in bones.iter().zip(weights) {
            let motion = self.motion(*bone);
            let weight = if pivot.dot(motion.real()) < 0.0 { -weight } else { *weight };
            for (sum, x) in sum.iter_mut().zip(&motion.0) {
                *sum += x * weight;
            }
        }
        sum
    }
}

/// Blends dual quaternions.
pub(super) struct DualQuaternions<'a> {
    pub table: &'a Table,
    pub weights: &'a VertexWeights,
    /// The rows of all vertices in SIMD layout, for the table's bones.
    pub rows: Option<&'a Rows>,
}

/// Sums in memory, which can be changed individually.
struct Stored<'a>(&'a [Line; MAX_LANES]);

impl<S: Simd> Sums<S> for Stored<'_> {
    type Sum = S::DualQuat8;

    #[inline(always)]
    fn sum(&self, simd: S, lane: usize) -> S::DualQuat8 {
        simd.load_eight(&self.0[lane].0)
    }
}

#[inline(always)]
fn store<S: Simd>(simd: S, rows: &Lanes<S::DualQuat8>, scratch: &mut Spread) {
    for lane in 0..S::LANES {
        simd.store_eight(&mut scratch.rows[lane].0, rows[lane / 4][lane % 4]);
    }
}

impl Blend for DualQuaternions<'_> {
    type Blended<S: Simd> = Lanes<S::DualQuat8>;
    type Motion<S: Simd> = Rigid<S>;

    #[inline(always)]
    fn weights(&self) -> &VertexWeights {
        self.weights
    }

    fn rows(&self) -> Option<&Rows> {
        self.rows
    }

    #[inline(always)]
    fn blend<S: Simd>(&self, simd: S, block: &Block<'_>, scratch: &mut Spread) -> Lanes<S::DualQuat8> {
        let Some(table) = self.table.lines() else {
            for lane in 0..S::LANES {
                let (bones, weights) = block.row(lane);
                scratch.rows[lane].0[..8].copy_from_slice(&self.table.sum(bones, weights));
            }
            return all_sums(simd, &Stored(&scratch.rows));
        };
        let rest = self.table.bones() as u16;
        let shift = if self.table.has_negatives { 0 } else { SHIFT };
        let influences = &Influences::new(simd, block, rest, shift, scratch);
        let rows = if self.table.has_negatives {
            let pivots = match influences.heaviest {
                Some(heaviest) => Pivots::Bones(heaviest),
                None => {
                    let mut pivots = pivots(simd, influences.weights);
                    if !simd.is_ascending(influences.bones) {
                        lowest_among_equals(influences, &mut pivots);
                    }
                    Pivots::Indices(pivots)
                }
            };
            let first = SignedSum4 {
                table,
                signed_offsets: &self.table.signed_offsets,
                stride: self.table.motions.len(),
                influences,
                pivots,
            };
            match influences.next {
                None => all_sums(simd, &first),
                Some(next) => all_sums(simd, &SignedSum8 { first, next }),
            }
        } else {
            let first = Sum4 { table, influences };
            match influences.next {
                None => all_sums(simd, &first),
                Some(next) => all_sums(simd, &Sum8 { first, next }),
            }
        };
        let (mut longer, mut empty) = (influences.longer, influences.empty);
        if longer | empty == 0 {
            return rows;
        }
        store(simd, &rows, scratch);
        while let Some(lane) = pop_lowest(&mut longer) {
            let (bones, weights) = block.row(lane);
            let pivot = heaviest(bones, weights);
            let mut sum = simd.load_eight_scaled(table, self.table.row_offset(pivot, bones[0]), weights[0]);
            for i in 1..bones.len().min(weights.len()) {
                let offset = self.table.row_offset(pivot, bones[i]);
                sum = simd.add_eight_scaled(sum, table, offset, weights[i]);
            }
            simd.store_eight(&mut scratch.rows[lane].0, sum);
        }
        while let Some(lane) = pop_lowest(&mut empty) {
            scratch.rows[lane].0[..8].copy_from_slice(&AT_REST.0);
        }
        all_sums(simd, &Stored(&scratch.rows))
    }

    #[inline(always)]
    fn motion<S: Simd>(
        &self,
        simd: S,
        block: &Block<'_>,
        rows: &Lanes<S::DualQuat8>,
        scratch: &mut Spread,
    ) -> Rigid<S> {
        let (rigid, mut invalid) = Rigid::new(simd, rows);
        if invalid == 0 {
            return rigid;
        }
        // With weights of 0 or NaN, the vertex follows its heaviest bone.
        store(simd, rows, scratch);
        while let Some(lane) = pop_lowest(&mut invalid) {
            let (bones, weights) = block.row(lane);
            let bone = self.table.motion(heaviest(bones, weights));
            scratch.rows[lane].0[..8].copy_from_slice(&bone.0);
        }
        Rigid::new(simd, &all_sums(simd, &Stored(&scratch.rows))).0
    }

    /// Needed where this is a part of another method: a rotated unit vector is a unit vector.
    fn normal_in_f64(&self, vertex: usize, bind: Vec3) -> Vec3 {
        let block = Block { first: vertex, count: 1, weights: self.weights, rows: None, prefetch: false };
        let mut scratch = Spread::EMPTY;
        let rows = self.blend(Portable, &block, &mut scratch);
        let motion = self.motion(Portable, &block, &rows, &mut scratch);
        let bind = bind.to_array().map(|x| Portable.splat(x));
        motion.normals(Portable, bind).0.map(|lanes| lanes[0]).into()
    }
}

/// A block of dual quaternions q + ε q' of any length, q = (r, w), q' = (d, e). The component of q' along q
/// has no effect.
#[derive(Clone, Copy)]
pub(super) struct Rigid<S: Simd> {
    r: [S::F; 3],
    w: S::F,
    d: [S::F; 3],
    e: S::F,
    /// 2 / |q|².
    twice: S::F,
}

impl<S: Simd> Rigid<S> {
    /// Prepares the motions. Also returns a mask of lanes where the length of q is 0 or out of range.
    #[inline(always)]
    fn new(s: S, rows: &Lanes<S::DualQuat8>) -> (Self, u32) {
        let [[x, y, z, w], [a, b, c, e]] = s.transpose_eight(rows);
        let r = [x, y, z];
        let squared = s.mul_add(w, w, dot(s, r, r));
        let inverse = s.inverse(squared);
        let rigid = Self { r, w, d: [a, b, c], e, twice: s.add(inverse, inverse) };
        (rigid, s.outside(squared, 1e-30, 1e30))
    }
}

impl<S: Simd> Motion<S> for Rigid<S> {
    /// Moves points: p + 2 (r x (r x p + w p + d) + w d - e r) / |q|².
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
            let translation = s.mul_sub(w, d[axis], s.mul(e, r[axis]));
            moved[axis] = s.mul_add(s.add(outer[axis], translation), self.twice, p[axis]);
        }
        moved
    }

    /// Rotates normals: n + 2 r x (r x n + w n) / |q|².
    #[inline(always)]
    fn normals(&self, s: S, n: [S::F; 3]) -> ([S::F; 3], u32) {
        let mut inner = cross(s, self.r, n);
        for axis in 0..3 {
            inner[axis] = s.mul_add(self.w, n[axis], inner[axis]);
        }
        let outer = cross(s, self.r, inner);
        let mut rotated = n;
        for axis in 0..3 {
            rotated[axis] = s.mul_add(outer[axis], self.twice, n[axis]);
        }
        (rotated, 0)
    }

    #[inline(always)]
    fn gather(&self, s: S, lanes: S::LaneIndices) -> Self {
        Self {
            r: gather_lanes(s, self.r, lanes),
            w: s.permute(self.w, lanes),
            twice: s.permute(self.twice, lanes),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;
    use crate::rig::weights::power::power_weights;
    use crate::rig::{edits, kinematics, skeleton::Skeleton};
    use crate::testing::Random;

    #[test]
    fn a_negated_quaternion_is_the_same_motion() {
        let mesh = primitives::tube(0.5, 5.0, 12, 20).unwrap();
        let render = RenderMesh::new(&mesh);
        let mut skeleton = Skeleton::default();
        for bone in 0..5u32 {
            edits::add_bone(&mut skeleton, bone.checked_sub(1).map(|b| b as usize), Vec3::Y, 2.0, bone);
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
                skin(motions, &weights, mesh.positions(), &render, &mut positions, &mut normals);
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
                let largest = a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
                assert!(largest < 1e-5, "{largest}");
            }
        }
    }
}
