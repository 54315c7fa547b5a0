//! How fields show whether their value is keyed.

use super::theme;
use crate::edit::keyed::KeyState;
use egui::{Checkbox, Color32, Response, Ui};

/// Behind the value; nothing for what has no keys.
pub fn fill(state: KeyState) -> Option<Color32> {
    match state {
        KeyState::Still => None,
        KeyState::Animated => Some(theme::ANIMATED),
        KeyState::Keyed => Some(theme::KEYED),
        KeyState::Held => Some(theme::HELD),
        KeyState::Muted => Some(theme::MUTED),
    }
}

/// Says it to those who hear the window.
pub fn describe(response: &Response, state: KeyState) {
    if let Some(text) = state.text() {
        response
            .ctx
            .accesskit_node_builder(response.id, |node| node.set_description(text));
    }
}

/// A tick box in the colour of its keys.
pub fn tick_ui(ui: &mut Ui, state: KeyState, tick: Checkbox, tooltip: &str) -> Response {
    let response = ui.scope(|ui| {
        if let Some(fill) = fill(state) {
            let widgets = &mut ui.visuals_mut().widgets;
            for look in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
                look.bg_fill = fill;
            }
        }
        ui.add(tick)
    });
    let response = response.inner;
    describe(&response, state);
    response.on_hover_ui(|ui| {
        ui.label(tooltip);
        if let Some(text) = state.text() {
            ui.weak(text);
        }
    })
}
