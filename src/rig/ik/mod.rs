//! Inverse kinematics: enabled handles pull bone tips to targets by changing pose angles only.
//!
//! Energy E = sum over enabled handles of half the squared distance from tip to target, over all pose
//! angles. The base offset never moves.

use super::skeleton::Skeleton;
use glam::DVec3;

/// What a solver call did.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The gradient vanished, or every tip reached its target, within tolerance.
    pub converged: bool,
    /// Steps taken.
    pub steps: usize,
    /// Energy before the first step and after each step: `steps + 1` values, never rising.
    pub energies: Vec<f64>,
}

/// How a solver goes about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// At most this many steps.
    pub max_steps: usize,
    /// Tips nearer to their targets than this count as reached (skeleton units).
    pub tip_tolerance: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_steps: 100,
            tip_tolerance: 1e-6,
        }
    }
}

/// Energy in the current pose.
pub fn energy(_skeleton: &Skeleton) -> f64 {
    todo!()
}

/// dE/d(angle) per bone for the x, y, z angles **in radians**, in one backward pass: O(bones + handles).
pub fn gradient(_skeleton: &Skeleton) -> Vec<DVec3> {
    todo!()
}

/// Takes up to `options.max_steps` downhill steps; writes the angles into `skeleton.bones[..].pose_deg`.
pub fn solve(_skeleton: &mut Skeleton, _options: &Options) -> Outcome {
    todo!()
}
