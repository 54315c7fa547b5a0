//! `ossature convert`: converts scenes and meshes, and joins several into one scene.

use super::output::Output;
use super::target::{Force, Target, write_images};
use super::{CliError, args, surfaces};
use crate::edit::command::{Command, SceneData, Surface};
use crate::io::damaged_pictures::damaged_pictures;
use crate::io::export::{ExportOptions, Influences, Interpolation};
use crate::io::format::{Contents, Format, Object, SceneReader, Writer};
use crate::io::import::FileImport;
use crate::io::import::ImportOptions;
use crate::io::picture_paths::rebase;
use crate::io::placing::Placing;
use crate::io::{formats, picture_files};
use crate::mesh::orientation::{Axis, Orientation, UNITS};
use crate::mesh::soup::Polygons;
use crate::scene::Scene;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const EXAMPLES: &str = "\
Unknown members of a js3d file are kept. Input and output may be the same file, unless
some of it could not be read.
Several inputs are joined into one scene; names that are already taken get a number, and references and
animation follow. An OBJ file becomes a skinned mesh without bones, or a plain mesh with --as mesh; faulty
geometry is repaired and reported. An OBJ output holds one mesh, in its bind pose and its own space (see
`ossature skin` for a posed one). A glTF output holds what is seen, with bones, weights and all takes; inverse
kinematics becomes keys, and what other programs will show otherwise is reported. A glTF input becomes a scene with
bones, weights, surfaces, materials and a take for each animation; what a scene cannot hold is reported with numbers.

Examples:
  ossature convert old.js3d new.js3d
  ossature convert body.obj body.js3d --name Body
  ossature convert statue.obj statue.js3d --guess
  ossature convert statue.obj statue.js3d --units cm --up z --front=-y
  ossature convert stage.js3d chair.obj actor.js3d all.js3d --as mesh
  ossature convert scene.js3d body.obj --mesh Body
  ossature convert walk.js3d walk.glb
  ossature convert character.glb character.js3d --textures textures
  ossature convert character.glb walk.js3d --take Walk";

/// Convert scenes and meshes (js3d, glTF, OBJ), or join several into one scene
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files to read (js3d, glTF, OBJ), then the file to write (.js3d, .obj, .glb or .gltf)
    #[arg(required = true, num_args = 1.., value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What to make from the mesh of an OBJ file
    #[arg(long = "as", value_enum, default_value_t = Kind::Skinned, value_name = "KIND")]
    kind: Kind,
    /// Turn and scale the body of an OBJ file as its shape suggests, and stand it on the floor
    #[arg(long)]
    guess: bool,
    /// Units of the scene per unit of an OBJ file, from 1e-6 to 1e6: 0.01 for centimetres in a scene of metres [default: 1]
    #[arg(long, value_name = "FACTOR")]
    scale: Option<f32>,
    /// Unit of an OBJ file, in a scene of metres
    #[arg(long, value_name = "UNIT", value_parser = UNITS.map(|unit| unit.0), conflicts_with = "scale")]
    units: Option<String>,
    /// Axis of an OBJ file that points up: x, y, z, -x, -y or -z [default: y]
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    up: Option<Axis>,
    /// Axis of an OBJ file that its body faces; it will face z [default: z, or -y if z is up]
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    front: Option<Axis>,
    /// Name for the mesh of an OBJ file [default: that of its first object, or of the file]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The mesh to write as OBJ; needed if there are several
    #[arg(long, value_name = "NAME")]
    mesh: Option<String>,
    #[command(flatten)]
    import: Import,
    #[command(flatten)]
    export: Export,
    #[command(flatten)]
    force: Force,
}

/// Options for reading glTF files.
#[derive(Debug, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Options for reading glTF")]
struct Import {
    /// Folder for images stored in the file [default: one beside the scene, called `SCENE textures`]
    #[arg(long, value_name = "FOLDER", conflicts_with = "no_textures")]
    textures: Option<PathBuf>,
    /// Leave out images stored in the file; only their colour factors are used
    #[arg(long)]
    no_textures: bool,
    /// Key every frame, instead of the fewest that keep the surface within a ten-thousandth of its size
    #[arg(long)]
    all_frames: bool,
}

/// Options for writing glTF files.
#[derive(Debug, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Options for writing glTF")]
struct Export {
    /// Only this take, also of a glTF file that is read; may be given several times where one is written [default: all]
    #[arg(long = "take", value_name = "NAME")]
    takes: Vec<String>,
    /// Bones per vertex: the 4 with the largest weights, or all, which most engines do not read
    #[arg(long, value_enum, default_value_t, value_name = "NUMBER")]
    influences: InfluencesArg,
    /// Interpolation between keys: as they are keyed where glTF can hold that, with the curves of bones linear; all
    /// linear; or all cubic. Blender ignores the tangents of cubic ones
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    interpolation: InterpolationArg,
    /// A node at the tail of each bone without children, called NAME_end
    #[arg(long)]
    tip_nodes: bool,
    /// Put joints in the stored pose instead of the bind pose, which is useful for statues
    #[arg(long)]
    pose_in_nodes: bool,
    /// Leave out the scene itself, which is embedded otherwise, so that the file can be read back without loss
    #[arg(long)]
    no_scene: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, clap::ValueEnum)]
enum InfluencesArg {
    #[default]
    #[value(name = "4")]
    Four,
    All,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, clap::ValueEnum)]
enum InterpolationArg {
    #[default]
    Keyed,
    Linear,
    Cubic,
}

impl Export {
    fn options(&self) -> ExportOptions {
        ExportOptions {
            influences: match self.influences {
                InfluencesArg::Four => Influences::Four,
                InfluencesArg::All => Influences::All,
            },
            interpolation: match self.interpolation {
                InterpolationArg::Keyed => Interpolation::Keyed,
                InterpolationArg::Linear => Interpolation::Linear,
                InterpolationArg::Cubic => Interpolation::Cubic,
            },
            tip_nodes: self.tip_nodes,
            pose_in_nodes: self.pose_in_nodes,
            scene: !self.no_scene,
            takes: self.takes.clone(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum Kind {
    Mesh,
    Skinned,
}

impl Args {
    /// Returns how a mesh is placed: as chosen, else as guessed if that is wanted, else as in the file. Says
    /// what its shape suggests.
    ///
    /// # Errors
    /// For a scale out of range, and for a front along the axis that points up.
    fn placing(&self, input: &Path, polygons: &Polygons, output: &mut Output) -> Result<Placing, CliError> {
        let (guessed, guess) = Placing::guess(polygons);
        let mut placing = if self.guess { guessed } else { Placing::default() };
        if let Some(name) = &self.units {
            let unit = UNITS.iter().find(|unit| unit.0 == name);
            placing.scale = unit.map_or(1.0, |unit| unit.1);
        }
        placing.scale = self.scale.unwrap_or(placing.scale);
        if !Placing::SCALES.contains(&placing.scale) {
            let text = "--scale must be a number from 1e-6 to 1e6";
            return Err(CliError::Other(text.into()));
        }
        if let Some(up) = self.up {
            placing.orientation = placing.orientation.with_up(up);
        }
        let up = placing.orientation.up;
        match self.front {
            Some(front) if front.index == up.index => {
                let text = format!("{front} cannot be the front: {up} points up. Give --up another axis");
                return Err(CliError::Other(text));
            }
            Some(front) => placing.orientation.front = front,
            None => {}
        }
        let input = input.display();
        let Orientation { up, front } = guessed.orientation;
        let unit = UNITS.iter().find(|unit| unit.1 == guessed.scale).map_or("m", |unit| unit.0);
        let suggestion = format!("--up {up} --front {front} --units {unit}");
        if self.guess && !guess.up_sure {
            output.note(format_args!(
                "{input}: its shape does not tell which way is up; --up and --front do. It is put on the floor, in {unit}"
            ));
        } else if self.guess {
            let doubt = if guess.front_sure { "" } else { ", though it may face another way" };
            output.note(format_args!("{input}: placed as with {suggestion}{doubt}"));
        } else if guess.up_sure
            && (guessed.scale, guessed.orientation) != (1.0, Orientation::default())
            && placing == Placing::default()
        {
            output.note(format_args!("{input}: its shape suggests {suggestion}; --guess places it so"));
        }
        Ok(placing)
    }
}

/// A scene file to write: a document, or one for other programs.
pub struct Saving<'a> {
    to: &'a Path,
    write: Writer,
    target: Target<'a>,
}

impl<'a> Saving<'a> {
    /// # Errors
    /// Fails if no scenes are written in the format of the file, or if something else would be overwritten.
    pub fn new(to: &'a Path, force: Force) -> Result<Self, CliError> {
        let format = formats::format_of(to);
        match format.write {
            Some(write @ (Writer::Scene(_) | Writer::Export(_))) => {
                Ok(Self { to, write, target: force.target(to, format.kind)? })
            }
            _ => Err(CliError::Other(format!(
                "{} files hold no skeletons; write a .js3d or .glb file",
                format.name
            ))),
        }
    }

    /// Reads a file that this one is made of, and prints its findings.
    ///
    /// # Errors
    /// Fails if it cannot be read, or if it would be replaced although parts of it could not be read.
    pub fn read(&self, input: &Path, output: &mut Output) -> Result<FileImport, CliError> {
        let imported = formats::read_file(input).map_err(|error| args::unreadable(input, error))?;
        let report = match &imported {
            FileImport::Mesh(import) => &import.report,
            FileImport::Scene(_, report) => report,
        };
        output.findings(input, report);
        self.target.check_replace(input, report)?;
        Ok(imported)
    }

    /// Writes a scene that was read from `input`, with images stored in it.
    pub fn write(&self, mut scene: Scene, input: &Path, output: &mut Output) -> Result<(), CliError> {
        match self.write {
            Writer::Scene(_) => {
                rebase(&mut scene, input.parent(), self.to.parent());
                self.target.save(&scene, output)
            }
            Writer::Export(write) => {
                let picture = |image: &str| {
                    picture_files::read_bytes(image, input.parent()).map_err(|error| error.to_string())
                };
                let exported = write(&scene, &ExportOptions::default(), &picture, self.to, &|_| true)?;
                output.findings(self.to, &exported.report);
                self.target.write_all(&exported.files, output)
            }
            Writer::Meshes(_) => Ok(()),
        }
    }
}

/// A conversion to be done.
struct Conversion<'a> {
    args: &'a Args,
    inputs: &'a [PathBuf],
    to: &'a Path,
    format: &'static Format,
    target: Target<'a>,
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let Some((to, inputs)) = args.files.split_last().filter(|(_, inputs)| !inputs.is_empty()) else {
        return Err(CliError::Other("give a file to read and one to write".into()));
    };
    let format = formats::format_of(to);
    let conversion = Conversion { args, inputs, to, format, target: args.force.target(to, format.kind)? };
    let take = conversion.check_options()?;
    let scene = conversion.read(take, output)?;
    conversion.write(scene, output)
}

impl<'a> Conversion<'a> {
    /// Whether the output is an exported format.
    fn exports(&self) -> bool {
        matches!(self.format.write, Some(Writer::Export(_)))
    }

    /// Returns the take to read, if one is given.
    ///
    /// # Errors
    /// Fails for options that do not apply to the files.
    fn check_options(&self) -> Result<Option<&'a String>, CliError> {
        let args = self.args;
        let exports = self.exports();
        let is_scene = |path: &PathBuf| matches!(formats::format_of(path).contents, Contents::Scene(_));
        let reads = self.inputs.iter().any(is_scene);
        let take = args.export.takes.first().filter(|_| reads && !exports);
        let expected = Export { takes: take.cloned().into_iter().collect(), ..Export::default() };
        let problem = if !reads && args.import != Import::default() {
            "--textures, --no-textures and --all-frames are options of glTF files that are read"
        } else if exports && args.import.textures.is_some() {
            "--textures is a folder for images beside a scene; a glTF file contains its images"
        } else if take.is_some() && args.export.takes.len() > 1 {
            "only one --take can be chosen when a glTF file is read; leave it out for all"
        } else if !exports && args.export != expected {
            let text = format!("{} files have none of the options of glTF", self.format.name);
            return Err(CliError::Other(text));
        } else {
            return Ok(take);
        };
        Err(CliError::Other(problem.into()))
    }

    /// Reads all inputs into one scene.
    fn read(&self, take: Option<&String>, output: &mut Output) -> Result<Scene, CliError> {
        let mut scene = Scene::default();
        for (index, input) in self.inputs.iter().enumerate() {
            let imported = match formats::format_of(input).contents {
                Contents::Scene(read) => self.read_scene(read, input, take)?,
                Contents::Document | Contents::Mesh => {
                    formats::read_file(input).map_err(|error| args::unreadable(input, error))?
                }
            };
            let report = match &imported {
                FileImport::Mesh(import) => &import.report,
                FileImport::Scene(_, report) => report,
            };
            output.findings(input, report);
            self.target.check_replace(input, report)?;
            let command = match imported {
                FileImport::Mesh(import) => {
                    let placing = self.args.placing(input, &import.polygons, output)?;
                    Command::AddMesh {
                        name: self.args.name.clone().unwrap_or(import.name),
                        surface: Surface::Built(Arc::new(placing.place(import.surface))),
                        skinned: self.args.kind == Kind::Skinned,
                    }
                }
                FileImport::Scene(mut read, _) => {
                    if !self.exports() {
                        rebase(&mut read, input.parent(), self.to.parent());
                    }
                    if index == 0 {
                        // Taken as a whole, including what appending would leave out.
                        scene = read;
                        continue;
                    }
                    let scene = SceneData(Arc::new(read));
                    Command::AppendScene { scene }
                }
            };
            args::apply(&mut scene, &[command])
                .map_err(|error| CliError::Other(format!("{}: {error}", input.display())))?;
        }
        Ok(scene)
    }

    /// Reads a glTF file.
    fn read_scene(
        &self,
        read: SceneReader,
        input: &Path,
        take: Option<&String>,
    ) -> Result<FileImport, CliError> {
        let options = ImportOptions {
            take: take.cloned(),
            without_images: self.args.import.no_textures,
            all_frames: self.args.import.all_frames,
            ..ImportOptions::default()
        };
        let mut read = read(input, &options, &|_| true).map_err(|error| args::unreadable(input, error))?;
        let damaged = damaged_pictures(&read.scene, input.parent());
        read.report.findings.extend(damaged.findings);
        Ok(FileImport::Scene(read.scene, read.report))
    }

    fn write(&self, mut scene: Scene, output: &mut Output) -> Result<(), CliError> {
        let name = self.format.name;
        match self.format.write {
            None => Err(CliError::Other(format!("{name} files are only read here"))),
            Some(Writer::Scene(_) | Writer::Export(_)) if self.args.mesh.is_some() => {
                let text =
                    format!("--mesh chooses what is written as a mesh; a {name} file gets the whole scene");
                Err(CliError::Other(text))
            }
            Some(Writer::Scene(write)) => {
                write_images(&mut scene, self.to, self.args.import.textures.as_deref(), output)?;
                self.target.write(&write(&scene)?, output)
            }
            Some(Writer::Export(write)) => {
                let options = self.args.export.options();
                let exported = write(&scene, &options, &|image| self.picture(image), self.to, &|_| true)?;
                output.findings(self.to, &exported.report);
                self.target.write_all(&exported.files, output)
            }
            Some(Writer::Meshes(write)) => {
                let found = surfaces::one(&scene, self.args.mesh.as_deref())?;
                let object = Object { name: found.name, polygons: &Polygons::new(found.surface) };
                self.target.write(&write("mesh space, bind pose", &[object])?, output)
            }
        }
    }

    /// Reads a picture from next to the first input that has it.
    fn picture(&self, image: &str) -> Result<Vec<u8>, String> {
        let folders = self.inputs.iter().map(|input| input.parent());
        let mut found = folders.map(|folder| picture_files::read_bytes(image, folder));
        let first = found.next().unwrap_or_else(|| picture_files::read_bytes(image, None));
        let found = found.fold(first, Result::or);
        found.map_err(|error| error.to_string())
    }
}
