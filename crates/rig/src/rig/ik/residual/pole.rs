//! An elbow or knee on the side of a point.

use super::super::REACHED;
use super::{Place, Residual, Wrenches, outer};
use glam::{DMat3, DQuat, DVec3};

/// `upper` is the joint of the thigh or upper arm; the task's joint is that of the shin or forearm.
#[derive(Clone, Copy)]
pub(in crate::rig::ik) struct Pole {
    pub(in crate::rig::ik) upper: usize,
    pub(in crate::rig::ik) point: DVec3,
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

impl Pole {
    /// Returns the positions of hip, knee and ankle.
    fn limb(self, Place { joint, poses, .. }: Place) -> [DVec3; 3] {
        [poses[self.upper].start, poses[joint].start, poses[joint].tip]
    }

    fn bend(self, place: Place) -> Option<Bend> {
        Bend::new(self.limb(place), self.point)
    }
}

impl Residual for Pole {
    fn value(&self, place: Place) -> DVec3 {
        self.bend(place).map_or(DVec3::ZERO, |bend| bend.residual())
    }

    fn wrenches(&self, place: Place) -> (Wrenches, Option<(usize, Wrenches)>) {
        let points = self.limb(place);
        let Some(bend) = self.bend(place) else {
            return (Wrenches::ZERO, None);
        };
        let rates = bend.rates();
        let force = |i: usize| Wrenches::force_at(points[i], rates[i].transpose());
        (force(1) + force(2), Some((self.upper, force(0))))
    }

    fn partway(&self, part: f64, place: Place) -> Self {
        let limb = self.limb(place);
        let Some(bend) = self.bend(place).filter(|bend| bend.knee.length() > 0.0) else {
            return *self;
        };
        // Rotate back from the pole towards the knee.
        let side = bend.pole.cross(bend.knee).dot(bend.line).signum();
        let angle = (1.0 - part) * bend.pole.angle_between(bend.knee) * side;
        Self { upper: self.upper, point: limb[0] + DQuat::from_axis_angle(bend.line, angle) * bend.to_pole }
    }

    fn error(&self, residual: f64, place: Place) -> f64 {
        let knee = self.bend(place).map_or(0.0, |bend| bend.knee.length());
        // A straight limb bends to no particular side.
        if knee > REACHED * place.reach { Place::angle_deg(residual, knee) } else { 0.0 }
    }
}
