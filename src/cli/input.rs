//! Arguments that several commands share: the file that is read, the meshes of it that are meant, where it goes.

use super::muting::Muting;
use super::output::Output;
use super::target::{Force, Target};
use super::{CliError, args};
use crate::edit::command::Command;
use crate::io::js3d;
use crate::rig::ik;
use crate::rig::skinning::Method;
use crate::scene::Scene;
use crate::scene::evaluate::Settings;
use std::path::PathBuf;

/// What is looked into.
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
    /// Scene file (js3d)
    pub file: PathBuf,
    /// Scene file to write (.js3d)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
}

impl ChangedScene {
    /// The scene, and where it is saved.
    ///
    /// # Errors
    /// If it cannot be read, or may not be saved there.
    pub fn load(&self, output: &mut Output) -> Result<(Scene, Target<'_>), CliError> {
        let target = self.force.target(&self.output, &js3d::KIND)?;
        let scene = target.load(&self.file, output)?;
        Ok((scene, target))
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
    /// # Errors
    /// If there is none of that name, or several to choose from.
    pub fn name(&self, scene: &Scene) -> Result<String, CliError> {
        args::one_mesh(scene, self.mesh.as_deref())
    }
}

/// Skinned meshes of a scene, and how they are posed and skinned.
#[derive(Debug, clap::Args)]
pub struct PosedMeshes {
    /// Scene file (js3d)
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
    /// The scene with what is muted and how it is skinned, and the names of the meshes, at least one.
    ///
    /// # Errors
    /// If the file cannot be read, or a name means nothing in it.
    pub fn load(&self, output: &mut Output) -> Result<(Scene, Vec<String>), CliError> {
        let mut scene = args::load(&self.file, output)?;
        self.muting.apply(&mut scene)?;
        let meshes = args::meshes(&scene, self.mesh.as_deref())?;
        if let Some(method) = self.method {
            let set = |mesh: &String| Command::SetSkinning {
                mesh: mesh.clone(),
                method,
            };
            args::apply(&mut scene, &meshes.iter().map(set).collect::<Vec<_>>())?;
        }
        Ok((scene, meshes))
    }

    /// How the scene is evaluated; at no frame as it is stored.
    pub fn settings(&self, frame: Option<f32>) -> Settings {
        Settings {
            frame,
            ik: (!self.no_ik).then(ik::Options::default),
            ..Settings::default()
        }
    }
}
