//! `ossature skin`: writes the skinned surface at a frame as an OBJ file.

use super::input::PosedMeshes;
use super::output::{Output, count};
use super::target::Force;
use super::{CliError, args};
use crate::io::numbered_path::NumberedPath;
use crate::io::obj;
use crate::scene::Scene;
use crate::scene::evaluate::{Evaluated, Evaluator, posed_polygons};
use glam::Mat4;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
In world space every visible instance is written, placed by its transform; in mesh space every skinned mesh
is written once, as it is. A vertex is written once; normals and texture coordinates are written per corner.

Examples:
  ossature skin scene.js3d -o now.obj
  ossature skin scene.js3d --frame 12 -o frame12.obj
  ossature skin scene.js3d --frames 0..95 -o frames/%04d.obj
  ossature skin scene.js3d --frame 12 --method dual-quaternion -o smooth12.obj
  ossature skin scene.js3d --mesh Human_skinned_mesh --space mesh --no-ik -o human.obj";

/// Write the deformed surface with its normals as OBJ
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    posed: PosedMeshes,
    /// Evaluate the animation at this frame [default: the pose stored in the file]
    #[arg(long, value_name = "T")]
    frame: Option<f32>,
    /// Write a file for each of these frames, both ends included; OUT must contain %d, or %04d for four digits
    #[arg(long, value_name = "FIRST..LAST", value_parser = args::frames_at_once, conflicts_with = "frame")]
    frames: Option<[u32; 2]>,
    /// Space that positions are written in
    #[arg(long, value_enum, default_value_t = Space::World)]
    space: Space,
    /// OBJ file to write
    #[arg(short, long, value_name = "OUT.obj")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
}

#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum Space {
    /// Every visible instance, placed by its transform
    World,
    /// Every skinned mesh once, in its own space
    Mesh,
}

/// An object of the OBJ file.
struct Object<'a> {
    name: &'a str,
    mesh: &'a str,
    file_from_mesh: Mat4,
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let numbered = args.frames.map(|_| NumberedPath::from_path(&args.output));
    let numbered = numbered.transpose().map_err(CliError::Other)?;
    match (args.frames, &numbered) {
        (Some([first, last]), Some(numbered)) => {
            for frame in first..=last {
                args.force.target(&numbered.path(frame), &obj::KIND)?;
            }
        }
        _ => drop(args.force.target(&args.output, &obj::KIND)?),
    }
    let (scene, meshes) = args.posed.load(output)?;
    let mut evaluator = Evaluator::default();
    let (Some([first, last]), Some(numbered)) = (args.frames, numbered) else {
        let frame = args.frame.map(|frame| args::finite("--frame", frame)).transpose()?;
        return write(args, &scene, &meshes, &mut evaluator, frame, &args.output, output);
    };
    std::fs::create_dir_all(numbered.folder()).map_err(|error| {
        let folder = numbered.folder().display();
        CliError::Other(format!("the folder {folder} could not be made: {error}"))
    })?;
    for frame in first..=last {
        let path = numbered.path(frame);
        write(args, &scene, &meshes, &mut evaluator, Some(frame as f32), &path, output)?;
    }
    Ok(())
}

/// Writes a file and prints its path.
fn write(
    args: &Args,
    scene: &Scene,
    meshes: &[String],
    evaluator: &mut Evaluator,
    frame: Option<f32>,
    path: &Path,
    output: &mut Output,
) -> Result<(), CliError> {
    let evaluated = evaluator.evaluate(scene, &args.posed.settings(frame));
    let objects = match args.space {
        Space::Mesh => {
            meshes.iter().map(|mesh| Object { name: mesh, mesh, file_from_mesh: Mat4::IDENTITY }).collect()
        }
        Space::World => visible_instances(&evaluated, meshes),
    };
    if objects.is_empty() {
        let text = "no skinned mesh is placed visibly in the world; use --space mesh";
        return Err(CliError::Other(text.into()));
    }
    write_obj(args, frame, &evaluated, &objects, path, output)?;
    let objects = count(objects.len(), "object", "objects");
    output.line(format_args!("{}: {objects}", path.display()))
}

fn visible_instances<'a>(evaluated: &'a Evaluated, meshes: &'a [String]) -> Vec<Object<'a>> {
    let scene: &Scene = &evaluated.scene;
    let visible = scene.instances.skinned_meshes.iter().filter(|(_, i)| i.settings.visible);
    let objects = visible.filter_map(|(name, instance)| {
        let mesh = meshes.iter().find(|&mesh| instance.resource.as_ref() == Some(mesh))?;
        Some(Object { name, mesh, file_from_mesh: evaluated.world(instance.transform.as_deref()) })
    });
    objects.collect()
}

fn write_obj(
    args: &Args,
    frame: Option<f32>,
    evaluated: &Evaluated,
    objects: &[Object],
    path: &Path,
    output: &mut Output,
) -> Result<(), CliError> {
    let space = match args.space {
        Space::World => "world space",
        Space::Mesh => "mesh space",
    };
    let pose = frame.map_or("the stored pose".into(), |frame| format!("frame {frame}"));
    let mut polygons = Vec::new();
    for object in objects {
        let surface = &args::skinned(&evaluated.scene, object.mesh)?.surface;
        let posed = args::posed(evaluated, object.mesh)?;
        polygons.push(posed_polygons(surface, posed).transformed(object.file_from_mesh));
    }
    let objects: Vec<_> = objects
        .iter()
        .zip(&polygons)
        .map(|(object, polygons)| obj::Object { name: object.name, polygons })
        .collect();
    let target = args.force.target(path, &obj::KIND)?;
    target.save_obj(&format!("{space}, {pose}"), &objects, output)
}
