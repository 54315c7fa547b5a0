//! The file that a headless command writes: what it may replace, and that what is written can be read again.

use super::output::Output;
use super::{CliError, args};
use crate::io::format::{Holds, WriteError};
use crate::io::formats::{FORMATS, format_of};
use crate::io::kind::FileKind;
use crate::io::report::Report;
use crate::io::{durable, js3d, limits, obj};
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
    /// Where a file of a kind is to be written. Asked for before anything is computed.
    ///
    /// # Errors
    /// If the name does not say what will be in it, or what is there is of another kind.
    pub fn target<'a>(&self, path: &'a Path, kind: &'static FileKind) -> Result<Target<'a>, CliError> {
        let force = self.force;
        if FileKind::of_name(path) != Some(kind) {
            return Err(CliError::Other(format!(
                "cannot write {}: the name must end in .{}",
                path.display(),
                kind.extension
            )));
        }
        match kind.objection(path).filter(|_| !force) {
            Some(objection) => Err(refused(path, &objection)),
            None => Ok(Target { path, kind, force }),
        }
    }

    /// Reads a scene; and where it is saved, if anywhere.
    ///
    /// # Errors
    /// If it cannot be read, or may not be saved there.
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

fn refused(path: &Path, why: &str) -> CliError {
    let path = path.display();
    CliError::Other(format!(
        "cannot write {path}: {why}. Give another name, or --force to replace it"
    ))
}

impl Target<'_> {
    /// Reads a scene, as [`args::load`].
    ///
    /// # Errors
    /// If it cannot be read, or if it is what will be replaced and not all of it could be read.
    pub fn load(&self, path: &Path, output: &mut Output) -> Result<Scene, CliError> {
        let (scene, report) = args::load_with_report(path, output)?;
        self.may_replace(path, &report)?;
        Ok(scene)
    }

    /// That reading `input` lost nothing that writing over it would end for good.
    ///
    /// # Errors
    /// If it did, unless that is forced.
    pub fn may_replace(&self, input: &Path, report: &Report) -> Result<(), CliError> {
        if self.force || !self.is(input) {
            return Ok(());
        }
        if !matches!(format_of(self.path).holds, Holds::Document) {
            let why = "it is what was read, and not all of a scene can be kept in it";
            return Err(refused(self.path, why));
        }
        match report.losses().count() {
            0 => Ok(()),
            count => {
                let first = report.losses().next().map(|finding| finding.text.as_str());
                let why = format!(
                    "it is what was read, and {count} of its parts could not be ({})",
                    first.unwrap_or_default()
                );
                Err(refused(self.path, &why))
            }
        }
    }

    fn is(&self, other: &Path) -> bool {
        match (self.path.canonicalize(), other.canonicalize()) {
            (Ok(ours), Ok(theirs)) => ours == theirs,
            _ => false,
        }
    }

    /// Writes a scene, whole or not at all.
    pub fn save(&self, scene: &Scene, output: &mut Output) -> Result<(), CliError> {
        self.write(&js3d::write(scene).map_err(WriteError::from)?, output)
    }

    /// Writes a mesh, whole or not at all.
    pub fn save_obj(
        &self,
        comment: &str,
        objects: &[obj::Object],
        output: &mut Output,
    ) -> Result<(), CliError> {
        let text = obj::write(comment, objects).map_err(WriteError::from)?;
        self.write(text.as_bytes(), output)
    }

    /// Writes files that belong together, the one that was asked for at last.
    pub fn write_all(&self, files: &[(PathBuf, Vec<u8>)], output: &mut Output) -> Result<(), CliError> {
        for (path, bytes) in files {
            let is_beside = path != self.path;
            // Where the file itself is not there, what is beside it is somebody else's.
            if is_beside && !self.force && path.exists() && !self.path.exists() {
                return Err(refused(path, "it is there already, and would be replaced"));
            }
            Target { path, ..*self }.write(bytes, output)?;
        }
        Ok(())
    }

    /// Writes what is ready. What of the replaced file could not be kept goes to the error stream.
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
