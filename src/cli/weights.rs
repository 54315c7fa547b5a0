//! `ossature weights`: calculates bone weights as the window's button does.

use super::output::{Output, count};
use super::{CliError, args};
use crate::edit::command::weights::calculate;
use crate::io::report::{Report, Severity};
use crate::rig::weights::VertexWeights;
use crate::rig::weights::method::{DEFAULT_EXPONENT, Method};
use serde::Serialize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  ossature weights scene.js3d -o bound.js3d
  ossature weights scene.js3d --method heat -o warm.js3d
  ossature weights scene.js3d --method power --exponent 2 -o soft.js3d
  ossature weights scene.js3d --mesh Human_skinned_mesh -o bound.js3d --json";

/// Calculate bone weights and save the scene
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
    /// How
    #[arg(long, value_enum, default_value_t = Name::Capsule)]
    method: Name,
    /// Of the power kernel and of tube weights: 0.5 to 10
    #[arg(long, value_name = "A", default_value_t = DEFAULT_EXPONENT)]
    exponent: f32,
    /// Of heat diffusion: how many bones a vertex keeps at most; 0 for all
    #[arg(long, value_name = "N", default_value_t = 4)]
    largest: u8,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum Name {
    /// Within the bones' radii, fading towards them
    Capsule,
    /// Over the surface, from the bones in sight
    Heat,
    /// Within the bones' radii, by 1/distance
    InverseDistance,
    /// All bones, by 1/distance to the power of the exponent
    Power,
    /// Two bones in a row, by the position along them
    Tube,
}

impl Args {
    fn method(&self) -> Result<Method, CliError> {
        let exponent = self.exponent;
        let method = match self.method {
            Name::Capsule => Method::Capsule,
            Name::Heat => Method::Heat {
                largest: Some(self.largest).filter(|&largest| largest > 0),
            },
            Name::InverseDistance => Method::InverseDistance,
            Name::Power => Method::Power { exponent },
            Name::Tube => Method::Tube { exponent },
        };
        method
            .check()
            .map_err(|error| CliError::Other(error.to_string()))?;
        Ok(method)
    }
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
    let method = args.method()?;
    let mut report = Report::default();
    for mesh in &meshes {
        let findings = calculate(&mut scene, mesh, &method, &|_| true)?;
        for text in findings {
            report.add(Severity::Warning, "no-bone-in-sight", mesh.clone(), text);
        }
    }
    output.findings(&args.file, &report);
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
