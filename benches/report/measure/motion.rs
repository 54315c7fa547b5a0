//! Measures how long motions of a character take to be generated.

use super::table::{Line, seconds};
use super::time::in_turns;
use super::{Scale, character};
use ossature::edit::generate::figure;
use ossature::edit::motions::{self, Choice};
use ossature::edit::session::{Proposal, Session};
use ossature::motion::{Knobs, MOTIONS, generate};
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};

/// The frames whose time is given.
const FRAMES: f64 = 30.0;

pub fn lines(scale: &Scale) -> Vec<Line> {
    let Ok(scene) = character::human(0) else { return Vec::new() };
    let Some(mesh) = scene.skinned_meshes.values().next() else { return Vec::new() };
    let Ok(figure) = figure(mesh) else { return Vec::new() };
    let motions = MOTIONS.iter().filter(|row| ["walk", "run", "jump", "idle"].contains(&row.name));
    let line = |row: &ossature::motion::MotionRow| {
        let make = || generate(&figure, row.motion, &Knobs::default(), 30.0, false);
        let frames = make().map_or(FRAMES, |clip| clip.poses.len() as f64);
        let mut run = || drop(std::hint::black_box(make()));
        let times = in_turns(scale.rounds.min(15), &mut [&mut run]);
        let time = times.get(0);
        let label = format!("motion, human, 30 frames of “{}”", row.label);
        Line::new(label, 1e3 * time * FRAMES / frames, "ms")
            .at_most(30.0, 10.0)
            .note(format!("{} for {frames} frames", seconds(time)))
    };
    motions.map(line).chain([hovered(&scene, scale)]).collect()
}

/// The time from pointing at a motion to its first picture, without drawing: generating, adding to the scene, evaluating.
fn hovered(scene: &Scene, scale: &Scale) -> Line {
    let mesh = scene.skinned_meshes.keys().next().cloned().unwrap_or_default();
    let choice = Choice { motion: "walk", ..Choice::default() };
    let mut evaluator = Evaluator::default();
    let mut run = || {
        let mut session = Session::new(scene.clone(), None);
        if let Ok((commands, _)) = motions::add(scene, &mesh, &choice) {
            let _ = session.propose(Proposal::Trial, &commands);
        }
        let settings = Settings { frame: Some(3.0), ..Settings::default() };
        drop(std::hint::black_box(evaluator.evaluate(session.animated(), &settings)));
    };
    let times = in_turns(scale.rounds.min(15), &mut [&mut run]);
    Line::new("motion, human, from pointing at “Walk” to its first pose", 1e3 * times.get(0), "ms")
        .at_most(50.0, 17.0)
}
