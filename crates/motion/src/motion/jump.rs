//! A jump on the spot, whole and in the three parts that games use: start, air and land.
//!
//! Depths, angles and times are those of people who jump as high as they can without hurry. In flight, the centre of mass
//! falls freely.

use crate::motion::curve::{Key, through, wave};
use crate::motion::figure::Figure;
use crate::motion::knobs::{Knob, Settings};
use crate::motion::posture::{Posture, solve, trunk, turn_deg};
use crate::motion::script::{STANDING_KNEE, Script, rise};
use crate::motion::standing::{hanging, stance};
use glam::DVec3;

/// The times of the lowest point before the jump, and of take-off; after touch-down, those of the lowest point and of the
/// end, in seconds.
const DIP: f64 = 0.4;
const TAKE_OFF: f64 = 0.65;
const SUNK: f64 = 0.22;
const RISEN: f64 = 0.8;
/// The height of the jump, and how deep the body sinks before and after it, in statures.
const HEIGHT: f64 = 0.17;
const DEPTH: [f64; 2] = [0.19, 0.15];
/// The height of the least jump: one that takes no time has no speed.
const LEAST_HEIGHT: f64 = 1e-3;
/// The bend of the knees at take-off, in the middle of the flight and at touch-down, in degrees.
const KNEES: [f64; 3] = [8.0, 42.0, 16.0];
/// How far the toes point down at take-off and at touch-down, in degrees.
const POINTED: [f64; 2] = [48.0, 26.0];
/// How far the heels rise where the body is the lowest, in degrees.
const HEELS: f64 = 13.0;
/// The rounds after which the centre of mass is at its height: each leaves a fifth of the error, the share of the legs.
const ROUNDS: usize = 5;
/// The duration of the loop in the air.
const AIR: f64 = 0.8;

/// A jump of a body.
struct Jump<'a> {
    figure: &'a Figure,
    touch_down: f64,
    /// Where the ankles are on the ground.
    stance: Vec<DVec3>,
    /// The height of the base at rest, at take-off and at touch-down.
    heights: [f64; 3],
    /// The heights of the centre of mass at take-off and at touch-down.
    centres: [f64; 2],
    /// By how many degrees arms are held farther aside.
    aside: f64,
}

impl<'a> Jump<'a> {
    fn new(figure: &'a Figure, knobs: &Settings) -> Self {
        let height =
            knobs.get(Knob::Bob).map_or(HEIGHT, |_| (3.0 * knobs.or(Knob::Bob, 0.0)).max(LEAST_HEIGHT));
        let height = height * figure.stature;
        let flight = 2.0 * (2.0 * height / figure.gravity).sqrt();
        let mut jump = Self {
            figure,
            touch_down: TAKE_OFF + flight,
            stance: stance(figure, knobs),
            heights: [0.0; 3],
            centres: [0.0; 2],
            aside: knobs.aside,
        };
        let moments = [(0.0, STANDING_KNEE), (TAKE_OFF, KNEES[0]), (jump.touch_down, KNEES[2])];
        jump.heights = moments.map(|(time, knee)| rise(figure, &jump.carriage(time), &[knee; 2]));
        let moments = [TAKE_OFF, jump.touch_down];
        jump.centres = moments.map(|time| solve(figure, &jump.posture(time)).centre_of_mass(figure).y);
        jump
    }

    fn duration(&self) -> f64 {
        self.touch_down + RISEN
    }

    /// The speed of the centre of mass at take-off, upwards.
    fn speed(&self) -> f64 {
        let flight = self.touch_down - TAKE_OFF;
        (self.centres[1] - self.centres[0]) / flight + 0.5 * self.figure.gravity * flight
    }

    /// The posture at a time, with its base as high as at rest in the bind pose, and feet on the ground.
    fn carriage(&self, time: f64) -> Posture {
        let figure = self.figure;
        let down = self.touch_down;
        let at = |keys: &[Key]| through(keys, [0.0; 2], time);
        let end = self.duration();
        let mut posture = Posture::standing(figure);
        let crouch =
            at(&[[0.0, 0.0], [DIP, 1.0], [TAKE_OFF, 0.0], [down, 0.12], [down + SUNK, 0.85], [end, 0.0]]);
        posture.base.z = -0.07 * figure.stature * crouch;
        posture.pelvis = turn_deg(1.0 + 24.0 * crouch, 0.0, 0.0);
        posture.chest = turn_deg(1.0 + 39.0 * crouch, 0.0, 0.0);
        posture.head = turn_deg(12.0 * crouch, 0.0, 0.0);
        let pitch = at(&[
            [0.0, 0.0],
            [DIP, -HEELS],
            [TAKE_OFF, -POINTED[0]],
            [TAKE_OFF + 0.1, -POINTED[0] - 4.0],
            [down, -POINTED[1]],
            [down + 0.09, 0.0],
            [down + SUNK, -0.5 * HEELS],
            [end, 0.0],
        ]);
        for ((leg, foot), ankle) in figure.legs.iter().zip(&mut posture.feet).zip(&self.stance) {
            *foot = leg.rolled(*ankle, 0.0, (pitch * leg.roll(&figure.parts)).to_radians());
        }
        let forward = at(&[
            [0.0, 0.0],
            [0.32, -48.0],
            [DIP, -44.0],
            [TAKE_OFF + 0.05, 138.0],
            [0.5 * (TAKE_OFF + down) + 0.08, 120.0],
            [down, 62.0],
            [down + SUNK + 0.06, 12.0],
            [down + 0.5, -6.0],
            [end, 0.0],
        ]);
        // The hands pass beside the knees.
        let aside = at(&[
            [0.0, 0.0],
            [DIP, 12.0],
            [DIP + 0.12, 20.0],
            [TAKE_OFF, 4.0],
            [down, 26.0],
            [down + SUNK, 24.0],
            [end, 0.0],
        ]);
        let elbow =
            at(&[[0.0, 0.0], [DIP, 8.0], [TAKE_OFF, 22.0], [down, 26.0], [down + SUNK, 22.0], [end, 0.0]]);
        for goal in &mut posture.arms {
            *goal = hanging(self.aside);
            goal.forward += forward;
            goal.aside += aside;
            goal.elbow += elbow;
            goal.raise += 0.08 * forward.max(0.0);
        }
        posture
    }

    fn posture(&self, time: f64) -> Posture {
        if time <= TAKE_OFF || time >= self.touch_down { self.standing(time) } else { self.flying(time) }
    }

    fn standing(&self, time: f64) -> Posture {
        let mut posture = self.carriage(time);
        let [rest, off, down] = self.heights;
        let depth = DEPTH.map(|depth| rest - depth * self.figure.stature);
        // Before the centres of mass are known, there is no speed.
        let speed = if self.centres[0] == 0.0 { 0.0 } else { self.speed() };
        posture.base.y = if time <= DIP {
            through(&[[0.0, rest], [DIP, depth[0]]], [0.0; 2], time)
        } else if time <= TAKE_OFF {
            through(&[[DIP, depth[0]], [TAKE_OFF, off]], [0.0, speed], time)
        } else {
            let landed = self.touch_down;
            let keys = [[landed, down], [landed + SUNK, depth[1]], [self.duration(), rest]];
            through(&keys, [speed - self.figure.gravity * (landed - TAKE_OFF), 0.0], time)
        };
        // Legs are not pulled straight before their feet leave the ground.
        posture.base.y = posture.base.y.min(rise(self.figure, &posture, &[STANDING_KNEE; 2]));
        posture
    }

    fn flying(&self, time: f64) -> Posture {
        let flown = time - TAKE_OFF;
        let mut posture = self.carriage(time);
        let middle = 0.5 * (TAKE_OFF + self.touch_down);
        let knees = [[TAKE_OFF, KNEES[0]], [middle, KNEES[1]], [self.touch_down, KNEES[2]]];
        posture.base.y = self.heights[1];
        hang(self.figure, &mut posture, through(&knees, [0.0; 2], time));
        let wanted = self.centres[0] + self.speed() * flown - 0.5 * self.figure.gravity * flown * flown;
        // Everything moves with the base, but for feet that the floor raises.
        for _ in 0..ROUNDS {
            let centre = solve(self.figure, &posture).centre_of_mass(self.figure).y;
            let lift = DVec3::Y * (wanted - centre);
            posture.base += lift;
            posture.feet.iter_mut().for_each(|foot| foot.ankle += lift);
        }
        posture
    }
}

/// Lets the legs hang, bent by so many degrees, over where their feet stood.
fn hang(figure: &Figure, posture: &mut Posture, knee: f64) {
    let (_, starts) = trunk(figure, posture);
    for (leg, foot) in figure.legs.iter().zip(&mut posture.feet) {
        let hip = starts[leg.upper()];
        let length = leg.reach(&figure.parts) * (0.5 * knee.to_radians()).cos();
        let across = (foot.ankle.x - hip.x).hypot(foot.ankle.z - hip.z);
        foot.ankle.y = hip.y - (length * length - across * across).max(0.0).sqrt();
        foot.contact = [false; 3];
    }
}

/// The whole jump.
pub fn whole<'a>(figure: &'a Figure, knobs: &Settings) -> Script<'a> {
    let jump = Jump::new(figure, knobs);
    Script { duration: jump.duration(), loops: false, posture: Box::new(move |time| jump.posture(time)) }
}

/// Down and up, until the feet leave the ground.
pub fn start<'a>(figure: &'a Figure, knobs: &Settings) -> Script<'a> {
    let jump = Jump::new(figure, knobs);
    Script { duration: TAKE_OFF, loops: false, posture: Box::new(move |time| jump.posture(time)) }
}

/// In the air, for as long as it takes: as at the top of a jump, at the height of take-off.
pub fn air<'a>(figure: &'a Figure, knobs: &Settings) -> Script<'a> {
    let jump = Jump::new(figure, knobs);
    let posture = move |time: f64| {
        let phase = time / AIR;
        let mut posture = jump.carriage(0.5 * (TAKE_OFF + jump.touch_down));
        posture.base.y = jump.heights[1];
        for (arm, goal) in figure.arms.iter().zip(&mut posture.arms) {
            goal.forward += wave(phase, 1.0, 7.0, if arm.side > 0.0 { 0.0 } else { 0.35 });
            goal.aside += 12.0 + wave(phase, 1.0, 5.0, 0.25);
        }
        hang(figure, &mut posture, KNEES[1]);
        for (leg, foot) in figure.legs.iter().zip(&mut posture.feet) {
            foot.ankle.z += figure.stature * (0.02 * leg.side + wave(phase, 1.0, 0.012, 0.25 * leg.side));
        }
        posture
    };
    Script { duration: AIR, loops: true, posture: Box::new(posture) }
}

/// From the touch of the toes to standing.
pub fn land<'a>(figure: &'a Figure, knobs: &Settings) -> Script<'a> {
    let jump = Jump::new(figure, knobs);
    let touch_down = jump.touch_down;
    Script { duration: RISEN, loops: false, posture: Box::new(move |time| jump.posture(touch_down + time)) }
}
