//! A motion that repeats: what a gait is made of, and the frames that it becomes.

use crate::motion::clip::{Clip, Contact};
use crate::motion::figure::Figure;
use crate::motion::gait::{Gait, Plan};
use crate::motion::posture::{Posture, solve};
use glam::DVec3;

/// A gait with its times and places, for a body.
pub struct Cycle<'a> {
    /// One for each leg.
    pub gaits: Vec<Gait>,
    /// The duration of a cycle in seconds.
    pub period: f64,
    /// In scene units per second.
    pub speed: f64,
    /// The phase at which each leg strikes the ground.
    pub strikes: Vec<f64>,
    /// Where the ankle of each leg is across the body.
    pub tracks: Vec<f64>,
    /// Trunk, arms and tail at a phase.
    pub carriage: Box<dyn Fn(f64) -> Posture + 'a>,
    /// For gaits with flight: the height of the centre of mass at a phase of a cycle of a duration in seconds, up to a
    /// constant.
    pub ballistic: Option<Box<dyn Fn(f64, f64) -> f64 + 'a>>,
}

/// The fewest frames of a cycle.
const FEWEST: usize = 8;

/// Returns some of the postures of a cycle, without its flights.
pub fn samples(figure: &Figure, cycle: Cycle, count: usize) -> Vec<Posture> {
    let rate = count as f64 / cycle.period;
    let plan = plan(figure, Cycle { ballistic: None, ..cycle }, count, rate);
    (0..count).map(|index| plan.posture(index as f64 / count as f64)).collect()
}

/// Plans a cycle of so many frames at a rate.
pub fn plan<'a>(figure: &'a Figure, cycle: Cycle<'a>, count: usize, rate: f64) -> Plan<'a> {
    let period = count as f64 / rate;
    let Cycle { gaits, speed, strikes, tracks, carriage, ballistic, .. } = cycle;
    let mut plan = Plan::new(figure, gaits, strikes, speed * period, tracks, carriage);
    if let Some(ballistic) = &ballistic {
        fall_freely(figure, &mut plan, count, &|phase| ballistic(phase, period));
    }
    plan
}

/// Makes the frames of a cycle: an even number, and the first again.
pub fn frames(figure: &Figure, cycle: Cycle, rate: f64, travels: bool) -> Clip {
    let count = (2 * (0.5 * cycle.period * rate).round() as usize).max(FEWEST);
    let speed = cycle.speed;
    let plan = plan(figure, cycle, count, rate);
    let phase = |frame: usize| (frame % count) as f64 / count as f64;
    let mut clip = Clip::new(rate, true, speed);
    let mut stands: Vec<Vec<bool>> = vec![Vec::new(); figure.legs.len()];
    clip.balls.resize(figure.legs.len(), Vec::new());
    for frame in 0..=count {
        let posture = plan.posture(phase(frame));
        let solved = solve(figure, &posture);
        for (leg, foot) in posture.feet.iter().enumerate() {
            stands[leg].push(foot.stands());
            clip.balls[leg].push(foot.contact[1]);
        }
        clip.overreach = solved.overreach.iter().fold(clip.overreach, |most, by| most.max(*by));
        let mut pose = solved.pose(figure);
        if travels {
            let along = DVec3::Z * speed * frame as f64 / rate;
            pose.base_offset += figure.skeleton_from_body * along;
        }
        clip.poses.push(pose);
    }
    for (leg, stands) in figure.legs.iter().zip(&stands) {
        let stands = |frame: usize| stands[frame % count];
        let strikes = (0..count).filter(|&frame| stands(frame) && !stands(frame + count - 1));
        for down in strikes {
            let up = (down..).find(|&frame| !stands(frame)).unwrap_or(down) - 1;
            clip.contacts.push(Contact { foot: leg.end(), down: down as u32, up: up as u32 });
        }
    }
    clip.contacts.sort_by_key(|contact| contact.down);
    clip
}

/// The rounds after which the height of the body gives the path of its centre of mass to the last digit that matters: each
/// leaves a fifth of the error, the share of the legs.
const ROUNDS: usize = 9;

/// Raises the body so that its centre of mass takes a path at all frames.
fn fall_freely(figure: &Figure, plan: &mut Plan, count: usize, path: &dyn Fn(f64) -> f64) {
    plan.rise = vec![0.0; count];
    for _ in 0..ROUNDS {
        let heights: Vec<f64> = (0..count)
            .map(|frame| {
                let phase = frame as f64 / count as f64;
                path(phase) - solve(figure, &plan.posture(phase)).centre_of_mass(figure).y
            })
            .collect();
        let mean = heights.iter().sum::<f64>() / count as f64;
        for (rise, missing) in plan.rise.iter_mut().zip(&heights) {
            *rise += missing - mean;
        }
        plan.settle();
    }
}
