//! Linear blend skinning: M_v = sum of w * P_b * inverse(B_b); positions by M_v, normals of every
//! render vertex by its inverse transpose, normalised. Vertices without weights stay in place.
//!
//! Weights are taken as they are: not normalised (nor does Scotty3D).

#![allow(
    clippy::needless_range_loop,
    reason = "closures of iterators are not compiled for the instructions that a kernel runs on"
)]

use super::blend::{Blend, Moves, Sums, all, at_places, next};
use super::blocks;
use super::influences::{Block, Influences};
use super::rows::{Rows, SHIFT};
use crate::math::simd::{Influences4, LINES, Lanes, Line, MOST_LANES, RowOffset, Simd, Spread};
use crate::mesh::render::RenderMesh;
use crate::rig::weights::VertexWeights;
use glam::{Affine3A, Mat3A, Vec3, Vec3A};

/// Skins into caller-owned buffers, which are resized (so no memory is asked for from the second call on but
/// for a copy of the bones). `bones`: P_b * inverse(B_b) per bone. `positions`: V bind positions.
/// `out_positions`: V; `out_normals`: R (render vertices), unit length (zero where `render` has zero).
///
/// Where the blended matrix is singular and leaves a normal no direction, that of the bind pose is kept.
/// A weight on a bone that is not there counts as on a bone that does not move.
/// The same result however many threads there are.
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
    let blend = Linear {
        table: &table,
        weights,
        rows: None,
    };
    blocks::skin_all(&blend, positions, render, out_positions, out_normals);
}

/// Matrices of three rows.
const AT_REST: Line = Line([
    1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0,
]);

/// The bones' matrices, laid out to be summed.
#[derive(Default)]
pub(super) struct Table {
    /// [`LINES`] at least; the one behind the bones is at rest.
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
                let row_of = [m.x_axis[row], m.y_axis[row], m.z_axis[row], t[row]];
                to.0[4 * row..4 * row + 4].copy_from_slice(&row_of);
            }
        }
        self.matrices[bones.len()] = AT_REST;
    }

    /// If all bones have places: the table, and the number of bones.
    #[inline(always)]
    fn places(&self) -> Option<(&[Line; LINES], u16)> {
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
    /// The rows of all vertices, for the table's bones.
    pub rows: Option<&'a Rows>,
}

struct FourEach<'a> {
    table: &'a [Line; LINES],
    places: &'a Influences4<u16>,
    weights: &'a [[f32; 4]],
}

impl<S: Simd> Sums<S> for FourEach<'_> {
    type Sum = S::Mat3x4;

    #[inline(always)]
    fn sum(&self, simd: S, lane: usize) -> S::Mat3x4 {
        let (places, weights) = (&self.places[lane], &self.weights[lane]);
        let sum = simd.twelve_scaled(self.table, simd.alone(&places[0]), weights[0]);
        let sum = simd.twelve_plus(sum, self.table, simd.alone(&places[1]), weights[1]);
        let sum = simd.twelve_plus(sum, self.table, simd.alone(&places[2]), weights[2]);
        simd.twelve_plus(sum, self.table, simd.alone(&places[3]), weights[3])
    }
}

/// Sums of eight each.
struct EightEach<'a>([FourEach<'a>; 2]);

impl<S: Simd> Sums<S> for EightEach<'_> {
    type Sum = S::Mat3x4;

    #[inline(always)]
    fn sum(&self, simd: S, lane: usize) -> S::Mat3x4 {
        let [first, next] = &self.0;
        let (places, weights) = (&next.places[lane], &next.weights[lane]);
        let sum = first.sum(simd, lane);
        let sum = simd.twelve_plus(sum, next.table, simd.alone(&places[0]), weights[0]);
        let sum = simd.twelve_plus(sum, next.table, simd.alone(&places[1]), weights[1]);
        let sum = simd.twelve_plus(sum, next.table, simd.alone(&places[2]), weights[2]);
        simd.twelve_plus(sum, next.table, simd.alone(&places[3]), weights[3])
    }
}

/// Rows in memory.
struct Stored<'a>(&'a [Line; MOST_LANES]);

impl<S: Simd> Sums<S> for Stored<'_> {
    type Sum = S::Mat3x4;

    #[inline(always)]
    fn sum(&self, simd: S, lane: usize) -> S::Mat3x4 {
        simd.twelve(&self.0[lane].0)
    }
}

impl Blend for Linear<'_> {
    type Blended<S: Simd> = (Lanes<S::Mat3x4>, u32);
    type Moves<S: Simd> = Matrices<S>;

    #[inline(always)]
    fn weights(&self) -> &VertexWeights {
        self.weights
    }

    fn rows(&self) -> Option<&Rows> {
        self.rows
    }

    #[inline(always)]
    fn blend<S: Simd>(&self, simd: S, block: &Block<'_>, room: &mut Spread) -> Self::Blended<S> {
        let Some((table, rest)) = self.table.places() else {
            let mut none = 0;
            for lane in 0..S::LANES {
                let (bones, weights) = block.row(lane);
                none |= u32::from(bones.is_empty()) << lane;
                room.rows[lane].0 = self.table.sum(bones, weights);
            }
            return (all(simd, &Stored(&room.rows)), none);
        };
        let influences = Influences::new(simd, block, rest, SHIFT, room);
        let first = FourEach {
            table,
            places: influences.bones,
            weights: influences.weights,
        };
        let rows = match influences.next {
            None => all(simd, &first),
            Some((places, weights)) => {
                let next = FourEach {
                    table,
                    places,
                    weights,
                };
                all(simd, &EightEach([first, next]))
            }
        };
        let (mut more, none, here) = (influences.more, influences.none, influences.count());
        if more | none == 0 {
            return (rows, 0);
        }
        // Where rows are changed one by one they lie in memory.
        for lane in 0..S::LANES {
            simd.store_twelve(&mut room.rows[lane].0, rows[lane / 4][lane % 4]);
        }
        while let Some(lane) = next(&mut more) {
            let (bones, weights) = block.row(lane);
            let mut sum = simd.twelve(&room.rows[lane].0);
            for i in here..bones.len().min(weights.len()) {
                sum = simd.twelve_plus(sum, table, bones[i].min(rest) << SHIFT, weights[i]);
            }
            simd.store_twelve(&mut room.rows[lane].0, sum);
        }
        let mut left = none;
        while let Some(lane) = next(&mut left) {
            room.rows[lane] = AT_REST;
        }
        (all(simd, &Stored(&room.rows)), none)
    }

    #[inline(always)]
    fn moves<S: Simd>(
        &self,
        simd: S,
        _block: &Block<'_>,
        (rows, none): &Self::Blended<S>,
        _room: &mut Spread,
    ) -> Matrices<S> {
        Matrices::new(simd, rows, *none)
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

/// M_v of a block, and what it does to normals.
#[derive(Clone, Copy)]
pub(super) struct Matrices<S: Simd> {
    /// Row after row.
    matrix: [[S::F; 4]; 3],
    /// det(M) * inverse(transpose(M)), column after column: the inverse transpose up to a factor, defined
    /// for singular matrices too.
    cofactor: [[S::F; 3]; 3],
    /// Its sign counts.
    determinant: S::F,
    still: u32,
}

impl<S: Simd> Matrices<S> {
    #[inline(always)]
    fn new(s: S, rows: &Lanes<S::Mat3x4>, still: u32) -> Self {
        let matrix = s.columns_of_twelve(rows);
        let [[ax, bx, cx, _], [ay, by, cy, _], [az, bz, cz, _]] = matrix;
        let (a, b, c) = ([ax, ay, az], [bx, by, bz], [cx, cy, cz]);
        let cofactor = [cross(s, b, c), cross(s, c, a), cross(s, a, b)];
        Self {
            matrix,
            determinant: dot(s, a, cofactor[0]),
            cofactor,
            still,
        }
    }
}

impl<S: Simd> Moves<S> for Matrices<S> {
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
        let (unit, not) = units(s, normal);
        let mut signed = unit;
        for axis in 0..3 {
            signed[axis] = s.negate_as(unit[axis], self.determinant);
        }
        (signed, not)
    }

    #[inline(always)]
    fn still(&self) -> u32 {
        self.still
    }

    #[inline(always)]
    fn at(&self, s: S, places: S::LaneIndices) -> Self {
        let [a, b, c] = self.cofactor;
        Self {
            matrix: self.matrix,
            cofactor: [
                at_places(s, a, places),
                at_places(s, b, places),
                at_places(s, c, places),
            ],
            determinant: s.permuted(self.determinant, places),
            still: self.still,
        }
    }
}

/// Vectors of unit length, and a bit per lane where the square leaves the range of f32.
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

/// det(M) * inverse(transpose(M)), times the sign of det(M).
fn cofactor_with_sign(m: &Mat3A) -> Mat3A {
    let x = m.y_axis.cross(m.z_axis);
    let determinant = m.x_axis.dot(x);
    let sign = if determinant < 0.0 { -1.0 } else { 1.0 };
    Mat3A::from_cols(
        x * sign,
        m.z_axis.cross(m.x_axis) * sign,
        m.x_axis.cross(m.y_axis) * sign,
    )
}

/// `normal` as a unit vector, or `fallback` where it has no direction.
pub(super) fn unit_or(normal: Vec3A, fallback: Vec3) -> Vec3 {
    normal
        .as_dvec3()
        .try_normalize()
        .map_or(fallback, |unit| unit.as_vec3())
}
