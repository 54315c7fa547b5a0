//! `ossature weights`: calculates bone weights as the window's button does.

use super::output::{Output, count};
use super::{CliError, args};
use crate::edit::command::Command;
use crate::rig::weights::VertexWeights;
use serde::Serialize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  ossature weights scene.js3d -o bound.js3d
  ossature weights scene.js3d --mesh Human_skinned_mesh -o bound.js3d --json";

/// Calculate bone weights from the bones' radii and save the scene
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Scene file (js3d)
    file: PathBuf,
    /// Scene file to write (.js3d)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Only this skinned mesh; all of them if not given
    #[arg(long, value_name = "NAME")]
    mesh: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Weighted {
    mesh: String,
    vertices: usize,
    /// Vertices out of every bone's reach; they stay where they are.
    unweighted: usize,
    /// Pairs of vertex and bone.
    entries: usize,
    most_bones_per_vertex: usize,
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let mut scene = args::load(&args.file, output)?;
    let meshes = args::meshes(&scene, args.mesh.as_deref())?;
    let commands: Vec<_> = meshes
        .iter()
        .map(|m| Command::CalculateWeights { mesh: m.clone() })
        .collect();
    args::apply(&mut scene, &commands)?;
    args::save(&args.output, &scene)?;
    let of = |mesh: &String| Some(weighted(mesh, &scene.skinned_meshes.get(mesh)?.weights));
    let weighted: Vec<_> = meshes.iter().filter_map(of).collect();
    if args.json {
        return output.json(&weighted);
    }
    for w in weighted {
        output.line(format_args!(
            "{}: {}, {} out of reach, at most {} each",
            w.mesh,
            count(w.vertices, "vertex", "vertices"),
            w.unweighted,
            count(w.most_bones_per_vertex, "bone", "bones"),
        ))?;
    }
    Ok(())
}

fn weighted(mesh: &str, weights: &VertexWeights) -> Weighted {
    let vertices = weights.ends.len();
    let counts: Vec<_> = (0..vertices).map(|v| weights.of(v).count()).collect();
    Weighted {
        mesh: mesh.to_owned(),
        vertices,
        unweighted: counts.iter().filter(|&&n| n == 0).count(),
        entries: weights.bones.len(),
        most_bones_per_vertex: counts.iter().copied().max().unwrap_or(0),
    }
}
