//! The gaits of two legs: walk, run, sneak and crouch walk.
//!
//! The numbers are our own keys within measured bands: joint angles of walking by Perry and Burnfield, Winter and Kadaba,
//! of running by Hamner and Delp; step frequencies by Inman. The phase 0 is the strike of the left foot.

use crate::motion::arm::ArmGoal;
use crate::motion::bounce::Bounce;
use crate::motion::curve::{rule, wave};
use crate::motion::cycle::Cycle;
use crate::motion::figure::Figure;
use crate::motion::gait::Gait;
use crate::motion::knobs::{Knob, Settings, WALK_SPEED};
use crate::motion::leg::Leg;
use crate::motion::posture::{Posture, turn_deg};

/// The step length in statures per step per minute: 0.004 by Inman; a little less, so that the knees of bodies with short feet
/// bend as people's do.
const STEP_PER_FREQUENCY: f64 = 0.0036;
/// Where the ankles are across the body, as a fraction of the distance of the hip joints from the middle.
const TRACK: f64 = 0.85;

/// A sway of the trunk: the whole range, and the phase of the maximum.
#[derive(Clone, Copy)]
struct Sway(f64, f64);

const NONE: Sway = Sway(0.0, 0.0);

impl Sway {
    fn at(self, phase: f64, cycles: f64) -> f64 {
        wave(phase, cycles, 0.5 * self.0, self.1)
    }
}

/// How trunk and arms are carried: lengths in statures, angles in degrees. Turns have their maxima at the phases at which the
/// left side is in front or up.
#[derive(Clone, Copy)]
struct Carriage {
    /// Up and down, twice a cycle; to the left; forwards, twice.
    bob: Sway,
    sway: Sway,
    surge: Sway,
    /// The pelvis: tipped forwards, its left side in front, its left side up.
    tilt: f64,
    yaw: Sway,
    list: Sway,
    /// The trunk: leaning forwards, its left shoulder in front.
    lean: f64,
    girdle: Sway,
    /// The left arm: forwards, and the mean; the bend of the elbow, its ranges once and twice a cycle; aside.
    arm: Sway,
    arm_offset: f64,
    elbow: f64,
    elbow_range: [Sway; 2],
    aside: f64,
    /// By how many degrees the arms are held farther aside.
    held_off: f64,
}

/// The part of the yaw of the shoulders that the head follows.
const HEAD_YAW: f64 = 0.3;
/// The nod that keeps the gaze on a point while the head goes up and down, in degrees per stature.
const NOD: f64 = 40.0;
/// The part of the trunk's lean that the neck takes back.
const LEVEL: f64 = 0.85;
/// How far the clavicles follow the arms.
const SHOULDERS: f64 = 0.12;

impl Carriage {
    fn with(mut self, knobs: &Settings) -> Self {
        let set = |sway: &mut Sway, knob| sway.0 = knobs.or(knob, sway.0);
        set(&mut self.bob, Knob::Bob);
        set(&mut self.sway, Knob::Sway);
        set(&mut self.yaw, Knob::PelvisYaw);
        set(&mut self.list, Knob::List);
        set(&mut self.arm, Knob::ArmRange);
        self.lean = knobs.or(Knob::Lean, self.lean);
        self.arm_offset = knobs.or(Knob::ArmOffset, self.arm_offset);
        self.elbow = knobs.or(Knob::Elbow, self.elbow);
        self.held_off = knobs.aside;
        self
    }

    fn posture(&self, figure: &Figure, phase: f64) -> Posture {
        let mut posture = Posture::standing(figure);
        let bob = self.bob.at(phase, 2.0);
        posture.base.x = figure.stature * self.sway.at(phase, 1.0);
        posture.base.y = figure.stature * bob;
        posture.base.z = figure.stature * self.surge.at(phase, 2.0);
        // Forwards is a turn to the right for the left side.
        let girdle = -self.girdle.at(phase, 1.0);
        let list = self.list.at(phase, 1.0);
        posture.pelvis = turn_deg(self.tilt, -self.yaw.at(phase, 1.0), list);
        posture.chest = turn_deg(self.lean, girdle, -0.4 * list);
        posture.head = turn_deg((1.0 - LEVEL) * self.lean + NOD * bob, HEAD_YAW * girdle, 0.0);
        for (arm, goal) in figure.arms.iter().zip(&mut posture.arms) {
            let phase = if arm.side > 0.0 { phase } else { phase + 0.5 };
            let forward = self.arm.at(phase, 1.0);
            *goal = ArmGoal {
                forward: self.arm_offset + forward,
                aside: self.aside,
                twist: -12.0,
                elbow: (self.elbow + self.elbow_range[0].at(phase, 1.0) + self.elbow_range[1].at(phase, 2.0))
                    .max(0.0),
                raise: -3.0,
                protract: SHOULDERS * forward,
                ..ArmGoal::default()
            };
            goal.hold_aside(self.held_off);
        }
        posture
    }
}

/// Returns where the ankles of both feet are across the body, if they are not at their usual places.
pub fn tracks(figure: &Figure, knobs: &Settings, usual: impl Fn(&Leg) -> f64) -> Vec<f64> {
    let tracks: Vec<f64> = figure.legs.iter().map(usual).collect();
    let width = 0.5 * figure.stature * knobs.or(Knob::StepWidth, width(figure, &tracks));
    match knobs.get(Knob::StepWidth) {
        Some(_) => figure.legs.iter().map(|leg| leg.side * width).collect(),
        None => tracks,
    }
}

/// The distance between the ways of the first two feet, in statures.
fn width(figure: &Figure, tracks: &[f64]) -> f64 {
    match tracks {
        [first, second, ..] => (first - second).abs() / figure.stature,
        _ => 0.0,
    }
}

fn cycle<'a>(
    figure: &'a Figure,
    knobs: &Settings,
    speed: f64,
    period: f64,
    gait: Gait,
    carriage: Carriage,
) -> Cycle<'a> {
    let carriage = carriage.with(knobs);
    Cycle {
        gaits: vec![gait.clone(), gait],
        period,
        speed: speed * figure.stature,
        strikes: vec![0.0, 0.5],
        tracks: tracks(figure, knobs, |leg| TRACK * leg.hip.x),
        carriage: Box::new(move |phase| carriage.posture(figure, phase)),
        ballistic: None,
    }
}

/// Walking.
pub fn walk<'a>(figure: &'a Figure, knobs: &Settings) -> Cycle<'a> {
    let speed = knobs.or(Knob::Speed, WALK_SPEED);
    let frequency = (60.0 * speed / STEP_PER_FREQUENCY).sqrt();
    // How much of the roll from heel to toes there is: all of it from a brisk walk on.
    let roll = rule(&[[0.2, 0.55], [0.6, 1.0]], speed);
    let pitch = [
        [0.0, 18.0],
        [0.065, 8.0],
        [0.145, 0.0],
        [0.57, 0.0],
        [0.725, -6.0],
        [0.806, -17.3],
        [0.887, -36.5],
        [0.968, -54.0],
        [1.0, -60.0],
        [1.07, -66.0],
        [1.15, -65.0],
        [1.342, -42.0],
        [1.474, -21.0],
        [1.605, -4.0],
        [1.737, 7.0],
        [1.868, 15.5],
        [1.947, 18.0],
    ];
    let gait = Gait {
        duty: rule(&[[0.35, 0.68], [0.62, 0.62], [0.95, 0.6]], speed),
        pitch: pitch.map(|[at, pitch]| [at, roll * pitch]).to_vec(),
        knee: vec![[0.12, 60.5], [0.25, 65.0], [0.42, 54.0], [0.605, 27.0], [0.763, 9.0], [0.895, 4.5]],
        swing: vec![[0.21, 0.08], [0.474, 0.63], [0.737, 0.94]],
        upright: 0.41,
        straightest: knobs.or(Knob::KneeBend, 4.0),
        nearer: 1.0,
        clearance: 0.007,
    };
    let carriage = Carriage {
        bob: Sway(0.0173, 0.255),
        sway: Sway(0.036, 0.37),
        surge: Sway(0.016, 0.05),
        tilt: 2.0,
        yaw: Sway(rule(&[[0.3, 4.0], [0.62, 8.0], [0.94, 22.0]], speed), 0.04),
        list: Sway(6.0, 0.17),
        lean: 3.0,
        girdle: Sway(8.0, 0.42),
        arm: Sway(rule(&[[0.3, 9.0], [0.62, 28.0], [0.81, 51.0], [0.94, 61.0]], speed), 0.46),
        arm_offset: -2.0,
        elbow: 24.0,
        elbow_range: [Sway(16.0, 0.45), NONE],
        aside: 4.0,
        held_off: 0.0,
    };
    cycle(figure, knobs, speed, 120.0 / frequency, gait, carriage)
}

/// Running, with flight.
pub fn run<'a>(figure: &'a Figure, knobs: &Settings) -> Cycle<'a> {
    let speed = knobs.or(Knob::Speed, 2.0);
    let frequency = rule(&[[1.2, 155.0], [3.5, 200.0]], speed);
    let duty = rule(&[[1.2, 0.37], [2.27, 0.315], [3.5, 0.24]], speed);
    let gait = Gait {
        duty,
        pitch: vec![
            [0.0, 13.0],
            [0.13, 7.0],
            [0.27, 0.0],
            [0.36, 0.0],
            [0.476, -4.0],
            [0.635, -10.0],
            [0.79, -21.0],
            [0.95, -40.0],
            [1.0, -46.0],
            [1.051, -60.0],
            [1.124, -73.0],
            [1.197, -87.0],
            [1.27, -98.0],
            [1.358, -104.0],
            [1.445, -98.0],
            [1.533, -82.0],
            [1.635, -52.0],
            [1.708, -28.0],
            [1.781, -6.0],
            [1.854, 9.0],
            [1.927, 15.0],
        ],
        knee: vec![
            [0.124, 18.0],
            [0.197, 32.0],
            [0.27, 52.0],
            [0.343, 72.0],
            [0.416, 89.0],
            [0.504, 101.0],
            [0.562, 102.0],
            [0.635, 94.0],
            [0.708, 77.0],
            [0.781, 54.0],
            [0.854, 32.0],
            [0.927, 20.0],
        ],
        swing: vec![
            [0.124, -0.14],
            [0.197, -0.27],
            [0.27, -0.38],
            [0.343, -0.42],
            [0.416, -0.37],
            [0.489, -0.18],
            [0.562, 0.11],
            [0.635, 0.43],
            [0.708, 0.71],
            [0.781, 0.92],
            [0.854, 1.03],
            [0.927, 1.04],
        ],
        upright: 0.43,
        straightest: knobs.or(Knob::KneeBend, 13.0),
        nearer: 0.5,
        clearance: 0.01,
    };
    let carriage = Carriage {
        bob: NONE,
        sway: Sway(0.02, 0.2),
        surge: NONE,
        tilt: 6.0,
        yaw: Sway(rule(&[[1.2, 6.0], [3.5, 20.0]], speed), 0.04),
        list: Sway(7.0, 0.15),
        lean: 6.0,
        girdle: Sway(28.0, 0.45),
        arm: Sway(rule(&[[1.2, 36.0], [2.27, 46.0], [3.5, 90.0]], speed), 0.42),
        arm_offset: -28.0,
        elbow: 88.0,
        elbow_range: [Sway(40.0, 0.39), Sway(22.0, 0.42)],
        aside: 8.0,
        held_off: 0.0,
    };
    let mut cycle = cycle(figure, knobs, speed, 120.0 / frequency, gait, carriage);
    let bob = knobs.get(Knob::Bob).map(|_| knobs.or(Knob::Bob, 0.0) * figure.stature);
    let gravity = figure.gravity;
    cycle.ballistic = Some(Box::new(move |phase, period| {
        let bounce = Bounce::new(duty, period, gravity);
        bob.map_or(1.0, |bob| bob / bounce.range()) * bounce.height(phase)
    }));
    cycle
}

/// A gait close to the ground: `straightest` is the bend of the knees of a leg that stands, `lift` how much more they bend in
/// swing.
fn low_gait(duty: f64, strike: f64, push: f64, straightest: f64, lift: f64, clearance: f64) -> Gait {
    Gait {
        duty,
        pitch: vec![
            [0.0, strike],
            [0.14, 0.0],
            [0.36, 0.0],
            [0.55, -0.2 * push],
            [0.75, -0.45 * push],
            [0.9, -0.8 * push],
            [1.0, -push],
            [1.12, -1.15 * push],
            [1.4, -0.8 * push],
            [1.7, -0.1 * push],
            [1.9, 1.05 * strike],
        ],
        knee: vec![
            [0.2, straightest + 0.8 * lift],
            [0.4, straightest + lift],
            [0.65, straightest + 0.6 * lift],
            [0.88, straightest + 0.1 * lift],
        ],
        swing: vec![[0.2, 0.12], [0.5, 0.6], [0.75, 0.92]],
        upright: 0.45,
        straightest,
        nearer: 0.0,
        clearance,
    }
}

/// Walking with bent knees and the trunk forwards.
pub fn crouch_walk<'a>(figure: &'a Figure, knobs: &Settings) -> Cycle<'a> {
    let speed = knobs.or(Knob::Speed, 0.38);
    let frequency = (60.0 * speed / STEP_PER_FREQUENCY).sqrt();
    let gait = low_gait(0.68, 9.0, 40.0, knobs.or(Knob::KneeBend, 51.0), 34.0, 0.015);
    let carriage = Carriage {
        bob: Sway(0.008, 0.29),
        sway: Sway(0.04, 0.35),
        surge: NONE,
        tilt: 16.0,
        yaw: Sway(12.0, 0.04),
        list: Sway(4.0, 0.17),
        lean: 32.0,
        girdle: Sway(10.0, 0.42),
        arm: Sway(24.0, 0.46),
        arm_offset: 14.0,
        elbow: 62.0,
        elbow_range: [Sway(14.0, 0.45), NONE],
        aside: 14.0,
        held_off: 0.0,
    };
    let mut cycle = cycle(figure, knobs, speed, 120.0 / frequency, gait, carriage);
    if knobs.get(Knob::StepWidth).is_none() {
        cycle.tracks.iter_mut().for_each(|track| *track *= WIDER);
        knobs.or(Knob::StepWidth, width(figure, &cycle.tracks));
    }
    cycle
}

/// How much farther apart the feet are while the body is low.
const WIDER: f64 = 1.35;

/// Sneaking: low and slow, the knees high, toes first, and a rest over the leg that stands.
pub fn sneak<'a>(figure: &'a Figure, knobs: &Settings) -> Cycle<'a> {
    let speed = knobs.or(Knob::Speed, 0.25);
    let frequency = (60.0 * speed / STEP_PER_FREQUENCY).sqrt();
    let gait = low_gait(0.72, -14.0, 30.0, knobs.or(Knob::KneeBend, 46.0), 52.0, 0.08);
    let carriage = Carriage {
        bob: Sway(0.014, 0.3),
        sway: Sway(0.06, 0.36),
        surge: Sway(0.03, 0.2),
        tilt: 10.0,
        yaw: Sway(8.0, 0.04),
        list: Sway(4.0, 0.2),
        lean: 22.0,
        girdle: Sway(12.0, 0.44),
        arm: Sway(22.0, 0.48),
        arm_offset: 22.0,
        elbow: 72.0,
        elbow_range: [Sway(18.0, 0.5), NONE],
        aside: 28.0,
        held_off: 0.0,
    };
    cycle(figure, knobs, speed, 120.0 / frequency, gait, carriage)
}
