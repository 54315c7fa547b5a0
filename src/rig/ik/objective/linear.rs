//! What residuals change by where the joints were last placed: the gradient, and the matrix J of the residuals' rates by
//! the values, as products and row by row.

use super::super::task::{Goal, Task, Wrenches};
use super::Objective;
use glam::{DMat3, DVec3, Vec3};

impl Objective {
    /// dE/d(rate), where the joints were last placed, in the pose `stored`; zero for what is no variable.
    pub(in crate::rig::ik) fn gradient(&mut self, stored: &[Vec3], gradient: &mut [DVec3]) {
        self.back(|task, value| value - task.aim(), gradient);
        if self.prior > 0.0 {
            for (value, gradient) in gradient.iter_mut().enumerate() {
                *gradient += self.prior * self.costs(value) * self.deviation(value, stored);
            }
        }
    }

    /// J^T W f, J being the residuals' rates by the values and W the tasks' weights: what forces on the residuals are
    /// at the values. `force`: per task, in its order, from its value.
    ///
    /// One backward pass. A small turn about axis a through o changes a residual by a . (moment - o x force) of its
    /// wrench.
    fn back(&mut self, mut force: impl FnMut(&Task, DVec3) -> DVec3, values: &mut [DVec3]) {
        self.work += self.size();
        self.subtree.fill(Default::default());
        let mut balance = None;
        for task in &self.tasks {
            let pulled = task.weight * force(task, task.value(&self.poses, self.reach));
            let (own, upper) = task.wrenches(&self.poses, self.reach);
            for (joint, wrenches) in [(task.joint, own)].into_iter().chain(upper) {
                let (sum, moment) = &mut self.subtree[joint];
                *sum += wrenches.force * pulled;
                *moment += wrenches.moment * pulled;
            }
            if matches!(task.goal, Goal::Balance { .. }) {
                balance = Some((task, pulled));
            }
        }
        let mut root = DVec3::ZERO;
        for index in (0..self.joints.len()).rev() {
            let joint = &self.joints[index];
            let (sum, moment) = self.subtree[index];
            let at = &self.poses[index];
            let carried = balance.and_then(|(task, pulled)| {
                let wrenches = task.carried_wrenches(&self.poses, index)?;
                Some((wrenches.force * pulled, wrenches.moment * pulled))
            });
            let (force, turn) = carried.unwrap_or_default();
            values[index] = match joint.turns {
                true => at.angle_axes.transpose() * (moment + turn - at.start.cross(sum + force)),
                false => DVec3::ZERO,
            };
            match joint.parent {
                Some(parent) => {
                    self.subtree[parent].0 += sum;
                    self.subtree[parent].1 += moment;
                }
                None => root += sum + force,
            }
        }
        values[self.joints.len()] = if self.root_free {
            self.reach * root
        } else {
            DVec3::ZERO
        };
    }

    /// As [`Objective::back`], with a force per task.
    pub(in crate::rig::ik) fn values_of(&mut self, forces: &[DVec3], values: &mut [DVec3]) {
        let mut forces = forces.iter();
        self.back(|_, _| forces.next().copied().unwrap_or_default(), values);
    }

    /// J times `rates`: how fast each task's residual changes.
    pub(in crate::rig::ik) fn rates_of(&mut self, rates: &[DVec3], residual_rates: &mut Vec<DVec3>) {
        self.work += self.size();
        // Per joint: angular velocity, velocity of what is at the origin.
        let motion = &mut self.subtree;
        let base = self.reach * rates[self.joints.len()];
        for (index, joint) in self.joints.iter().enumerate() {
            let at = &self.poses[index];
            let (turn, velocity) = joint.parent.map_or((DVec3::ZERO, base), |p| motion[p]);
            let own = at.angle_axes * rates[index];
            motion[index] = (turn + own, velocity + at.start.cross(own));
        }
        residual_rates.clear();
        for task in &self.tasks {
            let (own, upper) = task.wrenches(&self.poses, self.reach);
            let wrenches = [(task.joint, own)].into_iter().chain(upper);
            let rate = wrenches.map(|(joint, wrenches)| {
                let (turn, velocity) = self.subtree[joint];
                wrenches.force.transpose() * velocity + wrenches.moment.transpose() * turn
            });
            residual_rates.push(rate.sum::<DVec3>() + self.carried_rate(task, rates));
        }
    }

    /// How fast the residual of balance changes; zero for other tasks.
    fn carried_rate(&self, task: &Task, rates: &[DVec3]) -> DVec3 {
        if !matches!(task.goal, Goal::Balance { .. }) {
            return DVec3::ZERO;
        }
        let base = self.reach * rates[self.joints.len()];
        let wrenches = |joint: usize| task.carried_wrenches(&self.poses, joint);
        let shift = wrenches(task.joint).map_or(DVec3::ZERO, |own| own.force.transpose() * base);
        let turns = self.joints.iter().enumerate().filter_map(|(index, _)| {
            let (own, at) = (wrenches(index)?, &self.poses[index]);
            let turn = at.angle_axes * rates[index];
            Some(own.moment.transpose() * turn - own.force.transpose() * turn.cross(at.start))
        });
        shift + turns.sum::<DVec3>()
    }

    /// Sum of weight times squared length over the tasks.
    pub(in crate::rig::ik) fn weighted_squares(&self, values: &[DVec3]) -> f64 {
        let tasks = self.tasks.iter().zip(values);
        tasks
            .map(|(task, value)| task.weight * value.length_squared())
            .sum()
    }

    /// Sum of weight times residual . b over the tasks.
    pub(in crate::rig::ik) fn weighted_dot(&self, b: &[DVec3]) -> f64 {
        let tasks = self.tasks.iter().zip(self.residuals().zip(b));
        tasks.map(|(task, (r, b))| task.weight * r.dot(*b)).sum()
    }

    /// The diagonal of J^T W J per value, except for what the two wrenches of a pole do together.
    pub(in crate::rig::ik) fn squares(&mut self, squares: &mut Vec<DVec3>) {
        let sums = &mut self.sums;
        sums.clear();
        sums.resize(self.joints.len(), [DMat3::ZERO; 3]);
        for task in &self.tasks {
            let (own, upper) = task.wrenches(&self.poses, self.reach);
            for (joint, Wrenches { force, moment }) in [(task.joint, own)].into_iter().chain(upper) {
                let [turns, mixed, shifts] = &mut sums[joint];
                let force_t = force.transpose() * task.weight;
                *turns += moment * moment.transpose() * task.weight;
                *mixed += moment * force_t;
                *shifts += force * force_t;
            }
        }
        squares.clear();
        squares.resize(self.joints.len() + 1, DVec3::ZERO);
        let balance = self
            .tasks
            .iter()
            .find(|task| matches!(task.goal, Goal::Balance { .. }));
        for index in (0..self.joints.len()).rev() {
            let (joint, at) = (&self.joints[index], &self.poses[index]);
            let [turns, mixed, shifts] = sums[index];
            let carried = balance.and_then(|task| Some((task, task.carried_wrenches(&self.poses, index)?)));
            if joint.turns {
                let square = |axis: DVec3| {
                    let arm = axis.cross(at.start);
                    let square = axis.dot(turns * axis) - 2.0 * axis.dot(mixed * arm) + arm.dot(shifts * arm);
                    square.max(0.0)
                };
                squares[index] = DVec3::from_array([0, 1, 2].map(|i| square(at.angle_axes.col(i))));
                if let Some((task, own)) = carried {
                    let rates = own.rates_about(at);
                    squares[index] +=
                        task.weight * DVec3::from_array(rates.map(|rate| rate.length_squared()));
                }
            }
            match joint.parent {
                Some(parent) => {
                    let above = sums[parent].iter_mut();
                    above
                        .zip([turns, mixed, shifts])
                        .for_each(|(above, sum)| *above += sum);
                }
                None if self.root_free => {
                    let own = DVec3::new(shifts.x_axis.x, shifts.y_axis.y, shifts.z_axis.z);
                    squares[self.joints.len()] += self.reach * self.reach * own;
                    if let Some((task, wrenches)) = carried {
                        let force = self.reach * wrenches.force;
                        let shares = [force.x_axis, force.y_axis, force.z_axis].map(DVec3::length_squared);
                        squares[self.joints.len()] += task.weight * DVec3::from_array(shares);
                    }
                }
                None => {}
            }
        }
    }

    /// How many rows [`Objective::rows`] has.
    pub(in crate::rig::ik) fn entries(&self) -> usize {
        let tasks = self.tasks.iter();
        tasks
            .map(|task| match task.goal {
                Goal::Balance { .. } => self.len(),
                _ => self.joints[task.joint].turning + usize::from(self.root_free),
            })
            .sum()
    }

    /// Number of tasks.
    pub(in crate::rig::ik) fn tasks(&self) -> usize {
        self.tasks.len()
    }

    /// Calls `row(task, value, rates)` for each task and each value that changes its residual: the residual's rates per
    /// unit rate of the value's x, y, z, times the root of the task's weight.
    pub(in crate::rig::ik) fn rows(&self, mut row: impl FnMut(usize, usize, [DVec3; 3])) {
        for (index, task) in self.tasks.iter().enumerate() {
            let root = task.weight.sqrt();
            let (mut wrenches, upper) = task.wrenches(&self.poses, self.reach);
            if let Some(carried) = task.carried_wrenches(&self.poses, task.joint) {
                wrenches = carried;
                for (joint, _) in self.joints.iter().enumerate().filter(|(_, joint)| joint.turns) {
                    if let Some(carried) = task.carried_wrenches(&self.poses, joint) {
                        let rates = carried.rates_about(&self.poses[joint]);
                        row(index, joint, rates.map(|rate| root * rate));
                    }
                }
            }
            let mut at = Some(task.joint).filter(|_| !matches!(task.goal, Goal::Balance { .. }));
            while let Some(joint) = at.filter(|joint| self.joints[*joint].moves) {
                if let Some((_, more)) = upper.filter(|(upper, _)| *upper == joint) {
                    wrenches = wrenches + more;
                }
                if self.joints[joint].turns {
                    let rates = wrenches.rates_about(&self.poses[joint]);
                    row(index, joint, rates.map(|rate| root * rate));
                }
                at = self.joints[joint].parent;
            }
            if self.root_free {
                let rates = wrenches.force.transpose() * (root * self.reach);
                row(
                    index,
                    self.joints.len(),
                    [rates.x_axis, rates.y_axis, rates.z_axis],
                );
            }
        }
    }

    /// Residuals times the roots of the weights.
    pub(in crate::rig::ik) fn weighted_residuals(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.tasks
            .iter()
            .zip(self.residuals())
            .map(|(task, r)| r * task.weight.sqrt())
    }
}
