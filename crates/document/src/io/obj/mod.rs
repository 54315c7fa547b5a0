//! Wavefront OBJ: reads polygon meshes, with reported repairs, and writes them.
//!
//! Reads positions, texture coordinates, normals and polygons, of all objects and groups together. Leaves
//! out, with a finding: materials, lines, points, vertex colours, free-form curves and surfaces. Material
//! libraries are never opened.

mod parse;
mod write;

use super::file::ReadError;
pub use super::format::Object;
use super::format::{Contents, Format, Writer};
use super::import::{FileImport, MeshImport};
use super::kind::FileKind;
use super::repairs;
use super::report::Report;
use crate::mesh::repair;
pub use write::{WriteError, write};

pub static KIND: FileKind =
    FileKind { extension: "obj", noun: "an OBJ mesh", nouns: "OBJ meshes", is_start: is_obj_start };

pub static FORMAT: Format = Format {
    kind: &KIND,
    name: "OBJ",
    contents: Contents::Mesh,
    read: Some(|bytes, _| Ok(FileImport::Mesh(Box::new(read(bytes)?)))),
    write: Some(Writer::Meshes(|comment, objects| Ok(write(comment, objects)?.into_bytes()))),
};

/// Reads a mesh from the bytes of an OBJ file. Whatever a half-edge surface cannot represent is repaired
/// ([`repair`]), each time with a finding. Places of findings are lines of the file; vertices and faces are
/// counted from 1, as in the file. The name is that of the first object or group.
///
/// # Errors
/// If a line is not a valid statement, a position is not finite, or no face is left.
pub fn read(bytes: &[u8]) -> Result<MeshImport, ReadError> {
    let mut report = Report::default();
    let (name, input) = parse::parse(bytes, &mut report)?;
    let (vertices, faces) = (input.positions.len(), input.faces.len());
    let mut findings = Vec::new();
    let mesh = repair::repair(input, &mut findings);
    let line = |line| format!("line {line}");
    repairs::add(&mut report, &findings, vertices, line, parse::index);
    let mesh = mesh.ok_or_else(|| ReadError::Content {
        problem: format!(
            "none of the {faces} faces in the file can be used: {}",
            report.findings.last().map_or("", |finding| &finding.text)
        ),
        hint: "Export the mesh again".into(),
    })?;
    MeshImport::new(name, mesh.polygons, report)
}

/// Whether the first statement after comments is one of OBJ. A comment alone is enough if it fills the head.
fn is_obj_start(text: &[u8]) -> bool {
    let mut lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    let Some(line) = lines.find(|line| !line.is_empty() && !line.starts_with(b"#")) else {
        return text.starts_with(b"#");
    };
    let word = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let words: [&[u8]; 12] =
        [b"v", b"vt", b"vn", b"vp", b"f", b"l", b"p", b"o", b"g", b"s", b"mtllib", b"usemtl"];
    words.contains(&word)
}
