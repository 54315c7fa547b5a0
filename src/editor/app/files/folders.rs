//! The folders in which files were chosen last: dialogs start there if the document has no folder.

use crate::edit::request::Request;
use crate::editor::panels::dialogs::file_dialog::FileMode as Mode;
use crate::io::format::Contents;
use crate::io::formats::format_of;
use bevy::prelude::Resource;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folders by kind of file: the member `folders` of the preferences.
#[derive(Resource, Default)]
pub struct Folders(pub BTreeMap<String, PathBuf>);

const SCENES: &str = "scenes";
const MESHES: &str = "meshes";
const GLTF: &str = "gltf";
const POSES: &str = "poses";
const SOUNDS: &str = "sounds";
const RENDERS: &str = "renders";

impl Folders {
    /// Remembers the folder of a file that was chosen.
    pub fn remember(&mut self, request: &Request) {
        let (kind, path) = match request {
            Request::OpenPath(path) | Request::SavePath(path) | Request::AppendPath(path) => (SCENES, path),
            Request::ImportPoses(path) | Request::ExportPoses(path) => (POSES, path),
            Request::SetSound(path) => (SOUNDS, path),
            Request::ImportPath(path) if matches!(format_of(path).contents, Contents::Scene(_)) => {
                (GLTF, path)
            }
            Request::ImportPath(path) | Request::ExportPath(path) => (MESHES, path),
            Request::AddClips(path) | Request::ExportScene(path) => (GLTF, path),
            Request::RenderTo(path) => (RENDERS, path),
            _ => return,
        };
        if let Some(folder) = folder_of(path) {
            self.0.insert(kind.to_owned(), folder.to_owned());
        }
    }

    /// Returns where a dialog for `path` starts: in its folder or, if that does not exist, in the one chosen
    /// last.
    pub fn start(&self, mode: Mode, path: PathBuf) -> PathBuf {
        let kind = match mode {
            Mode::Open | Mode::Save | Mode::Append => SCENES,
            Mode::Import | Mode::Export => MESHES,
            Mode::ImportScene | Mode::AddClips | Mode::ExportScene => GLTF,
            Mode::ImportPoses | Mode::ExportPoses => POSES,
            Mode::Sound => SOUNDS,
            Mode::Render(_) => RENDERS,
        };
        let folder = folder_of(&path);
        if folder.is_some_and(Path::is_dir) {
            return path;
        }
        match self.0.get(kind).filter(|folder| folder.is_dir()) {
            Some(folder) => folder.join(file_name(&path)),
            None if folder.is_some() => file_name(&path).into(),
            None => path,
        }
    }
}

/// Returns the folder of a path, unless it is a bare file name.
pub fn folder_of(path: &Path) -> Option<&Path> {
    path.parent().filter(|folder| !folder.as_os_str().is_empty())
}

/// Returns the name of a file, or a default for a path without one.
pub fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| "untitled.js3d".into(), |name| name.to_string_lossy().into_owned())
}
