//! Scotty3D's js3d scene files, read and written without loss.
//!
//! `docs/js3d.md` describes what is read, repaired, refused and preserved. Images that a file names by path
//! are not opened here, except to check that they can be shown.

mod animator;
mod blob;
mod clip;
mod curve;
pub mod differences;
mod document;
mod json;
mod layers;
mod mesh;
mod pixels;
mod posing;
mod properties;
mod reader;
mod repair;
mod resources;
mod shapes;
mod skeleton;
mod sound;
mod spline;
mod takes;
mod values;
mod weight_method;
mod weights;
mod write;

use super::file;
pub use super::file::ReadError;
use super::format::{Contents, Format, Writer};
use super::import::FileImport;
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
    is_start: |head| head.starts_with(b"{") && !begins_as_gltf(head),
};

pub static FORMAT: Format = Format {
    kind: &KIND,
    name: "js3d",
    contents: Contents::Document,
    read: Some(|bytes, folder| {
        let (scene, report) = read_in_folder(bytes, folder)?;
        Ok(FileImport::Scene(scene, report))
    }),
    write: Some(Writer::Scene(|scene| Ok(write(scene)?))),
};

/// Reads a scene from bytes. Repairs what Scotty3D repairs, each time with a finding.
///
/// # Errors
/// If the bytes are not a scene, or exceed a limit; the error states the problem, its place and a hint.
///
/// # Examples
/// ```
/// use ossature_document::io::{examples::Example, js3d};
///
/// let (scene, report) = js3d::read(Example::Human.bytes())?;
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

/// Reads a scene file. Accepts only regular files of at most [`FILE_BYTES`](limits::FILE_BYTES).
pub fn read_file(path: &Path) -> Result<(Scene, Report), ReadError> {
    read_in_folder(&file::read(path, "js3d")?, path.parent())
}

/// Reads a scene like [`read`], and adds findings for pictures that textures name, relative to `folder`, and
/// that cannot be shown, and for a missing sound.
pub fn read_in_folder(bytes: &[u8], folder: Option<&Path>) -> Result<(Scene, Report), ReadError> {
    let (scene, mut report) = read(bytes)?;
    report.findings.extend(missing_pictures(&scene, folder).findings);
    report.findings.extend(missing_sound(&scene, folder).findings);
    Ok((scene, report))
}

/// Reports pictures that textures name, relative to `folder`, and that cannot be shown, as far as their first
/// bytes tell.
pub fn missing_pictures(scene: &Scene, folder: Option<&Path>) -> Report {
    let mut report = Report::default();
    for (name, texture) in &scene.textures {
        if let TextureKind::Image { image, .. } = &texture.kind
            && let Some(error) = picture_files::header_error(image, folder)
        {
            add_picture_error(&mut report, "missing-picture", name, &error);
        }
    }
    report
}

/// Reports that the file of the sound, relative to `folder`, is missing.
pub fn missing_sound(scene: &Scene, folder: Option<&Path>) -> Report {
    let mut report = Report::default();
    if let Some(sound) = &scene.animation.sound
        && picture_files::find(&sound.path, folder).is_none()
    {
        let text = format!(
            "there is no file {}; put it there, or choose the sound again: the animation plays in silence",
            sound.path
        );
        let pointer = format!("/animator/{}/{}", sound::SOUND, sound::PATH);
        report.add(Severity::Warning, "missing-sound", pointer, text);
    }
    report
}

/// Adds a finding about a picture of a texture that cannot be shown.
pub fn add_picture_error(report: &mut Report, code: &'static str, texture: &str, error: &PictureError) {
    let mut pointer = "/scene/textures/".to_owned();
    reader::push_escaped(&mut pointer, texture);
    pointer.push_str("/image");
    let text = format!("{error}; fix it, or choose another picture: a checker is shown in its place");
    report.add(Severity::Warning, code, pointer, text);
}

/// Returns the JSON pointer for findings about a mesh, or about the mesh of a skinned mesh.
pub fn mesh_pointer(skinned: bool, name: &str) -> String {
    let mut pointer = if skinned { "/scene/skinned_meshes/".to_owned() } else { "/scene/meshes/".to_owned() };
    reader::push_escaped(&mut pointer, name);
    if skinned {
        pointer.push_str("/mesh");
    }
    pointer
}

/// Writes the scene as a js3d document, in Scotty3D's order and layout. Refuses numbers that are not finite,
/// and documents that [`read`] would refuse.
pub fn write(scene: &Scene) -> Result<Vec<u8>, WriteError> {
    let text = write::document(scene)?;
    limits::check_json(&text).map_err(WriteError::Limit)?;
    Ok(text)
}

/// Why a scene cannot be written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WriteError {
    /// A number at `pointer`, a JSON pointer, is not finite.
    #[error(
        "{pointer} is not a finite number, so the scene cannot be written; undo the change that made it so"
    )]
    NotFinite { pointer: String },
    #[error("{0}")]
    Limit(LimitError),
}
