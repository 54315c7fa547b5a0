//! Dual quaternion skinning: the weighted sum of the bones' dual quaternions, normalised, is one rigid
//! motion for each vertex. A twisted limb keeps its girth, where blended matrices let it collapse.
//!
//! Kavan, Collins, Žára, O'Sullivan 2008 (see [`crate::math::dual`]). Bones give rigid motions only:
//! whatever else a matrix did (scale, shear) is left out.

use super::blocks::{self, Blend, Moves, Out, Walk};
use super::linear::{cross, dot};
use crate::math::dual::DualQuat;
use crate::math::simd::{Path, Portable, Rows, Simd};
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
    let mut signs = Signs::default();
    signs.fill(bones);
    let blend = DualQuaternions {
        bones,
        signs: &signs,
        weights,
    };
    out_positions.resize(positions.len(), Vec3::ZERO);
    out_normals.resize(render.vertex.len(), Vec3::ZERO);
    let out = Out::Normals(out_normals);
    blocks::skin(Path::best(), &blend, positions, render, out_positions, out);
}

/// Which motions point away from which: for as many bones as a small table holds, so that vertices look it
/// up instead of multiplying. The last row and column are those of a bone at rest.
#[derive(Default)]
pub(super) struct Signs {
    /// Bones, and the one at rest; 0 where there are too many.
    side: usize,
    /// The sign bit, 0x80, where the product of the real parts is negative.
    away: Vec<u8>,
}

const MOST_IN_TABLE: usize = 255;

impl Signs {
    pub fn fill(&mut self, bones: &[BoneMotion]) {
        self.away.clear();
        self.side = if bones.len() > MOST_IN_TABLE { 0 } else { bones.len() + 1 };
        if self.side == 0 {
            return;
        }
        for a in bones.iter().chain([&AT_REST]) {
            for b in bones.iter().chain([&AT_REST]) {
                self.away.push(u8::from(a.real().dot(b.real()) < 0.0) << 7);
            }
        }
    }
}

/// Blends dual quaternions.
pub(super) struct DualQuaternions<'a> {
    pub bones: &'a [BoneMotion],
    pub signs: &'a Signs,
    pub weights: &'a VertexWeights,
}

impl DualQuaternions<'_> {
    #[inline(always)]
    fn motion(&self, bone: u16) -> &BoneMotion {
        self.bones.get(usize::from(bone)).unwrap_or(&AT_REST)
    }

    /// `weight`, negated where the bone points away from the pivot.
    #[inline(always)]
    fn signed(&self, pivot: u16, bone: u16, weight: f32) -> f32 {
        let side = self.signs.side;
        let sign = if side > 0 {
            let (pivot, bone) = (usize::from(pivot).min(side - 1), usize::from(bone).min(side - 1));
            u32::from(self.signs.away[pivot * side + bone]) << 24
        } else {
            let away = self.motion(pivot).real().dot(self.motion(bone).real()) < 0.0;
            u32::from(away) << 31
        };
        f32::from_bits(weight.to_bits() ^ sign)
    }
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

impl Blend for DualQuaternions<'_> {
    type Moves<S: Simd> = Rigid<S>;

    #[inline(always)]
    fn block<S: Simd>(&self, simd: S, first: usize, count: usize, rows: &mut Rows) -> Rigid<S> {
        let mut walk = Walk::new(self.weights, first);
        for (lane, row) in rows.0[..S::LANES].iter_mut().enumerate() {
            if lane >= count {
                row[..8].copy_from_slice(&AT_REST.0);
                continue;
            }
            match walk.row(first + lane) {
                // The usual number, without a loop.
                (bones @ &[a, b, c, d], weights @ &[wa, wb, wc, wd]) => {
                    let pivot = heaviest(bones, weights);
                    let sum = simd.eight_scaled(&self.motion(a).0, self.signed(pivot, a, wa));
                    let sum = simd.eight_plus(sum, &self.motion(b).0, self.signed(pivot, b, wb));
                    let sum = simd.eight_plus(sum, &self.motion(c).0, self.signed(pivot, c, wc));
                    let sum = simd.eight_plus(sum, &self.motion(d).0, self.signed(pivot, d, wd));
                    simd.store_eight(row, sum);
                }
                ([bone], [weight]) => {
                    simd.store_eight(row, simd.eight_scaled(&self.motion(*bone).0, *weight));
                }
                (all @ [bone, bones @ ..], every @ [weight, weights @ ..]) => {
                    let pivot = heaviest(all, every);
                    let weight = self.signed(pivot, *bone, *weight);
                    let mut sum = simd.eight_scaled(&self.motion(*bone).0, weight);
                    for i in 0..bones.len().min(weights.len()) {
                        let weight = self.signed(pivot, bones[i], weights[i]);
                        sum = simd.eight_plus(sum, &self.motion(bones[i]).0, weight);
                    }
                    simd.store_eight(row, sum);
                }
                _ => row[..8].copy_from_slice(&AT_REST.0),
            }
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
        for (lane, row) in rows.0.iter_mut().enumerate().filter(|(lane, _)| not >> lane & 1 == 1) {
            let (bones, weights) = self.weights.row(first + lane);
            if !bones.is_empty() {
                row[..8].copy_from_slice(&self.motion(heaviest(bones, weights)).0);
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
