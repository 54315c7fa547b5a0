//! Between linear and dual quaternion skinning: both, and the straight line between their results.

use super::dual::{DualQuaternions, Rigid};
use super::linear::{Linear, Matrix, unit_or};
use super::per_vertex::{Blend, Motion};
use glam::Vec3;

/// Both methods of one surface.
pub(super) struct Mixed<'a> {
    pub linear: Linear<'a>,
    pub dual: DualQuaternions<'a>,
    /// Of dual quaternions: 0 to 1.
    pub part: f32,
}

/// A vertex moved by both.
pub(super) struct Both {
    linear: Matrix,
    dual: Rigid,
    part: f32,
}

impl Blend for Mixed<'_> {
    type Motion = Both;

    fn at(&self, v: usize) -> Option<Both> {
        Some(Both {
            linear: self.linear.at(v)?,
            dual: self.dual.at(v)?,
            part: self.part,
        })
    }
}

impl Motion for Both {
    fn point(&self, point: Vec3) -> Vec3 {
        self.linear.point(point).lerp(self.dual.point(point), self.part)
    }

    fn normal(&self, normal: Vec3) -> Vec3 {
        let (linear, dual) = (self.linear.normal(normal), self.dual.normal(normal));
        unit_or(linear.lerp(dual, self.part).into(), dual)
    }
}
