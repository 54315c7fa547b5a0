//! The tasks of handles: a position, an orientation, a direction to look in, a side to bend to. Each has a
//! residual of three numbers in units of length, and wrenches, which describe how the bones change it.
//!
//! H is the reach (see [`super::reach`]), R the rotation of the handle's bone, o its start:
//!
//! | task | residual | times |
//! |---|---|---|
//! | position | tip - target | 1 |
//! | orientation | 2 vec(q), q = R inverse(R_target) with q_w >= 0: half its square is 1 - cos of the angle | H |
//! | look at | R axis - d, d the direction from o to the target | H |
//! | tilt | (1 + s \|t\|) t, t = R axis - d, d up, axis the up direction in the first pose, s the extra weight of large tilts | H |
//! | balance | the centre of mass minus the nearest point over the feet, along x and z: see [`super::objective`] | 1 |
//! | pole | k - \|k\| p, with k and p the parts of knee - hip and pole - hip perpendicular to the line from hip to ankle, p unit | 1 |
//!
//! A rotation at rate w moves a point x of a body by w x (x - o). The change of a residual is linear in the
//! motion (w, velocity at the origin) of one or two bodies; the coefficients are a moment and a force each, a
//! wrench.

use super::REACHED;
use glam::{DMat3, DQuat, DVec3};
use serde::Serialize;

/// The kind of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    Position,
    Orientation,
    LookAt,
    Pole,
}

/// How close a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TaskResult {
    /// The index of the handle.
    pub handle: usize,
    pub task: TaskKind,
    /// For a position, the distance from the tip to where it is pulled, in skeleton units; otherwise an angle
    /// in degrees, 0 for the pole of a straight limb.
    pub error: f64,
    pub reached: bool,
}

/// A mass, and the mass times its centre.
#[derive(Clone, Copy, Default)]
pub(super) struct Mass {
    pub(super) mass: f64,
    pub(super) moment: DVec3,
}

impl std::ops::AddAssign for Mass {
    fn add_assign(&mut self, other: Self) {
        self.mass += other.mass;
        self.moment += other.moment;
    }
}

/// The pose of a joint in skeleton space.
#[derive(Clone, Copy, Default)]
pub(super) struct JointPose {
    pub(super) rotation: DMat3,
    pub(super) start: DVec3,
    pub(super) tip: DVec3,
    /// The axes about which the x, y, z angles rotate, as columns.
    pub(super) angle_axes: DMat3,
    /// The mass of the joint and its descendants, as a fraction of the total; only used for balance.
    pub(super) carried: Mass,
}

#[derive(Clone, Copy)]
pub(super) enum Goal {
    Position(DVec3),
    Orientation(DQuat),
    LookAt {
        axis: DVec3,
        point: DVec3,
    },
    /// `upper` is the joint of the thigh or upper arm; the task's joint is that of the shin or forearm.
    Pole {
        upper: usize,
        point: DVec3,
    },
    /// Like [`Goal::LookAt`] at infinity; the greater `steeper`, the more a large tilt counts relative to
    /// small ones.
    Tilt {
        axis: DVec3,
        direction: DVec3,
        steeper: f64,
    },
    /// The box for the centre of mass of the descendants of the task's joint, a root.
    Balance {
        low: DVec3,
        high: DVec3,
    },
}

pub(super) struct Task {
    /// The index of the handle.
    pub(super) handle: usize,
    pub(super) joint: usize,
    /// The weight; 0 if the solver does not support the task.
    pub(super) weight: f64,
    /// The fraction of the way from the first pose to the user's goal at which `goal` is: above 0, at most 1.
    pub(super) share: f64,
    pub(super) goal: Goal,
    /// The offset from the goal to the target, if that is too far away to be pulled to.
    pub(super) beyond: DVec3,
    /// Whether the handle is pinned.
    pub(super) is_pinned: bool,
    /// Whether the task only accompanies another one of the handle, and is not reported.
    pub(super) is_implied: bool,
    /// Whether this is the orientation of a led foot: see `objective::knee`.
    pub(super) is_led_foot: bool,
}

/// The wrenches for a unit of each of a residual's three numbers, as columns.
#[derive(Clone, Copy)]
pub(super) struct Wrenches {
    pub(super) force: DMat3,
    /// The moment about the origin.
    pub(super) moment: DMat3,
}

impl Wrenches {
    const ZERO: Self = Self { force: DMat3::ZERO, moment: DMat3::ZERO };

    fn force_at(point: DVec3, force: DMat3) -> Self {
        Self { force, moment: cross(point) * force }
    }

    /// Returns the rates of the residual per unit rate of the angles of a joint that carries everything the
    /// wrench acts on.
    pub(super) fn rates_about(&self, pose: &JointPose) -> [DVec3; 3] {
        let rate_about =
            |axis: DVec3| self.moment.transpose() * axis - self.force.transpose() * axis.cross(pose.start);
        [0, 1, 2].map(|i| rate_about(pose.angle_axes.col(i)))
    }
}

impl std::ops::Add for Wrenches {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { force: self.force + other.force, moment: self.moment + other.moment }
    }
}

/// Returns the matrix [v]x: `cross(v) * u` is v x u.
fn cross(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

/// Returns a b^T.
pub(super) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The bend of a limb, and its pole.
struct Bend {
    /// The unit vector from hip to ankle, and their distance.
    line: DVec3,
    length: f64,
    /// The vectors from the hip to the knee and to the pole.
    to_knee: DVec3,
    to_pole: DVec3,
    /// Their parts perpendicular to the line, and the direction of the latter.
    knee: DVec3,
    pole: DVec3,
    pole_direction: DVec3,
}

impl Bend {
    /// Returns `None` if the pole is on the line, or hip and ankle coincide: the side is then undefined.
    fn new([hip, knee, ankle]: [DVec3; 3], point: DVec3) -> Option<Self> {
        let line = (ankle - hip).try_normalize()?;
        let (to_knee, to_pole) = (knee - hip, point - hip);
        let perpendicular_part = |v: DVec3| v - line * line.dot(v);
        let pole = perpendicular_part(to_pole);
        if pole.length() <= 1e-9 * to_pole.length() {
            return None;
        }
        Some(Self {
            line,
            length: ankle.distance(hip),
            to_knee,
            to_pole,
            knee: perpendicular_part(to_knee),
            pole,
            pole_direction: pole.try_normalize()?,
        })
    }

    fn residual(&self) -> DVec3 {
        self.knee - self.knee.length() * self.pole_direction
    }

    /// Returns the rates of the residual per velocity of hip, knee and ankle.
    fn rates(&self) -> [DMat3; 3] {
        let identity = DMat3::IDENTITY;
        let projection = identity - outer(self.line, self.line);
        let line_rate = |v: DVec3, part: DVec3| {
            let rate = identity * self.line.dot(v) + outer(self.line, part);
            rate * projection * self.length.recip()
        };
        let knee_direction = self.knee.try_normalize().unwrap_or_default();
        let by_knee = identity - outer(self.pole_direction, knee_direction);
        let by_pole = (identity - outer(self.pole_direction, self.pole_direction))
            * (self.knee.length() / self.pole.length());
        let knee = by_knee * projection;
        let pole = by_pole * projection;
        let ankle =
            by_pole * line_rate(self.to_pole, self.pole) - by_knee * line_rate(self.to_knee, self.knee);
        [pole - knee - ankle, knee, ankle]
    }
}

impl Task {
    /// Creates a task that accompanies others of a handle with this share; its weight is still 0.
    pub(super) fn implied(handle: usize, share: f64, joint: usize, goal: Goal) -> Self {
        Self {
            handle,
            joint,
            weight: 0.0,
            share,
            goal,
            beyond: DVec3::ZERO,
            is_pinned: false,
            is_implied: true,
            is_led_foot: false,
        }
    }

    /// The kind of the task; `None` for balance and tilts, which users do not set.
    pub(super) fn kind(&self) -> Option<TaskKind> {
        match self.goal {
            Goal::Position(_) => Some(TaskKind::Position),
            Goal::Orientation(_) => Some(TaskKind::Orientation),
            Goal::LookAt { .. } => Some(TaskKind::LookAt),
            Goal::Pole { .. } => Some(TaskKind::Pole),
            Goal::Tilt { .. } | Goal::Balance { .. } => None,
        }
    }

    /// Returns the value whose difference from [`Task::aim`] is the residual. The two are separate for
    /// targets so far away that the difference of two residuals would be lost to rounding.
    pub(super) fn value(&self, poses: &[JointPose], reach: f64) -> DVec3 {
        let pose = &poses[self.joint];
        match self.goal {
            Goal::Position(_) => pose.tip,
            Goal::Orientation(goal) => 2.0 * reach * rotation_from(goal, pose).xyz(),
            Goal::LookAt { axis, point } => match (point - pose.start).try_normalize() {
                Some(direction) => reach * (pose.rotation * axis - direction),
                None => DVec3::ZERO,
            },
            Goal::Pole { upper, point } => {
                let bend = Bend::new(self.limb(poses, upper), point);
                bend.map_or(DVec3::ZERO, |bend| bend.residual())
            }
            Goal::Tilt { axis, direction, steeper } => {
                let tilt = pose.rotation * axis - direction;
                reach * (1.0 + steeper * tilt.length()) * tilt
            }
            Goal::Balance { low, high } => {
                let center = pose.carried.moment;
                center - center.clamp(low, high)
            }
        }
    }

    /// The constant part of the residual: see [`Task::value`].
    pub(super) fn aim(&self) -> DVec3 {
        match self.goal {
            Goal::Position(target) => target,
            _ => DVec3::ZERO,
        }
    }

    /// Returns the positions of hip, knee and ankle.
    fn limb(&self, poses: &[JointPose], upper: usize) -> [DVec3; 3] {
        [poses[upper].start, poses[self.joint].start, poses[self.joint].tip]
    }

    /// Returns, for balance and the rotation of any joint, the wrench on the joint and its descendants. For
    /// other tasks see [`Task::wrenches`].
    pub(super) fn carried_wrenches(&self, poses: &[JointPose], joint: usize) -> Option<Wrenches> {
        let Goal::Balance { low, high } = self.goal else {
            return None;
        };
        let center = poses[self.joint].carried.moment;
        let outside = center.cmplt(low) | center.cmpgt(high);
        let rates = DMat3::from_diagonal(DVec3::select(outside, DVec3::ONE, DVec3::ZERO));
        let carried = &poses[joint].carried;
        Some(Wrenches { force: rates * carried.mass, moment: cross(carried.moment) * rates })
    }

    /// Returns the wrench at the task's own joint and, for a pole, that at the upper joint.
    pub(super) fn wrenches(&self, poses: &[JointPose], reach: f64) -> (Wrenches, Option<(usize, Wrenches)>) {
        let pose = &poses[self.joint];
        let moment = |moment: DMat3| Wrenches { force: DMat3::ZERO, moment: reach * moment };
        let wrenches = match self.goal {
            Goal::Position(_) => Wrenches::force_at(pose.tip, DMat3::IDENTITY),
            Goal::Orientation(goal) => {
                let q = rotation_from(goal, pose);
                moment(DMat3::IDENTITY * q.w + cross(q.xyz()))
            }
            Goal::LookAt { axis, point } => {
                let offset = point - pose.start;
                let Some(direction) = offset.try_normalize() else {
                    return (Wrenches::ZERO, None);
                };
                let projection = DMat3::IDENTITY - outer(direction, direction);
                let shift = Wrenches::force_at(pose.start, projection * (reach / offset.length()));
                moment(cross(pose.rotation * axis)) + shift
            }
            Goal::Pole { upper, point } => {
                let points = self.limb(poses, upper);
                let Some(bend) = Bend::new(points, point) else {
                    return (Wrenches::ZERO, None);
                };
                let rates = bend.rates();
                let force = |i: usize| Wrenches::force_at(points[i], rates[i].transpose());
                return (force(1) + force(2), Some((upper, force(0))));
            }
            Goal::Tilt { axis, direction, steeper } => {
                let current = pose.rotation * axis;
                let tilt = current - direction;
                let steeper_along = outer(tilt, tilt.normalize_or_zero()) * steeper;
                let rates = DMat3::IDENTITY * (1.0 + steeper * tilt.length()) + steeper_along;
                moment(cross(current) * rates)
            }
            Goal::Balance { .. } => Wrenches::ZERO,
        };
        (wrenches, None)
    }

    /// Returns the goal at this fraction of the way from the current pose.
    pub(super) fn goal_partway(&self, part: f64, poses: &[JointPose]) -> Goal {
        if part >= 1.0 {
            return self.goal;
        }
        let pose = &poses[self.joint];
        match self.goal {
            Goal::Position(target) => Goal::Position(pose.tip.lerp(target, part)),
            Goal::Orientation(goal) => Goal::Orientation(DQuat::from_mat3(&pose.rotation).slerp(goal, part)),
            Goal::LookAt { axis, point } => {
                let offset = point - pose.start;
                let direction = interpolate_direction(pose.rotation * axis, offset.normalize_or(axis), part);
                let point = pose.start + offset.length() * direction;
                Goal::LookAt { axis, point }
            }
            Goal::Tilt { axis, direction, steeper } => Goal::Tilt {
                axis,
                direction: interpolate_direction(pose.rotation * axis, direction, part),
                steeper,
            },
            Goal::Pole { upper, point } => {
                let limb = self.limb(poses, upper);
                let Some(bend) = Bend::new(limb, point).filter(|bend| bend.knee.length() > 0.0) else {
                    return self.goal;
                };
                // Rotate back from the pole towards the knee.
                let side = bend.pole.cross(bend.knee).dot(bend.line).signum();
                let angle = (1.0 - part) * bend.pole.angle_between(bend.knee) * side;
                let point = limb[0] + DQuat::from_axis_angle(bend.line, angle) * bend.to_pole;
                Goal::Pole { upper, point }
            }
            Goal::Balance { .. } => self.goal,
        }
    }

    /// Returns the error for [`TaskResult`].
    pub(super) fn error(&self, poses: &[JointPose], reach: f64) -> f64 {
        let residual = (self.value(poses, reach) - self.aim() - self.beyond).length();
        let angle = |radius: f64| {
            if radius > 0.0 { (2.0 * (0.5 * residual / radius).min(1.0).asin()).to_degrees() } else { 0.0 }
        };
        match self.goal {
            Goal::Position(_) | Goal::Balance { .. } => residual,
            Goal::Orientation(_) | Goal::LookAt { .. } | Goal::Tilt { .. } => angle(reach),
            Goal::Pole { upper, point } => {
                let bend = Bend::new(self.limb(poses, upper), point);
                let knee = bend.map_or(0.0, |bend| bend.knee.length());
                // A straight limb bends to no particular side.
                if knee > REACHED * reach { angle(knee) } else { 0.0 }
            }
        }
    }
}

/// Returns the direction at this fraction of the way from one direction to another.
fn interpolate_direction(from: DVec3, to: DVec3, part: f64) -> DVec3 {
    DQuat::IDENTITY.slerp(DQuat::from_rotation_arc(from, to), part) * from
}

/// Returns the remaining rotation from the goal: q with R = q goal and a non-negative real part.
fn rotation_from(goal: DQuat, pose: &JointPose) -> DQuat {
    let q = DQuat::from_mat3(&pose.rotation) * goal.conjugate();
    if q.w < 0.0 { -q } else { q }
}
