//! What the application begins with.

use crate::edit::journal::store::Store;
use crate::edit::selection::Selection;
use crate::edit::session::Session;
use crate::edit::view::{Tab, ViewSettings};
use crate::editor::app::memory::Memory;
use crate::scene::Scene;
use std::path::PathBuf;

/// A document and how it is looked at.
#[derive(Default)]
pub struct Start {
    pub session: Session,
    pub settings: ViewSettings,
    /// A file to open once the window is there.
    pub file: Option<PathBuf>,
    /// What was remembered; `None` where nothing is.
    pub memory: Option<Memory>,
    /// Where journals lie; `None` where none are kept.
    pub journals: Option<Store>,
}

impl Start {
    pub fn with_scene(scene: Scene, path: Option<PathBuf>) -> Self {
        let mut settings = ViewSettings::default();
        Self {
            session: opened(scene, path, &mut settings),
            settings,
            file: None,
            memory: None,
            journals: None,
        }
    }
}

/// The session of a document that is opened. Its first skinned mesh is selected, so that both tabs have something to
/// show.
pub fn opened(scene: Scene, path: Option<PathBuf>, settings: &mut ViewSettings) -> Session {
    settings.playback.pause();
    let mut session = Session::new(scene, path);
    match session.scene().skinned_meshes.keys().next().cloned() {
        Some(mesh) => session.select(Selection::of_mesh(session.scene(), &mesh)),
        // There is nothing to rig, but there may be something to see.
        None => settings.tab = Tab::Animate,
    }
    session
}
