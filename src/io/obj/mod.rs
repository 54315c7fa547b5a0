//! Wavefront OBJ: polygon meshes, read with repairs that are told, and written.
//!
//! Read: positions, texture coordinates, normals and polygons, of all objects and groups together.
//! Left out, with a finding: materials, lines, points, vertex colours, free-form curves and surfaces.
//! Libraries of materials that a file names are never opened.

mod faces;
mod orient;
mod parse;
pub mod placing;
mod repair;
mod split;
mod write;

use super::file::{self, ReadError};
use super::report::{Report, Severity};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::soup::{COMPUTED_SMOOTH_DEG, Polygons};
use crate::mesh::statistics::Statistics;
use glam::Vec3;
use std::path::Path;
pub use write::{Object, WriteError, write};

/// A mesh that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// Name of the first object or group; empty where the file names none.
    pub name: String,
    /// What the surface is built from.
    pub polygons: Polygons,
    pub surface: HalfedgeMesh,
    pub statistics: Statistics,
    /// What was found and how it was repaired. Places are lines of the file; vertices and faces are
    /// counted from 1, as the file counts them.
    pub report: Report,
}

/// Reads a mesh from the bytes of an OBJ file. What a half-edge surface cannot hold is repaired, each
/// time with a finding: loose points and faces that are none are left out; faces that touch a vertex
/// twice are cut there; faces that face the wrong way are turned; edges with more than two faces, and
/// vertices where separate fans of faces meet, are split.
///
/// # Errors
/// If a line is no statement of its kind, a position is no number, or no face is left.
pub fn read(bytes: &[u8]) -> Result<Import, ReadError> {
    let mut report = Report::default();
    let mut document = parse::parse(bytes, &mut report)?;
    let name = std::mem::take(&mut document.name);
    let polygons = repair::polygons(document, &mut report)?;
    let surface = polygons.build().map_err(|error| ReadError::Content {
        what: format!("the mesh could not be repaired: {error}"),
        hint: "Repair it in the program that made it, and please report the file.".into(),
    })?;
    let statistics = Statistics::of(&surface);
    say_normals(&polygons, &mut report);
    if statistics.is_inside_out() {
        let text = "the surface is inside out: its faces run clockwise seen from outside; it is kept. Flip \
                    orientation turns it";
        report.add(Severity::Warning, "inside-out", "whole mesh", text);
    }
    Ok(Import {
        name,
        polygons,
        surface,
        statistics,
        report,
    })
}

/// Reads an OBJ file. Only regular files of at most [`FILE_BYTES`](super::limits::FILE_BYTES). A mesh without a name is
/// called as the file is.
///
/// # Errors
/// As [`read`]; if the file cannot be read.
pub fn read_file(path: &Path) -> Result<Import, ReadError> {
    read_as(&file::read(path, "OBJ")?, path)
}

/// As [`read_file`], from the bytes of the file.
///
/// # Errors
/// As [`read`].
pub fn read_as(bytes: &[u8], path: &Path) -> Result<Import, ReadError> {
    let mut import = read(bytes)?;
    if import.name.is_empty() {
        import.name = path
            .file_stem()
            .map(|s| s.to_string_lossy().into_owned())
            .unwrap_or_default();
    }
    Ok(import)
}

fn say_normals(polygons: &Polygons, report: &mut Report) {
    let all = polygons.corner_count();
    let missing = match polygons.normals.is_empty() {
        true => all,
        false => polygons.normals.iter().filter(|n| **n == Vec3::ZERO).count(),
    };
    if missing > 0 {
        let which = match missing == all {
            true => "there are no normals".to_owned(),
            false => format!("{missing} of {all} corners have no normal"),
        };
        let text = format!(
            "{which}; they are computed, smooth where faces meet at less than {COMPUTED_SMOOTH_DEG} degrees"
        );
        report.add(Severity::Note, "computed-normals", "whole mesh", text);
    }
}
