//! The surfaces of a scene, as described by `info` and `check` and written by `convert`.

use super::CliError;
use super::output::{Output, count};
use crate::edit::command::{Command, Surface};
use crate::io::file::ReadError;
use crate::io::formats;
use crate::io::import::FileImport;
use crate::io::js3d;
use crate::io::report::Report;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::statistics::Statistics;
use crate::scene::Scene;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

const SKINNED: &str = "skinned mesh";

/// A surface of a scene.
pub struct Found<'a> {
    /// `mesh` or `skinned mesh`.
    pub kind: &'static str,
    pub name: &'a str,
    pub surface: &'a HalfedgeMesh,
}

/// Returns the surfaces of all skinned meshes, then of all meshes.
pub fn all(scene: &Scene) -> Vec<Found<'_>> {
    let skinned =
        scene.skinned_meshes.iter().map(|(name, mesh)| Found { kind: SKINNED, name, surface: &mesh.surface });
    let meshes = scene.meshes.iter().map(|(name, mesh)| Found { kind: "mesh", name, surface: &mesh.surface });
    skinned.chain(meshes).collect()
}

/// Returns the surface called `name`, or the only one.
pub fn one<'a>(scene: &'a Scene, name: Option<&str>) -> Result<Found<'a>, CliError> {
    let mut found = all(scene);
    let names: Vec<_> = found.iter().map(|f| format!("“{}”", f.name)).collect();
    let names = names.join(", ");
    let position = match name {
        Some(name) => found.iter().position(|f| f.name == name),
        None => (found.len() == 1).then_some(0),
    };
    match (position, name) {
        (Some(position), _) => Ok(found.swap_remove(position)),
        (None, _) if found.is_empty() => {
            Err(CliError::Other("the scene has no mesh; choose another file".into()))
        }
        (None, Some(name)) => {
            Err(CliError::Other(format!("there is no mesh called “{name}”; available: {names}")))
        }
        (None, None) => {
            Err(CliError::Other(format!("the scene has several meshes; choose one with --mesh: {names}")))
        }
    }
}

/// The description of a surface.
#[derive(Serialize)]
pub struct Described {
    pub name: String,
    kind: &'static str,
    #[serde(flatten)]
    statistics: Statistics,
    closed: bool,
    inside_out: bool,
    /// Whether some of its arrays could not be read.
    damaged: bool,
}

/// Describes all surfaces. `report`: the findings from reading the scene.
pub fn describe(scene: &Scene, report: &Report) -> Vec<Described> {
    let damaged = |found: &Found| {
        let pointer = js3d::mesh_pointer(found.kind == SKINNED, found.name);
        report
            .losses()
            .any(|finding| finding.at.strip_prefix(&*pointer).is_some_and(|rest| rest.starts_with('/')))
    };
    let describe = |found: Found| {
        let statistics = Statistics::new(found.surface);
        Described {
            name: found.name.to_owned(),
            kind: found.kind,
            statistics,
            closed: statistics.is_closed(),
            inside_out: statistics.is_inside_out(),
            damaged: damaged(&found),
        }
    };
    all(scene).into_iter().map(describe).collect()
}

impl Described {
    pub fn print(&self, output: &mut Output) -> Result<(), CliError> {
        let s = &self.statistics;
        let sound = if self.damaged { "damaged" } else { "valid" };
        let state = match (s.inside_out(), self.closed) {
            (Some(what), _) => format!("closed, but {what}"),
            (None, true) => "closed".to_owned(),
            (None, false) => "open".to_owned(),
        };
        output.line(format_args!(
            "surface of {}: {}, {}, {}, {}, {}; {sound}, {state}",
            self.name,
            count(s.vertices, "vertex", "vertices"),
            count(s.edges, "edge", "edges"),
            count(s.faces, "face", "faces"),
            count(s.boundaries, "boundary", "boundaries"),
            count(s.shells, "shell", "shells"),
        ))
    }
}

/// Reads a file of any format that is read here; a mesh becomes a scene that shows it and nothing else.
pub fn read(path: &Path) -> Result<(Scene, Report), ReadError> {
    let import = match formats::read_file(path)? {
        FileImport::Scene(scene, report) => return Ok((scene, report)),
        FileImport::Mesh(import) => *import,
    };
    let mut scene = Scene::default();
    let surface = Surface::Built(Arc::new(import.surface));
    let add = Command::AddMesh { name: import.name, surface, skinned: false };
    add.apply(&mut scene).map_err(|error| ReadError::Content {
        problem: error.to_string(),
        hint: "Choose another file".into(),
    })?;
    Ok((scene, import.report))
}
