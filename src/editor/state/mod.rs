//! The state of the window as Bevy resources: the document, the settings of the view, what is shown of it, what panels
//! remember, what was asked for. Each system takes those that it needs.
//!
//! Most are newtypes: the core and the panels know no Bevy.

pub mod shown;
pub mod weight_colors;

pub use shown::{Caches, Shown};

use crate::edit::request::Request;
use crate::edit::session::Session;
use crate::edit::view::{View, ViewSettings};
use crate::editor::panels::PanelsState;
use bevy::ecs::system::SystemParam;
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

/// What systems read that draw or pick: the three parts of a [`View`].
#[derive(SystemParam)]
pub struct Seen<'w> {
    pub session: Res<'w, Document>,
    pub settings: Res<'w, Settings>,
    pub shown: Res<'w, Shown>,
}

impl Seen<'_> {
    pub fn view(&self) -> View<'_> {
        view(&self.session, &self.settings, &self.shown)
    }

    /// Whether any of them changed since the system that asks ran last.
    pub fn is_changed(&self) -> bool {
        self.session.is_changed() || self.settings.is_changed() || self.shown.is_changed()
    }
}

pub fn view<'a>(session: &'a Session, settings: &'a ViewSettings, shown: &'a Shown) -> View<'a> {
    View {
        session,
        settings,
        evaluated: &shown.evaluated,
    }
}
