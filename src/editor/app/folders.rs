//! Where files were chosen last: dialogs begin there when the document has no folder of its own.

use crate::edit::request::Request;
use crate::editor::panels::file_dialog::FileMode as Mode;
use crate::io::format::Holds;
use crate::io::formats::format_of;
use bevy::prelude::Resource;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// By what was chosen: the member `folders` of the preferences.
#[derive(Resource, Default)]
pub struct Folders(pub BTreeMap<String, PathBuf>);

const SCENES: &str = "scenes";
const MESHES: &str = "meshes";
const GLTF: &str = "gltf";
const POSES: &str = "poses";
const RENDERS: &str = "renders";

impl Folders {
    /// Remembers the folder of a file that was chosen.
    pub fn chosen(&mut self, request: &Request) {
        let (what, path) = match request {
            Request::OpenPath(path) | Request::SavePath(path) | Request::AppendPath(path) => (SCENES, path),
            Request::ImportPoses(path) | Request::ExportPoses(path) => (POSES, path),
            Request::ImportPath(path) if matches!(format_of(path).holds, Holds::Scene(_)) => (GLTF, path),
            Request::ImportPath(path) | Request::ExportPath(path) => (MESHES, path),
            Request::ExportScene(path) => (GLTF, path),
            Request::RenderTo(path) => (RENDERS, path),
            _ => return,
        };
        if let Some(folder) = folder_of(path) {
            self.0.insert(what.to_owned(), folder.to_owned());
        }
    }

    /// Where a dialog starts that was to start at a path: in its folder, else where one was chosen last, if it is there.
    pub fn start(&self, mode: Mode, path: PathBuf) -> PathBuf {
        let what = match mode {
            Mode::Open | Mode::Save | Mode::Append => SCENES,
            Mode::Import | Mode::Export => MESHES,
            Mode::ImportScene | Mode::ExportScene => GLTF,
            Mode::ImportPoses | Mode::ExportPoses => POSES,
            Mode::Render(_) => RENDERS,
        };
        let own = folder_of(&path);
        if own.is_some_and(Path::is_dir) {
            return path;
        }
        match self.0.get(what).filter(|folder| folder.is_dir()) {
            Some(folder) => folder.join(file_name(&path)),
            None if own.is_some() => file_name(&path).into(),
            None => path,
        }
    }
}

/// The folder of a path that says one.
pub fn folder_of(path: &Path) -> Option<&Path> {
    path.parent().filter(|folder| !folder.as_os_str().is_empty())
}

/// The name of a file, also of one that has none yet.
pub fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(
        || "untitled.js3d".into(),
        |name| name.to_string_lossy().into_owned(),
    )
}
