//! A quarter turn on the spot, to the left, in three steps: the inner foot opens, the outer one steps round, the inner one
//! follows. The head leads.

use crate::motion::curve::{Key, smoothstep, through};
use crate::motion::figure::Figure;
use crate::motion::knobs::{Knob, Settings};
use crate::motion::posture::{Posture, turn_deg};
use crate::motion::script::{STANDING_KNEE, Script, at_height};
use crate::motion::standing::{hanging, stance};
use glam::DMat3;
use std::f64::consts::PI;

/// The duration in seconds.
const DURATION: f64 = 1.6;
/// The turn in degrees.
const QUARTER: f64 = 90.0;
/// The steps: the foot (0: left), its times off and on the ground, and the turn at which it comes down, in degrees.
const STEPS: [(usize, [f64; 2], f64); 3] =
    [(0, [0.18, 0.5], 46.0), (1, [0.56, 0.92], QUARTER), (0, [0.98, 1.3], QUARTER)];
/// How high a foot is lifted, in statures, and how far its toes hang, in degrees.
const LIFT: f64 = 0.035;
const HANG: f64 = 14.0;
/// How far the body moves over the foot that stands, of the way there.
const WEIGHT: f64 = 0.55;

/// Returns the turn of a foot in degrees at a time, and the part of the step that it is in, if it is off the ground.
fn foot_turn(foot: usize, time: f64) -> (f64, Option<f64>) {
    let mut turn = 0.0;
    for (_, [off, on], to) in STEPS.into_iter().filter(|step| step.0 == foot) {
        if time > off && time < on {
            let part = (time - off) / (on - off);
            return (turn + (to - turn) * smoothstep(part), Some(part));
        }
        if time >= on {
            turn = to;
        }
    }
    (turn, None)
}

/// Turns the body to the left by a quarter.
pub fn turn<'a>(figure: &'a Figure, knobs: &Settings) -> Script<'a> {
    let knee = knobs.or(Knob::KneeBend, STANDING_KNEE + 6.0);
    let aside = knobs.aside;
    let lean = knobs.or(Knob::Lean, 2.0);
    let stance = stance(figure, knobs);
    // The feet go about the same vertical as the pelvis.
    let about = figure.pelvis.map_or(figure.base, |pelvis| figure.parts[pelvis].start);
    let posture = move |time: f64| {
        let mut posture = Posture::standing(figure);
        let follow = |delay: f64| {
            let keys: [Key; 4] = [
                [0.1 + delay, 0.0],
                [0.5 + delay, 0.42 * QUARTER],
                [0.95 + delay, 0.9 * QUARTER],
                [1.25 + delay, QUARTER],
            ];
            through(&keys, [0.0; 2], time)
        };
        let (pelvis, girdle, head) = (follow(0.1), follow(0.02), follow(-0.08));
        // The weight is over the left foot while the right one steps, and the other way round.
        let shift = through(
            &[
                [0.0, 0.0],
                [0.2, -1.0],
                [0.46, -0.8],
                [0.62, 1.0],
                [0.86, 0.9],
                [1.02, -1.0],
                [1.24, -0.8],
                [DURATION, 0.0],
            ],
            [0.0; 2],
            time,
        );
        let over = WEIGHT * figure.legs[0].hip.x * shift;
        posture.base = DMat3::from_rotation_y(pelvis.to_radians()) * glam::DVec3::X * over;
        posture.pelvis = turn_deg(1.0, pelvis, 1.5 * shift);
        posture.chest = turn_deg(lean, girdle, -1.5 * shift);
        posture.head = turn_deg(0.0, head, 0.0);
        for (index, (leg, foot)) in figure.legs.iter().zip(&mut posture.feet).enumerate() {
            let (turn, step) = foot_turn(index, time);
            let yaw = turn.to_radians();
            let flat = about + DMat3::from_rotation_y(yaw) * (stance[index] - about);
            let lifted = step.map_or(0.0, |part| (PI * part).sin().powi(2));
            *foot = leg.rolled(flat, yaw, (-HANG * lifted).to_radians());
            foot.ankle.y += LIFT * figure.stature * lifted;
            if step.is_some() {
                foot.contact = [false; 3];
                foot.toes = foot.pitch;
            }
        }
        for goal in &mut posture.arms {
            *goal = hanging(aside);
            goal.aside += 6.0 * (PI * time / DURATION).sin();
            goal.elbow += 8.0 * (PI * time / DURATION).sin();
        }
        posture
    };
    at_height(figure, DURATION, false, vec![knee; 2], posture)
}
