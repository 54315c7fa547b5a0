//! The pose that a solver improves, in the precision of the document, and the energies so far.

use super::objective::Objective;
use super::tuning::NOISE;
use crate::rig::limits;
use glam::{DVec3, Vec3};

/// Stored values (see [`super::objective`]) in f32 and within their limits, in buffers that are reused.
#[derive(Default)]
pub(super) struct Trial {
    pub(super) pose: Vec<Vec3>,
    /// The energy at the start and after each step; never increases.
    pub(super) energies: Vec<f64>,
    /// The values of the tasks in the pose.
    values: Vec<DVec3>,
    next: Vec<Vec3>,
    next_energy: f64,
    next_values: Vec<DVec3>,
    /// The number of steps taken.
    pub(super) steps: usize,
    /// The largest change of a value in the last accepted step, as a rate.
    pub(super) last_turn: f64,
}

impl Trial {
    /// Starts at the pose without handles, and makes the handles pull from there.
    pub(super) fn start(&mut self, objective: &mut Objective) {
        self.pose.clear();
        self.pose.extend_from_slice(objective.rest());
        let energy = objective.aim_from(&self.pose);
        self.reset(objective, energy, 0);
    }

    /// Starts at another pose with a step count of `steps`; the goals of the handles are unchanged.
    pub(super) fn start_at(&mut self, objective: &mut Objective, pose: &[Vec3], steps: usize) {
        self.pose.clear();
        self.pose.extend_from_slice(pose);
        let energy = objective.energy(pose);
        self.reset(objective, energy, steps);
    }

    /// Restarts at the current pose, after the goals have changed.
    pub(super) fn restart(&mut self, objective: &mut Objective) {
        let energy = objective.energy(&self.pose);
        self.reset(objective, energy, self.steps);
    }

    /// Continues from the current pose, after weights were lowered.
    pub(super) fn resume(&mut self, objective: &mut Objective) {
        let energy = objective.energy(&self.pose).min(self.energy());
        self.next.clone_from(&self.pose);
        self.energies.push(energy);
        self.values.clear();
        self.values.extend(objective.values());
    }

    fn reset(&mut self, objective: &Objective, energy: f64, steps: usize) {
        self.next.clone_from(&self.pose);
        self.steps = steps;
        self.energies.clear();
        self.energies.push(energy);
        self.values.clear();
        self.values.extend(objective.values());
    }

    /// Moves to the end of another trial, as one step; the objective must have the same goals as there.
    pub(super) fn jump_to(&mut self, other: &Trial) {
        self.pose.clone_from(&other.pose);
        self.values.clone_from(&other.values);
        self.energies.push(other.energy().min(self.energy()));
    }

    /// The lowest energy so far.
    pub(super) fn energy(&self) -> f64 {
        self.energies[self.energies.len() - 1]
    }

    /// Tries the pose that is changed by `scale * rates`, clamped to the limits and rounded to what can be
    /// stored, and returns the increase of the energy; `None` if the pose is unchanged. Leaves the objective
    /// there. Values whose change is zero, or only rounding relative to the largest, keep their bits.
    pub(super) fn try_change(
        &mut self,
        objective: &mut Objective,
        rates: &[DVec3],
        scale: f64,
    ) -> Option<f64> {
        let floor = NOISE * largest(rates);
        let values = self.next.iter_mut().zip(&self.pose).zip(rates).enumerate();
        for (value, ((next, current), rate)) in values {
            let rate = rate.map(|c| if c.abs() < floor { 0.0 } else { c });
            let moved = current.as_dvec3() + scale * rate * objective.unit(value);
            *next = limits::clamp(moved.as_vec3(), &objective.bounds()[value]);
        }
        (self.next != self.pose).then(|| {
            self.next_energy = objective.energy(&self.next);
            self.next_values.clear();
            self.next_values.extend(objective.values());
            objective.rise(&self.next, &self.values, &self.pose)
        })
    }

    /// Makes the pose that was tried last the current one.
    pub(super) fn accept(&mut self, objective: &Objective) {
        std::mem::swap(&mut self.pose, &mut self.next);
        std::mem::swap(&mut self.values, &mut self.next_values);
        let changes = self.pose.iter().zip(&self.next).enumerate();
        let changes = changes.map(|(value, (new, old))| {
            (new.as_dvec3() - old.as_dvec3()).abs().max_element() / objective.unit(value)
        });
        self.last_turn = changes.fold(0.0, f64::max);
        self.steps += 1;
        // The gain can be lost in the rounding of the total.
        self.energies.push(self.next_energy.min(self.energy()));
    }
}

/// Returns the largest absolute component.
pub(super) fn largest(values: &[DVec3]) -> f64 {
    values.iter().map(|v| v.abs().max_element()).fold(0.0, f64::max)
}
