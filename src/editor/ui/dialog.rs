//! Modal dialogs, and their buttons.

use super::theme;
use egui::{Button, Frame, Id, Modal, RichText, vec2};

/// A modal dialog.
pub fn modal(id: &str) -> Modal {
    let frame = Frame::new()
        .fill(theme::POPUP)
        .stroke(egui::Stroke::new(1.0, theme::LINE))
        .corner_radius(theme::RADIUS + 4)
        .inner_margin(16);
    Modal::new(Id::new(id)).frame(frame)
}

/// A button of a dialog.
pub fn dialog_button(text: &str) -> Button<'_> {
    Button::new(text).min_size(vec2(84.0, theme::TALL))
}

/// The main button of a dialog.
pub fn main_dialog_button(text: &str) -> Button<'_> {
    let text = RichText::new(text).color(theme::ON_ACCENT).strong();
    Button::new(text)
        .fill(theme::ACCENT)
        .min_size(vec2(84.0, theme::TALL))
}
