//! Scotty3D's js3d scene files, read and written without loss.
//!
//! What is read, repaired, refused and kept: `docs/js3d.md`. Images that a file names by path are not
//! opened here; that they are there is looked for.

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
use super::format::{Format, Holds, Writer};
use super::import::Imported;
use super::kind::{FileKind, begins_as_gltf};
use super::limits::{self, LimitError};
use super::picture_files::{self, PictureError};
use super::report::{Report, Severity};
use crate::scene::Scene;
use crate::scene::resource::TextureKind;
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
    holds: Holds::Document,
    read: Some(|bytes, folder| {
        let (scene, report) = read_in(bytes, folder)?;
        Ok(Imported::Scene(scene, report))
    }),
    write: Some(Writer::Scene(|scene| Ok(write(scene)?))),
};

/// Reads a scene from bytes. Repairs what Scotty3D repairs, each with a finding.
///
/// # Errors
/// If the bytes are no scene, or hold more than is read: says what, where, and what to do.
///
/// # Examples
/// ```
/// use ossature::io::js3d;
///
/// let file = std::fs::read("media/js3d/A4-human.js3d")?;
/// let (scene, report) = js3d::read(&file)?;
/// assert!(report.is_empty());
/// let human = scene.skinned_meshes.get("Human_skinned_mesh").unwrap();
/// assert_eq!(human.skeleton.bone_name(0), "pelvis");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    read_in(&file::read(path, "js3d")?, path.parent())
}

/// As [`read`]; and pictures that textures name, from `folder` on, are looked for: those that cannot be shown are findings.
pub fn read_in(bytes: &[u8], folder: Option<&Path>) -> Result<(Scene, Report), ReadError> {
    let (scene, mut report) = read(bytes)?;
    report.findings.extend(missing_pictures(&scene, folder).findings);
    Ok((scene, report))
}

/// Pictures that textures name, from `folder` on, and that cannot be shown, as far as their first bytes say.
pub fn missing_pictures(scene: &Scene, folder: Option<&Path>) -> Report {
    let mut report = Report::default();
    for (name, texture) in &scene.textures {
        if let TextureKind::Image { image, .. } = &texture.kind
            && let Some(error) = picture_files::objection(image, folder)
        {
            add_picture(&mut report, "missing-picture", name, &error);
        }
    }
    report
}

/// Adds that the picture of a texture cannot be shown.
pub fn add_picture(report: &mut Report, code: &'static str, texture: &str, error: &PictureError) {
    let mut at = "/scene/textures/".to_owned();
    reader::push_escaped(&mut at, texture);
    at.push_str("/image");
    let text = format!("{error}; put that right, or choose another picture: a checker is shown in its place");
    report.add(Severity::Warning, code, at, text);
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
