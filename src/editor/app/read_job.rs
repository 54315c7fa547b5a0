//! Files read beside the window: a scene to open or to append, a mesh to import. All that takes long with a large file
//! is done here, to the first picture of it; what is read is put in place by [`super::documents`].

use crate::anim::channel::Animation;
use crate::edit::session::Session;
use crate::edit::view::ViewSettings;
use crate::editor::app::own_file::OwnFile;
use crate::editor::app::start::opened;
use crate::editor::app::worker::Progress;
use crate::editor::panels::import::ImportState;
use crate::editor::panels::import_scene::SceneImport;
use crate::editor::state::shown::refresh;
use crate::editor::state::{Caches, Shown};
use crate::io::damaged_pictures::damaged_pictures;
use crate::io::file::{self, ReadError};
use crate::io::format::{Holds, SceneReader};
use crate::io::formats::format_of;
use crate::io::import::Imported;
use crate::io::picture_paths::rebase;
use crate::io::report::Report;
use crate::io::{formats, gltf, js3d};
use crate::scene::Scene;
use std::path::{Path, PathBuf};

/// What becomes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Open,
    Append,
    /// Only its saved poses, for the selected character.
    Poses,
    /// A mesh or a scene of another format; a dialog asks what becomes of it.
    Import,
    /// The same, read in another way while the dialog waits.
    ImportAgain,
    /// A scene of another format, which becomes the document and has no file yet.
    OpenOther,
}

impl Purpose {
    /// `opened`, for messages.
    pub fn done(self) -> &'static str {
        match self {
            Purpose::Open | Purpose::OpenOther => "opened",
            Purpose::Append => "appended",
            Purpose::Import | Purpose::ImportAgain | Purpose::Poses => "imported",
        }
    }
}

/// A file that was read, and what for.
pub struct ReadResult {
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
        /// None of a scene of another format.
        own: Option<OwnFile>,
        /// As it is shown when it is opened.
        shown: Box<Shown>,
        caches: Box<Caches>,
    },
    /// To be appended.
    Scene(Scene, Report),
    /// Whose poses are wanted.
    Poses(Scene, Report),
    /// To be appended if that is what is wanted.
    Offered(Box<SceneImport>),
    Mesh(Box<ImportState>),
}

impl ReadResult {
    /// Whether the document has changed since.
    pub fn is_outrun(&self, session: &Session) -> bool {
        !self.before.is_shared(session.scene())
    }
}

/// The work of reading `path` while a document is open. `asked`: how a glTF file is read that is imported.
pub fn work(
    purpose: Purpose,
    path: PathBuf,
    asked: Option<gltf::read::Options>,
    session: &Session,
    settings: &ViewSettings,
) -> impl FnOnce(&Progress) -> ReadResult + use<> {
    let (before, settings) = (session.scene().clone(), settings.clone());
    let folder = session.path().and_then(Path::parent).map(Path::to_owned);
    move |progress| {
        let content = match purpose {
            Purpose::Open => document(&path, settings, progress),
            Purpose::OpenOther => match format_of(&path).holds {
                Holds::Scene(read) => other_document(read, &path, settings, progress),
                Holds::Document | Holds::Mesh => document(&path, settings, progress),
            },
            Purpose::Append => file::read_watched(&path, "js3d", progress)
                .and_then(|bytes| js3d::read_in(&bytes, path.parent()))
                .map(|(mut scene, report)| {
                    rebase(&mut scene, path.parent(), folder.as_deref());
                    Content::Scene(scene, report)
                }),
            Purpose::Poses => file::read_watched(&path, "js3d", progress)
                .and_then(|bytes| js3d::read_in(&bytes, path.parent()))
                .map(|(scene, report)| Content::Poses(scene, report)),
            Purpose::Import | Purpose::ImportAgain => match format_of(&path).holds {
                Holds::Scene(read) => offered(read, (&path, asked), folder.as_deref(), &before, progress),
                Holds::Document | Holds::Mesh => {
                    formats::read_watched(&path, progress).map(|imported| match imported {
                        Imported::Mesh(mesh) => {
                            Content::Mesh(Box::new(ImportState::new(*mesh, name_of(&path))))
                        }
                        Imported::Scene(scene, report) => Content::Scene(scene, report),
                    })
                }
            },
        };
        ReadResult {
            purpose,
            path,
            before,
            content,
        }
    }
}

/// A scene of another format for the dialog; its paths begin in `folder`, that of the document if it has one.
fn offered(
    read: SceneReader,
    (path, asked): (&Path, Option<gltf::read::Options>),
    folder: Option<&Path>,
    before: &Scene,
    progress: &Progress,
) -> Result<Content, ReadError> {
    // An open animation keeps its rate.
    let animation = &before.animation;
    let options = asked.unwrap_or_else(|| gltf::read::Options {
        rate: (**animation != Animation::default()).then_some(animation.clip.rate),
        ..gltf::read::Options::default()
    });
    let mut read = read(path, &options, progress)?;
    let damaged = damaged_pictures(&read.scene, path.parent());
    read.report.findings.extend(damaged.findings);
    rebase(&mut read.scene, path.parent(), folder);
    let offered = SceneImport::new(path.to_owned(), options, read);
    Ok(Content::Offered(Box::new(offered)))
}

fn document(path: &Path, settings: ViewSettings, progress: &Progress) -> Result<Content, ReadError> {
    let bytes = file::read_watched(path, "js3d", progress)?;
    let (scene, report) = js3d::read_in(&bytes, path.parent())?;
    let own = OwnFile::opened(path, &bytes, &report);
    Ok(shown(scene, report, Some(own), settings))
}

/// The scene of a file of another format, which has no file of its own yet.
fn other_document(
    read: SceneReader,
    path: &Path,
    settings: ViewSettings,
    progress: &Progress,
) -> Result<Content, ReadError> {
    let mut read = read(path, &gltf::read::Options::default(), progress)?;
    rebase(&mut read.scene, path.parent(), None);
    Ok(shown(read.scene, read.report, None, settings))
}

/// A scene with all that is needed to show it.
fn shown(scene: Scene, mut report: Report, own: Option<OwnFile>, mut settings: ViewSettings) -> Content {
    let (mut shown, mut caches) = (Shown::default(), Caches::default());
    let path = own.as_ref().map(|own| own.path.clone());
    let session = opened(scene.clone(), path.clone(), &mut settings);
    refresh(&mut &mut shown, &mut caches, &session, &settings);
    warm_trees(&shown);
    if caches.textures.warm(&scene, path.as_deref()) {
        let damaged = damaged_pictures(&scene, path.as_deref().and_then(Path::parent));
        report.findings.extend(damaged.findings);
    }
    Content::Document {
        own,
        scene,
        report,
        shown: Box::new(shown),
        caches: Box::new(caches),
    }
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
