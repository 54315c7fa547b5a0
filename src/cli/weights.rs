//! `ossature weights`: calculates bone weights like the window's button, and refines them.

use super::input::ChangedScene;
use super::output::{Output, count};
use super::{CliError, args};
use crate::edit::command::effects::Edit;
use crate::edit::command::weights::calculate;
use crate::edit::command::{Command, WeightSource};
use crate::io::report::{Report, Severity};
use crate::rig::body::middle::BothSides;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::METHODS;
use crate::rig::weights::method::{Descriptor, Method, Param};
use crate::rig::weights::refine::Refinement;
use crate::rig::weights::report::{INFLUENCE_LIMIT, WeightReport};
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use clap::builder::{PossibleValue, PossibleValuesParser};
use serde::Serialize;

const EXAMPLES: &str = "\
Weights are calculated, then mirrored, smoothed, pruned, limited and normalised, in this order and each only if asked
for.

Examples:
  ossature weights scene.js3d -o bound.js3d
  ossature weights scene.js3d --method heat -o warm.js3d
  ossature weights warm.js3d -o again.js3d
  ossature weights scene.js3d --method power --exponent 2 -o soft.js3d
  ossature weights scene.js3d --smooth 3 --prune 0.01 --limit 4 -o bound.js3d
  ossature weights scene.js3d --mesh Human_skinned_mesh --bones 7,8 -o bound.js3d --json
  ossature weights scene.js3d --keep --mirror left -o even.js3d
  ossature weights dressed.js3d --mesh Shirt --from Body -o ready.js3d
  ossature weights scene.js3d --keep --limit 4 -o for-games.js3d";

/// Calculate or refine bone weights, and save the scene
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    scene: ChangedScene,
    /// Only this skinned mesh [default: all]
    #[arg(long, value_name = "NAME")]
    mesh: Option<String>,
    /// How weights are calculated from now on [default: by the method kept with the mesh, or capsule]
    #[arg(long, value_parser = method_names())]
    method: Option<String>,
    #[command(flatten)]
    parameters: Parameters,
    /// Only these bones (names or indices, separated by commas); the others keep their proportions
    #[arg(long, value_name = "BONES", value_delimiter = ',')]
    bones: Vec<String>,
    /// Keep the weights of the file, and only refine them
    #[arg(long, conflicts_with = "bones")]
    keep: bool,
    /// Transfer the weights of another skinned mesh of the scene instead of calculating them, by position and bone names
    #[arg(long, value_name = "MESH", conflicts_with_all = ["bones", "keep", "method"], requires = "mesh")]
    from: Option<String>,
    /// Copy the weights of this side, where x is positive or negative, to the other
    #[arg(long, value_name = "SIDE", value_enum)]
    mirror: Option<Side>,
    /// Smooth weights over neighbouring vertices, this many times
    #[arg(long, value_name = "TIMES", value_parser = args::whole)]
    smooth: Option<usize>,
    /// How much of the neighbours is blended in each time, from 0 to 1
    #[arg(long, value_name = "FACTOR", default_value_t = 0.5, requires = "smooth")]
    smooth_factor: f32,
    /// Drop weights below this
    #[arg(long, value_name = "WEIGHT")]
    prune: Option<f32>,
    /// Keep at most this many bones per vertex
    #[arg(long, value_name = "BONES", value_parser = args::whole)]
    limit: Option<usize>,
    /// Make the weights of each vertex add up to 1
    #[arg(long)]
    normalize: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The side of the plane between both sides, in most files x = 0, that is copied.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Side {
    /// x is positive: the left of a character that faces +z
    Left,
    /// x is negative
    Right,
}

/// Returns a parser for names of methods, with help from the table of methods.
fn method_names() -> PossibleValuesParser {
    let value = |method: &&Descriptor| PossibleValue::new(method.id).help(method.about);
    METHODS.iter().map(value).collect::<Vec<_>>().into()
}

/// An option for each parameter of the methods.
#[derive(Debug, Default)]
struct Parameters(Vec<(&'static str, f32)>);

impl Parameters {
    /// Returns each parameter once, with the names of the methods that have it.
    fn all() -> Vec<(&'static Param, Vec<&'static str>)> {
        let mut all: Vec<(&Param, Vec<&str>)> = Vec::new();
        for method in METHODS {
            for param in method.params {
                match all.iter_mut().find(|(known, _)| known.id == param.id) {
                    Some((_, methods)) => methods.push(method.id),
                    None => all.push((param, vec![method.id])),
                }
            }
        }
        all
    }
}

impl clap::Args for Parameters {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.args(Self::all().into_iter().map(|(param, methods)| {
            let help = format!(
                "{} ({} {}), from {} to {} [default: as kept with the mesh, or {}]. {}",
                param.label,
                if methods.len() == 1 { "method" } else { "methods" },
                methods.join(" and "),
                param.min,
                param.max,
                param.default,
                param.about,
            );
            let arg = clap::Arg::new(param.id).long(param.id).help(help).value_name("N");
            arg.value_parser(clap::value_parser!(f32))
        }))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Parameters {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        let given = |(param, _): (&'static Param, _)| Some((param.id, *matches.get_one(param.id)?));
        Ok(Self(Self::all().into_iter().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args {
    /// Returns the requested method, or else the `stored` one, with the requested parameters.
    fn method(&self, stored: Method) -> Result<Method, CliError> {
        let requested = self.method.as_deref().and_then(Method::named);
        let requested = requested.filter(|method| method.id() != stored.id());
        let method = requested.unwrap_or(stored);
        let given = self.parameters.0.iter();
        let method = given.fold(method, |method, (id, value)| method.with(id, *value));
        method.check().map_err(|error| CliError::Other(error.to_string()))?;
        Ok(method)
    }

    /// Returns the refinements after the calculation, in order.
    fn refinements(&self) -> Vec<Refinement> {
        let factor = self.smooth_factor;
        let smooth = self.smooth.map(|times| Refinement::Smooth { factor, times });
        let prune = self.prune.map(|below| Refinement::Prune { below });
        let limit = self.limit.map(|most| Refinement::Limit { most });
        let normalize = self.normalize.then_some(Refinement::Normalize);
        [smooth, prune, limit, normalize].into_iter().flatten().collect()
    }

    fn bones(&self, scene: &Scene, mesh: &str) -> Result<Option<Vec<usize>>, CliError> {
        let skeleton = &args::skinned(scene, mesh)?.skeleton;
        let bones = self.bones.iter();
        let bones: Result<Vec<_>, _> = bones.map(|bone| args::find_bone(skeleton, bone.trim())).collect();
        bones.map(|bones| (!bones.is_empty()).then_some(bones))
    }
}

/// The description of weights in the output of `ossature weights` and `ossature info`.
#[derive(Serialize)]
pub struct Weighted {
    mesh: String,
    /// The method that calculates the mesh's weights.
    method: &'static str,
    vertices: usize,
    /// Vertices without weights, which skinning does not move.
    unweighted: usize,
    /// Pairs of vertex and bone.
    entries: usize,
    /// The fewest bones of a vertex with weights.
    fewest_bones_per_vertex: usize,
    /// The mean number of bones of vertices with weights.
    mean_bones_per_vertex: f64,
    most_bones_per_vertex: usize,
    /// Vertices with more than four bones.
    more_than_four_bones: usize,
    /// Vertices whose weights do not add up to 1.
    sum_not_one: usize,
    /// Indices of bones that move no vertex.
    bones_without_influence: Vec<usize>,
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let (mut scene, target) = args.scene.load(output)?;
    if !args.bones.is_empty() {
        // Bones are named relative to one skeleton.
        args::one_mesh(&scene, args.mesh.as_deref())?;
    }
    let meshes = args::meshes(&scene, args.mesh.as_deref())?;
    let mut report = Report::default();
    for mesh in &meshes {
        if args::skinned(&scene, mesh)?.skeleton.bones.is_empty() {
            return Err(CliError::Other(format!(
                "“{mesh}” has no bones that could move it; give it some in the Rig tab first"
            )));
        }
        let bones = args.bones(&scene, mesh)?;
        if let Some(from) = &args.from {
            let name = args::skinned(&scene, from).map(|_| from.clone())?;
            args::apply(&mut scene, &[transfer(mesh, WeightSource::Mesh { name })])?;
        } else if !args.keep {
            let method = args.method(args::skinned(&scene, mesh)?.weight_method)?;
            let findings = calculate(&mut Edit::new(&mut scene), mesh, &method, bones.as_deref(), &|_| true)?;
            for text in findings {
                report.add(Severity::Warning, "no-bone-in-sight", mesh.clone(), text);
            }
        }
        if let Some(side) = args.mirror {
            let from_positive = matches!(side, Side::Left);
            let most = args.limit.unwrap_or(0);
            args::apply(&mut scene, &[transfer(mesh, WeightSource::OtherSide { from_positive, most })])?;
        }
        let refine = |refinement| Command::RefineWeights { mesh: mesh.clone(), vertices: None, refinement };
        let commands: Vec<_> = args.refinements().into_iter().map(refine).collect();
        args::apply(&mut scene, &commands)?;
    }
    output.findings(&args.scene.file, &report);
    target.save(&scene, output)?;
    let scene = &scene;
    let meshes = meshes.iter().filter_map(|mesh| scene.skinned_meshes.get_key_value(mesh));
    let meshes: Vec<_> = meshes.collect();
    if args.json {
        let weighted: Vec<_> = meshes.iter().map(|(mesh, skinned)| weighted(mesh, skinned)).collect();
        return output.json(&weighted);
    }
    for (mesh, skinned) in meshes {
        let w = weighted(mesh, skinned);
        output.line(format_args!(
            "{}: {}, {} out of reach, at most {} each",
            w.mesh,
            count(w.vertices, "vertex", "vertices"),
            w.unweighted,
            count(w.most_bones_per_vertex, "bone", "bones"),
        ))?;
        if args.mirror.is_some() {
            let sides = BothSides::new(&skinned.skeleton);
            output.line(format_args!("  mirrored: {}", sides.summary(&skinned.skeleton)))?;
        }
        print(&w, &skinned.skeleton, output)?;
    }
    Ok(())
}

fn transfer(mesh: &str, from: WeightSource) -> Command {
    Command::TakeWeights { mesh: mesh.to_owned(), vertices: None, from }
}

/// Describes the weights of a mesh.
pub fn weighted(mesh: &str, skinned: &SkinnedMesh) -> Weighted {
    let report = WeightReport::new(&skinned.weights, &skinned.skeleton);
    Weighted {
        mesh: mesh.to_owned(),
        method: skinned.weight_method.id(),
        vertices: report.vertices,
        unweighted: report.unweighted.len(),
        entries: skinned.weights.bones.len(),
        fewest_bones_per_vertex: report.fewest,
        mean_bones_per_vertex: report.mean,
        most_bones_per_vertex: report.most,
        more_than_four_bones: report.over_limit.len(),
        sum_not_one: report.off_sum.len(),
        bones_without_influence: report.idle_bones,
    }
}

/// Prints the description, indented; nothing if there are no weights.
pub fn print(w: &Weighted, skeleton: &Skeleton, output: &mut Output) -> Result<(), CliError> {
    if w.entries == 0 {
        return Ok(());
    }
    output.line(format_args!(
        "  weights: {} to {} a vertex, {:.2} on average, more than {INFLUENCE_LIMIT} at {}",
        w.fewest_bones_per_vertex,
        count(w.most_bones_per_vertex, "bone", "bones"),
        w.mean_bones_per_vertex,
        count(w.more_than_four_bones, "vertex", "vertices"),
    ))?;
    if w.sum_not_one > 0 {
        let off = count(w.sum_not_one, "vertex", "vertices");
        output.line(format_args!("  weights do not add up to 1 at {off}"))?;
    }
    if !w.bones_without_influence.is_empty() {
        let names: Vec<_> = w.bones_without_influence.iter().map(|&bone| skeleton.bone_name(bone)).collect();
        output.line(format_args!("  bones without influence: {}", names.join(", ")))?;
    }
    Ok(())
}
