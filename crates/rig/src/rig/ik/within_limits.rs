//! The damped step within limits: the minimum of the quadratic model of the energy in the box of what limits permit. It is
//! unique, and changes continuously with the pose and the targets; a step that only fixed whatever exceeds its limit would
//! not.
//!
//! Sets of fixed values are guessed from the last solution (primal-dual active set: M. Hintermüller, K. Ito, K. Kunisch,
//! "The primal-dual active set strategy as a semismooth Newton method", 2002), which nearly always ends after two or
//! three rounds. If it does not, a primal active set method, which fixes and frees one value at a time, lowers the model in
//! every round.

use super::dense::{Dense, Request};
use super::iterative::Iterative;
use super::objective::Objective;
use super::trial::Trial;
use super::tuning::{MAX_GUESSES, MAX_ROUNDS};
use glam::{BVec3, DVec3};

/// Buffers that are reused between solves; everything is per value.
#[derive(Default)]
pub(super) struct Buffers {
    pub(super) dense: Dense,
    pub(super) iterative: Iterative,
    /// The change of the values, as rates.
    pub(super) change: Vec<DVec3>,
    /// The gains of values that are not fixed, or 0.
    gains: Vec<DVec3>,
    /// The change of fixed values, and that towards the prior's pose of the others.
    fixed: Vec<DVec3>,
    /// The change of each value if residuals did not pull: see [`Model::towards_rest`].
    rest: Vec<DVec3>,
    /// What residuals pull at each value: see [`Dense::solve`].
    pulls: Vec<DVec3>,
    /// A change within the limits.
    inside: Vec<DVec3>,
    /// Which values were fixed in the last step; empty before the first.
    pub(super) last: Vec<BVec3>,
}

/// The model at the current pose of a trial.
pub(super) struct Model<'a> {
    pub(super) objective: &'a mut Objective,
    pub(super) trial: &'a mut Trial,
    pub(super) is_dense: bool,
    /// In squared skeleton units, as the prior.
    pub(super) damping: f64,
    /// Whether values once fixed stay so: quick, but neither the minimum nor continuous.
    pub(super) is_rough: bool,
}

impl Model<'_> {
    /// Writes the change of the values.
    pub(super) fn minimize(&mut self, gradient: &[DVec3], buffers: &mut Buffers) {
        let Buffers { gains, fixed, rest, last, .. } = buffers;
        rest.clear();
        rest.extend((0..self.objective.len()).map(|value| self.towards_rest(value)));
        gains.clear();
        gains.extend_from_slice(self.objective.gains());
        fixed.clone_from(rest);
        // The first guess: angles at a limit stay there if they did in the last step, or if the gradient pushes against it.
        for (value, (gain, fixed)) in gains.iter_mut().zip(fixed).enumerate() {
            let stays = match last.get(value) {
                Some(stayed) => *stayed & self.objective.at_limit(value, &self.trial.pose),
                None => self.objective.blocked(value, &self.trial.pose, gradient[value]),
            };
            *gain = DVec3::select(stays, DVec3::ZERO, *gain);
            *fixed = DVec3::select(stays, DVec3::ZERO, *fixed);
        }
        if !self.objective.is_limited() || self.is_rough {
            self.solve(buffers);
            for _ in 0..MAX_GUESSES {
                if !self.objective.is_limited() || !self.fix(buffers) {
                    break;
                }
                self.solve(buffers);
            }
            return;
        }
        let is_found = (0..MAX_GUESSES).any(|_| {
            self.solve(buffers);
            !self.guess(buffers)
        });
        if !is_found {
            self.descend(buffers);
        }
        buffers.last.clear();
        let stays = buffers.gains.iter().zip(self.objective.gains());
        buffers.last.extend(stays.map(|(gain, all)| gain.cmplt(*all)));
    }

    /// Returns the decrease of the energy that the model predicts without a prior, for a change that was shortened to a part.
    pub(super) fn decrease(&self, part: f64, gradient: &[DVec3], buffers: &Buffers) -> f64 {
        let Buffers { change, pulls, .. } = buffers;
        let terms = gradient.iter().zip(pulls).zip(change).map(|((gradient, pull), change)| {
            change.dot(0.5 * part * (*gradient - self.damping * *pull) - *gradient)
        });
        terms.sum()
    }

    /// The change of a value if residuals did not pull: towards the prior's pose; zero if it is not a variable.
    fn towards_rest(&self, value: usize) -> DVec3 {
        let prior = self.objective.prior();
        let is_variable = self.objective.gains()[value].cmpgt(DVec3::ZERO);
        if prior == 0.0 || !is_variable.any() {
            return DVec3::ZERO;
        }
        let deviation = self.objective.deviation(value, &self.trial.pose);
        DVec3::select(is_variable, deviation * (-prior / (prior + self.damping)), DVec3::ZERO)
    }

    /// Writes the change for the present sets.
    fn solve(&mut self, buffers: &mut Buffers) {
        let Buffers { dense, iterative, change, gains, fixed, pulls, .. } = buffers;
        let request = Request { damping: self.objective.prior() + self.damping, gains, fixed };
        if self.is_dense {
            dense.solve(request, change, pulls);
        } else {
            iterative.solve(self.objective, request, change, pulls);
        }
    }

    /// The change that a value would have if it were not fixed.
    fn free_change(&self, value: usize, rest: &[DVec3], pulls: &[DVec3]) -> DVec3 {
        let gain = self.objective.gains()[value];
        rest[value] - gain * gain * pulls[value]
    }

    /// Fixes the values that exceed their limits. Returns whether there are any.
    fn fix(&self, buffers: &mut Buffers) -> bool {
        let Buffers { gains, fixed, change, .. } = buffers;
        let mut has_changed = false;
        for (value, ((gain, fixed), change)) in gains.iter_mut().zip(fixed).zip(change).enumerate() {
            let [low, high] = self.objective.allowed_change(value, &self.trial.pose);
            let clamped = change.clamp(low, high);
            let exceeds = clamped.cmpne(*change) & gain.cmpgt(DVec3::ZERO);
            has_changed |= exceeds.any();
            *fixed = DVec3::select(exceeds, clamped, *fixed);
            *gain = DVec3::select(exceeds, DVec3::ZERO, *gain);
        }
        has_changed
    }

    /// Fixes the values that would exceed their limits, and frees the others. Returns whether anything has changed.
    fn guess(&self, buffers: &mut Buffers) -> bool {
        let Buffers { gains, fixed, rest, pulls, .. } = buffers;
        let mut has_changed = false;
        for (value, (gain, fixed)) in gains.iter_mut().zip(fixed).enumerate() {
            let [low, high] = self.objective.allowed_change(value, &self.trial.pose);
            let (all, wanted) = (self.objective.gains()[value], self.free_change(value, rest, pulls));
            let clamped = wanted.clamp(low, high);
            let exceeds = clamped.cmpne(wanted) & all.cmpgt(DVec3::ZERO);
            let new_gain = DVec3::select(exceeds, DVec3::ZERO, all);
            let new_fixed = DVec3::select(exceeds, clamped, rest[value]);
            has_changed |= (new_gain, new_fixed) != (*gain, *fixed);
            (*gain, *fixed) = (new_gain, new_fixed);
        }
        has_changed
    }

    /// Minimizes from no change on.
    fn descend(&mut self, buffers: &mut Buffers) {
        buffers.inside.clear();
        buffers.inside.resize(buffers.gains.len(), DVec3::ZERO);
        for (value, (gain, fixed)) in buffers.gains.iter_mut().zip(&mut buffers.fixed).enumerate() {
            (*gain, *fixed) = (self.objective.gains()[value], buffers.rest[value]);
        }
        for _ in 0..MAX_ROUNDS {
            self.solve(buffers);
            let hit = self.first_hit(buffers);
            let part = hit.map_or(1.0, |(.., part)| part);
            for (inside, change) in buffers.inside.iter_mut().zip(&buffers.change) {
                *inside += part * (*change - *inside);
            }
            if let Some((value, axis, limit, _)) = hit {
                buffers.gains[value][axis] = 0.0;
                buffers.fixed[value][axis] = limit;
                buffers.inside[value][axis] = limit;
            } else if let Some((value, axis)) = self.most_pulled(buffers) {
                buffers.gains[value][axis] = self.objective.gains()[value][axis];
                buffers.fixed[value][axis] = buffers.rest[value][axis];
            } else {
                break;
            }
        }
        buffers.change.clone_from(&buffers.inside);
    }

    /// Returns the first value that exceeds a limit on the way to the change, its axis, that limit, and the part of the way.
    fn first_hit(&self, buffers: &Buffers) -> Option<(usize, usize, f64, f64)> {
        let mut first: Option<(usize, usize, f64, f64)> = None;
        for (value, gain) in buffers.gains.iter().enumerate() {
            let limits = self.objective.allowed_change(value, &self.trial.pose);
            let (from, to) = (buffers.inside[value], buffers.change[value]);
            for axis in (0..3).filter(|axis| gain[*axis] > 0.0) {
                let limit = to[axis].clamp(limits[0][axis], limits[1][axis]);
                if limit != to[axis] {
                    let part = ((limit - from[axis]) / (to[axis] - from[axis])).max(0.0);
                    if first.is_none_or(|(.., least)| part < least) {
                        first = Some((value, axis, limit, part));
                    }
                }
            }
        }
        first
    }

    /// Returns the fixed value that is pulled most away from its limit, and its axis.
    fn most_pulled(&self, buffers: &Buffers) -> Option<(usize, usize)> {
        let mut most = None;
        let mut greatest = 0.0;
        for (value, gain) in buffers.gains.iter().enumerate() {
            let [low, high] = self.objective.allowed_change(value, &self.trial.pose);
            let (all, wanted) =
                (self.objective.gains()[value], self.free_change(value, &buffers.rest, &buffers.pulls));
            for axis in (0..3).filter(|axis| gain[*axis] == 0.0 && all[*axis] > 0.0) {
                let pull = (wanted.clamp(low, high)[axis] - buffers.fixed[value][axis]).abs();
                if pull > greatest {
                    (most, greatest) = (Some((value, axis)), pull);
                }
            }
        }
        most
    }
}
