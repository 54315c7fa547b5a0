//! The initial state of the application.

use crate::edit::journal::store::Store;
use crate::edit::select::selection::Selection;
use crate::edit::session::Session;
use crate::edit::settings::view::{Tab, ViewSettings};
use crate::editor::app::memory::Memory;
use crate::scene::Scene;
use std::path::PathBuf;

/// The first document, and how it is viewed.
#[derive(Default)]
pub struct Start {
    pub session: Session,
    pub settings: ViewSettings,
    /// A file to open once the window is open.
    pub file: Option<PathBuf>,
    /// The preferences; `None` if nothing is remembered.
    pub memory: Option<Memory>,
    /// The folder of the journals; `None` if none are written.
    pub journals: Option<Store>,
}

impl Start {
    pub fn with_scene(scene: Scene, path: Option<PathBuf>) -> Self {
        let mut settings = ViewSettings::default();
        Self {
            session: open_session(scene, path, &mut settings),
            settings,
            file: None,
            memory: None,
            journals: None,
        }
    }
}

/// Returns a session for a scene. Its first skinned mesh is selected, so that both tabs have something to
/// show.
pub fn open_session(scene: Scene, path: Option<PathBuf>, settings: &mut ViewSettings) -> Session {
    settings.playback.pause();
    let mut session = Session::new(scene, path);
    match session.scene().skinned_meshes.keys().next().cloned() {
        Some(mesh) => session.select(Selection::from_mesh(session.scene(), &mesh)),
        // There is nothing to rig, but there may be something to show.
        None => settings.tab = Tab::Animate,
    }
    session
}
