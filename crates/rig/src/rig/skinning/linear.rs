//! Linear blend skinning: M_v = sum of w * P_b * inverse(B_b). M_v transforms positions, and its inverse
//! transpose the normals of render vertices, which are then normalised. Vertices without weights stay in
//! place.
//!
//! Weights are not normalised (nor are they in Scotty3D).

#![allow(
    clippy::needless_range_loop,
    reason = "closures of iterators are not compiled for the instructions that a kernel runs on"
)]

use super::blend::{Blend, Motion, Sums, all_sums, gather_lanes, pop_lowest};
use super::blocks;
use super::influences::{Block, Influences};
use super::rows::{Rows, SHIFT};
use crate::math::simd::{Influences4, LINES, Lanes, Line, MAX_LANES, RowOffset, Simd, Spread};
use crate::mesh::render::RenderMesh;
use crate::rig::weights::VertexWeights;
use glam::{Affine3A, Mat3A, Vec3, Vec3A};

/// Skins into caller-owned buffers, which are resized; from the second call on, only a copy of the bones is
/// allocated. `bones`: P_b * inverse(B_b) per bone. `positions`: V bind positions. `out_positions`: V;
/// `out_normals`: R (render vertices), unit length (zero where `render` has zero).
///
/// Where a singular blended matrix leaves a normal without direction, it stays as in the bind pose. Weights
/// on bones out of range count as on a bone at rest. The result does not depend on the number of threads.
pub fn skin(
    bones: &[Affine3A],
    weights: &VertexWeights,
    positions: &[Vec3],
    render: &RenderMesh,
    out_positions: &mut Vec<Vec3>,
    out_normals: &mut Vec<Vec3>,
) {
    let mut table = Table::default();
    table.fill(bones);
    let blend = Linear { table: &table, weights, rows: None };
    blocks::skin_all(&blend, positions, render, out_positions, out_normals);
}

/// The identity as a matrix of three rows.
const AT_REST: Line = Line([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);

/// The bones' matrices in SIMD layout.
#[derive(Default)]
pub(super) struct Table {
    /// At least [`LINES`] lines; the one after the last bone is at rest.
    matrices: Vec<Line>,
    bones: usize,
}

impl Table {
    pub fn fill(&mut self, bones: &[Affine3A]) {
        self.bones = bones.len();
        self.matrices.resize(LINES.max(bones.len() + 1), AT_REST);
        for (to, bone) in self.matrices.iter_mut().zip(bones) {
            let (m, t) = (bone.matrix3, bone.translation);
            for row in 0..3 {
                let values = [m.x_axis[row], m.y_axis[row], m.z_axis[row], t[row]];
                to.0[4 * row..4 * row + 4].copy_from_slice(&values);
            }
        }
        self.matrices[bones.len()] = AT_REST;
    }

    /// Returns the table and the number of bones, unless there are too many bones for row offsets.
    #[inline(always)]
    fn lines(&self) -> Option<(&[Line; LINES], u16)> {
        if self.bones > usize::from(RowOffset::MAX >> SHIFT) {
            return None;
        }
        match self.matrices.first_chunk() {
            Some(table) => Some((table, self.bones as u16)),
            None => None,
        }
    }

    fn sum(&self, bones: &[u16], weights: &[f32]) -> [f32; 16] {
        if bones.is_empty() {
            return AT_REST.0;
        }
        let mut sum = [0.0; 16];
        for (bone, weight) in bones.iter().zip(weights) {
            let matrix = &self.matrices[usize::from(*bone).min(self.bones)];
            for (sum, x) in sum.iter_mut().zip(&matrix.0) {
                *sum += x * weight;
            }
        }
        sum
    }
}

/// Blends matrices.
pub(super) struct Linear<'a> {
    pub table: &'a Table,
    pub weights: &'a VertexWeights,
    /// The rows of all vertices in SIMD layout, for the table's bones.
    pub rows: Option<&'a Rows>,
}

/// Sums of four matrices per vertex.
struct Sum4<'a> {
    table: &'a [Line; LINES],
    offsets: &'a Influences4<u16>,
    weights: &'a [[f32; 4]],
}

impl<S: Simd> Sums<S> for Sum4<'_> {
    type Sum = S::Mat3x4;

    #[inline(always)]
    fn sum(&self, simd: S, lane: usize) -> S::Mat3x4 {
        let (offsets, weights) = (&self.offsets[lane], &self.weights[lane]);
        let sum = simd.load_twelve_scaled(self.table, simd.load_single(&offsets[0]), weights[0]);
        let sum = simd.add_twelve_scaled(sum, self.table, simd.load_single(&offsets[1]), weights[1]);
        let sum = simd.add_twelve_scaled(sum, self.table, simd.load_single(&offsets[2]), weights[2]);
        simd.add_twelve_scaled(sum, self.table, simd.load_single(&offsets[3]), weights[3])
    }
}

/// Sums of eight matrices per vertex.
struct Sum8<'a>([Sum4<'a>; 2]);

impl<S: Simd> Sums<S> for Sum8<'_> {
    type Sum = S::Mat3x4;

    #[inline(always)]
    fn sum(&self, simd: S, lane: usize) -> S::Mat3x4 {
        let [first, next] = &self.0;
        let (offsets, weights) = (&next.offsets[lane], &next.weights[lane]);
        let sum = first.sum(simd, lane);
        let sum = simd.add_twelve_scaled(sum, next.table, simd.load_single(&offsets[0]), weights[0]);
        let sum = simd.add_twelve_scaled(sum, next.table, simd.load_single(&offsets[1]), weights[1]);
        let sum = simd.add_twelve_scaled(sum, next.table, simd.load_single(&offsets[2]), weights[2]);
        simd.add_twelve_scaled(sum, next.table, simd.load_single(&offsets[3]), weights[3])
    }
}

/// Sums in memory.
struct Stored<'a>(&'a [Line; MAX_LANES]);

impl<S: Simd> Sums<S> for Stored<'_> {
    type Sum = S::Mat3x4;

    #[inline(always)]
    fn sum(&self, simd: S, lane: usize) -> S::Mat3x4 {
        simd.load_twelve(&self.0[lane].0)
    }
}

impl Blend for Linear<'_> {
    type Blended<S: Simd> = (Lanes<S::Mat3x4>, u32);
    type Motion<S: Simd> = Matrices<S>;

    #[inline(always)]
    fn weights(&self) -> &VertexWeights {
        self.weights
    }

    fn rows(&self) -> Option<&Rows> {
        self.rows
    }

    #[inline(always)]
    fn blend<S: Simd>(&self, simd: S, block: &Block<'_>, scratch: &mut Spread) -> Self::Blended<S> {
        let Some((table, rest)) = self.table.lines() else {
            let mut empty = 0;
            for lane in 0..S::LANES {
                let (bones, weights) = block.row(lane);
                empty |= u32::from(bones.is_empty()) << lane;
                scratch.rows[lane].0 = self.table.sum(bones, weights);
            }
            return (all_sums(simd, &Stored(&scratch.rows)), empty);
        };
        let influences = Influences::new(simd, block, rest, SHIFT, scratch);
        let first = Sum4 { table, offsets: influences.bones, weights: influences.weights };
        let rows = match influences.next {
            None => all_sums(simd, &first),
            Some((offsets, weights)) => {
                let next = Sum4 { table, offsets, weights };
                all_sums(simd, &Sum8([first, next]))
            }
        };
        let (mut longer, empty, summed) = (influences.longer, influences.empty, influences.count());
        if longer | empty == 0 {
            return (rows, 0);
        }
        // Sums that are changed individually must be in memory.
        for lane in 0..S::LANES {
            simd.store_twelve(&mut scratch.rows[lane].0, rows[lane / 4][lane % 4]);
        }
        while let Some(lane) = pop_lowest(&mut longer) {
            let (bones, weights) = block.row(lane);
            let mut sum = simd.load_twelve(&scratch.rows[lane].0);
            for i in summed..bones.len().min(weights.len()) {
                sum = simd.add_twelve_scaled(sum, table, bones[i].min(rest) << SHIFT, weights[i]);
            }
            simd.store_twelve(&mut scratch.rows[lane].0, sum);
        }
        let mut rest_lanes = empty;
        while let Some(lane) = pop_lowest(&mut rest_lanes) {
            scratch.rows[lane] = AT_REST;
        }
        (all_sums(simd, &Stored(&scratch.rows)), empty)
    }

    #[inline(always)]
    fn motion<S: Simd>(
        &self,
        simd: S,
        _block: &Block<'_>,
        (rows, empty): &Self::Blended<S>,
        _scratch: &mut Spread,
    ) -> Matrices<S> {
        Matrices::new(simd, rows, *empty)
    }

    fn normal_in_f64(&self, vertex: usize, bind: Vec3) -> Vec3 {
        let (bones, weights) = self.weights.row(vertex);
        if bones.is_empty() {
            return bind;
        }
        let rows = self.table.sum(bones, weights);
        let column = |i: usize| Vec3A::new(rows[i], rows[i + 4], rows[i + 8]);
        let matrix = Mat3A::from_cols(column(0), column(1), column(2));
        unit_or(cofactor_with_sign(&matrix) * Vec3A::from(bind), bind)
    }
}

/// M_v of a block, and its inverse transpose for normals.
#[derive(Clone, Copy)]
pub(super) struct Matrices<S: Simd> {
    /// Rows of M_v.
    matrix: [[S::F; 4]; 3],
    /// Columns of det(M) * inverse(transpose(M)): the inverse transpose up to a factor, defined for singular
    /// matrices too.
    cofactor: [[S::F; 3]; 3],
    /// The determinant, of which only the sign matters.
    determinant: S::F,
    stationary: u32,
}

impl<S: Simd> Matrices<S> {
    #[inline(always)]
    fn new(s: S, rows: &Lanes<S::Mat3x4>, stationary: u32) -> Self {
        let matrix = s.transpose_twelve(rows);
        let [[ax, bx, cx, _], [ay, by, cy, _], [az, bz, cz, _]] = matrix;
        let (a, b, c) = ([ax, ay, az], [bx, by, bz], [cx, cy, cz]);
        let cofactor = [cross(s, b, c), cross(s, c, a), cross(s, a, b)];
        Self { matrix, determinant: dot(s, a, cofactor[0]), cofactor, stationary }
    }
}

impl<S: Simd> Motion<S> for Matrices<S> {
    #[inline(always)]
    fn points(&self, s: S, [x, y, z]: [S::F; 3]) -> [S::F; 3] {
        let mut moved = [x; 3];
        for axis in 0..3 {
            let [a, b, c, t] = self.matrix[axis];
            moved[axis] = s.mul_add(a, x, s.mul_add(b, y, s.mul_add(c, z, t)));
        }
        moved
    }

    #[inline(always)]
    fn normals(&self, s: S, [x, y, z]: [S::F; 3]) -> ([S::F; 3], u32) {
        let [a, b, c] = self.cofactor;
        let mut normal = [x; 3];
        for axis in 0..3 {
            normal[axis] = s.mul_add(a[axis], x, s.mul_add(b[axis], y, s.mul(c[axis], z)));
        }
        let (unit, invalid) = units(s, normal);
        let mut signed = unit;
        for axis in 0..3 {
            signed[axis] = s.negate_by_sign(unit[axis], self.determinant);
        }
        (signed, invalid)
    }

    #[inline(always)]
    fn stationary(&self) -> u32 {
        self.stationary
    }

    #[inline(always)]
    fn gather(&self, s: S, lanes: S::LaneIndices) -> Self {
        let [a, b, c] = self.cofactor;
        Self {
            matrix: self.matrix,
            cofactor: [gather_lanes(s, a, lanes), gather_lanes(s, b, lanes), gather_lanes(s, c, lanes)],
            determinant: s.permute(self.determinant, lanes),
            stationary: self.stationary,
        }
    }
}

/// Normalises vectors. Also returns a mask of lanes whose squared length is out of range for f32.
#[inline(always)]
pub(super) fn units<S: Simd>(s: S, v: [S::F; 3]) -> ([S::F; 3], u32) {
    let squared = dot(s, v, v);
    let inverse = s.inverse_sqrt(squared);
    let unit = [s.mul(v[0], inverse), s.mul(v[1], inverse), s.mul(v[2], inverse)];
    (unit, s.outside(squared, 1e-30, 1e30))
}

#[inline(always)]
pub(super) fn dot<S: Simd>(s: S, a: [S::F; 3], b: [S::F; 3]) -> S::F {
    s.mul_add(a[0], b[0], s.mul_add(a[1], b[1], s.mul(a[2], b[2])))
}

#[inline(always)]
pub(super) fn cross<S: Simd>(s: S, a: [S::F; 3], b: [S::F; 3]) -> [S::F; 3] {
    [
        s.mul_sub(a[1], b[2], s.mul(a[2], b[1])),
        s.mul_sub(a[2], b[0], s.mul(a[0], b[2])),
        s.mul_sub(a[0], b[1], s.mul(a[1], b[0])),
    ]
}

/// Returns det(M) * inverse(transpose(M)), times the sign of det(M).
fn cofactor_with_sign(m: &Mat3A) -> Mat3A {
    let x = m.y_axis.cross(m.z_axis);
    let determinant = m.x_axis.dot(x);
    let sign = if determinant < 0.0 { -1.0 } else { 1.0 };
    Mat3A::from_cols(x * sign, m.z_axis.cross(m.x_axis) * sign, m.x_axis.cross(m.y_axis) * sign)
}

/// Returns `normal` as a unit vector, or `fallback` if it has no direction.
pub(super) fn unit_or(normal: Vec3A, fallback: Vec3) -> Vec3 {
    normal.as_dvec3().try_normalize().map_or(fallback, |unit| unit.as_vec3())
}
