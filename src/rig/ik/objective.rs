//! What inverse kinematics minimises: half the squared distances from tips to targets, as a function of
//! the pose angles, with its gradient. Knows nothing of steps and convergence.
//!
//! Only *joints* take part: bones that carry an enabled handle and their ancestors. The energy does not depend on
//! the others. Joints of the handles' chains turn; every handle sees every joint that turns, whosever chain it is
//! of. The others keep their angles.
//!
//! A handle of weight w pulls to w of the way from where its tip is at first to its target, and counts w times.

use super::chain::turned_into;
use crate::math::rotation;
use crate::rig::kinematics::{axes_matrix, parent_of};
use crate::rig::skeleton::Skeleton;
use glam::{DMat3, DVec3, Vec3};

/// A bone that moves an enabled handle's tip.
struct Joint {
    bone: usize,
    /// Index of a joint before this one.
    parent: Option<usize>,
    extent: DVec3,
    /// From the first joint that turns to its tip chain_length the bones; 0 where it does not move.
    chain_length: f64,
    /// Whether its angles are variables.
    turns: bool,
    /// Whether it or an ancestor turns.
    moves: bool,
    /// How many of its ancestors turn, itself included.
    turning: usize,
    /// Rotation axes of the bone as columns.
    axes: DMat3,
    link: bool,
}

/// An enabled handle.
struct Goal {
    joint: usize,
    /// Index of the handle.
    handle: usize,
    /// Above 0, at most 1.
    weight: f64,
    /// Until [`Objective::begin`] the target; then where the handle pulls to.
    goal: DVec3,
}

/// Where a joint is in the pose of the last [`Objective::energy`] call; skeleton space.
#[derive(Clone, Copy, Default)]
struct JointPose {
    rotation: DMat3,
    start: DVec3,
    tip: DVec3,
    /// Columns: the axes about which the x, y, z angles turn.
    angle_axes: DMat3,
}

/// The energy of a skeleton as a function of the angles of its joints, with buffers that are reused.
#[derive(Default)]
pub(super) struct Objective {
    joints: Vec<Joint>,
    pulls: Vec<Goal>,
    /// Only while it is set.
    joint_of_bone: Vec<Option<usize>>,
    /// How many bones of a chain are left at each bone, itself included; only while it is set.
    turns: Vec<u32>,
    /// Where roots start.
    root: DVec3,
    placed: Vec<JointPose>,
    /// Per joint, of the tips that it moves: summed residual, and its moment about the origin.
    subtree: Vec<(DVec3, DVec3)>,
    /// Per joint, over the tips that it moves: sums of weight, of weight p, of weight p p^T. Scratch.
    sums: Vec<(f64, DVec3, DMat3)>,
    passes: usize,
    work: usize,
}

impl Objective {
    pub(super) fn new(skeleton: &Skeleton) -> Self {
        let mut objective = Self::default();
        objective.set(skeleton);
        objective
    }

    /// As [`Objective::new`], in place.
    pub(super) fn set(&mut self, skeleton: &Skeleton) {
        let bones = skeleton.bones.len();
        let handles = skeleton.handles.iter().enumerate();
        let pulling = || handles.clone().filter(|(_, handle)| skeleton.pulls(handle));
        // First: which bones are joints, and which of them turn.
        let joint_of_bone = &mut self.joint_of_bone;
        joint_of_bone.clear();
        joint_of_bone.resize(bones, None);
        for (_, handle) in pulling() {
            joint_of_bone[handle.bone as usize] = Some(0);
        }
        for bone in (0..bones).rev() {
            if let Some(parent) = parent_of(skeleton, bone).filter(|_| joint_of_bone[bone].is_some()) {
                joint_of_bone[parent] = Some(0);
            }
        }
        turned_into(skeleton, pulling().map(|(_, handle)| handle), &mut self.turns);
        self.joints.clear();
        for (index, bone) in skeleton.bones.iter().enumerate() {
            if joint_of_bone[index].is_none() {
                continue;
            }
            joint_of_bone[index] = Some(self.joints.len());
            let parent = parent_of(skeleton, index).and_then(|p| joint_of_bone[p]);
            let above = parent.map(|p| &self.joints[p]);
            let turns = self.turns[index] > 0;
            let moves = turns || above.is_some_and(|above| above.moves);
            let extent = bone.extent.as_dvec3();
            let own = if moves { extent.length() } else { 0.0 };
            self.joints.push(Joint {
                bone: index,
                parent,
                extent,
                chain_length: above.map_or(0.0, |above| above.chain_length) + own,
                turns,
                moves,
                turning: above.map_or(0, |above| above.turning) + usize::from(turns),
                axes: axes_matrix(bone),
                link: bone.link,
            });
        }
        self.pulls.clear();
        self.pulls.extend(pulling().filter_map(|(index, handle)| {
            Some(Goal {
                joint: joint_of_bone[handle.bone as usize]?,
                handle: index,
                weight: f64::from(handle.weight.min(1.0)),
                goal: handle.target.as_dvec3(),
            })
        }));
        let joints = self.joints.len();
        self.placed.clear();
        self.placed.resize(joints, JointPose::default());
        self.subtree.clear();
        self.subtree.resize(joints, (DVec3::ZERO, DVec3::ZERO));
        self.root = skeleton.base.as_dvec3() + skeleton.base_offset.as_dvec3();
        (self.passes, self.work) = (0, 0);
    }

    /// The first pose, x, y, z angles per joint in degrees: places all joints, from which handles pull, and returns
    /// the energy.
    pub(super) fn begin(&mut self, pose_deg: &[Vec3]) -> f64 {
        self.place(pose_deg, |_| true);
        for pull in &mut self.pulls {
            if pull.weight < 1.0 {
                let tip = self.placed[pull.joint].tip;
                pull.goal = tip.lerp(pull.goal, pull.weight);
            }
        }
        self.placed_energy()
    }

    /// How often the joints were placed.
    pub(super) fn passes(&self) -> usize {
        self.passes
    }

    /// Number of joints: the length of all slices below.
    pub(super) fn len(&self) -> usize {
        self.joints.len()
    }

    /// The bone of each joint, ascending.
    pub(super) fn bones(&self) -> impl Iterator<Item = usize> + '_ {
        self.joints.iter().map(|joint| joint.bone)
    }

    /// The parent of a joint, if it turns.
    pub(super) fn parent(&self, joint: usize) -> Option<usize> {
        self.joints[joint].parent.filter(|parent| self.turns(*parent))
    }

    /// Whether the angles of a joint are variables.
    pub(super) fn turns(&self, joint: usize) -> bool {
        self.joints[joint].turns
    }

    /// What one pass over joints and handles costs.
    fn size(&self) -> usize {
        self.joints.len() + self.pulls.len()
    }

    /// The cost of all passes so far.
    pub(super) fn work(&self) -> usize {
        self.work
    }

    /// Places the joints that move and returns the energy; [`Objective::begin`] comes before. `pose_deg`: x, y, z
    /// angles per joint, in degrees.
    pub(super) fn energy(&mut self, pose_deg: &[Vec3]) -> f64 {
        self.place(pose_deg, |joint| joint.moves);
        self.placed_energy()
    }

    fn place(&mut self, pose_deg: &[Vec3], which: impl Fn(&Joint) -> bool) {
        self.passes += 1;
        self.work += self.size();
        for (index, (joint, &angles_deg)) in self.joints.iter().zip(pose_deg).enumerate() {
            if !which(joint) {
                continue;
            }
            let (parent_rotation, start) = match joint.parent {
                Some(parent) => (self.placed[parent].rotation, self.placed[parent].tip),
                None => (DMat3::IDENTITY, self.root),
            };
            let angles_rad = angles_deg.as_dvec3().map(f64::to_radians);
            let (euler, angle_axes) = rotation::from_euler_with_axes(angles_rad);
            let frame = parent_rotation * joint.axes;
            let rotation = frame * euler * joint.axes.transpose();
            self.placed[index] = JointPose {
                rotation,
                start,
                tip: start + rotation * joint.extent,
                // Links are not turned.
                angle_axes: if joint.link {
                    DMat3::ZERO
                } else {
                    frame * angle_axes
                },
            };
        }
    }

    fn placed_energy(&self) -> f64 {
        let weights = self.pulls.iter().map(|pull| pull.weight);
        let energies = self.residuals().zip(weights);
        energies
            .map(|(r, weight)| 0.5 * weight * r.length_squared())
            .sum()
    }

    /// By how much the energy is above that with the tips at `before` (as of [`Objective::tips`]): exact also where
    /// targets are so far away that it is lost in the energies.
    pub(super) fn rise(&self, before: &[DVec3]) -> f64 {
        let pulls = self.pulls.iter().zip(self.tips().zip(before));
        let rises = pulls.map(|(pull, (now, before))| {
            let residuals = (now - pull.goal) + (*before - pull.goal);
            0.5 * pull.weight * (now - before).dot(residuals)
        });
        rises.sum()
    }

    /// Of the enabled handles.
    pub(super) fn tips(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.pulls.iter().map(|pull| self.placed[pull.joint].tip)
    }

    /// Tip minus where the handle pulls to, per enabled handle.
    pub(super) fn residuals(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.pulls
            .iter()
            .map(|pull| self.placed[pull.joint].tip - pull.goal)
    }

    /// Handle and distance from its tip to where it pulls to, where that is longest. `tips`: as of
    /// [`Objective::tips`].
    pub(super) fn farthest(&self, tips: &[DVec3]) -> Option<(usize, f64)> {
        let distances = self.pulls.iter().zip(tips);
        let distances = distances.map(|(pull, tip)| (pull.handle, tip.distance(pull.goal)));
        distances.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The largest coordinate of what handles pull to: 32 bits place it no finer than a part of that.
    pub(super) fn far(&self) -> f64 {
        let goals = self.pulls.iter().map(|pull| pull.goal.abs().max_element());
        goals.fold(0.0, f64::max)
    }

    /// The largest distance from a tip to its target where the joints were last placed.
    pub(super) fn largest_error(&self) -> f64 {
        self.residuals().map(|r| r.length()).fold(0.0, f64::max)
    }

    /// The largest product of a handle's weight and distance: nothing pulls harder at a tip.
    pub(super) fn largest_pull(&self) -> f64 {
        let weights = self.pulls.iter().map(|pull| pull.weight);
        let pulls = self.residuals().zip(weights);
        pulls.map(|(r, weight)| weight * r.length()).fold(0.0, f64::max)
    }

    /// The length of the longest chain of joints that move: how far tips can be from what they turn about.
    pub(super) fn reach(&self) -> f64 {
        self.joints
            .iter()
            .map(|joint| joint.chain_length)
            .fold(0.0, f64::max)
    }

    /// dE/d(angle in radians) per joint, where the joints were last placed; zero for joints that do not turn.
    pub(super) fn gradient(&mut self, gradient: &mut [DVec3]) {
        self.back(|pull, tip| tip - pull.goal, gradient);
    }

    /// J^T W f, J being the tips' velocities by the angles and W the handles' weights: what forces on the tips are
    /// at the angles. `force`: per handle, in its order, from the tip.
    ///
    /// One backward pass. A small turn about axis a through o moves a tip p by a x (p - o), against which a force
    /// f works f . (a x (p - o)) = a . (sum p x f - o x sum f), over the tips below.
    fn back(&mut self, mut force: impl FnMut(&Goal, DVec3) -> DVec3, angles: &mut [DVec3]) {
        self.work += self.size();
        self.subtree.fill((DVec3::ZERO, DVec3::ZERO));
        for pull in &self.pulls {
            let tip = self.placed[pull.joint].tip;
            let pulled = pull.weight * force(pull, tip);
            let (sum, moment) = &mut self.subtree[pull.joint];
            *sum += pulled;
            *moment += tip.cross(pulled);
        }
        for index in (0..self.joints.len()).rev() {
            let joint = &self.joints[index];
            let (sum, moment) = self.subtree[index];
            let placed = &self.placed[index];
            angles[index] = match joint.turns {
                true => placed.angle_axes.transpose() * (moment - placed.start.cross(sum)),
                false => DVec3::ZERO,
            };
            if let Some(parent) = joint.parent {
                self.subtree[parent].0 += sum;
                self.subtree[parent].1 += moment;
            }
        }
    }

    /// As [`Objective::back`], with a force per handle.
    pub(super) fn angles_of(&mut self, forces: &[DVec3], angles: &mut [DVec3]) {
        let mut forces = forces.iter();
        self.back(|_, _| forces.next().copied().unwrap_or_default(), angles);
    }

    /// J times `rates`: velocity of the tip per enabled handle when the angles change at `rates` (radians).
    pub(super) fn tips_of(&mut self, rates: &[DVec3], velocities: &mut Vec<DVec3>) {
        self.work += self.size();
        // Per joint: angular velocity, velocity of the tip.
        let motion = &mut self.subtree;
        for (index, joint) in self.joints.iter().enumerate() {
            let placed = &self.placed[index];
            let (parent_turn, start_velocity) = joint.parent.map_or_else(Default::default, |p| motion[p]);
            let turn = parent_turn + placed.angle_axes * rates[index];
            motion[index] = (turn, start_velocity + turn.cross(placed.tip - placed.start));
        }
        velocities.clear();
        velocities.extend(self.pulls.iter().map(|pull| motion[pull.joint].1));
    }

    /// Sum over enabled handles of weight times squared velocity of the tip when the angles change at `rates`
    /// (radians): the curvature of the energy chain_length `rates` without the part that the residuals contribute.
    pub(super) fn squared_tip_velocity(&mut self, rates: &[DVec3]) -> f64 {
        let mut velocities = Vec::new();
        self.tips_of(rates, &mut velocities);
        self.weighted_squares(&velocities)
    }

    /// Sum of weight times squared length over the handles.
    pub(super) fn weighted_squares(&self, values: &[DVec3]) -> f64 {
        let pulls = self.pulls.iter().zip(values);
        pulls
            .map(|(pull, value)| pull.weight * value.length_squared())
            .sum()
    }

    /// Sum of weight times a . b over the handles.
    pub(super) fn weighted_dot(&self, a: impl Iterator<Item = DVec3>, b: &[DVec3]) -> f64 {
        let pulls = self.pulls.iter().zip(a.zip(b));
        pulls.map(|(pull, (a, b))| pull.weight * a.dot(*b)).sum()
    }

    /// The diagonal of J^T W J per joint: how much weight times squared velocity each angle alone gives the tips.
    pub(super) fn squares(&mut self, squares: &mut Vec<DVec3>) {
        let sums = &mut self.sums;
        sums.clear();
        sums.resize(self.joints.len(), (0.0, DVec3::ZERO, DMat3::ZERO));
        let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
        for pull in &self.pulls {
            let tip = self.placed[pull.joint].tip;
            let (weight, first, second) = &mut sums[pull.joint];
            *weight += pull.weight;
            *first += pull.weight * tip;
            *second += outer(pull.weight * tip, tip);
        }
        squares.clear();
        squares.resize(self.joints.len(), DVec3::ZERO);
        for index in (0..self.joints.len()).rev() {
            let (joint, placed) = (&self.joints[index], &self.placed[index]);
            let (weight, first, second) = sums[index];
            if joint.turns {
                let o = placed.start;
                let about = second - outer(o, first) - outer(first, o) + outer(weight * o, o);
                let trace = about.x_axis.x + about.y_axis.y + about.z_axis.z;
                let square = |axis: DVec3| (trace - axis.dot(about * axis)).max(0.0);
                squares[index] = DVec3::from_array([0, 1, 2].map(|i| square(placed.angle_axes.col(i))));
            }
            if let Some(parent) = joint.parent {
                sums[parent].0 += weight;
                sums[parent].1 += first;
                sums[parent].2 += second;
            }
        }
    }

    /// How many entries [`Objective::tip_velocities`] has.
    pub(super) fn entries(&self) -> usize {
        self.pulls
            .iter()
            .map(|pull| self.joints[pull.joint].turning)
            .sum()
    }

    /// Number of enabled handles.
    pub(super) fn handles(&self) -> usize {
        self.pulls.len()
    }

    /// Calls `row(handle, joint, velocity)` for each enabled handle and each joint above it that turns, the lowest
    /// first: the tip's velocity per unit rate of the joint's x, y, z angles, times the root of the handle's weight.
    pub(super) fn tip_velocities(&self, mut row: impl FnMut(usize, usize, [DVec3; 3])) {
        for (handle, pull) in self.pulls.iter().enumerate() {
            let tip = self.placed[pull.joint].tip;
            let root = pull.weight.sqrt();
            let mut at = Some(pull.joint);
            while let Some(joint) = at.filter(|joint| self.joints[*joint].moves) {
                let JointPose {
                    start, angle_axes, ..
                } = self.placed[joint];
                if self.joints[joint].turns {
                    row(
                        handle,
                        joint,
                        [0, 1, 2].map(|i| angle_axes.col(i).cross(tip - start) * root),
                    );
                }
                at = self.joints[joint].parent;
            }
        }
    }

    /// Residuals times the roots of the weights.
    pub(super) fn weighted_residuals(&self) -> impl Iterator<Item = DVec3> + '_ {
        let roots = self.pulls.iter().map(|pull| pull.weight.sqrt());
        self.residuals().zip(roots).map(|(r, root)| r * root)
    }
}
