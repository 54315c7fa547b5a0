//! Cameras and lights that are added, and the camera that takes the view: they stand where the view and the scene say.

use crate::edit::action::{Create, Reason, created};
use crate::editor::app::editor::Editor;
use crate::editor::state::view;
use crate::editor::viewport::bounds::surface_bounds;

/// Creates it as one step.
///
/// # Errors
/// A sentence why it cannot be done.
pub fn create(editor: &mut Editor, what: &Create) -> Result<(), Reason> {
    editor.refresh();
    let seen = view(&editor.session, &editor.settings, &editor.shown);
    let bounds = surface_bounds(&seen, &mut editor.caches);
    let commands = created(what, &seen, &editor.viewport.camera, &bounds)?;
    editor.settings.playback.pause();
    let applied = editor.session.apply(&commands);
    applied.map_err(|error| error.to_string().into())
}
