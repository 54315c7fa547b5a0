//! Imported glTF files: bones, weights, surfaces and motion against what their own programs show.

mod blender;
mod builder;
mod characters;
mod clips;
mod file_keys;
mod hostile;
mod images;
mod left_out;
mod lenient;
mod odd_times;
mod others;
mod painted;
pub mod posed;
pub mod round_trip;
mod unused;

use ossature::io::file::ReadError;
use ossature::io::gltf::read::read;
use ossature::io::import::{ImportOptions, SceneImport};
use ossature::io::report::Report;
use std::path::Path;

/// Reads a file of the corpus with a key at every frame.
fn file(path: &Path) -> SceneImport {
    try_file(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn try_file(path: &Path) -> Result<SceneImport, ReadError> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    read_all(&bytes, path.parent())
}

fn read_all(bytes: &[u8], folder: Option<&Path>) -> Result<SceneImport, ReadError> {
    let options = ImportOptions { all_frames: true, ..ImportOptions::default() };
    read(bytes, folder, &options)
}

/// Reads a self-contained file with a key at every frame.
pub fn file_of(bytes: &[u8]) -> SceneImport {
    read_all(bytes, None).unwrap()
}

fn has(report: &Report, code: &str) -> bool {
    report.findings.iter().any(|finding| finding.code == code)
}
