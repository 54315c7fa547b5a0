//! The three axes of a space.

use glam::Vec3;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    pub fn index(self) -> usize {
        self as usize
    }

    pub fn unit(self) -> Vec3 {
        Vec3::AXES[self.index()]
    }

    /// The other two axes, in cyclic order.
    pub fn others(self) -> [Axis; 2] {
        [1, 2].map(|step| Self::ALL[(self.index() + step) % 3])
    }

    /// The name of the axis: `x`, `y` or `z`.
    pub fn name(self) -> &'static str {
        ["x", "y", "z"][self.index()]
    }
}
