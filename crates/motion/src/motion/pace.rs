//! How fast a body can go: a gait that is wanted faster than its legs allow is as fast as they do.

use crate::motion::figure::{Figure, Unfit};
use crate::motion::knobs::{KNOBS, Knob, Knobs, Settings};
use crate::motion::posture::{Posture, solve, trunk};
use crate::motion::{Motion, samples};

/// By how much knees may come down with longer steps on the ground, as a fraction of their height in the bind pose. The human of
/// `media` then walks at most as fast as men of twenty to thirty do: 1.45 of their heights a second (Bohannon 1997).
const LOWER: f64 = 0.216;
/// The halvings of the range of speeds: to a two hundredth of a body height per second.
const HALVINGS: usize = 10;

/// Numbers with which a body can make a motion.
pub struct Feasible {
    pub knobs: Knobs,
    /// Some of the postures of the motion.
    pub postures: Vec<Posture>,
    /// Whether the body is slower than was wanted.
    pub is_slowed: bool,
}

/// Returns the numbers as wanted, or with the greatest speed that the legs can make if that is less.
///
/// # Errors
/// If there is no such motion for the legs, or they cannot make it at its usual speed either.
pub fn feasible(figure: &Figure, motion: Motion, knobs: &Knobs) -> Result<Feasible, Unfit> {
    let settings = Settings::new(knobs, 0.0);
    let postures = samples(figure, motion, &settings)?;
    let is_lifted = |postures: &[Posture]| postures.iter().any(|posture| is_lifted(figure, posture));
    let wanted = settings.used().get(Knob::Speed);
    // Knobs end somewhere.
    let is_slowed = wanted.zip(knobs.get(Knob::Speed)).is_some_and(|(used, asked)| used < asked);
    let as_wanted = Feasible { knobs: *knobs, postures, is_slowed };
    if is_lifted(&as_wanted.postures) {
        // If it is so at the usual speed too, the legs themselves are wrong.
        let usual = samples(figure, motion, &Settings::default())?;
        if wanted.is_none() || is_lifted(&usual) {
            return Err(Unfit::Lifted);
        }
    }
    let Some(mut high) = wanted else { return Ok(as_wanted) };
    let at = |speed: f64| {
        let mut knobs = *knobs;
        knobs.set(Knob::Speed, speed);
        let postures = samples(figure, motion, &Settings::new(&knobs, 0.0))?;
        Ok(Feasible { knobs, postures, is_slowed: true })
    };
    let mut low = KNOBS[Knob::Speed as usize].range[0];
    let mut fastest = at(low)?;
    if is_lifted(&fastest.postures) {
        return Err(Unfit::Lifted);
    }
    // Long steps are made in flight.
    let least = match motion {
        Motion::Run | Motion::Trot => f64::NEG_INFINITY,
        _ => lowest_knee(figure, &fastest.postures) - LOWER,
    };
    let is_upright = |postures: &[Posture]| lowest_knee(figure, postures) >= least && !is_lifted(postures);
    if is_upright(&as_wanted.postures) {
        return Ok(as_wanted);
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        let tried = at(middle)?;
        if is_upright(&tried.postures) { (low, fastest) = (middle, tried) } else { high = middle }
    }
    Ok(fastest)
}

/// Returns the greatest speed at which a body can make a motion with these numbers, as the knob has it; `None` if there is no such
/// motion for it, or if it stays in its place.
pub fn fastest(figure: &Figure, motion: Motion, knobs: &Knobs) -> Option<f64> {
    let mut knobs = *knobs;
    knobs.set(Knob::Speed, KNOBS[Knob::Speed as usize].range[1]);
    let found = feasible(figure, motion, &knobs).ok()?;
    let settings = Settings::new(&found.knobs, 0.0);
    samples(figure, motion, &settings).ok()?;
    settings.used().get(Knob::Speed)
}

/// Whether an ankle is above its hip.
fn is_lifted(figure: &Figure, posture: &Posture) -> bool {
    let (_, starts) = trunk(figure, posture);
    figure.legs.iter().zip(&posture.feet).any(|(leg, foot)| foot.ankle.y > starts[leg.upper()].y)
}

/// Returns the least height of a knee over the floor, as a fraction of that in the bind pose.
fn lowest_knee(figure: &Figure, postures: &[Posture]) -> f64 {
    let height = |point: glam::DVec3| point.y - figure.floor;
    let heights = postures.iter().flat_map(|posture| {
        let starts = solve(figure, posture).starts;
        let knees = figure.legs.iter().map(|leg| leg.hinges()[0].bone);
        knees.map(|knee| height(starts[knee]) / height(figure.parts[knee].start)).collect::<Vec<f64>>()
    });
    heights.fold(f64::INFINITY, f64::min)
}
