//! Interpolation between the results of linear and dual quaternion skinning, the latter in one phase or two.

use super::blend::{Blend, Motion};
use super::influences::Block;
use super::linear::{Linear, Matrices, unit_or, units};
use super::rows::Rows;
use crate::math::simd::{Lanes, Simd, Spread};
use crate::rig::weights::VertexWeights;
use glam::Vec3;

/// Both methods on one surface.
pub(super) struct Mixed<'a, D> {
    pub linear: Linear<'a>,
    pub dual: D,
    /// The fraction of dual quaternions, 0 to 1.
    pub part: f32,
}

/// The motions of both methods.
#[derive(Clone, Copy)]
pub(super) struct Both<S: Simd, M> {
    linear: Matrices<S>,
    dual: M,
    part: S::F,
}

impl<D: Blend> Blend for Mixed<'_, D> {
    type Blended<S: Simd> = ((Lanes<S::Mat3x4>, u32), D::Blended<S>);
    type Motion<S: Simd> = Both<S, D::Motion<S>>;

    #[inline(always)]
    fn weights(&self) -> &VertexWeights {
        self.linear.weights
    }

    fn rows(&self) -> Option<&Rows> {
        self.linear.rows
    }

    #[inline(always)]
    fn blend<S: Simd>(&self, simd: S, block: &Block<'_>, scratch: &mut Spread) -> Self::Blended<S> {
        let linear = self.linear.blend(simd, block, scratch);
        (linear, self.dual.blend(simd, block, scratch))
    }

    #[inline(always)]
    fn motion<S: Simd>(
        &self,
        simd: S,
        block: &Block<'_>,
        (linear, dual): &Self::Blended<S>,
        scratch: &mut Spread,
    ) -> Both<S, D::Motion<S>> {
        Both {
            linear: self.linear.motion(simd, block, linear, scratch),
            dual: self.dual.motion(simd, block, dual, scratch),
            part: simd.splat(self.part),
        }
    }

    /// Falls back to the dual quaternion normal where the interpolation has no direction.
    fn normal_in_f64(&self, vertex: usize, bind: Vec3) -> Vec3 {
        let linear = self.linear.normal_in_f64(vertex, bind);
        let dual = self.dual.normal_in_f64(vertex, bind);
        unit_or(linear.lerp(dual, self.part).into(), dual)
    }
}

impl<S: Simd, M> Both<S, M> {
    #[inline(always)]
    fn lerp(&self, s: S, a: [S::F; 3], b: [S::F; 3]) -> [S::F; 3] {
        let mut mixed = a;
        for axis in 0..3 {
            mixed[axis] = s.mul_add(s.sub(b[axis], a[axis]), self.part, a[axis]);
        }
        mixed
    }
}

impl<S: Simd, M: Motion<S>> Motion<S> for Both<S, M> {
    #[inline(always)]
    fn points(&self, s: S, points: [S::F; 3]) -> [S::F; 3] {
        self.lerp(s, self.linear.points(s, points), self.dual.points(s, points))
    }

    #[inline(always)]
    fn normals(&self, s: S, normals: [S::F; 3]) -> ([S::F; 3], u32) {
        let (linear, linear_invalid) = self.linear.normals(s, normals);
        let (dual, _) = self.dual.normals(s, normals);
        let (unit, mixed_invalid) = units(s, self.lerp(s, linear, dual));
        (unit, linear_invalid | mixed_invalid)
    }

    #[inline(always)]
    fn stationary(&self) -> u32 {
        self.linear.stationary()
    }

    #[inline(always)]
    fn gather(&self, s: S, lanes: S::LaneIndices) -> Self {
        Self { linear: self.linear.gather(s, lanes), dual: self.dual.gather(s, lanes), part: self.part }
    }
}
