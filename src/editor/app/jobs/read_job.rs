//! Reads files in the background: a scene to open or append, a mesh to import. Everything that takes long for
//! a large file is done here, up to its first picture; [`crate::editor::app::files::documents`] puts the result in place.

use crate::anim::channel::Animation;
use crate::edit::session::Session;
use crate::edit::settings::view::ViewSettings;
use crate::editor::app::files::own_file::OwnFile;
use crate::editor::app::jobs::worker::Progress;
use crate::editor::app::recovery::thumbnail::thumbnail;
use crate::editor::app::start::open_session;
use crate::editor::panels::dialogs::import::ImportState;
use crate::editor::panels::dialogs::import_scene::OfferedScene;
use crate::editor::state::shown::refresh;
use crate::editor::state::{Caches, Shown};
use crate::io::damaged_pictures::damaged_pictures;
use crate::io::file::{self, ReadError};
use crate::io::format::{Contents, SceneReader};
use crate::io::formats::format_of;
use crate::io::import::{FileImport, ImportOptions};
use crate::io::picture_paths::rebase;
use crate::io::report::Report;
use crate::io::{formats, js3d};
use crate::scene::Scene;
use crate::scene::join::{Joined, bare_body};
use std::path::{Path, PathBuf};

/// The purpose of reading a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Open,
    Append,
    /// Saved poses for the selected character.
    Poses,
    /// Animations for the selected character.
    Clips,
    /// A mesh or a scene of another format; a dialog asks how to import it.
    Import,
    /// A file that was dropped on the window: the same, but a body without a skeleton is added at once, and gets one.
    Drop,
    /// Like `Import`, read with other options while the dialog waits.
    ImportAgain,
    /// A scene of another format, which becomes the document and has no file yet.
    OpenOther,
}

impl Purpose {
    /// The past participle for messages, such as "opened".
    pub fn past_participle(self) -> &'static str {
        match self {
            Purpose::Open | Purpose::OpenOther => "opened",
            Purpose::Append => "appended",
            Purpose::Clips => "added",
            Purpose::Import | Purpose::Drop | Purpose::ImportAgain | Purpose::Poses => "imported",
        }
    }
}

/// The result of reading a file, and its purpose.
pub struct ReadResult {
    pub purpose: Purpose,
    pub path: PathBuf,
    /// The document that was open when reading began.
    before: Scene,
    pub content: Result<Content, ReadError>,
}

pub enum Content {
    /// A scene to open.
    Document {
        scene: Scene,
        report: Report,
        /// `None` for a scene of another format.
        own_file: Option<OwnFile>,
        /// What was joined to the body of another format which is all there is and gets a skeleton; `None` for other scenes.
        bare_body: Option<Joined>,
        /// The evaluated scene, to be shown at once.
        shown: Box<Shown>,
        caches: Box<Caches>,
    },
    /// A scene to append.
    Scene(Scene, Report),
    /// A scene whose animations are to be added.
    Clips(Scene, Report),
    /// A scene whose poses are to be imported.
    Poses(Scene, Report),
    /// A scene to import as chosen in a dialog.
    Offered(Box<OfferedScene>),
    Mesh(Box<ImportState>),
}

impl ReadResult {
    /// Whether the document has changed since reading began.
    pub fn is_outdated(&self, session: &Session) -> bool {
        !self.before.is_shared(session.scene())
    }
}

/// Returns the work of reading `path` while a document is open. `options`: those for importing a scene of another program.
pub fn work(
    purpose: Purpose,
    path: PathBuf,
    options: Option<ImportOptions>,
    session: &Session,
    settings: &ViewSettings,
) -> impl FnOnce(&Progress) -> ReadResult + use<> {
    let (before, settings) = (session.scene().clone(), settings.clone());
    let folder = session.path().and_then(Path::parent).map(Path::to_owned);
    move |progress| {
        let content = match purpose {
            Purpose::Open => read_document(&path, settings, progress),
            Purpose::OpenOther => match format_of(&path).contents {
                Contents::Scene(read) => read_other_document(read, &path, settings, progress),
                Contents::Document | Contents::Mesh => read_document(&path, settings, progress),
            },
            Purpose::Append => file::read_with_progress(&path, "js3d", progress)
                .and_then(|bytes| js3d::read_in_folder(&bytes, path.parent()))
                .map(|(mut scene, report)| {
                    rebase(&mut scene, path.parent(), folder.as_deref());
                    Content::Scene(scene, report)
                }),
            Purpose::Poses => file::read_with_progress(&path, "js3d", progress)
                .and_then(|bytes| js3d::read_in_folder(&bytes, path.parent()))
                .map(|(scene, report)| Content::Poses(scene, report)),
            Purpose::Clips => formats::read_clips(&path, &before.animation, progress)
                .map(|read| Content::Clips(read.scene, read.report)),
            Purpose::Import | Purpose::Drop | Purpose::ImportAgain => match format_of(&path).contents {
                Contents::Scene(read) => {
                    read_for_dialog(read, (&path, options), folder.as_deref(), &before, progress)
                }
                Contents::Document | Contents::Mesh => {
                    formats::read_with_progress(&path, progress).map(|imported| match imported {
                        FileImport::Mesh(mesh) => {
                            Content::Mesh(Box::new(ImportState::new(*mesh, name_of(&path))))
                        }
                        FileImport::Scene(scene, report) => Content::Scene(scene, report),
                    })
                }
            },
        };
        ReadResult { purpose, path, before, content }
    }
}

/// Reads a scene of another format for the import dialog; its paths become relative to `folder`, the
/// document's.
fn read_for_dialog(
    read: SceneReader,
    (path, options): (&Path, Option<ImportOptions>),
    folder: Option<&Path>,
    before: &Scene,
    progress: &Progress,
) -> Result<Content, ReadError> {
    // The frame rate of an open animation is kept.
    let animation = &before.animation;
    let options = options.unwrap_or_else(|| ImportOptions {
        rate: (**animation != Animation::default()).then_some(animation.clip.rate),
        ..ImportOptions::default()
    });
    let mut read = read(path, &options, progress)?;
    let damaged = damaged_pictures(&read.scene, path.parent());
    read.report.findings.extend(damaged.findings);
    rebase(&mut read.scene, path.parent(), folder);
    let (picture, bounds) = thumbnail(&Session::new(read.scene.clone(), None));
    let size = bounds.max - bounds.min;
    let import = OfferedScene::new(path.to_owned(), options, read, picture, size);
    Ok(Content::Offered(Box::new(import)))
}

fn read_document(path: &Path, settings: ViewSettings, progress: &Progress) -> Result<Content, ReadError> {
    let bytes = file::read_with_progress(path, "js3d", progress)?;
    let (scene, report) = js3d::read_in_folder(&bytes, path.parent())?;
    let own_file = OwnFile::opened(path, &bytes, &report);
    Ok(prepare(scene, report, Some(own_file), None, settings))
}

/// Reads a scene of another format as a document without a file. A body without a skeleton is as if it had been dropped.
fn read_other_document(
    read: SceneReader,
    path: &Path,
    settings: ViewSettings,
    progress: &Progress,
) -> Result<Content, ReadError> {
    let mut read = read(path, &ImportOptions::default(), progress)?;
    rebase(&mut read.scene, path.parent(), None);
    let (scene, joined) = match bare_body(&read.scene) {
        Some((body, joined)) => (body, Some(joined)),
        None => (read.scene, None),
    };
    Ok(prepare(scene, read.report, None, joined, settings))
}

/// Evaluates a scene, so that it can be shown at once.
fn prepare(
    scene: Scene,
    mut report: Report,
    own_file: Option<OwnFile>,
    bare_body: Option<Joined>,
    mut settings: ViewSettings,
) -> Content {
    let (mut shown, mut caches) = (Shown::default(), Caches::default());
    caches.joints.waits = true;
    let path = own_file.as_ref().map(|own_file| own_file.path.clone());
    let session = open_session(scene.clone(), path.clone(), &mut settings);
    refresh(&mut &mut shown, &mut caches, &session, &settings);
    caches.joints.waits = false;
    build_trees(&shown);
    if caches.textures.load_all(&scene, path.as_deref()) {
        let damaged = damaged_pictures(&scene, path.as_deref().and_then(Path::parent));
        report.findings.extend(damaged.findings);
    }
    let (shown, caches) = (Box::new(shown), Box::new(caches));
    Content::Document { own_file, bare_body, scene, report, shown, caches }
}

/// Builds the trees that picking needs as soon as the pointer is over the scene.
fn build_trees(shown: &Shown) {
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

/// Returns the name of a file, for messages.
pub fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into())
}
