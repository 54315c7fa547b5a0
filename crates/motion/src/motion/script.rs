//! Motions that are described as postures over time, with feet that stand or step as they say.

use crate::motion::clip::{Clip, Contact};
use crate::motion::figure::Figure;
use crate::motion::posture::{Posture, solve, trunk};

/// A motion as postures over time.
pub struct Script<'a> {
    /// In seconds.
    pub duration: f64,
    pub loops: bool,
    /// The posture at a time in seconds.
    pub posture: Box<dyn Fn(f64) -> Posture + 'a>,
}

/// The bend of a knee that stands, in degrees, where it is the straightest.
pub const STANDING_KNEE: f64 = 5.0;

/// The samples at which the height of a motion on the spot is found.
const SAMPLES: usize = 48;

/// Makes a motion at the greatest constant height at which each leg that stands is bent by its number of degrees in `knees`
/// or more.
pub fn at_height<'a>(
    figure: &'a Figure,
    duration: f64,
    loops: bool,
    knees: Vec<f64>,
    posture: impl Fn(f64) -> Posture + 'a,
) -> Script<'a> {
    let sample = |index: usize| posture(duration * index as f64 / SAMPLES as f64);
    let height =
        (0..=SAMPLES).map(|index| rise(figure, &sample(index), &knees)).fold(f64::INFINITY, f64::min);
    let raised = move |time: f64| {
        let mut posture = posture(time);
        posture.base.y += height;
        posture
    };
    Script { duration, loops, posture: Box::new(raised) }
}

/// Returns by how much a body may rise, or has to sink, for each leg that stands to be bent by its number of degrees in
/// `knees` or more.
pub fn rise(figure: &Figure, posture: &Posture, knees: &[f64]) -> f64 {
    let (_, starts) = trunk(figure, posture);
    let feet = figure.legs.iter().zip(&posture.feet).zip(knees);
    let rises = feet.filter(|((_, foot), _)| foot.stands()).map(|((leg, foot), knee)| {
        let straight = (0.5 * knee.to_radians()).cos();
        let (hip, reach) = (starts[leg.upper()], straight * leg.reach(&figure.parts));
        let across = (foot.ankle.x - hip.x).hypot(foot.ankle.z - hip.z);
        foot.ankle.y + (reach * reach - across * across).max(0.0).sqrt() - hip.y
    });
    rises.fold(f64::INFINITY, f64::min)
}

/// Returns some of the postures of a motion.
pub fn samples(script: &Script, count: usize) -> Vec<Posture> {
    (0..count).map(|index| (script.posture)(script.duration * index as f64 / count as f64)).collect()
}

/// Makes the frames of a motion; if it repeats, the first one is also the last.
pub fn frames(figure: &Figure, script: &Script, rate: f64) -> Clip {
    let count = (script.duration * rate).round().max(1.0) as usize;
    let mut clip = Clip::new(rate, script.loops, 0.0);
    let mut stands: Vec<Vec<bool>> = vec![Vec::new(); figure.legs.len()];
    clip.balls.resize(figure.legs.len(), Vec::new());
    for frame in 0..=count {
        let shown = if script.loops { frame % count } else { frame };
        let posture = (script.posture)(script.duration * shown as f64 / count as f64);
        let solved = solve(figure, &posture);
        clip.overreach = solved.overreach.iter().fold(clip.overreach, |most, by| most.max(*by));
        clip.poses.push(solved.pose(figure));
        for (leg, foot) in posture.feet.iter().enumerate() {
            stands[leg].push(foot.stands());
            clip.balls[leg].push(foot.contact[1]);
        }
    }
    for (leg, stands) in figure.legs.iter().zip(&stands) {
        for down in (0..stands.len()).filter(|&frame| stands[frame] && (frame == 0 || !stands[frame - 1])) {
            let up = (down..stands.len()).take_while(|&frame| stands[frame]).last().unwrap_or(down);
            clip.contacts.push(Contact { foot: leg.end(), down: down as u32, up: up as u32 });
        }
    }
    clip.contacts.sort_by_key(|contact| contact.down);
    clip
}
