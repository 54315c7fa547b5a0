//! The document, the settings of the view, what panels remember and what was asked for, each as a resource. Most are
//! newtypes: the core and the panels know no Bevy.

use crate::edit::request::Request;
use crate::edit::session::Session;
use crate::edit::view::ViewSettings;
use crate::editor::panels::PanelsState;
use bevy::prelude::*;

/// The open document. Changed where requests are carried out, and by the clock while it plays.
#[derive(Resource, Default, Deref, DerefMut)]
pub struct Document(pub Session);

/// The open tab and the switches of the view.
#[derive(Resource, Default, Deref, DerefMut)]
pub struct Settings(pub ViewSettings);

/// What the panels remember between frames.
#[derive(Resource, Default, Deref, DerefMut)]
pub struct Panels(pub PanelsState);

/// Asked for in this frame; carried out in `FrameStep::Apply`.
#[derive(Resource, Default, Deref, DerefMut)]
pub struct Requests(pub Vec<Request>);

/// Frames to draw although nothing more happens: changes take some to reach the picture.
#[derive(Resource)]
pub struct Redraw {
    due: u32,
}

/// Frames after a change: panels show it in the next, new meshes and materials take some more.
const SETTLE_FRAMES: u32 = 4;
/// And after the start, when everything is new.
const FIRST_FRAMES: u32 = 12;

impl Default for Redraw {
    fn default() -> Self {
        Self { due: FIRST_FRAMES }
    }
}

impl Redraw {
    /// Something changed that the next frames show.
    pub fn soon(&mut self) {
        self.due = self.due.max(SETTLE_FRAMES);
    }

    /// Whether another frame is due after this one, which is counted.
    pub fn take_frame(&mut self) -> bool {
        let due = self.due > 0;
        self.due = self.due.saturating_sub(1);
        due
    }
}
