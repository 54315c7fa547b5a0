//! The motion with which a rigger checks a skin: it goes through the poses in which shoulders, hips, knees, hands and neck
//! deform the most.

use crate::motion::curve::{Key, smoothstep, through};
use crate::motion::figure::Figure;
use crate::motion::knobs::{Knob, Settings};
use crate::motion::leg::FootGoal;
use crate::motion::posture::{Posture, turn_deg};
use crate::motion::script::{STANDING_KNEE, Script, at_height};
use crate::motion::standing::hanging;

/// When each pose begins, is reached, is left and is over, in seconds.
type Span = [f64; 4];

const ARMS_UP: Span = [0.0, 0.9, 1.2, 2.0];
const ARMS_ASIDE: Span = [2.0, 2.6, 2.9, 3.5];
const SQUAT: Span = [3.5, 4.3, 4.7, 5.5];
const TWIST: Span = [5.5, 6.2, 6.8, 7.5];
const FISTS: Span = [7.5, 8.2, 8.7, 9.5];
const HEAD: Span = [9.5, 10.2, 11.3, 12.0];
const LEFT_KNEE: Span = [12.0, 12.6, 12.9, 13.5];
const RIGHT_KNEE: Span = [13.5, 14.1, 14.4, 15.0];
const DURATION: f64 = 15.5;
/// How far aside raised arms are, in degrees: up past the sides, so that they do not meet over the head.
const RAISED: f64 = 160.0;
/// How far the body sinks in the squat, in statures, and how far its heels rise, in degrees.
const DEPTH: f64 = 0.2;
const HEELS: f64 = 13.0;
/// How far the trunk twists, the head turns and nods, in degrees.
const TWISTED: f64 = 40.0;
const TURNED: f64 = 60.0;
const NODDED: f64 = 25.0;
/// The thigh of a high knee against the vertical, in degrees.
const THIGH: f64 = 80.0;

/// Goes through the poses one by one, each from standing at rest and back.
pub fn check<'a>(figure: &'a Figure, knobs: &Settings) -> Script<'a> {
    let aside = knobs.aside;
    let knee = knobs.or(Knob::KneeBend, STANDING_KNEE);
    let posture = move |time: f64| {
        let during = |[from, reached, left, over]: Span| {
            smoothstep((time - from) / (reached - from)) * smoothstep((over - time) / (over - left))
        };
        // To the left, to the right, and back.
        let both_ways = |[from, first, second, over]: Span| {
            let keys: [Key; 4] = [[from, 0.0], [first, 1.0], [second, -1.0], [over, 0.0]];
            through(&keys, [0.0; 2], time)
        };
        let (squat, twist) = (during(SQUAT), both_ways(TWIST));
        let knees = [LEFT_KNEE, RIGHT_KNEE].map(during);
        let mut posture = Posture::standing(figure);
        posture.base.y = -DEPTH * figure.stature * squat;
        posture.base.z = -0.07 * figure.stature * squat;
        // Over the foot that stands.
        posture.base.x = 0.03 * figure.stature * (knees[1] - knees[0]);
        posture.pelvis = turn_deg(24.0 * squat, 0.3 * TWISTED * twist, 0.0);
        posture.chest = turn_deg(39.0 * squat, TWISTED * twist, 0.0);
        let (turned, nodded) = (both_ways(HEAD), during(HEAD) * (1.0 - both_ways(HEAD).abs()));
        posture.head = turn_deg(12.0 * squat + NODDED * nodded, TWISTED * twist + TURNED * turned, 0.0);
        for ((leg, foot), up) in figure.legs.iter().zip(&mut posture.feet).zip(knees) {
            let roll = leg.roll(&figure.parts);
            *foot = leg.rolled(leg.ankle, 0.0, (-HEELS * squat * roll).to_radians());
            if up > 0.0 {
                let (sin, cos) = (up * THIGH).to_radians().sin_cos();
                let thigh = figure.parts[leg.upper()].extent.length();
                *foot = FootGoal { contact: [false; 3], pitch: (-20.0 * up).to_radians(), ..*foot };
                foot.ankle.y += thigh * (1.0 - cos);
                foot.ankle.z += 0.8 * thigh * sin;
            }
        }
        let (up, wide, fists) = (during(ARMS_UP), during(ARMS_ASIDE), during(FISTS));
        for goal in &mut posture.arms {
            *goal = hanging(aside);
            // However far aside they hang.
            goal.aside += (RAISED - goal.aside) * up + 75.0 * wide;
            goal.twist -= goal.twist * up;
            goal.forward += 85.0 * squat + 30.0 * fists;
            goal.raise += 25.0 * up + 10.0 * wide;
            goal.protract += 10.0 * squat;
            goal.elbow += 85.0 * fists;
            goal.fist = fists;
        }
        posture
    };
    at_height(figure, DURATION, true, vec![knee; 2], posture)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::knobs::Knobs;
    use crate::motion::posture::solve;
    use crate::rig::fit::Template;
    use crate::testing::{chibi, human};

    /// Also of bodies whose arms are held far aside, and with the limits of fitted shoulders.
    #[test]
    fn raised_arms_stay_apart() {
        let template = Template::named("humanoid").unwrap();
        for (skeleton, aside) in
            [human(), chibi(), template.skeleton].iter().flat_map(|it| [(it, 0.0), (it, 40.0)])
        {
            let figure = Figure::new(skeleton, &[]).unwrap();
            let script = check(&figure, &Settings::new(&Knobs::default(), aside));
            for step in 0..=40 {
                let time = ARMS_UP[0] + (ARMS_UP[3] - ARMS_UP[0]) * f64::from(step) / 40.0;
                let solved = solve(&figure, &(script.posture)(time));
                let is_up = (ARMS_UP[1]..=ARMS_UP[2]).contains(&time);
                for arm in &figure.arms {
                    for bone in [arm.upper, arm.elbow.bone].into_iter().chain(arm.hand.iter().copied()) {
                        let joint = solved.tip(&figure, bone);
                        // As a multiple of the distance of the shoulder from the middle.
                        let out = joint.x / figure.parts[arm.upper].start.x;
                        assert!(out >= if is_up { 1.0 } else { 0.5 }, "{out} at {time} s");
                        assert!(!is_up || joint.y > solved.starts[arm.upper].y, "the arms are up");
                    }
                }
            }
        }
    }
}
