//! `ossature measure`: measures how a pose or an animation deforms the surface.

use super::input::PosedMeshes;
use super::output::Output;
use super::{CliError, args};
use crate::mesh::measure::{Deformation, Measure};
use crate::scene::evaluate::Evaluator;
use serde::Serialize;

const EXAMPLES: &str = "\
Volume is that of the skinned surface divided by that of the bind pose; “-” for a surface with holes.
Stretch is the largest ratio, over all edges, of an edge's length to its length in the bind pose.
Without --frames, every frame of the play range is measured, or the stored pose if nothing is animated.

Examples:
  ossature measure scene.js3d
  ossature measure scene.js3d --frames 0..48 --method dual-quaternion
  ossature measure scene.js3d --mesh Human_skinned_mesh --frames 12 --json
  ossature measure checked.js3d --worst";

/// Measure how skinned meshes deform, frame by frame: volume and largest edge stretch
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    posed: PosedMeshes,
    /// One frame, or the first and the last of at most 10,000
    #[arg(long, value_name = "FIRST..LAST", value_parser = args::frames_at_once)]
    frames: Option<[u32; 2]>,
    /// Print only the extremes of each mesh: the greatest stretch, the least and the greatest volume
    #[arg(long)]
    worst: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Measured {
    mesh: String,
    /// The frame, or null for the stored pose.
    frame: Option<u32>,
    #[serde(flatten)]
    deformation: Deformation,
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let (scene, meshes) = args.posed.load(output)?;
    let is_animated = scene.animation.last_key().is_some();
    let played = || is_animated.then(|| args::played_at_once(&scene, None, 1));
    let frames: Vec<Option<u32>> = match args.frames.map(Ok).or_else(played).transpose()? {
        Some([first, last]) => (first..=last).map(Some).collect(),
        None => vec![None],
    };
    let measure = |mesh: &String| Ok((mesh.clone(), Measure::new(&args::skinned(&scene, mesh)?.surface)));
    let measures: Vec<_> = meshes.iter().map(measure).collect::<Result<_, CliError>>()?;
    let mut evaluator = Evaluator::default();
    let mut all = Vec::new();
    for frame in frames {
        let settings = args.posed.settings(frame.map(|frame| frame as f32));
        let evaluated = evaluator.evaluate(&scene, &settings);
        for (mesh, measure) in &measures {
            let posed = args::posed(&evaluated, mesh)?;
            if let Some(vertex) = posed.lost_vertex() {
                return Err(CliError::Other(format!(
                    "“{mesh}” ({}): vertex {vertex} is too far from the origin to be measured; scale the mesh or its bones down",
                    pose_name(frame)
                )));
            }
            let deformation = measure.deformation(&posed.positions);
            all.push(Measured { mesh: mesh.clone(), frame, deformation });
        }
    }
    if args.worst {
        all = extremes(all, &meshes);
    }
    if args.json {
        return output.json(&all);
    }
    for found in all {
        let Deformation { volume, stretch, .. } = found.deformation;
        let volume = volume.map_or("-".into(), |volume| rounded(volume, 4));
        output.line(format_args!(
            "{}: {}, volume {volume}, stretch {}",
            found.mesh,
            pose_name(found.frame),
            rounded(stretch, 3)
        ))?;
    }
    Ok(())
}

/// Returns of each mesh the frames of the greatest stretch, of the least and of the greatest volume, each frame once.
fn extremes(all: Vec<Measured>, meshes: &[String]) -> Vec<Measured> {
    let mut wanted = vec![false; all.len()];
    for mesh in meshes {
        let rows = || all.iter().map(|found| (&found.mesh, found.deformation)).enumerate();
        let rows = || rows().filter(|(_, (name, _))| *name == mesh).map(|(row, (_, found))| (row, found));
        let stretches = rows().map(|(row, found)| (row, found.stretch));
        let volumes = || rows().filter_map(|(row, found)| Some((row, found.volume?)));
        let by_value = |a: &(usize, f64), b: &(usize, f64)| a.1.total_cmp(&b.1);
        // Of equal ones, the first.
        let greatest = stretches.rev().max_by(by_value);
        let found = [greatest, volumes().min_by(by_value), volumes().rev().max_by(by_value)];
        found.into_iter().flatten().for_each(|(row, _)| wanted[row] = true);
    }
    let rows = all.into_iter().zip(wanted);
    rows.filter_map(|(found, wanted)| wanted.then_some(found)).collect()
}

fn pose_name(frame: Option<u32>) -> String {
    frame.map_or("stored pose".into(), |frame| format!("frame {frame}"))
}

/// Formats a number with the given decimal places; very large numbers with an exponent.
fn rounded(value: f64, places: usize) -> String {
    if value.abs() < 1e9 { format!("{value:.places$}") } else { format!("{value:.places$e}") }
}
