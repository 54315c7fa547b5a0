//! Linear blend skinning: M_v = sum of w * P_b * inverse(B_b); positions by M_v, normals of every
//! render vertex by its inverse transpose, normalised. Vertices without weights stay in place.
//!
//! Weights are taken as they are: not normalised (nor does Scotty3D).

#![allow(
    clippy::needless_range_loop,
    reason = "closures of iterators are not compiled for the instructions that a kernel runs on"
)]

use super::blocks::{self, Blend, Fours, How, Moves, Out, TABLE, Walk, at_places};
use crate::math::simd::{Path, Rows, Simd};
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
    };
    let out = Out::normals(positions, render, out_positions, out_normals);
    let how = How {
        path: Path::best(),
        stale: None,
    };
    blocks::skin(how, &blend, positions, render, out_positions, out);
}

/// A matrix of three rows, in a cache line of its own.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Matrix([f32; 16]);

const AT_REST: Matrix = Matrix([
    1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0,
]);

/// The bones' matrices, laid out to be summed. At least [`TABLE`], the last at rest.
#[derive(Default)]
pub(super) struct Table {
    matrices: Vec<Matrix>,
    bones: usize,
}

impl Table {
    pub fn fill(&mut self, bones: &[Affine3A]) {
        self.bones = bones.len();
        self.matrices.clear();
        self.matrices.extend(bones.iter().map(|bone| {
            let (m, t) = (bone.matrix3, bone.translation);
            let mut rows = [0.0; 16];
            for row in 0..3 {
                rows[4 * row..4 * row + 4].copy_from_slice(&[
                    m.x_axis[row],
                    m.y_axis[row],
                    m.z_axis[row],
                    t[row],
                ]);
            }
            Matrix(rows)
        }));
        self.matrices.resize(TABLE.max(bones.len() + 1), AT_REST);
    }

    /// If there are few enough: the table, and how many bones are in it.
    #[inline(always)]
    fn small(&self) -> Option<(&[Matrix; TABLE], u16)> {
        let table = self.matrices.first_chunk()?;
        (self.bones < TABLE).then_some((table, self.bones as u16))
    }
}

#[inline(always)]
fn of(table: &[Matrix], bone: u16) -> &[f32; 16] {
    &table.get(usize::from(bone)).unwrap_or(&AT_REST).0
}

/// The lanes behind the last vertex stay in place.
#[inline(always)]
fn rest(rows: &mut Rows, count: usize) {
    for row in &mut rows.0[count..] {
        *row = AT_REST.0;
    }
}

/// Blends matrices.
pub(super) struct Linear<'a> {
    pub table: &'a Table,
    pub weights: &'a VertexWeights,
}

impl Blend for Linear<'_> {
    type Moves<S: Simd> = Matrices<S>;

    #[inline(always)]
    fn block<S: Simd>(&self, simd: S, first: usize, count: usize, rows: &mut Rows) -> Matrices<S> {
        let mut still = 0;
        if let Some((table, bones)) = self.table.small()
            && let Some(fours) = Fours::of(simd, self.weights, first, count, bones)
        {
            for lane in 0..S::LANES {
                let ([a, b, c, d], weights) = (fours.bones[lane], &fours.weights[lane]);
                let sum = simd.twelve_scaled(&table[usize::from(a)].0, weights[0]);
                let sum = simd.twelve_plus(sum, &table[usize::from(b)].0, weights[1]);
                let sum = simd.twelve_plus(sum, &table[usize::from(c)].0, weights[2]);
                let sum = simd.twelve_plus(sum, &table[usize::from(d)].0, weights[3]);
                simd.store_twelve(&mut rows.0[lane], sum);
            }
        } else {
            let table = &self.table.matrices[..];
            let mut walk = Walk::new(self.weights, first);
            for (lane, row) in rows.0[..count].iter_mut().enumerate() {
                let ([bone, bones @ ..], [weight, weights @ ..]) = walk.row(lane) else {
                    *row = AT_REST.0;
                    still |= 1 << lane;
                    continue;
                };
                let mut sum = simd.twelve_scaled(of(table, *bone), *weight);
                for i in 0..bones.len().min(weights.len()) {
                    sum = simd.twelve_plus(sum, of(table, bones[i]), weights[i]);
                }
                simd.store_twelve(row, sum);
            }
        }
        if count < S::LANES {
            rest(rows, count);
        }
        Matrices::of(simd, rows, still)
    }

    fn normal_in_f64(&self, vertex: usize, bind: Vec3) -> Vec3 {
        let (bones, weights) = self.weights.row(vertex);
        if bones.is_empty() {
            return bind;
        }
        let mut rows = [0.0; 12];
        for (&bone, &weight) in bones.iter().zip(weights) {
            for (sum, x) in rows.iter_mut().zip(of(&self.table.matrices, bone)) {
                *sum += x * weight;
            }
        }
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
    /// Of that factor the sign counts.
    determinant: S::F,
    still: u32,
}

impl<S: Simd> Matrices<S> {
    #[inline(always)]
    fn of(s: S, rows: &Rows, still: u32) -> Self {
        let matrix = [
            s.transposed(rows, 0),
            s.transposed(rows, 1),
            s.transposed(rows, 2),
        ];
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
    fn at(&self, s: S, places: S::Places) -> Self {
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
