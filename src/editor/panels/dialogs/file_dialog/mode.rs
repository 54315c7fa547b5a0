//! The purposes of the file dialog, and what they require of a file name.

use crate::edit::render::Format;
use crate::edit::request::Request;
use crate::io::format::{Contents, Format as FileFormat, Writer};
use crate::io::formats::FORMATS;
use crate::io::js3d;
use crate::io::kind::FileKind;
use crate::io::sound;
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
    /// Animations for a character, from a scene in another format.
    AddClips,
    /// The sound that the animation plays to.
    Sound,
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
            FileMode::Sound => vec![&sound::WAV, &sound::OGG],
            FileMode::Render(format) => vec![format.into()],
            _ => self.formats().map(|format| format.kind).collect(),
        }
    }

    /// The formats of other programs to choose from.
    fn formats(self) -> impl Iterator<Item = &'static FileFormat> {
        FORMATS.into_iter().filter(move |format| match self {
            FileMode::Import => matches!(format.contents, Contents::Mesh),
            FileMode::ImportScene | FileMode::AddClips => matches!(format.contents, Contents::Scene(_)),
            FileMode::Export => matches!(format.write, Some(Writer::Meshes(_))),
            FileMode::ExportScene => matches!(format.write, Some(Writer::Export(_))),
            _ => false,
        })
    }

    /// The names of those formats, such as "glTF".
    fn format_names(self) -> String {
        let mut names: Vec<_> = self.formats().map(|format| format.name).collect();
        names.dedup();
        names.join(" or ")
    }

    /// The kind of file that is written under `name`.
    pub fn file_kind(self, name: &Path) -> &'static FileKind {
        let (kinds, extension) = (self.kinds(), name.extension().unwrap_or_default());
        let named = kinds.iter().find(|kind| extension.eq_ignore_ascii_case(kind.extension));
        named.unwrap_or(&kinds[0])
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
            FileMode::AddClips => "Add",
            FileMode::Export | FileMode::ExportScene | FileMode::ExportPoses => "Export",
            FileMode::Sound | FileMode::Render(_) => "Choose",
        }
    }

    pub(super) fn title(self) -> String {
        match self {
            FileMode::Open => "Open a scene".into(),
            FileMode::Save => "Save the scene".into(),
            FileMode::Import => format!("Import an {} mesh", self.format_names()),
            FileMode::ImportScene => format!("Import a {} scene", self.format_names()),
            FileMode::Append => "Append a scene".into(),
            FileMode::AddClips => format!("Add the animations of a {} file", self.format_names()),
            FileMode::Export => format!("Export the mesh as {}", self.format_names()),
            FileMode::ExportScene => format!("Export the scene as {}", self.format_names()),
            FileMode::Sound => "Choose a sound".into(),
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
            FileMode::AddClips => Request::AddClips(path),
            FileMode::Sound => Request::SetSound(path),
            FileMode::ImportPoses => Request::ImportPoses(path),
            FileMode::ExportPoses => Request::ExportPoses(path),
            FileMode::Render(_) => Request::RenderTo(path),
        }
    }
}
