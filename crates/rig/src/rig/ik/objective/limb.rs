//! Limbs in closed form: an arm or leg whose tip a handle pulls starts where its two long bones already reach the target,
//! and the prior keeps it near there. So its pose changes only as fast as the target, instead of being found by a search
//! that may end elsewhere.
//!
//! The elbow or knee bends by the law of cosines, and the limb turns about its upper joint to the target. The third
//! freedom, the turn about the line between the ends, is that of the pose without handles, carried along by the shortest
//! rotation to the middle of the upper joint's limits, and from there to the target. A field of directions over a sphere
//! must have a hole somewhere; that of this one is opposite to the middle of the limits, where no limb goes. A pole turns
//! the limb to its side, less and less as it comes near the line.
//!
//! Limits may forbid that turn. Then it is the mean of all turns, weighted by how well they keep the limits: a mean moves
//! smoothly where the best one would jump. Behind the shoulder an arm within its limits is turned either out or in; there
//! the elbow points out. What is left of the limits is left to the solver.

use super::super::residual::{self, Goal};
use super::super::task::{Origin, Task};
use super::super::tuning::{
    IN_FRONT, LIMB_DOUBT, LIMB_LIMIT_COST, LIMB_NARROW_DEG, LIMB_NEGLIGIBLE_COST, LIMB_OUTWARD_COST,
    LIMB_OUTWARD_DEG, LIMB_SECONDS, LIMB_TURN_COST, LIMB_TURNS,
};
use super::Objective;
use crate::math::angles::{degrees, next_euler};
use crate::math::rotation::{from_euler, from_euler_with_axes};
use crate::rig::body::joint::{bend_bones, is_in_middle};
use crate::rig::limits;
use crate::rig::skeleton::Skeleton;
use glam::{DMat3, DQuat, DVec3, FloatExt, Vec3};
use std::f64::consts::{PI, TAU};

/// A limb with a handle.
pub(super) struct Limb {
    /// Whether a handle alone rotates it. At the end of the lower bone, the closed form alone then sees to its poles.
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
            if !limb.is_alone || tasks[limb.task].joint != limb.joints[1] {
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
        let to_target = target - above.start;
        let line = to_target.try_normalize()?;
        let parent = self.parent_rotation(limb.joints[0]);
        let [first, middle, carried] = [limb.line, limb.middle, limb.axis].map(|v| parent * v);
        let carried =
            DQuat::from_rotation_arc(middle, line) * (DQuat::from_rotation_arc(first, middle) * carried);
        let side = self.side(limb, line, carried.reject_from_normalized(line).normalize_or_zero());
        let shape = Shape {
            limb,
            upper: above.rotation.transpose() * (knee.start - above.start),
            lower: knee.rotation.transpose() * (tip - knee.start),
            between: above.rotation.transpose() * self.parent_rotation(limb.joints[1]),
            distance: to_target.length(),
            to: parent.transpose() * frame(line, side)?,
            axes: limb.joints.map(|joint| self.joints[joint].axes),
            bounds: limb.joints.map(|joint| self.bounds[joint]),
        };
        let (angles, doubt) = shape.solve();
        if limb.is_alone {
            self.doubt = self.doubt.max(doubt);
        }
        for (joint, angles) in limb.joints.into_iter().zip(angles) {
            self.set_angles(joint, angles, pose);
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

/// What a limb looks like when it reaches its target, up to two angles: how far it is turned about its line, and the second
/// angle of the lower joint, which shares that turn with the upper one.
struct Shape<'a> {
    limb: &'a Limb,
    /// From the upper joint to the lower, in the frame of the upper bone, and on to the tip, in that of the lower.
    upper: DVec3,
    lower: DVec3,
    /// The rotation of the lower joint's parent in the frame of the upper bone: that of twist bones.
    between: DMat3,
    distance: f64,
    /// The line and the axis of the bend, in the frame of the upper joint's parent.
    to: DMat3,
    axes: [DMat3; 2],
    bounds: [[Vec3; 2]; 2],
}

/// A shape, and how far it is beyond the limits (degrees).
struct Reached {
    angles: [Vec3; 2],
    beyond: f64,
    /// The direction of the upper bone in the frame of the upper joint's parent.
    upper: DVec3,
}

impl Shape<'_> {
    /// Returns the angles (degrees) of both joints, and by how much turns that keep the limits equally well differ: from 0
    /// (they are close to each other) to 1.
    fn solve(&self) -> ([Vec3; 2], f64) {
        let rest = self.limb.rest[1][self.limb.second];
        let carried = self.reach(0.0, rest);
        if self.bounds.iter().flatten().all(|bound| !bound.is_finite_mask().any()) {
            return (carried.angles, 0.0);
        }
        let [low, high] = self.bounds[1].map(|bound| bound[self.limb.second]);
        let [low, high] = [low.max(rest - 90.0), high.min(rest + 90.0)];
        let seconds = |row: usize| {
            let part = 2.0 * row as f32 / (LIMB_SECONDS - 1) as f32 - 1.0;
            rest + if part < 0.0 { part * (rest - low) } else { part * (high - rest) }
        };
        let is_wide = high - low > LIMB_NARROW_DEG;
        let turns = |column: usize| TAU * (column as f64 / LIMB_TURNS as f64 - 0.5);
        let outward = LIMB_OUTWARD_COST * (carried.beyond / LIMB_OUTWARD_DEG).min(1.0);
        let outwards = |reached: &Reached| outward * reached.upper.dot(self.limb.out);
        let over = |reached: &Reached| LIMB_LIMIT_COST * reached.beyond.to_radians().powi(2);
        let most = over(&carried) - outwards(&carried) + outward + LIMB_NEGLIGIBLE_COST;
        let mut costs = [[f64::INFINITY; LIMB_TURNS]; LIMB_SECONDS];
        let mut least = f64::MAX;
        for (row, costs) in
            costs.iter_mut().enumerate().filter(|(row, _)| is_wide || *row == LIMB_SECONDS / 2)
        {
            for (column, cost) in costs.iter_mut().enumerate() {
                let (turn, second) = (turns(column), seconds(row));
                let shared = f64::from(second - rest).to_radians();
                let turned = LIMB_TURN_COST * (2.0 - 2.0 * turn.cos() + shared * shared);
                if turned <= most {
                    let reached = self.reach(turn, second);
                    *cost = turned + over(&reached) - outwards(&reached);
                    least = least.min(*cost);
                }
            }
        }
        let (mut sum, mut total, mut squares) = (DVec3::ZERO, 0.0, 0.0);
        for (row, costs) in costs.iter().enumerate() {
            for (column, cost) in costs.iter().enumerate() {
                let (sin, cos) = turns(column).sin_cos();
                let weight = (least - cost).exp();
                let second = f64::from(seconds(row));
                sum += weight * DVec3::new(cos, sin, second);
                squares += weight * second * second;
                total += weight;
            }
        }
        let mean = sum / total;
        let deviation = (squares / total - mean.z * mean.z).max(0.0).sqrt().to_radians();
        // The length of a mean of unit vectors falls with their deviation.
        let doubt = |deviation: f64| ((deviation - LIMB_DOUBT[0]) / LIMB_DOUBT[1]).clamp(0.0, 1.0);
        let turn_deviation = (-2.0 * mean.x.hypot(mean.y).clamp(1e-9, 1.0).ln()).sqrt();
        // Within its limits, a limb does not turn.
        let share = (carried.beyond / LIMB_OUTWARD_DEG).min(1.0);
        let second = f64::from(rest).lerp(mean.z, share) as f32;
        let turn = share * mean.y.atan2(mean.x);
        (self.reach(turn, second).angles, share * doubt(deviation.max(turn_deviation)))
    }

    /// Returns the shape that is turned about the line by `turn` (radians), with `second` (degrees) of the lower joint.
    fn reach(&self, turn: f64, second: f32) -> Reached {
        let limb = self.limb;
        let mut lower = limb.rest[1];
        lower[limb.second] = second;
        let (rotation, angle_axes) = from_euler_with_axes(lower.as_dvec3().map(f64::to_radians));
        let frame_of_lower = self.between * self.axes[1];
        // Bend: |e + f|^2 = d^2, where f rotates about the axis.
        let (e, f) = (self.upper, frame_of_lower * (rotation * (self.axes[1].transpose() * self.lower)));
        let axis = frame_of_lower * angle_axes.col(limb.angle);
        let along = axis * axis.dot(f);
        let (cos, sin) = (e.dot(f - along), e.dot(axis.cross(f)));
        let squares = self.distance * self.distance - e.length_squared() - f.length_squared();
        let needed = (0.5 * squares - e.dot(along)) / cos.hypot(sin).max(f64::MIN_POSITIVE);
        let bend = sin.atan2(cos) + limb.sign * needed.clamp(-1.0, 1.0).acos();
        let bend = lower[limb.angle] + (bend - TAU * (bend / TAU).round()).to_degrees() as f32;
        let [low, high] = self.bounds[1].map(|bound| bound[limb.angle]);
        let bent = bend.max(low).min(high);
        let f = DQuat::from_axis_angle(axis, f64::from(bent - lower[limb.angle]).to_radians()) * f;
        lower[limb.angle] = bent;
        let from = frame(e + f, axis).unwrap_or(DMat3::IDENTITY);
        let in_parent = self.to * DMat3::from_rotation_x(turn) * from.transpose();
        let near = limb.rest[0].as_dvec3().map(f64::to_radians);
        let first = next_euler(near, self.axes[0].transpose() * in_parent * self.axes[0]);
        let other = DVec3::new(first.x + PI, PI - first.y, first.z + PI);
        let other = other - TAU * ((other - near) / TAU).round();
        let beyond = |angles: Vec3| f64::from((angles - limits::clamp(angles, &self.bounds[0])).length());
        let [first, other] = [first, other].map(degrees);
        let upper = if beyond(first) <= beyond(other) { first } else { other };
        Reached {
            angles: [upper, lower],
            beyond: beyond(upper).hypot(f64::from(bend - bent)),
            upper: in_parent * e.normalize_or_zero(),
        }
    }
}

/// Returns a right-handed frame whose first axis is along `line`, and whose third is perpendicular to `side` too.
fn frame(line: DVec3, side: DVec3) -> Option<DMat3> {
    let x = line.try_normalize()?;
    let y = side.reject_from_normalized(x).try_normalize()?;
    Some(DMat3::from_cols(x, y, x.cross(y)))
}
