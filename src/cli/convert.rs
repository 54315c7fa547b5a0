//! `ossature convert`: reads scenes and meshes and writes them again as one.

use super::output::Output;
use super::{CliError, args, surfaces};
use crate::edit::command::{Command, SceneData, Surface};
use crate::io::durable;
use crate::io::obj::{self, Object};
use crate::mesh::soup::Polygons;
use crate::scene::Scene;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const EXAMPLES: &str = "\
Members of a js3d file that this program does not know are kept. Input and output may be the same file.
Several inputs are joined into one scene; names that are already taken get a number, and references and
animation follow. An OBJ file becomes a skinned mesh without bones, or a plain mesh with --as mesh; faulty
geometry is repaired and reported. An OBJ output holds one mesh, in its bind pose and its own space (see
`ossature skin` for a posed one).

Examples:
  ossature convert old.js3d new.js3d
  ossature convert body.obj body.js3d --name Body
  ossature convert stage.js3d chair.obj actor.js3d all.js3d --as mesh
  ossature convert scene.js3d body.obj --mesh Body";

/// Convert scenes and meshes (js3d, OBJ), or join several into one scene
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files to read (js3d, OBJ), then the file to write (.js3d or .obj)
    #[arg(required = true, num_args = 1.., value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What to make from the mesh of an OBJ file
    #[arg(long = "as", value_enum, default_value_t = Kind::Skinned, value_name = "KIND")]
    kind: Kind,
    /// Name for the mesh of an OBJ file [default: that of its first object, or of the file]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The mesh to write as OBJ; needed if there are several
    #[arg(long, value_name = "NAME")]
    mesh: Option<String>,
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
    let mut scene = Scene::default();
    for (index, input) in inputs.iter().enumerate() {
        let command = if surfaces::is_obj(input) {
            let import = surfaces::import(input, output)?;
            Command::AddMesh {
                name: args.name.clone().unwrap_or(import.name),
                surface: Surface::Polygons(Arc::new(import.polygons)),
                skinned: args.kind == Kind::Skinned,
            }
        } else {
            let read = args::load(input, output)?;
            if index == 0 {
                // As it is: also what no scene needs to have.
                scene = read;
                continue;
            }
            let scene = SceneData(Arc::new(read));
            Command::AppendScene { scene }
        };
        args::apply(&mut scene, &[command])
            .map_err(|error| CliError::Other(format!("{}: {error}", input.display())))?;
    }
    if surfaces::is_obj(to) {
        return write_obj(&scene, args.mesh.as_deref(), to);
    }
    if args.mesh.is_some() {
        let text = "--mesh chooses what is written as OBJ; a js3d file gets the whole scene";
        return Err(CliError::Other(text.into()));
    }
    args::save(to, &scene)
}

fn write_obj(scene: &Scene, mesh: Option<&str>, path: &Path) -> Result<(), CliError> {
    let found = surfaces::one(scene, mesh)?;
    let object = Object {
        name: found.name,
        polygons: &Polygons::of(found.surface),
    };
    let text = obj::write("mesh space, bind pose", &[object])?;
    Ok(durable::save(path, text.as_bytes())?)
}
