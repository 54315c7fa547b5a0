//! The linearized residuals at the current poses of the joints: the gradient, and the Jacobian J of the
//! residuals by the values, as products and row by row.

use super::super::residual::{Goal, Wrenches};
use super::super::task::Task;
use super::Objective;
use glam::{DMat3, DVec3, Vec3};

impl Objective {
    /// Writes dE/d(rate) at the current poses of the joints, for the pose `stored`; zero for values that are
    /// not variables.
    pub(in crate::rig::ik) fn gradient(&mut self, stored: &[Vec3], gradient: &mut [DVec3]) {
        self.backpropagate(|task, value| value - task.aim(), gradient);
        if self.prior > 0.0 {
            for (value, gradient) in gradient.iter_mut().enumerate() {
                *gradient += self.prior * self.costs(value) * self.deviation(value, stored);
            }
        }
    }

    /// Writes J^T W f, with J the Jacobian of the residuals and W the task weights: the generalized forces of
    /// forces on the residuals. `force` returns the force of each task, in order, given its value.
    ///
    /// One backward pass. A small rotation about axis a through o changes a residual by a . (moment - o x
    /// force) of its wrench.
    fn backpropagate(&mut self, mut force: impl FnMut(&Task, DVec3) -> DVec3, values: &mut [DVec3]) {
        self.work += self.size();
        self.subtree.fill(Default::default());
        let mut balance = None;
        for task in &self.tasks {
            let pulled = task.weight * force(task, task.value(&self.poses, self.reach));
            let (primary, upper) = task.wrenches(&self.poses, self.reach);
            for (joint, wrenches) in [(task.joint, primary)].into_iter().chain(upper) {
                let (sum, moment) = &mut self.subtree[joint];
                *sum += wrenches.force * pulled;
                *moment += wrenches.moment * pulled;
            }
            if matches!(task.goal, Goal::Balance(_)) {
                balance = Some((task, pulled));
            }
        }
        let mut root = DVec3::ZERO;
        for index in (0..self.joints.len()).rev() {
            let joint = &self.joints[index];
            let (sum, moment) = self.subtree[index];
            let pose = &self.poses[index];
            let carried = balance.and_then(|(task, pulled)| {
                let wrenches = task.carried_wrenches(&self.poses, index)?;
                Some((wrenches.force * pulled, wrenches.moment * pulled))
            });
            let (force, turn) = carried.unwrap_or_default();
            values[index] = if joint.turns {
                pose.angle_axes.transpose() * (moment + turn - pose.start.cross(sum + force))
            } else {
                DVec3::ZERO
            };
            match joint.parent {
                Some(parent) => {
                    self.subtree[parent].0 += sum;
                    self.subtree[parent].1 += moment;
                }
                None => root += sum + force,
            }
        }
        values[self.joints.len()] = if self.root_free { self.reach * root } else { DVec3::ZERO };
    }

    /// Like [`Objective::backpropagate`], with a force per task.
    pub(in crate::rig::ik) fn apply_transpose(&mut self, forces: &[DVec3], values: &mut [DVec3]) {
        let mut forces = forces.iter();
        self.backpropagate(|_, _| forces.next().copied().unwrap_or_default(), values);
    }

    /// Writes J times `rates`: the rate of change of each task's residual.
    pub(in crate::rig::ik) fn apply_jacobian(&mut self, rates: &[DVec3], residual_rates: &mut Vec<DVec3>) {
        self.work += self.size();
        // The angular velocity of each joint, and the velocity of its point at the origin.
        let motion = &mut self.subtree;
        let base = self.reach * rates[self.joints.len()];
        for (index, joint) in self.joints.iter().enumerate() {
            let pose = &self.poses[index];
            let (turn, velocity) = joint.parent.map_or((DVec3::ZERO, base), |p| motion[p]);
            let rotation = pose.angle_axes * rates[index];
            motion[index] = (turn + rotation, velocity + pose.start.cross(rotation));
        }
        residual_rates.clear();
        for task in &self.tasks {
            let (primary, upper) = task.wrenches(&self.poses, self.reach);
            let wrenches = [(task.joint, primary)].into_iter().chain(upper);
            let rate = wrenches.map(|(joint, wrenches)| {
                let (turn, velocity) = self.subtree[joint];
                wrenches.force.transpose() * velocity + wrenches.moment.transpose() * turn
            });
            residual_rates.push(rate.sum::<DVec3>() + self.carried_rate(task, rates));
        }
    }

    /// Returns the rate of change of the residual of balance; zero for other tasks.
    fn carried_rate(&self, task: &Task, rates: &[DVec3]) -> DVec3 {
        if !matches!(task.goal, Goal::Balance(_)) {
            return DVec3::ZERO;
        }
        let base = self.reach * rates[self.joints.len()];
        let wrenches = |joint: usize| task.carried_wrenches(&self.poses, joint);
        let shift = wrenches(task.joint).map_or(DVec3::ZERO, |wrench| wrench.force.transpose() * base);
        let turns = self.joints.iter().enumerate().filter_map(|(index, _)| {
            let (wrench, pose) = (wrenches(index)?, &self.poses[index]);
            let turn = pose.angle_axes * rates[index];
            Some(wrench.moment.transpose() * turn - wrench.force.transpose() * turn.cross(pose.start))
        });
        shift + turns.sum::<DVec3>()
    }

    /// Writes the diagonal of J^T W J, without the interaction of the two wrenches of a pole.
    pub(in crate::rig::ik) fn squares(&mut self, squares: &mut Vec<DVec3>) {
        let sums = &mut self.sums;
        sums.clear();
        sums.resize(self.joints.len(), [DMat3::ZERO; 3]);
        for task in &self.tasks {
            let (primary, upper) = task.wrenches(&self.poses, self.reach);
            for (joint, Wrenches { force, moment }) in [(task.joint, primary)].into_iter().chain(upper) {
                let [turns, mixed, shifts] = &mut sums[joint];
                let force_t = force.transpose() * task.weight;
                *turns += moment * moment.transpose() * task.weight;
                *mixed += moment * force_t;
                *shifts += force * force_t;
            }
        }
        squares.clear();
        squares.resize(self.joints.len() + 1, DVec3::ZERO);
        let balance = self.tasks.iter().find(|task| matches!(task.goal, Goal::Balance(_)));
        for index in (0..self.joints.len()).rev() {
            let (joint, pose) = (&self.joints[index], &self.poses[index]);
            let [turns, mixed, shifts] = sums[index];
            let carried = balance.and_then(|task| Some((task, task.carried_wrenches(&self.poses, index)?)));
            if joint.turns {
                let square = |axis: DVec3| {
                    let arm = axis.cross(pose.start);
                    let square = axis.dot(turns * axis) - 2.0 * axis.dot(mixed * arm) + arm.dot(shifts * arm);
                    square.max(0.0)
                };
                squares[index] = DVec3::from_array([0, 1, 2].map(|i| square(pose.angle_axes.col(i))));
                if let Some((task, wrenches)) = carried {
                    let rates = wrenches.rates_about(pose);
                    squares[index] +=
                        task.weight * DVec3::from_array(rates.map(|rate| rate.length_squared()));
                }
            }
            match joint.parent {
                Some(parent) => {
                    let parent_sums = sums[parent].iter_mut();
                    parent_sums
                        .zip([turns, mixed, shifts])
                        .for_each(|(parent_sums, sum)| *parent_sums += sum);
                }
                None if self.root_free => {
                    let diagonal = DVec3::new(shifts.x_axis.x, shifts.y_axis.y, shifts.z_axis.z);
                    squares[self.joints.len()] += self.reach * self.reach * diagonal;
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

    /// The number of rows of [`Objective::rows`].
    pub(in crate::rig::ik) fn entries(&self) -> usize {
        let tasks = self.tasks.iter();
        tasks
            .map(|task| match task.goal {
                Goal::Balance(_) => self.len(),
                _ => self.joints[task.joint].turning + usize::from(self.root_free),
            })
            .sum()
    }

    /// The number of tasks.
    pub(in crate::rig::ik) fn tasks(&self) -> usize {
        self.tasks.len()
    }

    /// Calls `row(task, value, rates)` for each task with weight and each value that changes its residual, with the rates
    /// of the residual per unit rate of the value's x, y, z, times the square root of the task's weight.
    pub(in crate::rig::ik) fn rows(&self, mut row: impl FnMut(usize, usize, [DVec3; 3])) {
        for (index, task) in self.tasks.iter().enumerate().filter(|(_, task)| task.weight != 0.0) {
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
            let mut next = Some(task.joint).filter(|_| !matches!(task.goal, Goal::Balance(_)));
            while let Some(joint) = next.filter(|joint| self.joints[*joint].moves) {
                if let Some((_, extra)) = upper.filter(|(upper, _)| *upper == joint) {
                    wrenches = wrenches + extra;
                }
                if self.joints[joint].turns {
                    let rates = wrenches.rates_about(&self.poses[joint]);
                    row(index, joint, rates.map(|rate| root * rate));
                }
                next = self.joints[joint].parent;
            }
            if self.root_free {
                let rates = wrenches.force.transpose() * (root * self.reach);
                row(index, self.joints.len(), [rates.x_axis, rates.y_axis, rates.z_axis]);
            }
        }
    }

    /// Iterates over the residuals times the square roots of the weights.
    pub(in crate::rig::ik) fn weighted_residuals(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.tasks.iter().zip(self.residuals()).map(|(task, r)| r * task.weight.sqrt())
    }
}
