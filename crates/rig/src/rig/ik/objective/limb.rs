//! Limbs in closed form: an arm or leg whose tip a handle pulls starts where its two long bones already reach the target,
//! and the prior keeps it near there. So its pose changes only as fast as the target, instead of being found by a search
//! that may end elsewhere.
//!
//! The elbow or knee bends by the law of cosines, and the limb turns about its upper joint to the target. The third
//! freedom, the turn about the line between the ends, is that of the pose without handles, carried along by the shortest
//! rotation to the middle of the upper joint's limits, and from there to the target. A field of directions over a sphere
//! must have a hole somewhere; that of this one is opposite to the middle of the limits, where no limb goes, and the less
//! that turn counts the closer the target is to it. A pole turns the limb to its side, less and less as it comes near the
//! line.
//!
//! Limits may forbid that turn. Then it is a mean of all turns: see [`shape`]. What is left of the limits is left to the
//! solver.
//!
//! A target closer to the upper joint than the folded limb is moved away from it, along the ray from the same hole. Where the
//! limb is folded so, or misses its target since limits forbid it, the solver holds the pose: for the last percents of a
//! distance that cannot be covered anyway, it would twist the limb and bend the wrist, in one way or another.

use super::super::residual::{self, Goal};
use super::super::task::{Origin, Task};
use super::super::tuning::{IN_FRONT, LEG_MISS, LIMB_LACK, LIMB_MARGIN_DEG, LIMB_MISS};
use super::Objective;
use super::shape::{Shape, frame};
use crate::math::angles::{degrees, next_euler};
use crate::math::rotation::{from_euler, from_euler_about};
use crate::rig::body::joint::{bend_bones, is_in_middle};
use crate::rig::limits;
use crate::rig::skeleton::Skeleton;
use glam::{DMat3, DQuat, DVec3, Vec3};

/// A limb with a handle.
pub(super) struct Limb {
    /// Whether a handle alone rotates it. The closed form alone then sees to its poles.
    is_alone: bool,
    /// The position task of its handle.
    task: usize,
    /// The upper and the lower joint, and their angles (degrees) without handles.
    joints: [usize; 2],
    rest: [Vec3; 2],
    /// Which angle of the lower joint bends the limb, and the sign in which it does.
    angle: usize,
    sign: f64,
    /// Its angle with the widest range besides.
    second: usize,
    /// The direction from the upper joint to the tip in the pose without handles, the middle of its range, the axis
    /// about which the limb bends, and the direction away from the plane of symmetry, in the frame of the upper joint's
    /// parent.
    line: DVec3,
    middle: DVec3,
    axis: DVec3,
    out: DVec3,
}

impl Limb {
    /// Returns these limits of the upper joint less a margin, as far as the pose without handles is within them.
    fn within(&self, [low, high]: [Vec3; 2]) -> [Vec3; 2] {
        let margin = (0.25 * (high - low)).min(Vec3::splat(LIMB_MARGIN_DEG));
        [(low + margin).min(self.rest[0]), (high - margin).max(self.rest[0])]
    }
}

impl Objective {
    /// Finds the limbs that a handle alone rotates, and those of led feet, in the pose without handles. There are none
    /// without a prior, which could not pull.
    pub(in crate::rig::ik) fn find_limbs(&mut self, skeleton: &Skeleton) {
        self.limbs.clear();
        self.doubt = 0.0;
        if self.final_prior == 0.0 {
            return;
        }
        for (index, task) in self.tasks.iter().enumerate() {
            if task.origin != Origin::Handle || !matches!(task.goal, Goal::Position(_)) {
                continue;
            }
            let Some(bones) = bend_bones(skeleton, &skeleton.handles[task.handle]) else { continue };
            let [Some(upper), Some(lower)] = bones.map(|bone| self.joint_of_bone[bone]) else { continue };
            let is_free = self.turns(upper) && self.turns(lower) && self.gains[upper] != DVec3::ZERO;
            let is_alone =
                !self.root_free && self.joints[upper].parent.is_none_or(|parent| !self.turns(parent));
            let is_led_foot = !task.is_pinned
                && !self.balance.supports.is_empty()
                && self.balance.ground.carries(self.joints[task.joint].bone);
            let is_placed = self.limbs.iter().any(|limb| limb.joints[1] == lower);
            if is_free && (is_alone || is_led_foot) && !is_placed && !is_in_middle(skeleton, bones[1]) {
                self.limbs.extend(self.limb(index, [upper, lower]).map(|limb| Limb { is_alone, ..limb }));
            }
        }
        let Self { limbs, tasks, .. } = self;
        for limb in limbs.iter() {
            let (joint, handle) = (tasks[limb.task].joint, tasks[limb.task].handle);
            // An orientation beyond the wrist pulls at the limb, too.
            let is_oriented =
                |task: &Task| task.handle == handle && matches!(task.goal, Goal::Orientation(_));
            if !limb.is_alone || joint != limb.joints[1] && tasks.iter().any(is_oriented) {
                continue;
            }
            let is_pole = |task: &Task| task.joint == limb.joints[1] && matches!(task.goal, Goal::Pole(_));
            tasks.iter_mut().filter(|task| is_pole(task)).for_each(|pole| pole.weight = 0.0);
        }
    }

    fn limb(&self, task: usize, joints: [usize; 2]) -> Option<Limb> {
        let [upper, lower] = joints;
        let (joint, bounds) = (&self.joints[lower], &self.bounds[lower]);
        let [above, knee] = joints.map(|joint| &self.poses[joint]);
        let tip = self.poses[self.tasks[task].joint].tip;
        let normal = (knee.start - above.start).cross(tip - knee.start);
        // The preferred bend, else the widest range, else the present bend.
        let range = limits::clamp(Vec3::splat(180.0), bounds) - limits::clamp(Vec3::splat(-180.0), bounds);
        let bend = knee.angle_axes.transpose() * normal;
        let score = |angle: usize| match joint.preferred_deg {
            Some(preferred) => f64::from(preferred[angle].abs()),
            None => f64::from(range[angle]) + bend[angle].abs() / (1.0 + normal.length()),
        };
        let angle = (0..3).filter(|angle| self.gains[lower][*angle] > 0.0);
        let angle = angle.max_by(|a, b| score(*a).total_cmp(&score(*b)).then(b.cmp(a)))?;
        let second = (0..3).filter(|other| *other != angle);
        let second = second.max_by(|a, b| range[*a].total_cmp(&range[*b])).unwrap_or(angle);
        let limits_middle = 0.5 * (bounds[0] + bounds[1])[angle];
        let sign = match joint.preferred_deg {
            Some(preferred) if preferred[angle] != 0.0 => preferred[angle],
            _ if limits_middle.is_finite() && limits_middle != 0.0 => limits_middle,
            _ if bend[angle] != 0.0 => bend[angle] as f32,
            _ => 1.0,
        };
        let to_parent = self.parent_rotation(upper).transpose();
        // Both joints in the middle of their limits.
        let middle = |joint: usize| {
            let (axes, middle) =
                (self.joints[joint].axes, 0.5 * (self.bounds[joint][0] + self.bounds[joint][1]));
            let angles = Vec3::select(middle.is_finite_mask(), middle, self.rest[joint]);
            axes * from_euler(angles.as_dvec3().map(f64::to_radians)) * axes.transpose()
        };
        let lower_part = knee.rotation.transpose() * (tip - knee.start);
        let upper_part = above.rotation.transpose() * (knee.start - above.start);
        let between = above.rotation.transpose() * self.parent_rotation(lower);
        let in_middle = middle(upper) * (upper_part + between * (middle(lower) * lower_part));
        let base = self.base.x + f64::from(self.rest[self.joints.len()].x);
        Some(Limb {
            is_alone: false,
            task,
            joints,
            rest: joints.map(|joint| self.rest[joint]),
            angle,
            sign: f64::from(sign.signum()),
            second,
            line: to_parent * (tip - above.start).try_normalize()?,
            middle: in_middle.try_normalize()?,
            axis: to_parent * knee.angle_axes.col(angle),
            out: to_parent * DVec3::X * (above.start.x - base).signum(),
        })
    }

    /// Returns the distance from the upper joint to the tip of a limb that is bent as far as it may be.
    fn nearest(&self, limb: &Limb, upper: DVec3, lower: DVec3, between: DMat3) -> f64 {
        let lower_joint = limb.joints[1];
        let [low, high] = self.bounds[lower_joint].map(|bound| bound[limb.angle]);
        let most = if limb.sign > 0.0 { high } else { low };
        if !most.is_finite() {
            return 0.0;
        }
        let mut angles = limb.rest[1].as_dvec3();
        angles[limb.angle] = f64::from(most);
        let rotation = from_euler_about(&self.joints[lower_joint].axes, angles.map(f64::to_radians));
        (upper + between * (rotation * lower)).length()
    }

    fn parent_rotation(&self, joint: usize) -> DMat3 {
        self.joints[joint].parent.map_or(DMat3::IDENTITY, |parent| self.poses[parent].rotation)
    }

    /// Changes a pose so that limbs reach their targets as far as their limits permit, and makes the prior pull there.
    /// Returns whether there are any.
    pub(in crate::rig::ik) fn place_limbs(&mut self, pose: &mut [Vec3]) -> bool {
        if self.limbs.is_empty() {
            return false;
        }
        self.energy(pose);
        self.doubt = 0.0;
        let limbs = std::mem::take(&mut self.limbs);
        for limb in &limbs {
            self.place_limb(limb, pose);
        }
        self.limbs = limbs;
        true
    }

    fn place_limb(&mut self, limb: &Limb, pose: &mut [Vec3]) -> Option<()> {
        let task = &self.tasks[limb.task];
        let foot = task.joint;
        let [above, knee, end] = [limb.joints[0], limb.joints[1], foot].map(|joint| self.poses[joint]);
        let (mut tip, mut target) = (end.tip, task.aim());
        // A foot that keeps its orientation: the ankle goes where it has to.
        let orientation = self.tasks.iter().find_map(|other| match other.goal {
            Goal::Orientation(residual::Orientation(goal)) if other.joint == foot => {
                Some(DMat3::from_quat(goal))
            }
            _ => None,
        });
        let is_ankle = self.joints[foot].parent == Some(limb.joints[1]) && self.turns(foot);
        let orientation = orientation.filter(|_| is_ankle);
        if let Some(rotation) = orientation {
            target -= rotation * self.joints[foot].extent;
            tip = end.start;
        }
        let parent = self.parent_rotation(limb.joints[0]);
        let [first, middle, carried] = [limb.line, limb.middle, limb.axis].map(|v| parent * v);
        let upper = above.rotation.transpose() * (knee.start - above.start);
        let lower = knee.rotation.transpose() * (tip - knee.start);
        let between = above.rotation.transpose() * self.parent_rotation(limb.joints[1]);
        let length = upper.length() + lower.length();
        let nearest = self.nearest(limb, upper, lower, between);
        let mut to_target = target - above.start;
        let lack = (nearest - to_target.length()).max(0.0) / length;
        if lack > 0.0 {
            to_target = project(to_target, -nearest * middle);
        }
        let line = to_target.try_normalize()?;
        let carried =
            DQuat::from_rotation_arc(middle, line) * (DQuat::from_rotation_arc(first, middle) * carried);
        let side = self.side(limb, line, carried.reject_from_normalized(line).normalize_or_zero());
        let shape = Shape {
            sign: limb.sign,
            angle: limb.angle,
            second: limb.second,
            rest: limb.rest,
            out: limb.out,
            upper,
            lower,
            between,
            distance: to_target.length(),
            to: parent.transpose() * frame(line, side)?,
            // At the hole, the axis that is carried there has no direction.
            certainty: (1.0 + line.dot(middle)).min(1.0),
            axes: limb.joints.map(|joint| self.joints[joint].axes),
            bounds: limb.joints.map(|joint| self.bounds[joint]),
            within: limb.within(self.bounds[limb.joints[0]]),
        };
        let (angles, doubt) = shape.solve();
        if limb.is_alone {
            self.doubt = self.doubt.max(doubt);
        }
        for (joint, angles) in limb.joints.into_iter().zip(angles) {
            self.set_angles(joint, angles, pose);
        }
        self.energy(pose);
        let end = if orientation.is_some() { self.poses[foot].start } else { self.poses[foot].tip };
        let miss = end - above.start - line * to_target.length().min(length);
        let miss = miss.length() / length;
        if !limb.is_alone {
            self.bend_lower(limb.joints[1], miss, pose);
        } else if orientation.is_none() {
            let [low, high] = LIMB_MISS;
            let miss = (miss - low) / (high - low);
            self.doubt = self.doubt.max(miss.max(lack / LIMB_LACK).clamp(0.0, 1.0));
        }
        if let Some(rotation) = orientation {
            self.energy(pose);
            let axes = self.joints[foot].axes;
            let local = axes.transpose() * self.parent_rotation(foot).transpose() * rotation * axes;
            let near = self.rest[foot].as_dvec3().map(f64::to_radians);
            self.set_angles(foot, degrees(next_euler(near, local)), pose);
        }
        Some(())
    }

    /// Bends the knee of a leg that limits keep from its target as preferred, by and by. The body comes along then, and the
    /// target can be reached with a knee that bends as well as with one that straightens.
    fn bend_lower(&mut self, lower: usize, miss: f64, pose: &mut [Vec3]) {
        if let Some(preferred) = self.joints[lower].preferred_deg {
            let amount = (miss / LEG_MISS).min(1.0) as f32;
            let angles = pose[lower].lerp(limits::bend_at_least(pose[lower], preferred), amount);
            self.set_angles(lower, angles, pose);
        }
    }

    /// Sets the angles of a joint in a pose, as far as they are variables and within limits, and in that of the prior.
    fn set_angles(&mut self, joint: usize, angles: Vec3, pose: &mut [Vec3]) {
        let variable = self.gains[joint].cmpgt(DVec3::ZERO);
        pose[joint] = Vec3::select(variable, limits::clamp(angles, &self.bounds[joint]), pose[joint]);
        self.rest[joint] = pose[joint];
    }

    /// Returns the direction of the bend's axis: `carried`, or as far as poles pull, that which points the joint at them.
    fn side(&self, limb: &Limb, line: DVec3, carried: DVec3) -> DVec3 {
        let mut side = DVec3::ZERO;
        let mut total = 0.0;
        for task in self.tasks.iter().filter(|task| task.joint == limb.joints[1]) {
            if let Goal::Pole(residual::Pole { upper, point }) = task.goal
                && upper == limb.joints[0]
            {
                let axis = limb.sign * (point - self.poses[upper].start).normalize_or_zero().cross(line);
                let part = (axis.length() - IN_FRONT.0) / (IN_FRONT.1 - IN_FRONT.0);
                let part = part.clamp(0.0, 1.0) * task.share;
                side += part * axis.normalize_or_zero();
                total += part;
            }
        }
        side + (1.0 - total).max(0.0) * carried
    }
}

/// Moves a point inside a sphere about the origin onto it, along the ray from a point of the sphere, `hole`. Continuous, and
/// the identity on the sphere, except at the hole.
fn project(point: DVec3, hole: DVec3) -> DVec3 {
    (point - hole).try_normalize().map_or(-hole, |ray| hole - 2.0 * hole.dot(ray) * ray)
}
