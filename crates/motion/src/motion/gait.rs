//! A gait: feet first. When each foot stands and where, how it rolls from heel to toes, and how it swings to its next place;
//! then the height at which the legs carry the body.
//!
//! A foot on the ground moves with the ground, exactly. In swing, the leg is described about its hip by its direction and
//! its bend, which works for legs of any proportions, and joins the stance with the same speed at both ends.

use crate::motion::curve::{Key, repeating, smoothstep, through};
use crate::motion::figure::Figure;
use crate::motion::leg::{FootGoal, Leg, last_true};
use crate::motion::posture::{Posture, trunk};
use glam::DVec3;
use std::f64::consts::PI;

/// The phases at which a cycle is sampled to find the height of the body and the clearance of the feet.
const SAMPLES: usize = 48;
/// The steepest slope of a curve at its end, as a multiple of that to the next key: with more, it overshoots (Fritsch and Carlson
/// 1980).
const STEEPEST: f64 = 3.0;
/// How far the ankle is before or behind the hip in the middle of a stance at most, as a fraction of the length of the leg. Human:
/// 0.01; a dog on show 0.49.
const MOST_OFFSET: f64 = 0.04;
/// By how much nearer a foot may come down, as a fraction of the length of the leg.
const MOST_NEARER: f64 = 0.045;
/// The step of phase for the speed of a leg at the ends of its swing.
const STEP: f64 = 1e-5;
/// The part of the swing at either end in which a foot may be as near to the floor as it likes.
const NEAR_FLOOR: f64 = 0.12;
/// The part of the swing in which toes that the floor has bent straighten.
const STRAIGHTEN: f64 = 0.35;

/// What the feet of a gait do. Phases count from the strike of the foot: 0 to 1 while it stands, 1 to 2 while it swings.
#[derive(Clone, Debug)]
pub struct Gait {
    /// The part of the stride for which a foot stands.
    pub duty: f64,
    /// The pitch of the foot, toes up, in degrees: 0 while it is flat.
    pub pitch: Vec<Key>,
    /// The bend of the knee in swing, in degrees, between its ends.
    pub knee: Vec<Key>,
    /// How far the leg has swung from its direction at toe-off (0) to that at the strike (1), between its ends.
    pub swing: Vec<Key>,
    /// The part of the stance at which the foot is where it is in the bind pose.
    pub upright: f64,
    /// The bend of the knee in the stance where it is the straightest, in degrees.
    pub straightest: f64,
    /// How much nearer a foot comes down whose leg would be the straightest at its strike: 0 not at all, 1 until it is not any
    /// more.
    pub nearer: f64,
    /// The least height of the foot in the middle of the swing, in statures.
    pub clearance: f64,
}

/// Direction and bend of a leg: the angle of the line from hip to ankle, forwards, and the bend of a knee that would make
/// this length of two equal bones; in radians.
#[derive(Clone, Copy, Debug, Default)]
struct Polar {
    angle: f64,
    knee: f64,
}

/// The parts of a swing between which a foot is raised by different heights: one that scrapes the floor as it leaves it is not
/// raised much in the middle.
const RAISES: usize = 8;

/// The swing of a leg: its ends, the rates of change there per swing, and by how much it is raised in between, at even parts.
#[derive(Clone, Copy, Default)]
struct Swing {
    ends: [Polar; 2],
    rates: [Polar; 2],
    raised: [f64; RAISES - 1],
}

/// A gait on a body.
pub struct Plan<'a> {
    figure: &'a Figure,
    /// One for each leg.
    gaits: Vec<Gait>,
    /// The phase at which each leg strikes.
    strikes: Vec<f64>,
    /// How far the body moves in a cycle.
    stride: f64,
    /// Where the ankle of each leg is across the body.
    tracks: Vec<f64>,
    /// Trunk, arms and tail at a phase, without the height of the body.
    carriage: Box<dyn Fn(f64) -> Posture + 'a>,
    /// The height of the base, against the bind pose, that is added to that of the carriage: constant, and by phase at even steps.
    pub height: f64,
    pub rise: Vec<f64>,
    swings: Vec<Swing>,
    /// By how much each foot stands farther back than it would.
    nearer: Vec<f64>,
    /// How far each foot rolls over its ball.
    rolls: Vec<f64>,
}

impl<'a> Plan<'a> {
    /// Plans a gait. `strikes` are the phases at which the legs strike; `tracks` is where their ankles are across the body.
    pub fn new(
        figure: &'a Figure,
        gaits: Vec<Gait>,
        strikes: Vec<f64>,
        stride: f64,
        tracks: Vec<f64>,
        carriage: Box<dyn Fn(f64) -> Posture + 'a>,
    ) -> Self {
        let swings = vec![Swing::default(); figure.legs.len()];
        let rolls = figure.legs.iter().map(|leg| leg.roll(&figure.parts)).collect();
        let mut plan = Self {
            figure,
            gaits,
            strikes,
            stride,
            tracks,
            carriage,
            height: 0.0,
            rise: Vec::new(),
            swings,
            nearer: vec![0.0; figure.legs.len()],
            rolls,
        };
        plan.settle();
        plan
    }

    /// Sets the height of the body to the greatest at which no leg that stands is too straight, and the swings. Feet that come
    /// down nearer let it be higher, so that knees need not bend for their strikes alone.
    pub fn settle(&mut self) {
        self.height = 0.0;
        let mut height = f64::INFINITY;
        for (index, leg) in self.figure.legs.iter().enumerate() {
            let straight = (0.5 * self.gaits[index].straightest.to_radians()).cos();
            let reach = straight * leg.reach(&self.figure.parts);
            self.nearer[index] = 0.0;
            let lines = (0..=SAMPLES).map(|sample| {
                let stance = sample as f64 / SAMPLES as f64;
                let hip = self.hips(self.strikes[index] + self.gaits[index].duty * stance)[index];
                self.planted(index, stance).ankle - hip
            });
            let lines: Vec<DVec3> = lines.collect();
            // How high the hips may be, and how far the foot is in front of them where that is the least.
            let highest = |nearer: f64| {
                let rises = lines.iter().map(|line| {
                    let ahead = line.z - nearer;
                    let across = line.x.hypot(ahead);
                    (line.y + (reach * reach - across * across).max(0.0).sqrt(), ahead)
                });
                rises.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
            };
            let most = MOST_NEARER * reach;
            let needed = last_true([0.0, most], |nearer| highest(nearer).1 > most);
            self.nearer[index] = self.gaits[index].nearer * needed;
            height = height.min(highest(self.nearer[index]).0);
        }
        self.height = height;
        for index in 0..self.figure.legs.len() {
            self.swings[index] = self.swing_of(index);
        }
    }

    /// The phase of a leg: 0 to 1 in its stance, 1 to 2 in its swing.
    pub fn stance(&self, index: usize, phase: f64) -> f64 {
        let since_strike = (phase - self.strikes[index]).rem_euclid(1.0);
        let duty = self.gaits[index].duty;
        if since_strike <= duty { since_strike / duty } else { 1.0 + (since_strike - duty) / (1.0 - duty) }
    }

    /// The posture at a phase.
    pub fn posture(&self, phase: f64) -> Posture {
        let mut posture = self.carried(phase);
        let hips = self.hips_of(&posture);
        for (index, foot) in posture.feet.iter_mut().enumerate() {
            let stance = self.stance(index, phase);
            *foot = if stance <= 1.0 {
                self.planted(index, stance)
            } else {
                self.swinging(index, stance - 1.0, hips[index])
            };
        }
        posture
    }

    /// The carriage at its height.
    fn carried(&self, phase: f64) -> Posture {
        let mut posture = (self.carriage)(phase);
        posture.base.y += self.height;
        if !self.rise.is_empty() {
            let count = self.rise.len();
            let keys: Vec<Key> =
                (0..count).map(|index| [index as f64 / count as f64, self.rise[index]]).collect();
            posture.base.y += smooth(&keys, phase);
        }
        posture
    }

    fn hips(&self, phase: f64) -> Vec<DVec3> {
        self.hips_of(&self.carried(phase))
    }

    fn hips_of(&self, posture: &Posture) -> Vec<DVec3> {
        let (_, starts) = trunk(self.figure, posture);
        self.figure.legs.iter().map(|leg| starts[leg.upper()]).collect()
    }

    /// The foot at a part of its stance.
    fn planted(&self, index: usize, stance: f64) -> FootGoal {
        let leg = &self.figure.legs[index];
        let along = self.stride * self.gaits[index].duty * (self.gaits[index].upright - stance);
        let flat = DVec3::new(
            self.tracks[index],
            leg.ankle.y - leg.raised,
            self.middle(leg) + along - self.nearer[index],
        );
        leg.rolled(flat, 0.0, self.pitch(index, stance))
    }

    /// Where the ankle is in the middle of its stance: about below the hip, even if the body was modelled in a stride.
    fn middle(&self, leg: &Leg) -> f64 {
        let most = MOST_OFFSET * leg.reach(&self.figure.parts);
        leg.hip.z + (leg.ankle.z - leg.hip.z).clamp(-most, most)
    }

    fn pitch(&self, index: usize, stance: f64) -> f64 {
        let pitch = repeating(&self.gaits[index].pitch, 2.0, stance).to_radians();
        if pitch < 0.0 { pitch * self.rolls[index] } else { pitch }
    }

    /// The foot at a part of its swing, from 0 to 1.
    fn swinging(&self, index: usize, part: f64, hip: DVec3) -> FootGoal {
        let mut goal = self.low_swing(index, part, hip);
        let raised = (1..).zip(self.swings[index].raised);
        let raised = raised.map(|(part, height)| [f64::from(part) / RAISES as f64, height]);
        let keys: Vec<Key> = std::iter::once([0.0; 2]).chain(raised).chain([[1.0, 0.0]]).collect();
        goal.ankle.y += through(&keys, [0.0; 2], part);
        // What a leg cannot fold, the foot gives.
        let leg = &self.figure.legs[index];
        let missing = leg.shortest(&self.figure.parts) - goal.ankle.distance(hip);
        if missing > 0.0 {
            leg.flatten(&mut goal, missing);
        }
        goal
    }

    /// Like [`Self::swinging`], without being raised.
    fn low_swing(&self, index: usize, part: f64, hip: DVec3) -> FootGoal {
        let Swing { ends, rates, .. } = self.swings[index];
        let range = ends[1].angle - ends[0].angle;
        let curve = |from: f64, keys: &mut dyn Iterator<Item = Key>, to: f64, slopes: [f64; 2]| {
            let keys: Vec<Key> = std::iter::once([0.0, from]).chain(keys).chain([[1.0, to]]).collect();
            through(&keys, slopes, part)
        };
        let mut swung =
            self.gaits[index].swing.iter().map(|[at, share]| [*at, ends[0].angle + share * range]);
        let angle = curve(ends[0].angle, &mut swung, ends[1].angle, rates.map(|rate| rate.angle));
        let mut bends = self.gaits[index].knee.iter().map(|[at, knee]| [*at, knee.to_radians()]);
        // The knee of a leg that is nearly straight bends at any rate, for a moment.
        let most = |end: usize| {
            let keys = &self.gaits[index].knee;
            let [at, knee] = if end == 0 { keys[0] } else { keys[keys.len() - 1] };
            let width = if end == 0 { at } else { 1.0 - at };
            STEEPEST * (knee.to_radians() - ends[end].knee).abs() / width
        };
        let slope = |end: usize| rates[end].knee.clamp(-most(end), most(end));
        let knee = curve(ends[0].knee, &mut bends, ends[1].knee, [slope(0), slope(1)]);
        let length = self.figure.legs[index].reach(&self.figure.parts) * (0.5 * knee).cos();
        let aside = self.tracks[index] - hip.x;
        let length = (length * length - aside * aside).max(0.0).sqrt();
        let ankle = hip + DVec3::new(aside, -length * angle.cos(), length * angle.sin());
        let pitch = self.pitch(index, 1.0 + part);
        // Toes that the floor has bent straighten.
        let bent = self.planted(index, 1.0).toes - self.pitch(index, 1.0);
        let toes = pitch + bent * (1.0 - smoothstep(part / STRAIGHTEN));
        FootGoal { ankle, pitch, toes, yaw: 0.0, contact: [false; 3] }
    }

    fn polar(&self, leg: &Leg, ankle: DVec3, hip: DVec3) -> Polar {
        let line = ankle - hip;
        let bent = (line.length() / leg.reach(&self.figure.parts)).min(1.0);
        Polar { angle: line.z.atan2(-line.y), knee: 2.0 * bent.acos() }
    }

    fn swing_of(&mut self, index: usize) -> Swing {
        let leg = &self.figure.legs[index];
        let (duty, strike) = (self.gaits[index].duty, self.strikes[index]);
        let polar = |since_strike: f64| {
            let ankle = self.planted(index, since_strike / duty).ankle;
            self.polar(leg, ankle, self.hips(strike + since_strike)[index])
        };
        let ends = [polar(duty), polar(0.0)];
        let before = [polar(duty - STEP), polar(STEP)];
        let rate = |end: usize| {
            let factor = if end == 0 { 1.0 } else { -1.0 } * (1.0 - duty) / STEP;
            let (now, before) = (ends[end], before[end]);
            Polar { angle: factor * (now.angle - before.angle), knee: factor * (now.knee - before.knee) }
        };
        let rates = [rate(0), rate(1)];
        self.swings[index] = Swing { ends, rates, raised: [0.0; RAISES - 1] };
        let needed = self.gaits[index].clearance * self.figure.stature;
        let mut raised = [0.0_f64; RAISES - 1];
        for sample in 1..SAMPLES {
            let part = sample as f64 / SAMPLES as f64;
            if !(NEAR_FLOOR..=1.0 - NEAR_FLOOR).contains(&part) {
                continue;
            }
            let hip = self.hips(strike + duty + part * (1.0 - duty))[index];
            let leg = &self.figure.legs[index];
            let free = leg.clearance(&self.low_swing(index, part, hip), self.figure.floor);
            let bump = (PI * part).sin().powi(2);
            let between = [(part * RAISES as f64).floor(), (part * RAISES as f64).ceil()];
            for at in between.map(|at| (at as usize).clamp(1, RAISES - 1) - 1) {
                raised[at] = raised[at].max(needed * bump - free);
            }
        }
        Swing { ends, rates, raised }
    }
}

/// Evaluates the smooth curve (Catmull-Rom) through values at even steps of a cycle of length 1.
fn smooth(keys: &[Key], phase: f64) -> f64 {
    let count = keys.len();
    let at = phase.rem_euclid(1.0) * count as f64;
    let (index, u) = (at as usize % count, at.fract());
    let value = |offset: usize| keys[(index + count + offset - 1) % count][1];
    let [a, b, c, d] = [value(0), value(1), value(2), value(3)];
    b + 0.5 * u * (c - a + u * (2.0 * a - 5.0 * b + 4.0 * c - d + u * (3.0 * (b - c) + d - a)))
}
