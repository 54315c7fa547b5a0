//! A bone as the generator sees it.

use glam::{DMat3, DVec3};

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
}
