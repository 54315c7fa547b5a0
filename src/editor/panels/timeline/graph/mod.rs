//! The curves of the values of keys over time, in the place of the sheet's rows of keys. They are drawn as they are played;
//! what does the playing is the channel's concern, and what is done with keys that of the panel.

mod bands;
mod contacts;
mod curves;
mod hits;
mod lasso;
mod nudge;
mod paint;
mod pointer;
mod polyline;
mod samples;
mod slopes;
pub mod state;
mod strip;
pub mod toggles;
pub mod value;
mod value_cursor;

use super::pointer::ZOOM;
use super::time::Scale;
use super::{ActiveDrag, KeysState, Layout};
use crate::anim::channel::ChannelRef;
use crate::anim::take::Take;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::theme;
use egui::{Align2, FontId, Response, Ui};
use state::Fit;
pub use state::GraphState;
use std::collections::BTreeSet;
use std::sync::Arc;
use value::{Heights, ValueScale};

/// What is drawn in this frame, and where.
struct Plot<'a> {
    layout: &'a Layout,
    scale: &'a Scale,
    values: ValueScale,
}

/// Draws the curves, and handles the pointer over them.
pub fn graph_ui(
    ui: &mut Ui,
    view: &View,
    layout: &Layout,
    scale: &Scale,
    area: &Response,
    state: &mut KeysState,
    out: &mut Vec<Request>,
) {
    let KeysState { graph, lines, locked, .. } = state;
    graph.curves.update(view, lines, (&graph.hidden, locked), graph.heights, scale);
    if !view.session.in_transaction() && !state.keys.is_empty() {
        // Only what is shown is moved or deleted.
        let shown: BTreeSet<&ChannelRef> = graph.curves.all().iter().map(|curve| &curve.channel).collect();
        if let Some(keys) = state.keys.without(|channel| !shown.contains(channel)) {
            state.keys = Arc::new(keys);
        }
    }
    if !view.session.in_transaction() {
        graph.edited = graph.active_key(&state.keys);
    }
    let take = view.session.scene().animation.takes.chosen();
    let cycle = take.filter(|take| take.cycle).map(Take::cycle_ends);
    let values = visible_values(ui, layout, cycle, state);
    let plot = Plot { layout, scale, values };
    paint_ui(ui, view, &plot, area, state);
    if !state.lines.all().is_empty() {
        strip::strip_ui(ui, view, layout.summary.with_min_x(layout.split), state, out);
    }
    nudge::keyboard(ui, view, state, out);
    pointer::pointer_ui(ui, view, &plot, area, state, out);
}

/// Scrolls, zooms and fits the values, and makes the lines of the curves.
fn visible_values(ui: &Ui, layout: &Layout, cycle: Option<[f32; 2]>, state: &mut KeysState) -> ValueScale {
    let graph = &mut state.graph;
    let wheel = std::mem::take(&mut graph.wheel);
    let pointer = ui.input(|i| i.pointer.latest_pos());
    let scale = graph.values.scale(layout.keys);
    if let (true, Some(pointer)) = (wheel.notches != 0.0, pointer) {
        graph.values.zoom(&scale, pointer.y, ZOOM.powf(wheel.notches));
    } else if wheel.points != 0.0 {
        graph.values.pan(&scale, wheel.points);
    }
    if let Some(fit) = graph.fit {
        let selected = match fit {
            Fit::All => None,
            Fit::Selected => graph.curves.selected_range(&state.keys),
        };
        if let Some(range) = selected.or_else(|| graph.curves.shown_range()) {
            graph.values.fit(range);
            graph.fit = None;
        }
    }
    let values = graph.values.scale(layout.keys);
    graph.curves.update_lines(&values, cycle);
    values
}

fn paint_ui(ui: &Ui, view: &View, plot: &Plot, area: &Response, state: &mut KeysState) {
    let Plot { layout, scale, values } = plot;
    let KeysState { graph, lines, keys, drag, .. } = state;
    let painter = ui.painter_at(layout.keys);
    let mut units = graph.curves.all().iter().map(|curve| curve.unit);
    let has_unit = matches!(graph.heights, Heights::Values | Heights::Speeds);
    let unit = units.next().filter(|unit| has_unit && units.all(|other| other == *unit));
    let unit = unit.unwrap_or_default();
    if graph.heights == Heights::Stacked {
        bands::paint(&painter, layout.keys, &mut graph.curves, lines.all(), values);
    } else {
        paint::paint_grid(&painter, layout.keys, values);
        paint::paint_numbers(&painter, layout.keys, values, unit);
    }
    if graph.heights == Heights::Speeds {
        paint::paint_caption(&painter, layout.keys, &format!("Speed: {unit} per frame"));
    }
    value_cursor::paint(ui, &painter, layout.keys, values, graph.cursor, unit);
    // In the scene before a drag, where they stay in place and keys snap to them.
    contacts::bars_ui(ui, layout.keys, scale, graph.stances.update(view.session.scene_before()));
    if graph.curves.all().is_empty() && !lines.all().is_empty() {
        let text = "No curves: all rows at the left are hidden";
        let font = FontId::proportional(theme::BODY);
        let center = layout.keys.center();
        painter.text(center, Align2::CENTER_CENTER, text, font, *theme::TEXT_QUIET);
    }
    if matches!(drag, Some(ActiveDrag::Keys(_))) || graph.slope.is_some() {
        let before = view.session.animated_before();
        let are_speeds = graph.heights == Heights::Speeds;
        paint::paint_ghosts(&painter, &graph.curves, (before, are_speeds), &mut graph.ghosts, scale, values);
    } else {
        graph.ghosts.clear();
    }
    let pointer = area.hover_pos().filter(|_| drag.is_none() && graph.slope.is_none());
    let active = graph.active_key(keys);
    graph.handles = match graph.heights {
        Heights::Speeds => Vec::new(),
        _ => slopes::handles(&graph.curves, view.session.scene(), keys, active.as_ref(), scale, values),
    };
    let handle = pointer.and_then(|point| slopes::handle_under(&graph.handles, point));
    let pointer = pointer.filter(|_| handle.is_none());
    let hovered = pointer.and_then(|point| hits::key_under(&graph.curves, scale, values, point));
    let curve = pointer.filter(|_| hovered.is_none());
    let curve = curve.and_then(|point| hits::curve_under(&graph.curves, scale, values, point));
    paint::paint_curves(&painter, &graph.curves, curve);
    slopes::paint_handles(ui, &painter, &graph.handles, &graph.curves, lines.all(), area.hover_pos());
    let marks =
        paint::KeyMarks { rect: layout.keys, keys, hovered: hovered.as_ref(), active: active.as_ref() };
    paint::paint_keys(ui, &painter, &graph.curves, lines.all(), scale, values, &marks);
}
