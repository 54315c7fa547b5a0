//! Scotty3D's js3d scene files, read and written without loss.

use super::report::Report;
use crate::scene::Scene;
use std::path::Path;

/// Why a file could not be read at all. Says what, where and what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReadError {
    /// The file itself: missing, a folder, no permission, too large.
    #[error("cannot read the file: {what}. {hint}: {path}")]
    File {
        what: String,
        hint: String,
        path: String,
    },
    /// Not JSON, or not the JSON of a scene.
    #[error("{what} at byte {offset} (line {line}, column {column}). {hint}")]
    Syntax {
        what: String,
        offset: usize,
        line: usize,
        column: usize,
        hint: String,
    },
    /// JSON, but a value that no scene can have.
    #[error("{what} at {at}. {hint}")]
    Value { what: String, at: String, hint: String },
}

/// Reads a scene from bytes. Repairs what Scotty3D repairs, each with a finding.
pub fn read(_bytes: &[u8]) -> Result<(Scene, Report), ReadError> {
    todo!()
}

/// Reads a scene file.
pub fn read_file(_path: &Path) -> Result<(Scene, Report), ReadError> {
    todo!()
}

/// The scene as a js3d document. Refuses to write numbers that are not finite.
pub fn write(_scene: &Scene) -> Result<Vec<u8>, WriteError> {
    todo!()
}

/// A scene that cannot be written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{at} is not a finite number, so the scene cannot be written; undo the change that made it so")]
pub struct WriteError {
    /// JSON pointer.
    pub at: String,
}
