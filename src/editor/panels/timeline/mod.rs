//! The panel at the bottom of the Animate tab: the play controls, and the dope sheet below.

mod clip;
mod sheet;
mod takes;
mod transport;

use crate::edit::request::Request;
use crate::edit::settings::view::View;
use egui::{Context, Ui};
pub use sheet::{Wave, key_list};

/// The state of the panel between frames.
#[derive(Default)]
pub struct TimelineState {
    sheet: sheet::SheetState,
    transport: transport::TransportState,
}

impl TimelineState {
    /// Whether the panel handles the keyboard: a number is being dragged or typed, or keys are being dragged.
    pub fn takes_keys(&self) -> bool {
        self.sheet.takes_keys() || self.transport.takes_keys()
    }

    /// Whether shortcuts act on keyframes, because the pointer is over the sheet.
    pub fn has_keyboard(&self) -> bool {
        self.sheet.has_keyboard()
    }

    /// Tells whether a tool of the view is active, which Esc ends then.
    pub fn set_has_tool(&mut self, has_tool: bool) {
        self.sheet.set_has_tool(has_tool);
    }

    /// Opens a text field over the name of the active take.
    pub fn rename_take(&mut self) {
        self.transport.rename_take();
    }

    /// The mouse controls, while the pointer is over the panel.
    pub fn hint(&self) -> Option<&'static str> {
        self.sheet.hint()
    }

    /// Takes the notices that are to be shown as messages.
    pub fn take_notices(&mut self) -> Vec<String> {
        self.sheet.take_notices()
    }

    /// Resets the state after another document was opened.
    pub fn document_opened(&mut self) {
        self.sheet.document_opened();
    }

    /// Sets what there is of the sound to draw, under the ruler.
    pub fn set_wave(&mut self, wave: Wave) {
        self.sheet.set_wave(wave);
    }

    /// Ends drags, since the panel is not shown.
    pub fn leave(&mut self, view: &View, out: &mut Vec<Request>) {
        self.sheet.leave(view, out);
    }

    /// Ends the frame of the panel. To be called once per frame, whether it is shown or not.
    pub fn end_frame(&mut self, ctx: &Context, out: &mut Vec<Request>) {
        self.transport.end_frame(ctx, out);
        self.sheet.end_frame(ctx, out);
    }
}

/// Returns the height to begin with, of `available` points: without keys, the play controls, the ruler, and two rows
/// that say how to insert keys.
pub fn suggested_height(view: &View, available: f32) -> f32 {
    let usual = (available * 0.3).min(280.0);
    let animation = &view.session.scene().animation;
    let empty = 110.0 + sheet::sound_height(animation.sound.as_ref());
    if animation.channels.is_empty() { usual.min(empty) } else { usual }
}

pub fn timeline_ui(ui: &mut Ui, view: &View, state: &mut TimelineState, out: &mut Vec<Request>) {
    transport::transport_ui(ui, view, &mut state.transport, out);
    sheet::sheet_ui(ui, view, &mut state.sheet, out);
}
