//! Divides the viewport while two sides are compared; the pointer is on one of them.

use super::panes::Panes;
use super::state::ViewportState;
use crate::editor::state::{Settings, Shown};
use crate::scene::compare::Compared;
use bevy::prelude::*;
use bevy_egui::egui;

/// Divides the viewport while there is something to compare, after the evaluation.
pub fn divide(mut viewport: ResMut<ViewportState>, mut shown: ResMut<Shown>, settings: Res<Settings>) {
    let pointed = viewport.panes.map_or(0, |panes| panes.pointed);
    let compared = shown.evaluated.compare.is_some();
    viewport.panes = compared.then(|| Panes::new(&settings.compare, pointed));
    pass_pointed_side(&viewport, &mut shown);
}

/// Sets the side that the pointer is on, at a point of the window; not during a drag.
pub fn set_pointed_side(pointer: egui::Pos2, viewport: &mut ViewportState, shown: &mut ResMut<Shown>) {
    let whole = viewport.rect();
    if let Some(panes) = &mut viewport.panes {
        panes.pointed = panes.side_of(whole, pointer);
    }
    pass_pointed_side(viewport, shown);
}

/// Passes the side to the evaluated scene, so that picking uses what that side shows.
fn pass_pointed_side(viewport: &ViewportState, shown: &mut ResMut<Shown>) {
    let pointed = viewport.panes.map_or(0, |panes| panes.pointed);
    let is_current = |compared: &Compared| compared.pointed == pointed;
    if !shown.evaluated.compare.as_ref().is_none_or(is_current)
        && let Some(compared) = &mut shown.evaluated.compare
    {
        compared.pointed = pointed;
    }
}
