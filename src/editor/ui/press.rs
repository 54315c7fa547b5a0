//! Where the pointer was pressed, however quickly it moves on.

use egui::{Rect, Response, Ui};

/// Whether the primary button was pressed in an area of a widget in this frame. Egui looks for what was pressed where the
/// pointer is at the end of the frame, and a quick drag has left a small area by then.
pub fn is_pressed_in(ui: &Ui, area: Rect, widget: &Response) -> bool {
    let press = ui.input(|i| i.pointer.press_origin().filter(|_| i.pointer.primary_pressed()));
    let has_left = ui.input(|i| i.pointer.latest_pos()).is_none_or(|point| !area.contains(point));
    let is_uncovered = |point| ui.ctx().layer_id_at(point) == Some(ui.layer_id());
    ui.is_enabled()
        && press.is_some_and(|point| area.contains(point) && is_uncovered(point))
        && (has_left || widget.is_pointer_button_down_on())
}
