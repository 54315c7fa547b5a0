//! The panel at the bottom of the Animate tab: what plays, and below it the keys in time.

mod clip;
mod sheet;
mod takes;
mod transport;

use crate::edit::request::Request;
use crate::edit::view::View;
use egui::{Context, Ui};
pub use sheet::key_list;

/// What the panel remembers between frames.
#[derive(Default)]
pub struct TimelineState {
    sheet: sheet::SheetState,
    transport: transport::TransportState,
}

impl TimelineState {
    /// Whether keys belong to the panel: a number is dragged or typed, keys of the sheet are held.
    pub fn takes_keys(&self) -> bool {
        self.sheet.takes_keys() || self.transport.takes_keys()
    }

    /// Whether shortcuts mean keys: the sheet was pressed last.
    pub fn has_keyboard(&self) -> bool {
        self.sheet.has_keyboard()
    }

    /// The name of the take that is played is to be typed.
    pub fn rename_take(&mut self) {
        self.transport.rename_take();
    }

    /// What the mouse does, while it is over the panel.
    pub fn hint(&self) -> Option<&'static str> {
        self.sheet.hint()
    }

    /// What there is to say.
    pub fn take_news(&mut self) -> Vec<String> {
        self.sheet.take_news()
    }

    /// Another document.
    pub fn document_opened(&mut self) {
        self.sheet.document_opened();
    }

    /// The panel is not shown: what was held there ends.
    pub fn leave(&mut self, view: &View, out: &mut Vec<Request>) {
        self.sheet.leave(view, out);
    }

    /// Once per frame, whether the panel was shown or not.
    pub fn end_frame(&mut self, ctx: &Context, out: &mut Vec<Request>) {
        self.transport.end_frame(ctx, out);
    }
}

pub fn timeline_ui(ui: &mut Ui, view: &View, state: &mut TimelineState, out: &mut Vec<Request>) {
    transport::transport_ui(ui, view, &mut state.transport, out);
    sheet::sheet_ui(ui, view, &mut state.sheet, out);
}
