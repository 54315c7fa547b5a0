//! The residuals of tasks, one a file: three numbers in units of length that are zero when the task is done, and wrenches,
//! which describe how the bones change them.
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

mod balance;
mod look_at;
mod orientation;
mod pole;
mod position;
mod tilt;

use super::chain::flat_toes;
use crate::math::rotation::from_euler;
use crate::rig::body::joint::bend_bones;
use crate::rig::kinematics::{axes_matrix, pose_rad};
use crate::rig::skeleton::{Handle, Skeleton};
pub(super) use balance::Balance;
use glam::{DMat3, DQuat, DVec3};
pub(super) use look_at::LookAt;
pub(super) use orientation::Orientation;
pub(super) use pole::Pole;
pub(super) use position::Position;
use serde::Serialize;
pub(super) use tilt::Tilt;

/// The kind of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    Position,
    Orientation,
    LookAt,
    Pole,
}

/// How users are told about the error of a task.
pub struct TaskWords {
    pub noun: &'static str,
    /// What the bone does, and what follows the error: "looks", "° off its target".
    pub does: &'static str,
    pub after: &'static str,
    /// What stands before and after the error in a status line.
    pub brief: [&'static str; 2],
}

impl TaskKind {
    pub const ALL: [Self; 4] = [Self::Position, Self::Orientation, Self::LookAt, Self::Pole];

    pub fn words(self) -> TaskWords {
        let (noun, does, after, brief) = match self {
            Self::Position => ("position", "ends", " from its target", ["", " short"]),
            Self::Orientation => {
                ("orientation", "is rotated", "° from its orientation", ["turned ", "° off"])
            }
            Self::LookAt => ("look-at", "looks", "° off its target", ["looks ", "° off"]),
            Self::Pole => ("pole", "bends", "° away from its pole", ["bent ", "° off its pole"]),
        };
        TaskWords { noun, does, after, brief }
    }
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

/// The wrenches for a unit of each of a residual's three numbers, as columns.
#[derive(Clone, Copy)]
pub(super) struct Wrenches {
    pub(super) force: DMat3,
    /// The moment about the origin.
    pub(super) moment: DMat3,
}

impl Wrenches {
    const ZERO: Self = Self { force: DMat3::ZERO, moment: DMat3::ZERO };

    fn moment(moment: DMat3) -> Self {
        Self { force: DMat3::ZERO, moment }
    }

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

/// Where a residual is evaluated: the joint of its task, the poses of all joints, and the reach.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) joint: usize,
    pub(super) poses: &'a [JointPose],
    pub(super) reach: f64,
}

impl Place<'_> {
    fn pose(&self) -> &JointPose {
        &self.poses[self.joint]
    }

    /// Returns the angle in degrees between two vectors of length `radius` whose difference has this length.
    fn angle_deg(residual: f64, radius: f64) -> f64 {
        if radius > 0.0 { (2.0 * (0.5 * residual / radius).min(1.0).asin()).to_degrees() } else { 0.0 }
    }
}

trait Residual: Copy {
    /// Returns the value whose difference from [`Goal::aim`] is the residual.
    fn value(&self, place: Place) -> DVec3;

    /// Returns the wrench at the task's own joint and, for a pole, that at the upper joint.
    fn wrenches(&self, place: Place) -> (Wrenches, Option<(usize, Wrenches)>);

    /// Returns the goal at this fraction, below 1, of the way from the current pose.
    fn partway(&self, part: f64, place: Place) -> Self;

    /// Returns the error for [`TaskResult`](super::TaskResult) of a residual of this length.
    fn error(&self, residual: f64, place: Place) -> f64;
}

/// What a task asks for.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    Position(Position),
    Orientation(Orientation),
    LookAt(LookAt),
    Pole(Pole),
    Tilt(Tilt),
    Balance(Balance),
}

/// Evaluates an expression for the residual of a goal.
macro_rules! with_residual {
    ($goal:expr, $residual:ident => $value:expr) => {
        match $goal {
            Goal::Position($residual) => $value,
            Goal::Orientation($residual) => $value,
            Goal::LookAt($residual) => $value,
            Goal::Pole($residual) => $value,
            Goal::Tilt($residual) => $value,
            Goal::Balance($residual) => $value,
        }
    };
}

/// Calls `add` with joint, weight and goal of each task that a handle asks for. `joint` is the joint of its bone;
/// `joint_of` finds those of others in its chain.
pub(super) fn asked_by(
    skeleton: &Skeleton,
    handle: &Handle,
    joint: usize,
    joint_of: impl Fn(usize) -> Option<usize>,
    add: &mut impl FnMut(usize, f32, Goal),
) {
    let target = handle.target.as_dvec3();
    let look_at =
        handle.look_at.and_then(|look_at| Some((look_at, look_at.axis.as_dvec3().try_normalize()?)));
    match look_at {
        Some((look_at, axis)) => add(joint, look_at.weight, Goal::LookAt(LookAt { axis, point: target })),
        None => add(joint, 1.0, Goal::Position(Position(target))),
    }
    if let Some(orientation) = handle.orientation {
        let rotation = orientation.rotation.as_dquat();
        if rotation.length_squared() > 0.0 {
            let rotation = rotation.normalize();
            add(joint, orientation.weight, Goal::Orientation(Orientation(rotation)));
            if let Some(toes) = flat_toes(skeleton, handle)
                && let Some(joint) = joint_of(toes)
            {
                let (bone, axes) = (&skeleton.bones[toes], axes_matrix(&skeleton.bones[toes]));
                let rotation_in_parent =
                    DQuat::from_mat3(&(axes * from_euler(pose_rad(bone)) * axes.transpose()));
                add(
                    joint,
                    orientation.weight,
                    Goal::Orientation(Orientation((rotation * rotation_in_parent).normalize())),
                );
            }
        }
    }
    if let Some(pole) = handle.pole
        && let Some([upper, lower]) = bend_bones(skeleton, handle)
        && let (Some(upper), Some(lower)) = (joint_of(upper), joint_of(lower))
    {
        let point = pole.point.as_dvec3();
        add(lower, pole.weight, Goal::Pole(Pole { upper, point }));
    }
}

impl Goal {
    /// The kind of the task; `None` for balance and tilts, which users do not set.
    pub(super) fn kind(&self) -> Option<TaskKind> {
        match self {
            Self::Position(_) => Some(TaskKind::Position),
            Self::Orientation(_) => Some(TaskKind::Orientation),
            Self::LookAt(_) => Some(TaskKind::LookAt),
            Self::Pole(_) => Some(TaskKind::Pole),
            Self::Tilt(_) | Self::Balance(_) => None,
        }
    }

    /// Returns the value whose difference from [`Goal::aim`] is the residual. The two are separate for
    /// targets so far away that the difference of two residuals would be lost to rounding.
    pub(super) fn value(&self, place: Place) -> DVec3 {
        with_residual!(self, residual => residual.value(place))
    }

    /// The constant part of the residual: see [`Goal::value`].
    pub(super) fn aim(&self) -> DVec3 {
        match self {
            Self::Position(Position(target)) => *target,
            _ => DVec3::ZERO,
        }
    }

    /// Returns, for balance and the rotation of any joint, the wrench on the joint and its descendants. For
    /// other goals see [`Goal::wrenches`].
    pub(super) fn carried_wrenches(&self, place: Place, joint: usize) -> Option<Wrenches> {
        match self {
            Self::Balance(balance) => Some(balance.carried_wrenches(place, joint)),
            _ => None,
        }
    }

    /// Returns the wrench at the task's own joint and, for a pole, that at the upper joint.
    pub(super) fn wrenches(&self, place: Place) -> (Wrenches, Option<(usize, Wrenches)>) {
        with_residual!(self, residual => residual.wrenches(place))
    }

    /// Returns the goal at this fraction of the way from the current pose.
    pub(super) fn partway(&self, part: f64, place: Place) -> Self {
        if part >= 1.0 {
            return *self;
        }
        match self {
            Self::Position(goal) => Self::Position(goal.partway(part, place)),
            Self::Orientation(goal) => Self::Orientation(goal.partway(part, place)),
            Self::LookAt(goal) => Self::LookAt(goal.partway(part, place)),
            Self::Pole(goal) => Self::Pole(goal.partway(part, place)),
            Self::Tilt(goal) => Self::Tilt(goal.partway(part, place)),
            Self::Balance(goal) => Self::Balance(goal.partway(part, place)),
        }
    }

    /// Returns the error for [`TaskResult`](super::TaskResult) of a residual of this length.
    pub(super) fn error(&self, residual: f64, place: Place) -> f64 {
        with_residual!(self, goal => goal.error(residual, place))
    }
}

/// Returns the direction at this fraction of the way from one direction to another.
fn interpolate_direction(from: DVec3, to: DVec3, part: f64) -> DVec3 {
    DQuat::IDENTITY.slerp(DQuat::from_rotation_arc(from, to), part) * from
}
