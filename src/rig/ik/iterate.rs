//! The pose that a solver improves: angles as the document stores them, and the energies so far.

use super::largest;
use super::objective::Objective;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};

/// Changes below this part of the largest are rounding.
const NOISE: f64 = 1e-10;

/// Poses per joint in degrees, each as f32. In buffers that are reused.
#[derive(Default)]
pub(super) struct Iterate {
    pub(super) pose_deg: Vec<Vec3>,
    /// Of the pose before the last accepted step; as the pose before the first.
    pub(super) before_deg: Vec<Vec3>,
    /// Energy at the start and after each step.
    pub(super) energies: Vec<f64>,
    trial_deg: Vec<Vec3>,
}

impl Iterate {
    /// The skeleton's own pose; the objective is placed there.
    pub(super) fn start(objective: &mut Objective, skeleton: &Skeleton) -> Self {
        let mut iterate = Self::default();
        iterate.restart(objective, skeleton);
        iterate
    }

    /// As [`Iterate::start`], in place.
    pub(super) fn restart(&mut self, objective: &mut Objective, skeleton: &Skeleton) {
        self.pose_deg.clear();
        self.pose_deg
            .extend(objective.bones().map(|b| skeleton.bones[b].pose_deg));
        self.before_deg.clone_from(&self.pose_deg);
        self.trial_deg.clone_from(&self.pose_deg);
        self.energies.clear();
        self.energies.push(objective.energy(&self.pose_deg));
    }

    pub(super) fn energy(&self) -> f64 {
        self.energies[self.energies.len() - 1]
    }

    pub(super) fn steps(&self) -> usize {
        self.energies.len() - 1
    }

    /// Energy of the pose turned by `scale * change_rad`, rounded to what can be stored; `None` where
    /// that is the pose itself. The objective is placed there. Angles whose change is zero, or nothing but
    /// rounding beside the largest, keep their bits.
    pub(super) fn try_turn(
        &mut self,
        objective: &mut Objective,
        change_rad: &[DVec3],
        scale: f64,
    ) -> Option<f64> {
        let floor = NOISE * largest(change_rad);
        for ((trial, pose), change) in self.trial_deg.iter_mut().zip(&self.pose_deg).zip(change_rad) {
            let change = change.map(|c| if c.abs() < floor { 0.0 } else { c });
            *trial = (pose.as_dvec3() + (scale * change).map(f64::to_degrees)).as_vec3();
        }
        (self.trial_deg != self.pose_deg).then(|| objective.energy(&self.trial_deg))
    }

    /// Change of the last trial from the pose times `gradient`: what the energy would change by if it
    /// were linear.
    pub(super) fn trial_slope(&self, gradient: &[DVec3]) -> f64 {
        self.trial_deg
            .iter()
            .zip(&self.pose_deg)
            .zip(gradient)
            .map(|((trial, pose), g)| (trial.as_dvec3() - pose.as_dvec3()).map(f64::to_radians).dot(*g))
            .sum()
    }

    /// The last trial becomes the pose.
    pub(super) fn accept(&mut self, energy: f64) {
        std::mem::swap(&mut self.before_deg, &mut self.pose_deg);
        std::mem::swap(&mut self.pose_deg, &mut self.trial_deg);
        self.energies.push(energy);
    }

    /// Change by the last accepted step, per joint, in radians.
    pub(super) fn last_change_rad(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.pose_deg
            .iter()
            .zip(&self.before_deg)
            .map(|(pose, before)| (pose.as_dvec3() - before.as_dvec3()).map(f64::to_radians))
    }
}
