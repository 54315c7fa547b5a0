//! Cameras and lights that are added, and the camera that takes the view: they stand where the view and the scene say.

use crate::edit::action::{Action, create};
use crate::editor::Editor;
use crate::editor::panels::messages::Level;

impl Editor {
    /// Does an action of [`create`]. True if it was one.
    pub(in crate::editor) fn create(&mut self, action: Action) -> bool {
        if !create::is_of_view(action) {
            return false;
        }
        self.refresh();
        let bounds = self.surface_bounds();
        let commands = create::commands(action, &self.view(), &self.viewport.camera, &bounds);
        let done = commands.and_then(|commands| {
            self.settings.playback.pause();
            self.session.apply(&commands).map_err(|why| why.to_string())
        });
        if let Err(why) = done {
            let text = action.info().text;
            self.panels
                .messages
                .push(Level::Warning, format!("{text}: {why}"), String::new());
        }
        true
    }
}
