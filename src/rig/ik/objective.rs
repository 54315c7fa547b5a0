//! What inverse kinematics minimises: half the squared distances from tips to targets, as a function of
//! the pose angles, with its gradient. Knows nothing of steps and convergence.
//!
//! Only *joints* take part: bones that carry an enabled handle or an ancestor of one. The energy does
//! not depend on the others.

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
    /// From the root to its tip along the bones.
    along: f64,
    /// Rotation axes of the bone as columns.
    axes: DMat3,
    link: bool,
}

/// An enabled handle.
struct Pull {
    joint: usize,
    target: DVec3,
}

/// Where a joint is in the pose of the last [`Objective::energy`] call; skeleton space.
#[derive(Clone, Copy, Default)]
struct Placed {
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
    pulls: Vec<Pull>,
    /// Only while it is set.
    joint_of_bone: Vec<Option<usize>>,
    /// Where roots start.
    root: DVec3,
    placed: Vec<Placed>,
    /// Per joint, of the tips that it moves: summed residual, and its moment about the origin.
    subtree: Vec<(DVec3, DVec3)>,
    passes: usize,
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
        let pulling = || {
            skeleton
                .handles
                .iter()
                .filter(|handle| handle.enabled && (handle.bone as usize) < bones)
        };
        // First: which bones are joints.
        let joint_of_bone = &mut self.joint_of_bone;
        joint_of_bone.clear();
        joint_of_bone.resize(bones, None);
        for handle in pulling() {
            joint_of_bone[handle.bone as usize] = Some(0);
        }
        for bone in (0..bones).rev() {
            if let Some(parent) = parent_of(skeleton, bone).filter(|_| joint_of_bone[bone].is_some()) {
                joint_of_bone[parent] = Some(0);
            }
        }
        self.joints.clear();
        for (index, bone) in skeleton.bones.iter().enumerate() {
            if joint_of_bone[index].is_none() {
                continue;
            }
            joint_of_bone[index] = Some(self.joints.len());
            let parent = parent_of(skeleton, index).and_then(|p| joint_of_bone[p]);
            let extent = bone.extent.as_dvec3();
            self.joints.push(Joint {
                bone: index,
                parent,
                extent,
                along: parent.map_or(0.0, |p| self.joints[p].along) + extent.length(),
                axes: axes_matrix(bone),
                link: bone.link,
            });
        }
        self.pulls.clear();
        self.pulls.extend(pulling().filter_map(|handle| {
            Some(Pull {
                joint: joint_of_bone[handle.bone as usize]?,
                target: handle.target.as_dvec3(),
            })
        }));
        let joints = self.joints.len();
        self.placed.clear();
        self.placed.resize(joints, Placed::default());
        self.subtree.clear();
        self.subtree.resize(joints, (DVec3::ZERO, DVec3::ZERO));
        self.root = skeleton.base.as_dvec3() + skeleton.base_offset.as_dvec3();
        self.passes = 0;
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

    pub(super) fn parent(&self, joint: usize) -> Option<usize> {
        self.joints[joint].parent
    }

    /// Places the joints and returns the energy. `pose_deg`: x, y, z angles per joint, in degrees.
    pub(super) fn energy(&mut self, pose_deg: &[Vec3]) -> f64 {
        self.passes += 1;
        for (index, (joint, &angles_deg)) in self.joints.iter().zip(pose_deg).enumerate() {
            let (parent_rotation, start) = match joint.parent {
                Some(parent) => (self.placed[parent].rotation, self.placed[parent].tip),
                None => (DMat3::IDENTITY, self.root),
            };
            let angles_rad = angles_deg.as_dvec3().map(f64::to_radians);
            let (euler, angle_axes) = rotation::from_euler_with_axes(angles_rad);
            let frame = parent_rotation * joint.axes;
            let rotation = frame * euler * joint.axes.transpose();
            self.placed[index] = Placed {
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
        self.residuals().map(|r| 0.5 * r.length_squared()).sum()
    }

    /// Tip minus target per enabled handle.
    pub(super) fn residuals(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.pulls
            .iter()
            .map(|pull| self.placed[pull.joint].tip - pull.target)
    }

    /// The largest distance from a tip to its target where the joints were last placed.
    pub(super) fn largest_error(&self) -> f64 {
        self.residuals().map(|r| r.length()).fold(0.0, f64::max)
    }

    /// The length of the longest chain of joints: how far the handles can be from their root.
    pub(super) fn reach(&self) -> f64 {
        self.joints.iter().map(|joint| joint.along).fold(0.0, f64::max)
    }

    /// dE/d(angle in radians) per joint, where the joints were last placed.
    ///
    /// One backward pass. A small turn about axis a through o moves a tip p by a x (p - o), so it
    /// changes the energy by the sum of r . (a x (p - o)) = a . (sum p x r - o x sum r) over the tips
    /// below, r being their residuals.
    pub(super) fn gradient(&mut self, gradient: &mut [DVec3]) {
        self.subtree.fill((DVec3::ZERO, DVec3::ZERO));
        for pull in &self.pulls {
            let tip = self.placed[pull.joint].tip;
            let residual = tip - pull.target;
            let (force, moment) = &mut self.subtree[pull.joint];
            *force += residual;
            *moment += tip.cross(residual);
        }
        for index in (0..self.joints.len()).rev() {
            let (force, moment) = self.subtree[index];
            let placed = &self.placed[index];
            gradient[index] = placed.angle_axes.transpose() * (moment - placed.start.cross(force));
            if let Some(parent) = self.joints[index].parent {
                self.subtree[parent].0 += force;
                self.subtree[parent].1 += moment;
            }
        }
    }

    /// Sum over enabled handles of the squared velocity of the tip when the angles change at `rates`
    /// (radians): |J * rates|^2, the curvature of the energy along `rates` without the part that the
    /// residuals contribute.
    pub(super) fn squared_tip_velocity(&self, rates: &[DVec3]) -> f64 {
        // Per joint: angular velocity, velocity of the tip.
        let mut motion = vec![(DVec3::ZERO, DVec3::ZERO); self.joints.len()];
        for (index, joint) in self.joints.iter().enumerate() {
            let placed = &self.placed[index];
            let (parent_turn, start_velocity) = joint.parent.map_or_else(Default::default, |p| motion[p]);
            let turn = parent_turn + placed.angle_axes * rates[index];
            motion[index] = (turn, start_velocity + turn.cross(placed.tip - placed.start));
        }
        self.pulls
            .iter()
            .map(|pull| motion[pull.joint].1.length_squared())
            .sum()
    }

    /// Calls `row(handle, joint, velocity)` for each enabled handle and each joint above it, the handle's own
    /// first: the tip's velocity per unit rate of the joint's x, y, z angles.
    pub(super) fn tip_velocities(&self, mut row: impl FnMut(usize, usize, [DVec3; 3])) {
        for (handle, pull) in self.pulls.iter().enumerate() {
            let tip = self.placed[pull.joint].tip;
            let mut at = Some(pull.joint);
            while let Some(joint) = at {
                let Placed {
                    start, angle_axes, ..
                } = self.placed[joint];
                row(
                    handle,
                    joint,
                    [0, 1, 2].map(|i| angle_axes.col(i).cross(tip - start)),
                );
                at = self.joints[joint].parent;
            }
        }
    }
}
