//! Between linear and dual quaternion skinning: both, and the straight line between their results.

use super::blend::{Blend, Moves};
use super::dual::{DualQuaternions, Rigid};
use super::influences::Block;
use super::linear::{Linear, Matrices, unit_or, units};
use super::rows::Rows;
use crate::math::simd::{Lanes, Simd, Spread};
use crate::rig::weights::VertexWeights;
use glam::Vec3;

/// Both methods of one surface.
pub(super) struct Mixed<'a> {
    pub linear: Linear<'a>,
    pub dual: DualQuaternions<'a>,
    /// The part of dual quaternions, 0 to 1.
    pub part: f32,
}

/// Vertices moved by both.
#[derive(Clone, Copy)]
pub(super) struct Both<S: Simd> {
    linear: Matrices<S>,
    dual: Rigid<S>,
    part: S::F,
}

impl Blend for Mixed<'_> {
    type Blended<S: Simd> = ((Lanes<S::Mat3x4>, u32), Lanes<S::DualQuat8>);
    type Moves<S: Simd> = Both<S>;

    #[inline(always)]
    fn weights(&self) -> &VertexWeights {
        self.linear.weights
    }

    fn rows(&self) -> Option<&Rows> {
        self.linear.rows
    }

    #[inline(always)]
    fn blend<S: Simd>(&self, simd: S, block: &Block<'_>, room: &mut Spread) -> Self::Blended<S> {
        let linear = self.linear.blend(simd, block, room);
        (linear, self.dual.blend(simd, block, room))
    }

    #[inline(always)]
    fn moves<S: Simd>(
        &self,
        simd: S,
        block: &Block<'_>,
        (linear, dual): &Self::Blended<S>,
        room: &mut Spread,
    ) -> Both<S> {
        Both {
            linear: self.linear.moves(simd, block, linear, room),
            dual: self.dual.moves(simd, block, dual, room),
            part: simd.splat(self.part),
        }
    }

    /// Where the two have no direction between them: that of the greater part.
    fn normal_in_f64(&self, vertex: usize, bind: Vec3) -> Vec3 {
        let linear = self.linear.normal_in_f64(vertex, bind);
        let dual = self.dual.normal_slowly(vertex, bind);
        unit_or(linear.lerp(dual, self.part).into(), dual)
    }
}

impl<S: Simd> Both<S> {
    #[inline(always)]
    fn between(&self, s: S, a: [S::F; 3], b: [S::F; 3]) -> [S::F; 3] {
        let mut between = a;
        for axis in 0..3 {
            between[axis] = s.mul_add(s.sub(b[axis], a[axis]), self.part, a[axis]);
        }
        between
    }
}

impl<S: Simd> Moves<S> for Both<S> {
    #[inline(always)]
    fn points(&self, s: S, points: [S::F; 3]) -> [S::F; 3] {
        self.between(s, self.linear.points(s, points), self.dual.points(s, points))
    }

    #[inline(always)]
    fn normals(&self, s: S, normals: [S::F; 3]) -> ([S::F; 3], u32) {
        let (linear, not) = self.linear.normals(s, normals);
        let (dual, _) = self.dual.normals(s, normals);
        let (unit, not_either) = units(s, self.between(s, linear, dual));
        (unit, not | not_either)
    }

    #[inline(always)]
    fn still(&self) -> u32 {
        self.linear.still()
    }

    #[inline(always)]
    fn at(&self, s: S, places: S::LaneIndices) -> Self {
        Self {
            linear: self.linear.at(s, places),
            dual: self.dual.at(s, places),
            part: self.part,
        }
    }
}
