//! Linear blend skinning: M_v = sum of w * P_b * inverse(B_b); positions by M_v, normals of every
//! render vertex by its inverse transpose, normalised. Vertices without weights stay in place.
//!
//! Weights are taken as they are: not normalised (nor does Scotty3D).

use super::per_vertex::{self, Blend, Motion};
use crate::mesh::render::RenderMesh;
use crate::rig::weights::VertexWeights;
use glam::{Affine3A, Mat3A, Vec3, Vec3A};

/// Skins into caller-owned buffers, which are resized (so nothing is allocated from the second call on).
/// `bones`: P_b * inverse(B_b) per bone. `positions`: V bind positions.
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
    let blend = Linear { bones, weights };
    per_vertex::skin(&blend, positions, render, out_positions, out_normals);
}

/// Blends matrices.
pub(super) struct Linear<'a> {
    pub bones: &'a [Affine3A],
    pub weights: &'a VertexWeights,
}

/// M_v with the matrix for normals.
pub(super) struct Matrix {
    matrix: Affine3A,
    normals: Mat3A,
}

impl Blend for Linear<'_> {
    type Motion = Matrix;

    #[inline]
    fn at(&self, v: usize) -> Option<Matrix> {
        let (bones, weights) = self.weights.row(v);
        let mut columns = [Vec3A::ZERO; 4];
        for (&bone, &weight) in bones.iter().zip(weights) {
            let bone = self.bones.get(usize::from(bone)).unwrap_or(&Affine3A::IDENTITY);
            columns[0] += bone.matrix3.x_axis * weight;
            columns[1] += bone.matrix3.y_axis * weight;
            columns[2] += bone.matrix3.z_axis * weight;
            columns[3] += bone.translation * weight;
        }
        let [x, y, z, translation] = columns;
        let matrix3 = Mat3A::from_cols(x, y, z);
        (!bones.is_empty()).then(|| Matrix {
            matrix: Affine3A { matrix3, translation },
            normals: cofactor_with_sign(&matrix3),
        })
    }
}

impl Motion for Matrix {
    #[inline]
    fn point(&self, point: Vec3) -> Vec3 {
        self.matrix.transform_point3a(point.into()).into()
    }

    #[inline]
    fn normal(&self, normal: Vec3) -> Vec3 {
        unit_or(self.normals * Vec3A::from(normal), normal)
    }
}

/// det(M) * inverse(transpose(M)), times the sign of det(M): the inverse transpose up to a positive factor,
/// defined for singular matrices too.
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
    let squared = normal.length_squared();
    if (1e-30..1e30).contains(&squared) {
        (normal / squared.sqrt()).into()
    } else {
        // The square left the range of f32: rare.
        normal
            .as_dvec3()
            .try_normalize()
            .map_or(fallback, |unit| unit.as_vec3())
    }
}
