//! Scotty3D's js3d scene files, read and written without loss.
//!
//! What is read, repaired, refused and kept: `docs/js3d.md`. Images that a file names by path are not
//! opened here.

mod animator;
mod blob;
mod clip;
mod document;
mod instances;
mod json;
mod materials;
mod mesh;
mod reader;
mod repair;
mod resources;
mod skeleton;
mod values;
mod weights;
mod write;

use super::report::Report;
use crate::scene::Scene;
use reader::Reader;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Larger files are refused before they are read: 1 GiB.
pub const MAX_FILE_BYTES: u64 = 1 << 30;

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
    /// JSON, but a value that no scene can have. `at` is a JSON pointer.
    #[error("{what} at {}. {hint}", if at.is_empty() { "the top of the file" } else { at })]
    Value { what: String, at: String, hint: String },
}

/// Reads a scene from bytes. Repairs what Scotty3D repairs, each with a finding.
pub fn read(bytes: &[u8]) -> Result<(Scene, Report), ReadError> {
    let mut report = Report::default();
    let scene = json::with_tree(bytes, &mut report, |tree, report| {
        let mut reader = Reader::new(report);
        let scene = document::read(&mut reader, tree);
        reader.finish();
        scene
    })?;
    Ok((scene, report))
}

/// Reads a scene file. Only regular files of at most [`MAX_FILE_BYTES`].
pub fn read_file(path: &Path) -> Result<(Scene, Report), ReadError> {
    let refuse = |what: &str, hint: &str| ReadError::File {
        what: what.to_owned(),
        hint: hint.to_owned(),
        path: path.display().to_string(),
    };
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => refuse(
            "there is no such file",
            "Check its name and folder; it may have been moved",
        ),
        std::io::ErrorKind::PermissionDenied => refuse(
            "you may not read it",
            "Ask its owner for permission, or copy it elsewhere",
        ),
        _ => refuse(
            &error.to_string(),
            "Check that the disk or the network folder is there",
        ),
    };
    let too_large = || {
        let what = format!("it is larger than {} MiB", MAX_FILE_BYTES >> 20);
        refuse(&what, "Split the scene, or check that it is a js3d file")
    };
    // Looked at before it is opened: opening a pipe waits for a writer.
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if metadata.is_dir() {
        return Err(refuse("it is a folder", "Choose a file in it"));
    }
    if !metadata.is_file() {
        return Err(refuse(
            "it is a pipe or a device",
            "Save its content to a file first",
        ));
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    let file = File::open(path).map_err(failed)?;
    // It may grow while it is read.
    file.take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(too_large());
    }
    read(&bytes)
}

/// The scene as a js3d document, in the order and layout in which Scotty3D writes. Refuses to write
/// numbers that are not finite.
pub fn write(scene: &Scene) -> Result<Vec<u8>, WriteError> {
    write::document(scene)
}

/// A scene that cannot be written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{at} is not a finite number, so the scene cannot be written; undo the change that made it so")]
pub struct WriteError {
    /// JSON pointer.
    pub at: String,
}
