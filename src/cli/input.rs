//! Arguments shared by several commands: the input file, its meshes, and the output file.

use super::convert::Saving;
use super::muting::Muting;
use super::output::Output;
use super::target::{Force, Target};
use super::{CliError, args};
use crate::edit::command::Command;
use crate::io::import::FileImport;
use crate::io::js3d;
use crate::rig::ik;
use crate::rig::skinning::Method;
use crate::scene::Scene;
use crate::scene::evaluate::Settings;
use std::path::PathBuf;

/// A file to inspect.
#[derive(Debug, clap::Args)]
pub struct InspectedFile {
    /// Scene file (js3d or glTF) or mesh (OBJ)
    pub file: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A scene that is read, changed and saved.
#[derive(Debug, clap::Args)]
pub struct ChangedScene {
    /// Scene file (js3d or glTF)
    pub file: PathBuf,
    /// Scene file to write (.js3d)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
}

impl ChangedScene {
    /// Reads the scene and returns it with its target.
    ///
    /// # Errors
    /// Fails if the scene cannot be read or may not be saved there.
    pub fn load(&self, output: &mut Output) -> Result<(Scene, Target<'_>), CliError> {
        let target = self.force.target(&self.output, &js3d::KIND)?;
        let scene = target.load(&self.file, output)?;
        Ok((scene, target))
    }
}

/// A scene that is listed, or changed and saved.
#[derive(Debug, clap::Args)]
pub struct ListedScene {
    /// Scene file (js3d or glTF)
    pub file: PathBuf,
    /// Scene file to write (.js3d)
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    force: Force,
}

impl ListedScene {
    /// Reads the scene and returns it with its target, if it is to be saved.
    ///
    /// # Errors
    /// Fails if the scene cannot be read or may not be saved there.
    pub fn load(&self, output: &mut Output) -> Result<(Scene, Option<Target<'_>>), CliError> {
        self.force.load(&self.file, self.output.as_deref(), output)
    }
}

/// A scene that is read, changed and saved, in any format with skeletons.
#[derive(Debug, clap::Args)]
pub struct AnyScene {
    /// Scene file (js3d or glTF)
    pub file: PathBuf,
    /// File to write (.js3d, .glb or .gltf)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
}

impl AnyScene {
    /// Reads the scene and returns it with the file that it is to be saved as.
    ///
    /// # Errors
    /// Fails if the scene cannot be read or may not be saved there.
    pub fn load(&self, output: &mut Output) -> Result<(Scene, Saving<'_>), CliError> {
        let saving = Saving::new(&self.output, self.force)?;
        match saving.read(&self.file, output)? {
            FileImport::Scene(scene, _) => Ok((scene, saving)),
            FileImport::Mesh(_) => Err(CliError::Other(format!(
                "{} holds no skeleton; `ossature fit` gives its mesh one",
                self.file.display()
            ))),
        }
    }
}

/// One skinned mesh of a scene.
#[derive(Debug, clap::Args)]
pub struct MeshChoice {
    /// The skinned mesh; needed if there are several
    #[arg(long, value_name = "NAME")]
    mesh: Option<String>,
}

impl MeshChoice {
    /// Returns the name of the chosen mesh.
    ///
    /// # Errors
    /// Fails if there is no mesh of that name, or if none is named and there are several.
    pub fn name(&self, scene: &Scene) -> Result<String, CliError> {
        args::one_mesh(scene, self.mesh.as_deref())
    }
}

/// Skinned meshes of a scene, and how they are posed and skinned.
#[derive(Debug, clap::Args)]
pub struct PosedMeshes {
    /// Scene file (js3d or glTF)
    file: PathBuf,
    /// Only this skinned mesh [default: all]
    #[arg(long, value_name = "NAME")]
    mesh: Option<String>,
    /// linear, dual-quaternion, or a blend from 0 (linear) to 1 (dual quaternions) [default: as in the file]
    #[arg(long, value_name = "METHOD", value_parser = args::skinning)]
    method: Option<Method>,
    /// Ignore handles, even enabled ones
    #[arg(long)]
    no_ik: bool,
    #[command(flatten)]
    muting: Muting,
}

impl PosedMeshes {
    /// Reads the scene, applies muting and the skinning method, and returns it with the names of the meshes,
    /// at least one.
    ///
    /// # Errors
    /// Fails if the file cannot be read or has no object of a given name.
    pub fn load(&self, output: &mut Output) -> Result<(Scene, Vec<String>), CliError> {
        let mut scene = args::load(&self.file, output)?;
        self.muting.apply(&mut scene)?;
        let meshes = args::meshes(&scene, self.mesh.as_deref())?;
        if let Some(method) = self.method {
            let set = |mesh: &String| Command::SetSkinning { mesh: mesh.clone(), method };
            args::apply(&mut scene, &meshes.iter().map(set).collect::<Vec<_>>())?;
        }
        Ok((scene, meshes))
    }

    /// Returns the settings for evaluating the scene at a frame, or as it is stored if there is none.
    pub fn settings(&self, frame: Option<f32>) -> Settings {
        Settings { frame, ik: (!self.no_ik).then(ik::Options::default), ..Settings::default() }
    }
}
