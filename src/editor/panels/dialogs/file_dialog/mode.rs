//! The purposes of the file dialog, and what they require of a file name.

use crate::edit::render::Format;
use crate::edit::request::Request;
use crate::io::kind::FileKind;
use crate::io::{gltf, js3d, obj};
use std::path::{Path, PathBuf};

/// The purpose for which a file is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileMode {
    Open,
    Save,
    Import,
    /// A scene in another format.
    ImportScene,
    Append,
    Export,
    /// The scene in a format of other programs.
    ExportScene,
    /// Saved poses, added to a character.
    ImportPoses,
    /// The saved poses of a character.
    ExportPoses,
    /// The output of a render: chosen now, written later.
    Render(Format),
}

impl FileMode {
    /// Whether the file is written.
    pub fn writes(self) -> bool {
        use FileMode::{Export, ExportPoses, ExportScene, Render, Save};
        matches!(self, Save | Export | ExportScene | ExportPoses | Render(_))
    }

    /// Whether the file is written as soon as it is chosen.
    pub(super) fn writes_at_once(self) -> bool {
        self.writes() && !matches!(self, FileMode::Render(_))
    }

    /// The file extensions of this mode; new files get the first.
    pub fn extensions(self) -> Vec<&'static str> {
        self.kinds().into_iter().map(|kind| kind.extension).collect()
    }

    fn kinds(self) -> Vec<&'static FileKind> {
        match self {
            FileMode::Open
            | FileMode::Save
            | FileMode::Append
            | FileMode::ImportPoses
            | FileMode::ExportPoses => vec![&js3d::KIND],
            FileMode::Import | FileMode::Export => vec![&obj::KIND],
            FileMode::ImportScene | FileMode::ExportScene => vec![&gltf::GLB_KIND, &gltf::GLTF_KIND],
            FileMode::Render(format) => vec![format.into()],
        }
    }

    /// The kind of file that is written under `name`.
    pub(super) fn file_kind(self, name: &Path) -> &'static FileKind {
        match self {
            FileMode::ExportScene => gltf::kind_of(name),
            _ => self.kinds()[0],
        }
    }

    /// The plural noun for such files, for the filter of the system's dialog.
    pub fn nouns(self) -> &'static str {
        self.kinds().last().map_or("", |kind| kind.nouns)
    }

    pub(super) fn verb(self) -> &'static str {
        match self {
            FileMode::Open => "Open",
            FileMode::Save => "Save",
            FileMode::Import | FileMode::ImportScene | FileMode::ImportPoses => "Import",
            FileMode::Append => "Append",
            FileMode::Export | FileMode::ExportScene | FileMode::ExportPoses => "Export",
            FileMode::Render(_) => "Choose",
        }
    }

    pub(super) fn title(self) -> String {
        match self {
            FileMode::Open => "Open a scene".into(),
            FileMode::Save => "Save the scene".into(),
            FileMode::Import => "Import an OBJ mesh".into(),
            FileMode::ImportScene => "Import a glTF scene".into(),
            FileMode::Append => "Append a scene".into(),
            FileMode::Export => "Export the mesh as OBJ".into(),
            FileMode::ExportScene => "Export the scene as glTF".into(),
            FileMode::ImportPoses => "Import saved poses".into(),
            FileMode::ExportPoses => "Export the saved poses".into(),
            FileMode::Render(Format::Png) => "Output folder".into(),
            FileMode::Render(_) => "Output file".into(),
        }
    }

    /// The request to send once a path is chosen.
    pub fn request(self, path: PathBuf) -> Request {
        match self {
            FileMode::Open => Request::OpenPath(path),
            FileMode::Save => Request::SavePath(path),
            FileMode::Import | FileMode::ImportScene => Request::ImportPath(path),
            FileMode::Append => Request::AppendPath(path),
            FileMode::Export => Request::ExportPath(path),
            FileMode::ExportScene => Request::ExportScene(path),
            FileMode::ImportPoses => Request::ImportPoses(path),
            FileMode::ExportPoses => Request::ExportPoses(path),
            FileMode::Render(_) => Request::RenderTo(path),
        }
    }
}
