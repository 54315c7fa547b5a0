//! The motions of four legs: walk, trot, idle.
//!
//! Footfalls and duties after Hildebrand, Robilliard and others. The phase 0 is the strike of the left hind foot; legs are in
//! the order left hind, right hind, left fore, right fore.

use crate::motion::bounce::Bounce;
use crate::motion::curve::{Key, repeating, wave};
use crate::motion::cycle::Cycle;
use crate::motion::figure::Figure;
use crate::motion::gait::Gait;
use crate::motion::knobs::{Knob, Settings};
use crate::motion::leg::Leg;
use crate::motion::posture::{Posture, turn_deg};
use crate::motion::script::{Script, at_height};

/// The duration of the idle loop in seconds.
const IDLE: f64 = 8.0;
/// By how much a standing leg is straighter than in the bind pose at most, in degrees of its knee.
const STRAIGHTER: f64 = 4.0;

/// How far hips and shoulder blades swing with their legs, in degrees.
const SWING: [f64; 2] = [4.0, 13.0];

/// How the trunk moves: lengths in statures, angles in degrees, whole ranges.
#[derive(Clone, Copy)]
struct Carriage {
    bob: f64,
    sway: f64,
    yaw: f64,
    list: f64,
    /// How far the neck nods, twice a cycle, and the phase at which it is the lowest.
    nod: [f64; 2],
    tail: f64,
    lean: f64,
}

impl Carriage {
    fn posture(&self, figure: &Figure, strikes: &[f64], phase: f64) -> Posture {
        let mut posture = Posture::standing(figure);
        posture.base.x = figure.stature * wave(phase, 1.0, 0.5 * self.sway, 0.3);
        posture.base.y = figure.stature * wave(phase, 2.0, 0.5 * self.bob, 0.35);
        // Forwards is a turn to the right for the left side; the side that stands is up.
        let girdle = |strike: f64| {
            let yaw = -wave(phase, 1.0, 0.5 * self.yaw, strike);
            turn_deg(0.5 * self.lean, yaw, wave(phase, 1.0, 0.5 * self.list, strike + 0.3))
        };
        posture.pelvis = girdle(strikes[0]);
        posture.chest = girdle(strikes[2]);
        for (index, girdle) in posture.girdles.iter_mut().enumerate() {
            *girdle = wave(phase, 1.0, SWING[index / 2], strikes[index] - 0.06);
        }
        posture.head = turn_deg(self.lean + wave(phase, 2.0, 0.5 * self.nod[0], self.nod[1]), 0.0, 0.0);
        for (index, turn) in posture.tail.iter_mut().enumerate() {
            let delay = 0.1 * index as f64;
            *turn = [
                0.1 * self.tail * wave(phase, 2.0, 1.0, delay),
                wave(phase, 1.0, 0.5 * self.tail, 0.2 + delay),
            ];
        }
        posture
    }
}

/// Returns the bend of a leg in the bind pose, as that of a knee between two equal bones, in degrees.
fn bind_knee(figure: &Figure, leg: &Leg) -> f64 {
    let bent = leg.ankle.distance(leg.hip) / leg.reach(&figure.parts);
    2.0 * bent.min(1.0).acos().to_degrees()
}

/// Returns the gait of a leg that bends by so much more in swing than in the bind pose.
fn gait(figure: &Figure, leg: &Leg, duty: f64, bends: &[Key], clearance: f64, knobs: &Settings) -> Gait {
    let knee = bind_knee(figure, leg);
    Gait {
        duty,
        pitch: vec![
            [0.0, 4.0],
            [0.12, 0.0],
            [0.7, 0.0],
            [0.85, -9.0],
            [1.0, -32.0],
            [1.15, -52.0],
            [1.35, -50.0],
            [1.6, -22.0],
            [1.8, 2.0],
            [1.92, 5.0],
        ],
        knee: bends.iter().map(|[at, bend]| [*at, knee + bend]).collect(),
        swing: vec![[0.12, 0.0], [0.3, 0.22], [0.5, 0.58], [0.7, 0.88], [0.85, 1.0]],
        upright: 0.5,
        straightest: (knee - STRAIGHTER).max(3.0) + knobs.or(Knob::KneeBend, 0.0),
        nearer: 0.0,
        clearance,
    }
}

fn cycle<'a>(
    figure: &'a Figure,
    knobs: &Settings,
    speed: f64,
    period: f64,
    strikes: [f64; 4],
    gaits: Vec<Gait>,
    mut carriage: Carriage,
) -> Cycle<'a> {
    carriage.bob = knobs.or(Knob::Bob, carriage.bob);
    carriage.sway = knobs.or(Knob::Sway, carriage.sway);
    carriage.yaw = knobs.or(Knob::PelvisYaw, carriage.yaw);
    carriage.list = knobs.or(Knob::List, carriage.list);
    carriage.lean = knobs.or(Knob::Lean, carriage.lean);
    let usual = |leg: &Leg| 0.9 * leg.ankle.x;
    let widest = figure.legs.iter().map(|leg| usual(leg).abs()).fold(0.0, f64::max);
    let width = 0.5 * figure.stature * knobs.or(Knob::StepWidth, 2.0 * widest / figure.stature);
    let track = |leg: &Leg| if knobs.get(Knob::StepWidth).is_some() { leg.side * width } else { usual(leg) };
    Cycle {
        gaits,
        period,
        speed: speed * figure.stature,
        strikes: strikes.to_vec(),
        tracks: figure.legs.iter().map(track).collect(),
        carriage: Box::new(move |phase| carriage.posture(figure, &strikes, phase)),
        ballistic: None,
    }
}

/// A walk in lateral sequence: left hind, left fore, right hind, right fore.
pub fn walk<'a>(figure: &'a Figure, knobs: &Settings) -> Cycle<'a> {
    let speed = knobs.or(Knob::Speed, 0.44);
    let bends = [[0.15, 22.0], [0.35, 46.0], [0.55, 44.0], [0.8, 16.0], [0.93, 2.0]];
    let gaits = figure.legs.iter().map(|leg| gait(figure, leg, 0.64, &bends, 0.01, knobs)).collect();
    let carriage =
        Carriage { bob: 0.008, sway: 0.018, yaw: 7.0, list: 5.0, nod: [7.0, 0.1], tail: 12.0, lean: 0.0 };
    // Longer strides and quicker steps share a change of speed.
    let period = 1.05 * (0.44 / speed).sqrt();
    cycle(figure, knobs, speed, period, [0.0, 0.5, 0.25, 0.75], gaits, carriage)
}

/// A trot: diagonal pairs, with a flight after each.
pub fn trot<'a>(figure: &'a Figure, knobs: &Settings) -> Cycle<'a> {
    let speed = knobs.or(Knob::Speed, 0.95);
    let duty = 0.42;
    let bends = [[0.12, 25.0], [0.3, 62.0], [0.5, 66.0], [0.72, 34.0], [0.9, 6.0]];
    let gaits = figure.legs.iter().map(|leg| gait(figure, leg, duty, &bends, 0.02, knobs)).collect();
    let carriage =
        Carriage { bob: 0.0, sway: 0.008, yaw: 4.0, list: 3.0, nod: [3.0, 0.1], tail: 8.0, lean: 0.0 };
    let period = 0.7 * (0.95 / speed).sqrt();
    let mut cycle =
        cycle(figure, knobs, speed, period, [0.0, 0.5, 0.5, 0.0], gaits, Carriage { bob: 0.0, ..carriage });
    let gravity = figure.gravity;
    cycle.ballistic = Some(Box::new(move |phase, period| Bounce::new(duty, period, gravity).height(phase)));
    cycle
}

/// Standing at rest: breathing, looking about, the tail swinging.
pub fn idle<'a>(figure: &'a Figure, knobs: &Settings) -> Script<'a> {
    let sway = figure.stature * knobs.or(Knob::Sway, 0.016);
    let lean = knobs.or(Knob::Lean, 0.0);
    let posture = move |time: f64| {
        let phase = time / IDLE;
        let mut posture = Posture::standing(figure);
        let shift = repeating(&[[0.08, 1.0], [0.4, 0.9], [0.56, -1.0], [0.9, -0.9]], 1.0, phase);
        let breath = wave(phase, 2.0, 1.0, 0.2);
        posture.base.x = 0.5 * sway * shift;
        posture.base.z = figure.stature * wave(phase, 3.0, 0.002, 0.3);
        posture.pelvis = turn_deg(0.0, -0.8 * shift, 1.5 * shift);
        posture.chest = turn_deg(-0.5 * breath, 0.6 * shift, 0.0);
        let gaze =
            repeating(&[[0.05, 0.0], [0.22, 16.0], [0.4, 14.0], [0.62, -10.0], [0.8, -8.0]], 1.0, phase);
        let nod = repeating(&[[0.0, 0.0], [0.3, 5.0], [0.5, 0.0], [0.7, -3.0]], 1.0, phase);
        posture.head = turn_deg(lean + nod - 0.8 * breath, gaze, 0.0);
        for (index, turn) in posture.tail.iter_mut().enumerate() {
            let delay = 0.05 * index as f64;
            *turn = [0.5 * breath, wave(phase, 2.0, 7.0, 0.1 + delay) + wave(phase, 5.0, 3.0, delay)];
        }
        posture
    };
    let knees = figure.legs.iter().map(|leg| (bind_knee(figure, leg) - STRAIGHTER).max(3.0)).collect();
    at_height(figure, IDLE, true, knees, posture)
}
