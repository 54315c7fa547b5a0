//! What a handle asks of its bones: a position, an orientation, a direction to look in, a side to bend to. Each is a
//! residual of three numbers in units of length, and what moves it: the wrenches that pull at the bones.
//!
//! H is the reach (see [`super::reach`]), R the rotation of the handle's bone, o where it starts:
//!
//! | task | residual | times |
//! |---|---|---|
//! | position | tip - target | 1 |
//! | orientation | 2 vec(q), q = R inverse(R_target) with q_w >= 0: half its square is 1 - cos of the angle | H |
//! | look at | R axis - d, d the direction from o to the target | H |
//! | tilt | (1 + s \|t\|) t, t = R axis - d, d up, axis what was up in the first pose, s how much steeper large ones are | H |
//! | balance | the centre of mass less the nearest place over the feet, along x and z: see [`super::objective`] | 1 |
//! | pole | k - \|k\| p, with k and p the parts of knee - hip and pole - hip across the line from hip to ankle, p unit | 1 |
//!
//! A turn at rate w moves a point x of a body by w x (x - o). What a residual changes by is linear in the motion (w,
//! velocity at the origin) of one or two bodies; the coefficients are a moment and a force each, a wrench.

use super::REACHED;
use glam::{DMat3, DQuat, DVec3};
use serde::Serialize;

/// What a task is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    Position,
    Orientation,
    LookAt,
    Pole,
}

/// How near a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TaskResult {
    /// Index of the handle.
    pub handle: usize,
    pub task: TaskKind,
    /// Position: from the tip to where it is pulled, in skeleton units. Otherwise an angle in degrees; 0 for the pole of
    /// a limb that is straight.
    pub error: f64,
    pub reached: bool,
}

/// A mass, and the mass times where its centre is.
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

/// Where a joint is; skeleton space.
#[derive(Clone, Copy, Default)]
pub(super) struct JointPose {
    pub(super) rotation: DMat3,
    pub(super) start: DVec3,
    pub(super) tip: DVec3,
    /// Columns: the axes about which the x, y, z angles turn.
    pub(super) angle_axes: DMat3,
    /// What hangs on it, itself included, as parts of the whole; only where balance is kept.
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
    /// `upper`: the joint of the thigh or upper arm; the task's own is that of the shin or forearm.
    Pole {
        upper: usize,
        point: DVec3,
    },
    /// As [`Goal::LookAt`] far away; the `steeper`, the more a large tilt counts beside small ones.
    Tilt {
        axis: DVec3,
        direction: DVec3,
        steeper: f64,
    },
    /// The centre of mass of all that hangs on the task's joint, a root, is wanted in this box.
    Balance {
        low: DVec3,
        high: DVec3,
    },
}

pub(super) struct Task {
    /// Index of the handle.
    pub(super) handle: usize,
    pub(super) joint: usize,
    /// How much it counts; 0 where the solver cannot do it.
    pub(super) weight: f64,
    /// How far from the first pose to what the user asks for the goal is: above 0, at most 1.
    pub(super) share: f64,
    pub(super) goal: Goal,
    /// From the goal on to the target, where that is too far away to be pulled to.
    pub(super) beyond: DVec3,
    /// Of a handle that is pinned.
    pub(super) is_pinned: bool,
    /// It goes with another of the handle, and nothing is said of it.
    pub(super) is_implied: bool,
    /// The orientation of a foot that is led: see `objective::knee`.
    pub(super) is_led_foot: bool,
}

/// Columns: the wrench of a unit of each of a residual's three numbers.
#[derive(Clone, Copy)]
pub(super) struct Wrenches {
    pub(super) force: DMat3,
    /// About the origin.
    pub(super) moment: DMat3,
}

impl Wrenches {
    const NONE: Self = Self {
        force: DMat3::ZERO,
        moment: DMat3::ZERO,
    };

    fn force_at(point: DVec3, force: DMat3) -> Self {
        Self {
            force,
            moment: cross(point) * force,
        }
    }

    /// What the residual's rates are per unit rate of the angles of a joint that carries all it pulls at.
    pub(super) fn rates_about(&self, at: &JointPose) -> [DVec3; 3] {
        let about =
            |axis: DVec3| self.moment.transpose() * axis - self.force.transpose() * axis.cross(at.start);
        [0, 1, 2].map(|i| about(at.angle_axes.col(i)))
    }
}

impl std::ops::Add for Wrenches {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            force: self.force + other.force,
            moment: self.moment + other.moment,
        }
    }
}

/// [v]x: `cross(v) * u` is v x u.
fn cross(v: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, v.z, -v.y),
        DVec3::new(-v.z, 0.0, v.x),
        DVec3::new(v.y, -v.x, 0.0),
    )
}

/// a b^T.
pub(super) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The bend of a limb, and where its pole is.
struct Bend {
    /// Unit, from hip to ankle, and how far that is.
    line: DVec3,
    length: f64,
    /// Knee and pole from the hip.
    to_knee: DVec3,
    to_pole: DVec3,
    /// Their parts across the line, and the direction of the latter.
    knee: DVec3,
    pole: DVec3,
    toward: DVec3,
}

impl Bend {
    /// `None` where the pole is on the line, or hip and ankle in one place: then nothing says which way.
    fn new([hip, knee, ankle]: [DVec3; 3], point: DVec3) -> Option<Self> {
        let line = (ankle - hip).try_normalize()?;
        let (to_knee, to_pole) = (knee - hip, point - hip);
        let across = |v: DVec3| v - line * line.dot(v);
        let pole = across(to_pole);
        if pole.length() <= 1e-9 * to_pole.length() {
            return None;
        }
        Some(Self {
            line,
            length: ankle.distance(hip),
            to_knee,
            to_pole,
            knee: across(to_knee),
            pole,
            toward: pole.try_normalize()?,
        })
    }

    fn residual(&self) -> DVec3 {
        self.knee - self.knee.length() * self.toward
    }

    /// What the residual's rates are per velocity of hip, knee and ankle.
    fn rates(&self) -> [DMat3; 3] {
        let one = DMat3::IDENTITY;
        let across = one - outer(self.line, self.line);
        let turned = |v: DVec3, part: DVec3| {
            let rate = one * self.line.dot(v) + outer(self.line, part);
            rate * across * self.length.recip()
        };
        let knee_direction = self.knee.try_normalize().unwrap_or_default();
        let by_knee = one - outer(self.toward, knee_direction);
        let by_pole = (one - outer(self.toward, self.toward)) * (self.knee.length() / self.pole.length());
        let knee = by_knee * across;
        let pole = by_pole * across;
        let ankle = by_pole * turned(self.to_pole, self.pole) - by_knee * turned(self.to_knee, self.knee);
        [pole - knee - ankle, knee, ankle]
    }
}

impl Task {
    /// What goes with others of a handle of this share, and counts nothing yet.
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

    /// `None` for balance and tilts, which nobody asks for.
    pub(super) fn kind(&self) -> Option<TaskKind> {
        match self.goal {
            Goal::Position(_) => Some(TaskKind::Position),
            Goal::Orientation(_) => Some(TaskKind::Orientation),
            Goal::LookAt { .. } => Some(TaskKind::LookAt),
            Goal::Pole { .. } => Some(TaskKind::Pole),
            Goal::Tilt { .. } | Goal::Balance { .. } => None,
        }
    }

    /// What the residual is the difference of, with [`Task::aim`]: kept apart for targets so far away that the
    /// difference of two residuals would be lost in them.
    pub(super) fn value(&self, poses: &[JointPose], reach: f64) -> DVec3 {
        let at = &poses[self.joint];
        match self.goal {
            Goal::Position(_) => at.tip,
            Goal::Orientation(goal) => 2.0 * reach * turn_from(goal, at).xyz(),
            Goal::LookAt { axis, point } => match (point - at.start).try_normalize() {
                Some(direction) => reach * (at.rotation * axis - direction),
                None => DVec3::ZERO,
            },
            Goal::Pole { upper, point } => {
                let bend = Bend::new(self.limb(poses, upper), point);
                bend.map_or(DVec3::ZERO, |bend| bend.residual())
            }
            Goal::Tilt {
                axis,
                direction,
                steeper,
            } => {
                let tilt = at.rotation * axis - direction;
                reach * (1.0 + steeper * tilt.length()) * tilt
            }
            Goal::Balance { low, high } => {
                let center = at.carried.moment;
                center - center.clamp(low, high)
            }
        }
    }

    pub(super) fn aim(&self) -> DVec3 {
        match self.goal {
            Goal::Position(target) => target,
            _ => DVec3::ZERO,
        }
    }

    /// Hip, knee and ankle.
    fn limb(&self, poses: &[JointPose], upper: usize) -> [DVec3; 3] {
        [poses[upper].start, poses[self.joint].start, poses[self.joint].tip]
    }

    /// Of balance, for a turn of any joint: the wrench at all that hangs on it. The others have theirs where
    /// [`Task::wrenches`] says.
    pub(super) fn carried_wrenches(&self, poses: &[JointPose], joint: usize) -> Option<Wrenches> {
        let Goal::Balance { low, high } = self.goal else {
            return None;
        };
        let center = poses[self.joint].carried.moment;
        let outside = center.cmplt(low) | center.cmpgt(high);
        let rates = DMat3::from_diagonal(DVec3::select(outside, DVec3::ONE, DVec3::ZERO));
        let carried = &poses[joint].carried;
        Some(Wrenches {
            force: rates * carried.mass,
            moment: cross(carried.moment) * rates,
        })
    }

    /// At the task's own joint and, of a pole, at the upper one.
    pub(super) fn wrenches(&self, poses: &[JointPose], reach: f64) -> (Wrenches, Option<(usize, Wrenches)>) {
        let at = &poses[self.joint];
        let moment = |moment: DMat3| Wrenches {
            force: DMat3::ZERO,
            moment: reach * moment,
        };
        let own = match self.goal {
            Goal::Position(_) => Wrenches::force_at(at.tip, DMat3::IDENTITY),
            Goal::Orientation(goal) => {
                let q = turn_from(goal, at);
                moment(DMat3::IDENTITY * q.w + cross(q.xyz()))
            }
            Goal::LookAt { axis, point } => {
                let way = point - at.start;
                let Some(direction) = way.try_normalize() else {
                    return (Wrenches::NONE, None);
                };
                let across = DMat3::IDENTITY - outer(direction, direction);
                let shift = Wrenches::force_at(at.start, across * (reach / way.length()));
                moment(cross(at.rotation * axis)) + shift
            }
            Goal::Pole { upper, point } => {
                let points = self.limb(poses, upper);
                let Some(bend) = Bend::new(points, point) else {
                    return (Wrenches::NONE, None);
                };
                let rates = bend.rates();
                let at = |i: usize| Wrenches::force_at(points[i], rates[i].transpose());
                return (at(1) + at(2), Some((upper, at(0))));
            }
            Goal::Tilt {
                axis,
                direction,
                steeper,
            } => {
                let now = at.rotation * axis;
                let tilt = now - direction;
                let steeper_along = outer(tilt, tilt.normalize_or_zero()) * steeper;
                let rates = DMat3::IDENTITY * (1.0 + steeper * tilt.length()) + steeper_along;
                moment(cross(now) * rates)
            }
            Goal::Balance { .. } => Wrenches::NONE,
        };
        (own, None)
    }

    /// The goal that is this part of the way from the pose.
    pub(super) fn goal_at(&self, part: f64, poses: &[JointPose]) -> Goal {
        if part >= 1.0 {
            return self.goal;
        }
        let at = &poses[self.joint];
        match self.goal {
            Goal::Position(target) => Goal::Position(at.tip.lerp(target, part)),
            Goal::Orientation(goal) => Goal::Orientation(DQuat::from_mat3(&at.rotation).slerp(goal, part)),
            Goal::LookAt { axis, point } => {
                let way = point - at.start;
                let direction = part_way(at.rotation * axis, way.normalize_or(axis), part);
                let point = at.start + way.length() * direction;
                Goal::LookAt { axis, point }
            }
            Goal::Tilt {
                axis,
                direction,
                steeper,
            } => Goal::Tilt {
                axis,
                direction: part_way(at.rotation * axis, direction, part),
                steeper,
            },
            Goal::Pole { upper, point } => {
                let limb = self.limb(poses, upper);
                let Some(bend) = Bend::new(limb, point).filter(|bend| bend.knee.length() > 0.0) else {
                    return self.goal;
                };
                // Back from the pole towards where the knee is.
                let side = bend.pole.cross(bend.knee).dot(bend.line).signum();
                let back = (1.0 - part) * bend.pole.angle_between(bend.knee) * side;
                let point = limb[0] + DQuat::from_axis_angle(bend.line, back) * bend.to_pole;
                Goal::Pole { upper, point }
            }
            Goal::Balance { .. } => self.goal,
        }
    }

    /// As in [`TaskResult`].
    pub(super) fn error(&self, poses: &[JointPose], reach: f64) -> f64 {
        let residual = (self.value(poses, reach) - self.aim() - self.beyond).length();
        let angle = |radius: f64| match radius > 0.0 {
            true => (2.0 * (0.5 * residual / radius).min(1.0).asin()).to_degrees(),
            false => 0.0,
        };
        match self.goal {
            Goal::Position(_) | Goal::Balance { .. } => residual,
            Goal::Orientation(_) | Goal::LookAt { .. } | Goal::Tilt { .. } => angle(reach),
            Goal::Pole { upper, point } => {
                let bend = Bend::new(self.limb(poses, upper), point);
                let knee = bend.map_or(0.0, |bend| bend.knee.length());
                // A straight limb bends to no side.
                if knee > REACHED * reach { angle(knee) } else { 0.0 }
            }
        }
    }
}

/// This part of the way from one direction to another.
fn part_way(from: DVec3, to: DVec3, part: f64) -> DVec3 {
    DQuat::IDENTITY.slerp(DQuat::from_rotation_arc(from, to), part) * from
}

/// The turn that is left from the goal: q with R = q goal, its real part not negative.
fn turn_from(goal: DQuat, at: &JointPose) -> DQuat {
    let q = DQuat::from_mat3(&at.rotation) * goal.conjugate();
    if q.w < 0.0 { -q } else { q }
}
