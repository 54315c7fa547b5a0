//! `ossature convert`: reads scenes and meshes and writes them again as one.

use super::output::Output;
use super::target::{Force, Target};
use super::{CliError, args, surfaces};
use crate::edit::command::{Command, SceneData, Surface};
use crate::io::kind::FileKind;
use crate::io::obj::Object;
use crate::mesh::soup::Polygons;
use crate::scene::Scene;
use std::path::PathBuf;
use std::sync::Arc;

const EXAMPLES: &str = "\
Members of js3d that this program does not know are kept. Input and output may be the same file, unless
something of it could not be read.
Several inputs become one scene: names that are taken get a number behind, references and animation follow.
An OBJ file becomes a skinned mesh without bones, or with --as mesh a mesh. What is wrong with it is repaired
and told. To OBJ, one mesh is written, in its bind pose and its own space (see `skin` for a posed one).

Examples:
  ossature convert old.js3d new.js3d
  ossature convert body.obj body.js3d --name Body
  ossature convert stage.js3d chair.obj actor.js3d all.js3d --as mesh
  ossature convert scene.js3d body.obj --mesh Body";

/// Read scenes or meshes and write them again (js3d, OBJ)
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files to read (js3d, OBJ), then the file to write (.js3d or .obj)
    #[arg(required = true, num_args = 1.., value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What the mesh of an OBJ file becomes
    #[arg(long = "as", value_enum, default_value_t = Kind::Skinned, value_name = "KIND")]
    kind: Kind,
    /// Name of the mesh of an OBJ file; that of its first object, or of the file, if not given
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The mesh to write as OBJ; not needed if there is only one
    #[arg(long, value_name = "NAME")]
    mesh: Option<String>,
    #[command(flatten)]
    force: Force,
}

#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum Kind {
    Mesh,
    Skinned,
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let Some((to, inputs)) = args.files.split_last().filter(|(_, inputs)| !inputs.is_empty()) else {
        return Err(CliError::Other("give a file to read and one to write".into()));
    };
    let kind = match surfaces::is_obj(to) {
        true => FileKind::Obj,
        false => FileKind::Js3d,
    };
    let target = args.force.target(to, kind)?;
    let mut scene = Scene::default();
    for (index, input) in inputs.iter().enumerate() {
        let command = if surfaces::is_obj(input) {
            let import = surfaces::import(input, output)?;
            target.may_replace(input, &import.report)?;
            Command::AddMesh {
                name: args.name.clone().unwrap_or(import.name),
                surface: Surface::Polygons(Arc::new(import.polygons)),
                skinned: args.kind == Kind::Skinned,
            }
        } else {
            let read = target.load(input, output)?;
            if index == 0 {
                // As it is: also what no scene needs to have.
                scene = read;
                continue;
            }
            let scene = SceneData(Arc::new(read));
            Command::AppendScene { scene }
        };
        args::apply(&mut scene, &[command])?;
    }
    if kind == FileKind::Obj {
        return write_obj(&scene, args.mesh.as_deref(), &target, output);
    }
    if args.mesh.is_some() {
        let text = "--mesh chooses what is written as OBJ; a js3d file gets the whole scene";
        return Err(CliError::Other(text.into()));
    }
    target.save(&scene, output)
}

fn write_obj(
    scene: &Scene,
    mesh: Option<&str>,
    target: &Target,
    output: &mut Output,
) -> Result<(), CliError> {
    let found = surfaces::one(scene, mesh)?;
    let object = Object {
        name: found.name,
        polygons: &Polygons::of(found.surface),
    };
    target.save_obj("mesh space, bind pose", &[object], output)
}
