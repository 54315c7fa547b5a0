//! Scotty3D's js3d scene files, read and written without loss.
//!
//! What is read, repaired, refused and kept: `docs/js3d.md`. Images that a file names by path are not
//! opened here.

mod animator;
mod blob;
mod clip;
mod curve;
mod document;
mod json;
mod mesh;
mod pixels;
mod posing;
mod properties;
mod reader;
mod repair;
mod resources;
mod skeleton;
mod takes;
mod values;
mod weight_method;
mod weights;
mod write;

use super::file;
pub use super::file::ReadError;
use super::format::{Format, Writer};
use super::import::Imported;
use super::kind::{FileKind, begins_as_gltf};
use super::limits::{self, LimitError};
use super::report::Report;
use crate::scene::Scene;
pub use pixels::{Pixels, pixels};
use reader::Reader;
use std::path::Path;

pub static KIND: FileKind = FileKind {
    extension: "js3d",
    noun: "a js3d scene",
    nouns: "js3d scenes",
    begins: |head| head.starts_with(b"{") && !begins_as_gltf(head),
};

pub static FORMAT: Format = Format {
    kind: &KIND,
    name: "js3d",
    is_document: true,
    read: Some(|bytes, _| {
        let (scene, report) = read(bytes)?;
        Ok(Imported::Scene(scene, report))
    }),
    write: Some(Writer::Scene(|scene| Ok(write(scene)?))),
};

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

/// Reads a scene file. Only regular files of at most [`FILE_BYTES`](limits::FILE_BYTES).
pub fn read_file(path: &Path) -> Result<(Scene, Report), ReadError> {
    read(&file::read(path, "js3d")?)
}

/// Where findings about a mesh or the mesh of a skinned mesh are: a JSON pointer.
pub fn mesh_pointer(skinned: bool, name: &str) -> String {
    let mut at = match skinned {
        true => "/scene/skinned_meshes/".to_owned(),
        false => "/scene/meshes/".to_owned(),
    };
    reader::push_escaped(&mut at, name);
    if skinned {
        at.push_str("/mesh");
    }
    at
}

/// The scene as a js3d document, in the order and layout in which Scotty3D writes. Refuses to write
/// numbers that are not finite, and more than [`read`] reads again.
pub fn write(scene: &Scene) -> Result<Vec<u8>, WriteError> {
    let text = write::document(scene)?;
    limits::check_json(&text).map_err(WriteError::Limit)?;
    Ok(text)
}

/// A scene that cannot be written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WriteError {
    /// `at`: a JSON pointer.
    #[error("{at} is not a finite number, so the scene cannot be written; undo the change that made it so")]
    NotFinite { at: String },
    #[error("{0}")]
    Limit(LimitError),
}
