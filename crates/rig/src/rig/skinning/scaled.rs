//! Dual quaternion skinning of bones that are scaled, in two phases: the scales are blended linearly, and the result is
//! moved by the blend of the rigid motions.
//!
//! Kavan, Collins, Žára, O'Sullivan, "Geometric skinning with approximate dual quaternion blending", 2008, section 4.2.
//! The motion D of a bone is R U with a stretch U, by polar decomposition. It is scaled about its head h in the bind pose,
//! x -> h + U (x - h), so that the rigid part is as near to rest as it can be. Where weights do not sum to 1, the scales
//! count as their sum says, as matrices do.

use super::blend::{Blend, Motion};
use super::dual::{DualQuaternions, Rigid};
use super::influences::Block;
use super::linear::{Linear, Matrices};
use super::rows::Rows;
use crate::math::simd::{Lanes, Simd, Spread};
use crate::rig::kinematics::rotation_part;
use crate::rig::weights::VertexWeights;
use glam::{Affine3A, DAffine3, DMat3, Vec3};

/// A matrix further than this from its transposed inverse scales.
const RIGID: f64 = 1e-6;

/// Returns the scale of each bone as a matrix, and its rigid motion; `None` if no bone is scaled. `bind` and `current`:
/// `skeleton_from_bone` per bone.
pub(super) fn parts(bind: &[DAffine3], current: &[DAffine3]) -> Option<(Vec<Affine3A>, Vec<DAffine3>)> {
    let is_rigid = |m: &DAffine3| (m.matrix3 * m.matrix3.transpose()).abs_diff_eq(DMat3::IDENTITY, RIGID);
    if current.iter().all(is_rigid) {
        return None;
    }
    let parts = bind.iter().zip(current).map(|(bind, current)| {
        let motion = *current * bind.inverse();
        let mut rotation = rotation_part(motion.matrix3);
        if rotation.determinant() < 0.0 {
            rotation = -rotation;
        }
        let stretch = rotation.transpose() * motion.matrix3;
        let head = bind.translation;
        let shift = head - stretch * head;
        let scale = DAffine3::from_mat3_translation(stretch, shift);
        let rigid = DAffine3::from_mat3_translation(rotation, motion.translation - rotation * shift);
        (scale.as_affine3a(), rigid)
    });
    Some(parts.unzip())
}

pub(super) struct Scaled<'a> {
    pub scale: Linear<'a>,
    pub rigid: DualQuaternions<'a>,
}

/// The motions of both phases.
#[derive(Clone, Copy)]
pub(super) struct TwoPhases<S: Simd> {
    scale: Matrices<S>,
    rigid: Rigid<S>,
}

impl Blend for Scaled<'_> {
    type Blended<S: Simd> = ((Lanes<S::Mat3x4>, u32), Lanes<S::DualQuat8>);
    type Motion<S: Simd> = TwoPhases<S>;

    #[inline(always)]
    fn weights(&self) -> &VertexWeights {
        self.rigid.weights
    }

    fn rows(&self) -> Option<&Rows> {
        self.rigid.rows
    }

    #[inline(always)]
    fn blend<S: Simd>(&self, simd: S, block: &Block<'_>, scratch: &mut Spread) -> Self::Blended<S> {
        let scale = self.scale.blend(simd, block, scratch);
        (scale, self.rigid.blend(simd, block, scratch))
    }

    #[inline(always)]
    fn motion<S: Simd>(
        &self,
        simd: S,
        block: &Block<'_>,
        (scale, rigid): &Self::Blended<S>,
        scratch: &mut Spread,
    ) -> TwoPhases<S> {
        TwoPhases {
            scale: self.scale.motion(simd, block, scale, scratch),
            rigid: self.rigid.motion(simd, block, rigid, scratch),
        }
    }

    fn normal_in_f64(&self, vertex: usize, bind: Vec3) -> Vec3 {
        self.rigid.normal_in_f64(vertex, self.scale.normal_in_f64(vertex, bind))
    }
}

impl<S: Simd> Motion<S> for TwoPhases<S> {
    #[inline(always)]
    fn points(&self, s: S, points: [S::F; 3]) -> [S::F; 3] {
        self.rigid.points(s, self.scale.points(s, points))
    }

    #[inline(always)]
    fn normals(&self, s: S, normals: [S::F; 3]) -> ([S::F; 3], u32) {
        let (scaled, scale_invalid) = self.scale.normals(s, normals);
        let (turned, rigid_invalid) = self.rigid.normals(s, scaled);
        (turned, scale_invalid | rigid_invalid)
    }

    #[inline(always)]
    fn stationary(&self) -> u32 {
        self.scale.stationary()
    }

    #[inline(always)]
    fn gather(&self, s: S, lanes: S::LaneIndices) -> Self {
        Self { scale: self.scale.gather(s, lanes), rigid: self.rigid.gather(s, lanes) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Method, Motions};
    use super::*;
    use crate::mesh::primitives;
    use crate::mesh::render::RenderMesh;
    use glam::{DQuat, DVec3};

    fn skinned(method: Method, bind: &[DAffine3], current: &[DAffine3]) -> (Vec<Vec3>, Vec<Vec3>) {
        let mesh = primitives::tube(0.5, 2.0, 12, 8).unwrap();
        let render = RenderMesh::new(&mesh);
        let mut weights = VertexWeights::default();
        for position in mesh.positions() {
            let upper = position.y / 2.0;
            weights.push_row([(0u16, 1.0 - upper), (1, upper)]);
        }
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        Motions::new(method, bind, current).skin(
            &weights,
            mesh.positions(),
            &render,
            &mut positions,
            &mut normals,
        );
        (positions, normals)
    }

    fn bind() -> [DAffine3; 2] {
        [DVec3::ZERO, DVec3::Y].map(DAffine3::from_translation)
    }

    /// Bones that move as one, scaled or not, give what matrices give: nothing is blended.
    #[test]
    fn a_surface_whose_bones_move_as_one_is_that_of_matrices() {
        let bind = bind();
        let motion = DAffine3::from_scale_rotation_translation(
            DVec3::new(1.5, 0.5, 2.0),
            DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.0, 2.0),
            DVec3::new(3.0, -2.0, 1.0),
        );
        let current = bind.map(|bind| motion * bind);
        let (linear, linear_normals) = skinned(Method::LINEAR, &bind, &current);
        for part in [1.0, 0.5] {
            let (dual, dual_normals) = skinned(Method::try_from(part).unwrap(), &bind, &current);
            for (a, b) in linear.iter().zip(&dual).chain(linear_normals.iter().zip(&dual_normals)) {
                assert!(a.distance(*b) < 1e-5, "{a} is not {b}");
            }
        }
    }

    /// A twist of a scaled limb keeps its volume, as without the scale.
    #[test]
    fn a_twisted_limb_keeps_its_scaled_radius() {
        let bind = bind();
        let scale = DAffine3::from_scale(DVec3::splat(2.0));
        let twist = DAffine3::from_rotation_y(3.0);
        let current = [bind[0] * scale, bind[1] * twist * scale];
        let radius = |positions: &[Vec3]| {
            let at_middle = positions.iter().map(|p| p.with_y(0.0).length());
            at_middle.filter(|radius| *radius > 0.1).fold(f32::MAX, f32::min)
        };
        let (linear, _) = skinned(Method::LINEAR, &bind, &current);
        let (dual, _) = skinned(Method::DUAL_QUATERNION, &bind, &current);
        assert!(radius(&dual) > 0.95, "{}", radius(&dual));
        assert!(radius(&linear) < 0.5, "{}", radius(&linear));
    }

    #[test]
    fn nothing_is_scaled_in_a_plain_pose() {
        let bind = bind();
        let turned = DAffine3::from_rotation_translation(DQuat::from_rotation_z(2.0), DVec3::ONE);
        assert!(parts(&bind, &bind.map(|bind| turned * bind)).is_none());
    }
}
