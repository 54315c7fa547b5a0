//! The pose that a solver improves: angles as the document stores them, and the energies so far.

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
    /// Of the enabled handles in the pose.
    pub(super) tips: Vec<DVec3>,
    trial_deg: Vec<Vec3>,
    trial_energy: f64,
    trial_tips: Vec<DVec3>,
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
        self.energies.push(objective.begin(&self.pose_deg));
        self.tips.clear();
        self.tips.extend(objective.tips());
    }

    pub(super) fn energy(&self) -> f64 {
        self.energies[self.energies.len() - 1]
    }

    pub(super) fn steps(&self) -> usize {
        self.energies.len() - 1
    }

    /// By how much the energy rises where the pose is turned by `scale * change_rad`, rounded to what can be stored;
    /// `None` where that is the pose itself. The objective is placed there. Angles whose change is zero, or nothing but
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
        (self.trial_deg != self.pose_deg).then(|| {
            self.trial_energy = objective.energy(&self.trial_deg);
            self.trial_tips.clear();
            self.trial_tips.extend(objective.tips());
            objective.rise(&self.tips)
        })
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
    pub(super) fn accept(&mut self) {
        std::mem::swap(&mut self.before_deg, &mut self.pose_deg);
        std::mem::swap(&mut self.pose_deg, &mut self.trial_deg);
        std::mem::swap(&mut self.tips, &mut self.trial_tips);
        // Where what was won is lost in the rounding of the whole.
        self.energies.push(self.trial_energy.min(self.energy()));
    }

    /// Change by the last accepted step, per joint, in radians.
    pub(super) fn last_change_rad(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.pose_deg
            .iter()
            .zip(&self.before_deg)
            .map(|(pose, before)| (pose.as_dvec3() - before.as_dvec3()).map(f64::to_radians))
    }
}

/// The largest absolute component.
pub(super) fn largest(values: &[DVec3]) -> f64 {
    values.iter().map(|v| v.abs().max_element()).fold(0.0, f64::max)
}
