//! Measures the time that the journal adds to a step of the session until it is written, for which the window
//! waits.

use super::table::{Line, seconds};
use super::time::{median, p95};
use super::{Failure, Scale, character};
use glam::Vec3;
use ossature::edit::command::Command;
use ossature::edit::journal::store::Store;
use ossature::edit::journal::writer::Journal;
use ossature::edit::session::Session;
use ossature::io::js3d;
use std::time::Instant;

pub fn lines(scale: &Scale) -> Vec<Line> {
    let divisions: &[usize] = if scale.quick { &[0] } else { &[0, 2] };
    let lines = divisions.iter().map(|divisions| {
        let label = |size: &str| format!("journal, a step on the human{size}: what writing it adds, median");
        match times(*divisions, scale.rounds * 10) {
            Ok(Measured { vertices, bytes, times }) => {
                Line::new(label(&format!(" of {vertices} vertices")), median(times.clone()) * 1e3, "ms")
                    .at_most(0.1, 0.02)
                    .note(format!("p95 {}; a file of {:.1} MB", seconds(p95(times)), bytes as f64 * 1e-6))
            }
            Err(error) => Line::new(label(""), f64::NAN, "ms").note(error.to_string()),
        }
    });
    lines.collect()
}

struct Measured {
    vertices: usize,
    /// The size of the scene's file.
    bytes: usize,
    /// The time of each step, in seconds.
    times: Vec<f64>,
}

fn times(divisions: usize, steps: usize) -> Result<Measured, Failure> {
    let scene = character::human(divisions)?;
    let (name, mesh) = scene.skinned_meshes.iter().next().ok_or("no mesh")?;
    let (name, vertices) = (name.clone(), mesh.surface.vertex_count());
    let bytes = js3d::write(&scene)?.len();
    let folder = tempfile::tempdir()?;
    let mut session = Session::new(scene, None);
    session.record();
    let mut journal = Journal::begin(&Store::new(folder.path()), session.scene(), None)?;
    journal.flush();
    let mut times = Vec::with_capacity(steps);
    for step in 0..steps {
        let (mesh, pose_deg) = (name.clone(), Vec3::splat(step as f32 * 0.1 + 0.1));
        session.apply(&[Command::set_bone(mesh, 3, "pose", pose_deg)])?;
        let start = Instant::now();
        journal.follow(&mut session, false);
        times.push(start.elapsed().as_secs_f64());
    }
    match journal.error() {
        Some(trouble) => Err(trouble.into()),
        None => Ok(Measured { vertices, bytes, times }),
    }
}
