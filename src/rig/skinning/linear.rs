//! Linear blend skinning: M_v = sum of w * P_b * inverse(B_b); positions by M_v, normals of every
//! render vertex by its inverse transpose, normalised. Vertices without weights stay in place.
//!
//! Weights are taken as they are: not normalised (nor does Scotty3D).

use crate::mesh::render::RenderMesh;
use crate::rig::weights::VertexWeights;
use glam::{Affine3A, Mat3A, Vec3, Vec3A};

/// Vertices that one thread takes at a time.
const CHUNK: usize = 2048;

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
    out_positions.resize(positions.len(), Vec3::ZERO);
    out_normals.resize(render.vertex.len(), Vec3::ZERO);
    let input = Input {
        bones,
        weights,
        positions,
        render,
    };
    input.skin(0, out_positions, 0, out_normals);
}

struct Input<'a> {
    bones: &'a [Affine3A],
    weights: &'a VertexWeights,
    positions: &'a [Vec3],
    render: &'a RenderMesh,
}

impl Input<'_> {
    /// Skins the vertices from `first` on into `out_positions` and their render vertices, which are
    /// those from `first_render` on, into `out_normals`. Splits the work among threads.
    fn skin(&self, first: usize, out_positions: &mut [Vec3], first_render: usize, out_normals: &mut [Vec3]) {
        if out_positions.len() <= CHUNK {
            return self.skin_here(first, out_positions, first_render, out_normals);
        }
        let half = out_positions.len() / 2;
        let half_render = self.render.vertex[first_render..][..out_normals.len()]
            .partition_point(|&v| (v as usize) < first + half);
        let (positions, more_positions) = out_positions.split_at_mut(half);
        let (normals, more_normals) = out_normals.split_at_mut(half_render);
        rayon::join(
            || self.skin(first, positions, first_render, normals),
            || {
                self.skin(
                    first + half,
                    more_positions,
                    first_render + half_render,
                    more_normals,
                )
            },
        );
    }

    fn skin_here(
        &self,
        first: usize,
        out_positions: &mut [Vec3],
        first_render: usize,
        out_normals: &mut [Vec3],
    ) {
        let origins = &self.render.vertex[first_render..][..out_normals.len()];
        let bind_normals = &self.render.normal[first_render..][..out_normals.len()];
        let mut r = 0;
        for (offset, out) in out_positions.iter_mut().enumerate() {
            let v = first + offset;
            let corners = origins[r..]
                .iter()
                .take_while(|&&origin| origin as usize == v)
                .count();
            let (bind, out_normals) = (&bind_normals[r..][..corners], &mut out_normals[r..][..corners]);
            r += corners;
            match self.blend(v) {
                None => {
                    *out = self.positions[v];
                    out_normals.copy_from_slice(bind);
                }
                Some(matrix) => {
                    *out = matrix.transform_point3a(self.positions[v].into()).into();
                    let cofactor = cofactor_with_sign(&matrix.matrix3);
                    for (out, &bind) in out_normals.iter_mut().zip(bind) {
                        *out = unit_or(cofactor * Vec3A::from(bind), bind);
                    }
                }
            }
        }
    }

    /// M_v; `None` for a vertex without weights.
    fn blend(&self, v: usize) -> Option<Affine3A> {
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
        (!bones.is_empty()).then_some(Affine3A { matrix3, translation })
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
fn unit_or(normal: Vec3A, fallback: Vec3) -> Vec3 {
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
