//! The energy and gradient of a pose, for reports and tests.

use super::Options;
use super::objective::Objective;
use super::trial::Trial;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};

/// Returns the energy of the current pose, with angles clamped to their limits.
pub fn energy(skeleton: &Skeleton) -> f64 {
    Gradients::new(skeleton).trial.energy()
}

/// Returns dE/d(angle) per bone for the x, y, z angles **in radians**, in one backward pass: O(bones +
/// handles).
pub fn gradient(skeleton: &Skeleton) -> Vec<DVec3> {
    let mut gradients = Gradients::new(skeleton);
    gradients.recompute();
    let mut by_bone = vec![DVec3::ZERO; skeleton.bones.len()];
    for (bone, value) in gradients.objective.bones().zip(&gradients.gradient) {
        by_bone[bone] = *value;
    }
    by_bone
}

/// Returns the length of the longest chain with an enabled handle, in skeleton units: the scale for
/// residuals.
pub fn reach(skeleton: &Skeleton) -> f64 {
    Gradients::new(skeleton).objective.reach()
}

/// Repeated computation of the gradient of one pose: its cost includes the kinematics, but not the setup of a
/// solve.
pub struct Gradients {
    objective: Objective,
    trial: Trial,
    gradient: Vec<DVec3>,
}

impl Gradients {
    pub fn new(skeleton: &Skeleton) -> Self {
        let (mut objective, mut trial) = (Objective::default(), Trial::default());
        objective.set(skeleton, &Options::default());
        trial.start(&mut objective);
        Self { gradient: vec![DVec3::ZERO; objective.len()], objective, trial }
    }

    /// Returns the energy of another pose (degrees per bone, and a base offset); the handles pull as from the
    /// first pose.
    pub fn energy_at(&mut self, poses_deg: &[Vec3], base_offset: Vec3) -> f64 {
        self.trial.pose.clear();
        let poses = self.objective.bones().map(|bone| poses_deg[bone]);
        self.trial.pose.extend(poses.chain([base_offset]));
        self.objective.energy(&self.trial.pose)
    }

    /// Recomputes the gradient: per joint (a bone above an enabled handle) in radians, and last that of the
    /// base offset in multiples of the reach.
    pub fn recompute(&mut self) -> &[DVec3] {
        self.objective.energy(&self.trial.pose);
        self.objective.gradient(&self.trial.pose, &mut self.gradient);
        &self.gradient
    }
}
