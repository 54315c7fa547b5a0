//! Applies the choices made in Edit > Preferences.

use crate::editor::app::files::Files;
use crate::editor::app::recovery::journaling::Journaling;
use crate::editor::state::{Document, Settings};
use bevy::prelude::*;

/// Applies the undo memory and the journal; keys, mouse and scale are read where they are used.
pub fn follow(
    settings: Res<Settings>,
    mut document: ResMut<Document>,
    mut journaling: ResMut<Journaling>,
    files: Res<Files>,
) {
    let options = &settings.options;
    // Neither is part of the document.
    let session = &mut document.bypass_change_detection().0;
    session.set_undo_bytes(options.undo_megabytes << 20);
    let own_file = files.own_file.as_ref();
    journaling.bypass_change_detection().set_enabled(options.journal, session, own_file);
}
