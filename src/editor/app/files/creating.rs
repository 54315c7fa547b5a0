//! Adds cameras and lights, and moves a camera to the view: their placement depends on the view and the
//! scene.

use crate::edit::action::{Create, Reason, create_commands};
use crate::editor::app::editor::Editor;
use crate::editor::state::view;
use crate::editor::viewport::bounds::surface_bounds;

/// Creates or moves an object as one undo step.
///
/// # Errors
/// The reason why that cannot be done, as a sentence.
pub fn create(editor: &mut Editor, object: &Create) -> Result<(), Reason> {
    editor.refresh();
    let view = view(&editor.session, &editor.settings, &editor.shown);
    let bounds = surface_bounds(&view, &mut editor.caches);
    let commands = create_commands(object, &view, &editor.viewport.camera, &bounds)?;
    editor.settings.playback.pause();
    let applied = editor.session.apply(&commands);
    applied.map_err(|error| error.to_string().into())
}
