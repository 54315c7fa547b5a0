//! glTF files as scenes: bones, weights, surfaces and motion against what their own programs show.

mod blender;
mod builder;
mod characters;
mod hostile;

use ossature::io::file::ReadError;
use ossature::io::gltf::read::{Options, Read, read};
use ossature::io::report::Report;
use std::path::Path;

/// A file of the corpus, every frame a key.
fn file(path: &Path) -> Read {
    try_file(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn try_file(path: &Path) -> Result<Read, ReadError> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let options = Options {
        all_frames: true,
        ..Options::default()
    };
    read(&bytes, path.parent(), &options)
}

fn has(report: &Report, code: &str) -> bool {
    report.findings.iter().any(|finding| finding.code == code)
}
