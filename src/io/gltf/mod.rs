//! glTF 2.0: characters for engines and other programs. What is kept, changed and lost: `docs/gltf.md`.

mod extras;
pub mod glb;
pub mod packed;
pub mod read;
pub mod schema;
pub mod write;

use super::format::{Exported, Format, Holds, Writer};
use super::import::Imported;
use super::kind::{FileKind, begins_as_gltf};
use std::path::Path;

pub static GLB_KIND: FileKind = FileKind {
    extension: "glb",
    noun: "a binary glTF scene",
    nouns: "binary glTF scenes",
    begins: |head| head.starts_with(glb::MAGIC),
};

/// JSON, with bytes in a file beside it.
pub static GLTF_KIND: FileKind = FileKind {
    extension: "gltf",
    noun: "a glTF scene",
    nouns: "glTF scenes",
    begins: begins_as_gltf,
};

pub static GLB: Format = Format {
    kind: &GLB_KIND,
    name: "glTF",
    holds: Holds::Scene(read::read_watched),
    read: Some(|bytes, folder| {
        let read = read::read(bytes, folder, &read::Options::default())?;
        Ok(Imported::Scene(read.scene, read.report))
    }),
    write: Some(Writer::Export(|scene, options, images, path, progress| {
        let export = write::export_watched(scene, options, images, progress)?;
        Ok(Exported {
            files: vec![(path.to_owned(), export.glb()?)],
            report: export.report,
        })
    })),
};

pub static GLTF: Format = Format {
    kind: &GLTF_KIND,
    write: Some(Writer::Export(|scene, options, images, path, progress| {
        let export = write::export_watched(scene, options, images, progress)?;
        let beside = path.with_extension("bin");
        let name = beside.file_name().unwrap_or_default().to_string_lossy();
        let json = (path.to_owned(), export.gltf(&uri(&name))?);
        let bytes = (!export.bytes.is_empty()).then_some((beside, export.bytes));
        Ok(Exported {
            files: bytes.into_iter().chain([json]).collect(),
            report: export.report,
        })
    })),
    ..GLB
};

/// The kind of the file that is written under a name: binary, unless the name says otherwise.
pub fn kind_of(path: &Path) -> &'static FileKind {
    match path.extension() {
        Some(ending) if ending.eq_ignore_ascii_case(GLTF_KIND.extension) => &GLTF_KIND,
        _ => &GLB_KIND,
    }
}

/// A name of a file as a URI.
fn uri(name: &str) -> String {
    let mut uri = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' | b'~' => uri.push(byte.into()),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
