//! Files read beside the window: a scene to open or to append, a mesh to import. All that takes long with a large file
//! is done here, to the first picture of it; what is read is put in place by [`super::documents`].

use crate::edit::session::Session;
use crate::edit::view::ViewSettings;
use crate::editor::app::own_file::OwnFile;
use crate::editor::app::start::opened;
use crate::editor::app::worker::Progress;
use crate::editor::panels::import::ImportState;
use crate::editor::state::shown::refresh;
use crate::editor::state::{Caches, Shown};
use crate::io::file::{self, ReadError};
use crate::io::import::Imported;
use crate::io::report::Report;
use crate::io::{formats, js3d};
use crate::scene::Scene;
use std::path::{Path, PathBuf};

/// What becomes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Open,
    Append,
    /// A mesh; a dialog asks what becomes of it.
    Import,
}

impl Purpose {
    /// `opened`, for messages.
    pub fn done(self) -> &'static str {
        match self {
            Purpose::Open => "opened",
            Purpose::Append => "appended",
            Purpose::Import => "imported",
        }
    }
}

/// A file that was read, and what for.
pub struct Read {
    pub purpose: Purpose,
    pub path: PathBuf,
    /// The document that was open.
    before: Scene,
    pub content: Result<Content, ReadError>,
}

pub enum Content {
    /// To be opened.
    Document {
        scene: Scene,
        report: Report,
        own: OwnFile,
        /// As it is shown when it is opened.
        shown: Box<Shown>,
        caches: Box<Caches>,
    },
    /// To be appended.
    Scene(Scene, Report),
    Mesh(Box<ImportState>),
}

impl Read {
    /// Whether the document has changed since.
    pub fn is_outrun(&self, session: &Session) -> bool {
        !self.before.is_shared(session.scene())
    }
}

/// The work of reading `path` while a document is open.
pub fn work(
    purpose: Purpose,
    path: PathBuf,
    session: &Session,
    settings: &ViewSettings,
) -> impl FnOnce(&Progress) -> Read + use<> {
    let (before, settings) = (session.scene().clone(), settings.clone());
    move |progress| {
        let content = match purpose {
            Purpose::Open => document(&path, settings, progress),
            Purpose::Append => file::read_watched(&path, "js3d", progress)
                .and_then(|bytes| js3d::read_in(&bytes, path.parent()))
                .map(|(scene, report)| Content::Scene(scene, report)),
            Purpose::Import => formats::read_watched(&path, progress).map(|imported| match imported {
                Imported::Mesh(mesh) => Content::Mesh(Box::new(ImportState::new(*mesh, name_of(&path)))),
                Imported::Scene(scene, report) => Content::Scene(scene, report),
            }),
        };
        Read {
            purpose,
            path,
            before,
            content,
        }
    }
}

fn document(path: &Path, mut settings: ViewSettings, progress: &Progress) -> Result<Content, ReadError> {
    let bytes = file::read_watched(path, "js3d", progress)?;
    let (scene, report) = js3d::read_in(&bytes, path.parent())?;
    let (mut shown, mut caches) = (Shown::default(), Caches::default());
    let session = opened(scene.clone(), None, &mut settings);
    refresh(&mut &mut shown, &mut caches, &session, &settings);
    warm_trees(&shown);
    caches.textures.warm(&scene, path);
    Ok(Content::Document {
        own: OwnFile::opened(path, &bytes, &report),
        scene,
        report,
        shown: Box::new(shown),
        caches: Box::new(caches),
    })
}

/// The trees that the pointer needs as soon as it is over the scene.
fn warm_trees(shown: &Shown) {
    let scene = &shown.evaluated.scene;
    for (name, posed) in &shown.evaluated.skinned {
        if let Some(mesh) = scene.skinned_meshes.get(name) {
            posed.tree(&shown.evaluated.trees, &mesh.surface);
        }
    }
    for mesh in scene.meshes.values() {
        shown.evaluated.trees.get(&mesh.surface);
    }
}

/// The name of a file, for messages.
pub fn name_of(path: &Path) -> String {
    path.file_name()
        .map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into())
}
