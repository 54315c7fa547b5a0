//! Everything that a request may read and change, for the step of a frame that carries out requests. Other
//! systems take only what they need.

use crate::edit::action::ViewMove;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::settings::view::View;
use crate::editor::app::files::Files;
use crate::editor::app::files::folders::Folders;
use crate::editor::app::jobs::Jobs;
use crate::editor::app::jobs::fit_job::FitJob;
use crate::editor::app::jobs::read_job::name_of;
use crate::editor::app::jobs::render_job::Rendering;
use crate::editor::app::recovery::journaling::Journaling;
use crate::editor::app::recovery::recovering::Recovering;
use crate::editor::app::wake::Waker;
use crate::editor::panels::messages::Level;
use crate::editor::state::shown::refresh;
use crate::editor::state::{Caches, Document, Panels, Redraw, Requests, Settings, Shown, view};
use crate::editor::viewport::ViewportState;
use crate::editor::viewport::camera::move_view;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use std::path::Path;

#[derive(SystemParam)]
pub struct Editor<'w> {
    pub session: ResMut<'w, Document>,
    pub settings: ResMut<'w, Settings>,
    pub shown: ResMut<'w, Shown>,
    pub caches: ResMut<'w, Caches>,
    pub viewport: ResMut<'w, ViewportState>,
    pub panels: ResMut<'w, Panels>,
    pub requests: ResMut<'w, Requests>,
    pub files: ResMut<'w, Files>,
    pub folders: ResMut<'w, Folders>,
    pub fit: ResMut<'w, FitJob>,
    pub jobs: ResMut<'w, Jobs>,
    pub rendering: ResMut<'w, Rendering>,
    pub journaling: ResMut<'w, Journaling>,
    pub recovering: ResMut<'w, Recovering>,
    pub redraw: ResMut<'w, Redraw>,
    pub waker: Res<'w, Waker>,
}

impl Editor<'_> {
    pub fn view(&self) -> View<'_> {
        view(&self.session, &self.settings, &self.shown)
    }

    /// Evaluates changes at once, for code that depends on what is shown.
    pub fn refresh(&mut self) {
        refresh(&mut self.shown, &mut self.caches, &self.session, &self.settings);
    }

    /// Shows a message.
    pub fn notify(&mut self, level: Level, text: impl Into<String>, details: impl Into<String>) {
        self.panels.messages.push(level, text, details);
    }

    /// Shows that an operation on a file failed. `done`: its past participle.
    pub fn notify_failed(&mut self, path: &Path, done: &str, error: String) {
        self.notify(Level::Error, format!("{} could not be {done}", name_of(path)), error);
    }

    /// Turns or moves the view, including what was added in this frame.
    pub fn move_view(&mut self, to: ViewMove) {
        self.refresh();
        let Self { session, settings, shown, caches, viewport, .. } = self;
        move_view(to, viewport, settings, session, shown, caches);
    }

    /// Returns the transform of the active skinned mesh in the open tab; the identity if there is none.
    pub fn world_from_mesh(&self) -> Mat4 {
        ActiveRig::from_view(&self.view()).map_or(Mat4::IDENTITY, |stage| stage.world_from_skeleton)
    }
}
