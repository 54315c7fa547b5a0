//! Motions on the spot of two legs: idle and wave.

use crate::motion::arm::ArmGoal;
use crate::motion::biped::tracks;
use crate::motion::curve::{Key, repeating, through, wave};
use crate::motion::figure::Figure;
use crate::motion::knobs::{Knob, Settings};
use crate::motion::leg::Leg;
use crate::motion::posture::{Posture, turn_deg};
use crate::motion::script::{STANDING_KNEE, Script, at_height};
use glam::DVec3;

/// The duration of the idle loop in seconds: two breaths of a person at rest, and the weight on either leg once.
const IDLE: f64 = 8.0;
/// An arm at rest, held farther aside by so many degrees.
pub fn hanging(aside: f64) -> ArmGoal {
    let mut goal =
        ArmGoal { forward: -1.0, aside: 6.0, twist: -12.0, elbow: 14.0, raise: -3.0, ..ArmGoal::default() };
    goal.hold_aside(aside);
    goal
}

/// Returns where the ankles of feet that stand are: flat on the floor, below the hips.
pub fn stance(figure: &Figure, knobs: &Settings) -> Vec<DVec3> {
    let tracks = tracks(figure, knobs, Leg::at_rest);
    let places = figure.legs.iter().zip(tracks);
    places.map(|(leg, track)| DVec3::new(track, leg.ankle.y - leg.raised, leg.ankle.z)).collect()
}

/// A body that stands with its ankles at these places.
fn at_rest(figure: &Figure, stance: &[DVec3]) -> Posture {
    let mut posture = Posture::standing(figure);
    posture.feet.iter_mut().zip(stance).for_each(|(foot, ankle)| foot.ankle = *ankle);
    posture
}

/// Standing at rest: breathing, shifting the weight, looking about.
pub fn idle<'a>(figure: &'a Figure, knobs: &Settings) -> Script<'a> {
    let lean = knobs.or(Knob::Lean, 1.0);
    let sway = figure.stature * knobs.or(Knob::Sway, 0.03);
    let list = knobs.or(Knob::List, 5.0);
    let knee = knobs.or(Knob::KneeBend, STANDING_KNEE);
    let aside = knobs.aside;
    let stance = stance(figure, knobs);
    let posture = move |time: f64| {
        let phase = time / IDLE;
        let mut posture = at_rest(figure, &stance);
        // The weight rests on a leg for a while, and moves over to the other.
        let shift = repeating(&[[0.05, 1.0], [0.35, 0.92], [0.52, -1.0], [0.85, -0.9]], 1.0, phase);
        let later = repeating(&[[0.05, 1.0], [0.35, 0.92], [0.52, -1.0], [0.85, -0.9]], 1.0, phase - 0.03);
        let breath = wave(phase, 2.0, 1.0, 0.14);
        posture.base.x = 0.5 * sway * shift + figure.stature * wave(phase, 5.0, 0.0012, 0.1);
        posture.base.z = figure.stature * wave(phase, 3.0, 0.0025, 0.3);
        posture.pelvis = turn_deg(1.0, -1.5 * shift, 0.5 * list * shift);
        posture.chest = turn_deg(lean - 0.75 * breath, -later, -0.3 * list * shift);
        let gaze = repeating(
            &[[0.1, 0.0], [0.25, 7.0], [0.42, 6.0], [0.6, -5.0], [0.72, -6.0], [0.9, 0.0]],
            1.0,
            phase,
        );
        posture.head = turn_deg(0.4 * breath + wave(phase, 1.0, 1.0, 0.3), gaze, -0.15 * list * later);
        for (arm, goal) in figure.arms.iter().zip(&mut posture.arms) {
            *goal = hanging(aside);
            goal.forward += 1.5 * arm.side * later - 0.8 * breath;
            goal.aside += 0.5 * breath;
            goal.raise += 0.75 * breath;
            goal.elbow += 1.5 * wave(phase, 2.0, 1.0, 0.19);
        }
        posture
    };
    at_height(figure, IDLE, true, vec![knee; 2], posture)
}

/// The duration of the wave in seconds.
const WAVE: f64 = 2.6;

/// A greeting with the left hand: the forearm goes to and fro three times beside the head.
pub fn greeting<'a>(figure: &'a Figure, knobs: &Settings) -> Script<'a> {
    let knee = knobs.or(Knob::KneeBend, STANDING_KNEE);
    let aside = knobs.aside;
    let lean = knobs.or(Knob::Lean, 1.0);
    let stance = stance(figure, knobs);
    let posture = move |time: f64| {
        let mut posture = at_rest(figure, &stance);
        // Rest, a little dip first, up, and down again with a little more than enough.
        let curve = |keys: &[Key], delay: f64| through(keys, [0.0; 2], time - delay);
        let raised = [[0.0, 0.0], [0.16, -0.05], [0.5, 1.0], [1.95, 1.0], [2.4, -0.02], [WAVE, 0.0]];
        let (up, later) = (curve(&raised, 0.0), curve(&raised, 0.08));
        let swing_keys: Vec<Key> =
            (0..7).map(|half| [0.5 + 0.25 * f64::from(half), WAVES[half as usize]]).collect();
        let to_and_fro = curve(&swing_keys, 0.0);
        let trailing = curve(&swing_keys, 0.08);
        posture.base.x = -0.012 * figure.stature * up;
        posture.pelvis = turn_deg(1.0, 0.0, -1.5 * up);
        posture.chest = turn_deg(lean, -3.0 * later, 2.0 * later);
        posture.head = turn_deg(0.0, 2.0 * up, -3.0 * later);
        for (arm, goal) in figure.arms.iter().zip(&mut posture.arms) {
            *goal = hanging(aside);
            if arm.side > 0.0 {
                goal.forward += 30.0 * up;
                goal.aside += 62.0 * up;
                goal.twist += 100.0 * later;
                goal.elbow += 100.0 * later + 20.0 * to_and_fro;
                goal.wrist = 12.0 * trailing;
                goal.raise += 12.0 * up;
            }
        }
        posture
    };
    at_height(figure, WAVE, false, vec![knee; 2], posture)
}

/// The places of the forearm at the quarters of a second while it waves.
const WAVES: [f64; 7] = [0.0, 1.0, -1.0, 1.0, -1.0, 1.0, 0.0];
