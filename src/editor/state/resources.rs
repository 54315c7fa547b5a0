//! The document, the view settings, the state of the panels and the requests, each as a resource. Most are
//! newtypes, as the core and the panels do not depend on Bevy.

use crate::edit::request::Request;
use crate::edit::session::Session;
use crate::edit::settings::view::ViewSettings;
use crate::editor::panels::PanelsState;
use bevy::prelude::*;

/// The open document. It changes where requests are carried out, and by the clock while it plays.
#[derive(Resource, Default, Deref, DerefMut)]
pub struct Document(pub Session);

/// The open tab and the switches of the view.
#[derive(Resource, Default, Deref, DerefMut)]
pub struct Settings(pub ViewSettings);

/// The state of the panels between frames.
#[derive(Resource, Default, Deref, DerefMut)]
pub struct Panels(pub PanelsState);

/// The requests of this frame, carried out in `FrameStep::Apply`.
#[derive(Resource, Default, Deref, DerefMut)]
pub struct Requests(pub Vec<Request>);

/// The number of frames to draw although nothing else happens: changes take some frames to reach the picture.
#[derive(Resource)]
pub struct Redraw {
    due: u32,
}

/// The frames drawn after a change: panels show it in the next one, new meshes and materials take a few more.
const SETTLE_FRAMES: u32 = 4;
/// The frames drawn after the start, when everything is new.
const FIRST_FRAMES: u32 = 12;

impl Default for Redraw {
    fn default() -> Self {
        Self { due: FIRST_FRAMES }
    }
}

impl Redraw {
    /// Requests frames that show a change.
    pub fn request(&mut self) {
        self.due = self.due.max(SETTLE_FRAMES);
    }

    /// Counts this frame. Returns whether another one is due.
    pub fn take_frame(&mut self) -> bool {
        let due = self.due > 0;
        self.due = self.due.saturating_sub(1);
        due
    }
}
