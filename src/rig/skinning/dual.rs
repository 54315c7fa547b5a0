//! Dual quaternion skinning: the weighted sum of the bones' dual quaternions, normalised, is one rigid
//! motion for each vertex. A twisted limb keeps its girth, where blended matrices let it collapse.
//!
//! Kavan, Collins, Žára, O'Sullivan 2008 (see [`crate::math::dual`]). Bones give rigid motions only:
//! whatever else a matrix did (scale, shear) is left out.

#![allow(
    clippy::needless_range_loop,
    reason = "closures of iterators are not compiled for the instructions that a kernel runs on"
)]

use super::blend::{Blend, Moves, Sums, all, at_places, next};
use super::blocks;
use super::dual_sums::{EightAlike, EightEach, FourAlike, FourEach, Pivots, lowest_among_equals, pivots};
use super::influences::{Block, Influences};
use super::linear::{cross, dot};
use super::rows::{Rows, SHIFT, heaviest};
use crate::math::dual::DualQuat;
use crate::math::simd::{LINES, Lanes, Line, MOST_LANES, Portable, RowOffset, Simd, Spread};
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
        rows: None,
    };
    blocks::skin_all(&blend, positions, render, out_positions, out_normals);
}

/// Up to so many bones there is a table of signs.
const MOST_SIGNED: usize = 1000;

/// The bones' motions, laid out to be summed, and which of them point away from which: vertices look it up
/// instead of multiplying.
#[derive(Default)]
pub(super) struct Table {
    /// [`LINES`]: a motion and its negative. The one behind the bones is at rest.
    lines: Vec<Line>,
    motions: Vec<BoneMotion>,
    /// Per pivot and bone, both up to the number of bones: the place of the bone's motion, or of its
    /// negative where the product of the real parts is negative. Of use only if there are such negatives.
    signed: Vec<RowOffset>,
    /// Whether there are. Not if no bone is turned by more than a right angle.
    apart: bool,
    /// x, y, z and w of the real parts.
    real: [Vec<f32>; 4],
}

impl Table {
    pub fn fill(&mut self, bones: &[BoneMotion]) {
        self.motions.clear();
        // A motion or its negative, whichever is nearer to rest.
        self.motions.extend(bones.iter().map(|bone| {
            let sign = 1f32.copysign(bone.0[3]);
            BoneMotion(bone.0.map(|number| sign * number))
        }));
        self.motions.push(AT_REST);
        if bones.len() > MOST_SIGNED {
            return;
        }
        self.lines.resize(LINES, Line([0.0; 16]));
        for (line, motion) in self.lines.iter_mut().zip(&self.motions) {
            for i in 0..8 {
                line.0[i] = motion.0[i];
                line.0[8 + i] = -motion.0[i];
            }
        }
        // Within half a right angle from rest, in the space of quaternions, all are within one of each other.
        self.apart = self.motions.iter().any(|motion| motion.0[3] < 0.7072);
        if self.apart {
            self.find_signs();
        }
    }

    fn find_signs(&mut self) {
        for (i, real) in self.real.iter_mut().enumerate() {
            real.clear();
            real.extend(self.motions.iter().map(|motion| motion.0[i]));
        }
        let [x, y, z, w] = &self.real;
        self.signed.clear();
        for pivot in &self.motions {
            let [px, py, pz, pw] = pivot.real().to_array();
            let real = x.iter().zip(y).zip(z).zip(w);
            self.signed
                .extend(real.zip(0..).map(|((((x, y), z), w), bone): (_, RowOffset)| {
                    let away = px * x + py * y + pz * z + pw * w < 0.0;
                    (bone << SHIFT) + if away { 4 } else { 0 }
                }));
        }
        self.apart = self.signed.iter().any(|place| place & 4 != 0);
    }

    /// Number of bones.
    fn bones(&self) -> usize {
        self.motions.len().saturating_sub(1)
    }

    /// Unless there are too many bones.
    #[inline(always)]
    fn lines(&self) -> Option<&[Line; LINES]> {
        if self.bones() > MOST_SIGNED {
            None
        } else {
            self.lines.first_chunk()
        }
    }

    /// The place of a bone's motion, on the side of the pivot's. Bones that are not there are at rest.
    #[inline(always)]
    fn place(&self, pivot: u16, bone: u16) -> RowOffset {
        let [pivot, bone] = [pivot, bone].map(|bone| usize::from(bone).min(self.bones()));
        match self.apart {
            true => self.signed[pivot * self.motions.len() + bone],
            false => (bone as RowOffset) << SHIFT,
        }
    }

    fn motion(&self, bone: u16) -> &BoneMotion {
        self.motions.get(usize::from(bone)).unwrap_or(&AT_REST)
    }

    /// The sum of a row, without a table of signs.
    fn sum(&self, bones: &[u16], weights: &[f32]) -> [f32; 8] {
        if bones.is_empty() {
            return AT_REST.0;
        }
        let pivot = self.motion(heaviest(bones, weights)).real();
        let mut sum = [0.0; 8];
        for (bone, weight) in bones.iter().zip(weights) {
            let motion = self.motion(*bone);
            let weight = if pivot.dot(motion.real()) < 0.0 {
                -weight
            } else {
                *weight
            };
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
    /// The rows of all vertices, for the table's bones.
    pub rows: Option<&'a Rows>,
}

/// Rows in memory, where they are changed one by one.
struct Stored<'a>(&'a [Line; MOST_LANES]);

impl<S: Simd> Sums<S> for Stored<'_> {
    type Sum = S::DualQuat8;

    #[inline(always)]
    fn sum(&self, simd: S, lane: usize) -> S::DualQuat8 {
        simd.eight(&self.0[lane].0)
    }
}

#[inline(always)]
fn store<S: Simd>(simd: S, rows: &Lanes<S::DualQuat8>, room: &mut Spread) {
    for lane in 0..S::LANES {
        simd.store_eight(&mut room.rows[lane].0, rows[lane / 4][lane % 4]);
    }
}

impl Blend for DualQuaternions<'_> {
    type Blended<S: Simd> = Lanes<S::DualQuat8>;
    type Moves<S: Simd> = Rigid<S>;

    #[inline(always)]
    fn weights(&self) -> &VertexWeights {
        self.weights
    }

    fn rows(&self) -> Option<&Rows> {
        self.rows
    }

    #[inline(always)]
    fn blend<S: Simd>(&self, simd: S, block: &Block<'_>, room: &mut Spread) -> Lanes<S::DualQuat8> {
        let Some(table) = self.table.lines() else {
            for lane in 0..S::LANES {
                let (bones, weights) = block.row(lane);
                room.rows[lane].0[..8].copy_from_slice(&self.table.sum(bones, weights));
            }
            return all(simd, &Stored(&room.rows));
        };
        let rest = self.table.bones() as u16;
        let shift = if self.table.apart { 0 } else { SHIFT };
        let influences = &Influences::new(simd, block, rest, shift, room);
        let rows = if self.table.apart {
            let pivots = match influences.heaviest {
                Some(heaviest) => Pivots::Bones(heaviest),
                None => {
                    let mut pivots = pivots(simd, influences.weights);
                    if !simd.ascending(influences.bones) {
                        lowest_among_equals(influences, &mut pivots);
                    }
                    Pivots::Numbers(pivots)
                }
            };
            let first = FourEach {
                table,
                signed: &self.table.signed,
                stride: self.table.motions.len(),
                influences,
                pivots,
            };
            match influences.next {
                None => all(simd, &first),
                Some(next) => all(simd, &EightEach { first, next }),
            }
        } else {
            let first = FourAlike { table, influences };
            match influences.next {
                None => all(simd, &first),
                Some(next) => all(simd, &EightAlike { first, next }),
            }
        };
        let (mut more, mut none) = (influences.more, influences.none);
        if more | none == 0 {
            return rows;
        }
        store(simd, &rows, room);
        while let Some(lane) = next(&mut more) {
            let (bones, weights) = block.row(lane);
            let pivot = heaviest(bones, weights);
            let mut sum = simd.eight_scaled(table, self.table.place(pivot, bones[0]), weights[0]);
            for i in 1..bones.len().min(weights.len()) {
                sum = simd.eight_plus(sum, table, self.table.place(pivot, bones[i]), weights[i]);
            }
            simd.store_eight(&mut room.rows[lane].0, sum);
        }
        while let Some(lane) = next(&mut none) {
            room.rows[lane].0[..8].copy_from_slice(&AT_REST.0);
        }
        all(simd, &Stored(&room.rows))
    }

    #[inline(always)]
    fn moves<S: Simd>(
        &self,
        simd: S,
        block: &Block<'_>,
        rows: &Lanes<S::DualQuat8>,
        room: &mut Spread,
    ) -> Rigid<S> {
        let (rigid, mut not) = Rigid::new(simd, rows);
        if not == 0 {
            return rigid;
        }
        // Weights of zero, or not numbers: as the heaviest bone moves.
        store(simd, rows, room);
        while let Some(lane) = next(&mut not) {
            let (bones, weights) = block.row(lane);
            let bone = self.table.motion(heaviest(bones, weights));
            room.rows[lane].0[..8].copy_from_slice(&bone.0);
        }
        Rigid::new(simd, &all(simd, &Stored(&room.rows))).0
    }

    /// A turned unit vector is a unit vector: there is none that is too short.
    fn normal_in_f64(&self, _vertex: usize, bind: Vec3) -> Vec3 {
        bind
    }
}

impl DualQuaternions<'_> {
    /// The normal of a corner of `vertex`, on its own.
    pub fn normal_slowly(&self, vertex: usize, bind: Vec3) -> Vec3 {
        let block = Block {
            first: vertex,
            count: 1,
            weights: self.weights,
            rows: None,
            far: false,
        };
        let mut room = Spread::NONE;
        let rows = self.blend(Portable, &block, &mut room);
        let moves = self.moves(Portable, &block, &rows, &mut room);
        let bind = bind.to_array().map(|x| Portable.splat(x));
        moves.normals(Portable, bind).0.map(|lanes| lanes[0]).into()
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
}

impl<S: Simd> Rigid<S> {
    /// Also a bit per lane where q has no length.
    #[inline(always)]
    fn new(s: S, rows: &Lanes<S::DualQuat8>) -> (Self, u32) {
        let [[x, y, z, w], [a, b, c, e]] = s.columns_of_eight(rows);
        let r = [x, y, z];
        let squared = s.mul_add(w, w, dot(s, r, r));
        let inverse = s.inverse(squared);
        let rigid = Self {
            r,
            w,
            d: [a, b, c],
            e,
            twice: s.add(inverse, inverse),
        };
        (rigid, s.outside(squared, 1e-30, 1e30))
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
    fn at(&self, s: S, places: S::LaneIndices) -> Self {
        Self {
            r: at_places(s, self.r, places),
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
