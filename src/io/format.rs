//! What there is to know of a format of scenes or meshes.

use super::file::ReadError;
use super::gltf::read::options::{Options as ReadOptions, Read};
use super::gltf::write::options::{Images, Options};
use super::import::Imported;
use super::kind::FileKind;
use super::report::Report;
use crate::mesh::soup::Polygons;
use crate::scene::Scene;
use std::error::Error;
use std::path::{Path, PathBuf};

pub struct Format {
    pub kind: &'static FileKind,
    /// For messages: `js3d`.
    pub name: &'static str,
    pub holds: Holds,
    /// `None` where files are written alone.
    pub read: Option<Reader>,
    pub write: Option<Writer>,
}

/// What a file of a format holds, and so what becomes of it.
#[derive(Clone, Copy)]
pub enum Holds {
    /// All that a document does: it is opened and saved.
    Document,
    /// A scene of other programs: it is opened as a new document or imported, with options.
    Scene(SceneReader),
    /// A mesh: it is imported.
    Mesh,
}

/// How a format is read: everything that the bytes hold, and what they name below the folder of the file, if it has one.
pub type Reader = fn(&[u8], Option<&Path>) -> Result<Imported, ReadError>;

/// How a scene of other programs is read, with [`file::read_watched`](super::file::read_watched)'s progress.
pub type SceneReader = fn(&Path, &ReadOptions, &dyn Fn(f32) -> bool) -> Result<Read, ReadError>;

/// How a format is written.
#[derive(Clone, Copy)]
pub enum Writer {
    Scene(fn(&Scene) -> Result<Vec<u8>, WriteError>),
    /// Meshes alone; the text says space and pose.
    Meshes(fn(&str, &[Object]) -> Result<Vec<u8>, WriteError>),
    Export(Export),
}

/// Writes a scene for other programs, with pictures, to a path. Told how far it is, from 0 to 1, the last one says
/// whether it goes on.
pub type Export = fn(&Scene, &Options, Images, &Path, &dyn Fn(f32) -> bool) -> Result<Exported, WriteError>;

/// A scene for other programs.
pub struct Exported {
    /// In the order in which they are to be saved; the last has the path that was asked for.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// What other programs will show otherwise.
    pub report: Report,
}

/// Why a format cannot hold what it should.
pub type WriteError = Box<dyn Error + Send + Sync>;

/// A mesh to write.
#[derive(Clone, Debug, PartialEq)]
pub struct Object<'a> {
    pub name: &'a str,
    pub polygons: &'a Polygons,
}
