//! Descriptions of the formats of scenes and meshes.

use super::export::{ExportOptions, Images};
use super::file::ReadError;
use super::import::{FileImport, ImportOptions, SceneImport};
use super::kind::FileKind;
use super::report::Report;
use crate::mesh::soup::Polygons;
use crate::scene::Scene;
use std::error::Error;
use std::path::{Path, PathBuf};

pub struct Format {
    pub kind: &'static FileKind,
    /// The name for messages: `js3d`.
    pub name: &'static str,
    pub contents: Contents,
    /// `None` for formats that are only written.
    pub read: Option<Reader>,
    pub write: Option<Writer>,
}

/// The contents of files of a format, which decide how they are opened.
#[derive(Clone, Copy)]
pub enum Contents {
    /// A whole document: it is opened and saved.
    Document,
    /// A scene of other programs: it is opened as a new document or imported, with options.
    Scene(SceneReader),
    /// A mesh: it is imported.
    Mesh,
}

/// Reads bytes, and the files that they name in the given folder, if any.
pub type Reader = fn(&[u8], Option<&Path>) -> Result<FileImport, ReadError>;

/// Reads a scene of other programs, with the progress of
/// [`file::read_with_progress`](super::file::read_with_progress).
pub type SceneReader = fn(&Path, &ImportOptions, &dyn Fn(f32) -> bool) -> Result<SceneImport, ReadError>;

/// How a format is written.
#[derive(Clone, Copy)]
pub enum Writer {
    Scene(fn(&Scene) -> Result<Vec<u8>, WriteError>),
    /// Only meshes; the text states their space and pose.
    Meshes(fn(&str, &[Object]) -> Result<Vec<u8>, WriteError>),
    Export(Export),
}

/// Writes a scene for other programs, with its pictures, to a path. The last argument receives the fraction
/// done, from 0 to 1, and returns whether to continue.
pub type Export =
    fn(&Scene, &ExportOptions, Images, &Path, &dyn Fn(f32) -> bool) -> Result<ExportedFiles, WriteError>;

/// An exported scene.
pub struct ExportedFiles {
    /// The files in the order in which to save them; the last has the requested path.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// What other programs will show differently.
    pub report: Report,
}

/// Why a scene or mesh cannot be written in a format.
pub type WriteError = Box<dyn Error + Send + Sync>;

/// A mesh to write.
#[derive(Clone, Debug, PartialEq)]
pub struct Object<'a> {
    pub name: &'a str,
    pub polygons: &'a Polygons,
}
