//! Cameras and lights that are added, and the camera that takes the view: they stand where the view and the scene say.

use crate::edit::action::{Create, Reason, created};
use crate::editor::Editor;

impl Editor {
    /// Creates it as one step.
    ///
    /// # Errors
    /// A sentence why it cannot be done.
    pub(in crate::editor) fn create(&mut self, what: &Create) -> Result<(), Reason> {
        self.refresh();
        let bounds = self.surface_bounds();
        let commands = created(what, &self.view(), &self.viewport.camera, &bounds)?;
        self.settings.playback.pause();
        let applied = self.session.apply(&commands);
        applied.map_err(|error| error.to_string().into())
    }
}
