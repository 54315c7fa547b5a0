//! The pose that a solver improves: values as the document stores them, and the energies so far.

use super::objective::Objective;
use crate::rig::limits;
use glam::{DVec3, Vec3};

/// Changes below this part of the largest are rounding.
const NOISE: f64 = 1e-10;

/// Stored values (see [`super::objective`]), each as f32 and within its limits. In buffers that are reused.
#[derive(Default)]
pub(super) struct Trial {
    pub(super) pose: Vec<Vec3>,
    /// Energy at the start and after each step; never rises.
    pub(super) energies: Vec<f64>,
    /// Of the tasks in the pose.
    values: Vec<DVec3>,
    next: Vec<Vec3>,
    next_energy: f64,
    next_values: Vec<DVec3>,
    /// Steps taken.
    pub(super) steps: usize,
    /// The largest change of a value by the last step taken, as a rate.
    pub(super) turned: f64,
}

impl Trial {
    /// Starts at the pose without handles, where the objective is placed and handles begin to pull.
    pub(super) fn start(&mut self, objective: &mut Objective) {
        self.pose.clear();
        self.pose.extend_from_slice(objective.rest());
        let energy = objective.begin(&self.pose);
        self.started(objective, energy, 0);
    }

    /// Starts at a pose after `steps`; handles pull as they do.
    pub(super) fn start_at(&mut self, objective: &mut Objective, pose: &[Vec3], steps: usize) {
        self.pose.clear();
        self.pose.extend_from_slice(pose);
        let energy = objective.energy(pose);
        self.started(objective, energy, steps);
    }

    /// Starts where it is, after the goals have changed.
    pub(super) fn start_again(&mut self, objective: &mut Objective) {
        let energy = objective.energy(&self.pose);
        self.started(objective, energy, self.steps);
    }

    /// Goes on where it is, after weights were lowered.
    pub(super) fn go_on(&mut self, objective: &mut Objective) {
        let energy = objective.energy(&self.pose).min(self.energy());
        self.next.clone_from(&self.pose);
        self.energies.push(energy);
        self.values.clear();
        self.values.extend(objective.values());
    }

    fn started(&mut self, objective: &Objective, energy: f64, steps: usize) {
        self.next.clone_from(&self.pose);
        self.steps = steps;
        self.energies.clear();
        self.energies.push(energy);
        self.values.clear();
        self.values.extend(objective.values());
    }

    /// To where another trial ended, as one step; the objective has the goals that it had there.
    pub(super) fn jump_to(&mut self, other: &Trial) {
        self.pose.clone_from(&other.pose);
        self.values.clone_from(&other.values);
        self.energies.push(other.energy().min(self.energy()));
    }

    /// The least so far.
    pub(super) fn energy(&self) -> f64 {
        self.energies[self.energies.len() - 1]
    }

    /// By how much the energy rises where the pose changes by `scale * rates`, within the limits and rounded to what can
    /// be stored; `None` where that is the pose itself. The objective is placed there. Values whose change is zero, or
    /// nothing but rounding beside the largest, keep their bits.
    pub(super) fn try_change(
        &mut self,
        objective: &mut Objective,
        rates: &[DVec3],
        scale: f64,
    ) -> Option<f64> {
        let floor = NOISE * largest(rates);
        let values = self.next.iter_mut().zip(&self.pose).zip(rates).enumerate();
        for (value, ((next, now), rate)) in values {
            let rate = rate.map(|c| if c.abs() < floor { 0.0 } else { c });
            let moved = now.as_dvec3() + scale * rate * objective.unit(value);
            *next = limits::clamp(moved.as_vec3(), &objective.bounds()[value]);
        }
        (self.next != self.pose).then(|| {
            self.next_energy = objective.energy(&self.next);
            self.next_values.clear();
            self.next_values.extend(objective.values());
            objective.rise(&self.next, &self.values, &self.pose)
        })
    }

    /// What was tried last becomes the pose.
    pub(super) fn accept(&mut self, objective: &Objective) {
        std::mem::swap(&mut self.pose, &mut self.next);
        std::mem::swap(&mut self.values, &mut self.next_values);
        let changes = self.pose.iter().zip(&self.next).enumerate();
        let changes = changes.map(|(value, (now, before))| {
            (now.as_dvec3() - before.as_dvec3()).abs().max_element() / objective.unit(value)
        });
        self.turned = changes.fold(0.0, f64::max);
        self.steps += 1;
        // Where what was won is lost in the rounding of the whole.
        self.energies.push(self.next_energy.min(self.energy()));
    }
}

/// The largest absolute component.
pub(super) fn largest(values: &[DVec3]) -> f64 {
    values.iter().map(|v| v.abs().max_element()).fold(0.0, f64::max)
}
