//! What a file is asked for, and what that means for its name.

use crate::edit::render::Format;
use crate::edit::request::Request;
use crate::io::kind::FileKind;
use std::path::PathBuf;

/// What a file is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileMode {
    Open,
    Save,
    Import,
    Append,
    Export,
    /// Where pictures go: chosen here, written later.
    Render(Format),
}

impl FileMode {
    /// Whether the file is written.
    pub fn writes(self) -> bool {
        matches!(self, FileMode::Save | FileMode::Export | FileMode::Render(_))
    }

    /// Whether the file is written as soon as it is chosen.
    pub(super) fn writes_at_once(self) -> bool {
        self.writes() && !matches!(self, FileMode::Render(_))
    }

    /// Ending of the files that it is about.
    pub fn extension(self) -> &'static str {
        self.file_kind().extension()
    }

    pub(super) fn file_kind(self) -> FileKind {
        match self {
            FileMode::Open | FileMode::Save | FileMode::Append => FileKind::Js3d,
            FileMode::Import | FileMode::Export => FileKind::Obj,
            FileMode::Render(Format::Png) => FileKind::Png,
            FileMode::Render(Format::Gif) => FileKind::Gif,
            FileMode::Render(Format::Mp4) => FileKind::Mp4,
        }
    }

    /// What such files hold, for the filter of the system's dialog.
    pub fn kind(self) -> &'static str {
        match self {
            FileMode::Open | FileMode::Save | FileMode::Append => "js3d scenes",
            FileMode::Import | FileMode::Export => "OBJ meshes",
            FileMode::Render(Format::Png) => "PNG pictures",
            FileMode::Render(Format::Gif) => "GIFs",
            FileMode::Render(Format::Mp4) => "MP4 films",
        }
    }

    pub(super) fn verb(self) -> &'static str {
        match self {
            FileMode::Open => "Open",
            FileMode::Save => "Save",
            FileMode::Import => "Import",
            FileMode::Append => "Append",
            FileMode::Export => "Export",
            FileMode::Render(_) => "Choose",
        }
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            FileMode::Open => "Open a scene",
            FileMode::Save => "Save the scene",
            FileMode::Import => "Import an OBJ mesh",
            FileMode::Append => "Append a scene",
            FileMode::Export => "Export the mesh as OBJ",
            FileMode::Render(Format::Png) => "Where the pictures go",
            FileMode::Render(_) => "Where the animation goes",
        }
    }

    /// What is asked of the application once there is a path.
    pub fn request(self, path: PathBuf) -> Request {
        match self {
            FileMode::Open => Request::OpenPath(path),
            FileMode::Save => Request::SavePath(path),
            FileMode::Import => Request::ImportPath(path),
            FileMode::Append => Request::AppendPath(path),
            FileMode::Export => Request::ExportPath(path),
            FileMode::Render(_) => Request::RenderTo(path),
        }
    }
}
