//! Dual quaternion skinning: the weighted sum of the bones' dual quaternions, normalised, is one rigid
//! motion for each vertex. A twisted limb keeps its girth, where blended matrices let it collapse.
//!
//! Kavan, Collins, Žára, O'Sullivan 2008 (see [`crate::math::dual`]). Bones give rigid motions only:
//! whatever else a matrix did (scale, shear) is left out.

use super::per_vertex::{self, Blend, Motion};
use crate::math::dual::DualQuat;
use crate::mesh::render::RenderMesh;
use crate::rig::weights::VertexWeights;
use glam::{DAffine3, Quat, Vec3, Vec3A, Vec4};

/// A bone's motion from the bind pose to the current one, in skeleton space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneMotion {
    real: Vec4,
    dual: Vec4,
}

const AT_REST: BoneMotion = BoneMotion {
    real: Vec4::W,
    dual: Vec4::ZERO,
};

/// P_b * inverse(B_b) per bone as dual quaternions, worked out in f64. `bind` and `current`:
/// `skeleton_from_bone` per bone.
pub fn bone_motions(bind: &[DAffine3], current: &[DAffine3]) -> Vec<BoneMotion> {
    let motion = |(bind, current): (&DAffine3, &DAffine3)| {
        let q = DualQuat::from_affine(&(*current * bind.inverse()));
        BoneMotion {
            real: Vec4::from(q.real.as_quat()),
            dual: Vec4::from(q.dual.as_quat()),
        }
    };
    bind.iter().zip(current).map(motion).collect()
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
    let blend = DualQuaternions { bones, weights };
    per_vertex::skin(&blend, positions, render, out_positions, out_normals);
}

/// Blends dual quaternions.
pub(super) struct DualQuaternions<'a> {
    pub bones: &'a [BoneMotion],
    pub weights: &'a VertexWeights,
}

/// A unit dual quaternion as rotation and translation.
pub(super) struct Rigid {
    rotation: Quat,
    translation: Vec3A,
}

impl DualQuaternions<'_> {
    fn motion(&self, bone: u16) -> &BoneMotion {
        self.bones.get(usize::from(bone)).unwrap_or(&AT_REST)
    }
}

impl Blend for DualQuaternions<'_> {
    type Motion = Rigid;

    fn at(&self, v: usize) -> Option<Rigid> {
        let (bones, weights) = self.weights.row(v);
        let mut row = bones.iter().copied().zip(weights.iter().copied());
        let mut pivot = row.next()?;
        for other in row {
            if other.1 > pivot.1 || (other.1 == pivot.1 && other.0 < pivot.0) {
                pivot = other;
            }
        }
        let pivot = self.motion(pivot.0);
        let mut sum = BoneMotion {
            real: Vec4::ZERO,
            dual: Vec4::ZERO,
        };
        for (&bone, &weight) in bones.iter().zip(weights) {
            let motion = self.motion(bone);
            let near = motion.real.dot(pivot.real) >= 0.0;
            let weight = if near { weight } else { -weight };
            sum.real += motion.real * weight;
            sum.dual += motion.dual * weight;
        }
        let squared = sum.real.length_squared();
        if !(squared > 1e-30 && squared.is_finite()) {
            // Weights of zero, or not numbers: as the heaviest bone moves.
            sum = *pivot;
        }
        Some(Rigid::of(&sum))
    }
}

impl Rigid {
    /// The normalised dual quaternion as rotation and translation: t = 2 (w d - d_w r + r x d) / |q|², with
    /// q = (r, w) and q' = (d, d_w). The component of q' along q has no part in it.
    #[inline]
    fn of(q: &BoneMotion) -> Self {
        let (r, d) = (Vec3A::from_vec4(q.real), Vec3A::from_vec4(q.dual));
        let inverse_squared = 1.0 / q.real.length_squared();
        let translation = (d * q.real.w - r * q.dual.w + r.cross(d)) * (2.0 * inverse_squared);
        Self {
            rotation: Quat::from_vec4(q.real * inverse_squared.sqrt()),
            translation,
        }
    }
}

impl Motion for Rigid {
    #[inline]
    fn point(&self, point: Vec3) -> Vec3 {
        (self.rotation.mul_vec3a(point.into()) + self.translation).into()
    }

    #[inline]
    fn normal(&self, normal: Vec3) -> Vec3 {
        self.rotation.mul_vec3a(normal.into()).into()
    }
}
