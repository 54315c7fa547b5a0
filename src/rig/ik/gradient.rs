//! Energy and gradient of a pose, for people and for tests.

use super::Options;
use super::objective::Objective;
use super::trial::Trial;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};

/// Energy in the current pose, whose angles count as within their limits.
pub fn energy(skeleton: &Skeleton) -> f64 {
    Gradients::new(skeleton).trial.energy()
}

/// dE/d(angle) per bone for the x, y, z angles **in radians**, in one backward pass: O(bones + handles).
pub fn gradient(skeleton: &Skeleton) -> Vec<DVec3> {
    let mut gradients = Gradients::new(skeleton);
    gradients.again();
    let mut of_bones = vec![DVec3::ZERO; skeleton.bones.len()];
    for (bone, value) in gradients.objective.bones().zip(&gradients.gradient) {
        of_bones[bone] = *value;
    }
    of_bones
}

/// The length of the longest chain with an enabled handle, in skeleton units: what residuals are small or large by.
pub fn reach(skeleton: &Skeleton) -> f64 {
    Gradients::new(skeleton).objective.reach()
}

/// The gradient of one pose, again and again: what it costs with the kinematics before it, without what is
/// made once a call.
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
        Self {
            gradient: vec![DVec3::ZERO; objective.len()],
            objective,
            trial,
        }
    }

    /// The energy in another pose (degrees, a value per bone, and a base offset) of handles that pull from the first one.
    pub fn energy_at(&mut self, poses_deg: &[Vec3], base_offset: Vec3) -> f64 {
        self.trial.pose.clear();
        let poses = self.objective.bones().map(|bone| poses_deg[bone]);
        self.trial.pose.extend(poses.chain([base_offset]));
        self.objective.energy(&self.trial.pose)
    }

    /// Per joint (a bone above an enabled handle), in radians, and last of the base offset in parts of the reach.
    pub fn again(&mut self) -> &[DVec3] {
        self.objective.energy(&self.trial.pose);
        self.objective.gradient(&self.trial.pose, &mut self.gradient);
        &self.gradient
    }
}
