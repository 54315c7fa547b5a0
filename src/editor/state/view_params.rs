//! The parameter of systems that draw or pick.

use super::resources::{Document, Settings};
use super::shown::Shown;
use crate::edit::session::Session;
use crate::edit::settings::view::{View, ViewSettings};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

/// The parameter of systems that draw or pick: the three parts of a [`View`].
#[derive(SystemParam)]
pub struct ViewParams<'w> {
    pub session: Res<'w, Document>,
    pub settings: Res<'w, Settings>,
    pub shown: Res<'w, Shown>,
}

impl ViewParams<'_> {
    pub fn view(&self) -> View<'_> {
        view(&self.session, &self.settings, &self.shown)
    }

    /// Whether any of them has changed since the calling system last ran.
    pub fn is_changed(&self) -> bool {
        self.session.is_changed() || self.settings.is_changed() || self.shown.is_changed()
    }
}

pub fn view<'a>(session: &'a Session, settings: &'a ViewSettings, shown: &'a Shown) -> View<'a> {
    View { session, settings, evaluated: &shown.evaluated }
}
