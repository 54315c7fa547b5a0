//! Modal dialogs, and their buttons.

use super::theme;
use egui::{Button, Context, Frame, Id, Key, Modal, ModalResponse, Modifiers, RichText, vec2};

/// A modal dialog.
pub fn modal(id: &str) -> Modal {
    let frame = Frame::new()
        .fill(*theme::POPUP)
        .stroke(egui::Stroke::new(1.0, theme::LINE))
        .corner_radius(theme::RADIUS + 4)
        .inner_margin(16);
    Modal::new(Id::new(id)).frame(frame)
}

/// Whether Esc leaves a dialog. A click beside it does not: what was chosen and typed there would be lost.
pub fn is_dismissed<T>(shown: &ModalResponse<T>) -> bool {
    shown.should_close() && !shown.backdrop_response.clicked()
}

/// Whether Enter confirms the main button of a dialog. To be asked before the widgets of the dialog: one that has
/// the keyboard takes the Enter itself.
pub fn is_confirmed(ctx: &Context) -> bool {
    // A key that is held down since an earlier dialog confirms nothing.
    let pressed = |event: &egui::Event| {
        matches!(
            event,
            egui::Event::Key {
                key: Key::Enter,
                pressed: true,
                repeat: false,
                modifiers: Modifiers::NONE,
                ..
            }
        )
    };
    let unfocused = ctx.memory(|memory| memory.focused().is_none());
    let confirmed = unfocused && ctx.input(|input| input.events.iter().any(pressed));
    confirmed && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter))
}

/// A button of a dialog.
pub fn dialog_button(text: &str) -> Button<'_> {
    Button::new(text).min_size(vec2(84.0, theme::TALL))
}

/// The main button of a dialog.
pub fn main_dialog_button(text: &str) -> Button<'_> {
    let text = RichText::new(text).color(theme::ON_ACCENT).strong();
    Button::new(text).fill(theme::ACCENT).min_size(vec2(84.0, theme::TALL))
}
