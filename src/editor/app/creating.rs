//! Cameras and lights that are added, and the camera that takes the view: they stand where the view and the scene say.

use crate::edit::action::{Action, create};
use crate::editor::app::editor::Editor;
use crate::editor::panels::messages::Level;
use crate::editor::state::view;
use crate::editor::viewport::bounds::surface_bounds;

/// Does an action of [`create`]. True if it was one.
pub fn create(editor: &mut Editor, action: Action) -> bool {
    if !create::is_of_view(action) {
        return false;
    }
    editor.refresh();
    let bounds = surface_bounds(
        &view(&editor.session, &editor.settings, &editor.shown),
        &mut editor.caches,
    );
    let commands = create::commands(action, &editor.view(), &editor.viewport.camera, &bounds);
    let done = commands.and_then(|commands| {
        editor.settings.playback.pause();
        editor.session.apply(&commands).map_err(|why| why.to_string())
    });
    if let Err(why) = done {
        editor.notify(Level::Warning, format!("{}: {why}", action.info().text), "");
    }
    true
}
