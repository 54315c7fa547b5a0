//! What was chosen in Edit > Preferences takes effect.

use crate::editor::app::files::Files;
use crate::editor::app::journaling::Journaling;
use crate::editor::state::{Document, Settings};
use bevy::prelude::*;

/// Keys, mouse and scale are looked up where they are used.
pub fn follow(
    settings: Res<Settings>,
    mut document: ResMut<Document>,
    mut journaling: ResMut<Journaling>,
    files: Res<Files>,
) {
    let options = &settings.options;
    // Neither is a part of the document.
    let session = &mut document.bypass_change_detection().0;
    session.set_undo_bytes(options.undo_megabytes << 20);
    let own = files.own.as_ref();
    journaling
        .bypass_change_detection()
        .turn(options.journal, session, own);
}
