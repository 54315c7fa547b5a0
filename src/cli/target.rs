//! The output file of a headless command: what it may replace, and checks that the result can be read again.

use super::output::Output;
use super::{CliError, args};
use crate::edit::command::Command;
use crate::edit::command::sounds::SoundCommand;
use crate::io::count::counted;
use crate::io::format::{Contents, WriteError};
use crate::io::formats::{FORMATS, format_of};
use crate::io::kind::FileKind;
use crate::io::picture_paths::{PicturePaths, rebase};
use crate::io::report::Report;
use crate::io::{durable, js3d, limits, obj, picture_files};
use crate::scene::Scene;
use std::path::{Path, PathBuf};

/// Options of commands that write a file.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Force {
    /// Overwrite a file of another kind, or the input file even if some of it would be lost
    #[arg(long)]
    pub force: bool,
}

/// A file to write.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    path: &'a Path,
    kind: &'static FileKind,
    force: bool,
}

impl Force {
    /// Returns the target for a file of a kind. Call this before computing anything.
    ///
    /// # Errors
    /// Fails if the name has another extension, or an existing file is of another kind.
    pub fn target<'a>(&self, path: &'a Path, kind: &'static FileKind) -> Result<Target<'a>, CliError> {
        let force = self.force;
        if FileKind::from_path(path) != Some(kind) {
            return Err(CliError::Other(format!(
                "cannot write {}: the name must end in .{}",
                path.display(),
                kind.extension
            )));
        }
        match kind.overwrite_conflict(path).filter(|_| !force) {
            Some(objection) => Err(refused(path, &objection)),
            None => Ok(Target { path, kind, force }),
        }
    }

    /// Reads a scene and returns it with its target, if it is to be saved.
    ///
    /// # Errors
    /// Fails if the scene cannot be read or may not be saved there.
    pub fn load<'a>(
        &self,
        file: &Path,
        saved: Option<&'a Path>,
        output: &mut Output,
    ) -> Result<(Scene, Option<Target<'a>>), CliError> {
        let Some(path) = saved else {
            return Ok((args::load(file, output)?, None));
        };
        let target = self.target(path, &js3d::KIND)?;
        Ok((target.load(file, output)?, Some(target)))
    }
}

fn refused(path: &Path, reason: &str) -> CliError {
    let path = path.display();
    CliError::Other(format!("cannot write {path}: {reason}. Give another name, or --force to replace it"))
}

/// Writes images stored in the scene to files, refers to them by paths relative to the output, and reports where they are.
pub fn write_images(
    scene: &mut Scene,
    to: &Path,
    textures: Option<&Path>,
    output: &mut Output,
) -> Result<(), CliError> {
    let PicturePaths { images, sound, files } = PicturePaths::new(scene, to.parent(), to, textures);
    let start = scene.animation.sound.as_ref().map(|sound| sound.start);
    if let (Some(path), Some(start)) = (sound, start) {
        let command = Command::Sound(SoundCommand::Set { path, start });
        args::apply(scene, &[command])?;
    }
    if images.is_empty() {
        return Ok(());
    }
    picture_files::write(&files).map_err(CliError::Other)?;
    if let Some(folder) = files.first().and_then(|(path, _)| path.parent()) {
        let written = counted(files.len(), "image", "images");
        output.note(format_args!("{written} written into {}", folder.display()));
    }
    args::apply(scene, &[Command::SetImages { images }]).map(drop)
}

impl Target<'_> {
    /// Reads a scene like [`args::load`]; its paths become relative to the folder of the target.
    ///
    /// # Errors
    /// Fails if the scene cannot be read, or if its file would be replaced although parts of it could not be
    /// read.
    pub fn load(&self, path: &Path, output: &mut Output) -> Result<Scene, CliError> {
        let (mut scene, report) = args::load_with_report(path, output)?;
        self.check_replace(path, &report)?;
        rebase(&mut scene, path.parent(), self.path.parent());
        Ok(scene)
    }

    /// Checks that overwriting `input` would not destroy parts of it that could not be read.
    ///
    /// # Errors
    /// Fails if it would, unless overwriting is forced.
    pub fn check_replace(&self, input: &Path, report: &Report) -> Result<(), CliError> {
        if self.force || !self.is_same_file(input) {
            return Ok(());
        }
        if !matches!(format_of(self.path).contents, Contents::Document) {
            let reason = "it is the input file, and its format cannot store a whole scene";
            return Err(refused(self.path, reason));
        }
        match report.losses().count() {
            0 => Ok(()),
            count => {
                let first = report.losses().next().map(|finding| finding.text.as_str());
                let reason = format!(
                    "it is the input file, and {count} of its parts could not be read ({})",
                    first.unwrap_or_default()
                );
                Err(refused(self.path, &reason))
            }
        }
    }

    fn is_same_file(&self, other: &Path) -> bool {
        match (self.path.canonicalize(), other.canonicalize()) {
            (Ok(path), Ok(other)) => path == other,
            _ => false,
        }
    }

    /// Writes a scene atomically, with images stored in it as files, and notes what Scotty3D shows differently.
    pub fn save(&self, scene: &Scene, output: &mut Output) -> Result<(), CliError> {
        let mut scene = scene.clone();
        write_images(&mut scene, self.path, None, output)?;
        for finding in js3d::differences::differences(&scene).findings {
            output.finding(&finding);
        }
        self.write(&js3d::write(&scene).map_err(WriteError::from)?, output)
    }

    /// Writes a mesh atomically.
    pub fn save_obj(
        &self,
        comment: &str,
        objects: &[obj::Object],
        output: &mut Output,
    ) -> Result<(), CliError> {
        let text = obj::write(comment, objects).map_err(WriteError::from)?;
        self.write(text.as_bytes(), output)
    }

    /// Writes files that belong together, with the requested one last.
    pub fn write_all(&self, files: &[(PathBuf, Vec<u8>)], output: &mut Output) -> Result<(), CliError> {
        for (path, bytes) in files {
            let is_companion = path != self.path;
            // If the main file does not exist, existing companions belong to another file.
            if is_companion && !self.force && path.exists() && !self.path.exists() {
                return Err(refused(path, "it is there already, and would be replaced"));
            }
            Target { path, ..*self }.write(bytes, output)?;
        }
        Ok(())
    }

    /// Writes the given bytes atomically. Prints a note about attributes of the replaced file that could not
    /// be preserved.
    pub fn write(&self, bytes: &[u8], output: &mut Output) -> Result<(), CliError> {
        if FORMATS.iter().any(|format| format.kind == self.kind) {
            limits::check_bytes(bytes.len())?;
        }
        let saved = durable::save(self.path, bytes)?;
        if let Some(note) = saved.note() {
            output.note(format_args!("{}: {note}", self.path.display()));
        }
        Ok(())
    }
}
