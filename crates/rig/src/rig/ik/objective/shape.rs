//! Shapes of a limb that reaches its target, and their mean.
//!
//! Where limits forbid the turn that a limb should have, it is the mean of all turns, weighted by how well they keep the
//! limits: a mean moves smoothly where the best one would jump. Limits count before they are reached, so that the limb has
//! turned aside when they are. Behind the shoulder an arm within its limits is turned either out or in; there the elbow
//! points out.
//!
//! Two triples of angles give the same rotation, and one may exceed the limits where the other keeps them: both count, by
//! the same weights. If turns that keep the limits equally well differ much, a limb turned by their mean would keep none:
//! then it is the mean of their angles, which is within the limits too, as they are a box. So angles are continuous in the
//! target wherever its direction and the axis of the bend are.

use super::super::tuning::{
    LIMB_DOUBT, LIMB_LIMIT_COST, LIMB_LIMIT_SOFT, LIMB_NARROW_DEG, LIMB_NEGLIGIBLE_COST, LIMB_OUTWARD_COST,
    LIMB_OUTWARD_DEG, LIMB_SECONDS, LIMB_TURN_COST, LIMB_TURNS,
};
use crate::math::angles::{degrees, next_euler};
use crate::math::rotation::from_euler_with_axes;
use crate::rig::limits;
use glam::{DMat3, DQuat, DVec3, FloatExt, Vec3};
use std::f64::consts::{PI, TAU};

/// What a limb looks like when it reaches its target, up to two angles: how far it is turned about its line, and the second
/// angle of the lower joint, which shares that turn with the upper one.
pub(super) struct Shape {
    /// What `limb` says of them.
    pub(super) angle: usize,
    pub(super) sign: f64,
    pub(super) second: usize,
    pub(super) rest: [Vec3; 2],
    pub(super) out: DVec3,
    /// From the upper joint to the lower, in the frame of the upper bone, and on to the tip, in that of the lower.
    pub(super) upper: DVec3,
    pub(super) lower: DVec3,
    /// The rotation of the lower joint's parent in the frame of the upper bone: that of twist bones.
    pub(super) between: DMat3,
    pub(super) distance: f64,
    /// The line and the axis of the bend, in the frame of the upper joint's parent.
    pub(super) to: DMat3,
    /// How much the axis of the bend counts, from 0 to 1.
    pub(super) certainty: f64,
    pub(super) axes: [DMat3; 2],
    pub(super) bounds: [[Vec3; 2]; 2],
    /// The limits of the upper joint less a margin.
    pub(super) within: [Vec3; 2],
}

/// A shape: two triples of angles (degrees) that turn the upper joint alike, and how far each is beyond the limits.
struct Reached {
    uppers: [Vec3; 2],
    beyond: [f64; 2],
    lower: Vec3,
    turn: f64,
    second: f32,
    /// The direction of the upper bone in the frame of the upper joint's parent.
    direction: DVec3,
}

impl Reached {
    fn least_beyond(&self) -> f64 {
        self.beyond[0].min(self.beyond[1])
    }
}

impl Shape {
    /// Returns the angles (degrees) of both joints, and by how much turns that keep the limits equally well differ: from 0
    /// (they are close to each other) to 1.
    pub(super) fn solve(&self) -> ([Vec3; 2], f64) {
        let rest = self.rest[1][self.second];
        let carried = self.reach(0.0, rest);
        if self.bounds.iter().flatten().all(|bound| !bound.is_finite_mask().any()) {
            return ([carried.uppers[0], carried.lower], 0.0);
        }
        let [low, high] = self.bounds[1].map(|bound| bound[self.second]);
        let [low, high] = [low.max(rest - 90.0), high.min(rest + 90.0)];
        let seconds = |row: usize| {
            let part = 2.0 * row as f32 / (LIMB_SECONDS - 1) as f32 - 1.0;
            rest + if part < 0.0 { part * (rest - low) } else { part * (high - rest) }
        };
        let is_wide = high - low > LIMB_NARROW_DEG;
        let turns = |column: usize| TAU * (column as f64 / LIMB_TURNS as f64 - 0.5);
        // Within its limits, a limb does not turn.
        let share = (carried.least_beyond() / LIMB_OUTWARD_DEG).min(1.0);
        let outward = LIMB_OUTWARD_COST * share;
        let outwards = |reached: &Reached| outward * reached.direction.dot(self.out);
        let most = over(carried.least_beyond()) - outwards(&carried) + outward + LIMB_NEGLIGIBLE_COST;
        let mut mean = Mean::default();
        for row in (0..LIMB_SECONDS).filter(|row| is_wide || *row == LIMB_SECONDS / 2) {
            for column in 0..LIMB_TURNS {
                let (turn, second) = (turns(column), seconds(row));
                let shared = f64::from(second - rest).to_radians();
                let turned = LIMB_TURN_COST * (self.certainty * (2.0 - 2.0 * turn.cos()) + shared * shared);
                if turned <= most {
                    let reached = self.reach(turn, second);
                    self.add(&reached, turned - outwards(&reached), &mut mean);
                }
            }
        }
        let doubt = share * mean.doubt();
        let second = f64::from(rest).lerp(mean.second(), share) as f32;
        let mut one = Mean::default();
        self.add(&self.reach(share * mean.turn(), second), 0.0, &mut one);
        let [one, all] = [one, mean].map(|mean| mean.angles());
        (std::array::from_fn(|joint| one[joint].lerp(all[joint], doubt).as_vec3()), doubt)
    }

    /// Adds both triples of a shape to a mean, within the limits.
    fn add(&self, reached: &Reached, cost: f64, mean: &mut Mean) {
        for (upper, beyond) in reached.uppers.iter().zip(reached.beyond) {
            let upper = limits::clamp(*upper, &self.bounds[0]);
            mean.add(cost + over(beyond), reached, [upper, reached.lower].map(Vec3::as_dvec3));
        }
    }

    /// Returns the shape that is turned about the line by `turn` (radians), with `second` (degrees) of the lower joint.
    fn reach(&self, turn: f64, second: f32) -> Reached {
        let mut lower = self.rest[1];
        lower[self.second] = second;
        let (rotation, angle_axes) = from_euler_with_axes(lower.as_dvec3().map(f64::to_radians));
        let frame_of_lower = self.between * self.axes[1];
        // Bend: |e + f|^2 = d^2, where f rotates about the axis.
        let (e, f) = (self.upper, frame_of_lower * (rotation * (self.axes[1].transpose() * self.lower)));
        let axis = frame_of_lower * angle_axes.col(self.angle);
        let along = axis * axis.dot(f);
        let (cos, sin) = (e.dot(f - along), e.dot(axis.cross(f)));
        let squares = self.distance * self.distance - e.length_squared() - f.length_squared();
        let needed = (0.5 * squares - e.dot(along)) / cos.hypot(sin).max(f64::MIN_POSITIVE);
        let bend = sin.atan2(cos) + self.sign * needed.clamp(-1.0, 1.0).acos();
        let bend = lower[self.angle] + (bend - TAU * (bend / TAU).round()).to_degrees() as f32;
        let [low, high] = self.bounds[1].map(|bound| bound[self.angle]);
        let bent = bend.max(low).min(high);
        let f = DQuat::from_axis_angle(axis, f64::from(bent - lower[self.angle]).to_radians()) * f;
        lower[self.angle] = bent;
        let from = frame(e + f, axis).unwrap_or(DMat3::IDENTITY);
        let in_parent = self.to * DMat3::from_rotation_x(turn) * from.transpose();
        let near = self.rest[0].as_dvec3().map(f64::to_radians);
        let first = next_euler(near, self.axes[0].transpose() * in_parent * self.axes[0]);
        let other = DVec3::new(first.x + PI, PI - first.y, first.z + PI);
        let other = other - TAU * ((other - near) / TAU).round();
        let uppers = [first, other].map(degrees);
        let beyond = uppers.map(|angles| {
            let over = angles - limits::clamp(angles, &self.within);
            f64::from(over.length()).hypot(f64::from(bend - bent))
        });
        Reached { uppers, beyond, lower, turn, second, direction: in_parent * e.normalize_or_zero() }
    }
}

/// The cost of exceeding limits by an angle (degrees): linear from a few degrees on. If it grew with the square of the angle,
/// far beyond the limits the best turn would outweigh all others, and the mean would jump with it.
fn over(beyond: f64) -> f64 {
    let beyond = beyond.to_radians();
    LIMB_LIMIT_COST * beyond * beyond / (beyond + LIMB_LIMIT_SOFT)
}

/// Sums over shapes, each weighted by exp(-cost).
struct Mean {
    /// The cost whose weight is 1: the least, so that no weight overflows and not all vanish.
    least: f64,
    total: f64,
    /// Of the cosines and sines of turns, and of second angles.
    sum: DVec3,
    /// Of the squares of second angles.
    squares: f64,
    angles: [DVec3; 2],
}

impl Default for Mean {
    fn default() -> Self {
        Self { least: f64::MAX, total: 0.0, sum: DVec3::ZERO, squares: 0.0, angles: [DVec3::ZERO; 2] }
    }
}

impl Mean {
    fn add(&mut self, cost: f64, reached: &Reached, angles: [DVec3; 2]) {
        if cost < self.least {
            let factor = (cost - self.least).exp();
            self.total *= factor;
            self.sum *= factor;
            self.squares *= factor;
            self.angles = self.angles.map(|sum| factor * sum);
            self.least = cost;
        }
        let weight = (self.least - cost).exp();
        let (sin, cos) = reached.turn.sin_cos();
        let second = f64::from(reached.second);
        self.total += weight;
        self.sum += weight * DVec3::new(cos, sin, second);
        self.squares += weight * second * second;
        self.angles = std::array::from_fn(|joint| self.angles[joint] + weight * angles[joint]);
    }

    fn turn(&self) -> f64 {
        self.sum.y.atan2(self.sum.x)
    }

    fn second(&self) -> f64 {
        self.sum.z / self.total
    }

    /// The mean of the angles (degrees) of both joints: within limits, as all are.
    fn angles(&self) -> [DVec3; 2] {
        self.angles.map(|sum| sum / self.total)
    }

    /// By how much the shapes differ, from 0 to 1.
    fn doubt(&self) -> f64 {
        let mean = self.sum / self.total;
        let deviation = (self.squares / self.total - mean.z * mean.z).max(0.0).sqrt().to_radians();
        // The length of a mean of unit vectors falls with their deviation.
        let turn_deviation = (-2.0 * mean.x.hypot(mean.y).clamp(1e-9, 1.0).ln()).sqrt();
        ((deviation.max(turn_deviation) - LIMB_DOUBT[0]) / LIMB_DOUBT[1]).clamp(0.0, 1.0)
    }
}

/// Returns a right-handed frame whose first axis is along `line`, and whose third is perpendicular to `side` too.
pub(super) fn frame(line: DVec3, side: DVec3) -> Option<DMat3> {
    let x = line.try_normalize()?;
    let y = side.reject_from_normalized(x).try_normalize()?;
    Some(DMat3::from_cols(x, y, x.cross(y)))
}
