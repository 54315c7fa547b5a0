//! glTF 2.0: characters for game engines and other programs. `docs/gltf.md` describes what is preserved,
//! changed and lost.

mod extras;
pub mod glb;
pub mod packed;
pub mod read;
pub mod schema;
pub mod write;

use super::format::{Contents, ExportedFiles, Format, Writer};
use super::import::FileImport;
use super::kind::{FileKind, begins_as_gltf};

/// The maximum number of subdivisions of a frame, at which keys are written and read.
const FRAME_SUBDIVISIONS: i64 = 16;

pub static GLB_KIND: FileKind = FileKind {
    extension: "glb",
    noun: "a binary glTF scene",
    nouns: "binary glTF scenes",
    is_start: |head| head.starts_with(glb::MAGIC),
};

/// JSON, with binary data in a separate file.
pub static GLTF_KIND: FileKind =
    FileKind { extension: "gltf", noun: "a glTF scene", nouns: "glTF scenes", is_start: begins_as_gltf };

pub static GLB: Format = Format {
    kind: &GLB_KIND,
    name: "glTF",
    contents: Contents::Scene(read::read_with_progress),
    read: Some(|bytes, folder| {
        let read = read::read(bytes, folder, &Default::default())?;
        Ok(FileImport::Scene(read.scene, read.report))
    }),
    write: Some(Writer::Export(|scene, options, images, path, progress| {
        let export = write::export_with_progress(scene, options, images, progress)?;
        Ok(ExportedFiles { files: vec![(path.to_owned(), export.glb()?)], report: export.report })
    })),
};

pub static GLTF: Format = Format {
    kind: &GLTF_KIND,
    write: Some(Writer::Export(|scene, options, images, path, progress| {
        let export = write::export_with_progress(scene, options, images, progress)?;
        let bin_path = path.with_extension("bin");
        let name = bin_path.file_name().unwrap_or_default().to_string_lossy();
        let json = (path.to_owned(), export.gltf(&uri(&name))?);
        let bytes = (!export.bytes.is_empty()).then_some((bin_path, export.bytes));
        Ok(ExportedFiles { files: bytes.into_iter().chain([json]).collect(), report: export.report })
    })),
    ..GLB
};

/// Encodes a file name as a URI.
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
