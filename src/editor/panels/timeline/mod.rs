//! The panel at the bottom of the Animate tab: what plays, and below it the keys in time.

mod sheet;
mod transport;

use crate::edit::request::Request;
use crate::edit::view::View;
use egui::Ui;

/// What the panel remembers between frames.
#[derive(Default)]
pub struct TimelineState {
    sheet: sheet::SheetState,
    transport: transport::TransportState,
}

pub fn timeline_ui(ui: &mut Ui, view: &View, state: &mut TimelineState, out: &mut Vec<Request>) {
    transport::transport_ui(ui, view, &mut state.transport, out);
    sheet::sheet_ui(ui, view, &mut state.sheet, out);
}
