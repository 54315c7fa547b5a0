//! Imported files, whatever their format.

use super::file::ReadError;
use super::report::{Report, Severity};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::soup::{COMPUTED_SMOOTH_DEG, Polygons};
use crate::mesh::statistics::Statistics;
use crate::scene::Scene;
use glam::Vec3;

/// A whole scene, or only a mesh; the report states problems and omissions.
pub enum FileImport {
    Scene(Scene, Report),
    Mesh(Box<MeshImport>),
}

/// The options of reading a scene of another program. A format without animations or pictures has no use for some.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportOptions {
    /// The only animation to import; all if there is none.
    pub take: Option<String>,
    /// Whether images inside the file are left out; otherwise they are embedded in the textures of the scene
    /// until it is saved ([`embedded_picture`](super::embedded_picture)).
    pub without_images: bool,
    /// The frame rate in frames per second; by default the lowest at which all keys are at frames.
    pub rate: Option<f32>,
    /// Whether every frame becomes a key.
    pub all_frames: bool,
}

/// A scene that was read from a file of another program.
pub struct SceneImport {
    pub scene: Scene,
    pub report: Report,
    /// The names of all animations in the file, whether they were imported or not. Empty if the original
    /// scene was restored.
    pub animations: Vec<String>,
    /// The number of images inside the file.
    pub embedded: usize,
}

/// An imported mesh. Its file states neither unit nor up axis: see [`super::placing`].
#[derive(Clone, Debug, PartialEq)]
pub struct MeshImport {
    /// Empty if the file names none.
    pub name: String,
    /// The polygons that the surface is built from.
    pub polygons: Polygons,
    pub surface: HalfedgeMesh,
    pub statistics: Statistics,
    /// The problems found and their repairs.
    pub report: Report,
}

impl FileImport {
    /// Returns the mesh; `None` for a scene.
    pub fn mesh(self) -> Option<MeshImport> {
        match self {
            Self::Mesh(mesh) => Some(*mesh),
            Self::Scene(..) => None,
        }
    }
}

impl MeshImport {
    /// Builds a mesh from repaired polygons, and adds findings about its surface to `report`.
    ///
    /// # Errors
    /// If the polygons still form no valid surface.
    pub fn new(name: String, polygons: Polygons, mut report: Report) -> Result<Self, ReadError> {
        let surface = polygons.build().map_err(|error| ReadError::Content {
            problem: format!("the mesh could not be repaired: {error}"),
            hint: "Repair it in the program that made it, and please report the file.".into(),
        })?;
        let statistics = Statistics::new(&surface);
        report_normals(&polygons, &mut report);
        if let Some(what) = statistics.inside_out() {
            let remedy = match statistics.inward_shells == statistics.shells {
                true => "Flip orientation turns it",
                false => "Flip orientation turns the whole mesh, so turn these shells where it was made",
            };
            let text = format!(
                "the surface is closed, but {what}: faces run clockwise seen from outside; it is kept. {remedy}"
            );
            report.add(Severity::Warning, "inside-out", "whole mesh", text);
        }
        Ok(Self { name, polygons, surface, statistics, report })
    }
}

fn report_normals(polygons: &Polygons, report: &mut Report) {
    let all = polygons.corner_count();
    let missing = if polygons.normals.is_empty() {
        all
    } else {
        polygons.normals.iter().filter(|n| **n == Vec3::ZERO).count()
    };
    if missing > 0 {
        let subject = if missing == all {
            "there are no normals".to_owned()
        } else {
            format!("{missing} of {all} corners have no normal")
        };
        let text = format!(
            "{subject}; they are computed, smooth where faces meet at less than {COMPUTED_SMOOTH_DEG} degrees"
        );
        report.add(Severity::Note, "computed-normals", "whole mesh", text);
    }
}
