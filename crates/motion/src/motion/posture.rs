//! What a body does at an instant, and the pose of its bones that does it.
//!
//! Trunk, neck, arms and feet are turned as described; the legs bend and turn so that their ankles are where the feet are.
//! All in closed form, bone by bone from the root, in the axes of the body.

use crate::math::rotation::{from_euler_about, to_euler};
use crate::motion::arm::ArmGoal;
use crate::motion::figure::Figure;
use crate::motion::leg::{FootGoal, Leg};
use glam::{DMat3, DQuat, DVec3, Vec3};
use std::borrow::Cow;

/// How much a leg may be too short for its foot, as a fraction of its length, before it counts: rounding.
const ROUNDING: f64 = 1e-9;
/// How often a foot is raised: raising it bends its ankle further.
const ROUNDS: usize = 3;

/// What a body does at an instant, in its axes.
#[derive(Clone, Debug)]
pub struct Posture {
    /// How far the base is moved.
    pub base: DVec3,
    /// The rotations from the bind pose, in body axes: of the pelvis, of the bone at the arms or forelegs, and of the head.
    pub pelvis: DMat3,
    pub chest: DMat3,
    pub head: DMat3,
    /// One for each leg.
    pub feet: Vec<FootGoal>,
    /// How far forwards each leg is swung by the bone that carries it, in degrees.
    pub girdles: Vec<f64>,
    /// One for each arm.
    pub arms: Vec<ArmGoal>,
    /// The turn of each bone of the tail against the one before: up and to the left, in degrees.
    pub tail: Vec<[f64; 2]>,
}

impl Posture {
    /// A body that stands as in its bind pose, with its feet flat, and lets its arms hang.
    pub fn standing(figure: &Figure) -> Self {
        let stands = |leg: &Leg| FootGoal { ankle: leg.ankle, contact: [true; 3], ..FootGoal::default() };
        Self {
            base: DVec3::ZERO,
            pelvis: DMat3::IDENTITY,
            chest: DMat3::IDENTITY,
            head: DMat3::IDENTITY,
            feet: figure.legs.iter().map(stands).collect(),
            girdles: vec![0.0; figure.legs.len()],
            arms: vec![ArmGoal::default(); figure.arms.len()],
            tail: vec![[0.0; 2]; figure.tail.len()],
        }
    }
}

/// The pose of a body.
pub struct Solved {
    pub base: DVec3,
    /// The rotation of each bone against its parent, from the bind pose, in body axes.
    pub local: Vec<DMat3>,
    /// The rotation of each bone from the bind pose, and its start.
    pub rotations: Vec<DMat3>,
    pub starts: Vec<DVec3>,
    /// By how much each leg is too short, in scene units.
    pub overreach: Vec<f64>,
    /// By how much the hinges of each leg bend from the bind pose, each as far as it can.
    pub bends: Vec<f64>,
}

/// A rotation of a bone.
#[derive(Clone, Copy)]
enum Turn {
    /// From the bind pose, in body axes.
    World(DMat3),
    /// Against its parent.
    Local(DMat3),
}

/// Returns the rotation whose y axis is `direction` and whose x axis is as near to `across` as that allows.
pub fn frame(direction: DVec3, across: DVec3) -> DMat3 {
    let y = direction.try_normalize().unwrap_or(DVec3::Y);
    let x = (across - across.dot(y) * y).try_normalize().unwrap_or_else(|| y.any_orthonormal_vector());
    DMat3::from_cols(x, y, x.cross(y))
}

/// Returns the rotation `share` of the way from one to another.
pub fn between(from: DMat3, to: DMat3, share: f64) -> DMat3 {
    let [from, to] = [from, to].map(|m| DQuat::from_mat3(&m));
    DMat3::from_quat(from.slerp(to, share))
}

/// Returns a rotation by angles in degrees: to tip forwards, to turn to the left, and to raise the left side.
pub fn turn_deg(tip: f64, yaw: f64, roll: f64) -> DMat3 {
    DMat3::from_rotation_y(yaw.to_radians())
        * DMat3::from_rotation_z(roll.to_radians())
        * DMat3::from_rotation_x(tip.to_radians())
}

/// Returns the starts of all bones, and their rotations, with the trunk of a posture; legs and arms are rigid.
pub fn trunk(figure: &Figure, posture: &Posture) -> (Vec<DMat3>, Vec<DVec3>) {
    let solved = Solver::new(figure, posture).run(false);
    (solved.rotations, solved.starts)
}

/// Finds the pose of a posture. A foot in the air that would be below the floor, as where its joints do not allow the turn
/// that is wanted, is raised onto it; if its leg is bent as far as it can, the foot becomes flatter instead.
pub fn solve(figure: &Figure, posture: &Posture) -> Solved {
    let mut solved = Solver::new(figure, posture).run(true);
    let mut raised = Cow::Borrowed(posture);
    for _ in 0..ROUNDS {
        let depths: Vec<f64> =
            figure.legs.iter().map(|leg| figure.floor - solved.lowest(figure, leg)).collect();
        let is_sunk = |leg: &usize| posture.feet[*leg].contact == [false; 3] && depths[*leg] > 0.0;
        let sunk: Vec<usize> = (0..depths.len()).filter(is_sunk).collect();
        if sunk.is_empty() {
            break;
        }
        for index in sunk {
            let (leg, goal) = (&figure.legs[index], &mut raised.to_mut().feet[index]);
            let is_short = solved.bends[index] >= leg.bend_range()[1] - ROUNDING;
            if is_short { leg.flatten(goal, depths[index]) } else { goal.ankle.y += depths[index] }
        }
        solved = Solver::new(figure, &raised).run(true);
    }
    solved
}

struct Solver<'a> {
    figure: &'a Figure,
    posture: &'a Posture,
    turns: Vec<Option<Turn>>,
    /// The bones of legs that must be where they are, limits or not.
    is_bound: Vec<bool>,
    solved: Solved,
}

impl<'a> Solver<'a> {
    fn new(figure: &'a Figure, posture: &'a Posture) -> Self {
        let count = figure.parts.len();
        let mut turns = vec![None; count];
        if let Some(pelvis) = figure.pelvis {
            turns[pelvis] = Some(Turn::World(posture.pelvis));
        }
        // A trunk that does not start from the pelvis, as of animals whose base is in the middle of the back, starts straight.
        let follows = figure.pelvis.is_some_and(|pelvis| {
            figure.spine.first().is_none_or(|(first, _)| figure.parts[*first].parent == Some(pelvis))
        });
        let from = if follows { posture.pelvis } else { DMat3::IDENTITY };
        for (bone, share) in &figure.spine {
            turns[*bone] = Some(Turn::World(between(from, posture.chest, *share)));
        }
        for (bone, share) in &figure.neck {
            turns[*bone] = Some(Turn::World(between(posture.chest, posture.head, *share)));
        }
        for (bone, [up, left]) in figure.tail.iter().zip(&posture.tail) {
            turns[*bone] = Some(Turn::Local(turn_deg(*up, *left, 0.0)));
        }
        for (leg, forward) in figure.legs.iter().zip(&posture.girdles) {
            if let Some(girdle) = leg.girdle.filter(|_| *forward != 0.0) {
                turns[girdle] = Some(Turn::Local(turn_deg(-forward, 0.0, 0.0)));
            }
        }
        let legs = figure.legs.len();
        let solved = Solved {
            base: posture.base,
            local: Vec::with_capacity(count),
            rotations: Vec::with_capacity(count),
            starts: Vec::with_capacity(count),
            overreach: vec![0.0; legs],
            bends: vec![0.0; legs],
        };
        Self { figure, posture, turns, is_bound: vec![false; count], solved }
    }

    fn run(mut self, with_limbs: bool) -> Solved {
        for (bone, part) in self.figure.parts.iter().enumerate() {
            let (inherited, start) = match part.parent {
                Some(parent) => {
                    let rotation = self.solved.rotations[parent];
                    (rotation, self.solved.starts[parent] + rotation * self.figure.parts[parent].extent)
                }
                None => (DMat3::IDENTITY, self.figure.base + self.posture.base),
            };
            self.solved.starts.push(start);
            if with_limbs {
                if let Some(index) = self.figure.legs.iter().position(|leg| leg.upper() == bone) {
                    self.bend_leg(index, start);
                }
                if let Some(index) =
                    self.figure.arms.iter().position(|arm| arm.girdle.unwrap_or(arm.upper) == bone)
                {
                    self.turn_arm(index, inherited);
                }
            }
            let rotation = match self.turns[bone] {
                Some(Turn::World(rotation)) => rotation,
                Some(Turn::Local(rotation)) => inherited * rotation,
                None => inherited,
            };
            let mut local = inherited.transpose() * rotation;
            if !self.is_bound[bone] {
                local = part.within_limits(local);
            }
            self.solved.rotations.push(inherited * local);
            self.solved.local.push(local);
        }
        self.solved
    }

    fn bend_leg(&mut self, index: usize, hip: DVec3) {
        let (leg, goal) = (&self.figure.legs[index], &self.posture.feet[index]);
        let wanted = goal.ankle - hip;
        let bent = leg.bent(&self.figure.parts, wanted.length());
        let missing = wanted.length() - bent.span.length();
        if missing > ROUNDING * bent.span.length() {
            self.solved.overreach[index] = missing;
        }
        self.solved.bends[index] = bent.angle;
        let hinges = leg.hinges();
        // The knee points to where both the pelvis and the foot point on average.
        let pelvis = self.posture.pelvis.z_axis;
        let yaw = 0.5 * (goal.yaw + pelvis.x.atan2(pelvis.z));
        let across = hinges[0].axis;
        let upper =
            frame(wanted, DMat3::from_rotation_y(yaw) * across) * frame(bent.span, across).transpose();
        self.turns[leg.upper()] = Some(Turn::World(upper));
        for hinge in hinges {
            self.turns[hinge.bone] = Some(Turn::Local(hinge.turn(bent.angle)));
        }
        self.is_bound[leg.upper()] = true;
        for bone in hinges.iter().map(|hinge| hinge.bone) {
            self.is_bound[bone] = true;
        }
        let stands = goal.stands();
        leg.foot.iter().for_each(|&bone| self.is_bound[bone] = stands);
        if let Some((foot, toes)) = leg.foot.split_first() {
            self.turns[*foot] = Some(Turn::World(leg.turn(goal.yaw, goal.pitch)));
            for &toe in toes {
                self.turns[toe] = Some(Turn::World(leg.turn(goal.yaw, goal.toes)));
            }
        }
    }

    /// `inherited` is the rotation that the first bone of the arm has from the trunk.
    fn turn_arm(&mut self, index: usize, inherited: DMat3) {
        let (arm, goal) = (&self.figure.arms[index], &self.posture.arms[index]);
        if let Some(girdle) = arm.girdle {
            let raise = turn_deg(0.0, -arm.side * goal.protract, arm.side * goal.raise);
            self.turns[girdle] = Some(Turn::World(inherited * raise));
        }
        let extent = self.figure.parts[arm.upper].extent;
        let hanging = frame(DVec3::NEG_Y, DVec3::NEG_X) * frame(extent, arm.elbow.axis).transpose();
        // Arms hang down from a trunk that leans.
        let heading = DMat3::from_rotation_y(inherited.z_axis.x.atan2(inherited.z_axis.z));
        self.turns[arm.upper] = Some(Turn::World(heading * arm.swing(goal) * hanging));
        let [low, high] = arm.elbow.range;
        let elbow = (goal.elbow.to_radians() - arm.elbow.bind).clamp(low, high);
        self.turns[arm.elbow.bone] = Some(Turn::Local(DMat3::from_axis_angle(arm.elbow.axis, elbow)));
        if let Some(hand) = arm.hand.first() {
            self.turns[*hand] =
                Some(Turn::Local(DMat3::from_axis_angle(arm.elbow.axis, goal.wrist.to_radians())));
        }
        for (bone, angles) in arm.curled(goal.fist) {
            let axes = &self.figure.parts[bone].axes;
            self.turns[bone] = Some(Turn::Local(from_euler_about(axes, angles.map(f64::to_radians))));
        }
    }
}

impl Solved {
    /// The tip of a bone.
    pub fn tip(&self, figure: &Figure, bone: usize) -> DVec3 {
        self.starts[bone] + self.rotations[bone] * figure.parts[bone].extent
    }

    /// The height of the lowest point of a foot.
    fn lowest(&self, figure: &Figure, leg: &Leg) -> f64 {
        let height = |bone: usize, place: DVec3| {
            (self.starts[bone] + self.rotations[bone] * (place - figure.parts[bone].start)).y
        };
        let heights =
            leg.sole.iter().map(|point| point.blend(point.bones.map(|bone| height(bone, point.place))));
        heights.fold(f64::INFINITY, f64::min)
    }

    /// The centre of the masses of all bones' capsules.
    pub fn centre_of_mass(&self, figure: &Figure) -> DVec3 {
        let mut sum = DVec3::ZERO;
        let mut total = 0.0;
        for (bone, part) in figure.parts.iter().enumerate() {
            sum += part.mass * (self.starts[bone] + self.rotations[bone] * (0.5 * part.extent));
            total += part.mass;
        }
        if total > 0.0 { sum / total } else { figure.base + self.base }
    }

    /// The pose in the terms of the skeleton: the base offset, and the Euler angles of each bone in degrees.
    pub fn pose(&self, figure: &Figure) -> Pose {
        let angles = self.local.iter().zip(&figure.parts).map(|(rotation, part)| {
            to_euler(part.axes.transpose() * *rotation * part.axes).map(f64::to_degrees)
        });
        Pose { base_offset: figure.skeleton_from_body * self.base, angles_deg: angles.collect() }
    }
}

/// A pose of a skeleton.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// What is added to the base, in skeleton space.
    pub base_offset: DVec3,
    /// The angles of each bone about its x, y and z axes, in degrees, as in [`crate::rig::skeleton::Bone::pose_deg`].
    pub angles_deg: Vec<DVec3>,
}

impl Pose {
    /// The angles of a bone in the precision of files.
    pub fn angles(&self, bone: usize) -> Vec3 {
        self.angles_deg[bone].as_vec3()
    }
}
