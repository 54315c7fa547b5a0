//! The viewport is divided while two sides are compared, and the pointer means one of them.

use super::panes::Panes;
use super::state::ViewportState;
use crate::editor::state::{Settings, Shown};
use crate::scene::compare::Compared;
use bevy::prelude::*;
use bevy_egui::egui;

/// After an evaluation: divides the viewport while there is something to compare.
pub fn divide(mut viewport: ResMut<ViewportState>, mut shown: ResMut<Shown>, settings: Res<Settings>) {
    let pointed = viewport.panes.map_or(0, |panes| panes.pointed);
    let compared = shown.evaluated.compare.is_some();
    viewport.panes = compared.then(|| Panes::new(&settings.compare, pointed));
    tell_pointed(&viewport, &mut shown);
}

/// The pointer is at a point of the window and holds nothing: it means the side that it is on.
pub fn point_at(at: egui::Pos2, viewport: &mut ViewportState, shown: &mut ResMut<Shown>) {
    let whole = viewport.rect();
    if let Some(panes) = &mut viewport.panes {
        panes.pointed = panes.side_of(whole, at);
    }
    tell_pointed(viewport, shown);
}

/// What is picked is what the side shows.
fn tell_pointed(viewport: &ViewportState, shown: &mut ResMut<Shown>) {
    let pointed = viewport.panes.map_or(0, |panes| panes.pointed);
    let same = |compared: &Compared| compared.pointed == pointed;
    if !shown.evaluated.compare.as_ref().is_none_or(same)
        && let Some(compared) = &mut shown.evaluated.compare
    {
        compared.pointed = pointed;
    }
}
