//! The letters x, y, z at the right end of a row name, which show and hide components of its curves.

use super::state::GraphState;
use crate::edit::time::timeline::RowSubject;
use crate::editor::panels::timeline::lines::Line;
use crate::editor::panels::timeline::mute::{LETTER, Switch};
use crate::editor::ui::theme;
use egui::{Rect, Ui, pos2, vec2};

/// Whether a row has letters: those of characters show what their parts do.
fn has_letters(line: &Line) -> bool {
    let is_named = matches!(line.row.subject, RowSubject::Named(_)) && line.row.muted_components.is_none();
    !line.row.keys.is_empty() && !is_named
}

/// The width of the letters, in points.
pub fn width(line: &Line) -> f32 {
    if has_letters(line) { 3.0 * LETTER + theme::SMALL_GAP } else { 0.0 }
}

/// Draws the letters of a row whose name is in `rect`. Returns the component whose letter was clicked.
pub fn toggles_ui(ui: &Ui, state: &GraphState, line: &Line, rect: Rect) -> Option<usize> {
    if !has_letters(line) {
        return None;
    }
    let subject = &line.row.subject;
    let mut clicked = None;
    for (axis, name) in theme::AXIS_NAMES.into_iter().enumerate() {
        let is_shown = !state.is_hidden(subject, axis);
        let letter = Switch {
            label: format!("Show {} {name}", line.name),
            glyph: name,
            axis: Some(axis),
            is_on: is_shown,
            is_struck: !is_shown,
            visible: true,
            tooltip: match (subject, is_shown) {
                (RowSubject::Summary, true) => "Hide this component of all curves.",
                (RowSubject::Summary, false) => "Show this component of all curves.",
                (_, true) => "Hide this curve.",
                (_, false) => "Show this curve.",
            },
        };
        let right = rect.right() - 2.0 - (2 - axis) as f32 * LETTER;
        let place = Rect::from_min_size(pos2(right - LETTER, rect.top()), vec2(LETTER, rect.height()));
        if letter.ui(ui, place) {
            clicked = Some(axis);
        }
    }
    clicked
}
