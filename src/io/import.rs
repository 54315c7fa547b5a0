//! What comes out of a file, whatever its format.

use super::file::ReadError;
use super::report::{Report, Severity};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::soup::{COMPUTED_SMOOTH_DEG, Polygons};
use crate::mesh::statistics::Statistics;
use crate::scene::Scene;
use glam::Vec3;

/// A whole scene, or a mesh alone; what was found, and what could not be taken, is in the report.
pub enum Imported {
    Scene(Scene, Report),
    Mesh(Box<MeshImport>),
}

/// A mesh that was read. Its file states neither unit nor up axis: see [`super::placing`].
#[derive(Clone, Debug, PartialEq)]
pub struct MeshImport {
    /// Empty where the file names none.
    pub name: String,
    /// What the surface is built from.
    pub polygons: Polygons,
    pub surface: HalfedgeMesh,
    pub statistics: Statistics,
    /// What was found and how it was repaired.
    pub report: Report,
}

impl Imported {
    /// The mesh, if it is one.
    pub fn mesh(self) -> Option<MeshImport> {
        match self {
            Self::Mesh(mesh) => Some(*mesh),
            Self::Scene(..) => None,
        }
    }
}

impl MeshImport {
    /// A mesh of repaired polygons; `report` gets what there is to say of the surface.
    ///
    /// # Errors
    /// If they were not repaired after all.
    pub fn new(name: String, polygons: Polygons, mut report: Report) -> Result<Self, ReadError> {
        let surface = polygons.build().map_err(|error| ReadError::Content {
            what: format!("the mesh could not be repaired: {error}"),
            hint: "Repair it in the program that made it, and please report the file.".into(),
        })?;
        let statistics = Statistics::new(&surface);
        report_normals(&polygons, &mut report);
        if statistics.is_inside_out() {
            let text = "the surface is inside out: its faces run clockwise seen from outside; it is kept. Flip \
                        orientation turns it";
            report.add(Severity::Warning, "inside-out", "whole mesh", text);
        }
        Ok(Self {
            name,
            polygons,
            surface,
            statistics,
            report,
        })
    }
}

fn report_normals(polygons: &Polygons, report: &mut Report) {
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
