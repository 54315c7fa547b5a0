//! A bone as the generator sees it.

use crate::math::rotation::{from_euler_about, to_euler};
use glam::{DMat3, DVec3, Vec3};
use std::ops::{Add, Mul, Sub};

/// A point of the skin, and the two bones that move it the most.
#[derive(Clone, Copy, Debug)]
pub struct SkinPoint<P = Vec3> {
    pub place: P,
    /// The heaviest first.
    pub bones: [usize; 2],
    /// The share of the second one.
    pub second: f64,
}

impl<P> SkinPoint<P> {
    pub fn at<Q>(&self, place: Q) -> SkinPoint<Q> {
        SkinPoint { place, bones: self.bones, second: self.second }
    }

    /// The value of the point from those that its bones would give it.
    pub fn blend<V>(&self, [first, second]: [V; 2]) -> V
    where
        V: Copy + Add<Output = V> + Sub<Output = V> + Mul<f64, Output = V>,
    {
        first + (second - first) * self.second
    }
}

/// A bone in the axes of the body.
pub struct Part {
    pub parent: Option<usize>,
    pub extent: DVec3,
    /// The local rotation axes as columns.
    pub axes: DMat3,
    /// The start in the bind pose.
    pub start: DVec3,
    pub radius: f64,
    /// The volume of its capsule.
    pub mass: f64,
    /// The least and the greatest angles about the local axes, in radians.
    pub limits: [DVec3; 2],
}

impl Part {
    pub fn tip(&self) -> DVec3 {
        self.start + self.extent
    }

    /// Returns a rotation against the parent whose angles are within the limits: the given one, if its are.
    pub fn within_limits(&self, local: DMat3) -> DMat3 {
        let angles = to_euler(self.axes.transpose() * local * self.axes);
        let limited = angles.clamp(self.limits[0], self.limits[1]);
        if limited == angles { local } else { from_euler_about(&self.axes, limited) }
    }
}
